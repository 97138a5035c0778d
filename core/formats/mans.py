"""OpenMEVA's MANS file: `{id: {prompt, gold_response, gen: {system: {text, score: [ratings]}}}}`.

Ratings are sorted within a story, so that who gave which is lost.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.annotation.builtin import MANS
from core.errors import InputError
from core.formats.text import check_key, check_text, empty_notice, parse_json, parse_number, read_text
from core.stories import Corpus, RatingRecord, Source, StoryRecord


def _no_duplicates(name: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise InputError(f"{name}: the key {key[:60]!r} stands twice in one object; every id must be unique.")
            found[key] = value
        return found

    return unique


def _field(owner: dict[str, Any], name: str, kind: type, where: str) -> Any:
    if name not in owner:
        raise InputError(f"{where}: the field {name!r} is missing; there are {', '.join(owner) or 'none'}.")
    if not isinstance(owner[name], kind):
        raise InputError(f"{where}: the field {name!r} has the wrong type.")
    return owner[name]


def read_mans(path: Path) -> Corpus:
    """Read a MANS file; raises InputError naming the prompt and the system of what it refuses."""
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
        for system, made in _field(entry, "gen", dict, where).items():
            here = f"{where}, system {system[:60]}"
            if not isinstance(made, dict):
                raise InputError(f"{here}: expected an object with text and score.")
            text = check_text(_field(made, "text", str, here).strip(), here)
            key = f"{prompt_key}/{check_key(system, here)}"
            stories.append(StoryRecord(key, prompt_key, prompt, text, Source.SYSTEM, system))
            for number, value in enumerate(_field(made, "score", list, here), start=1):
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
