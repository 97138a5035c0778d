"""OpenMEVA's MANS file: `{id: {prompt, gold_response, gen: {system: {text, score: [ratings]}}}}`.

Ratings are sorted within a story, so that who gave which is lost.
"""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.annotation.builtin import MANS
from core.errors import InputError
from core.formats.cells import parse_number
from core.formats.manifest import NAME as MANIFEST
from core.formats.zips import unpacked
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from core.text_files import check_key, check_text, empty_notice, parse_json, read_text


def mans_text(corpus: Corpus) -> str:
    """The stories and ratings of a study as such a file, which `read_mans` reads back equal.

    Ratings are sorted within a story. The format has no place for control stories, deductions, annotators and rejected
    panels: these stay out. Raises InputError for what it cannot tell apart or would not read back.
    """
    if corpus.scheme != "mans":
        raise InputError("The MANS format holds ratings from 1 to 5 of the MANS scheme; export this study as CSV.")
    given: dict[str, list[float]] = {}
    for rating in corpus.ratings:
        if not MANS.lowest <= rating.overall <= MANS.highest:
            raise InputError(f"The MANS format holds ratings from 1 to 5, not {rating.overall:g}; export it as CSV.")
        given.setdefault(rating.story_key, []).append(rating.overall)
    data: dict[str, dict[str, Any]] = {}
    for story in corpus.stories:
        if story.source is not Source.NEGATIVE:
            _add(data.setdefault(story.prompt_key, {"prompt": story.prompt, "gen": {}}), story, given)
    for key, entry in data.items():
        if "gold_response" not in entry:
            raise InputError(f"The MANS format needs a human story of every prompt; {key[:60]!r} has none.")
    _check_ids(data)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _add(entry: dict[str, Any], story: StoryRecord, given: dict[str, list[float]]) -> None:
    for what, text in (("prompt", story.prompt), ("story", story.text)):
        if text != text.strip():
            raise InputError(
                f"The MANS format keeps no spaces around a text, but the {what} of {story.key[:60]!r} has some."
            )
    scores = [int(value) if value == int(value) else value for value in sorted(given.get(story.key, ()))]
    if story.source is Source.HUMAN:
        if "gold_response" in entry:
            raise InputError(f"The MANS format holds one human story a prompt; {story.prompt_key[:60]!r} has more.")
        entry["gold_response"] = story.text
    elif story.system in entry["gen"]:
        raise InputError(
            f"The MANS format holds one story per system and prompt; {story.system[:60]!r} has more of "
            f"{story.prompt_key[:60]!r}."
        )
    else:
        entry["gen"][story.system] = {"text": story.text, "score": scores}


def _check_ids(data: dict[str, dict[str, Any]]) -> None:
    names = Counter(f"{key}/{name}" for key, entry in data.items() for name in ("gold_response", *entry["gen"]))
    double = next((name for name, times in names.items() if times > 1), None)
    if double is not None:
        raise InputError(f"In the MANS format two stories would be {double[:60]!r}; rename a prompt or a system.")


def _no_duplicates(name: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in pairs:
            if key in result:
                raise InputError(f"{name}: the key {key[:60]!r} stands twice in one object; every id must be unique.")
            result[key] = value
        return result

    return unique


def _field(owner: dict[str, Any], name: str, kind: type, where: str) -> Any:
    if name not in owner:
        raise InputError(f"{where}: the field {name!r} is missing; there are {', '.join(owner) or 'none'}.")
    if not isinstance(owner[name], kind):
        raise InputError(f"{where}: the field {name!r} has the wrong type.")
    return owner[name]


def read_mans(path: Path) -> Corpus:
    """Read a MANS file, or the zip that an export makes of one; raises InputError naming the prompt and the system of
    what it refuses.
    """
    if path.suffix.lower() != ".zip":
        return _read_file(path)
    with unpacked(path, "*.json", "the MANS file, or the zip of its export") as folder:
        inside = sorted(file for file in folder.glob("*.json") if file.name != MANIFEST)
        if len(inside) != 1:
            raise InputError(
                f"{path.name} holds {len(inside)} files that could be the MANS file; give the file itself."
            )
        return _read_file(inside[0])


def _read_file(path: Path) -> Corpus:
    data = parse_json(read_text(path), path.name, object_pairs_hook=_no_duplicates(path.name))
    if not isinstance(data, dict) or not data:
        raise InputError(f"{path.name} is not a MANS file: it must be an object from prompt id to prompt and stories.")
    stories: list[StoryRecord] = []
    ratings: list[RatingRecord] = []
    for prompt_key, entry in data.items():
        where = f"{path.name}, prompt {prompt_key[:60]}"
        check_key(prompt_key, where)
        if not isinstance(entry, dict):
            raise InputError(f"{where}: expected an object with prompt, gold_response and gen.")
        prompt = check_text(_field(entry, "prompt", str, where).strip(), where)
        gold = check_text(_field(entry, "gold_response", str, where).strip(), where)
        stories.append(StoryRecord(f"{prompt_key}/gold_response", prompt_key, prompt, gold, Source.HUMAN))
        for system, generated in _field(entry, "gen", dict, where).items():
            here = f"{where}, system {system[:60]}"
            if not isinstance(generated, dict):
                raise InputError(f"{here}: expected an object with text and score.")
            text = check_text(_field(generated, "text", str, here).strip(), here)
            key = f"{prompt_key}/{check_key(system, here)}"
            stories.append(StoryRecord(key, prompt_key, prompt, text, Source.SYSTEM, system))
            for number, value in enumerate(_field(generated, "score", list, here), start=1):
                overall = parse_number(value, f"{here}, rating {number}")
                if not MANS.lowest <= overall <= MANS.highest:
                    raise InputError(f"{here}, rating {number}: {overall:g} is outside the scale 1 to 5.")
                ratings.append(RatingRecord(key, f"rater {number}", overall))
    double = next((key for key, times in Counter(s.key for s in stories).items() if times > 1), None)
    if double is not None:
        raise InputError(
            f"{path.name}: two stories would both be called {double[:60]!r}; rename a prompt's id or a system."
        )
    notices = empty_notice([s.text for s in stories])
    return Corpus("mans", tuple(stories), tuple(ratings), raters_identified=False, notices=notices)
