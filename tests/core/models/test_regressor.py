"""BLEURT checkpoints: a rating equals the plain classifier's output, and no text is cut off."""

import random
from pathlib import Path

import pytest
import torch
import transformers

from core.errors import ModelMissing
from core.models.catalogue import ModelRole, locate
from core.models.network import by_tokens
from core.models.regressor import Regressor
from tests.core.models.tiny import save, tokenizer

PAIRS = [
    ("she ran away .", "he stayed at home ."),
    ("she ran away .", "the sun shone ."),
    ("x", "a much longer reference , with many words in it ."),
    ("🦊 overcrowded café", "!"),
    ("he stayed at home .", "she ran away ."),
]
WORDS = ["lamp", "went", "unbelievable", "nora", ".", "overcrowdedness"]
POSITIONS = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One output, random weights that are large enough for the pairs' ratings to differ."""
    path = tmp_path_factory.mktemp("bleurt")
    options = {"num_labels": 1, "max_position_embeddings": POSITIONS, "initializer_range": 0.3}
    save(path, "BertForSequenceClassification", ModelRole.ENCODER, **options)
    return path


@pytest.fixture(scope="module")
def model(folder: Path) -> Regressor:
    return Regressor(locate(str(folder), ModelRole.REGRESSOR))


@torch.inference_mode()
def plain(folder: Path, story: str, reference: str) -> float:
    """The obvious way: reference first, as BLEURT was trained."""
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    return float(network(**tokenizer(ModelRole.ENCODER)(reference, story, return_tensors="pt")).logits[0, 0])


def ratings(model: Regressor, *pairs: tuple[str, str]) -> list[float]:
    return model.ratings(pairs, lambda _count: None)


def text(seed: int, words: int) -> str:
    rng = random.Random(seed)
    return " ".join(rng.choice(WORDS) for _ in range(words))


def test_ratings_equal_the_plain_forward(model: Regressor, folder: Path) -> None:
    result = ratings(model, *PAIRS)
    expected = [plain(folder, *pair) for pair in PAIRS]
    assert result == pytest.approx(expected, abs=1e-5)
    assert max(expected) - min(expected) > 0.01, "the pairs can be told apart"
    assert abs(result[0] - result[4]) > 1e-3, "which is the reference matters"


def test_batch_and_order_move_nothing(model: Regressor, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = [ratings(model, pair)[0] for pair in PAIRS]
    for budget in (1, 40, 10_000):
        monkeypatch.setattr("core.models.network.TOKENS_A_BATCH", {"cpu": budget})
        assert ratings(model, *PAIRS[::-1]) == pytest.approx(alone[::-1], abs=1e-5)


def test_no_pairs(model: Regressor) -> None:
    assert ratings(model) == []


def test_a_long_pair_is_cut_in_parts_that_are_averaged_by_the_storys_words(model: Regressor, folder: Path) -> None:
    story, reference = " ".join(["lamp"] * 31), " ".join(["went"] * 16)  # 47 pieces and 3 special ones: two parts
    cut = [(" ".join(["lamp"] * 15), " ".join(["went"] * 8)), (" ".join(["lamp"] * 16), " ".join(["went"] * 8))]
    first, second = (plain(folder, *part) for part in cut)
    assert abs(first - second) > 1e-5
    assert ratings(model, (story, reference)) == [pytest.approx((15 * first + 16 * second) / 31, abs=1e-6)]


def test_a_pair_that_just_fits_is_not_cut(model: Regressor, folder: Path) -> None:
    pair = (" ".join(["lamp"] * 20), " ".join(["went"] * (POSITIONS - 3 - 20)))
    assert ratings(model, pair) == [pytest.approx(plain(folder, *pair), abs=1e-5)]
    assert len(model._parts(0, *pair)) == 1
    assert len(model._parts(0, pair[0] + " lamp", pair[1])) == 2


@pytest.mark.parametrize(("ours", "theirs"), [(300, 300), (300, 2), (2, 300), (1, 300), (45, 45)])
def test_every_word_of_a_long_pair_is_read(model: Regressor, ours: int, theirs: int) -> None:
    """Changing any word, the last too, changes the rating: nothing is truncated."""
    story, reference = text(1, ours).split(), text(2, theirs).split()
    (before,) = ratings(model, (" ".join(story), " ".join(reference)))
    for words, position in ((story, -1), (story, ours // 2), (reference, -1), (reference, theirs // 2), (reference, 0)):
        kept = words[position]
        words[position] = "zebra"
        (after,) = ratings(model, (" ".join(story), " ".join(reference)))
        words[position] = kept
        assert after != pytest.approx(before, abs=1e-9)
    parts = model._parts(0, " ".join(story), " ".join(reference))
    assert max(len(part.ids) for part in parts) <= POSITIONS
    separators = [102, 101]
    read = sum(len([i for i in part.ids if i not in separators]) for part in parts)
    mine, other = tokenizer(ModelRole.ENCODER)([" ".join(story), " ".join(reference)], add_special_tokens=False)[
        "input_ids"
    ]
    # Each piece once; but a side of fewer words than there are parts goes whole into every part, never as nothing.
    times = [len(parts) if len(words) < len(parts) else 1 for words in (story, reference)]
    assert read == times[0] * len(mine) + times[1] * len(other)


def test_a_text_without_spaces_is_cut_between_characters(model: Regressor) -> None:
    """Chinese, for one: no single word of it may stop a run."""
    chinese = "月光照在水面上" * 30
    before, after = ratings(model, (chinese, "他走了。"), (chinese[:-1] + "山", "他走了。"))
    assert before != after
    parts = model._parts(0, chinese, "他走了。")
    assert max(len(part.ids) for part in parts) <= POSITIONS


def test_done_counts_each_pair_once_when_its_last_part_is_rated(model: Regressor) -> None:
    told: list[int] = []
    pairs = [*PAIRS, (text(1, 300), text(2, 300)), (text(3, 100), "x")]
    model.ratings(pairs, told.append)
    assert told == [1] * len(pairs)


def test_a_model_that_reads_too_little_for_anything_is_one_sentence(tmp_path: Path) -> None:
    options = {"num_labels": 1, "max_position_embeddings": 4}
    model = Regressor(
        locate(save(tmp_path, "BertForSequenceClassification", ModelRole.ENCODER, **options), ModelRole.REGRESSOR)
    )
    with pytest.raises(ModelMissing, match=r"reads 4 pieces, too few for a character\.$"):
        ratings(model, ("lamp", "went"))


def test_more_than_one_output_is_no_bleurt(tmp_path: Path) -> None:
    folder = save(tmp_path, "BertForSequenceClassification", ModelRole.ENCODER, num_labels=2)
    with pytest.raises(ModelMissing, match="is a classifier with 2 outputs; a BLEURT checkpoint has one"):
        Regressor(locate(folder, ModelRole.REGRESSOR))


def test_parts_are_batched_by_tokens(model: Regressor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.network.TOKENS_A_BATCH", {"cpu": 80})
    sizes: list[tuple[int, int]] = []
    forward = model._forward
    monkeypatch.setattr(
        model, "_forward", lambda parts: sizes.append((len(parts), max(len(p.ids) for p in parts))) or forward(parts)
    )
    ratings(model, (text(1, 300), text(2, 300)))
    assert len(sizes) > 3
    assert all(count * longest <= 80 for count, longest in sizes)
    assert by_tokens([], 80) == []
