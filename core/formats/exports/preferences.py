"""Tables of preferences: which of two stories of a prompt was chosen, a row a judgment, read and written.

Two shapes are common: `prompt, chosen, rejected`, as preference optimisation takes it, and `prompt, a, b, winner`.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from core.annotation.criterion import PREFERENCE
from core.annotation.scheme import STRONGEST
from core.errors import InputError
from core.formats.columns import plain
from core.formats.exports.chosen_rows import STATUS, OtherRows, rejected_rows
from core.formats.exports.decoding import Sheet, names_of, sheet_of
from core.formats.exports.restored import Restored, RestoredRating, panel_of, rating_of
from core.formats.tables import EVERY_ROW, RowFilter, prompt_key_of
from core.stories import Source, StoryRecord, source_called
from core.text_files import LONGEST_KEY, check_text, empty_notice

FIELDS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "opening", "context", "premise", "question", "instruction"),
    "prompt_id": ("prompt_id", "opening_id", "context_id"),
    "chosen": ("chosen", "chosen_story", "preferred", "story_chosen", "winner_text"),
    "rejected": ("rejected", "rejected_story", "story_rejected", "loser_text"),
    "a": ("a", "story_a", "text_a", "response_a", "output_a", "first"),
    "b": ("b", "story_b", "text_b", "response_b", "output_b", "second"),
    "winner": (
        *("winner", "preference", "choice", "label", "better", "which_is_better", "which_one_is_better"),
        *("which_story_is_better", "which_is_the_better_story", "which_do_you_prefer", "which_story_do_you_prefer"),
        "preferred_story",
    ),
    "system_a": ("system_a", "model_a", "chosen_system", "system_chosen", "chosen_model"),
    "system_b": ("system_b", "model_b", "rejected_system", "system_rejected", "rejected_model"),
    "a_id": ("a_id", "id_a", "story_a_id", "story_id_a", "chosen_id"),
    "b_id": ("b_id", "id_b", "story_b_id", "story_id_b", "rejected_id"),
    "strength": ("strength", "how_much"),
    "annotator": (
        *("annotator", "rater", "worker_id", "annotator_id", "rater_id", "judge"),
        *("worker", "coder", "coder_id", "evaluator", "evaluator_id", "assessor", "assessor_id"),
        *("participant", "participant_id", "respondent", "respondent_id"),
        *("crowdworker", "crowdworker_id", "prolific_id", "prolific_pid", "user_id"),
    ),
    "comment": ("comment", "reason", "rationale", "why"),
}
"""Field -> the names its column is looked for under; capitals, blanks and signs do not matter.

A `margin` is no strength: it is in points of a scale, and a strength is one of the steps that are asked of a pair.
"""
WINNERS = {
    -1: {"a", "1", "first", "left", "modela", "systema", "storya", "chosen"},
    1: {"b", "2", "second", "right", "modelb", "systemb", "storyb", "rejected"},
    0: {"tie", "equal", "aboutequal", "same", "draw", "neither", "both", "tiebothbad", "bothbad", "0"},
}
"""How the winner is called, without capitals, blanks and signs; which side that is, 0 for none."""
LITERAL = {"a": -1, "b": 1, "tie": 0}
"""What an export calls it, whatever the systems are called."""
DEGREES = {1: "better", 2: "much better", 3: "far better"}
OPTIMISATION, TABLE = "chosen", "preferences"
"""The names of the two formats."""


def scale_up_to(strongest: int) -> tuple[tuple[int, str], ...]:
    """The answers about a pair whose choices have up to so many strengths."""
    first = [(-degree, f"A is {DEGREES[degree]}") for degree in range(strongest, 0, -1)]
    second = [(degree, f"B is {DEGREES[degree]}") for degree in range(1, strongest + 1)]
    return (*first, (0, "About equal"), *second)


def read_preferences(path: Path, mapping: Mapping[str, str] | None = None, where: RowFilter = EVERY_ROW) -> Restored:
    """Read a CSV, TSV, JSONL or Parquet file of preferences; raises InputError naming the cell that cannot be used.

    `mapping`: field (see `FIELDS`) -> column, for columns that are called otherwise; `where`: what columns must hold
    for a row to count. Instead of texts a file may have ids of stories that the study holds already. A prompt's
    judgments by one annotator become one panel; those of nobody known are of "rater 1", "rater 2", … of their pair.
    """
    mapping = mapping or {}
    names = names_of(path, None)  # a reason or a strength may be given late in the file for the first time
    fields = _fields(path, names, mapping)
    kinds = dict.fromkeys(FIELDS, "text") | {"strength": "number"}
    gathered = _Gathered(sheet_of(path, kinds, fields, names, where))
    others = OtherRows(where)
    for number, row in gathered.sheet.rows(others.add):
        gathered.add(number, row)
    if not gathered.ratings:
        raise InputError(f"{path.name} holds no preferences{others.having}{others.instead}.")
    rejected = 0 if where else rejected_rows(path, names)
    warned_of = [STATUS] if rejected else []
    return replace(gathered.restored(warned_of), left_out=others.left_out(), rejected=rejected)


def guessed(names: Sequence[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Field -> column, for the columns that are called like a field, but for those that are `taken`."""
    called = {plain(name): name for name in reversed(names) if name not in taken}
    found: dict[str, str] = {}
    for field, usual in FIELDS.items():
        column = next((called[plain(name)] for name in usual if plain(name) in called), None)
        if column is not None and column not in found.values():
            found[field] = column
    return found


def suffices(fields: Collection[str]) -> bool:
    """Whether these fields say which of two stories was chosen."""
    return {"chosen", "rejected"} <= set(fields) or (
        "winner" in fields and ({"a", "b"} <= set(fields) or {"a_id", "b_id"} <= set(fields))
    )


def _fields(path: Path, names: list[str], mapping: Mapping[str, str]) -> dict[str, str]:
    found = guessed(names, mapping.values())
    for field, column in mapping.items():
        if field not in FIELDS:
            raise InputError(f"There is no field {field!r} to map; there are {', '.join(FIELDS)}.")
        if column not in names:
            raise InputError(f"{path.name} has no column {column!r}; its columns are: {', '.join(names)[:300]}.")
        found[field] = column
    if not suffices(found):
        raise InputError(
            f"{path.name} has no columns chosen and rejected, and none of a, b and winner; say which they are. Its "
            f"columns are: {', '.join(names)[:300]}.",
            "Name them with --map a=COLUMN b=COLUMN winner=COLUMN.",
        )
    if not {"prompt", "prompt_id"} & found.keys() and not {"a_id", "b_id"} <= found.keys():
        raise InputError(
            f"{path.name} has no column 'prompt'; stories are compared that continue the same one. Say which it is. "
            f"Its columns are: {', '.join(names)[:300]}.",
            "Name it with --map prompt=COLUMN.",
        )
    left_out = ("a", "b", "winner") if {"chosen", "rejected"} <= found.keys() else ("chosen", "rejected")
    return {field: column for field, column in found.items() if field not in left_out}


@dataclass(frozen=True)
class _Side:
    """One of the two stories of a row: its id, and the text where the file has it."""

    key: str
    record: StoryRecord | None
    system: str


class _Gathered:
    """Panels, ratings and stories as rows arrive."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.optimisation = "chosen" in sheet.columns
        self.ratings: list[RestoredRating] = []
        self._stories: dict[str, StoryRecord] = {}
        self._panels: dict[tuple[str, str], int] = {}
        self._shown: dict[int, list[str]] = {}
        self._first: dict[int, tuple[int, dict[str, Any]]] = {}
        self._unnamed: Counter[frozenset[str]] = Counter()
        self._judged: set[tuple[int, frozenset[str]]] = set()
        self._prompts: dict[str, str] = {}

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Take a row in."""
        one, other = self._sides(number, row)
        if one.key == other.key:
            raise self.sheet.problem(number, self._column("b"), "a story is compared with itself.")
        if one.system and one.system == other.system:
            what = f"the system {one.system[:60]!r} is compared with itself; a pair is of two systems' stories."
            raise self.sheet.problem(number, "system_b", what)
        value = self._value(number, row, one, other)
        if (
            self.optimisation
            and hashlib.sha256(one.key.encode()).digest() > hashlib.sha256(other.key.encode()).digest()
        ):
            one, other, value = other, one, -value  # nobody knows which side was shown first: not always the chosen one
        pair = frozenset((one.key, other.key))
        annotator = (row.get("annotator") or "").strip()
        if not annotator:
            self._unnamed[pair] += 1
        rater = annotator or f"rater {self._unnamed[pair]}"
        if len(rater) > LONGEST_KEY:
            raise self.sheet.problem(number, "annotator", f"a name has at most {LONGEST_KEY} characters.")
        prompt = one.record.prompt_key if one.record is not None else row.get("prompt_id") or ""
        panel = self._panels.setdefault((prompt, rater), len(self._panels))
        if (panel, pair) in self._judged:
            what = f"{rater[:60]!r} judges the same two stories on an earlier {self.sheet.unit} too."
            raise self.sheet.problem(number, "annotator" if annotator else self._column("b"), what)
        self._judged.add((panel, pair))
        self._first.setdefault(panel, (number, {"prompt_id": prompt, "annotator": rater, "person": bool(annotator)}))
        shown = self._shown.setdefault(panel, [])
        shown += [one.key, other.key]
        values = {"story_id": one.key, "values": {PREFERENCE: float(-value)}, "comment": row.get("comment") or ""}
        self.ratings.append(
            rating_of(self.sheet, number, {**values, "pair": len(shown) // 2, "compared_with": other.key}, panel)
        )

    def _column(self, side: str) -> str:
        return {"a": "chosen", "b": "rejected"}[side] if self.optimisation else side

    def _sides(self, number: int, row: dict[str, Any]) -> tuple[_Side, _Side]:
        one, other = (self._side(number, row, side) for side in ("a", "b"))
        return one, other

    def _side(self, number: int, row: dict[str, Any], side: str) -> _Side:
        column = self._column(side)
        given, text = row.get(f"{side}_id") or "", row.get(column)
        system = (row.get(f"system_{side}") or "").strip()
        for what, name in (
            (f"{side}_id", given),
            (f"system_{side}", system),
            ("prompt_id", row.get("prompt_id") or ""),
        ):
            if len(name) > LONGEST_KEY:
                raise self.sheet.problem(number, what, f"an id or name has at most {LONGEST_KEY} characters.")
        if not (text or given):
            raise self.sheet.problem(number, column, "there is no story.")
        if not text:
            return _Side(given, None, system)
        opening = row.get("prompt")
        if not opening:
            raise self.sheet.problem(number, "prompt", "there is no prompt; give its text beside the stories'.")
        where = f"{self.sheet.path.name}, {self.sheet.unit} {number}"
        text, opening = check_text(text, where), check_text(opening, where)
        prompt = row.get("prompt_id") or prompt_key_of(opening)
        if self._prompts.setdefault(prompt, opening) != opening:
            raise self.sheet.problem(number, "prompt", f"the prompt {prompt[:60]!r} has another text further up.")
        content = "\0".join((prompt, system, text))
        key = given or f"story-{hashlib.sha256(content.encode()).hexdigest()[:12]}"
        source = Source.HUMAN if source_called(system) is Source.HUMAN else Source.SYSTEM
        record = StoryRecord(key, prompt, opening, text, source, "" if source is Source.HUMAN else system)
        if self._stories.setdefault(key, record) != record:
            what = f"the story {key[:60]!r} has another text, prompt or system further up."
            raise self.sheet.problem(number, f"{side}_id" if given else column, what)
        return _Side(key, record, system)

    def _value(self, number: int, row: dict[str, Any], one: _Side, other: _Side) -> int:
        """Which side is better, and how much: below 0 the first."""
        side = -1 if self.optimisation else self._winner(number, row, one, other)
        strength = row.get("strength")
        if strength is None or side == 0:
            return side
        if strength == 0 and not self.optimisation:
            what = f"a strength of 0 is for a tie, and the winner is {row['winner']!r}."
            raise self.sheet.problem(number, "strength", what)
        if strength != int(strength) or not 0 <= strength <= STRONGEST:
            what = f"a strength is a whole number from 1 to {STRONGEST}, or 0 for equal, not {strength:g}."
            raise self.sheet.problem(number, "strength", what)
        return side * int(strength)

    def _winner(self, number: int, row: dict[str, Any], one: _Side, other: _Side) -> int:
        said = (row.get("winner") or "").strip()
        if said in LITERAL:
            return LITERAL[said]
        if said and said in (one.system, one.key):
            return -1
        if said and said in (other.system, other.key):
            return 1
        for side, names in WINNERS.items():
            if plain(said) in names:
                return side
        raise self.sheet.problem(number, "winner", f"the winner is a, b or tie, or one of the two; not {said[:40]!r}.")

    def restored(self, warned_of: Collection[str]) -> Restored:
        """All that the file brings. `warned_of`: unused columns that a warning names."""
        panels = tuple(
            panel_of(self.sheet, number, first, stories=tuple(self._shown[panel]), asked="", person=first["person"])
            for panel, (number, first) in self._first.items()
        )
        strongest = int(max(abs(rating.values[PREFERENCE]) for rating in self.ratings))
        stories = tuple(self._stories.values())
        notices = empty_notice([story.text for story in stories])
        nameless = sum(not story.system and story.source is Source.SYSTEM for story in stories)
        if nameless:
            notices += (
                f"{nameless:,} stories name no system: metrics can be judged by these preferences, and systems cannot "
                "be ranked.",
            )
        notices += self.sheet.unused(warned_of)
        return Restored(
            sheet=self.sheet,
            manifest=None,
            scheme_key=TABLE,
            stories=stories,
            panels=panels,
            ratings=tuple(self.ratings),
            raters_identified=all(panel.person for panel in panels),
            notices=notices,
            scale=scale_up_to(strongest) if strongest > 1 else (),
            criteria=(PREFERENCE,),
        )


@dataclass(frozen=True)
class MeansCompared:
    """What a row rests on that is made from mean ratings.

    `margin`: by how many points of the scale the means differ, 0 or more; `ratings_a`, `ratings_b`: how many ratings
    either is the mean of.
    """

    margin: float
    ratings_a: int
    ratings_b: int


@dataclass(frozen=True)
class PreferenceRow:
    """One judgment as it is exported; `choice` as in `core.analysis.preferences.preferences`."""

    prompt_id: str
    prompt: str
    a_id: str
    b_id: str
    a: str
    b: str
    system_a: str
    system_b: str
    choice: int
    annotator: str
    comment: str = ""
    means: MeansCompared | None = None


@dataclass(frozen=True)
class PairsKept:
    """How many pairs a least margin keeps of those whose means differ, and how many have equal means."""

    kept: int
    differing: int
    ties: int


def check_margin(margin: float, lowest: int, highest: int) -> None:
    """Raise InputError for a least margin that no two means on a scale from `lowest` to `highest` can be apart."""
    widest = highest - lowest
    if not 0 <= margin <= widest:  # NaN is not either
        raise InputError(f"A least margin is from 0 to {widest} points, the width of the scale, not {margin:g}.")


def preference_files(rows: Iterable[PreferenceRow]) -> dict[str, str]:
    """A line of JSON a judgment, which `read_preferences` reads back equal."""
    lines = []
    for row in rows:
        entry: dict[str, Any] = {
            **{name: getattr(row, name) for name in ("prompt_id", "prompt", "a_id", "b_id", "a", "b")},
            **{name: getattr(row, name) for name in ("system_a", "system_b")},
            "winner": "tie" if not row.choice else "a" if row.choice < 0 else "b",
            "strength": abs(row.choice),
            **(asdict(row.means) if row.means else {}),
            "annotator": row.annotator,
            "comment": row.comment,
        }
        lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return {"preferences.jsonl": "".join(lines)}


def optimisation_files(rows: Iterable[PreferenceRow]) -> dict[str, str]:
    """`prompt`, `chosen` and `rejected`, a line of JSON a judgment that is no tie, for preference optimisation."""
    lines = []
    for row in rows:
        if row.choice:
            better, worse = ("a", "b") if row.choice < 0 else ("b", "a")
            entry: dict[str, Any] = {
                "prompt": row.prompt,
                "chosen": getattr(row, better),
                "rejected": getattr(row, worse),
                "chosen_id": getattr(row, f"{better}_id"),
                "rejected_id": getattr(row, f"{worse}_id"),
            }
            if row.means:
                entry |= {
                    "margin": row.means.margin,
                    "chosen_ratings": getattr(row.means, f"ratings_{better}"),
                    "rejected_ratings": getattr(row.means, f"ratings_{worse}"),
                }
            lines.append(json.dumps(entry, ensure_ascii=False) + "\n")
    return {"chosen.jsonl": "".join(lines)}


WRITERS = {TABLE: preference_files, OPTIMISATION: optimisation_files}
"""Name of a format -> the texts of its files by name."""


def judgments_in(files: Mapping[str, str]) -> int:
    """How many judgments a writer's files hold, a line each: fewer than its rows where ties stay out."""
    return sum(text.count("\n") for text in files.values())
