"""Sessions: the browsers that somebody was let in by, and how long each is kept."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from core.people import Person

COOKIE = "fabula_session"
"""The cookie that holds a session's key, which only this browser and nobody's link has."""
SESSION_HEADER = "x-fabula-session"
"""The header by which the admission layer tells the pages a session's number; what visitors send by it is dropped."""
KEPT = timedelta(days=90)
"""How long a session lives after its browser was last seen."""
MOST = 20
"""Live sessions of a person: one more ends the one that was seen longest ago."""


class OpenedBy(StrEnum):
    """How the browser was let in."""

    LINK = "link"
    PLATFORM = "platform"
    SIGN_IN = "sign-in"


@dataclass(frozen=True)
class Visit:
    """A person in one of their browsers: the session by which they are known, and who they are."""

    session_id: int
    person: Person
    opened_by: OpenedBy


@dataclass(frozen=True)
class LiveSession:
    """A session as owners see it. `who`: the person, as pages call them. Times in UTC."""

    id: int
    person_id: int
    who: str
    role: str
    opened_by: OpenedBy
    browser: str
    began_at: datetime
    seen_at: datetime


_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser_of(user_agent: str) -> str:
    """What a browser calls itself, in two words that its owner knows it again by: "Firefox on Android"."""
    name = next((shown for sign, shown in _BROWSERS if re.search(rf"\b{sign}\w*/", user_agent)), "")
    system = next((shown for sign, shown in _SYSTEMS if sign in user_agent), "")
    return " on ".join(filter(None, (name or "A browser", system)))
