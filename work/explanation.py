"""Explains the score that a UNION gives a story, for the page Explain."""

from typing import Any

from core.checkpoints.backbone import base_of
from core.checkpoints.store import find
from core.english.knowledge import knowledge_named
from core.errors import InputError, NotFound
from core.explanation.settings import NegativeRecipe, long_of, recipe_from, story_hash
from core.formats.plain_json import plain
from core.jobs import Job
from core.notices import collecting
from core.people import TERMINAL
from core.perturb.edits import Perturbed
from core.perturb.negatives.sampler import Sampler
from core.perturb.negatives.sets import negative_of, why_not
from core.stories import Source, Story, StoryRecord
from db.studies import story_list
from db.transfer.demonstration import demonstration
from work.watch import ProgressWriter, Watch


def explain_story(job: Job, watch: Watch) -> dict[str, Any]:
    """The explanation as JSON, with a hash of the story that it is of: no text of a study is kept in the job's row.

    Raises Cancelled when somebody stops it, and FabulaError where the story or the checkpoint cannot be read.
    """
    progress = ProgressWriter(job.id, 0, watch)
    progress.say(lambda: "Finding the story", now=True)
    story, negative = _wanted(job.settings)
    if not story.text.strip():
        raise InputError("The story is empty: give it a few sentences.")
    checkpoint = find(job.settings["checkpoint"])
    base = base_of(checkpoint.card, job.settings["base"] or None)
    progress.say(lambda: "Loading the checkpoint", now=True)

    def report(done: int, total: int) -> None:
        progress.done, progress.total = done, total
        progress.say(lambda: "Reading")

    from core.explanation.explain import explain  # torch, which a worker without such work never needs
    from core.metrics.trained.union_scorer import union_scorer

    with collecting() as notices:
        scorer = union_scorer(checkpoint.folder, checkpoint.card.weights, base, "auto", "float32")
        result = explain(scorer, story, negative, report, long_of(job.settings))
    return {"explanation": plain(result), "story": story_hash(story.text), "notices": notices}


def _wanted(settings: dict[str, Any]) -> tuple[Story, Perturbed | None]:
    if "recipe" in settings:
        return _negative(recipe_from(settings["recipe"]), settings.get("text", ""))
    if "story" in settings:
        return story_list.read(settings["story"]), None
    return Story(settings["text"], settings["prompt"]), None


def _negative(recipe: NegativeRecipe, text: str) -> tuple[Story, Perturbed]:
    """Make the negative that the page has made of the same stories."""
    if recipe.study is None:
        record = StoryRecord(recipe.key, recipe.key, "", text)
        lenders = [story.text for story in demonstration().stories if story.source is Source.HUMAN]
    else:
        records, _ = story_list.whole(TERMINAL, recipe.study, recipe.group, most=recipe.lenders)
        by_key = {story_record.key: story_record for story_record in records}
        if recipe.key not in by_key:
            raise NotFound("The story of this job has been deleted.")
        record, lenders = (
            by_key[recipe.key],
            [story_record.text for story_record in records if story_record.text.strip()],
        )
    perturbed = negative_of(record, Sampler(lenders, knowledge_named(recipe.knowledge), recipe.mix), recipe.seed)
    if perturbed is None:
        raise InputError(f"This story has no negative: {why_not(record)}.")
    return Story(perturbed.text, record.prompt), perturbed
