"""The script that draws charts comes from this server, to anybody, and with nothing of anybody's."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from routes.table import ROUTES


def test_it_is_plotly() -> None:
    answer = TestClient(Starlette(routes=ROUTES)).get("/plotly.js")
    assert answer.status_code == 200
    assert "plotly.js v" in answer.text[:200]
    assert answer.headers["content-type"].startswith("text/javascript")
