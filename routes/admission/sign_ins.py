"""Signing in with a provider, at addresses that Streamlit serves: how often, and what comes back in vain."""

from starlette.requests import HTTPConnection
from starlette.responses import Response

from routes.admission.rates import Rate
from routes.admission.visitor import Visitor
from routes.text.frame import refusal, too_often

BACK = "/oauth2callback"
ADDRESSES = ("/sign-in", "/auth/login", BACK)
REQUESTS = Rate(burst=120, per_second=1)
"""Of one network: a sign-in takes three, and a whole lab may come at once."""


def refused(connection: HTTPConnection, visitor: Visitor) -> Response | None:
    """Why this request goes no further; None where it may, or is no part of signing in.

    What a provider is said to answer is anybody's words: Streamlit would write them into the log.
    """
    path: str = connection.scope["path"]
    if not path.startswith(ADDRESSES):
        return None
    if not REQUESTS.spend(visitor.network):
        return too_often(REQUESTS.wait(visitor.network))
    if path.startswith(BACK) and "error" in connection.query_params:
        return refusal("You were not signed in", "The provider ended it. Go back to the first page and try again.", 403)
    return None
