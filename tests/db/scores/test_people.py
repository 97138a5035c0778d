"""People's stories are scored where they are compared, by the same runs, and nowhere else."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import worker
from core.analysis.preferences.metrics import judge_metrics
from core.annotation.builtin import PREFERENCES
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.formats.exports.preferences import read_preferences
from core.metrics.run import SCORED, checked
from core.people import TERMINAL
from core.scores import OWN_REFERENCE
from core.stories import Corpus, ScoreRecord, Source, StoryRecord
from db.annotation import settings
from db.jobs import jobs
from db.ratings.preferences import preferences_of
from db.scores import scores, tables
from db.studies import studies
from db.transfer import imports, rating_imports
from tests.db.conftest import make_annotator, make_study
from tests.db.pairs import PLANTED, compared_study, corpus, opened, work

BOTH = (Source.SYSTEM, Source.HUMAN)
BESIDE_PEOPLE = PairRules(a_panel=3, against_human=True, repeat=False)
PROMPTS = 3
SYSTEMS = PROMPTS * len(PLANTED)


@pytest.fixture
def study(database: str) -> Study:
    """Every system's story beside the human one."""
    return opened(BESIDE_PEOPLE, wanted=1, given=corpus(PROMPTS))


def score(study: Study, *names: str, **more: Any) -> dict[str, dict[str, Any]]:
    """The rows of a run, by metric."""
    run = checked({"metrics": list(names), **more})
    ended = worker.run_job(jobs.add(TERMINAL, "score", study.id, run, runner="test"))
    assert ended.result is not None, ended.message
    assert ended.done == ended.total == sum(row["scored"] for row in ended.result["rows"])
    return {row["metric"]: row for row in ended.result["rows"]}


@pytest.mark.both_databases
def test_a_study_says_whose_stories_its_runs_score(database: str, tmp_path: Any) -> None:
    assert scores.sources(make_study().id) == SCORED
    assert (
        scores.sources(compared_study(prompts=2).id) == SCORED
    )  # its controls show a human story beside a damaged one
    draft = studies.create(TERMINAL, "draft", "preferences")
    settings.set_form(TERMINAL, draft.id, replace(PREFERENCES, pairs=BESIDE_PEOPLE))
    assert scores.sources(draft.id) == BOTH
    file = tmp_path / "judged.csv"
    file.write_text("prompt,a,b,winner,system_a,system_b\nP.,One.,Two.,a,x,human\nP.,One.,Three.,b,x,y\n")
    assert scores.sources(rating_imports.import_ratings(TERMINAL, "brought", read_preferences(file)).id) == BOTH
    file.write_text("prompt,a,b,winner,system_a,system_b\nQ.,One.,Three.,b,x,y\n")
    assert scores.sources(rating_imports.import_ratings(TERMINAL, "alone", read_preferences(file)).id) == SCORED


@pytest.mark.both_databases
def test_a_run_scores_people_too_and_goes_on_where_it_was(study: Study) -> None:
    assert scores.count_stories(study.id, scores.sources(study.id)) == SYSTEMS + PROMPTS
    score(study, "words", sources=["system"])
    rows = score(study, "words", "bleu")
    assert (rows["words"]["scored"], rows["words"]["reused"]) == (PROMPTS, SYSTEMS)
    assert (rows["bleu"]["scored"], rows["bleu"]["reused"]) == (SYSTEMS, 0)
    again = score(study, "words", "bleu")
    assert [(row["scored"], row["reused"]) for row in again.values()] == [(0, SYSTEMS + PROMPTS), (0, SYSTEMS)]


def test_a_usual_study_scores_systems_alone(database: str) -> None:
    usual = opened(wanted=1, given=corpus(PROMPTS))
    row = score(usual, "words")["words"]
    assert (row["scored"], row["reused"]) == (SYSTEMS, 0)


def test_metrics_that_share_a_model_score_each_its_own(study: Study) -> None:
    """One step: the part that compares with references leaves people out, the other does not; the blend follows."""
    rows = score(study, "ruber-bert")
    assert rows["ruber-r-bert"]["scored"] == SYSTEMS
    assert rows["ruber-u-bert"]["scored"] == SYSTEMS + PROMPTS
    alone = {column.metric: column for column in tables.table(study.id).columns}
    table = tables.table(study.id, sources=BOTH)
    people = np.array([system == "human" for system in table.systems])
    for column in table.columns:
        assert np.isfinite(column.values[people]).all() == (column.metric == "ruber-u-bert")
        assert column.own_references == (0 if column.metric == "ruber-u-bert" else PROMPTS)
        # What a blend is scaled by does not move with people.
        np.testing.assert_array_equal(column.values[~people], alone[column.metric].values)


@pytest.mark.both_databases
def test_tables_hold_systems_alone_unless_they_are_asked(study: Study) -> None:
    score(study, "words", "bleu", sources=["system"])
    before = tables.table(study.id)
    score(study, "words")
    score(study, "bleu", sources=["human"])  # as somebody may have had a run do
    after = tables.table(study.id)
    assert (after.keys, after.systems, after.texts) == (before.keys, before.systems, before.texts)
    for old, new in zip(before.columns, after.columns, strict=True):
        np.testing.assert_array_equal(old.values, new.values)
        assert (old.reasons, old.signature) == (new.reasons, new.signature)
    whole = tables.table(study.id, sources=BOTH)
    people = [place for place, system in enumerate(whole.systems) if system == "human"]
    assert [whole.keys[place] for place in people] == [f"{p}-human" for p in range(PROMPTS)]
    bleu, words = whole.columns
    assert bleu.reasons == dict.fromkeys(people, OWN_REFERENCE)
    assert [words.values[place] for place in people] == [len(whole.texts[place].split()) for place in people]


def test_columns_that_were_kept_are_of_the_same_stories(study: Study) -> None:
    score(study, "words")
    kept: tables.Kept = {}
    alone = tables.table(study.id, kept=kept)
    both = tables.table(study.id, kept=kept, sources=BOTH)
    assert (len(alone.columns[0].values), len(both.columns[0].values)) == (SYSTEMS, SYSTEMS + PROMPTS)
    assert tables.table(study.id, kept=kept, sources=BOTH).columns[0] is both.columns[0]


def test_a_system_that_is_called_human_keeps_apart(database: str) -> None:
    stories = tuple(
        StoryRecord(
            f"{source}", "p", "Opening.", f"{source} wrote this.", source, "human" if source == "system" else ""
        )
        for source in BOTH
    )
    made = imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories)])
    assert tables.table(made.id, sources=BOTH).systems == ("system human", "human")
    assert tables.table(made.id).systems == ("human",)


@pytest.mark.both_databases
def test_every_decided_judgment_counts_once_people_are_scored(study: Study) -> None:
    import random

    work(make_annotator(study), random.Random(1))
    score(study, "sentences", "words", "bleu")
    judged = preferences_of(study.id)
    decided = int((judged.choice != 0).sum())
    assert decided
    table = tables.table(study.id, sources=scores.sources(study.id))
    rows = {row.metric: row for row in judge_metrics(judged, table, resamples=0).rows}
    for name in ("words", "sentences"):
        assert (rows[name].n, rows[name].missing, rows[name].over.systems) == (decided, 0, len(PLANTED))
    assert (rows["bleu"].n, rows["bleu"].reasons) == (0, {OWN_REFERENCE: decided})
    assert rows["bleu"].over.systems == len(PLANTED)


def test_imported_scores_of_people_stand_beside_the_others(study: Study) -> None:
    keys = scores.story_keys(study.id, BOTH)
    assert len(keys) == SYSTEMS + PROMPTS
    for name in ("mine", "bleu"):
        record = ScoreRecord(name, f"file:{name}", dict.fromkeys(keys, 1.0))
        scores.import_scores(TERMINAL, study.id, record)
    bleu, mine = tables.table(study.id, sources=BOTH).columns
    assert (mine.scored, bleu.scored, bleu.own_references) == (SYSTEMS + PROMPTS, SYSTEMS, PROMPTS)
