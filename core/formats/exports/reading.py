"""An export read back: a folder, a zip, or any of its files with the manifest beside it; or a file of ratings alone."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.formats.exports.beside_people import beside_people
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.decoding import Sheet, opened
from core.formats.exports.encoding import KINDS
from core.formats.exports.rating_check import RatingCheck
from core.formats.exports.restored import (
    Restored,
    RestoredPanel,
    RestoredRating,
    RestoredScore,
    is_pseudonym,
    panel_of,
    rating_of,
)
from core.formats.exports.rows import TABLES
from core.formats.exports.tidy import TOLD, read_tidy
from core.formats.manifest import LONGEST, NAME, FileEntry, Manifest, manifest_from
from core.formats.zips import unpacked
from core.scratch.hash_table import HashTable
from core.scratch.number_list import NumberList
from core.scratch.spool import Spool
from core.stories import Source, StoryRecord
from core.text_files import check_key, empty_sentence, read_text

SCORES = "scores"
LATER = {"raters", "criteria", "comment", "pair_panel", "pair", "compared_with"}
"""Columns that exports made before there were such have not."""
Progress = Callable[[int, int, str], None]
"""Told how many rows of how many are read, and what is going on."""


def read_export(path: Path, on_progress: Progress | None = None, choice: ColumnChoice | None = None) -> Restored:
    """Read an export, or a file of ratings that has no manifest; raises InputError for what does not fit together.

    `choice`: of columns, rows and scale, for a file of ratings; an export says all of that itself.
    """
    result = _read(path, on_progress, choice or ColumnChoice())
    if (
        result.manifest is not None
        and choice is not None
        and replace(choice, expected=(), criteria=choice.criteria or None) != ColumnChoice()
    ):
        raise InputError("An export says itself what its columns hold and which scale it is on: leave that out.")
    return result


def _read(path: Path, on_progress: Progress | None, choice: ColumnChoice) -> Restored:
    tell = on_progress or (lambda done, total, what: None)
    if path.is_dir():
        return _read_folder(path, tell)
    if not path.is_file():
        raise InputError(f"There is no file or folder {path}.")
    if path.suffix.lower() == ".zip":
        with unpacked(path, NAME, "the zip that the export made") as folder:
            return _read_folder(folder, tell)
    beside = path.parent / NAME
    if path.name == NAME or (beside.is_file() and path.name in _manifest_of(path.parent).files):
        return _read_folder(path.parent, tell)
    return read_tidy(path, tell, choice)


def _manifest_of(folder: Path) -> Manifest:
    path = folder / NAME
    if not path.is_file():
        raise InputError(f"{folder.name or folder} holds no {NAME}; give the folder or the zip that the export made.")
    if path.stat().st_size > LONGEST:
        raise InputError(f"{NAME} is too long to be one; export the study again.")
    return manifest_from(read_text(path))


def _read_folder(folder: Path, tell: Progress) -> Restored:
    manifest = _manifest_of(folder)
    if manifest.format not in KINDS:
        raise InputError(f"This export is in the format {manifest.format!r}; import it as {manifest.format}.")
    changed = _changed_files(folder, manifest)
    try:
        result = _read_tables(folder, manifest, tell)
    except InputError as error:
        # Where exactly something is wrong says more than that something is; but say both.
        raise InputError(f"{error} ({changed[0]})" if changed else str(error)) from None
    if changed:
        raise InputError(
            f"{changed[0]} Nothing was imported; export the study again, or import the file of ratings alone."
        )
    return result


def _changed_files(folder: Path, manifest: Manifest) -> list[str]:
    """A sentence a file that is not as the manifest has it; raises InputError for one that is not there."""
    changed = []
    for table in TABLES:
        name = f"{table}.{manifest.format}"
        entry = manifest.files.get(name)
        if entry is None and table == SCORES:  # of an export made before there were scores in it
            continue
        if entry is None or entry.table != table:
            raise InputError(f"{NAME} names no file {name}; an export has stories, panels and ratings.")
        path = folder / name
        if not path.is_file():
            raise InputError(f"{name} is missing; {NAME} names it, so put all files of the export side by side.")
        if path.stat().st_size != entry.bytes:
            changed.append(
                f"{name} has {path.stat().st_size:,} bytes, but {NAME} says {entry.bytes:,}: it was cut or changed."
            )
        elif _sha256(path) != entry.sha256:
            changed.append(f"{name} is not the file that was exported: its SHA-256 is not the one in {NAME}.")
    return changed


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_tables(folder: Path, manifest: Manifest, tell: Progress) -> Restored:
    def sheet(table: str, needed: set[str]) -> Sheet:
        kinds = {name: kind for name, kind in TABLES[table].kinds.items() if name in needed}
        return opened(folder / f"{table}.{manifest.format}", kinds, needed - LATER)

    stories = _Stories(sheet("stories", set(TABLES["stories"].kinds)))
    panels = _Panels(sheet("panels", set(TABLES["panels"].kinds)), stories, manifest)
    wanted = {"panel", "story_id", "overall", "criteria", "raters", "comment", "saved_at"}
    wanted |= {"deductions", "evidence", "evidence_text", "pair", "compared_with"}
    ratings_sheet = sheet("ratings", wanted)
    restored = Restored(
        sheet=ratings_sheet,
        manifest=manifest,
        scheme_key=manifest.study.scheme_key,
        stories=stories.records,
        panels=panels.records,
        ratings=(),
        raters_identified=manifest.study.raters_identified,
        notices=empty_sentence(stories.empty),
    )
    allowed = RatingCheck(restored, manifest.study.scheme)
    entry = manifest.files[ratings_sheet.path.name]
    ratings = _Ratings(ratings_sheet, panels, entry, None if manifest.single_pairs else allowed).read(tell)
    scores = Spool(RestoredScore)
    if _has_scores(manifest):
        scores = _scores(sheet(SCORES, set(TABLES[SCORES].kinds)), stories)
    counts = {"stories": len(stories.records), "panels": len(panels.records), "ratings": len(ratings)}
    _check_counts(manifest, counts | ({SCORES: len(scores)} if _has_scores(manifest) else {}))
    restored = replace(restored, ratings=ratings, scores=scores)
    if manifest.single_pairs:
        restored = beside_people(restored, _human_stories(restored))
        for rating in restored.ratings:
            allowed.check(allowed.called(rating), restored.panels[rating.panel], stories.text_of)
    return restored


class _Stories:
    """The stories, and by hashes of their ids where each stands."""

    def __init__(self, sheet: Sheet) -> None:
        self.records = Spool(StoryRecord)
        self.empty = 0
        self._places, self._prompts, self._of = HashTable(), HashTable(), NumberList()
        for number, row in sheet.rows():
            self._add(sheet, number, row)

    def _add(self, sheet: Sheet, number: int, row: dict[str, Any]) -> None:
        for column in ("prompt_id", "story_id", "system"):
            try:
                check_key(row[column], "")
            except InputError:
                raise sheet.problem(number, column, "an id or name has at most 200 characters.") from None
        key, prompt, text = hash(row["prompt_id"]), hash(row["prompt"]), row["story"]
        if not self._places.add(hash(row["story_id"]), len(self.records)):
            raise sheet.problem(number, "story_id", f"the id {row['story_id'][:60]!r} stands on an earlier line too.")
        if self._prompts.setdefault(key, prompt) != prompt:
            raise sheet.problem(number, "prompt", f"the prompt {row['prompt_id'][:60]!r} has another text further up.")
        if row["source"] not in set(Source):
            raise sheet.problem(number, "source", f"a source is human, system or negative, not {row['source'][:20]!r}.")
        self._of.append(key)
        self.empty += not text.strip()
        self.records.append(
            StoryRecord(row["story_id"], row["prompt_id"], row["prompt"], text, Source(row["source"]), row["system"])
        )

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and hash(key) in self._places

    def is_of(self, key: str, prompt_key: str) -> bool:
        """Whether one of these stories continues this prompt."""
        return bool(self._of[self._places.get(hash(key)) or 0] == hash(prompt_key))

    def text_of(self, key: str) -> str:
        """What one of these stories says."""
        return self.records[self._places.get(hash(key)) or 0].text


class _Panels:
    """The panels in order, and where each number of the column `panel` is among them."""

    def __init__(self, sheet: Sheet, stories: _Stories, manifest: Manifest) -> None:
        self.records = Spool(RestoredPanel)
        self._sheet, self.stories = sheet, stories
        self._places, self._had = HashTable(), HashTable()
        unit = manifest.study.scheme.unit
        # Then a panel is of several prompts, and may hold a story twice.
        self._pairs = unit.of_pairs and not manifest.single_pairs
        unasked = False
        for number, row in sheet.rows():
            panel = self._add(number, row)
            unasked = unasked or (not panel.story_key and panel.state != "imported")
        if unasked and not (unit.of_prompt or self._pairs):
            raise InputError(
                f"{sheet.path.name}: a panel of this scheme names the story that it asks about (story_id)."
            )

    def place(self, number: int | None) -> int | None:
        """Where the panel of this number is, None where there is none."""
        return None if number is None else self._places.get(hash((number,)))

    def _add(self, number: int, row: dict[str, Any]) -> RestoredPanel:
        sheet, pairs = self._sheet, self._pairs
        if row["panel"] is None or not self._places.add(hash((row["panel"],)), len(self.records)):
            raise sheet.problem(number, "panel", "the number is missing, or stands on an earlier line too.")
        shown = row["stories"] or []
        for column, keys in (("stories", shown), ("story_id", [row["story_id"]] if row["story_id"] else [])):
            for key in keys:
                if key not in self.stories:
                    raise sheet.problem(number, column, f"there is no story {str(key)[:60]!r} in this export.")
                if not pairs and not self.stories.is_of(key, row["prompt_id"]):
                    raise sheet.problem(number, column, f"the story {key[:60]!r} belongs to another prompt.")
        if pairs and (not shown or len(shown) % 2):
            raise sheet.problem(number, "stories", "a panel of pairs has two stories of each.")
        if not pairs and (not shown or len(set(shown)) < len(shown)):
            raise sheet.problem(number, "stories", "a panel has at least one story, and each once.")
        person = is_pseudonym(row["annotator"])
        # Ratings from elsewhere may have several panels of a rater.
        once = person and row["state"] != "imported" and not pairs
        if once and not self._had.add(hash((row["annotator"], row["prompt_id"]))):
            raise sheet.problem(number, "annotator", f"{row['annotator']} has this prompt on an earlier line too.")
        panel = panel_of(sheet, number, row, stories=tuple(shown), asked=row["story_id"], person=person)
        self.records.append(panel)
        return panel


def _human_stories(restored: Restored) -> dict[str, str]:
    """The first human story of each prompt, by their keys."""
    result: dict[str, str] = {}
    for story in restored.stories:
        if story.source is Source.HUMAN:
            result.setdefault(story.prompt_key, story.key)
    return result


class _Ratings:
    """The ratings, each once in its panel; `allowed` looks at them too, where they are stored as they are."""

    def __init__(self, sheet: Sheet, panels: _Panels, entry: FileEntry, allowed: RatingCheck | None) -> None:
        self._sheet, self._panels, self._entry, self._allowed = sheet, panels, entry, allowed
        self._records = Spool(RestoredRating)
        self._seen = HashTable()

    def read(self, tell: Progress) -> Spool[RestoredRating]:
        """All of them, in order."""
        for number, row in self._sheet.rows():
            self._add(number, row)
            done = len(self._records)
            if done % TOLD == 0:
                tell(done, max(self._entry.rows, done), "Reading")
        return self._records

    def _add(self, number: int, row: dict[str, Any]) -> None:
        sheet = self._sheet
        place = self._panels.place(row["panel"])
        if place is None:
            raise sheet.problem(number, "panel", f"there is no panel {row['panel']} in this export.")
        panel = self._panels.records[place]
        if row["story_id"] not in panel.stories:
            raise sheet.problem(
                number, "story_id", f"the story {row['story_id'][:60]!r} is not in panel {row['panel']}."
            )
        pair = row.get("pair") or 0
        if pair and panel.stories[2 * pair - 2 : 2 * pair] != (row["story_id"], row["compared_with"]):
            what = f"pair {pair} of panel {row['panel']} is not of these two stories."
            raise sheet.problem(number, "compared_with", what)
        if not self._seen.add(hash((place, row["story_id"], pair))):
            raise sheet.problem(number, "story_id", f"panel {row['panel']} rates {row['story_id'][:60]!r} twice.")
        rating = rating_of(sheet, number, row, place)
        if self._allowed is not None:
            self._allowed.check(self._allowed.called(rating), panel, self._panels.stories.text_of)
        self._records.append(rating)


def _has_scores(manifest: Manifest) -> bool:
    return f"{SCORES}.{manifest.format}" in manifest.files


def _scores(sheet: Sheet, stories: _Stories) -> Spool[RestoredScore]:
    """The scores, each of a story of the export and once a signature."""
    result = Spool(RestoredScore)
    seen = HashTable()
    for number, row in sheet.rows():
        if row["story_id"] not in stories:
            raise sheet.problem(number, "story_id", f"there is no story {row['story_id'][:60]!r} in this export.")
        for column in ("metric", "signature"):
            if not row[column]:
                raise sheet.problem(number, column, "there is none.")
        if (row["value"] is None) is not bool(row["reason"]):
            raise sheet.problem(number, "value", "a score has a value, or else a reason why it has none.")
        score = RestoredScore(row["story_id"], row["metric"], row["signature"], row["value"], row["reason"])
        if not seen.add(hash((score.story_key, score.metric, score.signature))):
            raise sheet.problem(
                number, "story_id", f"{score.story_key[:60]!r} has a score of {score.metric} further up."
            )
        result.append(score)
    return result


def _check_counts(manifest: Manifest, counts: Mapping[str, int]) -> None:
    for table, count in counts.items():
        expected = manifest.files[f"{table}.{manifest.format}"].rows
        counted = sum(manifest.counts.get(table, {}).values())
        if not count == expected == counted:
            raise InputError(
                f"{table}.{manifest.format} has {count:,} rows, but {NAME} counts {counted:,} ({expected:,})."
            )
