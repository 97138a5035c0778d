"""Tables of tokens: places, words, alternatives and progress, on the bundled model and on tiny ones."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, locate
from core.models.runtime import language_model
from core.models.tokens import table
from core.models.tokens.table import read_tokens
from core.tokens import Mode, summarise
from tests.core.models.tiny import save

STRANGE = "Hello  the 🦊 ran.\n\nIt \x07 said שלום to é.\t<|endoftext|> done "


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A causal model of random weights that reads 16 tokens at a time."""
    folder = tmp_path_factory.mktemp("tiny")
    return save(folder, "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=16, num_key_value_heads=2)


def test_a_table_is_the_models_statistics_in_their_places() -> None:
    empty, table, again, token_table = read_tokens(["", STRANGE, STRANGE, "x"], device="cpu", top=3)
    model = language_model(locate(None, ModelRole.LANGUAGE), "cpu", "float32")
    (plain,) = model.token_statistics([("", STRANGE)], 3)
    assert again is table
    assert table.model == "smollm2-135m-instruct@0.1.2-q4_1"
    assert table.mode is Mode.CAUSAL
    np.testing.assert_allclose(table.log_p, plain.log_p, atol=1e-5)
    assert table.rank.tolist() == plain.rank.tolist()
    assert table.top[0] == tuple(model.tokenizer.decode([i]) for i in plain.top_ids[0].tolist())
    # Byte-level pieces make up the text: each begins where the last one ended, or in the same character.
    assert (table.starts[0], table.ends[-1]) == (0, len(STRANGE))
    assert set((table.starts[1:] - table.ends[:-1]).tolist()) <= {0, -1}
    assert len(np.unique(table.words)) == len(STRANGE.split())
    assert (len(empty), empty.top_p.shape, summarise(empty).fp) == (0, (0, 3), None)
    assert (len(token_table), token_table.words.tolist()) == (1, [0])
    assert not any("�" in text for row in table.top for text in row)
    assert any("\\x" in text for row in table.top for text in row), "half a character is shown by its bytes"


def test_after_a_prompt_its_tokens_are_expected_and_not_in_the_table(tiny: str) -> None:
    (alone,), (behind,) = (read_tokens(["the fox ran."], device="cpu", prompt=it) for it in ("", "Once, the fox ran."))
    assert (behind.starts[0], behind.ends[-1]) == (0, len("the fox ran."))
    assert behind.log_p.mean() > alone.log_p.mean()
    with pytest.raises(InputError, match=r"^Only a causal model reads a prompt first\.$"):
        read_tokens(["x"], mode=Mode.MASKED, prompt="Once")


def test_a_long_text_is_read_in_windows_and_progress_is_told(tiny: str) -> None:
    text = "It rained on the fox. " * 150
    seen: list[tuple[int, int]] = []
    (table,) = read_tokens([text], model=tiny, device="cpu", on_progress=lambda done, of: seen.append((done, of)))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (len(table), len(table))
    assert table.words[-1] == len(text.split()) - 1
    assert table.top_p.shape == (len(table), 5)


def test_what_cannot_be_read_is_one_sentence(tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"^Text 2 holds half of a character"):
        read_tokens(["fine", "\ud83e"], model=tiny)
    with pytest.raises(InputError, match=r"^Between 0 and 100 alternatives"):
        read_tokens(["fine"], model=tiny, top=101)
    masked = save(tmp_path, "BertForMaskedLM", ModelRole.ENCODER)
    with pytest.raises(ModelMissing, match="is BertForMaskedLM, but here a causal language model is needed"):
        read_tokens(["fine"], model=masked)
    monkeypatch.setattr(table, "LONGEST", 3)
    with pytest.raises(InputError, match=r"^The text has 4 characters; at most 3 are read"):
        read_tokens(["four"], model=tiny)
