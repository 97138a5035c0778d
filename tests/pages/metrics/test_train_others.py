"""The Train page's other kinds: what each asks, what a job is then told, what is refused."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.checkpoints.kinds import Embeddings
from core.jobs import JobState
from core.models.catalogue import DEFAULTS, MINILM, ModelRole, locate
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source
from core.training.bleurt.settings import BleurtSettings
from core.training.disscore.settings import DiscriminatorSettings
from core.training.engine.recipe import Way
from core.training.engine.settings import TrainingSettings
from core.training.engine.stories import StorySet
from core.training.language_model.settings import LanguageModelSettings
from core.training.registry import TRAINABLE, settings_from
from core.training.ruber.settings import RuberSettings
from db.jobs import jobs
from db.studies import story_texts
from db.training import checkpoints
from db.transfer import imports
from tests.core.training.made_bleurt import made_bleurt
from tests.core.training.made_stories import records
from tests.pages.conftest import Open
from tests.pages.metrics.train import imported, start
from tests.pages.pages import words


def opened(open_page: Open, owner: str, kind: str) -> AppTest:
    page = open_page("train", owner)
    page.segmented_control(key="train-kind").set_value(kind).run()
    assert not page.exception
    return page


def asked(page: AppTest, name: str = "mine") -> TrainingSettings:
    page.text_input(key="train-name").set_value(name).run()
    start(page).click().run()
    assert not page.exception
    return settings_from(jobs.of_kind("train")[0].settings)


def both(rated: int = 24, one_value: bool = False) -> Study:
    told = records()
    ratings = [
        RatingRecord(record.key, "rater 1", 3.0 if one_value else 1.0 + int(record.prompt_key) % 5)
        for record in told
        if record.source is Source.SYSTEM and int(record.prompt_key) < rated
    ]
    return imports.import_corpora(TERMINAL, "both", [Corpus("mans", tuple(told), tuple(ratings))])


def of(study: Study) -> tuple[StorySet]:
    return (StorySet(study.name, study=study.id, version=story_texts.version(study.id)),)


@pytest.mark.parametrize(
    ("named", "kind"), [("ruber", "RUBER"), ("Language model", "Language model"), ("nonsense", "UNION")]
)
def test_an_address_names_what_to_train_as_the_command_line_does(
    open_page: Open, owner: str, named: str, kind: str
) -> None:
    page = open_page("", owner)
    page.query_params["train-kind"] = named
    page.switch_page("train.py").run()
    assert TRAINABLE[page.segmented_control(key="train-kind").value].title == kind


def test_a_ruber(open_page: Open, owner: str) -> None:
    study = imported()
    page = opened(open_page, owner, "ruber")
    assert "which continuation belongs to which opening" in words(page)
    page.multiselect(key="train-studies").set_value([study]).run()
    assert "20 stories, roughly" in words(page)
    assert "About 2 of these stories are held out, to check what it learns." in words(page)
    page.segmented_control(key="train-ruber-embeddings").set_value(Embeddings.WORDS).run()
    training_settings = asked(page)
    sets = (StorySet("mine", study=study, version=story_texts.version(study)),)
    assert training_settings == RuberSettings("mine", sets, epochs=6, embeddings=Embeddings.WORDS)
    assert "mine: RUBER on all-minilm-l6-v2, of mine" in words(page)
    page.text_input(key="train-name").set_value("mine").run()
    assert "'mine' is being trained; choose another name" in words(page)


def test_a_ruber_by_the_papers_recipe(open_page: Open, owner: str) -> None:
    study = imported()
    page = opened(open_page, owner, "ruber")
    page.multiselect(key="train-studies").set_value([study]).run()
    page.segmented_control(key="train-ruber-recipe").set_value(Way.PAPER).run()
    training_settings = asked(page)
    assert isinstance(training_settings, RuberSettings)
    assert (training_settings.recipe, training_settings.epochs, training_settings.embeddings) == (
        Way.PAPER,
        50,
        Embeddings.BERT,
    )


def test_a_language_model(open_page: Open, owner: str) -> None:
    study = imported()
    page = opened(open_page, owner, "language-model")
    page.multiselect(key="train-studies").set_value([study]).run()
    page.number_input(key="train-rank").set_value(4).run()
    page.number_input(key="train-language-seed").set_value(3).run()
    training_settings = asked(page)
    assert isinstance(training_settings, LanguageModelSettings)
    assert (training_settings.rank, training_settings.seed, training_settings.base, training_settings.epochs) == (
        4,
        3,
        "",
        1,
    )


def test_a_disscore(open_page: Open, served: None, owner: str) -> None:
    study = both()
    page = opened(open_page, owner, "discriminator")
    assert page.multiselect(key="train-of-20").value == [study.id], "the study of the sidebar"
    page.multiselect(key="train-of-20").set_value([]).run()
    assert "Choose stories to train on" in words(page)
    assert start(page).disabled
    page.multiselect(key="train-of-20").set_value([study.id]).run()
    assert "72 stories, roughly" in words(page)
    page.number_input(key="train-discriminator-folds").set_value(3).run()
    assert "Each of the 3 models is checked on about 24 of them, from which it does not learn." in words(page)
    assert asked(page) == DiscriminatorSettings("mine", of(study), epochs=8, folds=3)


def test_a_disscore_by_the_papers_recipe(open_page: Open, served: None, owner: str) -> None:
    study = both()
    page = opened(open_page, owner, "discriminator")
    page.multiselect(key="train-of-20").set_value([study.id]).run()
    page.segmented_control(key="train-discriminator-recipe").set_value(Way.PAPER).run()
    assert page.selectbox(key="train-discriminator-paper-base").value == MINILM
    locate(None, ModelRole.BASE)  # a base that is not prepared is not looked at
    page.selectbox(key="train-discriminator-paper-base").set_value(DEFAULTS[ModelRole.BASE]).run()
    assert "reads BERT's [CLS]" in words(page)
    assert start(page).disabled
    page.selectbox(key="train-discriminator-paper-base").set_value(MINILM).run()
    page.number_input(key="train-discriminator-steps").set_value(300).run()
    training_settings = asked(page)
    assert isinstance(training_settings, DiscriminatorSettings)
    assert (training_settings.recipe, training_settings.steps, training_settings.base) == (Way.PAPER, 300, MINILM)


def test_ratings(open_page: Open, served: None, owner: str) -> None:
    study = both()
    page = opened(open_page, owner, "bleurt")
    page.multiselect(key="train-of-1").set_value([study.id]).run()
    assert "48 stories, roughly" in words(page)
    assert asked(page) == BleurtSettings("mine", of(study))


def test_ratings_by_the_papers_recipe(open_page: Open, served: None, owner: str) -> None:
    study = both()
    page = opened(open_page, owner, "bleurt")
    page.multiselect(key="train-of-1").set_value([study.id]).run()
    page.segmented_control(key="train-bleurt-recipe").set_value(Way.PAPER).run()
    assert page.selectbox(key="train-bleurt-paper-base").value == MINILM
    assert page.number_input(key="train-bleurt-steps").value == 25_000
    locate(None, ModelRole.BASE)  # a base that is not prepared is not looked at
    page.selectbox(key="train-bleurt-paper-base").set_value(DEFAULTS[ModelRole.BASE]).run()
    assert "reads BERT's [CLS]" in words(page)
    assert start(page).disabled
    page.selectbox(key="train-bleurt-paper-base").set_value(MINILM).run()
    page.number_input(key="train-bleurt-steps").set_value(300).run()
    training_settings = asked(page)
    assert training_settings == BleurtSettings("mine", of(study), base=MINILM, recipe=Way.PAPER, steps=300)


def test_a_regression_trained_here_has_no_curve_to_compare(
    open_page: Open, served: None, owner: str, tmp_path: Path
) -> None:
    checkpoint = made_bleurt(tmp_path / "made")
    kept = checkpoints.add(TERMINAL, checkpoint)
    study = both()
    job = jobs.add(TERMINAL, "train", None, BleurtSettings("made", of(study)).as_json(), runner="test")
    told = {"weights": kept.card.weights, "curve": None, "figures": {}, "pairs": 48, "seconds": 0.0}
    jobs.finish(job.id, JobState.DONE, "finished", told)
    page = open_page("train", owner)
    assert "made: a regression on ratings on smollm2-135m-instruct, of both" in words(page)
    page.session_state["training"] = "Compare"
    page.run()
    assert not page.exception
    assert "there is no curve: made" in words(page)


@pytest.mark.parametrize(
    ("rated", "one_value", "sentence"),
    [(0, False, "has no rated stories"), (9, False, "18 rated stories"), (24, True, "the same mean rating")],
    ids=["none", "few", "equal"],
)
def test_ratings_that_cannot_be_learnt(
    open_page: Open, served: None, owner: str, rated: int, one_value: bool, sentence: str
) -> None:
    study = both(rated, one_value)
    page = opened(open_page, owner, "bleurt")
    page.multiselect(key="train-of-1").set_value([study.id]).run()
    assert sentence in words(page)
    page.text_input(key="train-name").set_value("mine").run()
    assert start(page).disabled
