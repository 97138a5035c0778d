"""Perplexity of 1,000 stories against the usual loop: input order, padded to the corpus's longest, all logits kept."""

from typing import Any

import numpy as np
import torch
from scipy import stats
from torch.nn import functional

from benchmarks.corpus import stories
from benchmarks.timing import Row, compare
from core.models.catalogue import Role, locate
from core.models.language import LanguageModel

BATCH = 16
TRANSFORMER, HEAD = 106.2e6, 28.3e6
"""Parameters of SmolLM2-135M that multiply each token, and each scored position."""


class UsualLoop:
    """Hugging Face `evaluate`'s way, with the same model and precision."""

    def __init__(self, folder: str) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
        self.tokenizer.pad_token, self.tokenizer.padding_side = "<|endoftext|>", "right"

    @torch.inference_mode()
    def __call__(self, texts: list[str]) -> list[float]:
        """Mean negative log-likelihood of each text."""
        encoded = self.tokenizer(["<|endoftext|>" + t for t in texts], return_tensors="pt", padding=True)
        found = []
        for i in range(0, len(texts), BATCH):
            ids, mask = encoded["input_ids"][i : i + BATCH], encoded["attention_mask"][i : i + BATCH]
            logits = self.model(ids, attention_mask=mask).logits[:, :-1]
            losses = functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
            kept = mask[:, 1:]
            found += ((losses * kept).sum(1) / kept.sum(1)).tolist()
        return found


def run() -> list[Row]:
    """Equal precision, then bfloat16 against the peer's float32."""
    chosen, name = stories()
    texts = [f"{story.prompt} {story.text}" for story in chosen]
    source = locate(None, Role.LANGUAGE)
    theirs = UsualLoop(source.folder)
    rows, exact = [], np.array(theirs(texts))
    for precision in ("float32", "bfloat16"):
        model = LanguageModel(source, "cpu", precision)

        def ours(model: LanguageModel = model) -> np.ndarray[Any, Any]:
            model._memory.clear()
            return np.array([one.nll / one.tokens for one in model.likelihoods([("", t) for t in texts])])

        values, tokens = ours(), sum(len(ids) for ids in model.tokenizer(texts)["input_ids"])
        remark = (
            f"differ by {np.abs(values - exact).max():.1e}, Spearman {stats.spearmanr(values, exact).statistic:.5f}"
        )
        rows.append(
            compare(
                f"perplexity, {len(texts):,} {name} ({precision})",
                "the usual padded loop (float32)",
                ours,
                lambda: theirs(texts),
                rounds=3,
                units=tokens,
                unit="tokens",
                flops=2 * (TRANSFORMER + HEAD) * tokens,
                precision=precision,
                remark=remark,
            )
        )
    return rows
