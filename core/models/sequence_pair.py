"""A reference and a story as one sequence, as BLEURT reads them: [CLS] reference [SEP] story [SEP]."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

Pair = tuple[str, str]
"""A story and a reference."""


class PairIds(NamedTuple):
    """Pieces, the special ones with them, and of each whether it is the reference's (0) or the story's (1)."""

    ids: list[int]
    types: list[int]


def encode_pairs(tokenizer: Any, pairs: Sequence[Pair], most: int = 0) -> list[PairIds]:
    """The pieces of each pair; `most`: so many are kept, the longer text being cut first, 0 for all."""
    stories, references = [story for story, _ in pairs], [reference for _, reference in pairs]
    cut = {"truncation": "longest_first", "max_length": most} if most else {}
    encoded = tokenizer(references, stories, verbose=False, **cut)
    types = encoded.get("token_type_ids") or [[0] * len(ids) for ids in encoded["input_ids"]]
    return [PairIds(*part) for part in zip(encoded["input_ids"], types, strict=True)]


def padded(tokenizer: Any, rows: Sequence[PairIds], device: str) -> dict[str, torch.Tensor]:
    """What a model is given for these pairs (each n × longest)."""
    longest = max(len(row.ids) for row in rows)
    tokens = torch.full((len(rows), longest), int(tokenizer.pad_token_id or 0), dtype=torch.long)
    mask, types = torch.zeros_like(tokens), torch.zeros_like(tokens)
    for i, row in enumerate(rows):
        tokens[i, : len(row.ids)] = torch.tensor(row.ids)
        mask[i, : len(row.ids)] = 1
        types[i, : len(row.ids)] = torch.tensor(row.types)
    inputs = {"input_ids": tokens.to(device), "attention_mask": mask.to(device)}
    if "token_type_ids" in tokenizer.model_input_names:
        inputs["token_type_ids"] = types.to(device)
    return inputs
