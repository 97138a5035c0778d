"""The admission layer before an app that says what it was asked: who gets through, with what, and how often."""

import json
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.serving import descriptors
from core.serving.sessions import COOKIE, SESSION_HEADER, OpenedBy, Visit
from db.people import people, sessions
from routes.admission import Admission, layer, sign_ins, sockets, uploads
from routes.admission.rates import Rate
from routes.admission.visitor import PROXIES, Visitor, visitor_of
from tests.routes.client import ADDRESS, HOST, keep, known_as
from tests.sessions import key_of

PAGES = ("/", "/preview", "/studies", "/made-up", "/media/abc.png", "/_stcore/bidi-components/x", "/component/y")
STREAM = f"ws://{HOST}/_stcore/stream"
UPLOAD = "/_stcore/upload_file/page/file"


async def echo(request: Request) -> JSONResponse:
    """What got through, and who it came from."""
    visitor = visitor_of(request)
    return JSONResponse({"address": visitor.address, "secure": visitor.secure, "size": len(await request.body())})


async def page(socket: WebSocket) -> None:
    """As Streamlit: it accepts, names its session, and answers every message with the headers that it got."""
    await socket.accept(subprotocol="streamlit")
    hello = ForwardMsg()
    hello.new_session.initialize.session_id = "page-1"
    await socket.send_bytes(hello.SerializeToString())
    try:
        while True:
            if await socket.receive_bytes() == layer.DRAW_ANEW:
                await socket.send_text("drawn anew")
                continue
            wanted = (SESSION_HEADER, "sec-websocket-protocol")
            await socket.send_text(json.dumps({name: socket.headers.getlist(name) for name in wanted}))
    except WebSocketDisconnect:
        pass


@pytest.fixture
def client(study: Study) -> Iterator[TestClient]:
    every = ["GET", "POST", "PUT", "DELETE", "OPTIONS"]
    routes = [WebSocketRoute("/{path:path}", page), Route("/{path:path}", echo, methods=every)]
    app = Starlette(routes=routes, middleware=[Middleware(Admission)])
    with TestClient(app, base_url=ADDRESS, headers={"Origin": ADDRESS}) as made:
        yield made


def researcher(client: TestClient) -> None:
    known_as(client, people.invite(TERMINAL, Role.RESEARCHER))


def annotator(client: TestClient, study: Study) -> None:
    known_as(client, people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))


@pytest.mark.parametrize("path", PAGES)
def test_a_stranger_gets_a_page_of_text(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 401
    assert "Open the personal link that you were given" in answer.text
    assert "<script" not in answer.text
    keep(client, "forged")
    assert client.get(path).status_code == 401


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "This link has been withdrawn and no longer works."),
        ("de-AT", "Dieser Link wurde zurückgezogen und funktioniert nicht mehr."),
        ("es", "Este enlace ha sido anulado y ya no funciona."),
        ("zh-CN", "这个链接已被撤销，不再有效。"),
        ("ar", "أُلغي هذا الرابط ولم يعد يعمل."),
    ],
)
def test_whose_link_was_revoked_is_told_so_in_their_language(
    client: TestClient, study: Study, language: str, said: str
) -> None:
    token = people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id)
    known_as(client, token)
    person = people.by_token(token)
    assert person is not None
    people.revoke(TERMINAL, person.id or 0)
    answer = client.get("/", headers={"Accept-Language": language})
    assert answer.status_code == 401
    assert said in answer.text
    assert "Open the personal link" not in answer.text


@pytest.mark.parametrize("path", ["/static/js/index.js", "/favicon.png", "/health", "/_stcore/health", "/plotly.js"])
def test_what_is_nobodys_is_everybodys(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_whoever_was_let_in_gets_the_pages(client: TestClient, study: Study, path: str) -> None:
    annotator(client, study)
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/_stcore/agent/interact", "/_stcore/metrics", "/_stcore/script-health-check"])
def test_what_streamlit_offers_to_programs_is_closed_to_all(client: TestClient, path: str) -> None:
    researcher(client)
    assert client.get(path).status_code == 404
    assert client.post(path).status_code == 404


def test_every_answer_carries_the_headers(client: TestClient, study: Study) -> None:
    annotator(client, study)
    for path in ("/", "/static/x.js", "/_stcore/agent", "/health"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe-eval'" not in headers["content-security-policy"].replace("'wasm-unsafe-eval'", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in headers
    assert "'unsafe-inline'" not in headers["content-security-policy"].split("style-src")[0]


@pytest.mark.parametrize("host", ["evil.example.org; script-src *", "a'b", "x" * 400])
def test_a_forged_host_does_not_loosen_the_policy(client: TestClient, host: str) -> None:
    policy = client.get("/health", headers={"Host": host}).headers["content-security-policy"]
    assert "evil" not in policy
    assert policy.count("script-src") == 1


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_is_sent_to_a_page(client: TestClient, method: str) -> None:
    researcher(client)
    assert client.request(method, "/studies").status_code == 405


def test_a_body_where_none_belongs_is_refused_unread(client: TestClient, study: Study) -> None:
    annotator(client, study)
    assert client.request("GET", "/", content=b"x" * (layer.LARGEST_BODY + 1)).status_code == 413
    assert client.request("GET", "/", content=iter([b"x"])).status_code == 413  # without saying how long it is


@pytest.mark.parametrize("who", [None, Role.ANNOTATOR])
def test_only_people_who_run_studies_send_files(client: TestClient, study: Study, who: Role | None) -> None:
    if who is not None:
        annotator(client, study)
    assert client.put(UPLOAD, content=b"x" * 1000).status_code == 403
    assert client.delete(UPLOAD).status_code == 403


def test_a_file_comes_from_a_page_of_ours(client: TestClient) -> None:
    researcher(client)
    assert client.put(UPLOAD, content=b"x" * 1000).json()["size"] == 1000
    for origin in ("https://evil.example.org", "null", ""):
        assert client.put(UPLOAD, content=b"x", headers={"Origin": origin}).status_code == 403


def test_a_page_and_the_server_hold_so_much_and_no_more(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    researcher(client)
    monkeypatch.setattr(uploads, "_held", lambda page: (uploads.A_PAGE - 10, 0))
    assert client.put(UPLOAD, content=b"x" * 11).status_code == 413
    assert client.put(UPLOAD, content=b"x" * 10).status_code == 200
    monkeypatch.setattr(uploads, "_held", lambda page: (0, uploads.ALL_PAGES - 10))
    assert client.put(UPLOAD, content=b"x" * 11).status_code == 503
    assert client.put(UPLOAD, content=iter([b"x"])).status_code == 411


def test_uploads_on_their_way_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "_held", lambda page: (0, 0))
    budget = uploads.Uploads()
    with budget.coming("one", uploads.A_PAGE - 5):
        assert budget.refusal("one", 6)[0] == 413
        assert budget.refusal("two", 6) == (0, "")
    assert budget.refusal("one", uploads.A_PAGE) == (0, "")


def connect(client: TestClient, **headers: str) -> dict[str, list[str]]:
    """Open a page's websocket; the headers that Streamlit gets of it."""
    with client.websocket_connect(STREAM, headers={"Origin": ADDRESS, **headers}) as socket:
        socket.receive_bytes()
        socket.send_bytes(b"press")
        result: dict[str, list[str]] = json.loads(socket.receive_text())
    return result


def refused(client: TestClient, path: str = STREAM, **headers: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path, headers={"Origin": ADDRESS, **headers}):
        pass


def test_a_stranger_gets_no_websocket(client: TestClient) -> None:
    refused(client)
    keep(client, "forged")
    refused(client)


def test_a_websocket_needs_a_page_of_ours(client: TestClient, study: Study) -> None:
    annotator(client, study)
    connect(client)
    for origin in ("", "null", "https://evil.example.org", f"https://{HOST}.evil.org", "http://localhost"):
        refused(client, Origin=origin)
    refused(client, path=f"ws://{HOST}/another/socket")


def test_nobody_says_who_they_are_but_the_layer(client: TestClient, study: Study) -> None:
    key = key_of(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    keep(client, key)
    visit = sessions.by_key(key)
    assert visit is not None
    assert connect(client, **{SESSION_HEADER: "99"})[SESSION_HEADER] == [str(visit.session_id)]


def test_only_ones_own_page_is_taken_up_again(client: TestClient, study: Study) -> None:
    annotator(client, study)
    connect(client)  # begins Streamlit's session page-1
    again = {"sec-websocket-protocol": "streamlit, token, page-1"}
    assert connect(client, **again)["sec-websocket-protocol"] == ["streamlit, token, page-1"]
    annotator(client, study)  # another person in this browser
    assert connect(client, **again)["sec-websocket-protocol"] == ["streamlit, token"]


def test_a_session_that_ends_closes_its_pages(
    client: TestClient, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layer, "CHECKED_EVERY", -1)
    monkeypatch.setattr("routes.admission.visitor.REMEMBERED", -1)
    key = key_of(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    keep(client, key)
    with client.websocket_connect(STREAM, headers={"Origin": ADDRESS}) as socket:
        socket.receive_bytes()
        socket.send_bytes(b"press")
        socket.receive_text()
        visit = sessions.by_key(key)
        assert visit is not None
        sessions.end(visit.session_id)
        socket.send_bytes(b"press")
        assert socket.receive_text() == "drawn anew"  # the press is dropped, and the page says why
        socket.send_bytes(b"press")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    assert client.get("/").status_code == 401


def test_pages_of_a_person_have_a_number(client: TestClient, study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "A_PERSON", 2)
    annotator(client, study)
    with client.websocket_connect(STREAM, headers={"Origin": ADDRESS}):
        assert client.get("/preview").status_code == 200
        with client.websocket_connect(STREAM, headers={"Origin": ADDRESS}):
            refused(client)
            assert client.get("/preview").status_code == 200  # one of them may be loading anew
            monkeypatch.setattr(sockets, "A_PERSON", 1)
            answer = client.get("/preview")
            assert (answer.status_code, "Close some" in answer.text) == (429, True)
            assert client.get("/media/x.png").status_code == 200  # what an open page loads
    connect(client)


def visitor(number: int, role: Role = Role.ANNOTATOR, address: str = "192.0.2.1") -> Visitor:
    person = people.Person(number, "", role, 1)
    return Visitor(address, False, Visit(number, person, OpenedBy.LINK))


def test_a_whole_lab_sits_behind_an_address_and_a_crowd_does_not_lock_researchers_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = sockets.Sockets()
    monkeypatch.setattr(sockets, "room_for", lambda: 1_000)
    opened = [counted.opened(visitor(number)) for number in range(sockets.AN_ADDRESS)]
    for page in opened:
        page.__enter__()
    assert "from where you are" in counted.refusal(visitor(9_999))
    assert counted.refusal(visitor(9_999, address="192.0.2.2")) == ""
    assert counted.refusal(visitor(9_999, Role.RESEARCHER)) == ""
    monkeypatch.setattr(sockets, "room_for", lambda: sockets.AN_ADDRESS + 5)
    assert "full" in counted.refusal(visitor(9_999, address="192.0.2.2"))
    assert counted.refusal(visitor(9_999, Role.OWNER)) == ""
    for page in opened:
        page.__exit__(None, None, None)
    assert counted.refusal(visitor(9_999)) == ""
    assert not counted._people
    assert not counted._networks


def test_an_ipv6_household_is_one_address() -> None:
    one, two = Visitor("2001:db8:1:2::5", False), Visitor("2001:db8:1:2:ffff::9", False)
    assert one.network == two.network != Visitor("2001:db8:1:3::5", False).network
    assert Visitor("192.0.2.7", False).network == "192.0.2.7"
    assert Visitor("testclient", False).network == "testclient"


def test_forwarded_headers_count_from_named_proxies_only(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """uvicorn has read them before the layer: what it made of a proxy's word is in the scope."""
    monkeypatch.delenv(PROXIES, raising=False)
    researcher(client)
    plain = client.get("/", headers={"X-Forwarded-Proto": "https", "X-Forwarded-For": "testclient"}).json()
    assert plain == {"address": "127.0.0.1", "secure": False, "size": 0}
    monkeypatch.setenv(PROXIES, "127.0.0.1")
    with TestClient(client.app, base_url=f"https://{HOST}", cookies={COOKIE: client.cookies[COOKIE]}) as behind:
        answer = behind.get("/", headers={"X-Forwarded-For": "testclient"})
        assert answer.json() == {"address": "testclient", "secure": True, "size": 0}
        assert answer.headers["strict-transport-security"].startswith("max-age=")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_cookies_are_for_tls_alone_where_there_is_tls(
    study: Study, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    monkeypatch.setenv(PROXIES, "127.0.0.1")

    async def two(_request: Request) -> JSONResponse:
        answer = JSONResponse({})
        answer.set_cookie("_streamlit_user", "x")
        answer.set_cookie("ours", "y", secure=True)
        return answer

    app = Starlette(routes=[Route("/health", two)], middleware=[Middleware(Admission)])
    cookies = TestClient(app, base_url=f"{scheme}://{HOST}").get("/health").headers.get_list("set-cookie")
    assert ["secure" in cookie.lower() for cookie in cookies] == [scheme == "https", True]
    assert all(cookie.lower().count("secure") <= 1 for cookie in cookies)


def test_a_provider_that_says_no_is_not_quoted_and_cannot_be_played(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/oauth2callback", params={"error": "<b>no</b>", "error_description": "x" * 3_000})
    assert (answer.status_code, "The provider ended it" in answer.text) == (403, True)
    assert "<b>" not in answer.text
    assert not caplog.records


def test_signing_in_is_tried_so_often_and_no_more(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ins, "REQUESTS", Rate(3, 0.001))
    answers = [client.get(path).status_code for path in ("/sign-in", "/auth/login", "/oauth2callback?code=1") * 2]
    assert answers[3:] == [429] * 3
    assert 429 not in answers[:3]
    with TestClient(client.app, base_url=ADDRESS, client=("198.51.100.7", 50_000)) as elsewhere:
        assert elsewhere.get("/sign-in").status_code != 429
    assert client.get("/auth/logout").status_code != 429


def test_a_rate_gives_so_many_at_once_and_then_so_many_a_second() -> None:
    moment = 0.0
    rate = Rate(3, 0.5, clock=lambda: moment)
    assert [rate.spend("a") for _ in range(4)] == [True, True, True, False]
    assert (rate.wait("a"), rate.wait("b")) == (3, 0)
    assert rate.spend("b")
    moment = 2.0
    assert [rate.spend("a") for _ in range(2)] == [True, False]
    moment = 1_000.0
    assert [rate.spend("a") for _ in range(4)] == [True, True, True, False]


def test_a_rate_forgets_and_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("routes.admission.rates.MOST_KEYS", 10)
    rate = Rate(1, 1)
    for number in range(100):
        rate.spend(str(number))
    assert len(rate._left) == 10


def test_the_limit_of_descriptors_is_raised_and_says_how_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    known = [(1_024, 4_096)]
    monkeypatch.setattr(descriptors.resource, "getrlimit", lambda _: known[0])
    monkeypatch.setattr(descriptors.resource, "setrlimit", lambda _, pair: known.insert(0, pair))
    assert descriptors.room_for() == (1_024 - descriptors.OURS) // descriptors.A_PAGE
    assert descriptors.raise_limit() == 4_096
    assert descriptors.raise_limit() == 4_096
    known.insert(0, (1_024, 10**6))
    assert descriptors.raise_limit() == descriptors.WANTED


def test_an_annotator_comes_to_the_form_by_its_old_address(client: TestClient, study: Study) -> None:
    annotator(client, study)
    answer = client.get("/annotate?link=switched", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (302, "/?link=switched")
    researcher(client)
    assert client.get("/annotate", follow_redirects=False).status_code == 200


def test_a_text_frame_closes_the_page_without_a_traceback(client: TestClient, study: Study) -> None:
    annotator(client, study)
    with client.websocket_connect(STREAM, headers={"Origin": ADDRESS}) as socket:
        socket.receive_bytes()
        socket.send_text("no protobuf")
        with pytest.raises(WebSocketDisconnect) as closed:
            socket.receive_bytes()
    assert closed.value.code == 1003
