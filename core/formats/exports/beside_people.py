"""Ratings that say of a system's story how it compares with the human one, as judgments of the pair of both."""

from collections.abc import Mapping
from dataclasses import replace

from core.annotation.criterion import OVERALL, PREFERENCE
from core.formats.exports.restored import Restored, RestoredPanel, RestoredRating


def beside_people(brought: Restored, human_of: Mapping[str, str]) -> Restored:
    """What was brought, each rating of the pair whose first story was shown first; `human_of`: the human story of each
    prompt, by their keys.

    A panel of an export shows on which side the system's story stood; one that is merely of a file of ratings does not,
    and counts as imported. Raises InputError, naming the line, for a rating of a story that has no human one beside it.
    """
    shown: dict[int, list[str]] = {}
    ratings = []
    for rating in brought.ratings:
        panel = brought.panels[rating.panel]
        beside = next((key for key in panel.stories if key != rating.story_key), None)
        if not _was_shown(panel):
            beside = human_of.get(panel.prompt_key)
        if beside is None or beside == rating.story_key:
            what = f"there is no human story to compare {rating.story_key[:60]!r} with; import the human stories first."
            raise brought.sheet.problem(rating.number, "story_id", what)
        stories = shown.setdefault(rating.panel, [])
        turned = _was_shown(panel) and panel.stories[0] != rating.story_key
        stories += [beside, rating.story_key] if turned else [rating.story_key, beside]
        ratings.append(_of_pair(rating, stories, turned=turned))
    designed: dict[frozenset[str], int] = {}
    panels = tuple(
        replace(panel, story_key="", pair_panel=designed.setdefault(frozenset(panel.stories), len(designed)))
        if _was_shown(panel)
        else replace(
            panel, story_key="", stories=tuple(shown.get(number, ())), state="imported", valid=bool(panel.valid)
        )
        for number, panel in enumerate(brought.panels)
    )
    return replace(brought, panels=panels, ratings=tuple(ratings), criteria=(PREFERENCE,))


def _was_shown(panel: RestoredPanel) -> bool:
    """Whether it says which stories an annotator had before them: a system's, and the human one."""
    return bool(panel.story_key) and panel.state != "imported"


def _of_pair(rating: RestoredRating, stories: list[str], *, turned: bool) -> RestoredRating:
    values = {PREFERENCE if name == OVERALL else name: value for name, value in rating.values.items()}
    if turned:
        values = {name: -value for name, value in values.items()}
    first, second = stories[-2:]
    return replace(rating, story_key=first, compared_with=second, pair=len(stories) // 2, values=values)
