"""vLLM itself, imported at first use and nowhere else. docs/vllm.md says why each setting is as it is."""

import gc
import os
from collections.abc import Sequence
from typing import Any

import torch

from core.errors import FabulaError, ModelMissing
from core.models.catalogue import ModelSource
from core.tokens import MOST_ALTERNATIVES

TOKENS_A_STEP = 2048
"""The logits of so many tokens, over the whole vocabulary and in float32, are made at once, beside the memory that vLLM
has planned: of 152,000 entries they take 1.9 GB.
"""
SHARE_OF_MEMORY = 0.8
"""Of the GPU's memory, which vLLM takes for weights and keys; what is left has to hold those logits."""
SURROUNDINGS = {
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",  # the same order of work each time, and no process that stays behind
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",  # standard output is for results
    "VLLM_LOGGING_LEVEL": "WARNING",
    "VLLM_USE_FLASHINFER_SAMPLER": "0",  # of the one token that is written and thrown away
    "TRITON_F32_DEFAULT": "ieee",  # else attention in float32 multiplies in TF32, which has ten bits of the 23
}
"""Settings that vLLM and Triton read when they are imported; what somebody has set stays."""
LONGEST_REASON = 200
"""Characters of what vLLM said when it broke."""


class Engine:
    """A model that vLLM has loaded."""

    def __init__(self, source: ModelSource, precision: str, longest: int) -> None:
        """`longest`: tokens of a context. Raises ModelMissing where vLLM cannot be imported, or does not run the model.

        What was loaded before has to have left the GPU: vLLM takes its share of all of its memory.
        """
        self._name = source.name
        for name, value in SURROUNDINGS.items():
            os.environ.setdefault(name, value)
        gc.collect()
        torch.cuda.empty_cache()
        try:
            import vllm

            self._vllm: Any = vllm
            self._model: Any = vllm.LLM(
                model=source.folder,
                dtype=precision,
                seed=0,
                max_model_len=longest,
                enable_prefix_caching=False,
                enable_chunked_prefill=True,
                max_num_batched_tokens=TOKENS_A_STEP,
                max_logprobs=MOST_ALTERNATIVES,
                logprobs_mode="raw_logprobs",
                gpu_memory_utilization=SHARE_OF_MEMORY,
                tensor_parallel_size=1,
                enforce_eager=True,
                trust_remote_code=False,
            )
        except Exception as error:  # of the driver, of CUDA, of its own: they share nothing narrower
            raise ModelMissing(f"vLLM cannot run {source.name}: {_said(error)}") from error

    def prompt_logprobs(self, texts: Sequence[list[int]], most: int) -> list[Any]:
        """What it tells of texts, given as token ids, in input order: of each place a map from ids to `Logprob`.

        Raises FabulaError where it breaks, of which it does not recover.
        """
        parameters = self._vllm.SamplingParams(prompt_logprobs=most, max_tokens=1, temperature=0.0, detokenize=False)
        prompts = [self._vllm.TokensPrompt(prompt_token_ids=ids) for ids in texts]
        try:
            outputs = self._model.generate(prompts, parameters, use_tqdm=False)
        except Exception as error:
            raise FabulaError(f"vLLM broke off while it read with {self._name}: {_said(error)}") from error
        return [output.prompt_logprobs for output in outputs]


def _said(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return f"{lines[0][:LONGEST_REASON].rstrip('.')}."
