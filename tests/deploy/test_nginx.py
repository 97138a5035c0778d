"""`deploy/nginx.conf` with a real nginx: TLS, websockets, the visitor's own address, and one process a visitor."""

import http.client
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from benchmarks.pages import load
from benchmarks.pages.crowd import Annotator
from benchmarks.pages.served import Served, free_port
from core.home import ROOT
from core.serving.sessions import COOKIE
from db.migrate import migrate

pytestmark = pytest.mark.skipif(
    shutil.which("nginx") is None or shutil.which("openssl") is None,
    reason="nginx is not installed (apt-get install nginx-light openssl)",
)
TRUSTING = ssl._create_unverified_context()
"""The certificate is the test's own."""


@dataclass
class Proxy:
    """nginx in front of two processes, at a name that this machine has for itself."""

    app: Served
    port: int
    token: str

    def get(self, path: str, **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPSConnection("localhost", self.port, context=TRUSTING, timeout=30)
        connection.request("GET", path, headers={**headers, "Connection": "close"})
        response = connection.getresponse()
        response.read()
        return response


@pytest.fixture
def proxy(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    port, plain = free_port(), free_port()
    monkeypatch.setenv("FABULA_ADDRESS", f"https://localhost:{port}")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")
    migrate()
    study, _, _ = load.open_planted("one", prompts=1, wanted=1)
    with Served(home, processes=2, proxied=False) as app:
        key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
        site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
        changes = {
            "listen 443": f"listen 127.0.0.1:{port}",
            "listen 80": f"listen 127.0.0.1:{plain}",
            "rate.example.org": "localhost",
            "127.0.0.1:8501": f"127.0.0.1:{app.ports[0]}",
            "127.0.0.1:8502": f"127.0.0.1:{app.ports[1]}",
            "/etc/ssl/certs/fabula.pem": str(certificate),
            "/etc/ssl/private/fabula.key": str(key),
        }
        for shipped, here in changes.items():
            assert shipped in site
            site = site.replace(shipped, here)
        whole = tmp_path / "nginx.conf"
        temporary = "".join(
            f"{name}_temp_path {tmp_path / name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        whole.write_text(
            f"daemon off; pid {tmp_path / 'pid'}; error_log {tmp_path / 'error.log'};\n"
            f"events {{}}\nhttp {{ access_log off; {temporary}\n{site}\n}}\n",
            encoding="utf-8",
        )
        with subprocess.Popen(["nginx", "-c", str(whole), "-p", str(tmp_path)], stderr=subprocess.PIPE) as process:
            try:
                result = Proxy(app, port, load.invited(study, Annotator(1))[0])
                _wait(process, result)
                yield result
            finally:
                process.terminate()


def _wait(process: subprocess.Popen[bytes], proxy: Proxy) -> None:
    for _ in range(100):
        if process.poll() is not None and process.stderr is not None:
            raise AssertionError(process.stderr.read().decode())
        try:
            proxy.get("/health")
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError("nginx does not answer")


def test_a_visitor_comes_in_over_tls_opens_a_websocket_and_has_their_own_address(proxy: Proxy) -> None:
    assert proxy.get("/health").status == 200
    entered = proxy.get(f"/enter/{proxy.token}")
    cookie = entered.headers["Set-Cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert "Secure" in cookie
    own = {"Cookie": cookie.partition(";")[0]}

    address = f"wss://localhost:{proxy.port}/_stcore/stream"
    origin = f"https://localhost:{proxy.port}"
    with connect(address, ssl=TRUSTING, additional_headers={**own, "Origin": origin}, subprotocols=["streamlit"]):
        pass
    with (
        pytest.raises(InvalidStatus, match="403"),
        connect(address, ssl=TRUSTING, additional_headers={**own, "Origin": "https://elsewhere.example"}),
    ):
        pass

    # Wrong links are counted by address: with another one each time nobody would ever have tried too many.
    answers = [proxy.get(f"/enter/wrong-{i}", **{"X-Forwarded-For": f"198.51.100.{i}"}).status for i in range(200)]
    assert 429 in answers
