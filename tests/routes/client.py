"""A browser before the routes and the layer that says who somebody is."""

from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.serving.sessions import COOKIE
from routes.table import MIDDLEWARE, ROUTES
from tests.sessions import key_of

HOST = "rate.example.org"
ADDRESS = f"http://{HOST}"


def browser(address: str = "testclient") -> TestClient:
    """A browser that nobody is known in, somewhere in the world."""
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
    headers = {"Origin": ADDRESS}
    return TestClient(app, base_url=ADDRESS, follow_redirects=False, headers=headers, client=(address, 50_000))


def known_as(client: TestClient, token: str) -> None:
    """Make the browser that of whoever has this link."""
    keep(client, key_of(token))


def keep(client: TestClient, key: str) -> None:
    """Put a session's key into the browser's cookie."""
    client.cookies.set(COOKIE, key, domain=HOST, path="/")
