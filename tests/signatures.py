"""JWTs as a platform or a provider signs them, with keys of the tests' own."""

import base64
import hmac
import json
from typing import Any

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey


def signing_key(key_id: str) -> RSAKey:
    """A new key pair of this id."""
    return RSAKey.generate_key(2048, {"kid": key_id, "alg": "RS256", "use": "sig"})


def signed(claims: dict[str, Any], key: RSAKey | OctKey, key_id: str | None, algorithm: str = "RS256") -> str:
    """A token whose header names the key by this id, if any."""
    header = {"alg": algorithm, "kid": key_id} if key_id else {"alg": algorithm}
    return jwt.encode(header, claims, key, algorithms=[algorithm])


def unsigned(header: Any, payload: dict[str, Any], signature: str = "") -> str:
    """A token with a header of any kind, and a signature that nobody made."""
    parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in (header, payload)]
    return ".".join([*parts, signature])


def signed_with_a_secret(claims: dict[str, Any], secret: bytes) -> str:
    """A token by HS256, of any secret: a careless server takes a public key for one."""
    start = unsigned({"alg": "HS256", "kid": "k1"}, claims).rstrip(".")
    signature = hmac.digest(secret, start.encode(), "sha256")
    return f"{start}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def public_key_set(*keys: RSAKey) -> dict[str, Any]:
    """What a platform publishes at the address of its keys."""
    return {"keys": [key.as_dict(private=False) for key in keys]}
