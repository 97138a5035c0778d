"""Perplexity of 64 stories of mixed length against the usual loop: input order, padded to the corpus's longest."""

import random
from typing import Any

import torch
from torch.nn import functional

from benchmarks.timing import compare
from core.models.catalogue import SMOLLM2, locate
from core.models.language import LanguageModel

BATCH = 16


def run() -> str:
    """Ratio to the usual loop with the same model and precision."""
    rng = random.Random(0)
    sentence = "Nora found an old key under the mat and wondered which door it might open."
    texts = [" ".join([sentence] * rng.choice((1, 2, 3, 8))) + f" {i}" for i in range(64)]
    model = LanguageModel.load(locate(SMOLLM2), "cpu")
    tokenizer: Any = model._tokenizer
    network: Any = model._model

    @torch.inference_mode()
    def theirs() -> list[float]:
        tokenizer.pad_token, tokenizer.padding_side = "<|endoftext|>", "right"
        encoded = tokenizer(["<|endoftext|>" + t for t in texts], return_tensors="pt", padding=True)
        found = []
        for i in range(0, len(texts), BATCH):
            ids, mask = encoded["input_ids"][i : i + BATCH], encoded["attention_mask"][i : i + BATCH]
            logits = network(ids, attention_mask=mask).logits[:, :-1]
            losses = functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
            kept = mask[:, 1:]
            found += ((losses * kept).sum(1) / kept.sum(1)).tolist()
        return found

    def ours() -> list[float]:
        model._memory.clear()
        return [one.nll / one.tokens for one in model.likelihoods([("", t) for t in texts])]

    worst = max(abs(a - b) for a, b in zip(ours(), theirs(), strict=True))
    line = compare("Perplexity, 64 stories", "the usual padded loop", ours, theirs, rounds=3)
    return line + f"; differ by {worst:.1e}"
