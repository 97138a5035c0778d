"""Scores are explained in the worker: a typed story, a study's, a negative made again by its recipe."""

from dataclasses import replace
from pathlib import Path

import pytest

import worker
from core.checkpoints.backbone import base_of
from core.checkpoints.store import Kept
from core.english.knowledge import shared_wordnet
from core.explanation.explain import explain
from core.explanation.results import explanation_from
from core.explanation.settings import ExplanationRequest, NegativeRecipe, recipe_from, story_hash
from core.jobs import Job, JobState
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.people import TERMINAL
from core.perturb.negatives.sampler import Mix, MixName, Sampler, Technique
from core.perturb.negatives.sets import negative_of
from core.stories import Corpus, Source, Story, StoryRecord
from core.windows import Long
from db.engine import engine
from db.jobs import jobs
from db.studies import story_list, studies
from db.training import checkpoints
from db.transfer import imports
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.core.training.union.train import PLAN, train_tiny


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a base of random weights."""
    where = tmp_path_factory.mktemp("base")
    tiny.save(where, "BertModel", ModelRole.ENCODER, max_position_embeddings=128)
    return where


@pytest.fixture
def kept(database: str, folder: Path, tmp_path: Path) -> Kept:
    plan = replace(PLAN, loop=replace(PLAN.schedule, epochs=1), reconstruction=1.0)
    return checkpoints.add(
        TERMINAL, train_tiny(locate(str(folder), ModelRole.ENCODER), tmp_path / "made", plan), "mine"
    )


def run(asked: ExplanationRequest) -> Job:
    ended = worker.run_job(jobs.add(TERMINAL, "explain", None, asked.settings(), runner="test"))
    engine().dispose()
    return ended


def test_a_typed_story_and_a_study_s(kept: Kept, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    text, prompt = "It rained. The dog ran off. He was glad.", "It was late."
    ended = run(ExplanationRequest(kept.place, text, prompt, str(folder)))
    assert ended.state is JobState.DONE, ended.message
    assert ended.result is not None
    assert ended.result["story"] == story_hash(text)
    assert (ended.done, ended.total) == (5, 5)
    scorer = Scorer(kept.checkpoint(), base_of(kept.card, str(folder)), "cpu")
    assert explanation_from(ended.result["explanation"]) == explain(scorer, Story(text, prompt))

    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", (StoryRecord("k", "p", prompt, text),))])
    (listed,) = story_list.stories(TERMINAL, study.id, None)[0]
    asked = ExplanationRequest(kept.place, text, prompt, str(folder), listed.id)
    again = run(asked)
    assert again.result == ended.result
    assert "rained" not in repr((again.settings, again.result))
    studies.remove(TERMINAL, study.id, "s")
    assert run(asked).message == "The story of this job has been deleted."


def test_a_long_story_is_explained_as_it_is_asked(kept: Kept, folder: Path) -> None:
    """A job of before there was a choice read the beginning, and is asked for by the same settings still."""
    text = " ".join(f"Then the dog went home for the {i}th time that day." for i in range(30))
    scorer = Scorer(kept.checkpoint(), base_of(kept.card, str(folder)), "cpu")
    for long in Long:
        asked = ExplanationRequest(kept.place, text, "", str(folder), long=long)
        assert asked.settings().get("long", Long.CUT) == long
        result = run(asked).result
        assert result is not None
        explanation = explanation_from(result["explanation"])
        assert explanation.logit == pytest.approx(scorer.logits([text], long=long)[0], abs=1e-5)
        assert all(sentence.without is not None for sentence in explanation.sentences) == (long is Long.WINDOWS)


def test_a_negative_is_made_again_by_its_recipe(kept: Kept, folder: Path) -> None:
    records = [StoryRecord(str(i), str(i), "", story, Source.HUMAN) for i, story in enumerate(STORIES[:8])]
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", tuple(records))])
    techniques = (Technique.REORDERING, Technique.SUBSTITUTION)
    mix = Mix().without(Technique.REPETITION, Technique.NEGATION)
    negative = negative_of(records[2], Sampler(STORIES[:8], shared_wordnet(), mix), 5)
    assert negative is not None
    recipe = NegativeRecipe(study.id, "human", "2", 1000, 5, tuple(map(str, techniques)), "wordnet")
    ended = run(ExplanationRequest(kept.place, negative.text, "", str(folder), recipe=recipe))
    assert ended.state is JobState.DONE, ended.message
    assert ended.result is not None
    assert ended.result["story"] == story_hash(negative.text)
    explanation = explanation_from(ended.result["explanation"])
    assert explanation.human is not None
    assert any(sentence.edited for sentence in explanation.sentences)
    assert "met" not in repr((ended.settings, ended.result))

    paper = replace(recipe, mix_name=MixName.PAPER)
    negative = negative_of(
        records[2], Sampler(STORIES[:8], shared_wordnet(), replace(mix, name=MixName.PAPER)), recipe.seed
    )
    assert negative is not None
    ended = run(ExplanationRequest(kept.place, negative.text, "", str(folder), recipe=paper))
    assert ended.result is not None
    assert ended.result["story"] == story_hash(negative.text)

    typed = replace(recipe, study=None, group="", key="pasted")
    ended = run(ExplanationRequest(kept.place, STORIES[0], "", str(folder), recipe=typed))
    assert ended.result is not None
    assert explanation_from(ended.result["explanation"]).human is not None


def test_recipes_of_before_there_were_mixes_are_the_usual_mix() -> None:
    usual = NegativeRecipe(1, "human", "2", 9, 0, ("negation",), "wordnet")
    for recipe in (usual, replace(usual, mix_name=MixName.PAPER)):
        kept = ExplanationRequest("mine", "x", recipe=recipe).settings()["recipe"]
        assert ("mix_name" in kept) == (recipe is not usual)
        assert recipe_from(kept) == recipe


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (ExplanationRequest("mine", "x", base="BASE"), "There is no checkpoint 'mine'"),
        (ExplanationRequest("PLACE", " \n", base="BASE"), "The story is empty"),
        (ExplanationRequest("PLACE", "It rained."), "name that folder as its base"),
        (ExplanationRequest("PLACE", "It rained.", base="/no/such/folder"), "There is no model folder"),
        (ExplanationRequest("PLACE", "It rained.", base="all-minilm-l6-v2"), "was trained on"),
        (
            ExplanationRequest(
                "PLACE", "One.", base="BASE", recipe=NegativeRecipe(None, "", "pasted", 9, 0, ("negation",), "wordnet")
            ),
            "This story has no negative: it has one sentence",
        ),
        (
            ExplanationRequest(
                "PLACE", "One.", base="BASE", recipe=NegativeRecipe(77, "human", "k", 9, 0, ("negation",), "wordnet")
            ),
            "has been deleted",
        ),
    ],
)
def test_what_cannot_be_explained_is_one_sentence(
    kept: Kept, folder: Path, asked: ExplanationRequest, words: str
) -> None:
    given = replace(
        asked,
        checkpoint=asked.checkpoint.replace("PLACE", kept.place),
        base=asked.base.replace("BASE", str(folder)),
    )
    ended = run(given)
    assert ended.state is JobState.FAILED
    assert words in ended.message
    assert ended.message.count(". ") == 0
