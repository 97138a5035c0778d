"""A loaded model: read from its folder, and run over texts in batches that fit into memory."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

import torch

from core.errors import FabulaError, InputError, ModelMissing
from core.models.catalogue import ROLES, ModelRole, ModelSource
from core.models.concurrency import FairLock
from core.models.devices.cpu import keep_freed_memory, pack
from core.models.devices.gpu import fuse_norms
from core.models.shape import MOST_TOKENS, shape_of, tokens_that_fit
from core.notices import notice

T = TypeVar("T")
R = TypeVar("R")
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
TOKENS_A_BATCH = {"cpu": 2048, "cuda": MOST_TOKENS}
_turns: dict[str, FairLock] = {device: FairLock() for device in ("cpu", "cuda")}
_POSITIONS_AFTER_PADDING = {"roberta", "xlm-roberta", "xlm-roberta-xl", "roberta-prelayernorm", "camembert", "mpnet"}
"""In these families positions begin after the padding token's id: fewer can be used than the table has."""
_HEADS = {
    ModelRole.LANGUAGE: "AutoModelForCausalLM",
    ModelRole.ENCODER: "AutoModel",
    ModelRole.REGRESSOR: "AutoModelForSequenceClassification",
    ModelRole.MASKED: "AutoModelForMaskedLM",
    ModelRole.BASE: "AutoModel",
    ModelRole.TRANSLATION: "AutoModelForSeq2SeqLM",
    ModelRole.CLASSIFIER: "AutoModelForSequenceClassification",
}

_POOLED = (ModelRole.REGRESSOR, ModelRole.CLASSIFIER)
"""What reads a text's pooled vector."""


def resolve_device(device: str = "auto") -> str:
    """`auto` is the GPU where there is one. Raises InputError for `cuda` on a machine without, and other names."""
    if device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("This machine has no usable CUDA GPU; choose the device auto or cpu.")
    if device not in TOKENS_A_BATCH:
        raise InputError(f"There is no device {device!r}; choose one of auto, {', '.join(TOKENS_A_BATCH)}.")
    return device


def by_tokens(lengths: Sequence[int], budget: int) -> list[list[int]]:
    """Indexes in batches, longest first, so that one that does not fit in memory shows at once.

    A batch's longest text times its number of texts stays within `budget` tokens; a longer text is alone.
    """
    batches: list[list[int]] = []
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if batches and (len(batches[-1]) + 1) * lengths[batches[-1][0]] <= budget:
            batches[-1].append(index)
        else:
            batches.append([index])
    return batches


def device_turn(device: str) -> FairLock:
    """What work of one's own on a device holds while it runs, a step or a batch at a time: others wait for theirs.

    `device`: "cpu" or "cuda". A `Network` takes it by itself, after its own: never call one while holding this.
    """
    return _turns[device]


def out_of_memory(error: RuntimeError) -> bool:
    """Of the allocator, the driver, cuBLAS and the CPU, which all say it in words of their own."""
    signs = ("out of memory", "ALLOC_FAILED", "can't allocate memory")
    return isinstance(error, torch.OutOfMemoryError) or any(sign in str(error) for sign in signs)


@contextmanager
def nothing_runs() -> Iterator[None]:
    """For loading a model, which sets torch's usual type for the whole process for a while."""
    with ExitStack() as still:
        for turn in _turns.values():
            still.enter_context(turn)
        yield


def load_tokenizer(role: ModelRole, source: ModelSource) -> Any:
    """A model's own tokenizer. Raises ModelMissing where there is none, or where it does not say where tokens stand."""
    import transformers

    try:
        tokenizer: Any = transformers.AutoTokenizer.from_pretrained(source.folder, trust_remote_code=False)
    except Exception as error:  # tokenizers have errors of their own, derived from nothing narrower
        raise ModelMissing(f"{source.name} cannot be loaded as {ROLES[role]}: choose another one.") from error
    # Those that are not fast do not say which word a piece belongs to; a translation has no use for that.
    if role is not ModelRole.TRANSLATION and not getattr(tokenizer, "is_fast", False):
        raise ModelMissing(f"{source.name} has no tokenizer.json: choose a model that has one.")
    return tokenizer


def load_pretrained(role: ModelRole, source: ModelSource, dtype: torch.dtype) -> tuple[Any, Any]:
    """A model and its tokenizer, while `nothing_runs`. Raises ModelMissing where the folder holds no such model."""
    import transformers
    from transformers.utils import logging

    keep_freed_memory()
    logging.disable_progress_bar()
    tokenizer = load_tokenizer(role, source)
    try:
        model, report = getattr(transformers, _HEADS[role]).from_pretrained(
            source.folder, dtype=dtype, output_loading_info=True, trust_remote_code=False
        )
    except Exception as error:  # safetensors has errors of its own, derived from nothing narrower
        raise ModelMissing(f"{source.name} cannot be loaded as {ROLES[role]}: choose another one.") from error
    # A pooler is not used here; anything else that the checkpoint lacks would be random numbers.
    missing = [key for key in report["missing_keys"] if "pooler" not in key or role in _POOLED]
    if missing:
        raise ModelMissing(f"{source.name} is not {ROLES[role]}: its file lacks {missing[0]}; choose another one.")
    return model, tokenizer


def positions_of(config: Any, tokenizer: Any) -> int:
    """How many pieces a model can read at once, special ones included."""
    limit = int(getattr(config, "max_position_embeddings", 0) or 512)
    if config.model_type in _POSITIONS_AFTER_PADDING:
        limit -= int(config.pad_token_id or 0) + 1
    return min(limit, int(tokenizer.model_max_length))


class Network:
    """A pretrained model with its tokenizer on one device, in one precision."""

    role: ModelRole
    _fitting = TOKENS_A_BATCH["cuda"]

    def __init__(self, source: ModelSource, device: str = "cpu", precision: str = "float32") -> None:
        """Load what `catalogue.locate` found; raises ModelMissing where it is of the wrong kind."""
        self.source = source
        self.asked = self.device = device
        self.dtype = DTYPES[precision]
        self._turn = FairLock()
        with nothing_runs():
            self.model, self.tokenizer = load_pretrained(self.role, source, self.dtype)
            self.prepare()
            self.model.eval()
            if device == "cpu":
                pack(self.model, self.dtype)
            else:
                fuse_norms(self.model)
                self._move(device)
                if self.device == "cuda":  # once, so that a text's batch depends on nothing that is read later
                    free = torch.cuda.mem_get_info()[0] + torch.cuda.memory_reserved() - torch.cuda.memory_allocated()
                    self._fitting = tokens_that_fit(free, shape_of(source), self.dtype.itemsize)

    def prepare(self) -> None:
        """What a kind of model does to it before it is laid out for inference: nothing."""

    @property
    def budget(self) -> int:
        """Tokens a batch: on a GPU as many as fitted when the model was loaded."""
        return self._fitting if self.device == "cuda" else TOKENS_A_BATCH[self.device]

    @property
    def positions(self) -> int:
        """How many pieces the model can read at once, special ones included."""
        return positions_of(self.model.config, self.tokenizer)

    def _move(self, device: str) -> None:
        try:
            self.model.to(device)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
            self.model.to("cpu")
            self.device = "cpu"

    def _on_the_cpu(self, work: Callable[[list[T]], list[R]], batch: list[T]) -> list[R]:
        """One text that is too long for the GPU; the model goes back there afterwards."""
        self.model.to("cpu")
        self.device = "cpu"
        try:
            return self._run(work, batch)
        finally:
            self.device = self.asked
            self._move(self.asked)

    def run(self, work: Callable[[list[T]], list[R]], batch: list[T]) -> list[R]:
        """Do a batch, or its halves where memory is short; one text that does not fit a GPU is done on the CPU.

        Only one piece of work uses a device, and a model, at a time: the one that has waited longest. Raises
        FabulaError where even the CPU has too little memory.
        """
        with self._turn:  # of the model, before any device's: it may move from one to another
            return self._run(work, batch)

    def _run(self, work: Callable[[list[T]], list[R]], batch: list[T]) -> list[R]:
        if self.device != self.asked:
            notice(f"The GPU has not enough memory for {self.source.name}: some or all of it ran on the CPU.")
        try:
            with _turns[self.device], torch.inference_mode():
                return work(batch)
        except RuntimeError as error:
            if not out_of_memory(error):
                raise
        # Outside the handler: the traceback would keep the failed batch's tensors alive.
        if self.device == "cuda":
            torch.cuda.empty_cache()
        if len(batch) > 1:
            middle = len(batch) // 2
            return self._run(work, batch[:middle]) + self._run(work, batch[middle:])
        if self.device == "cpu":
            raise FabulaError(f"This machine has not enough memory to run {self.source.name} on the longest story.")
        return self._on_the_cpu(work, batch)
