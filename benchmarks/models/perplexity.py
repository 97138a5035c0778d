"""Perplexity of 1,000 stories against the usual loop: input order, padded to the corpus's longest, all logits kept."""

import statistics
from typing import Any

import numpy as np
import torch
from scipy import stats
from torch.nn import functional

from benchmarks.corpus import stories
from benchmarks.timing import Row, devices, measured
from core.models.catalogue import ModelRole, locate
from core.models.language import LanguageModel

BATCH = 16
TRANSFORMER, HEAD = 106.2e6, 28.3e6
"""Parameters of SmolLM2-135M that multiply each token, and each scored position."""


class UsualLoop:
    """Hugging Face `evaluate`'s way, with the same model and precision."""

    def __init__(self, folder: str, device: str) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval().to(device)
        self.device = device
        self.tokenizer.pad_token, self.tokenizer.padding_side = "<|endoftext|>", "right"

    @torch.inference_mode()
    def __call__(self, texts: list[str]) -> list[float]:
        """Mean negative log-likelihood of each text."""
        encoded = self.tokenizer(["<|endoftext|>" + t for t in texts], return_tensors="pt", padding=True).to(
            self.device
        )
        result = []
        for i in range(0, len(texts), BATCH):
            ids, mask = encoded["input_ids"][i : i + BATCH], encoded["attention_mask"][i : i + BATCH]
            logits = self.model(ids, attention_mask=mask).logits[:, :-1]
            losses = functional.cross_entropy(logits.transpose(1, 2), ids[:, 1:], reduction="none")
            kept = mask[:, 1:]
            result += ((losses * kept).sum(1) / kept.sum(1)).tolist()
        return result


def on(device: str) -> list[Row]:
    """Equal precision, then bfloat16 against the peer's float32, which takes minutes and is timed once."""
    chosen, name = stories()
    texts = [f"{story.prompt} {story.text}" for story in chosen]
    source = locate(None, ModelRole.LANGUAGE)
    usual = UsualLoop(source.folder, device)
    usual(texts[:BATCH])
    result: list[float] = []
    seconds, memory = measured(lambda: result.extend(usual(texts)))
    exact, rows = np.array(result), []
    for precision in ("float32", "bfloat16"):
        model = LanguageModel(source, device, precision)
        tokens = sum(len(ids) for ids in model.tokenizer(texts)["input_ids"])
        model.measures([("", text) for text in texts[:BATCH]])
        times = []
        for _ in range(3):
            model._memory.clear()
            values: list[float] = []
            times.append(
                measured(
                    lambda v=values, m=model: v.extend(
                        numbers[:, 0].sum(dtype=np.float64) / len(numbers)
                        for numbers in m.measures([("", t) for t in texts])
                    )
                )  # type: ignore[misc]
            )
        ours = np.array(values)
        rows.append(
            Row(
                f"perplexity, {len(texts):,} {name} ({precision})",
                "the usual padded loop (float32)",
                statistics.median(time for time, _ in times),
                seconds,
                (max(peak for _, peak in times), memory),
                tokens,
                "tokens",
                2 * (TRANSFORMER + HEAD) * tokens,
                precision,
                f"differ by {np.abs(ours - exact).max():.1e}, Spearman {stats.spearmanr(ours, exact).statistic:.5f}",
                device,
            )
        )
    return rows


def run() -> list[Row]:
    """On each device there is."""
    return [row for device in devices() for row in on(device)]
