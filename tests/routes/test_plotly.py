"""The script that draws charts comes from this server, to anybody, and with nothing of anybody's."""

from tests.routes.client import browser


def test_it_is_plotly() -> None:
    answer = browser().get("/plotly.js")
    assert answer.status_code == 200
    assert "plotly.js v" in answer.text[:200]
    assert answer.headers["content-type"].startswith("text/javascript")
