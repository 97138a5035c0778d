"""An export read back: a folder, a zip, or any of its files with the manifest beside it; or a file of ratings alone."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from core.errors import InputError
from core.formats.exports.beside_people import beside_people
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.decoding import Sheet, opened
from core.formats.exports.encoding import KINDS
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
from core.formats.exports.tidy import read_tidy
from core.formats.manifest import LONGEST, NAME, FileEntry, Manifest, manifest_from
from core.formats.zips import unpacked
from core.stories import Source, StoryRecord
from core.text_files import check_key, empty_notice, read_text

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

    stories = _stories(sheet("stories", set(TABLES["stories"].kinds)))
    panels, places = _panels(sheet("panels", set(TABLES["panels"].kinds)), stories, manifest)
    wanted = {"panel", "story_id", "overall", "criteria", "raters", "comment", "saved_at"}
    wanted |= {"deductions", "evidence", "evidence_text", "pair", "compared_with"}
    ratings_sheet = sheet("ratings", wanted)
    entry = manifest.files[ratings_sheet.path.name]
    ratings = _ratings(ratings_sheet, panels, places, entry, tell)
    scores = _scores(sheet(SCORES, set(TABLES[SCORES].kinds)), stories) if _has_scores(manifest) else []
    counts = {"stories": len(stories), "panels": len(panels), "ratings": len(ratings)}
    _check_counts(manifest, counts | ({SCORES: len(scores)} if _has_scores(manifest) else {}))
    restored = Restored(
        sheet=ratings_sheet,
        manifest=manifest,
        scheme_key=manifest.study.scheme_key,
        stories=tuple(stories.values()),
        panels=tuple(panels),
        ratings=tuple(ratings),
        raters_identified=manifest.study.raters_identified,
        notices=empty_notice([story.text for story in stories.values()]),
        scores=tuple(scores),
    )
    if manifest.single_pairs:
        restored = beside_people(restored, _human_stories(restored))
    restored = restored.called_as_in(manifest.study.scheme)
    restored.check(manifest.study.scheme, {key: story.text for key, story in stories.items()})
    return restored


def _stories(sheet: Sheet) -> dict[str, StoryRecord]:
    stories: dict[str, StoryRecord] = {}
    prompts: dict[str, str] = {}
    for number, row in sheet.rows():
        for column in ("prompt_id", "story_id", "system"):
            try:
                check_key(row[column], "")
            except InputError:
                raise sheet.problem(number, column, "an id or name has at most 200 characters.") from None
        if row["story_id"] in stories:
            raise sheet.problem(number, "story_id", f"the id {row['story_id'][:60]!r} stands on an earlier line too.")
        if prompts.setdefault(row["prompt_id"], row["prompt"]) != row["prompt"]:
            raise sheet.problem(number, "prompt", f"the prompt {row['prompt_id'][:60]!r} has another text further up.")
        if row["source"] not in set(Source):
            raise sheet.problem(number, "source", f"a source is human, system or negative, not {row['source'][:20]!r}.")
        record = StoryRecord(
            row["story_id"], row["prompt_id"], row["prompt"], row["story"], Source(row["source"]), row["system"]
        )
        stories[record.key] = record
    return stories


def _panels(
    sheet: Sheet, stories: dict[str, StoryRecord], manifest: Manifest
) -> tuple[list[RestoredPanel], dict[int, int]]:
    """The panels in order, and where in it each number of the column `panel` is."""
    panels: list[RestoredPanel] = []
    places: dict[int, int] = {}
    had: set[tuple[str, str]] = set()
    unit = manifest.study.scheme.unit
    pairs = unit.of_pairs and not manifest.single_pairs  # then of several prompts, and they may hold a story twice
    for number, row in sheet.rows():
        if row["panel"] is None or row["panel"] in places:
            raise sheet.problem(number, "panel", "the number is missing, or stands on an earlier line too.")
        shown = row["stories"] or []
        for column, keys in (("stories", shown), ("story_id", [row["story_id"]] if row["story_id"] else [])):
            for key in keys:
                if not isinstance(key, str) or key not in stories:
                    raise sheet.problem(number, column, f"there is no story {str(key)[:60]!r} in this export.")
                if stories[key].prompt_key != row["prompt_id"] and not pairs:
                    raise sheet.problem(number, column, f"the story {key[:60]!r} belongs to another prompt.")
        if pairs and (not shown or len(shown) % 2):
            raise sheet.problem(number, "stories", "a panel of pairs has two stories of each.")
        if not pairs and (not shown or len(set(shown)) < len(shown)):
            raise sheet.problem(number, "stories", "a panel has at least one story, and each once.")
        person = is_pseudonym(row["annotator"])
        if (
            person and row["state"] != "imported" and not pairs
        ):  # ratings from elsewhere may have several panels of a rater
            if (row["annotator"], row["prompt_id"]) in had:
                raise sheet.problem(number, "annotator", f"{row['annotator']} has this prompt on an earlier line too.")
            had.add((row["annotator"], row["prompt_id"]))
        places[row["panel"]] = len(panels)
        panels.append(panel_of(sheet, number, row, stories=tuple(shown), asked=row["story_id"], person=person))
    if not (unit.of_prompt or pairs) and any(not p.story_key and p.state != "imported" for p in panels):
        raise InputError(f"{sheet.path.name}: a panel of this scheme names the story that it asks about (story_id).")
    return panels, places


def _human_stories(restored: Restored) -> dict[str, str]:
    """The first human story of each prompt, by their keys."""
    human = [story for story in restored.stories if story.source is Source.HUMAN]
    return {story.prompt_key: story.key for story in reversed(human)}


def _ratings(
    sheet: Sheet, panels: list[RestoredPanel], places: dict[int, int], entry: FileEntry, tell: Progress
) -> list[RestoredRating]:
    ratings: list[RestoredRating] = []
    seen: set[tuple[int, str, int]] = set()
    for number, row in sheet.rows():
        place = places.get(row["panel"])
        if place is None:
            raise sheet.problem(number, "panel", f"there is no panel {row['panel']} in this export.")
        if row["story_id"] not in panels[place].stories:
            raise sheet.problem(
                number, "story_id", f"the story {row['story_id'][:60]!r} is not in panel {row['panel']}."
            )
        pair = row.get("pair") or 0
        if pair and panels[place].stories[2 * pair - 2 : 2 * pair] != (row["story_id"], row["compared_with"]):
            what = f"pair {pair} of panel {row['panel']} is not of these two stories."
            raise sheet.problem(number, "compared_with", what)
        if (place, row["story_id"], pair) in seen:
            raise sheet.problem(number, "story_id", f"panel {row['panel']} rates {row['story_id'][:60]!r} twice.")
        seen.add((place, row["story_id"], pair))
        ratings.append(rating_of(sheet, number, row, place))
        if len(ratings) % 5_000 == 0:
            tell(len(ratings), max(entry.rows, len(ratings)), "Reading")
    return ratings


def _has_scores(manifest: Manifest) -> bool:
    return f"{SCORES}.{manifest.format}" in manifest.files


def _scores(sheet: Sheet, stories: dict[str, StoryRecord]) -> list[RestoredScore]:
    """The scores, each of a story of the export and once a signature."""
    result: list[RestoredScore] = []
    seen: set[tuple[str, str, str]] = set()
    for number, row in sheet.rows():
        if row["story_id"] not in stories:
            raise sheet.problem(number, "story_id", f"there is no story {row['story_id'][:60]!r} in this export.")
        for column in ("metric", "signature"):
            if not row[column]:
                raise sheet.problem(number, column, "there is none.")
        if (row["value"] is None) is not bool(row["reason"]):
            raise sheet.problem(number, "value", "a score has a value, or else a reason why it has none.")
        score = RestoredScore(row["story_id"], row["metric"], row["signature"], row["value"], row["reason"])
        if (score.story_key, score.metric, score.signature) in seen:
            raise sheet.problem(
                number, "story_id", f"{score.story_key[:60]!r} has a score of {score.metric} further up."
            )
        seen.add((score.story_key, score.metric, score.signature))
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
