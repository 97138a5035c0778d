"""Preferences for tests: simulated ones of known strengths, and small ones written out."""

from collections.abc import Iterable

import numpy as np

from core.analysis.preferences.preferences import Preferences
from core.arrays import Floats
from core.statistics.bradley_terry import probabilities


def preferences(
    systems: Iterable[str],
    *judgments: tuple[str, str, int],
    prompts: list[int] | None = None,
    raters: list[int] | None = None,
) -> Preferences:
    """Judgments (first, second, choice) of systems, named by a letter or more; a prompt each unless `prompts` says."""
    names = tuple(systems)
    number = list(range(len(judgments))) if prompts is None else prompts
    return Preferences(
        names,
        tuple(f"prompt {i}" for i in range(max(number, default=-1) + 1)),
        np.array(number, dtype=np.intp),
        np.array([names.index(first) for first, _, _ in judgments], dtype=np.intp),
        np.array([names.index(second) for _, second, _ in judgments], dtype=np.intp),
        np.array([choice for _, _, choice in judgments], dtype=np.intp),
        tuple(f"{i}{first}" for i, (first, _, _) in zip(number, judgments, strict=True)),
        tuple(f"{i}{second}" for i, (_, second, _) in zip(number, judgments, strict=True)),
        np.array([-1] * len(judgments) if raters is None else raters, dtype=np.intp),
    )


def simulated(
    strengths: Floats, number: int, *, prompts: int, nu: float = 0.5, strongest: int = 1, seed: int = 0
) -> Preferences:
    """Judgments of random pairs by Davidson's model; each choice has a size from 1 to `strongest`."""
    rng = np.random.default_rng(seed)
    systems = len(strengths)
    first = rng.integers(0, systems, number)
    second = (first + rng.integers(1, systems, number)) % systems
    prompt = np.arange(number) % prompts
    win, tie, _ = probabilities(strengths[first] - strengths[second], np.array(nu))
    drawn = rng.random(number)
    side = np.where(drawn < win, -1, np.where(drawn < win + tie, 0, 1))
    names = tuple(f"system {i:02}" for i in range(systems))
    return Preferences(
        names,
        tuple(f"prompt {i}" for i in range(prompts)),
        prompt,
        first,
        second,
        side * rng.integers(1, strongest + 1, number),
        tuple(f"{i} {names[a]}" for i, a in zip(prompt, first, strict=True)),
        tuple(f"{i} {names[b]}" for i, b in zip(prompt, second, strict=True)),
        np.full(number, -1, dtype=np.intp),
    )
