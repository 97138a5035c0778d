"""Explanations against the slow obvious way: every variant scored by itself, the second head read by hand."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.checkpoints.checkpoint import Checkpoint
from core.english.knowledge import shared_wordnet
from core.errors import InputError
from core.explanation.explain import explain, find_edits, reconstruction, variants
from core.explanation.results import (
    Explanation,
    ScoredSentence,
    StoryLayout,
    edits_by_sentence,
    explanation_from,
    search,
    verdict,
)
from core.formats.plain_json import plain
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, ModelSource, locate
from core.perturb.edits import Draft, Perturbed
from core.perturb.negatives.sampler import Sampler
from core.perturb.negatives.sets import negative_set
from core.stories import Story, StoryRecord, sentences
from core.windows import Long
from tests.core.models import tiny
from tests.core.training.union.task import STORIES
from tests.core.training.union.train import CORPORA, PLAN, train_tiny

PROMPT, TEXT = "Once [MALE] had a dog", "it ran off . he did n't see it .\nThen it came home!  He was glad"


@pytest.fixture(scope="module", params=["LlamaForCausalLM", "BertModel"])
def base(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ModelSource:
    """A causal model with byte-level pieces, and an encoder with word pieces."""
    role = ModelRole.LANGUAGE if "Causal" in request.param else ModelRole.ENCODER
    options = {"num_key_value_heads": 2} if "Causal" in request.param else {}
    folder = tmp_path_factory.mktemp("base")
    return locate(tiny.save(folder, request.param, role, max_position_embeddings=128, **options), role)


@pytest.fixture(scope="module")
def checkpoint(base: ModelSource, tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return train_tiny(base, tmp_path_factory.mktemp("made"), replace(PLAN, reconstruction=1.0))


@pytest.fixture(scope="module")
def scorer(base: ModelSource, checkpoint: Checkpoint) -> Scorer:
    return Scorer(checkpoint, base, "cpu")


def negative_of(story: str, seed: str = "3") -> Perturbed:
    perturbed = Sampler(STORIES, shared_wordnet()).negative(story, seed)
    assert perturbed is not None
    return perturbed


def test_sentences_are_those_of_the_text_as_it_was_written() -> None:
    layout = StoryLayout.of(Story(TEXT, PROMPT))
    assert [layout.text[start:end] for start, end in layout.spans] == [
        PROMPT, "it ran off .", "he did n't see it .", "Then it came home!", "He was glad",
    ]  # fmt: skip
    assert layout.fixed == 1
    assert StoryLayout.of(Story(f"{PROMPT}. {TEXT}", f"{PROMPT}.")).fixed == 1
    assert StoryLayout.of(Story(" " + TEXT)).fixed == 1


@pytest.mark.slow
def test_a_contribution_is_the_score_less_that_without_the_sentence(scorer: Scorer) -> None:
    told: list[tuple[int, int]] = []
    explanation = explain(scorer, Story(TEXT, PROMPT), on_progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (6, 6)
    assert explanation.logit == pytest.approx(scorer.logits([f"{PROMPT} {TEXT}"])[0], abs=1e-5)
    parts = [PROMPT, "it ran off .", "he did n't see it .", "Then it came home!", "He was glad"]
    for i, sentence in enumerate(explanation.sentences):
        by_hand = scorer.logits([" ".join(parts[:i] + parts[i + 1 :])])[0]
        assert explanation.contribution(sentence) == pytest.approx(explanation.logit - by_hand, abs=1e-4)
        assert sentence.fixed == (i == 0)
    assert len({round(scored_sentence.without or 0, 6) for scored_sentence in explanation.sentences}) == 5
    assert explanation_from(plain(explanation)) == explanation


def test_the_second_head_by_hand_over_the_whole_vocabulary(scorer: Scorer) -> None:
    story = "The DOG ran off. It did n't see a 🦊 there."
    pieces, rebuilt = reconstruction(scorer, story)
    text = scorer.prepared(story)
    ids = scorer.trunk.tokenizer(text, add_special_tokens=False)["input_ids"]
    assert pieces == len(ids)
    (reading,) = scorer.trunk.read([text])
    table = scorer.trunk.model.get_input_embeddings().weight
    left = iter(rebuilt)
    with torch.no_grad():
        for state, standing in zip(reading.pieces.float(), ids, strict=True):
            head = scorer.head
            narrow = torch.nn.functional.gelu(head.narrow((state - head.pieces_mean) / head.pieces_deviation))
            scores = table @ (head.rebuild.weight @ narrow + head.rebuild.bias)
            if int(scores.argmax()) == standing:
                continue
            item = next(left)
            assert item.p == pytest.approx(float(scores.softmax(0).max()), abs=1e-4)
            assert item.p_standing == pytest.approx(float(scores.softmax(0)[standing]), abs=1e-4)
            assert item.p > item.p_standing
    assert next(left, None) is None
    assert rebuilt  # or nothing was tested
    stands = [text[entry.start : entry.end].strip().lower() for entry in rebuilt]
    assert all(stands)
    assert set("".join(stands)) <= set(text.lower())


def test_a_checkpoint_without_reconstruction_says_nothing_of_it(base: ModelSource, tmp_path: Path) -> None:
    without = Scorer(train_tiny(base, tmp_path, replace(PLAN, reconstruction=0)), base, "cpu")
    assert explain(without, Story(TEXT)).rebuilt is None


def test_a_negative_has_its_edits_and_the_human_sentences_put_back(scorer: Scorer) -> None:
    for seed in range(6):
        made_of = negative_of(STORIES[5], str(seed))
        explanation = explain(scorer, Story(made_of.text), made_of)
        assert explanation.human == pytest.approx(scorer.logits([STORIES[5]])[0], abs=1e-5)
        before, after = ([text[s:e] for s, e in sentences(text)] for text in (made_of.original, made_of.text))
        for i, sentence in enumerate(explanation.sentences):
            assert sentence.edited == (before[i] != after[i])
            assert set(sentence.techniques) <= {step.technique for step in made_of.steps}
            assert bool(sentence.techniques) == sentence.edited
            if sentence.edited:
                again = " ".join([*after[:i], before[i], *after[i + 1 :]])
                assert sentence.restored == pytest.approx(scorer.logits([again])[0], abs=1e-4)
                assert explanation.regained(sentence) == pytest.approx((sentence.restored or 0) - explanation.logit)
            else:
                assert sentence.restored is None
        assert "by chance" in verdict(explanation) or "Every sentence" in verdict(explanation)


def test_a_prompt_before_a_negative_is_never_edited(scorer: Scorer) -> None:
    perturbed = Sampler(STORIES, shared_wordnet()).negative(TEXT, "1", kept=0)
    assert perturbed is not None
    explanation = explain(scorer, Story(perturbed.text, PROMPT), perturbed)
    assert len(explanation.sentences) == 5
    assert not explanation.sentences[0].edited
    assert [sentence.edited for sentence in explanation.sentences[1:]] == [
        was for was, _ in edits_by_sentence(perturbed)
    ]


DAYS = [f"The {i}th day was long, and nobody came to see the old man at all." for i in range(30)]
"""15 words each."""


def test_what_lies_behind_the_cut_is_not_left_out(scorer: Scorer) -> None:
    story = " ".join(DAYS)
    explanation = explain(scorer, Story(story), long=Long.CUT)
    read = [sentence.without is not None for sentence in explanation.sentences]
    assert read == [True] * 13 + [False] * 17  # cut within 200
    assert explanation.logit == scorer.logits([story], long=Long.CUT)[0]
    assert explanation.rebuilt is not None
    assert max(rebuilt.end for rebuilt in explanation.rebuilt) <= len(" ".join(DAYS[:13]))


@pytest.mark.slow
def test_each_sentence_is_left_out_of_the_windows_that_it_stands_in(scorer: Scorer) -> None:
    """By hand: days 1 to 13 and 14 to 26 fill a window each, and the last reaches back over days 18 to 30."""
    explanation = explain(scorer, Story(" ".join(DAYS)))
    windows = [DAYS[:13], DAYS[13:26], DAYS[17:]]
    logits = [scorer.logits([" ".join(window)])[0] for window in windows]
    assert explanation.logit == pytest.approx(sum(logits) / 3, abs=1e-5)
    for number in (0, 12, 13, 20, 29):
        left = [" ".join(day for day in window if day != DAYS[number]) for window in windows]
        assert explanation.sentences[number].without == pytest.approx(scorer.logits(left).mean(), abs=1e-4)
    assert explanation.rebuilt is not None
    written = " ".join(DAYS)
    starts = [rebuilt.start for rebuilt in explanation.rebuilt]
    assert starts == sorted(set(starts))
    assert explanation.pieces == len(scorer.trunk.tokenizer(written, add_special_tokens=False)["input_ids"])


@pytest.mark.slow
def test_a_long_negative_has_its_human_sentences_put_back(scorer: Scorer) -> None:
    draft = Draft(" ".join(DAYS))
    draft.step("negation", "by hand", [(draft.text.index("The 20th"), draft.text.index("The 21th"), "It was not. ")])
    made_of = draft.done()
    explanation = explain(scorer, Story(made_of.text), made_of)
    assert explanation.human == scorer.logits([made_of.original])[0]
    assert [number for number, sentence in enumerate(explanation.sentences) if sentence.edited] == [20]
    assert explanation.sentences[20].restored is not None
    text, (start, end) = made_of.text, (explanation.sentences[20].start, explanation.sentences[20].end)
    whole, read = " ".join(DAYS), []
    for first, last in scorer.windows(text):
        window = text[first:last]
        read.append(window.replace(text[start:end], DAYS[20]) if first <= start < last else window)
    assert whole == made_of.original
    assert explanation.sentences[20].restored == pytest.approx(scorer.read(read).mean(), abs=1e-4)


def test_a_sentence_longer_than_a_window_is_left_out_of_each_that_it_fills(scorer: Scorer) -> None:
    long = " ".join(["on and"] * 130)
    explanation = explain(scorer, Story(f"He went. Then he went {long} on. It was late."))
    without = [sentence.without for sentence in explanation.sentences]
    assert without[1] == pytest.approx(scorer.logits(["He went.", "It was late."]).mean(), abs=1e-4)
    assert all(value is not None for value in without)


def test_one_sentence_has_a_score_and_nothing_to_leave_out(scorer: Scorer) -> None:
    explanation = explain(scorer, Story("Only this."))
    assert [sentence.without for sentence in explanation.sentences] == [None]
    assert explanation.rebuilt is not None


def test_what_cannot_be_explained_is_one_sentence(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="The story is empty"):
        variants(scorer, Story(" \n"))
    draft = Draft("It was. He ran. She slept.")
    draft.step("negation", "by hand", [(7, 16, "")])
    with pytest.raises(InputError, match="not as many sentences"):
        variants(scorer, Story(draft.text), draft.done())
    monkeypatch.setattr("core.explanation.explain.MOST", 50)
    with pytest.raises(InputError, match="would take too long"):
        variants(scorer, Story(TEXT))


def explained(*rows: tuple[float, bool], fixed: float = 5.0) -> Explanation:
    """A negative whose opening contributes `fixed`, and each other sentence so much; and whether it was edited."""
    opening = ScoredSentence(0, 1, True, -fixed)
    others = [
        ScoredSentence(i, i + 1, False, -value, was, ("negation",) if was else ())
        for i, (value, was) in enumerate(rows)
    ]
    return Explanation(0.0, (opening, *others), human=1.0)


def test_the_verdict_counts_edited_sentences_among_the_lowest() -> None:
    explanation = explained((-2, True), (-1, False), (-0.5, True), (0.2, False), (-1.5, True), fixed=-9)
    told = search(explanation)
    assert (told.free, told.edited, told.hits) == (5, 3, 2)
    assert told.auc == pytest.approx((2 + 1 + 2) / 6)
    assert verdict(explanation) == (
        "2 of the 3 sentences whose removal raises the score most were edited (by chance: 1.8)."
    )
    assert verdict(explained((1, False), (0, True))).startswith(
        "The sentence whose removal raises the score most was the"
    )
    assert "was not the edited one (by chance: 1 in 2)" in verdict(explained((0, False), (1, True)))
    assert verdict(explained((1, True), (0, True))).startswith("Every sentence that may change")
    assert verdict(explained((1, False))).startswith("No sentence that the checkpoint reads was edited")
    assert search(explained((1, True), (1, False))).auc == 0.5  # a tie
    assert search(explanation, "reordering").edited == 0


@pytest.mark.slow
def test_edits_are_found_over_a_set_by_technique(scorer: Scorer) -> None:
    records = [StoryRecord(str(i), str(i), "", story) for i, story in enumerate(CORPORA["animals"][:12])]
    cases = negative_set(records, Sampler(STORIES, shared_wordnet()), 1).cases
    told: list[int] = []
    edits_found = find_edits(scorer, cases, on_progress=told.append)
    alone = [search(explain(scorer, Story(case.perturbed.text), case.perturbed)) for case in cases]
    aucs = [item.auc for item in alone if item.auc is not None]
    assert edits_found.stories == len(cases)
    assert edits_found.all.stories == len(aucs)
    assert edits_found.all.auc.value == pytest.approx(sum(aucs) / len(aucs))
    assert edits_found.all.auc.low is not None
    assert edits_found.all.auc.high is not None
    assert edits_found.all.auc.low <= (edits_found.all.auc.value or 0) <= edits_found.all.auc.high
    assert {technique.technique for technique in edits_found.techniques} <= {
        "repetition",
        "substitution",
        "reordering",
        "negation",
    }
    assert sum(told) > 2 * len(cases)
    assert find_edits(scorer, cases) == edits_found
    with pytest.raises(InputError, match="no negative"):
        find_edits(scorer, [])
