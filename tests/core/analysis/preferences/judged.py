"""Preferences for tests: simulated ones of known strengths, and small ones written out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from core.analysis.preferences.preferences import Preferences
from core.arrays import Floats
from core.scores import ScoreColumn, ScoreTable
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


def scored(judged: Preferences, keys: Sequence[str], *columns: Floats) -> ScoreTable:
    """These stories with people's shares of comparisons won, and their scores."""
    won, of_system = defaultdict(list), {}
    for row, choice in enumerate(np.sign(judged.choice).tolist()):
        for keys_of, sides, sign in ((judged.first_story, judged.first, -1), (judged.second_story, judged.second, 1)):
            of_system[keys_of[row]] = judged.systems[sides[row]]
            won[keys_of[row]].append((1 + sign * choice) / 2)
    return ScoreTable(
        tuple(keys),
        tuple(key.split()[0] for key in keys),
        tuple(of_system.get(key, "") for key in keys),
        ("",) * len(keys),
        np.array([np.mean(won[key]) if key in won else np.nan for key in keys]),
        tuple(ScoreColumn(f"metric {i}", f"metric {i}|v:1", values, {}) for i, values in enumerate(columns)),
        compared=True,
    )
