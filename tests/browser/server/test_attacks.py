"""Attacks on a real server: what emptied its memory or its sockets, or told of its inside, before there was a layer."""

import contextlib
import http.client
import os
import resource
import socket
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psutil
import pytest
from playwright.sync_api import Browser, expect

from core.people import TERMINAL, Role
from core.serving.sessions import COOKIE
from db.people import people, sessions
from routes.admission.layer import CHECKED_EVERY
from tests.browser.conftest import Server, choose, serve, settle, sign_in, visit
from tests.browser.form import link, open_study
from tests.processes.forks import forked
from tests.sessions import key_of
from tests.terminal import run

MB = 2**20


def memory(server: Server) -> float:
    """What the server holds, in MB."""
    assert server.process is not None
    return float(psutil.Process(server.process.pid).memory_info().rss) / MB


def shake_hands(server: Server, cookie: str = "", origin: str | None = None) -> tuple[socket.socket, str]:
    """Open a websocket by hand; the socket and the first line of the answer."""
    connection = socket.create_connection(("localhost", server.port), timeout=20)
    lines = [
        *("GET /_stcore/stream HTTP/1.1", f"Host: localhost:{server.port}", "Connection: Upgrade"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
        *([f"Origin: {server.address if origin is None else origin}"] if origin != "" else []),
        *([f"Cookie: {COOKIE}={cookie}"] if cookie else []),
    ]
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return connection, connection.recv(4_096).split(b"\r\n")[0].decode()


def test_strangers_take_neither_memory_nor_sockets(server: Server, browser: Browser) -> None:
    """Twelve uploads of 90 MB took a gigabyte; of 253 websockets a server with 1,024 descriptors died."""
    study = open_study()
    assert server.process is not None
    process = psutil.Process(server.process.pid)
    limits = process.rlimit(resource.RLIMIT_NOFILE)
    assert limits[0] >= min(65_536, limits[1])
    before = memory(server)
    for number in range(12):
        request = Request(
            f"{server.address}/_stcore/upload_file/page-{number}/file",
            data=bytes(9 * MB),
            method="PUT",
            headers={"Content-Type": "multipart/form-data; boundary=x", "Origin": server.address},
        )
        with pytest.raises((HTTPError, ConnectionError, OSError)) as refused:
            urlopen(request, timeout=20)
        if isinstance(refused.value, HTTPError):
            assert refused.value.code == 403
    assert memory(server) - before < 60
    opened = []
    try:
        for _ in range(300):
            connection, status = shake_hands(server)
            opened.append(connection)
            assert "403" in status
        assert process.num_fds() < 200
        page = browser.new_context().new_page()
        visit(page, link(server, study, "Ann"))
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
    finally:
        for connection in opened:
            connection.close()


def test_another_sites_page_opens_none_in_a_researchers_name(standing: Server) -> None:
    key = key_of(people.invite(TERMINAL, Role.OWNER))
    for origin, status in ((standing.address, "101"), ("https://evil.example.org", "403"), ("", "403")):
        connection, answer = shake_hands(standing, key, origin)
        connection.close()
        assert status in answer, origin


def test_a_link_on_another_page_turns_nobody_into_somebody_else(standing: Server, browser: Browser) -> None:
    study = open_study()
    page = browser.new_context().new_page()
    sign_in(page, standing)
    theirs = people.invite(TERMINAL, Role.ANNOTATOR, name="Mallory", study_id=study.id)
    for way in (f"/enter/{theirs}", f"/enter/{theirs}?instead=yes"):
        page.goto(f"{standing.address}{way}")
        expect(page.get_by_role("heading", name="This is another person's link")).to_be_visible()
    other = browser.new_context(storage_state=page.context.storage_state()).new_page()
    other.set_content(f'<form method="post" action="{standing.address}/enter/{theirs}"><button>Win</button></form>')
    other.get_by_role("button").click()
    expect(other.get_by_text("Only a page of this server may send this.")).to_be_visible()
    visit(page, f"{standing.address}/people")
    expect(page.get_by_role("heading", name="Accounts", exact=True)).to_be_visible()


def test_a_cookie_is_no_link_and_a_link_no_cookie(standing: Server) -> None:
    token = people.invite(TERMINAL, Role.OWNER)
    for cookie in (token, "x" * 3_000):
        request = Request(f"{standing.address}/studies", headers={"Cookie": f"{COOKIE}={cookie}"})
        with pytest.raises(HTTPError, match="401"):
            urlopen(request)
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{standing.address}/enter/{key_of(token)}")


def test_an_owner_ends_a_session(standing: Server, browser: Browser) -> None:
    study = open_study()
    annotator = browser.new_context().new_page()
    visit(annotator, link(standing, study, "Ann"))
    owner = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    sign_in(owner, standing)
    visit(owner, f"{standing.address}/people")
    owner.get_by_text("Signed-in browsers (2)").click()
    settle(owner)
    choose(owner.get_by_role("combobox", name="Sign out"), "Ann (annotator", exact=False)
    owner.get_by_role("button", name="Sign this browser out").click()
    expect(owner.get_by_text("That browser is signed out.")).to_be_visible()
    annotator.wait_for_timeout(1000 * (CHECKED_EVERY + 1))
    annotator.reload()
    expect(annotator.get_by_text("Open the personal link that you were given")).to_be_visible()


def test_every_answer_of_streamlits_carries_our_headers(standing: Server) -> None:
    request = Request(
        f"{standing.address}/", headers={"Cookie": f"{COOKIE}={key_of(people.invite(TERMINAL, Role.OWNER))}"}
    )
    for target in (request, f"{standing.address}/_stcore/health", f"{standing.address}/_stcore/host-config"):
        with urlopen(target) as answer:
            assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Access-Control-Allow-Origin"] is None


def test_forged_frames_do_not_fill_the_log(standing: Server) -> None:
    key = key_of(people.invite(TERMINAL, Role.OWNER))
    for _ in range(60):
        connection, status = shake_hands(standing, key)
        with connection, contextlib.suppress(ConnectionError, TimeoutError):
            assert "101" in status
            payload = b"\xff" * 60  # no protobuf begins so
            connection.sendall(bytes([0x82, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
            connection.settimeout(5)
            while not connection.recv(4_096).startswith(b"\x88"):  # the frame that closes it
                pass
    time.sleep(1)
    assert standing.log().count("Traceback") <= 30
    with urlopen(f"{standing.address}/health") as answer:
        assert answer.status == 200


def test_idle_sessions_of_a_person_do_not_pile_up(standing: Server) -> None:
    token = people.invite(TERMINAL, Role.OWNER)
    for _ in range(30):
        connection = http.client.HTTPConnection("localhost", standing.port)
        connection.request("GET", f"/enter/{token}")
        assert connection.getresponse().status == 303
        connection.close()
    assert len(sessions.live(TERMINAL)) == 20


def test_a_server_that_strangers_reach_unsafely_does_not_start(home: Path) -> None:
    server = Server(home)
    settings = {"FORWARDED_ALLOW_IPS": "*", "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full"}
    process = forked(serve, {**os.environ, **settings}, home / "server.log", "--server.port", str(server.port))
    process.join(60)
    assert process.exitcode == 2
    said = server.log()
    assert "others can reach this server, but not yet safely" in said
    assert "anybody could say where they come from" in said
    assert "showErrorDetails" in said
    assert "Traceback" not in said
    assert not (home / "owner-token").exists()


def doctor(environment: dict[str, str], out: Path, err: Path) -> None:
    """The command, in a process that may open few files."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, 1024))
    run(("doctor", "--public", "--json", "-"), environment, out, err)


def test_doctor_names_the_gaps_of_a_bad_deployment(home: Path, tmp_path: Path) -> None:
    home.chmod(0o755)
    settings = {
        **os.environ,
        "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",
        "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",
        "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full",
        "FABULA_ADDRESS": "http://rate.example.org",
        "FABULA_HOME": str(home),
    }
    process = forked(doctor, settings, tmp_path / "out", tmp_path / "err")
    process.join(60)
    assert process.exitcode == 1
    said = (tmp_path / "out").read_text()
    for gap in ("unencrypted", "protection of forms", "errors in full", "http://rate.example.org", "1,024 files"):
        assert gap in said, gap
    assert home.stat().st_mode & 0o077 == 0  # that one was mended on the spot
