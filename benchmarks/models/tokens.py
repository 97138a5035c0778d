"""Token statistics against GLTR's own way: a text at a time, with gradients, a full sort, a loop over positions."""

from typing import Any

import numpy as np
import torch

from benchmarks.corpus import stories
from benchmarks.models.perplexity import HEAD, TRANSFORMER, UsualLoop
from benchmarks.timing import Row, compare, devices
from core.models.catalogue import ModelRole, locate
from core.models.tokens.table import read_tokens
from core.tokens import Mode

STORIES, TOP = 60, 40
ROUNDS = 3
PAGE = 300
"""Words of a text that somebody pastes into the page."""


class Gltr:
    """Step by step what GLTR's backend does with GPT-2 (`LM.check_probabilities`), here with the model of ours."""

    def __init__(self, folder: str, device: str) -> None:
        usual = UsualLoop(folder, device)
        self.model, self.tokenizer, self.device = usual.model, usual.tokenizer, device
        self.decoder = {i: token for token, i in self.tokenizer.get_vocab().items()}

    def __call__(self, text: str) -> dict[str, list[Any]]:
        """Its payload. Nothing turns gradients off: GLTR does not."""
        start = torch.full((1, 1), self.tokenizer.convert_tokens_to_ids("<|endoftext|>"), device=self.device)
        encoded = torch.tensor(self.tokenizer.encode(text), device=self.device, dtype=torch.long)[None]
        context = torch.cat([start, encoded], dim=1)
        probabilities = torch.softmax(self.model(context).logits[0, :-1], dim=-1)
        targets = context[0, 1:]
        order = np.argsort(-probabilities.data.cpu().numpy())
        ranks = [int(np.where(order[i] == targets[i].item())[0][0]) for i in range(len(targets))]
        own = probabilities[np.arange(len(targets)), targets].data.cpu().numpy().tolist()
        likeliest = [
            list(
                zip(
                    [self.decoder[p] for p in order[i][:TOP]],
                    [round(x, 5) for x in probabilities[i][order[i][:TOP]].data.cpu().numpy().tolist()],
                    strict=True,
                )
            )
            for i in range(len(targets))
        ]
        return {
            "bpe_strings": [self.decoder[token.item()] for token in context[0]],
            "real_topk": list(zip(ranks, [round(x, 5) for x in own], strict=True)),
            "pred_topk": likeliest,
        }


def on(device: str) -> list[Row]:
    """Rank, probability, fraction and the forty likeliest tokens of every position."""
    chosen = [story.text for story in stories()[0]]
    several = chosen[:STORIES]
    page = " ".join(" ".join(chosen).split()[:PAGE])
    theirs = Gltr(locate(None, ModelRole.LANGUAGE).folder, device)
    theirs(several[0])
    rows = []
    for precision in ("float32", "bfloat16"):
        for what, texts in ((f"{STORIES} stories", several), (f"one text of {PAGE} words", [page])):

            def ours(texts: list[str] = texts, precision: str = precision) -> list[Any]:
                return list(read_tokens(texts, mode=Mode.CAUSAL, device=device, precision=precision, top=TOP))

            def peer(texts: list[str] = texts) -> list[Any]:
                return [theirs(text) for text in texts]

            mine = np.concatenate([table.rank for table in ours()])
            other = np.array([rank for item in peer() for rank, _ in item["real_topk"]])
            rows.append(
                compare(
                    f"token statistics, {what} ({precision})",
                    "GLTR's way (float32)",
                    ours,
                    peer,
                    rounds=ROUNDS,
                    units=len(mine),
                    unit="tokens",
                    flops=2 * (TRANSFORMER + HEAD) * len(mine),
                    precision=precision,
                    remark=f"{np.mean(mine == other):.2%} of the ranks equal",
                    device=device,
                )
            )
    return rows


def run() -> list[Row]:
    """On each device there is."""
    return [row for device in devices() for row in on(device)]
