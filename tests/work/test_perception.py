"""A Perception Score trained by the worker: to its end, stopped and gone on with, refused; and what commands print."""

from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

import worker
from core.annotation.studies import Study
from core.errors import NotFound
from core.jobs import Job, JobState
from core.models.catalogue import ModelRole
from core.people import TERMINAL, Person, Role
from core.stories import Corpus, StoryRecord
from core.training.perception.order import PerceptionOrder, perception_order, work
from core.training.perception.scores import Trained, Weights, perception_scores
from core.training.perception.settings import PerceptionPlan
from db.jobs import jobs
from db.studies import story_texts, studies
from db.training import perceptions
from db.transfer import imports
from tests.core.models import tiny
from tests.core.training.perception.task import corpus
from tests.terminal import as_json, bad, good

PLAN = PerceptionPlan(epochs=1, passes=2, penalised=1, seeds=(0, 1))


@pytest.fixture
def study(database: str) -> Study:
    return imported(corpus(planted=True, prompts=25))


def imported(records: list[StoryRecord], name: str = "two") -> Study:
    return imports.import_corpora(TERMINAL, name, [Corpus("mans", tuple(records))])


@pytest.fixture
def order(study: Study, tmp_path: Path) -> PerceptionOrder:
    base = tiny.save(tmp_path / "base", "BertModel", ModelRole.ENCODER, max_position_embeddings=64)
    return PerceptionOrder(study.id, story_texts.version(study.id), ("even", "odd"), base, groups=True, plan=PLAN)


def ran(order: PerceptionOrder) -> Job:
    return worker.run_job(jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test"))


def said(order: PerceptionOrder) -> list[Trained]:
    (newest, *_) = perceptions.listed(TERMINAL, order.study)
    return [replace(trained, seconds=0.0) for trained in perceptions.trained(TERMINAL, newest.id)]


def test_critics_of_every_system_and_seed_are_kept(order: PerceptionOrder, home: Path) -> None:
    assert perception_order(order.as_json()) == order
    job = ran(order)
    assert job.state is JobState.DONE
    assert job.done == job.total
    (step,) = (job.result or {})["steps"]
    once = sum(len(record.text) for record in corpus(planted=True, prompts=25) if record.system) / 2
    trained, judged = 18 / 25 * once, 2 * 5 / 25 * once  # by each of four critics, two groups: texts as prepared
    assert step["characters"] == pytest.approx(4 * work(order.plan, trained, judged), rel=0.1)
    critics = said(order)
    assert [(item.system, item.seed) for item in critics] == [("even", 0), ("even", 1), ("odd", 0), ("odd", 1)]
    assert [scores.group for scores in critics[0].judged] == ["even", "odd"]
    assert len(critics[0].judged[0].keys) == 5
    assert list((home / "training").glob("*")) == []
    (newest,) = perceptions.listed(TERMINAL, order.study)
    assert newest.settings["model"].startswith("base@")
    perceptions.remove(TERMINAL, newest.id)
    assert perceptions.listed(TERMINAL, order.study) == []
    with pytest.raises(NotFound):
        perceptions.trained(TERMINAL, newest.id)


def test_the_bar_counts_what_is_judged_too(order: PerceptionOrder) -> None:
    told: list[tuple[int, int, str]] = []
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")
    with mock.patch("work.watch.TELL_EVERY", 0.0), mock.patch("core.durations.FEWEST_SECONDS", 0.0):
        worker.run_job(job, lambda *what: told.append(what))
    critics = [part for part in told if ", seed " in part[2]]
    assert len({total for _, total, _ in critics}) == 1
    assert [done for done, _, _ in critics] == sorted(done for done, _, _ in critics)
    passes = [done for done, _, what in critics if "odd, seed 1: judging texts of even" in what]
    assert len(passes) == PLAN.passes + 1
    assert passes[-1] > passes[0]
    assert "left" not in critics[0][2]
    assert all("left" in what for _, _, what in critics[1:])
    assert told[-1] == (critics[0][1], critics[0][1], "Keeping what the critics say")


def test_cancelled_and_gone_on_with(order: PerceptionOrder) -> None:
    assert ran(order).state is JobState.DONE
    whole = said(order)
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")
    lines: list[str] = []

    def cancel(done: int, total: int, what: str) -> None:
        lines.append(what)
        if what.startswith("odd"):
            jobs.cancel(TERMINAL, job.id)

    assert worker.run_job(job, cancel).state is JobState.CANCELLED
    assert any(what.startswith("even, seed 0: loss") for what in lines)
    assert len(perceptions.listed(TERMINAL, order.study)) == 1
    assert len(list(order.folder.glob("*.json"))) == 2
    assert ran(order).state is JobState.DONE
    assert said(order) == whole
    assert len(perceptions.listed(TERMINAL, order.study)) == 2


def test_cancelled_while_it_judges(order: PerceptionOrder) -> None:
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")

    def cancel(_done: int, _total: int, what: str) -> None:
        if "judging texts of odd" in what:
            jobs.cancel(TERMINAL, job.id)

    with mock.patch("work.watch.TELL_EVERY", 0.0):
        assert worker.run_job(job, cancel).state is JobState.CANCELLED
    assert list(order.folder.glob("*.json")) == []
    assert perceptions.listed(TERMINAL, order.study) == []
    assert ran(order).state is JobState.DONE


def test_what_cannot_be_trained_leaves_nothing_behind(order: PerceptionOrder, home: Path) -> None:
    few = imported(corpus(planted=False, prompts=10), "few")
    for wrong, sentence in (
        (replace(order, systems=()), "Choose a system"),
        (replace(order, systems=("odd", "none")), "There is no story of a system 'none'"),
        (replace(order, version="other"), "The stories of this study are not those any more"),
        (replace(order, study=few.id, version=story_texts.version(few.id)), "of its 10 stories the prompts of 10"),
        (replace(order, base="nowhere/at-all"), "nowhere/at-all"),
    ):
        job = ran(wrong)
        assert job.state is JobState.FAILED
        assert sentence in job.message
    assert not list((home / "training").glob("*"))
    assert perceptions.listed(TERMINAL, order.study) == []


def test_only_researchers_may(order: PerceptionOrder) -> None:
    annotator = Person(None, "a", Role.ANNOTATOR)
    for asked in (
        lambda: perceptions.listed(annotator, 1),
        lambda: perceptions.trained(annotator, 1),
        lambda: perceptions.remove(annotator, 1),
        lambda: perceptions.records(annotator, 1),
        lambda: perceptions.add(annotator, 1, {}, []),
    ):
        with pytest.raises(Exception, match="researcher"):
            asked()


def test_ratings_that_come_in_meanwhile_change_nothing(order: PerceptionOrder) -> None:
    assert ran(order).state is JobState.DONE
    whole = said(order)
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")

    def cancel(_done: int, _total: int, what: str) -> None:
        if what.startswith("even, seed 1: loss"):
            jobs.cancel(TERMINAL, job.id)

    with mock.patch("work.watch.TELL_EVERY", 0.0):
        assert worker.run_job(job, cancel).state is JobState.CANCELLED
    contexts = set(whole[0].judged[0].contexts)
    other = next(str(number) for number in range(25) if str(number) not in contexts)
    records = perceptions.records(TERMINAL, order.study)[0]
    with mock.patch("work.perception.perceptions.records", return_value=(records, frozenset({other}))):
        assert ran(order).state is JobState.DONE
        assert said(order) == whole
        assert ran(order).state is JobState.DONE  # anew, with the new rating
    assert other in said(order)[0].judged[0].contexts


def test_a_study_that_is_deleted_meanwhile(order: PerceptionOrder, home: Path) -> None:
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")
    waiting = jobs.add(TERMINAL, "perception", order.study, order.as_json())

    def delete(_done: int, _total: int, what: str) -> None:
        if what.startswith("even, seed 1: loss"):
            studies.remove(TERMINAL, order.study, "two")

    assert worker.run_job(job, delete).state is JobState.CANCELLED
    assert jobs.get(waiting.id).state is JobState.CANCELLED
    assert list((home / "training").glob("*")) == []
    with pytest.raises(NotFound, match="This study is not there any more"):
        perceptions.add(TERMINAL, order.study, {}, [])


def test_a_deleted_study_takes_its_scores_along(order: PerceptionOrder) -> None:
    assert ran(order).state is JobState.DONE
    studies.remove(TERMINAL, order.study, "two")
    assert perceptions.listed(TERMINAL, order.study) == []


def test_the_commands(order: PerceptionOrder, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_HOME", str(home))
    given = ("train", "perception", "--study", "two", "--base", order.base, "--seeds", "1", "--passes", "2")
    result = as_json(*given, "--system", "odd", "--epochs", "1", home=home)
    (row,) = result["rows"]
    assert (row["system"], row["n"], len(row["critics"])) == ("odd", 5, 1)
    assert set(row["scores"]) == {"paper", "paper without m", "paper without c", "confidence", "none"}
    assert row["scores"]["paper"]["low"] <= row["scores"]["paper"]["value"] <= row["scores"]["paper"]["high"]
    table = as_json("systems", "--study", "two", "--all-stories", home=home)
    (name,) = table["signatures"]
    assert name == "perception"
    assert "weights:paper|without:nothing|v:1" in table["signatures"][name]
    assert table["systems"]["odd"]["metrics"][name]["mean"] == pytest.approx(row["scores"]["paper"]["value"])
    assert table["systems"]["even"]["metrics"][name]["n"] == 0
    none = as_json("systems", "--study", "two", "--weights", "none", home=home)
    assert none["systems"]["odd"]["metrics"][name]["mean"] == pytest.approx(row["scores"]["none"]["value"])
    assert "perception" in good("systems", "--study", "two", home=home)
    alone = as_json("systems", "--study", "two", "--all-stories", "--metric", "perception", home=home)
    assert alone["systems"] == table["systems"]
    assert "--training is one of 1, not 2" in bad("systems", "--study", "two", "--training", "2", home=home)
    assert "train with --groups" in bad("systems", "--study", "two", "--critics-of", "odd", home=home)
    assert "paper, confidence, none" in bad("systems", "--study", "two", "--weights", "x", home=home)
    assert "nothing, m, c" in bad("systems", "--study", "two", "--without", "x", home=home)
    assert "--tuning is adapter or full" in bad(*given, "--tuning", "frozen", home=home)
    before = len(jobs.of_study(order.study, kind="perception"))
    assert "no story of a system 'none'" in bad(*given, "--system", "none", home=home)
    assert len(jobs.of_study(order.study, kind="perception")) == before


def test_an_earlier_training_and_one_systems_critics(order: PerceptionOrder, home: Path) -> None:
    for seeds in ((0, 1), (2,)):
        assert ran(replace(order, plan=replace(PLAN, seeds=seeds))).state is JobState.DONE
    newest, first = perceptions.listed(TERMINAL, order.study)
    asked = ("systems", "--study", "two", "--all-stories", "--weights", "none", "--metric", "perception")
    for chosen, more in ((newest, ()), (first, ("--training", str(first.id)))):
        for critics_of in (None, "odd"):
            option = () if critics_of is None else ("--critics-of", critics_of)
            result = as_json(*asked, *more, *option, home=home)
            for system in ("even", "odd"):
                (score,) = [
                    perception_score
                    for perception_score in perception_scores(
                        perceptions.trained(TERMINAL, chosen.id), Weights.NONE, group=critics_of and system
                    )
                    if perception_score.system == (critics_of or system)
                ]
                mean = result["systems"][system]["metrics"]["perception"]["mean"]
                assert mean == pytest.approx(score.score.value)
    assert "one of even, odd" in bad("systems", "--study", "two", "--critics-of", "other", home=home)


def test_none_were_trained(study: Study, home: Path) -> None:
    assert "has no Perception Scores yet" in bad("systems", "--study", "two", "--metric", "perception", home=home)


def test_a_critic_that_is_gone_on_with_tells_no_speed(order: PerceptionOrder) -> None:
    job = jobs.add(TERMINAL, "perception", order.study, order.as_json(), runner="test")

    def cancel(_done: int, _total: int, what: str) -> None:
        if "odd, seed 1: judging" in what:
            jobs.cancel(TERMINAL, job.id)

    with mock.patch("work.watch.TELL_EVERY", 0.0):
        assert worker.run_job(job, cancel).state is JobState.CANCELLED
    again = ran(order)
    assert again.state is JobState.DONE
    assert (again.result or {})["steps"] == []
