"""Test sets are made in the worker: to the end, stopped, or refused, and then nothing is kept."""

from pathlib import Path

import pytest

import worker
from core.jobs import Job, JobState
from core.metrics.judging.judge import Judge
from core.metrics.run import checked
from core.people import TERMINAL
from core.perturb.test_sets.aspects import Aspect, Change, Test
from core.perturb.test_sets.generation import TestSetSettings
from core.perturb.test_sets.test_set import description_from
from core.stories import Corpus, Source, StoryRecord
from db.jobs import jobs
from db.studies import studies
from db.test_sets import case_table, test_sets
from db.transfer import imports
from pages.ui.capability.run_estimate import estimate
from tests.core.judges.scripted import ScriptedBackend
from tests.core.perturb.aspects import STORIES
from tests.tested import case, discrimination, keep

ORDER = TestSetSettings(Test.DISCRIMINATION, tuple(Aspect), most=5)


@pytest.fixture
def study(database: str) -> int:
    """Six human stories, one of a single sentence, and one of a system's."""
    records = [StoryRecord(f"s{i}", str(i), "", text, Source.HUMAN) for i, text in enumerate(STORIES)]
    records += [StoryRecord("short", "s", "", "One sentence only.", Source.HUMAN)]
    records += [StoryRecord("machine", "m", "", "A machine wrote. It did not stop.", Source.SYSTEM, "gpt")]
    return imports.import_corpora(TERMINAL, "mine", [Corpus("", tuple(records))]).id


def ordered(study: int | None, order: TestSetSettings = ORDER, name: str = "the set", group: str = "human") -> Job:
    settings = {**order.settings(), "name": name, "study": "mine" if study else "", "group": group if study else ""}
    return jobs.add(TERMINAL, "test set", study, settings, runner="test")


def test_a_set_is_made_and_kept(study: int) -> None:
    job = worker.run_job(ordered(study, TestSetSettings(Test.DISCRIMINATION, tuple(Aspect))))
    assert job.state is JobState.DONE, job.message
    kept = test_sets.find(TERMINAL, "the set")
    assert job.result == {"test_set": kept.id, "cases": kept.cases, "stories": 6, "notices": []}
    about = description_from(kept.about)
    assert (about.of, about.group, about.stories, about.seed) == ("mine", "human", 6, 0)
    assert list(about.aspects) == list(Aspect)
    assert list(about.left_out.values()) == [1]
    assert set(about.lengths) == {"coherent", "incoherent"}
    assert about.made_with["lexicon"].startswith("wordnet")
    cases = [kept_case.case for kept_case in test_sets.cases(TERMINAL, kept.id)]
    assert len(cases) == kept.cases
    assert {case.source for case in cases} <= {f"s{i}" for i in range(len(STORIES))}
    assert all(case.acceptable is None or 0 <= case.acceptable <= 1 for case in cases)
    assert any(case.acceptable is not None for case in cases)
    again = worker.run_job(ordered(study, TestSetSettings(Test.DISCRIMINATION, tuple(Aspect)), "again"))
    assert again.state is JobState.DONE
    assert [kept_case.case for kept_case in test_sets.cases(TERMINAL, test_sets.find(TERMINAL, "again").id)] == cases


def test_fabula_s_own_stories_and_no_filter(study: int) -> None:
    order = TestSetSettings(Test.INVARIANCE, (Change.TYPOS, Change.CONTRACTION), most=4, filter="none")
    assert worker.run_job(ordered(None, order)).state is JobState.DONE
    kept = test_sets.find(TERMINAL, "the set")
    assert (kept.test, kept.about["of"], kept.about["stories"]) == (Test.INVARIANCE, "", 4)
    assert kept.about["made_with"]["filter"] == "none"
    assert all(kept_case.case.acceptable is None for kept_case in test_sets.cases(TERMINAL, kept.id))


OWN = """
import time
from core.metrics.base import Card, Kind, Metric, Scores

class Own(Metric):
    name, kind, needs = "own", Kind.UNREFERENCED, frozenset()
    card = Card("nothing", "none", "everything")

    def score(self, stories, on_progress=None):
        time.sleep(0.01)
        return Scores.collect([len(story.text) for story in stories])
"""


def test_a_run_on_a_set_teaches_how_long_the_next_takes(study: int, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    run = {"metrics": [f"{tmp_path / 'own.py'}:Own"], "models": {}}
    numbers = [keep("first", discrimination(60)), keep("second", [case(n, "causal", 0, "red") for n in range(60, 70)])]
    tests = [case_table.together(TERMINAL, [number]) for number in numbers]
    assert "roughly" in estimate(run, tests[1])
    job = worker.run_job(jobs.add(TERMINAL, "capability", None, {**run, "test_set": numbers[0]}, runner="test"))
    assert job.state is JobState.DONE, job.message
    assert job.result is not None
    (step,) = job.result["steps"]
    assert (step["key"], step["characters"]) == (run["metrics"][0], tests[0].left(["own"])[1])
    assert jobs.speeds()[step["key"]].latest == step["characters"] / step["seconds"]
    assert "by the last runs here" in estimate(run, tests[1])
    again = worker.run_job(jobs.add(TERMINAL, "capability", None, {**run, "test_set": numbers[0]}, runner="test"))
    assert again.result is not None
    assert again.result["steps"] == []  # nothing was left to read


def test_one_that_is_stopped_keeps_nothing(study: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("work.watch.TELL_EVERY", 0.0)
    job = ordered(study)

    def stop(done: int, total: int, what: str) -> None:
        if what.startswith("Making"):
            jobs.cancel(TERMINAL, job.id)

    assert worker.run_job(job, stop).state is JobState.CANCELLED
    assert test_sets.listed(TERMINAL) == []
    jobs.resume(TERMINAL, job.id)
    (queued,) = jobs.of_kind("test set")
    claimed = jobs.claim("test", queued.id)
    assert claimed is not None
    assert worker.run_job(claimed).state is JobState.DONE
    assert len(test_sets.listed(TERMINAL)) == 1


def test_a_study_that_is_gone_is_a_sentence(study: int) -> None:
    job = ordered(study)
    studies.remove(TERMINAL, study, "mine")
    ended = worker.run_job(jobs.get(job.id))
    assert (ended.state, ended.message) == (JobState.FAILED, "The study of this job has been deleted.")
    assert test_sets.listed(TERMINAL) == []


def test_a_name_that_is_taken_is_said_before_the_work(study: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worker.run_job(ordered(study, TestSetSettings(Test.INVARIANCE, (Change.TYPOS,)))).state is JobState.DONE

    def nothing(*_: object) -> None:
        raise AssertionError("it works")

    monkeypatch.setattr("work.test_sets.generate", nothing)
    ended = worker.run_job(ordered(study))
    assert ended.state is JobState.FAILED
    assert "There is a test set named 'the set' already: choose another name." in ended.message


@pytest.mark.parametrize(
    ("order", "said"),
    [
        (TestSetSettings(Test.DISCRIMINATION, (Aspect.CAUSAL,), knowledge="/nowhere.csv"), "/nowhere.csv"),
        (TestSetSettings(Test.INVARIANCE, (Change.PARAPHRASES,), paraphrases="/nowhere.json"), "nowhere.json"),
    ],
    ids=["lexicon", "file"],
)
def test_what_cannot_be_made_is_a_sentence(study: int, order: TestSetSettings, said: str) -> None:
    ended = worker.run_job(ordered(study, order))
    assert ended.state is JobState.FAILED
    assert said in ended.message
    assert test_sets.listed(TERMINAL) == []


def test_stories_that_cannot_be_tested_with(study: int) -> None:
    records = tuple(StoryRecord(str(i), str(i), "", "One sentence.", Source.HUMAN) for i in range(3))
    short = imports.import_corpora(TERMINAL, "short", [Corpus("", records)]).id
    ended = worker.run_job(ordered(short))
    assert ended.state is JobState.FAILED
    assert "No story can be tested with: it has one sentence" in ended.message


def test_a_judge_reads_a_set_like_any_metric(study: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its replies are kept: a second set of the same texts asks nothing."""
    backend = ScriptedBackend(lambda request: str(1 + len(request.messages[-1].text) % 5))
    monkeypatch.setattr(Judge, "backend", backend)
    order = TestSetSettings(Test.INVARIANCE, (Change.TYPOS,), most=4, filter="none")
    asked = []
    for name in ("the set", "again"):
        assert worker.run_job(ordered(study, order, name)).state is JobState.DONE
        number = test_sets.find(TERMINAL, name).id
        run = checked({"metrics": ["judge"], "models": {}, "options": {}})
        job = worker.run_job(jobs.add(TERMINAL, "capability", None, {"test_set": number, **run}, runner="test"))
        assert job.state is JobState.DONE, job.message
        assert job.result is not None
        assert [row["metric"] for row in job.result["rows"]] == ["judge:overall"]
        asked.append(len(backend.asked))
    assert asked[0] == asked[1] == job.result["texts"]
