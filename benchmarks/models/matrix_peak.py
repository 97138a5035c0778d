"""How near each forward pass comes to the machine's best matrix product, and where the rest of its time goes.

With `OMP_NUM_THREADS=1` processor seconds are counted instead of the clock's, so that other programs disturb less.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch

from benchmarks.corpus import many_stories
from benchmarks.models.embedding import _forgetful
from benchmarks.timing import devices
from core.models.catalogue import ModelRole, locate
from core.models.devices.cpu import PackedLinear
from core.models.network import DTYPES, Network
from core.models.runtime import encoder, language_model
from core.models.shape import Shape, shape_of
from core.models.tokens.table import read_tokens

STORIES = {"cpu": (200, 60, 400), "cuda": (10_000, 1_000, 4_000)}
"""For perplexity, the token view and BERTScore: a GPU is done with a few hundred before it is busy."""
TOP, ROUNDS, PRODUCTS = 40, 5, 12
KEY_VALUE = 192
"""Width of SmolLM2's keys and values, which its heads share by three."""
OPERATIONS = {
    "products": ("_linear_pointwise", "::mm", "::addmm", "::linear", "::matmul"),
    "vocabulary": ("log_softmax", "nll_loss", "topk", "amax", "gather", "::gt", "::exp", "::sub"),
    "attention": ("scaled_dot_product", "::bmm", "softmax", "_efficient_attention", "_flash_attention"),
    "norms, activations, rotary, sums": (
        *("layer_norm", "rms_norm", "::mul", "::add", "::pow", "::mean", "rsqrt", "::neg", "::cat", "gelu", "silu"),
        *("sin", "cos", "::div", "norm", "::sum", "::stack"),
    ),
    "copies": ("copy", "clone", "index", "contiguous", "embedding", "fill", "empty"),
}
"""Kinds of operations by parts of their names, the first kind that fits."""


@dataclass(frozen=True)
class Pass:
    """One forward pass: what runs it, the texts that it reads (`lengths`, in tokens), of which `scored` tokens meet the
    vocabulary, the linear layers' sizes (in, out), and what tokenises the same texts.
    """

    name: str
    run: Callable[[], object]
    lengths: Sequence[int]
    scored: int
    shape: Shape
    layers: tuple[tuple[int, int], ...]
    tokenise: Callable[[], object]

    @property
    def flops(self) -> float:
        """Multiplications and additions that the numbers need: no padding, and of a causal model's attention the half
        that it looks at.
        """
        parameters = self.shape.layers * sum(inside * out for inside, out in self.layers)
        looked_at = sum(n * (n + 1) / 2 if self.shape.causal else n * n for n in self.lengths)
        head = self.shape.width * self.shape.vocabulary * self.scored
        return 2.0 * (parameters * sum(self.lengths) + 2 * self.shape.layers * self.shape.width * looked_at + head)


def seconds(work: Callable[[], object], device: str) -> float:
    """Of the clock, or of the processor where there is one thread."""
    now = time.thread_time if device == "cpu" and torch.get_num_threads() == 1 else time.perf_counter
    wait = torch.cuda.synchronize if device == "cuda" else lambda: None
    wait()
    begun = now()
    work()
    wait()
    return now() - begun


@torch.inference_mode()
def peak(sizes: Sequence[tuple[int, int]], rows: int, precision: str, device: str) -> float:
    """The best rate of the product of so many rows with a layer of one of these sizes, laid out as models have it."""
    best = 0.0
    for inside, out in sizes:
        weight, given = (torch.randn(n, inside, device=device).to(DTYPES[precision]) for n in (out, rows))
        product = PackedLinear(weight, None) if device == "cpu" else partial(torch.nn.functional.linear, weight=weight)
        product(given)
        shortest = min(seconds(partial(product, given), device) for _ in range(PRODUCTS))
        best = max(best, 2 * inside * out * rows / shortest)
    return best


def shares(work: Callable[[], object], device: str) -> dict[str, float]:
    """Seconds of each kind of operation in a run, by PyTorch's profiler, and of all else."""
    from torch.profiler import ProfilerActivity, profile

    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if device == "cuda" else [])]
    begun = time.perf_counter()
    with profile(activities=activities) as profiler:
        work()
    whole, spent = time.perf_counter() - begun, Counter[str]()
    for event in profiler.key_averages():
        if event.key.startswith(("aten::", "mkldnn::")):
            own = event.self_device_time_total if device == "cuda" else event.self_cpu_time_total
            kind = next(
                (k for k, signs in OPERATIONS.items() if any(s in event.key for s in signs)), "other operations"
            )
            spent[kind] += own / 1e6
    spent["Python and the rest"] = max(0.0, whole - sum(spent.values()))
    return dict(spent)


def lengths_of(network: Network, texts: Sequence[str], added: int) -> list[int]:
    """Tokens of each text as the model reads it."""
    return [len(ids) + added for ids in network.tokenizer(list(texts))["input_ids"]]


def passes(precision: str, device: str) -> Iterator[Pass]:
    """The three passes that most metrics and pages wait for."""
    perplexities, views, scores = map(many_stories, STORIES[device])
    source = locate(None, ModelRole.LANGUAGE)
    model, shape = language_model(source, device, precision), shape_of(source)
    layers = (
        *((shape.width, shape.width),) * 2,
        *((shape.width, KEY_VALUE),) * 2,
        *((shape.width, shape.inner),) * 2,
        (shape.inner, shape.width),
    )
    texts = [f"{s.prompt} {s.text}" for s in perplexities]

    def perplexity() -> Any:
        model._memory.clear()
        return model.measures([("", text) for text in texts])

    several = [story.text for story in views]
    for name, read, work in (
        ("perplexity", texts, perplexity),
        ("token view", several, partial(read_tokens, several, device=device, precision=precision, top=TOP)),
    ):
        lengths = lengths_of(model, read, 1)
        scored = sum(lengths) - len(lengths)
        yield Pass(name, work, lengths, scored, shape, layers, partial(_one_by_one, model, read))
    source = locate(None, ModelRole.ENCODER)
    reader, shape = encoder(source, device, precision), shape_of(source)
    references = [story.references[0] for story in scores]
    unique = list(dict.fromkeys([*(story.text for story in scores), *references]))
    layers = (*((shape.width, shape.width),) * 4, (shape.width, shape.inner), (shape.inner, shape.width))
    work = partial(_forgetful, "bertscore-f1", precision, scores, references, device)
    yield Pass("BERTScore", work, lengths_of(reader, unique, 0), 0, shape, layers, partial(reader.tokenizer, unique))


def _one_by_one(network: Network, texts: Sequence[str]) -> list[Any]:
    return [network.tokenizer(text, return_offsets_mapping=True) for text in texts]


def line(one: Pass, precision: str, device: str, rows: int) -> str:
    """A pass's row, by the best of its rounds: what other programs take is no property of the pass."""
    one.run()
    rates, times = [], []
    for _ in range(ROUNDS):  # by turns, since a machine's pace changes
        rates.append(peak(tuple(dict.fromkeys(one.layers)), rows, precision, device))
        times.append(seconds(one.run, device))
    best, rate = max(rates), one.flops / min(times)
    spent = shares(one.run, device)
    begun = time.perf_counter()
    one.tokenise()
    tokenising = time.perf_counter() - begun
    spent["Python and the rest"] = max(0.0, spent["Python and the rest"] - tokenising)
    spent["tokenising"] = tokenising
    whole = sum(spent.values())
    kinds = (*OPERATIONS, "other operations", "tokenising", "Python and the rest")
    cells = [f"{one.name} ({precision}) on {device}", f"{best / 1e9:,.0f}", f"{rate / 1e9:,.0f}", f"{rate / best:.0%}"]
    return f"| {' | '.join(cells + [f'{spent.get(kind, 0) / whole:.1%}' for kind in kinds])} |"


def run() -> Iterator[str]:
    """A table: the peak and the pass in GFlop/s, the share, and the parts of a profiled run's time."""
    kinds = (*OPERATIONS, "other operations", "tokenising", "Python and the rest")
    yield f"| pass | peak, GFlop/s | pass, GFlop/s | share | {' | '.join(kinds)} |\n{'|---' * (4 + len(kinds))}|"
    for device in devices():
        for precision in DTYPES:
            for one in passes(precision, device):
                rows = language_model(locate(None, ModelRole.LANGUAGE), device, precision).budget
                yield line(one, precision, device, rows)
