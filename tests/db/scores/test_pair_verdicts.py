"""Verdicts on pairs are kept by signature and both contents, as scores are by one."""

import random
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import func, select

from core.annotation.pair_design import PairRules
from core.errors import NotFound
from core.judges.pair import Verdict
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.backup import snapshot
from db.engine import reading
from db.schema import pair_verdict
from db.scores import pair_verdicts, scores
from db.scores.pair_verdicts import Contents
from db.studies import lifecycle, studies
from db.transfer import imports
from tests.db.conftest import make_annotator, make_study
from tests.db.pairs import compared_study, opened, work

pytestmark = pytest.mark.both_databases
SIGNATURE = ("judge:preference", "judge:preference|model:m|v:1")


def stored() -> int:
    with reading() as connection:
        return connection.scalar(select(func.count()).select_from(pair_verdict)) or 0


def test_what_people_compared_comes_once_whatever_the_side(database: str) -> None:
    study = compared_study(prompts=2, raters=2, scored=False)
    pairs = pair_verdicts.compared(study.id)
    assert len(pairs) == len({frozenset(pair.keys) for pair in pairs}) == pair_verdicts.count(study.id) == 12
    assert all(pair.contents.first < pair.contents.second for pair in pairs)
    assert all("negative" not in "".join(pair.keys) for pair in pairs)
    texts = pair_verdicts.read(pairs)
    assert [(text.first_hash, text.second_hash) for text in texts] == [pair.contents for pair in pairs]
    assert pair_verdicts.characters(pairs) == sum(2 * len(text.first + text.second) for text in texts)
    assert all(text.opening == f"Opening {pair.prompt[1:]}." for text, pair in zip(texts, pairs, strict=True))
    assert pair_verdicts.compared(make_study().id) == []


def test_verdicts_come_back_with_reasons_and_are_not_asked_for_again(database: str) -> None:
    study = compared_study(prompts=2, scored=False)
    number = scores.begin_run(study.id, *SIGNATURE)
    before = pair_verdicts.pending(study.id, number)
    assert before == pair_verdicts.pending(study.id, None) == pair_verdicts.compared(study.id)
    said = [Verdict(-1, -1), Verdict(1, -1), Verdict(None, 0, "it cannot be read")]
    pair_verdicts.store(study.id, number, {pair.contents: one for pair, one in zip(before, said, strict=False)})
    assert pair_verdicts.pending(study.id, number) == before[3:]
    assert pair_verdicts.undefined(study.id, number) == {"it cannot be read": 1}
    (column,) = pair_verdicts.columns(study.id)
    assert (column.metric, column.signature) == SIGNATURE
    assert column.first == tuple(pair.keys[0] for pair in before)
    assert column.verdicts[:2].tolist() == [-1, 0]
    assert np.isnan(column.verdicts[2:]).all()
    assert column.reasons == {2: "it cannot be read"}
    pair_verdicts.store(study.id, number, {before[2].contents: Verdict(0, 0)})
    assert pair_verdicts.undefined(study.id, number) == {}
    assert stored() == 3


def test_stories_of_the_same_text_are_judged_once(database: str) -> None:
    told = {"one": "good", "one too": "good", "two": "fair"}
    stories = tuple(
        StoryRecord(f"{p}-{name}", f"p{p}", "An opening.", f"{word} goes on. It rained {word} times.", system=name)
        for p in range(2)
        for name, word in told.items()
    )
    study = opened(PairRules(a_panel=6, controls=1, repeat=False), wanted=1, given=Corpus("", stories))
    work(make_annotator(study), random.Random(0))
    contents = {pair.contents for pair in pair_verdicts.compared(study.id)}
    assert len(pair_verdicts.pending(study.id, None)) == len(contents) == pair_verdicts.count(study.id) == 2
    number = scores.begin_run(study.id, *SIGNATURE)
    pair_verdicts.store(study.id, number, dict.fromkeys(contents, Verdict(1, 1)))
    (column,) = pair_verdicts.columns(study.id)
    assert column.answered.all()
    assert len(column.first) == 6


def test_a_copy_and_the_next_study_have_them_and_a_deleted_one_leaves_them(database: str) -> None:
    study = compared_study(prompts=2, scored=False)
    number = scores.begin_run(study.id, *SIGNATURE)
    every = {pair.contents: Verdict(0, 0) for pair in pair_verdicts.compared(study.id)}
    pair_verdicts.store(study.id, number, every)
    copy = lifecycle.clone(TERMINAL, study.id, "copy")
    assert pair_verdicts.columns(copy.id) == []
    other = compared_study(prompts=2, scored=False, name="other")
    assert pair_verdicts.pending(other.id, number) == []
    studies.remove(TERMINAL, study.id, study.name)
    assert stored() == len(every)
    with pytest.raises(NotFound):
        pair_verdicts.store(study.id, number, every)


def test_a_pair_whose_story_has_new_references_is_judged_anew(database: str) -> None:
    study = compared_study(prompts=1, scored=False)
    before = pair_verdicts.compared(study.id)
    studies.close_study(TERMINAL, study.id)
    human = StoryRecord("late", "p0", "Opening 0.", "Somebody goes on too.", Source.HUMAN)
    imports.import_corpora(TERMINAL, study.name, [Corpus("", (human,))])
    assert pair_verdicts.read(before) == []
    after = pair_verdicts.compared(study.id)
    assert {frozenset(pair.ids) for pair in after} == {frozenset(pair.ids) for pair in before}
    assert {pair.contents for pair in after}.isdisjoint(pair.contents for pair in before)


def test_a_backup_has_them(database: str, tmp_path: Path) -> None:
    study = compared_study(prompts=1, scored=False)
    number = scores.begin_run(study.id, *SIGNATURE)
    pair_verdicts.store(study.id, number, {Contents("a", "b"): Verdict(-1, 1)})
    snapshot.take(tmp_path / "backup.db")
    assert snapshot.counts(tmp_path / "backup.db")["pair_verdict"] == 1
