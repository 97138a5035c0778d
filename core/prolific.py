"""Addresses that Prolific signed: a JWT says who comes, for which submission, and to which domain."""

from collections.abc import Callable
from typing import Any

import jwt

from core.errors import NotAllowed
from core.recruitment import PROLIFIC_IDS, domain, prolific_id

TOKEN = "prolific_token"
"""The query parameter that carries the JWT."""
LONGEST_TOKEN = 8_000
_AGAIN = "; open the study from Prolific again."


def signed_ids(token: str, audience: str, key_of: Callable[[str], jwt.PyJWK]) -> tuple[str, str, str]:
    """Participant, study and submission that a JWT vouches for; `key_of` gives the public key of a key id.

    Only RS256 is taken, whatever the token itself names; `exp` and `aud` are required, and `aud` names our domain,
    alone or as an address. Raises NotAllowed saying in one sentence what is wrong, and what `key_of` raises.
    """
    try:
        if len(token) > LONGEST_TOKEN:
            raise jwt.DecodeError
        header = jwt.get_unverified_header(token)
        kid = header.get("kid")
        if header.get("alg") != "RS256":
            raise NotAllowed(f"The address is not signed as Prolific signs (RS256){_AGAIN}")
        if not isinstance(kid, str) or not kid:
            raise NotAllowed(f"The address's signature names no key{_AGAIN}")
        claims = jwt.decode(
            token,
            key_of(kid),
            algorithms=["RS256"],
            # The audience is compared below: it comes as a domain or as an address.
            options={"require": ["exp", "aud"], "verify_aud": False, "verify_iat": False},
        )
    except jwt.ExpiredSignatureError:
        raise NotAllowed(f"The address has expired{_AGAIN}") from None
    except jwt.MissingRequiredClaimError as error:
        raise NotAllowed(f"The address's signature lacks the claim {error.claim}{_AGAIN}") from None
    except jwt.InvalidTokenError:
        raise NotAllowed(f"The address's signature is not valid{_AGAIN}") from None
    _check_audience(claims["aud"], audience)
    return _ids(claims.get("prolific"))


def _check_audience(named: Any, audience: str) -> None:
    values = named if isinstance(named, list) else [named]
    if not domain(audience) or domain(audience) not in {domain(value) for value in values if isinstance(value, str)}:
        raise NotAllowed(f"The address was signed for another site than this one{_AGAIN}")


def _ids(payload: Any) -> tuple[str, str, str]:
    if not isinstance(payload, dict) or any(not payload.get(name) for name in PROLIFIC_IDS):
        raise NotAllowed(f"The address's signature does not say who you are{_AGAIN}")
    person, study, submission = (prolific_id(name, payload[name]) for name in PROLIFIC_IDS)
    return person, study, submission
