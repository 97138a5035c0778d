"""The style of the pages stands in the page that Streamlit serves, and in no other."""

from pathlib import Path

import pytest
import streamlit
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from routes.page_style import PageStyle, page_style

INDEX = Path(streamlit.__file__).parent / "static" / "index.html"
OURS = "<html><head></head><body>A link that has ended</body></html>"
HTML = {"Accept": "text/html,*/*", "Accept-Encoding": "gzip"}


@pytest.fixture
def client() -> TestClient:
    routes = [
        Route("/", lambda _: FileResponse(INDEX)),
        Route("/ours", lambda _: HTMLResponse(OURS)),
        Route("/numbers", lambda _: JSONResponse([1])),
    ]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(PageStyle), Middleware(GZipMiddleware)]))


def test_it_stands_at_the_end_and_nothing_else_has_changed(client: TestClient) -> None:
    answer = client.get("/", headers=HTML)
    style = page_style().decode()
    assert "stMainBlockContainer" in style
    assert f"{style}</body>" in answer.text
    assert answer.text.replace(style, "", 1) == INDEX.read_text(encoding="utf-8")
    assert answer.headers["content-length"] == str(len(answer.content))


def test_a_browser_that_has_the_page_of_another_version_gets_this_one(client: TestClient) -> None:
    asked = client.get("/", headers={"Accept": "*/*"}).headers["etag"]
    answer = client.get("/", headers={**HTML, "If-None-Match": asked})
    assert answer.status_code == 200
    assert "etag" not in answer.headers
    assert "last-modified" not in answer.headers


def test_other_answers_pass_as_they_are(client: TestClient) -> None:
    assert client.get("/ours", headers=HTML).text == OURS
    assert client.get("/numbers", headers=HTML).json() == [1]
    assert client.get("/", headers={"Accept": "*/*"}).text == INDEX.read_text(encoding="utf-8")
