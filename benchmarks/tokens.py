"""Token statistics of stories against GLTR's way: a text at a time, a full sort, a Python loop over positions."""

from typing import Any

import numpy as np
import torch

from benchmarks.corpus import stories
from benchmarks.perplexity import HEAD, TRANSFORMER, UsualLoop
from benchmarks.timing import Row, compare, devices
from core.models.catalogue import Role, locate
from core.models.language import LanguageModel

STORIES, TOP = 60, 40


def on(device: str) -> list[Row]:
    """Rank, probability, fraction and the forty likeliest tokens of every position."""
    texts = [story.text for story in stories()[0][:STORIES]]
    source = locate(None, Role.LANGUAGE)
    usual = UsualLoop(source.folder, device)
    rows = []
    for precision in ("float32", "bfloat16"):
        model = LanguageModel(source, device, precision)

        @torch.inference_mode()
        def theirs() -> list[list[tuple[int, float, list[tuple[str, float]]]]]:
            found = []
            for text in texts:
                ids: Any = usual.tokenizer("<|endoftext|>" + text, return_tensors="pt")["input_ids"][0]
                probabilities = torch.softmax(usual.model(ids[None].to(device)).logits[0, :-1], -1).cpu().numpy()
                order = np.argsort(-probabilities)
                one = []
                for i, token in enumerate(ids[1:].tolist()):
                    rank = int(np.where(order[i] == token)[0][0])
                    likeliest = [
                        (usual.tokenizer.convert_ids_to_tokens(int(t)), round(float(probabilities[i, t]), 5))
                        for t in order[i, :TOP]
                    ]
                    one.append((rank, round(float(probabilities[i, token]), 5), likeliest))
                found.append(one)
            return found

        def ours(model: LanguageModel = model) -> list[np.ndarray[Any, Any]]:
            return [one.rank for one in model.token_statistics([("", text) for text in texts], TOP)]

        mine, other = np.concatenate(ours()), np.array([rank for one in theirs() for rank, _, _ in one])
        tokens = len(mine)
        rows.append(
            compare(
                f"token statistics, {STORIES} stories ({precision})",
                "GLTR's way (float32)",
                ours,
                theirs,
                rounds=3,
                units=tokens,
                unit="tokens",
                flops=2 * (TRANSFORMER + HEAD) * tokens,
                precision=precision,
                remark=f"{np.mean(mine == other):.2%} of the ranks equal",
                device=device,
            )
        )
    return rows


def run() -> list[Row]:
    """On each device there is."""
    return [row for device in devices() for row in on(device)]
