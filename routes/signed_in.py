"""Who has signed in with a provider, for routes: by the cookie that Streamlit signs, which pages read as `st.user`."""

import json

from starlette.requests import Request
from streamlit import secrets
from streamlit.auth_util import get_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import decode_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from core.people import Person
from db.people import people


def signed_in(request: Request) -> Person | None:
    """The person invited by the address that this browser has signed in with; None for everybody else.

    It is asked only to warn or to refuse: it gives no right.
    """
    if not (secrets.load_if_toml_exists() and "auth" in secrets):
        return None

    def signed(name: str) -> bytes | None:
        return decode_signed_value(get_cookie_secret(), name, request.cookies.get(name, ""))

    payload = get_cookie_with_chunks(signed, USER_COOKIE_NAME)
    user = json.loads(payload) if payload else {}
    if user.get("is_logged_in") is not True or user.get("email_verified") is not True:
        return None
    return people.by_email(str(user.get("email") or ""))
