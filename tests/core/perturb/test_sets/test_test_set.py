"""Test sets: who stands on either side of an aspect, what is left out and why, and that a seed gives the same set."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.tables import read_stories
from core.perturb.cases import Of
from core.perturb.edits import apply
from core.perturb.test_sets.aspects import Aspect, Change, Test
from core.perturb.test_sets.generation import TestSetSettings, generate, sample_stories, settings_from, split_usable
from core.perturb.test_sets.test_set import TestSet, lengths, yields
from core.published.openmeva import DISCRIMINATION, INVARIANCE
from core.stories import StoryRecord, sentences
from tests.core.perturb.aspects import STORIES

TEXTS = (
    *STORIES,
    "Tom saw the puppies. The dog ran home, so he ran.",
    "Kim had a tractor. Her tractor was red.",
    "He was late. The wheel of his car broke.",
    "It was late. He hired an attorney. He won.",
)
RECORDS = [StoryRecord(f"s{i}", f"s{i}", "", text) for i, text in enumerate(TEXTS)]
GERMAN = "Der alte Mann ging in den Wald. Dort fand er einen kleinen Hund. Er nahm ihn mit nach Hause."
FEWER = {Aspect.CONSISTENCY: 0.5, Aspect.CAUSAL: 0.6, Aspect.TEMPORAL: 0.55}
"""The share of the paper's cases where fewer are made: only those that others of the story contradict, or that fit no
more the other way round.
"""
ROC_STORIES = 4_909
"""In the paper's test set: 4,736 are 96.48 % of it (Table 6, appendix B.2)."""


def order(test: Test = Test.DISCRIMINATION, **other: object) -> TestSetSettings:
    aspects = tuple(Aspect) if test is Test.DISCRIMINATION else tuple(Change)
    return replace(TestSetSettings(test, aspects, filter="none"), **other)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole() -> TestSet:
    return generate(RECORDS, order())


def check(found: TestSet) -> None:
    """What holds of every set."""
    seen: set[tuple[str, str, int]] = set()
    for case in found.cases:
        key = (case.aspect, case.id, case.label)
        assert key not in seen
        seen.add(key)
        assert apply(case.perturbed.original, case.perturbed.edits) == case.perturbed.text
        assert (case.perturbed.text == case.perturbed.original) is (case.label == 1)
        assert not case.perturbed.edits or case.label == 0


@pytest.mark.slow
def test_both_sides_of_every_aspect(whole: TestSet) -> None:
    check(whole)
    assert {case.aspect for case in whole.cases if not case.label} == set(Aspect)
    texts = dict(zip((record.key for record in RECORDS), TEXTS, strict=True))
    assert all(case.perturbed.original == texts[case.id] for case in whole.cases)
    assert all((case.source, case.of, case.acceptable) == (case.id, Of.HUMAN, None) for case in whole.cases)
    first = {key: text[: sentences(text)[0][1]] for key, text in texts.items()}
    assert all(case.perturbed.text.startswith(first[case.id]) for case in whole.cases)
    rules = whole.made_with["paraphrases"]
    assert rules.startswith("wordings@")
    assert whole.made_with == {"techniques": "ours", "lexicon": "wordnet-3.0", "paraphrases": rules, "filter": "none"}


def test_a_seed_gives_the_same_set_and_another_another(whole: TestSet) -> None:
    assert generate(RECORDS, order()) == whole
    other = generate(RECORDS, order(seed=1))
    assert {case.perturbed.text for case in other.cases} != {case.perturbed.text for case in whole.cases}


@pytest.mark.parametrize("aspect", [aspect for aspect in Aspect if aspect is not Aspect.SEMANTIC_REPETITION])
def test_a_story_is_changed_alike_whatever_is_asked_besides(whole: TestSet, aspect: Aspect) -> None:
    alone = generate(RECORDS, order(aspects=(aspect,)))
    assert list(alone.cases) == [case for case in whole.cases if case.aspect == aspect]


@pytest.mark.slow
@pytest.mark.parametrize("change", [change for change in Change if change is not Change.PARAPHRASES])
def test_and_whether_there_are_paraphrases_or_not(tmp_path: Path, change: Change) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text(json.dumps({"sentence": "He hired an attorney.", "paraphrase": "He employed a lawyer."}))
    for seed in range(8):
        alone = generate(RECORDS, order(Test.INVARIANCE, aspects=(change,), seed=seed))
        among = generate(RECORDS, order(Test.INVARIANCE, paraphrases=str(file), seed=seed))
        assert list(alone.cases) == [case for case in among.cases if case.aspect == change]


def test_originals_of_changes_are_stories_and_incoherent_ones() -> None:
    test_set = generate(RECORDS, order(Test.INVARIANCE))
    check(test_set)
    pairs = Counter((case.aspect, case.id) for case in test_set.cases)
    assert set(pairs.values()) == {2}
    incoherent = [case for case in test_set.cases if case.of is Of.INCOHERENT]
    assert incoherent
    for case in incoherent:
        assert case.id.startswith(f"{case.source}/")
        assert case.perturbed.original not in TEXTS
    assert all(case.perturbed.original in TEXTS for case in test_set.cases if case.of is Of.HUMAN)
    assert Counter(case.of for case in test_set.cases if case.aspect == Change.TYPOS) == {
        Of.HUMAN: 20,
        Of.INCOHERENT: 20,
    }


def test_paraphrases_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "pairs.jsonl"
    sentence, again = "He hired an attorney.", "He employed a lawyer."
    file.write_text(json.dumps({"sentence": sentence, "paraphrase": again}))
    wanted = order(aspects=(Aspect.SEMANTIC_REPETITION,), paraphrases=str(file))
    test_set = generate(RECORDS, wanted)
    (case,) = (case for case in test_set.cases if not case.label)
    assert case.perturbed.text == TEXTS[-1].replace(sentence, f"{sentence} {again}")
    assert test_set.made_with["paraphrases"].startswith("pairs.jsonl@")
    assert sum(case.label for case in test_set.cases) == len(TEXTS)


def test_what_is_left_out_and_why() -> None:
    records = [StoryRecord("a", "a", "", ""), StoryRecord("b", "b", "", "One."), StoryRecord("c", "c", "", GERMAN)]
    records += [StoryRecord("d", "d", "One.", "One."), StoryRecord("e", "e", "A prompt.", "One.")]
    kept, left_out = split_usable(records)
    assert [record.key for record in kept] == ["e"]
    assert [key for key, _ in left_out] == ["a", "b", "c", "d"]
    assert left_out[2][1] == "it is in German, and the aspects are of English"
    test_set = generate([*RECORDS, *records], order())
    assert test_set.stories == len(TEXTS) + 1
    assert sum(test_set.reasons.values()) == 4


def test_what_cannot_be_ordered() -> None:
    with pytest.raises(InputError, match="No story can be tested with: it has one sentence"):
        generate([StoryRecord("b", "b", "", "One.")], order())
    with pytest.raises(InputError, match="No story can be tested with: there is none"):
        generate([], order())
    with pytest.raises(InputError, match="Nothing in these stories can be changed in the aspects chosen"):
        generate([StoryRecord("a", "a", "", "He ran. She ran.")], order(aspects=(Aspect.CAUSAL,)))
    with pytest.raises(InputError, match="from a file or from translation models: name one of them"):
        generate(RECORDS, order(paraphrases="a.json", translation=("x", "y")))
    with pytest.raises(InputError, match="takes two models: name both"):
        generate(RECORDS, order(translation=("x", "")))


def test_an_order_comes_back_from_a_job() -> None:
    wanted = order(most=7, seed=3, translation=("a", "b"))
    assert settings_from({**wanted.settings(), "name": "mine", "study": ""}) == wanted


def test_a_sample_keeps_the_order() -> None:
    records = sample_stories(RECORDS, 3, 0)
    assert len(records) == 3
    assert records == [record for record in RECORDS if record in records]
    assert records == sample_stories(RECORDS, 3, 0)
    assert sample_stories(RECORDS, None, 0) == sample_stories(RECORDS, 99, 0) == RECORDS


def test_yields_and_lengths(whole: TestSet) -> None:
    rows = {row.aspect: row for row in yields(whole.cases, Aspect, whole.stories)}
    row = rows[Aspect.CONSISTENCY]
    assert 1 < row.changed < 10
    assert (row.stories, row.passed, row.share) == (10, None, row.changed / 10)
    assert sum(row.ways.values()) == row.changed
    assert rows[Aspect.SEMANTIC_REPETITION].changed == 2
    judged = [replace(case, acceptable=0.5 - case.label / 4) for case in whole.cases]
    assert {item.passed for item in yields(judged, [Aspect.CONSISTENCY], 10)} == {row.changed}
    assert set(lengths(whole.cases)) == {"coherent", "incoherent"}
    assert lengths(generate(RECORDS, order(Test.INVARIANCE, aspects=(Change.TYPOS,))).cases)["human originals"] == (
        pytest.approx(sum(len(text[: sentences(text)[0][1]].split()) for text in TEXTS) / 10),
        pytest.approx(sum(len(text[sentences(text)[0][1] :].split()) for text in TEXTS) / 10),
    )


@pytest.mark.slow
def test_yields_of_real_stories_are_the_papers_or_more(shared: Path) -> None:
    records = read_stories(shared / "stories" / "rocstories.jsonl").stories
    test_set = generate(
        records, order(most=600, aspects=tuple(aspect for aspect in Aspect if aspect != Aspect.RELATEDNESS))
    )
    check(test_set)
    printed = dict(zip(map(str, Aspect), _counts(DISCRIMINATION.rows["ROC incoherent"]), strict=True))
    for row in yields(test_set.cases, Aspect, test_set.stories):
        if row.aspect not in (Aspect.SEMANTIC_REPETITION, Aspect.RELATEDNESS):
            assert row.share >= FEWER.get(row.aspect, 1) * printed[row.aspect] / ROC_STORIES, row.aspect
    changed = generate(records, order(Test.INVARIANCE, most=300))
    human = dict(zip(map(str, Change), _counts(INVARIANCE.rows["ROC stories"])[::2], strict=True))
    for row in yields(changed.cases, Change, changed.stories):
        if row.aspect != Change.PARAPHRASES and row.of is Of.HUMAN:
            assert row.share >= human[row.aspect] / ROC_STORIES, row.aspect


def _counts(row: Sequence[object]) -> list[int]:
    return [int(str(value).replace(",", "")) for value in row]
