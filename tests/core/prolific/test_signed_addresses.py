"""Signed addresses, by real keys: what is taken, and everything that is not."""

import base64
import json
import time
from typing import Any

import pytest
from joserfc import jws
from joserfc.jwk import OctKey, RSAKey

from core.errors import NotAllowed
from core.prolific.signed_addresses import signed_ids
from tests.signatures import signed, signing_key, unsigned

PERSON, STUDY, SUBMISSION = "5f" * 12, "60" * 12, "61" * 12
KEY = signing_key("one")
OTHER = signing_key("one")
ANY_HEADER = jws.JWSRegistry(algorithms=["RS256"], strict_check_header=False)
PUBLIC = KEY.as_pem(private=False)


def claims(**changed: Any) -> dict[str, Any]:
    """What Prolific puts into a token; None leaves a claim out."""
    whole = {
        "iss": "https://www.prolific.com",
        "sub": SUBMISSION,
        "aud": "rate.example.org",
        "iat": int(time.time()),
        "exp": int(time.time()) + 86_400,  # made when tests are collected, long before some of them run
        "prolific": {"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY, "SESSION_ID": SUBMISSION, "workspace_id": "62" * 12},
        **changed,
    }
    return {name: value for name, value in whole.items() if value is not None}


def token(*, key: Any = KEY, algorithm: str = "RS256", kid: str | None = "one", **changed: Any) -> str:
    return signed(claims(**changed), key, kid, algorithm)


def key_of(kid: str) -> RSAKey:
    if kid != "one":
        raise NotAllowed("no such key")
    return RSAKey.import_key(KEY.as_dict(private=False))


def read(given: str) -> tuple[str, str, str]:
    return signed_ids(given, "rate.example.org", key_of)


@pytest.mark.parametrize(
    "audience", ["rate.example.org", "https://rate.example.org/join/abc?x=1", ["other.org", "https://rate.example.org"]]
)
def test_a_good_token_says_who_comes(audience: Any) -> None:
    assert read(token(aud=audience)) == (PERSON, STUDY, SUBMISSION)


def test_a_clock_that_is_ahead_and_a_header_of_somebody_elses_do_not_matter() -> None:
    assert read(token(iat=int(time.time()) + 60)) == (PERSON, STUDY, SUBMISSION)
    header = {"alg": "RS256", "kid": "one", "region": "eu" * 400}
    whole = jws.serialize_compact(header, json.dumps(claims()), KEY, registry=ANY_HEADER)
    assert read(whole) == (PERSON, STUDY, SUBMISSION)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (unsigned({"alg": "none", "kid": "one"}, claims()), "not signed as Prolific signs"),
        (unsigned({"alg": "RS256", "kid": "one"}, claims()), "not valid"),
        (token(key=OctKey.import_key("x" * 64), algorithm="HS256"), "not signed as Prolific signs"),
        (token(key=OTHER), "not valid"),
        (token(exp=int(time.time()) - 10), "expired"),
        (token(exp=None), "lacks the claim exp"),
        (token(exp="soon"), "not valid"),
        (token(aud=None), "lacks the claim aud"),
        (token(aud="evil.org"), "another site"),
        (token(aud="rate.example.org.evil.org"), "another site"),
        (token(aud=[]), "another site"),
        (token(aud="ftp://rate.example.org"), "another site"),
        (token(kid=None), "names no key"),
        (token(kid="two"), "no such key"),
        (token(prolific=None), "does not say who"),
        (token(prolific="5f"), "does not say who"),
        (token(prolific={"PROLIFIC_PID": PERSON, "STUDY_ID": STUDY}), "does not say who"),
        ("", "not valid"),
        ("a.b.c", "not valid"),
        (unsigned(["alg", "b64"], claims()), "not valid"),
        (unsigned("alg", claims()), "not valid"),
        (unsigned({"alg": "RS256", "kid": "one", "crit": 5}, claims()), "not valid"),
        (base64.urlsafe_b64encode(b"[" * 3_000).decode() + ".b.c", "not valid"),
        ("\ud800.b.c", "not valid"),
        ("x" * 10_000, "not valid"),
        (token()[:-8], "not valid"),
    ],
)
def test_any_other_is_refused_in_one_sentence(given: str, says: str) -> None:
    with pytest.raises(NotAllowed, match=says) as caught:
        read(given)
    assert "\n" not in str(caught.value)


def test_the_public_key_is_no_shared_secret() -> None:
    """The old trick: HS256 with the public key as its secret, which everybody has."""
    header = base64.urlsafe_b64encode(json.dumps({"alg": "HS256", "kid": "one", "typ": "JWT"}).encode()).rstrip(b"=")
    body = base64.urlsafe_b64encode(json.dumps(claims()).encode()).rstrip(b"=")
    import hashlib
    import hmac

    signature = hmac.new(PUBLIC, header + b"." + body, hashlib.sha256).digest()
    forged = b".".join([header, body, base64.urlsafe_b64encode(signature).rstrip(b"=")]).decode()
    with pytest.raises(NotAllowed, match="not signed as Prolific signs"):
        read(forged)


def test_without_a_domain_of_our_own_nobody_comes_in() -> None:
    with pytest.raises(NotAllowed, match="another site"):
        signed_ids(token(aud=""), "", key_of)
