"""Masked models against the obvious loop: a token hidden at a time, the whole vocabulary sorted."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, locate
from core.models.encoder import windows
from core.models.masked import MaskedLanguageModel
from core.models.runtime import masked_model
from core.models.statistics import TokenStatistics
from core.models.tokens.table import read_tokens
from core.tokens import Mode
from tests.core.models.tiny import save, tokenizer

POSITIONS = 16
TOP = 3
TEXT = "The lamp went out, and Nora felt for the matches. There were none left in the unbelievable box!"
FAMILIES: dict[str, dict[str, Any]] = {
    "BertForMaskedLM": {},
    "RobertaForMaskedLM": {"pad_token_id": 0, "max_position_embeddings": POSITIONS + 1},
    "DistilBertForMaskedLM": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32},
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    common = {"max_position_embeddings": POSITIONS, "initializer_range": 0.5}
    return {
        name: save(tmp_path_factory.mktemp(name), name, ModelRole.ENCODER, **{**common, **options})
        for name, options in FAMILIES.items()
    }


@pytest.fixture(scope="module")
def bert(folders: dict[str, str]) -> MaskedLanguageModel:
    return masked_model(locate(folders["BertForMaskedLM"], ModelRole.MASKED), "cpu", "float32")


@torch.inference_mode()
def obvious(folder: str, text: str, mode: Mode) -> list[tuple[float, int, float, float, list[float]]]:
    """log_p, rank, fraction, entropy and the best probabilities of each token; float64 from the logits on."""
    model = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval()
    words = tokenizer(ModelRole.ENCODER)
    ids = words(text, add_special_tokens=False)["input_ids"]
    result = []
    for begin, end, keep_from, keep_to in windows(len(ids), POSITIONS - 2) if ids else []:
        for i in range(keep_from, keep_to):
            row = [words.cls_token_id, *ids[begin:end], words.sep_token_id]
            at = 1 + i - begin
            if mode is Mode.MASKED:
                row[at] = words.mask_token_id
            p = torch.softmax(model(input_ids=torch.tensor([row])).logits[0, at].double(), -1).numpy()
            order = np.argsort(-p, kind="stable")
            ten = p[order[:10]] / p[order[:10]].sum()
            rank = int(np.flatnonzero(order == ids[i])[0])
            best = p[order[:TOP]].tolist()
            result.append(
                (float(np.log(p[ids[i]])), rank, float(p[ids[i]] / best[0]), float(-(ten * np.log(ten)).sum()), best)
            )
    return result


def assert_equal(found: TokenStatistics, expected: list[tuple[float, int, float, float, list[float]]]) -> None:
    assert len(found.ids) == len(expected)
    for i, (log_p, rank, fraction, entropy, best) in enumerate(expected):
        assert found.log_p[i] == pytest.approx(log_p, abs=1e-4)
        assert found.fraction[i] == pytest.approx(fraction, abs=1e-4)
        assert found.entropy[i] == pytest.approx(entropy, abs=1e-4)
        assert found.top_p[i].tolist() == pytest.approx(best, abs=1e-5)
        # Two sums of one product differ in the last digits: neighbours among 30,000 may change places.
        assert abs(int(found.rank[i]) - rank) <= 3
    assert sum(found.rank[i] == row[1] for i, row in enumerate(expected)) >= 0.8 * len(expected)


@pytest.mark.parametrize(
    ("name", "mode"), [("BertForMaskedLM", Mode.UNMASKED), *((name, Mode.MASKED) for name in FAMILIES)]
)
def test_statistics_equal_the_obvious_loop(folders: dict[str, str], name: str, mode: Mode) -> None:
    """Also in windows, each token with context on both sides, and whatever stands beside a text in its batch."""
    model = MaskedLanguageModel(locate(folders[name], ModelRole.MASKED), "cpu")
    assert model.window == POSITIONS - 2
    texts = ["One.", TEXT, "", "Nora felt for the matches."]
    for text, token_statistic in zip(texts, model.token_statistics(texts, mode, TOP), strict=True):
        assert_equal(token_statistic, obvious(folders[name], text, mode))


@settings(max_examples=10, deadline=None)
@given(texts=st.lists(st.sampled_from([*TEXT.split(), "🦊", "\x07", "", TEXT[:60]]), min_size=1, max_size=6))
def test_neighbours_in_a_batch_move_nothing(bert: MaskedLanguageModel, texts: list[str]) -> None:
    together = bert.token_statistics(texts, Mode.MASKED, TOP)
    for text, token_statistics in zip(texts, together, strict=True):
        (alone,) = bert.token_statistics([text], Mode.MASKED, TOP)
        assert alone.ids.tolist() == token_statistics.ids.tolist()
        np.testing.assert_allclose(alone.log_p, token_statistics.log_p, atol=1e-5)
        np.testing.assert_allclose(alone.top_p, token_statistics.top_p, atol=1e-5)


def test_a_table_has_places_and_progress(folders: dict[str, str]) -> None:
    seen: list[tuple[int, int]] = []
    text = "The fox\x07 didn't run. " * 80
    for mode in (Mode.MASKED, Mode.UNMASKED):
        seen.clear()
        (table, empty) = read_tokens(
            [text, "\x07"],
            model=folders["BertForMaskedLM"],
            mode=mode,
            device="cpu",
            on_progress=lambda done, of: seen.append((done, of)),
        )
        assert seen == sorted(seen)
        assert mode is Mode.UNMASKED or len(seen) > 1
        assert seen[-1] == (len(table), len(table))
        assert table.mode is mode
        assert [text[a:b] for a, b in zip(table.starts[:6], table.ends[:6], strict=True)] == [
            *("The", "fox", "didn", "'", "t", "run")
        ]
        assert table.words[:6].tolist() == [0, 1, 2, 2, 2, 3]
        assert len(empty) == 0  # this tokenizer drops control characters


def test_what_is_no_masked_model_is_refused(folders: dict[str, str], bert: MaskedLanguageModel, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a masked language model: choose the mode masked or unmasked"):
        bert.token_statistics(["One."], Mode.CAUSAL)
    with pytest.raises(ModelMissing, match="is BertModel, but here a masked language model is needed"):
        locate("all-minilm-l6-v2", ModelRole.MASKED)
    with pytest.raises(ModelMissing, match="is LlamaForCausalLM, but here a masked language model is needed"):
        read_tokens(["One."], mode=Mode.MASKED, model="smollm2-135m-instruct")
    blind = save(tmp_path / "blind", "BertForMaskedLM", ModelRole.ENCODER, is_decoder=True)
    with pytest.raises(ModelMissing, match="sees nothing of what follows"):
        MaskedLanguageModel(locate(blind, ModelRole.MASKED))
    unhiding = save(tmp_path / "unhiding", "BertForMaskedLM", ModelRole.ENCODER, vocab_size=50_000)
    tokenizer(ModelRole.LANGUAGE).save_pretrained(unhiding)
    with pytest.raises(ModelMissing, match="no token that hides another"):
        MaskedLanguageModel(locate(unhiding, ModelRole.MASKED))
