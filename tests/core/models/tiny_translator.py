"""Translation models that a test teaches a few sentences by heart, in the forms that real ones have."""

import io
import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
import torch
import transformers

STEPS, RATE = 120, 5e-3
SPECIAL = ["<pad>", "</s>", "<unk>"]
LAYERS = dict.fromkeys(["encoder_layers", "decoder_layers"], 1)
HEADS = dict.fromkeys(["encoder_attention_heads", "decoder_attention_heads"], 2)
WIDTHS = {"d_model": 32, **dict.fromkeys(["encoder_ffn_dim", "decoder_ffn_dim"], 64)}
SIZES = {
    "marian": {**LAYERS, **HEADS, **WIDTHS, "max_position_embeddings": 48, "dropout": 0.0},
    "t5": {"d_model": 32, "d_kv": 16, "d_ff": 64, "num_layers": 1, "num_heads": 2, "dropout_rate": 0.0},
}
Pairs = Sequence[tuple[str, str]]


def word_level(texts: Sequence[str], folder: Path) -> Any:
    """A tokenizer that knows every word and mark of `texts`."""
    words = sorted({word for text in texts for word in text.replace(".", " .").split()})
    vocabulary = {word: i for i, word in enumerate([*SPECIAL, *words])}
    core = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    core.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    core.post_processor = tokenizers.processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 1)])
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    result = transformers.PreTrainedTokenizerFast(tokenizer_object=core, **names)
    result.save_pretrained(folder)
    return result


def marian_pieces(texts: Sequence[str], folder: Path) -> Any:
    """Marian's own tokenizer, of two files of sentencepiece, as OPUS's models have it."""
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts), model_writer=model, vocab_size=60, hard_vocab_limit=False, minloglevel=2
    )
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(model.getvalue())
    reader = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    pieces = [reader.id_to_piece(i) for i in range(reader.get_piece_size())]
    words = [*SPECIAL, *(piece for piece in pieces if piece not in (*SPECIAL, "<s>"))]
    (folder / "vocab.json").write_text(json.dumps({word: i for i, word in enumerate(words)}), encoding="utf-8")
    kind = {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "xx"}
    (folder / "tokenizer_config.json").write_text(json.dumps(kind), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
        return transformers.AutoTokenizer.from_pretrained(folder)


def teach(folder: Path, pairs: Pairs, kind: str = "marian", pieces: bool = False) -> str:
    """Save a model that translates each first text into its second; gives its folder. A second or two."""
    words = (marian_pieces if pieces else word_level)([text for pair in pairs for text in pair], folder)
    torch.manual_seed(0)
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "vocab_size": len(words)}
    configuration, model_class = {
        "marian": (transformers.MarianConfig, transformers.MarianMTModel),
        "t5": (transformers.T5Config, transformers.T5ForConditionalGeneration),
    }[kind]
    model = model_class(configuration(**ids, **SIZES[kind]))
    there = words([name for name, _ in pairs], padding=True, return_tensors="pt")
    wanted = words([other for _, other in pairs], padding=True, return_tensors="pt").input_ids
    wanted[wanted == 0] = -100
    optimiser = torch.optim.Adam(model.parameters(), lr=RATE)
    for _ in range(STEPS):
        optimiser.zero_grad()
        model(input_ids=there.input_ids, attention_mask=there.attention_mask, labels=wanted).loss.backward()
        optimiser.step()
    model.save_pretrained(folder)
    return str(folder)
