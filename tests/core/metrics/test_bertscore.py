"""BERTScore against the package that defines it, on real stories."""

import itertools
import math
import random
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.metrics import bertscore
from core.metrics.base import Settings
from core.metrics.bertscore import BertScore, BertScoreF1, BertScorePrecision, BertScoreRecall
from core.metrics.idf import fingerprint
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Encoder
from core.models.runtime import encoder
from core.stories import Story
from tests.core.models.tiny import mans_stories

ALL = (BertScorePrecision, BertScoreRecall, BertScoreF1)
CLOSE = 1e-5
STORY = Story("she ran to the old house .", references=("a girl walked home .", "the stock market fell ."))


@pytest.fixture(scope="module")
def model() -> Encoder:
    return encoder(locate(None, ModelRole.ENCODER), "cpu", "float32")


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    bertscore._compared.clear()


@pytest.fixture(scope="module")
def stories(shared: Path) -> list[Story]:
    return mans_stories(shared)


def build(metric: type[BertScore], corpus: Iterable[str] = (), **options: str) -> BertScore:
    texts = list(corpus)
    return metric(Settings(device="cpu", options=options, corpus=lambda: texts))


def values(metric: type[BertScore], *stories: Story, corpus: Iterable[str] = (), **options: str) -> np.ndarray:
    return build(metric, corpus, **options).score(stories).values


def oracle(model: Encoder, stories: list[Story], layers: int = 6, at_once: int = 1, **options: Any) -> list[np.ndarray]:
    """P, R and F of the package. In a batch of more than one its padding cuts negative similarities off at 0; ordinary
    stories have no piece that nothing resembles.
    """
    with warnings.catch_warnings():
        # It hands the read-only array of a baseline file to PyTorch.
        warnings.filterwarnings("ignore", "The given NumPy array is not writable", UserWarning)
        from bert_score import BERTScorer

        idf = options.pop("idf_dict", None)
        scorer = BERTScorer(
            model_type=model.source.folder, num_layers=layers, device="cpu", batch_size=at_once, **options
        )
        if idf is not None:
            scorer._idf, scorer._idf_dict = True, idf
        result = scorer.score([s.text for s in stories], [s.references[0] for s in stories], batch_size=at_once)
    return [numbers.double().numpy() for numbers in result]


def idf_of(model: Encoder, corpus: list[str]) -> defaultdict[int, float]:
    """ln((N + 1) / (n + 1)), the slow way; special pieces weigh nothing, as in the package."""
    counts = Counter(itertools.chain.from_iterable(set(model.tokenizer(text)["input_ids"]) for text in corpus))
    total = len(corpus)
    table = defaultdict(lambda: math.log(total + 1))
    table.update({piece: math.log((total + 1) / (count + 1)) for piece, count in counts.items()})
    table[model.tokenizer.cls_token_id] = table[model.tokenizer.sep_token_id] = 0.0
    return table


def assert_close(found: Callable[[type[BertScore]], np.ndarray], expected: list[np.ndarray]) -> None:
    for metric, numbers in zip(ALL, expected, strict=True):
        np.testing.assert_allclose(found(metric), numbers, atol=CLOSE, rtol=0)


def test_two_hundred_real_stories_equal_the_package(model: Encoder, stories: list[Story]) -> None:
    expected = oracle(model, stories, at_once=50)
    assert_close(lambda metric: values(metric, *stories), expected)
    assert np.ptp(expected[2]) > 0.3, "the stories can be told apart"


def test_with_idf_of_the_studys_references(model: Encoder, stories: list[Story]) -> None:
    """Of half of them, by the references of all."""
    corpus = [story.references[0] for story in stories]
    half = stories[::2]
    expected = oracle(model, half, at_once=50, idf_dict=idf_of(model, corpus))
    assert_close(lambda metric: values(metric, *half, corpus=corpus, idf="references"), expected)
    plain = values(BertScoreF1, *half)
    assert np.abs(plain - expected[2]).max() > 0.01, "idf matters"


@pytest.mark.parametrize(("name", "layers"), [("4", 4), ("-2", 5)])
def test_another_layer(model: Encoder, stories: list[Story], name: str, layers: int) -> None:
    few = stories[:40]
    assert_close(lambda metric: values(metric, *few, layer=name), oracle(model, few, layers, 40))


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    file = tmp_path / "baseline.csv"
    rows = [f"{layer},{0.1 + layer / 100},{0.2 + layer / 100},{0.15 + layer / 100}" for layer in range(7)]
    file.write_text("\n".join(["LAYER,P,R,F", *rows]) + "\n", encoding="utf-8")
    return file


def test_with_a_baseline_file(model: Encoder, stories: list[Story], baseline: Path) -> None:
    few = stories[:40]
    expected = oracle(model, few, 4, 40, rescale_with_baseline=True, baseline_path=str(baseline), lang="en")
    assert_close(lambda metric: values(metric, *few, layer="4", baseline=f"file:{baseline}"), expected)
    # A comparison that is remembered is rescaled for each baseline by itself.
    np.testing.assert_allclose(values(BertScoreF1, *few, layer="4"), oracle(model, few, 4, 40)[2], atol=CLOSE)


def test_a_baseline_is_known_by_what_is_in_the_file(baseline: Path) -> None:
    before = build(BertScoreF1, baseline=f"file:{baseline}").signature
    assert "|baseline:file@" in before
    assert str(baseline) not in before
    baseline.write_text(baseline.read_text().replace("0.1", "0.3"))
    assert build(BertScoreF1, baseline=f"file:{baseline}").signature != before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("LAYER,P,R,F\n1,0.1,0.1,0.1\n", "has no row for layer 6"),
        ("", "has no row for layer 6"),
        ("LAYER,P,R\n6,0.1,0.1\n", "needs the columns LAYER, P, R and F with numbers"),
        ("LAYER,P,R,F\n6,0.1,0.1\n", "needs the columns LAYER, P, R and F with numbers"),
        ("LAYER,P,R,F\nsix,0.1,0.1,0.1\n", "needs the columns LAYER, P, R and F with numbers"),
    ],
)
def test_a_baseline_that_cannot_be_used(tmp_path: Path, content: str, sentence: str) -> None:
    file = tmp_path / "baseline.csv"
    file.write_text(content)
    with pytest.raises(InputError, match=sentence):
        values(BertScoreF1, STORY, baseline=f"file:{file}")


def test_a_baseline_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    for name in ("missing.csv", "binary", ""):
        with pytest.raises(InputError, match=r"^(There is no|The) baseline file "):
            assert build(BertScoreF1, baseline=f"file:{tmp_path / name}").signature


def test_negative_similarities_are_not_cut_off_beside_longer_texts(model: Encoder, stories: list[Story]) -> None:
    """In a padded batch the package matches a piece at 0 that nothing resembles; ours is that of the pair alone."""
    odd = Story("!", references=("photosynthesis",))
    (alone,) = values(BertScoreF1, odd)
    bertscore._compared.clear()
    beside = values(BertScoreF1, *stories[:5], odd)[-1]
    assert beside == pytest.approx(alone, abs=CLOSE)
    assert alone == pytest.approx(float(oracle(model, [odd])[2][0]), abs=CLOSE)


def test_several_references_give_the_best_of_each_number_or_their_mean() -> None:
    alone = [Story(STORY.text, references=(reference,)) for reference in STORY.references]
    for metric in ALL:
        each = values(metric, *alone)
        assert values(metric, STORY)[0] == max(each)
        assert values(metric, STORY, references="mean")[0] == pytest.approx(each.mean(), abs=1e-12)
        assert each[0] > each[1] + 0.05


def test_the_best_is_taken_of_each_number_by_itself() -> None:
    """Precision and recall may have different best references."""
    short, long = "ran old house", "she ran to the old house , slept , woke , ate , read , and sang photosynthesis ."
    pair = [Story(STORY.text, references=(r,)) for r in (short, long)]
    precision, recall = values(BertScorePrecision, *pair), values(BertScoreRecall, *pair)
    assert precision[1] > precision[0]
    assert recall[0] > recall[1]
    both = Story(STORY.text, references=(short, long))
    assert values(BertScorePrecision, both)[0] == precision[1]
    assert values(BertScoreRecall, both)[0] == recall[0]


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize(
    ("story", "reason"),
    [
        (Story("", references=("a",)), "the story is empty"),
        (Story(" \n", references=("a",)), "the story is empty"),
        (Story("a"), "the prompt has no human story to compare with"),
        (Story("a", references=("", " ")), "the reference is empty"),
        (Story("​", references=("a",)), "the story has nothing that the encoder's vocabulary knows"),
        (Story("a", references=("​",)), "the reference has nothing that the encoder's vocabulary knows"),
    ],
)
def test_undefined(metric: type[BertScore], story: Story, reason: str) -> None:
    scores = build(metric).score([STORY, story, STORY])
    assert scores.reasons == {1: reason}
    assert math.isnan(scores.values[1])
    assert scores.values[0] == scores.values[2] == values(metric, STORY)[0]


def test_a_reference_of_which_nothing_is_left_counts_for_nothing() -> None:
    (alone,) = values(BertScoreF1, Story("she ran .", references=("he sat .",)))
    (both,) = values(BertScoreF1, Story("she ran .", references=("​", "he sat .", "")), references="mean")
    assert both == alone


@pytest.mark.parametrize("text", ["...", "x", "🦊", "🦊🐢 🦊", ", . !", "הוא רץ", "Ärger"])
def test_odd_texts_equal_the_package(model: Encoder, text: str) -> None:
    pairs = [Story(text, references=("she ran home .",)), Story("she ran home .", references=(text,))]
    assert_close(lambda metric: values(metric, *pairs), oracle(model, pairs))
    for metric in ALL:
        assert values(metric, Story(text, references=(text,)))[0] == pytest.approx(1, abs=CLOSE)


def test_a_long_text_is_compared_to_its_end() -> None:
    """Longer than the model reads: the package would cut both at 510 pieces and see no difference."""
    long = " ".join(random.Random(1).choice(["lamp", "went", "home", "."]) for _ in range(700))
    same, other = values(
        BertScoreF1, Story(long, references=(long,)), Story(f"{long} photosynthesis quickly", references=(long,))
    )
    assert same == pytest.approx(1, abs=CLOSE)
    assert other < same - 1e-4


def test_batch_and_order_move_nothing(stories: list[Story]) -> None:
    few = stories[:12]
    together = values(BertScoreF1, *few)
    bertscore._compared.clear()
    alone = []
    model = encoder(locate(None, ModelRole.ENCODER), "cpu", "float32")
    for story in few[::-1]:
        model._memory.clear()
        alone.append(values(BertScoreF1, story)[0])
    np.testing.assert_allclose(alone[::-1], together, atol=CLOSE, rtol=0)


def test_the_idf_of_a_named_corpus_does_not_move_when_stories_are_added(stories: list[Story]) -> None:
    corpus = [story.references[0] for story in stories[:20]]
    few = values(BertScoreF1, *stories[:5], corpus=corpus, idf="references")
    bertscore._compared.clear()
    many = values(BertScoreF1, *stories[:30], corpus=corpus, idf="references")
    np.testing.assert_allclose(many[:5], few, atol=CLOSE, rtol=0)
    other = values(BertScoreF1, *stories[:5], corpus=corpus[:10], idf="references")
    assert np.abs(other - few).max() > 1e-3


def test_the_signature_names_the_corpus_but_not_its_order() -> None:
    def signature(*texts: str, **options: str) -> str:
        return build(BertScoreF1, texts, **{"idf": "references", **options}).signature

    assert f"|idf:references@{fingerprint(['a', 'b'])}|" in signature("a", "b")
    assert signature("a", "b") == signature("b", "a")
    assert len({signature(*texts) for texts in ((), ("a",), ("b",), ("a", "b"), ("ab",), ("a", "b", ""))}) == 6
    assert signature("a", idf="no") == signature("b", idf="no")
    assert "|idf:no|" in signature("a", idf="no")


def test_a_corpus_may_be_a_file_whose_texts_count_and_not_its_name(tmp_path: Path, stories: list[Story]) -> None:
    texts = [story.references[0] for story in stories[:20]]
    path, other = tmp_path / "one.txt", tmp_path / "other.txt"
    path.write_text("\n".join(texts), encoding="utf-8")
    other.write_text("\n\n".join([*texts[::-1], texts[0]]) + "\n \n", encoding="utf-8")
    signatures = {build(BertScoreF1, idf=f"file:{file}").signature for file in (path, other)}
    assert len(signatures) == 1
    assert f"|idf:file@{fingerprint(texts)}|" in signatures.pop()
    from_file = values(BertScoreF1, *stories[:5], idf=f"file:{path}")
    assert from_file.tolist() == values(BertScoreF1, *stories[:5], corpus=texts, idf="references").tolist()
    with pytest.raises(InputError, match=r"^There is no file of texts .*missing\.$"):
        assert build(BertScoreF1, idf=f"file:{tmp_path / 'missing'}").signature


@pytest.mark.parametrize("corpus", [(), ("she ran to the old house .",)])
def test_where_no_piece_has_a_weight_the_score_is_undefined(corpus: tuple[str, ...]) -> None:
    scores = build(BertScoreF1, corpus, idf="references").score([Story("she ran .", references=("the old house .",))])
    assert scores.reasons == {
        0: "every piece of the story is in all texts of the idf corpus, so that none has a weight"
    }


def test_the_idf_of_each_normalisation_is_its_own() -> None:
    """Equal pieces of a story do not make equal weights: the corpus is normalised, too."""
    corpus = ["[MALE] ran .", "Tom sat . the dog ran .", "Tom slept .", "the old house ."]
    story = Story("Tom ran .", references=("Tom sat .",))
    chosen = [{"idf": "references", **other} for other in ({}, {"normalisation": "named"}, {"first_words": "3"})]
    # One after another, as a run has them, and each by itself.
    together = [values(BertScoreF1, story, corpus=corpus, **options)[0] for options in chosen]
    alone = []
    for options in chosen:
        bertscore._compared.clear()
        alone.append(values(BertScoreF1, story, corpus=corpus, **options)[0])
    assert together == alone
    assert min(abs(a - b) for a, b in itertools.combinations(alone, 2)) > 1e-4


def test_precision_recall_and_f1_cost_one_comparison(monkeypatch: pytest.MonkeyPatch, stories: list[Story]) -> None:
    calls: list[int] = []
    compare = bertscore.best_matches
    monkeypatch.setattr(bertscore, "best_matches", lambda *texts: calls.append(1) or compare(*texts))
    few = stories[:7]
    precision, recall, f1 = (values(metric, *few) for metric in ALL)
    assert len(calls) == len(few)
    np.testing.assert_allclose(f1, 2 * precision * recall / (precision + recall), rtol=1e-12)
    values(BertScoreF1, *few, layer="4")
    assert len(calls) == 2 * len(few)


def test_texts_are_embedded_once_for_all_metrics(monkeypatch: pytest.MonkeyPatch, model: Encoder) -> None:
    from core.metrics.pooling import VectorAverage

    model._memory.clear()
    read: list[str] = []
    inner = model._read
    monkeypatch.setattr(model, "_read", lambda texts, layer: read.extend(texts) or inner(texts, layer))
    for metric in (*ALL, VectorAverage):
        metric(Settings(device="cpu")).score([STORY, Story("she sat .", references=STORY.references)])
    assert sorted(read) == sorted([STORY.text, "she sat .", *STORY.references])


def test_long_texts_are_compared_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = values(BertScoreF1, STORY)
    bertscore._compared.clear()
    monkeypatch.setattr("core.metrics.embedding.ROWS_AT_ONCE", 2)
    assert values(BertScoreF1, STORY)[0] == pytest.approx(whole, abs=1e-6)
    bertscore._compared.clear()
    monkeypatch.setattr("core.metrics.embedding.PAIRS_AT_ONCE", 1)
    seen: list[int] = []
    scores = build(BertScoreF1).score([STORY, STORY, Story(""), Story("x", references=("y",))], seen.append)
    assert scores.values[0] == pytest.approx(whole, abs=1e-6)
    assert sum(seen) == 4


def test_signature() -> None:
    assert build(BertScoreF1).signature == (
        "bertscore-f1|model:all-minilm-l6-v2@0.1.0|dtype:float32"
        "|baseline:no|first_words:all|idf:no|layer:last|normalisation:raw|references:max|v:1"
    )


def test_a_layer_that_there_is_not_is_one_sentence() -> None:
    with pytest.raises(InputError, match="has the layers 0 to 6; there is no layer 9"):
        values(BertScoreF1, STORY, layer="9")
