"""Signing in with a provider: a small OpenID Connect server of the test's own, with real keys and signatures."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from joserfc.jwk import OctKey
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.people import TERMINAL, Role
from db.engine import engine
from db.people import people
from db.studies import studies
from tests.browser.conftest import Server, choose, settle, still, visit
from tests.db.conftest import make_study
from tests.signatures import public_key_set, signed, signed_with_a_secret, signing_key, unsigned
from tests.stand_in import QuietRequest, running

KEY = signing_key("k1")
CLIENT, SECRET = "fabula", "a secret that the provider has given"


class Provider(ThreadingHTTPServer):
    """Discovery, authorization, tokens and keys. `user`: the claims of whoever sits before it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.user: dict[str, Any] = {}
        self.nonces: dict[str, str] = {}
        self.sign: Callable[[dict[str, Any]], str] = lambda claims: signed(claims, KEY, "k1")

    @property
    def address(self) -> str:
        return f"http://localhost:{self.server_address[1]}"

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def id_token(self, code: str) -> str:
        moment = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "sub": "1", "iat": moment, "exp": moment + 300}
        whole = {**claims, "nonce": self.nonces.pop(code), **self.user}
        return self.sign(whole)


class _Request(QuietRequest):
    def do_GET(self) -> None:  # noqa: N802 (the library's name)
        provider = self.server
        assert isinstance(provider, Provider)
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/authorize":
            code = f"code-{len(provider.nonces)}-{time.time_ns()}"
            provider.nonces[code] = query["nonce"]
            self.send_response(302)
            self.send_header(
                "Location", f"{query['redirect_uri']}?{urlencode({'code': code, 'state': query['state']})}"
            )
            self.end_headers()
        elif parts.path == "/keys":
            self.answer(public_key_set(KEY))
        else:
            self.answer(provider.metadata())

    def do_POST(self) -> None:  # noqa: N802 (the library's name)
        provider = self.server
        assert isinstance(provider, Provider)
        body = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        token = provider.id_token(body["code"][0])
        self.answer({"access_token": "a", "token_type": "Bearer", "expires_in": 300, "id_token": token})

    def answer(self, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with running(Provider()) as new_provider:
        yield new_provider


@pytest.fixture
def signing_in(home: Path, migrated: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that knows the provider."""
    shutil.copy(migrated, home / "fabula.db")
    server = Server(home)
    secrets = home / "secrets.toml"
    secrets.write_text(
        f'[auth]\nredirect_uri = "{server.address}/oauth2callback"\n'
        f'cookie_secret = "{"a long and random secret " * 2}"\nclient_id = "{CLIENT}"\nclient_secret = "{SECRET}"\n'
        f'server_metadata_url = "{provider.address}/.well-known/openid-configuration"\n'
    )
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
    server.start()
    yield server
    server.stop()
    engine().dispose()


def sign_in(context: BrowserContext, server: Server) -> Page:
    page = context.new_page()
    page.goto(server.address)
    page.get_by_role("link", name="Sign in").click()
    page.wait_for_url(f"{server.address}/**")
    return page


def test_who_is_invited_by_email_signs_in_and_is_shut_out_once_revoked(
    signing_in: Server, provider: Provider, browser: Browser
) -> None:
    study = make_study()
    owner = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    visit(owner, signing_in.owner_link())
    visit(owner, f"{signing_in.address}/people")
    owner.get_by_text("Invite somebody who runs studies").click()
    settle(owner)
    owner.get_by_label("Name", exact=True).fill("Dr. Who")
    owner.get_by_label("E-mail address, if they sign in").fill("Who@Example.org")
    choose(owner.get_by_role("combobox", name="Studies that a researcher runs"), study.name)
    owner.keyboard.press("Escape")
    invite = owner.get_by_role("button", name="Invite", exact=True)
    still(invite)
    invite.click()
    expect(owner.get_by_text("Who@Example.org can sign in now")).to_be_visible()

    provider.user = {"email": "who@example.org", "email_verified": True, "name": "The Doctor"}
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    page = sign_in(context, signing_in)
    expect(page.get_by_test_id("stTopNavSection").filter(has_text="Study")).to_be_visible()
    expect(page.get_by_role("link", name="Sign out")).to_be_visible()
    assert page.get_by_test_id("stTopNavSection").filter(has_text="Server").count() == 0
    visit(page, f"{signing_in.address}/people")
    expect(page.get_by_text("This page is for owners")).to_be_visible()
    visit(page, f"{signing_in.address}/overview")
    expect(page.get_by_role("button", name="Close for annotation", exact=True)).to_be_visible()

    # Revoked on the page of the owner, after a question.
    visit(owner, f"{signing_in.address}/people")
    choose(owner.get_by_role("combobox", name="Choose somebody"), "Dr. Who", exact=False)
    owner.get_by_role("button", name="Revoke").click()
    owner.get_by_role("button", name="Yes, revoke it").click()
    expect(owner.get_by_text("The link is revoked.")).to_be_visible()
    # What was open still stands there, and does nothing any more.
    page.get_by_role("button", name="Close for annotation", exact=True).click()
    page.wait_for_timeout(1_000)
    assert studies.get(study.id).state == "open"
    page.reload()
    expect(page.get_by_role("heading", name="Nobody has invited this address")).to_be_visible()
    expect(page.get_by_text("who@example.org", exact=True)).to_be_visible()
    page.get_by_role("link", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert "Traceback" not in signing_in.log()


UNVERIFIED = "does not say that your e-mail address is verified"
STRANGERS: list[tuple[dict[str, Any], str]] = [
    ({"email": "stranger@example.org", "email_verified": True}, "but nobody has invited this address here"),
    ({"email": "who@example.org", "email_verified": False}, UNVERIFIED),
    ({"email": "who@example.org"}, UNVERIFIED),
    ({"name": "No Address"}, UNVERIFIED),
]


def test_nobody_else_comes_in(signing_in: Server, provider: Provider, browser: Browser) -> None:
    people.invite(TERMINAL, Role.OWNER, email="who@example.org")
    for claims, says in STRANGERS:
        provider.user = claims
        context = browser.new_context()
        page = sign_in(context, signing_in)
        expect(page.get_by_text(says)).to_be_visible()
        page.goto(f"{signing_in.address}/people")
        expect(page.get_by_text(says)).to_be_visible()
        context.close()


def test_who_has_signed_in_is_asked_before_a_link_makes_them_another_and_comes_back(
    signing_in: Server, provider: Provider, browser: Browser
) -> None:
    study = make_study()
    people.invite(TERMINAL, Role.RESEARCHER, name="Dr. Who", email="who@example.org")
    provider.user = {"email": "who@example.org", "email_verified": True}
    page = sign_in(browser.new_context(), signing_in)
    expect(page.get_by_test_id("stTopNavSection").filter(has_text="Study")).to_be_visible()
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="Ann", study_id=study.id)
    page.goto(f"{signing_in.address}/enter/{token}")
    expect(page.get_by_text("In this browser you are Dr. Who, who runs studies.")).to_be_visible()
    page.get_by_role("link", name="Go on as Dr. Who").click()
    expect(page.get_by_test_id("stTopNavSection").filter(has_text="Study")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Go on as Ann").click()
    expect(page.get_by_text("From now on you are here as Ann")).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    page.get_by_role("link", name="Leave it").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_test_id("stTopNavSection").filter(has_text="Study")).to_be_visible()
    assert page.get_by_role("link", name="Leave it").count() == 0


def test_a_made_up_cookie_is_nobody(signing_in: Server, browser: Browser) -> None:
    people.invite(TERMINAL, Role.OWNER, email="who@example.org")
    claims = {"email": "who@example.org", "email_verified": True, "is_logged_in": True}
    forged = signed(claims, OctKey.import_key("x" * 40), None, "HS256")
    context = browser.new_context()
    context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": signing_in.address}])
    page = context.new_page()
    page.goto(signing_in.address)
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_text("Open the personal link that you were given")).to_be_visible()


def forged_by(claims: dict[str, Any] | None = None, **how: Any) -> Callable[[dict[str, Any]], str]:
    """A provider's signature of other claims, or by another key or algorithm."""
    way = {"key": KEY, "key_id": "k1", **how}
    return lambda whole: signed({**whole, **(claims or {})}, **way)


FORGED = {
    "another key of the same name": forged_by(key=signing_key("k1")),
    "a key of no name": forged_by(key=signing_key("k1"), key_id=None),
    "no signature": lambda claims: unsigned({"alg": "none"}, claims),
    "a signature cut off": lambda claims: unsigned({"alg": "RS256", "kid": "k1"}, claims),
    "the public key as a secret": lambda claims: signed_with_a_secret(claims, KEY.as_pem(private=False)),
    "the client's secret": lambda claims: signed_with_a_secret(claims, SECRET.encode()),
    "for another client": forged_by({"aud": "another"}),
    "of another issuer": forged_by({"iss": "https://evil.example.org"}),
    "expired": forged_by({"exp": 1_000_000_000, "iat": 999_999_000}),
    "of another sign-in": forged_by({"nonce": "another"}),
    "without a nonce": lambda claims: signed({k: v for k, v in claims.items() if k != "nonce"}, KEY, "k1"),
    "no token": lambda _: "<script>alert(1)</script>",
}


def signed_in(client: httpx2.Client, server: Server) -> bool:
    """Whether this browser has become somebody, by its cookie or by what it is shown."""
    page = client.get(server.address)
    return any(name.startswith("_streamlit_user") for name in client.cookies) or "Sign in" not in page.text


def test_a_forged_token_lets_nobody_in(signing_in: Server, provider: Provider) -> None:
    people.invite(TERMINAL, Role.OWNER, email="who@example.org")
    provider.user = {"email": "who@example.org", "email_verified": True}
    genuine = provider.sign
    let_in = []
    for name, sign in {**FORGED, "genuine": genuine}.items():
        provider.sign = sign
        with httpx2.Client(follow_redirects=True, verify=False) as client:
            client.get(f"{signing_in.address}/sign-in")
            if signed_in(client, signing_in):
                let_in.append(name)
    assert let_in == ["genuine"]
    assert "evil.example.org" not in signing_in.log()


def test_an_answer_that_nobody_asked_for_or_that_was_used_lets_nobody_in(
    signing_in: Server, provider: Provider
) -> None:
    people.invite(TERMINAL, Role.OWNER, email="who@example.org")
    provider.user = {"email": "who@example.org", "email_verified": True}
    with httpx2.Client(base_url=signing_in.address, verify=False) as owner:
        asked = owner.get("/sign-in")
        while not asked.headers["location"].startswith(provider.address):
            asked = owner.get(asked.headers["location"])
        back = owner.get(asked.headers["location"]).headers["location"]
        assert urlsplit(back).path == "/oauth2callback"
        # Into another browser, as somebody does who wants a victim to work under a name that is not theirs; and with
        # what nobody has given out.
        for address in (back, back.replace("state=", "state=x"), f"{signing_in.address}/oauth2callback?code=1", back):
            with httpx2.Client(follow_redirects=True, verify=False) as victim:
                victim.get(address)
                assert not signed_in(victim, signing_in)
        owner.get(back, follow_redirects=True)
        assert signed_in(owner, signing_in)
        with httpx2.Client(follow_redirects=True, verify=False) as thief:  # who has read the address in a log
            thief.get(back)
            assert not signed_in(thief, signing_in)
    assert "Traceback" not in signing_in.log()
