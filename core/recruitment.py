"""Crowd platforms that a study's annotators come from: the ids that they send, and the way back to them."""

import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from ipaddress import ip_address
from typing import Any
from urllib.parse import quote, urlsplit

from core.errors import InputError

PROLIFIC = "prolific"
MTURK = "mturk"
PLATFORMS = {"": "Personal links only", PROLIFIC: "Prolific", MTURK: "MTurk"}
"""Key of a platform -> its name. Personal links work beside any of them."""
PROLIFIC_KEYS = "https://api.prolific.com/.well-known/study/jwks.json"
PROLIFIC_COMPLETION = "https://app.prolific.com/submissions/complete"
PROLIFIC_IDS = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
"""The query parameters, and the names within a signed address's `prolific` claim (docs.prolific.com)."""
SHORTEST_REASON = 100
"""Characters of the message that Prolific wants with a rejection, at least."""
REJECTIONS = {
    "TOO_QUICKLY": "Too quickly",
    "TOO_SLOWLY": "Too slowly",
    "FAILED_INSTRUCTIONS": "Did not follow the instructions",
    "INCOMP_LONGITUDINAL": "Missed a part of a study in parts",
    "FAILED_CHECK": "Failed a fair check of attention",
    "LOW_EFFORT": "Little effort",
    "MALINGERING": "Gave false answers on purpose",
    "NO_CODE": "No completion code",
    "BAD_CODE": "A wrong completion code",
    "NO_DATA": "No data",
    "UNSUPP_DEVICE": "A device that the study does not support",
    "OTHER": "Something else",
}
"""Prolific's categories of rejection -> what each means (docs.prolific.com, "Approve or reject a submission")."""
_PROLIFIC_ID = re.compile(r"[0-9a-fA-F]{24}")
_WORKER_ID = re.compile(r"A[A-Z0-9]{9,24}")
_ASSIGNMENT_ID = re.compile(r"[A-Z0-9]{10,60}")
_HOST = re.compile(r"[A-Za-z0-9.-]+(:\d{1,5})?")
NO_ASSIGNMENT = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What MTurk sends while somebody only looks at a HIT without having accepted it."""


@dataclass(frozen=True)
class Recruitment:
    """A study's settings for a crowd platform.

    `secured`: whether only addresses that Prolific has signed are taken; then `audience` is this server's domain, with
    its port unless it is the usual one, which the signature has to name. `keys_address` is Prolific's own, or another
    that whoever runs the server allows (`allowed_key_sets`). `draft`: the id of the study that Fabula has drafted on
    Prolific, "" for none; it is no secret.
    """

    platform: str = ""
    secured: bool = True
    audience: str = ""
    keys_address: str = PROLIFIC_KEYS
    completion_address: str = PROLIFIC_COMPLETION
    draft: str = ""

    @property
    def signed(self) -> bool:
        """Whether nobody can make up who they are: MTurk signs nothing."""
        return self.platform == PROLIFIC and self.secured

    def check(self) -> None:
        """Raise InputError naming the setting that cannot be used."""
        if self.platform not in PLATFORMS:
            raise InputError(f"There is no platform {self.platform!r}; choose prolific, mturk or none.")
        _check_address("completion page", self.completion_address)
        if self.keys_address not in allowed_key_sets():
            raise InputError(
                f"Signatures are checked with the keys at {PROLIFIC_KEYS}; whoever runs this server can allow another "
                "address in FABULA_KEY_SETS."
            )
        if self.platform == PROLIFIC and self.secured and not domain(self.audience):
            raise InputError(
                "Signed addresses need the domain that this server is reached at, such as rate.example.org."
            )

    def category_for(self, reason: str, category: str) -> str:
        """The category to keep with the reason for which pay is withheld: one of Prolific's on Prolific, else "".

        Raises InputError where Prolific would refuse the rejection.
        """
        if self.platform != PROLIFIC:
            return ""
        if category not in REJECTIONS:
            raise InputError("Prolific wants a category with every rejection; choose one.")
        if len(reason) < SHORTEST_REASON:
            raise InputError(
                f"Prolific sends the reason to the participant and wants {SHORTEST_REASON} characters or more; "
                f"these are {len(reason)}."
            )
        return category

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as the database keeps them."""
        return asdict(self)

    def completion_link(self, code: str) -> str:
        """The address that takes somebody back to Prolific with this completion code."""
        joint = "&" if "?" in self.completion_address else "?"
        return f"{self.completion_address}{joint}cc={quote(code, safe='')}"

    def entry(self, address: str, join_token: str) -> str:
        """What is pasted into the platform as the study's address; `address` is where this server is reached."""
        joined = f"{address}/join/{join_token}"
        if self.platform != PROLIFIC:
            return joined
        return joined + "?" + "&".join(f"{name}={{{{%{name}%}}}}" for name in PROLIFIC_IDS)


def recruitment_from(stored: Mapping[str, Any]) -> Recruitment:
    """Settings as the database keeps them; what is missing is as usual."""
    known = {field.name for field in fields(Recruitment)}
    return Recruitment(**{name: value for name, value in stored.items() if name in known})


def allowed_key_sets() -> tuple[str, ...]:
    """The addresses that this server fetches public keys from: Prolific's, and those in `FABULA_KEY_SETS`, separated by
    spaces. A study chooses among them, so that nobody who runs studies can send the server to an address of theirs.

    Raises InputError for one that is not https; on this machine itself, for trying things out, http will do.
    """
    named = os.environ.get("FABULA_KEY_SETS", "").split()
    for address in named:
        parts = urlsplit(address)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_local(address)):
            raise InputError(f"FABULA_KEY_SETS holds {address}, which does not begin with https://.")
    return (PROLIFIC_KEYS, *named)


def _check_address(name: str, address: str) -> None:
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or len(address) > 500 or any(sign.isspace() or not sign.isprintable() for sign in address):
        raise InputError(f"The address of the {name} begins with https:// and a host, such as {PROLIFIC_COMPLETION}.")


def domain(text: str) -> str:
    """The host of an address or of a bare domain, in small letters, its port kept unless it is the usual one; "" for
    anything else.
    """
    scheme, separator, rest = text.strip().partition("://")
    host = re.split(r"[/?#]", rest if separator else scheme, maxsplit=1)[0].lower()
    if not _HOST.fullmatch(host) or (separator and scheme.lower() not in ("http", "https")):
        return ""
    return host.removesuffix(":80" if separator and scheme.lower() == "http" else ":443")


def is_local(address: str) -> bool:
    """Whether an address such as http://localhost:8501 leads nowhere but to the machine it is opened on."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        result = ip_address(host)
    except ValueError:
        return False
    return result.is_loopback or result.is_unspecified


def prolific_id(name: str, value: object) -> str:
    """One of Prolific's ids, 24 hexadecimal characters; raises InputError naming the parameter, never its value."""
    if not value:
        raise InputError(f"The address lacks {name}; open the study from Prolific, by its own link.")
    if not isinstance(value, str) or not _PROLIFIC_ID.fullmatch(value):
        raise InputError(f"{name} is not an id of Prolific's, which has 24 letters a to f and digits.")
    return value.lower()


def worker_id(value: str) -> str:
    """A worker's id on MTurk: an A, then 9 to 24 capital letters and digits; raises InputError."""
    cleaned = value.strip().upper()
    if not _WORKER_ID.fullmatch(cleaned):
        raise InputError(
            "This is not a worker ID: it begins with A and has letters and digits only. It stands on your dashboard."
        )
    return cleaned


def assignment_id(value: str) -> str:
    """MTurk's id of an assignment, "" if none was sent; raises InputError."""
    if value == NO_ASSIGNMENT:
        raise InputError("You are only looking at this HIT; accept it first, then open the link again.")
    if value and not _ASSIGNMENT_ID.fullmatch(value):
        raise InputError("The assignmentId in the address is not one of MTurk's; open the link in the HIT again.")
    return value
