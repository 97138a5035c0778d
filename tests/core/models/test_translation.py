"""Translation: models taught by heart in the forms that real ones have, against a slow loop over a plain model."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import transformers

from core.errors import ModelMissing
from core.models import translation
from core.models.catalogue import EXAMPLES, ROLES, ModelRole, ModelSource, locate
from core.models.translation import Translator
from tests.core.models import tiny
from tests.core.models.tiny_translator import teach

PAIRS = (
    ("He hired an attorney.", "Er nahm einen Anwalt."),
    ("She ran home.", "Sie lief nach Hause."),
    ("The weather was cool and crisp that morning.", "Das Wetter war morgens sehr kühl."),
)
KINDS = {"marian": ("marian", False), "t5": ("t5", False), "opus": ("marian", True)}


@pytest.fixture(scope="module", params=KINDS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    return teach(tmp_path_factory.mktemp(request.param), PAIRS, *KINDS[request.param])


@pytest.fixture(scope="module")
def model(folder: str) -> Translator:
    return Translator(locate(folder, ModelRole.TRANSLATION))


@torch.inference_mode()
def slow(folder: str, model: Translator, sentence: str) -> str:
    """The likeliest piece after what there is, by a model as transformers loads it, without batch, cache or layout."""
    plain = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    ids = model.tokenizer(sentence, return_tensors="pt").input_ids
    made = [plain.config.decoder_start_token_id]
    for _ in range(40):
        made.append(int(plain(input_ids=ids, decoder_input_ids=torch.tensor([made])).logits[0, -1].argmax()))
        if made[-1] == plain.config.eos_token_id:
            return str(model.tokenizer.decode(made, skip_special_tokens=True)).strip()
    return ""


def unspaced(texts: list[str]) -> list[str]:
    return [text.replace(" .", ".") for text in texts]


def test_each_sentence_is_translated_as_it_was_taught(folder: str, model: Translator) -> None:
    known = [sentence for sentence, _ in PAIRS]
    for beams in (1, 4):
        assert unspaced(model.translate(known, beams)) == [other for _, other in PAIRS]
    asked = [*known, "The attorney ran home.", "She hired an attorney that morning."]
    result = model.translate(asked)
    assert result == [slow(folder, model, sentence) for sentence in asked]
    assert result == [model.translate([sentence])[0] for sentence in asked], "whatever stands beside it"
    assert model.translate(asked[::-1]) == result[::-1]


def test_what_has_no_translation_is_empty(model: Translator, monkeypatch: pytest.MonkeyPatch) -> None:
    long = "ran " * (model.positions + 1)
    counted: list[int] = []
    result = model.translate(["", PAIRS[1][0], "  ", long], done=counted.append)
    assert unspaced(result) == ["", PAIRS[1][1], "", ""]
    assert sum(counted) == 4
    assert model.translate([]) == []
    # Nothing of a translation that finds no end, even where a longer sentence leaves the batch more room.
    monkeypatch.setattr(translation, "PER_PIECE", 0)
    monkeypatch.setattr(translation, "AT_LEAST", 3)
    assert model.translate([PAIRS[1][0], PAIRS[2][0]]) == ["", ""]


def test_a_forced_end_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """OPUS's models are set to end at the last moment, as if they had come to it."""
    folder = Path(teach(tmp_path, PAIRS))
    settings = transformers.GenerationConfig.from_pretrained(folder)
    settings.forced_eos_token_id, settings.num_beams, settings.max_length = 1, 6, 512
    settings.save_pretrained(folder)
    model = Translator(locate(str(folder), ModelRole.TRANSLATION))
    assert unspaced(model.translate([PAIRS[1][0]])) == [PAIRS[1][1]]
    monkeypatch.setattr(translation, "PER_PIECE", 0)
    monkeypatch.setattr(translation, "AT_LEAST", 3)
    assert model.translate([PAIRS[1][0]]) == [""]


def test_revision_names_the_pieces_too(tmp_path: Path) -> None:
    folder = Path(teach(tmp_path / "one", PAIRS[:1], pieces=True))
    before = locate(str(folder), ModelRole.TRANSLATION).revision
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    assert locate(str(other), ModelRole.TRANSLATION).revision == before
    with (other / "source.spm").open("ab") as stream:
        stream.write(b"\0")
    assert locate(str(other), ModelRole.TRANSLATION).revision != before


def test_other_models_are_refused(tmp_path: Path) -> None:
    language = tiny.save(tmp_path / "gpt", "LlamaForCausalLM", ModelRole.LANGUAGE, max_position_embeddings=64)
    with pytest.raises(ModelMissing, match=r"is LlamaForCausalLM, but here a translation model .* is needed"):
        locate(language, ModelRole.TRANSLATION)
    with pytest.raises(ModelMissing, match=r"download a translation model .*, such as Helsinki-NLP/opus-mt-en-de"):
        locate(None, ModelRole.TRANSLATION)
    with pytest.raises(ModelMissing, match="cannot be loaded as a translation model"):
        Translator(ModelSource("gpt", language, "1"))
    assert set(ROLES) == set(ModelRole)
    assert set(EXAMPLES) < set(ModelRole)


def test_without_the_package_that_reads_its_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = locate(teach(tmp_path / "opus", PAIRS[:1], pieces=True), ModelRole.TRANSLATION)
    plain = locate(teach(tmp_path / "plain", PAIRS[:1]), ModelRole.TRANSLATION)
    there: Callable[[str], object] = importlib.util.find_spec
    monkeypatch.setattr(translation, "find_spec", lambda name: None if name == "sentencepiece" else there(name))
    with pytest.raises(ModelMissing, match=r"opus has its words in source.spm, .* \(pip install sentencepiece\)"):
        Translator(source)
    assert Translator(plain).translate([PAIRS[0][0]]) != [""], "another model needs no such package"
