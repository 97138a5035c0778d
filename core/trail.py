"""A study's log in readable form."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

WORDS = {
    "answer saved": "Answer saved",
    "appeal": "Note on a rejection",
    "bonus set": "Bonus set",
    "bonuses begun": "Prolific asked to pay bonuses",
    "bonuses not paid": "Bonuses not paid by Prolific",
    "bonuses paid": "Bonuses paid by Prolific",
    "checkpoint added": "Trained metric added",
    "checkpoint deleted": "Trained metric deleted",
    "checkpoint renamed": "Trained metric renamed",
    "perception scores added": "Perception Scores added",
    "perception scores deleted": "Perception Scores deleted",
    "closing answered": "Question at the end answered",
    "completed": "Came to the end",
    "consent answered": "Consent answered",
    "contradiction asked": "Asked about ratings far from their deductions",
    "ends changed": "Consent text or codes changed",
    "drafted on Prolific": "Study drafted on Prolific",
    "erased": "A person's data erased",
    "form changed": "Form changed",
    "import taken back": "Import taken back",
    "imported": "Stories or ratings imported",
    "invited": "Link made",
    "job queued": "Run started",
    "joined": "Came from the platform",
    "judge template saved": "Template of a judge saved",
    "let go on": "Pause ended by hand",
    "link renewed": "New link made, the old one ended",
    "panel claimed": "Panel begun",
    "panel submitted": "Panel handed in",
    "panels judged again": "Panels judged again",
    "pause lifted": "Pause ended by rule",
    "paused by rule": "Paused by rule",
    "pay set": "Pay of a panel set",
    "payment set": "Payment of a panel decided",
    "payments made": "Everything due marked as paid",
    "places changed on Prolific": "Number of places changed on Prolific",
    "published on Prolific": "Study published on Prolific",
    "qualification set": "May take part: decided",
    "recruitment changed": "Crowd platform changed",
    "returned after the end": "Came back after the end",
    "revoked": "Link revoked",
    "session ended": "Signed out by an owner",
    "report link ended": "Link to a report ended",
    "report shared": "Link to a report made",
    "rules changed": "Quality rules changed",
    "scores deleted": "Scores deleted",
    "scores imported": "Scores imported",
    "retention set": "Retention period set",
    "selection deleted": "Selection of stories deleted",
    "selection saved": "Selection of stories saved",
    "story note saved": "Note on a story saved",
    "study archived": "Study archived",
    "study brought back": "Study brought back from the archive",
    "study closed": "Study closed",
    "study created": "Study made",
    "study deleted": "Study deleted",
    "study erased": "Study deleted for good",
    "study given": "Given to a researcher",
    "study opened": "Study opened",
    "study renamed": "Study renamed",
    "study restored": "Deletion undone",
    "study taken back": "Taken back from a researcher",
    "submission approved": "Submission approved on Prolific",
    "submission rejected": "Submission rejected on Prolific",
    "submission returned": "Submission returned, or out of time, on Prolific",
    "surplus counted": "Surplus counted",
    "test case struck out": "Case of a test set struck out",
    "test case taken in again": "Case of a test set taken in again",
    "test set added": "Test set made",
    "test set deleted": "Test set deleted",
    "texts may be sent": "Agreed that texts are sent to a judge",
    "texts may be sent no more": "That texts are sent to a judge: withdrawn",
    "training answered": "Practice answered",
    "training begun anew": "Practice begun anew",
    "training changed": "Practice changed",
    "verdict overridden": "Verdict changed by hand",
}
"""Kinds of entries in plain words; a kind without any is shown as it is."""
LONGEST = 300


@dataclass(frozen=True)
class Entry:
    """One entry of the log. `at` in UTC; `who` "" for what Fabula did by itself."""

    id: int
    at: datetime
    kind: str
    person_id: int | None
    who: str
    detail: Mapping[str, Any]

    @property
    def words(self) -> str:
        """What it is, in plain words."""
        return in_words(self.kind)

    @property
    def particulars(self) -> str:
        """The rest as text, cut where it is long: the export has all of it."""
        text = ", ".join(f"{_named(name)}: {_plain(value)}" for name, value in self.detail.items())
        return text if len(text) <= LONGEST else f"{text[:LONGEST]} …"


def in_words(kind: str) -> str:
    """A kind of entry in plain words."""
    return WORDS.get(kind, kind.capitalize())


def _named(key: str) -> str:
    return "number" if key == "assignment" else key.replace("_", " ")


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """JSONL, one entry per line."""
    for entry in entries:
        record = {
            "id": entry.id,
            "at": entry.at.isoformat(),
            "kind": entry.kind,
            "person": entry.person_id,
            "who": entry.who,
            "detail": dict(entry.detail),
        }
        yield json.dumps(record, ensure_ascii=False) + "\n"
