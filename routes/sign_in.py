"""To the provider that people sign in with."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from streamlit.auth_util import validate_auth_credentials
from streamlit.errors import StreamlitAuthError
from streamlit.user_info import generate_login_redirect_url

from routes.admission.visitor import signing_in_is_set_up
from routes.text.frame import refusal

PROVIDER = "default"
"""The provider that `[auth]` itself describes."""


async def sign_in(_request: Request) -> Response:
    """Send the browser to Streamlit's own address for signing in."""
    try:
        if signing_in_is_set_up():
            validate_auth_credentials(PROVIDER)
            return RedirectResponse(generate_login_redirect_url(PROVIDER), status_code=303)
    except StreamlitAuthError:
        return refusal("Nobody can sign in just now", "The provider is not set up whole; tell the owner.", 503)
    return refusal("Nobody can sign in here", "This server has no provider; open your personal link.", 404)
