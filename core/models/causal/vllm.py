"""A causal language model in vLLM, for models of a billion weights and more: what its `prompt_logprobs` say of a
text's tokens.

Texts become tokens here, by the same code and in the same windows as where a model runs in this process, so that vLLM
only says how likely they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import torch

from core.arrays import Floats
from core.errors import FabulaError, ModelMissing
from core.models.catalogue import VLLM, ModelRole, ModelSource
from core.models.causal.engine import Engine
from core.models.language import CausalModel, Window, positions
from core.models.network import by_tokens, device_turn, load_tokenizer, nothing_runs
from core.tokens import ENTROPY_OF, likelier, likelihood_rows

LONGEST = 8192
"""Tokens of a context, at most: vLLM sets memory aside for one of full length, which for 131,072 tokens of a model with
eight billion weights are 16 GB.
"""
TOKENS_AT_ONCE = 65_536
"""Of the windows that are handed over together: vLLM schedules them by itself, and what it tells of a token takes two
kilobytes or so until it is read.
"""
UNFIT = "this version of vLLM cannot be used here, so install another one"


class Logprob(Protocol):
    """What vLLM tells of a token at a place: `logprob`, natural, and `rank` among all tokens, from 1."""

    logprob: float
    rank: int | None


class VllmModel(CausalModel):
    """It reads windows of `LONGEST` tokens where the model can read more; one place is vLLM's, for the token that it
    has to write.
    """

    def __init__(self, source: ModelSource, precision: str = "float32") -> None:
        """Load what `catalogue.locate` found.

        Raises ModelMissing where this machine has no GPU, or vLLM does not run the model.
        """
        if not torch.cuda.is_available():
            raise ModelMissing(
                f"vLLM runs on an NVIDIA GPU, and this machine has no usable one: leave {VLLM} out of {VLLM}"
                f"{source.name}, or serve the model where there is one and name its --endpoint."
            )
        tokenizer = load_tokenizer(ModelRole.LANGUAGE, source)
        longest = min(positions(_config(source)), LONGEST)
        with nothing_runs():  # in this process vLLM, too, sets torch's usual type while it loads
            self._engine = Engine(source, precision, longest)
        super().__init__(source, tokenizer, longest - 1)

    def _batches(self, lengths: Sequence[int]) -> list[list[int]]:
        return by_tokens(lengths, TOKENS_AT_ONCE)

    def _read(self, windows: list[Window], top: int | None) -> list[torch.Tensor]:
        most = max(top or 0, ENTROPY_OF)
        with device_turn("cuda"):
            answers = self._engine.prompt_logprobs([window.ids for window in windows], most)
        return [
            torch.from_numpy(rows_of(window.ids, window.first, told, most, top))
            for window, told in zip(windows, answers, strict=True)
        ]


def _config(source: ModelSource) -> Any:
    import transformers

    try:
        return transformers.AutoConfig.from_pretrained(source.folder, trust_remote_code=False)
    except (OSError, ValueError, KeyError) as error:
        raise ModelMissing(f"The config.json of the model {source.name} cannot be read.") from error


def rows_of(
    ids: Sequence[int], first: int, told: Sequence[Mapping[int, Logprob] | None] | None, most: int, top: int | None
) -> Floats:
    """A row for each token from place `first` on: the columns of `core.models.statistics.likelihood`, or with `top`
    those of `statistics`.

    `told`: of each token of `ids`, the `most` likeliest of its place and itself, which vLLM adds where it is none of
    them; nothing of the first. Raises FabulaError where some are missing: no number is made of what is left.
    """
    if told is None or len(told) != len(ids):
        raise FabulaError(f"vLLM told of {len(told or ())} tokens where {len(ids)} were read: {UNFIT}.")
    own: list[tuple[float, int]] = []
    listed: list[list[tuple[int, float]]] = []
    for token, place in zip(ids[first:], told[first:], strict=True):
        if place is None or token not in place or place[token].rank is None or len(place) < most:
            raise FabulaError(f"vLLM told nothing, or too little, of a token: {UNFIT}.")
        own.append((place[token].logprob, place[token].rank or 0))
        # Of equals the token itself is the last: if it is none of the likeliest, they are.
        ordered = sorted(place.items(), key=lambda entry: (-entry[1].logprob, entry[0] == token))
        listed.append([(other, entry.logprob) for other, entry in ordered[:most]])
    log_p, rank = np.array(own, dtype=np.float64).T
    likeliest = np.array(listed, dtype=np.float64)
    if not (np.isfinite(log_p).all() and np.isfinite(likeliest).all()):
        raise FabulaError("vLLM found no probability of a token: choose another precision.")
    ranks = likelier(log_p, likeliest[:, :, 1], rank)
    rows = likelihood_rows(log_p, likeliest[:, :, 1])
    if top is None:
        return rows
    return np.column_stack(
        [rows[:, 0], ranks, rows[:, 1], rows[:, 3], likeliest[:, :top, 0], np.exp(likeliest[:, :top, 1])]
    )
