"""Addresses that Prolific signed: a JWT names the participant, the submission and the domain it is meant for."""

from collections.abc import Callable
from typing import Any

from joserfc import jws, jwt
from joserfc.errors import ExpiredTokenError, JoseError, MissingClaimError
from joserfc.jwk import RSAKey

from core.errors import NotAllowed
from core.recruitment import PROLIFIC_IDS, domain, prolific_id

TOKEN = "prolific_token"
"""The query parameter that carries the JWT."""
LONGEST_TOKEN = 8_000
_AGAIN = "; open the study from Prolific again."
_ALGORITHM = "RS256"
_INVALID = (JoseError, TypeError, ValueError, RecursionError)
"""What the library raises for a token that is none, or whose header is no object or nested deeper than Python reads."""
_REGISTRY = jws.JWSRegistry(algorithms=[_ALGORITHM], strict_check_header=False)
"""The one algorithm, whatever a token names. Header parameters that nobody knows are ignored (RFC 7515, 4)."""
_REGISTRY.max_header_length = LONGEST_TOKEN
# The audience is compared below: it comes as a domain or as an address.
_CLAIMS = jwt.JWTClaimsRegistry(exp={"essential": True}, aud={"essential": True, "allow_blank": True})


def signed_ids(token: str, audience: str, key_of: Callable[[str], RSAKey]) -> tuple[str, str, str]:
    """Participant, study and submission that a JWT vouches for; `key_of` gives the public key of a key id.

    Only RS256 is taken, whatever the token itself names; `exp` and `aud` are required, and `aud` names our domain,
    alone or as an address. Raises NotAllowed saying in one sentence what is wrong, and what `key_of` raises.
    """
    claims = _claims(token, key_of(_key_id(token)))
    _check_audience(claims["aud"], audience)
    return _ids(claims.get("prolific"))


def _invalid() -> NotAllowed:
    return NotAllowed(f"The address's signature is not valid{_AGAIN}")


def _key_id(token: str) -> str:
    """The id of the key that a token names; nothing is verified yet."""
    if len(token) > LONGEST_TOKEN:
        raise _invalid()
    try:
        header = jws.extract_compact(token.encode(), registry=_REGISTRY).headers()
    except _INVALID:
        raise _invalid() from None
    if not isinstance(header, dict):
        raise _invalid()
    if header.get("alg") != _ALGORITHM:
        raise NotAllowed(f"The address is not signed as Prolific signs ({_ALGORITHM}){_AGAIN}")
    key_id = header.get("kid")
    if not isinstance(key_id, str) or not key_id:
        raise NotAllowed(f"The address's signature names no key{_AGAIN}")
    return key_id


def _claims(token: str, key: RSAKey) -> dict[str, Any]:
    """The claims of a token that this key has signed and that has not expired."""
    try:
        claims = jwt.decode(token, key, registry=_REGISTRY).claims
        # Prolific's clock may be ahead of ours: when the token was issued does not matter.
        _CLAIMS.validate({name: value for name, value in claims.items() if name != "iat"})
    except ExpiredTokenError:
        raise NotAllowed(f"The address has expired{_AGAIN}") from None
    except MissingClaimError as error:
        missing = error.claim.replace(",", " and ")
        raise NotAllowed(f"The address's signature lacks the claim {missing}{_AGAIN}") from None
    except _INVALID:
        raise _invalid() from None
    return claims


def _check_audience(named: Any, audience: str) -> None:
    values = named if isinstance(named, list) else [named]
    if not domain(audience) or domain(audience) not in {domain(value) for value in values if isinstance(value, str)}:
        raise NotAllowed(f"The address was signed for another site than this one{_AGAIN}")


def _ids(payload: Any) -> tuple[str, str, str]:
    if not isinstance(payload, dict) or any(not payload.get(name) for name in PROLIFIC_IDS):
        raise NotAllowed(f"The address's signature does not say who you are{_AGAIN}")
    person, study, submission = (prolific_id(name, payload[name]) for name in PROLIFIC_IDS)
    return person, study, submission
