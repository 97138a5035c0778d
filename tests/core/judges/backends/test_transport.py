"""Every way in which an endpoint does not answer, each in one sentence, and none with the key."""

import contextlib
import datetime
import ipaddress
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.judges.asking import Request
from core.judges.backends.endpoint import EndpointBackend
from tests.judges.server import KEY, MODEL, JudgeServer, Spoilt
from tests.stand_in import running

Backends = Callable[..., EndpointBackend]
Questions = Callable[..., list[Request]]


@pytest.fixture
def refusal(ask: Callable, questions: Questions) -> Callable[[EndpointBackend], str]:
    """Why nothing more is asked, after nothing has been replied."""

    def refused(backend: EndpointBackend) -> str:
        replies, why = ask(backend, questions(30))
        assert replies == []
        assert why.count(". ") <= 1
        return why

    return refused


def test_a_key_that_is_wrong_or_missing(
    backend: Backends, refusal: Callable, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge_server.key = KEY
    wrong = "sk-wrong-" + KEY
    why = refusal(backend(key=wrong))
    assert "does not take the key in FABULA_JUDGE_KEY" in why
    assert wrong not in why
    assert "start Fabula with it in FABULA_JUDGE_KEY" in refusal(backend())


def test_the_right_key(backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer) -> None:
    judge_server.key = KEY
    replies, why = ask(backend(key=KEY), questions(3))
    assert (len(replies), why) == (3, "")
    assert all(asked.headers["Authorization"] == f"Bearer {KEY}" for asked in judge_server.asked)


def test_nothing_of_the_surroundings_leaves(
    backend: Backends,
    ask: Callable,
    questions: Questions,
    judge_server: JudgeServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The client reads keys, headers and addresses that were set for another service, and names the system."""
    for name in ("API_KEY", "ADMIN_KEY", "ORG_ID", "PROJECT_ID", "WEBHOOK_SECRET"):
        monkeypatch.setenv(f"OPENAI_{name}", "sk-somebody-else-s")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://api.example.org/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Team: sk-somebody-else-s\nAuthorization: sk-somebody-else-s")
    replies, why = ask(backend(), questions(3))
    assert (len(replies), why) == (3, "")
    for asked in judge_server.asked:
        names = {name.lower() for name in asked.headers}
        assert names <= {
            *("host", "accept", "accept-encoding", "connection"),
            "content-type",
            "content-length",
            "user-agent",
        }
        assert asked.headers["User-Agent"] == "Fabula"
        assert "sk-somebody" not in str(asked)


def test_the_key_is_in_no_error_no_reply_and_no_log(
    backend: Backends,
    ask: Callable,
    questions: Questions,
    judge_server: JudgeServer,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Even where the endpoint repeats it in what it says."""
    caplog.set_level(logging.DEBUG)
    wanted = questions(4)
    text = wanted[1].messages[-1].text
    judge_server.replies[text] = {"message": {"content": f"Your key is {KEY}."}}
    judge_server.replies[wanted[2].messages[-1].text] = {"message": {"content": "", "refusal": f"Not with {KEY}"}}
    judge_server.reports = f"{MODEL} for {KEY}"
    judge_server.spoilt.append(Spoilt(500, f'{{"error": "{KEY} broke it"}}'.encode()))
    asking = backend(key=KEY, concurrency=1)
    replies, why = ask(asking, wanted)
    assert (len(replies), why) == (4, "")
    assert replies[1].text == "Your key is …."
    judge_server.spoilt.extend(Spoilt(400, f'{{"error": "not for {KEY}"}}'.encode()) for _ in range(30))
    more, why = ask(asking, questions(30, 100))
    assert "not for …" in why
    judge_server.spoilt.clear()
    judge_server.spoilt.append(Spoilt(403, f'{{"error": "not for {KEY}"}}'.encode()))
    _, forbidden = ask(asking, questions(30, 200))
    assert "does not allow this" in forbidden
    shown = [
        *replies,
        *more,
        why,
        forbidden,
        vars(asking.endpoint),
        asking,
        asking.model,
        asking.endpoint.as_settings(),
    ]
    assert KEY not in "".join(map(repr, shown))
    assert caplog.records
    assert KEY not in caplog.text + "".join(str(vars(record)) for record in caplog.records)


def test_a_model_that_is_not_there(backend: Backends, refusal: Callable) -> None:
    assert f"has no model gpt-9; it has {MODEL}, another-model." in refusal(backend(model="gpt-9"))


def test_an_address_without_an_api(backend: Backends, refusal: Callable, judge_server: JudgeServer) -> None:
    elsewhere = judge_server.address.removesuffix("/v1")
    assert "no OpenAI-compatible API" in refusal(backend(elsewhere))
    judge_server.spoilt.append(Spoilt(302, location="https://login.example.org/"))
    assert "leads elsewhere" in refusal(backend())


def test_a_website(backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer) -> None:
    judge_server.spoilt.extend(Spoilt(0, b"<html>Welcome!</html>") for _ in range(1000))
    replies, why = ask(backend(), questions(100))
    assert len(replies) < 40
    assert "is it an OpenAI-compatible API?" in why
    assert all("no completion" in reply.problem for reply in replies)


def test_nobody_answers(backend: Backends, refusal: Callable) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert f"Nothing answers at {address}; is the server running?" in refusal(backend(address))


def test_no_such_machine(backend: Backends, refusal: Callable) -> None:
    assert "no machine called nowhere.invalid" in refusal(backend("https://nowhere.invalid/v1"))


def test_a_machine_that_is_silent(backend: Backends, refusal: Callable) -> None:
    """Its queue is full, so no connection comes about."""
    with socket.socket() as busy, contextlib.ExitStack() as waiting:
        busy.bind(("127.0.0.1", 0))
        busy.listen(0)
        for _ in range(4):
            other = waiting.enter_context(socket.socket())
            other.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                other.connect(busy.getsockname())
        assert "Nothing answers" in refusal(backend(f"http://127.0.0.1:{busy.getsockname()[1]}/v1", patience=0.5))


def test_a_proxy_that_lets_nothing_through(
    backend: Backends, refusal: Callable, judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", judge_server.address.removesuffix("/v1"))
    assert "proxy that this machine goes through" in refusal(backend("https://api.example.org/v1"))


def test_a_word_that_is_no_secret_stays_in_replies(
    backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer
) -> None:
    (wanted,) = questions(1)
    judge_server.replies[wanted.messages[-1].text] = {"message": {"content": "4 of 5, EMPTY"}}
    replies, _ = ask(backend(key="EMPTY"), [wanted])
    assert replies[0].text == "4 of 5, EMPTY"


def test_no_credit(backend: Backends, refusal: Callable, judge_server: JudgeServer) -> None:
    judge_server.spoilt.append(Spoilt(429, b'{"error": {"message": "Quota.", "code": "insufficient_quota"}}'))
    assert "no credit left (Quota)" in refusal(backend())


def test_a_long_rest(backend: Backends, refusal: Callable, judge_server: JudgeServer) -> None:
    judge_server.spoilt.append(Spoilt(429, retry_after="7200"))
    assert "left alone for 120 minutes" in refusal(backend())


def test_too_slow(backend: Backends, ask: Callable, questions: Questions, judge_server: JudgeServer) -> None:
    judge_server.spoilt.append(Spoilt(0, b"{}", seconds=0.5))
    replies, why = ask(backend(patience=0.2), questions(1))
    assert (len(replies), replies[0].problem, why) == (1, "", "")
    assert len(judge_server.asked) == 1  # the slow one came to nothing before it was noted
    judge_server.spoilt.extend(Spoilt(0, b"{}", seconds=0.5) for _ in range(2))
    replies, _ = ask(backend(patience=0.2), questions(1))
    assert "did not answer within 0.2 seconds. It was asked 2 times." in replies[0].problem


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One that this machine signed itself, and nobody trusts."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "stand-in")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def encrypted(certificate: Path) -> Iterator[str]:
    """The address of a stand-in behind TLS."""
    server = JudgeServer()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with running(server):
        yield server.address.replace("http://", "https://")


def test_a_certificate_that_nobody_trusts(backend: Backends, refusal: Callable, encrypted: str) -> None:
    assert "certificate of 127.0.0.1" in (why := refusal(backend(encrypted)))
    assert "is not trusted" in why


def test_a_certificate_that_is_named_is_trusted(
    backend: Backends,
    ask: Callable,
    questions: Questions,
    encrypted: str,
    certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    replies, why = ask(backend(encrypted), questions(2))
    assert (len(replies), why) == (2, "")


def test_https_where_there_is_none(backend: Backends, refusal: Callable, judge_server: JudgeServer) -> None:
    assert "does not speak TLS" in refusal(backend(judge_server.address.replace("http://", "https://")))
