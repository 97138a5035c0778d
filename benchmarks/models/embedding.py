"""BERTScore against `bert-score`, and MoverScore against a joint matrix a pair, on the same texts and model."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import ot
import torch
from scipy import stats

from benchmarks.corpus import long_pairs, stories
from benchmarks.timing import Row, compare, devices
from core.metrics import build
from core.metrics.base import Settings
from core.metrics.bertscore import _compared
from core.metrics.idf import fit
from core.models.catalogue import ModelRole, locate
from core.models.encoder import Encoder
from core.models.runtime import encoder
from core.stories import Story

LAYERS, PARAMETERS = 6, 10.62e6
"""Of all-MiniLM-L6-v2: layers, and parameters that multiply each token."""


def _forgetful(
    metric: str, precision: str, chosen: Sequence[Story], references: list[str], device: str
) -> np.ndarray[Any, Any]:
    """Score with nothing remembered of the run before."""
    source = locate(None, ModelRole.ENCODER)
    encoder(source, device, precision)._memory.clear()
    _compared.clear()
    return build(metric, Settings(precision=precision, device=device, corpus=lambda: references)).score(chosen).values


def bertscore(device: str) -> list[Row]:
    """Precision, recall and F1, which cost one comparison on both sides."""
    from bert_score import BERTScorer

    chosen, name = stories()
    texts, references = [s.text for s in chosen], [s.references[0] for s in chosen]
    source = locate(None, ModelRole.ENCODER)
    scorer = BERTScorer(model_type=source.folder, num_layers=LAYERS, device=device, batch_size=64)
    unique = list(dict.fromkeys(texts + references))
    tokens = sum(len(ids) for ids in encoder(source, "cpu", "float32").pieces(unique))
    exact = scorer.score(texts, references)[2].numpy()
    ours = _forgetful("bertscore-f1", "float32", chosen, references, device)
    # bert-score takes its padding for a piece of similarity 0, which beats a negative one: such pairs it scores alone.
    padded = np.flatnonzero(np.abs(ours - exact) > 1e-5)
    for i in padded:
        exact[i] = scorer.score([texts[i]], [references[i]])[2].item()
    rows = []
    for precision in ("float32", "bfloat16"):
        values = _forgetful("bertscore-f1", precision, chosen, references, device)
        rows.append(
            compare(
                f"BERTScore, {len(chosen):,} {name} ({precision})",
                "bert-score 0.3.13 (float32)",
                lambda precision=precision: _forgetful("bertscore-f1", precision, chosen, references, device),  # type: ignore[misc]
                lambda: scorer.score(texts, references),
                units=tokens,
                unit="tokens",
                flops=2 * PARAMETERS * tokens,
                precision=precision,
                remark=f"differ by {np.abs(values - exact).max():.1e}, "
                f"Spearman {stats.spearmanr(values, exact).statistic:.5f} "
                f"({len(padded)} pairs that padding changes were scored alone by the peer)",
                device=device,
            )
        )
    return rows


class JointMatrix:
    """MoverScore as its authors compute it: both sides of each pair embedded anew, padded to the batch's longest,
    distances of all their words to all, and the transport solved on that joint matrix.
    """

    def __init__(self, folder: str, idf: np.ndarray[Any, Any], device: str) -> None:
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.model: Any = AutoModel.from_pretrained(folder, dtype=torch.float32).eval().to(device)
        self.idf, self.device = idf, device

    @torch.inference_mode()
    def _embed(self, texts: list[str]) -> tuple[torch.Tensor, np.ndarray[Any, Any]]:
        encoded = self.tokenizer(texts, return_tensors="pt", padding=True, truncation=True).to(self.device)
        states = self.model(**encoded).last_hidden_state
        weights = np.zeros(encoded["input_ids"].shape)
        for i in range(len(texts)):
            pieces, before = self.tokenizer.convert_ids_to_tokens(encoded["input_ids"][i]), None
            for j, (piece, word) in enumerate(zip(pieces, encoded.word_ids(i), strict=True)):
                if word is not None and word != before and any(c.isalnum() for c in piece):
                    weights[i, j] = self.idf[int(encoded["input_ids"][i, j])]
                before = word
        return states, weights

    def __call__(self, pairs: Sequence[tuple[str, str]], batch: int = 64) -> list[float]:
        """1 / (1 + distance) of each pair."""
        result = []
        for start in range(0, len(pairs), batch):
            part = pairs[start : start + batch]
            (ours, a), (theirs, b) = self._embed([x for x, _ in part]), self._embed([y for _, y in part])
            joint = torch.cat([ours, theirs], 1)
            joint = joint / joint.norm(dim=-1, keepdim=True)
            distances = torch.cdist(joint, joint).double().cpu().numpy()
            for i in range(len(part)):
                left = np.concatenate([a[i] / a[i].sum(), np.zeros(b.shape[1])])
                right = np.concatenate([np.zeros(a.shape[1]), b[i] / b[i].sum()])
                result.append(1 / (1 + float(ot.emd2(left, right, distances[i], numItermax=1_000_000))))
        return result


def moverscore(device: str) -> list[Row]:
    """At about 40 and 250 tokens."""
    chosen, name = stories()
    source = locate(None, ModelRole.ENCODER)
    long = [Story(a, references=(b,)) for a, b in long_pairs(100)]
    rows = []
    for what, sample in ((f"{len(chosen):,} {name}, 40 tokens", chosen), ("100 pairs of 250 tokens", long)):
        references = list(dict.fromkeys(s.references[0] for s in sample))
        theirs = JointMatrix(source.folder, fit(references, Encoder(source, "cpu")), device)
        pairs = [(s.text, s.references[0]) for s in sample]

        def ours(sample: Sequence[Story] = sample, references: list[str] = references) -> np.ndarray[Any, Any]:
            return _forgetful("moverscore-1", "float32", sample, references, device)

        worst = np.abs(ours() - np.array(theirs(pairs))).max()
        rows.append(
            compare(
                f"MoverScore-1, {what} (float32)",
                "joint matrix a pair (POT)",
                ours,
                lambda theirs=theirs, pairs=pairs: theirs(pairs),  # type: ignore[misc]
                rounds=3,
                units=len(pairs),
                unit="pairs",
                remark=f"differ by {worst:.1e}",
                device=device,
            )
        )
    return rows


def run() -> list[Row]:
    """Both, on each device there is."""
    return [row for device in devices() for row in (*bertscore(device), *moverscore(device))]
