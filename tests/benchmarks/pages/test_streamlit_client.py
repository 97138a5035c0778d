"""The websocket client against the real app: what it may reach, what it sees, what a bad visitor gets."""

import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.server import ServerConnection, serve

from benchmarks.pages import load, streamlit_client
from benchmarks.pages.crowd import Annotator, words
from benchmarks.pages.served import Served
from benchmarks.pages.streamlit_client import Session, SessionError
from benchmarks.pages.visits import READER, first_controls
from core.annotation.studies import Study
from db.engine import engine
from db.migrate import migrate
from tests.apart import run_apart


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """For all these tests, each of which has a study of its own."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABULA_HOME", str(home))
        patch.delenv("DATABASE_URL", raising=False)
        migrate()
        with Served(home) as served:
            yield served
        engine().dispose()


@pytest.fixture
def planted(app: Served, request: pytest.FixtureRequest) -> tuple[Study, str, dict[str, float]]:
    """A study of one prompt, an annotator's token, and the texts."""
    study, _, quality = load.open_planted(request.node.name, prompts=1, wanted=1)
    return study, load.invited(study, Annotator(1))[0], quality


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org:8501",
        "http://localhost.example.org",
        "https://localhost:8501",
        "http://10.0.0.1",
        "localhost",
    ],
)
def test_only_this_machine_is_visited(address: str) -> None:
    with pytest.raises(SessionError, match="not on this machine"):
        Session(address)


def test_a_token_cannot_carry_another_header() -> None:
    with pytest.raises(SessionError, match="token"):
        Session("http://localhost:1", "abc\r\nX-Forged: 1")


def test_a_server_that_is_not_there_is_told_in_a_sentence_and_leaves_no_session_counted() -> None:
    async def visit() -> None:
        async with Session("http://127.0.0.1:9", wait=5):
            pass

    with pytest.raises(SessionError, match="does not let the session in"):
        run_apart(visit())
    assert streamlit_client._open_sessions == 0


def _text(body: str, *, cacheable: bool = False) -> ForwardMsg:
    message = ForwardMsg(hash="h")
    message.metadata.delta_path.extend([0, 0])
    message.metadata.cacheable = cacheable
    message.delta.new_element.text.body = body
    return message


def _visit(*frames: bytes | str) -> list[str]:
    """What a session shows of a server that answers every request with these frames."""

    async def answer(connection: ServerConnection) -> None:
        async for _ in connection:
            for frame in frames:
                await connection.send(frame)

    async def visit() -> list[str]:
        async with serve(answer, "127.0.0.1", 0, subprotocols=["streamlit"]) as server:  # type: ignore[list-item]
            port = server.sockets[0].getsockname()[1]
            async with Session(f"http://127.0.0.1:{port}", wait=60 if frames else 0.5) as session:
                await session.open("/")
                return [element.text for element in session.elements()]

    return run_apart(visit())


FINISHED = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY).SerializeToString()


def test_a_message_that_was_cached_is_shown_again_where_it_is_referred_to() -> None:
    reference = ForwardMsg(ref_hash="h")
    reference.metadata.delta_path.extend([0, 1])
    cached = _text("long", cacheable=True).SerializeToString()
    assert _visit(cached, reference.SerializeToString(), FINISHED) == ["long", "long"]


@pytest.mark.parametrize(
    ("frames", "problem"),
    [
        ((), "silent for 0.5 seconds"),
        (("words",), "a text frame"),
        ((ForwardMsg(ref_hash="h").SerializeToString(),), "never sent"),
        ((b"\xff\xff",), "broke off"),
        ((b"x" * (streamlit_client.LARGEST_FRAME + 1),), "broke off"),
    ],
)
def test_a_server_out_of_order_ends_the_session_with_a_reason(frames: tuple[bytes | str, ...], problem: str) -> None:
    with pytest.raises(SessionError, match=problem):
        _visit(*frames)
    assert streamlit_client._open_sessions == 0


def test_sessions_and_what_they_record_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit_client, "MOST_NODES", 0)
    with pytest.raises(SessionError, match="more than 0 elements"):
        _visit(_text("one").SerializeToString())
    monkeypatch.setattr(streamlit_client, "MOST_SESSIONS", 0)
    with pytest.raises(SessionError, match="At most 0 sessions"):
        _visit()


def test_a_panel_is_read_and_answered(app: Served, planted: tuple[Study, str, dict[str, float]]) -> None:
    _, token, quality = planted

    async def visit() -> None:
        async with Session(app.address, token, record=True) as session:
            await session.open("/annotate")
            await session.press(session.find_button("Begin"))
            groups = first_controls(session)
            assert len(groups) == 7
            texts = {words(e.text) for e in session.elements() if e.kind in ("text", READER)}
            assert set(quality) < texts
            for group in groups:
                await session.choose(group, "4")
            assert sum("Saved" in e.text for e in session.elements() if e.kind == "markdown") == 7
            first = session.find("button_group", key=groups[0].key)
            await session.choose(first, None)
            assert session.shows("not rated yet")
            with pytest.raises(SessionError, match="no button 'Nowhere'"):
                session.find_button("Nowhere")
            assert session.received
            told = b"".join(session.received)
            assert b"Saved" in told
            assert b"alder" not in told
        async with Session(app.address, token) as again:
            await again.open("/annotate")
            chosen = [list(group.proto.raw_values) for group in first_controls(again)]
            assert chosen == [[], *[["4"]] * 6]

    run_apart(visit())


def test_what_no_browser_would_send_is_stored_nowhere(
    app: Served, planted: tuple[Study, str, dict[str, float]]
) -> None:
    study, token, _ = planted

    async def visit() -> None:
        async with Session(app.address, token) as session:
            await session.open("/annotate")
            await session.press(session.find_button("Begin"))
            group = first_controls(session)[0]
            state = WidgetState(id=group.id)
            state.string_array_value.data.append("9")
            await session.send_raw(state, fragment_id=group.fragment_id)
            await session.send_raw(state, fragment_id="of-nobody", wait=False)
            await session.send_raw(WidgetState(id="$$ID-0-overall-x", bytes_value=b"\xff"))
            assert not session.shows("Saved")

    run_apart(visit())
    assert load.ratings_an_item(study.id) == {0: 7}


def test_a_stranger_gets_no_session_and_the_routes_for_programs_are_off(app: Served) -> None:
    async def visit(token: str | None) -> None:
        async with Session(app.address, token):
            pass

    for token in (None, "a-token-of-nobody"):
        with pytest.raises(SessionError, match="HTTP 403"):
            run_apart(visit(token))
    for route in ("interact", "mcp"):
        request = urllib.request.Request(f"{app.address}/_stcore/agent/{route}", data=b"{}", method="POST")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        with refused.value as answer:
            assert answer.code == 404
