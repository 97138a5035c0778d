"""Translation models: an encoder and a decoder that renders a sentence in another language."""

import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import torch

from core.errors import ModelMissing
from core.models.catalogue import ModelRole, ModelSource
from core.models.network import Network, by_tokens

GREEDY = 1
"""Beams: how many translations of a sentence are pursued at a time."""
PER_PIECE, AT_LEAST = 2, 16
"""A translation longer than so many pieces a piece of the sentence, and so many more, has begun to repeat itself."""


class Translator(Network):
    """A translation model in the form that transformers' sequence-to-sequence models have, Marian's for one."""

    role = ModelRole.TRANSLATION

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where it is of another kind, or cannot be read."""
        _check_readable(source)
        with warnings.catch_warnings():
            # Marian's tokenizer recommends a package (sacremoses) whose work it then never asks for.
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            super().__init__(source, device, precision)
        settings = self.model.generation_config
        settings.max_length = None  # ours is chosen by the sentences
        settings.forced_eos_token_id = None  # what finds no end by itself shall not look as if it had

    def translate(
        self, sentences: Sequence[str], beams: int = GREEDY, done: Callable[[int], None] | None = None
    ) -> list[str]:
        """A translation of each sentence, in input order: the likeliest word after word, or of `beams` at a time.

        "" for a sentence that has none: it is empty, longer than the model reads, or its translation finds no end.
        Never a matter of chance. `done` counts sentences.
        """
        result = [""] * len(sentences)
        pieces: list[list[int]] = self.tokenizer(list(sentences), verbose=False)["input_ids"] if sentences else []
        fit = [i for i, ids in enumerate(pieces) if sentences[i].strip() and len(ids) <= self.positions]
        if done and len(fit) < len(sentences):
            done(len(sentences) - len(fit))
        for batch in by_tokens([len(pieces[i]) for i in fit], self.budget // beams):
            chosen = [pieces[fit[k]] for k in batch]
            texts = self.run(lambda part: self._generate(part, beams), chosen)
            for k, text in zip(batch, texts, strict=True):
                result[fit[k]] = text
            if done:
                done(len(batch))
        return result

    def _generate(self, part: list[list[int]], beams: int) -> list[str]:
        longest = max(map(len, part))
        tokens = torch.full((len(part), longest), int(self.tokenizer.pad_token_id or 0), dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for row, ids in enumerate(part):
            tokens[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        generated = self.model.generate(
            input_ids=tokens.to(self.device),
            attention_mask=mask.to(self.device),
            num_beams=beams,
            do_sample=False,
            max_new_tokens=min(PER_PIECE * longest + AT_LEAST, self.positions - 1),
        )
        return [self._text(row, len(ids)) for row, ids in zip(generated.tolist(), part, strict=True)]

    def _text(self, ids: list[int], length: int) -> str:
        """Without its special pieces; "" where it has no end within what is likely, whatever the batch allowed."""
        end = self.tokenizer.eos_token_id
        within = ids[1 : 1 + PER_PIECE * length + AT_LEAST]
        if end not in within:
            return ""
        text: str = self.tokenizer.decode(within[: within.index(end)], skip_special_tokens=True)
        return text.strip()


def _check_readable(source: ModelSource) -> None:
    """Raise ModelMissing where only a package that is not installed could read the model's words."""
    folder = Path(source.folder)
    pieces = sorted([*folder.glob("*.spm"), *folder.glob("*.model")])
    if pieces and not (folder / "tokenizer.json").is_file() and find_spec("sentencepiece") is None:
        raise ModelMissing(
            f"{source.name} has its words in {pieces[0].name}, which the package sentencepiece reads: "
            f"install it (pip install sentencepiece)."
        )
