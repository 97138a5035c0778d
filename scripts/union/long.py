"""What might help UNION with longer, freer stories: other features, and other stories to learn from.

    python scripts/union/long.py FOLDER [--pairs 768] [--judged]

FOLDER as for `build.py`, and `hanna/hanna.jsonl` for `--judged`. So many pairs of WritingPrompts, a third of them of
tales and half of them of ROCStories are read once (on one core some 30 minutes). A logistic regression without the
narrow transform stands for the head, so that a variant takes seconds. AUC is of held-out pairs, in five folds by story;
the difference from the first line has the 95 % interval of the bootstrap over stories. Last, what token statistics add
to the shipped checkpoints. `--judged` shows the correlation with people too. The outcome stands in
docs/results/union-long-stories.md.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.checkpoint import load
from core.checkpoints.overlap import fingerprints
from core.checkpoints.store import SHIPPED
from core.english.knowledge import shared_wordnet
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.home import home
from core.metrics.trained.union_scorer import head_output as logit_of
from core.models.catalogue import ModelRole, locate
from core.models.heads.union_published import heads_of
from core.models.runtime import language_model, trunk
from core.perturb.negatives.sampler import Mix, MixName, Sampler
from core.stories import first_words, sentences, whole_story
from core.training.engine.held_out import number_of
from core.training.engine.hidden_states import read_all
from core.training.union.pairs import make_pairs
from core.training.union.settings import UnionSettings
from scripts.compared import DRAWS, first_against_rest, on_top, with_people
from scripts.union.build import PASSAGE_WORDS, SEED, beginning, corpora, writing_prompts
from scripts.union.build import judged as seen_of
from scripts.union.compare import PRECISION, endings, judged

LAYERS = (12, 16, 20)
USUAL = ("mean16", "mean20", "last20")
"""What the shipped heads read, but for the narrow transform."""
FOLDS, PENALTY, WEIGHT = 5, 0.2, 3.0
"""The penalty is on squared weights of standardised features; a statistic and a shipped checkpoint's logit are
penalised as if they were so much larger."""
SHARES = {"wp": 1.0, "tales": 1 / 3, "roc": 1 / 2}
SECOND = 2 / 3
"""Of the pairs of WritingPrompts: how many second windows there are."""


@dataclass(frozen=True)
class Some:
    """Pairs of a corpus: `human[i]` is the story of which `negative[i]` was made; `stories[i]` tells them apart."""

    human: tuple[str, ...]
    negative: tuple[str, ...]
    stories: tuple[str, ...]

    @property
    def texts(self) -> list[str]:
        """Human and negative in turn."""
        return [text for pair in zip(self.human, self.negative, strict=True) for text in pair]


@dataclass(frozen=True)
class Variant:
    """What a head reads, and the groups of pairs that it learns from."""

    features: tuple[str, ...]
    groups: tuple[str, ...] = ("wp", "tales", "roc")


OF_ITS_OWN = {
    "as it is": Variant(USUAL),
    "token statistics alone": Variant(("statistics",)),
    "token statistics too": Variant((*USUAL, "statistics")),
    "layer 12 too": Variant(("mean12", *USUAL)),
    "second windows of WritingPrompts too": Variant(USUAL, ("wp", "tales", "roc", "wp second")),
    "the paper's mix alone": Variant(USUAL, ("wp paper", "tales paper", "roc paper")),
    "the paper's mix too": Variant(USUAL, ("wp", "tales", "roc", "wp paper", "tales paper", "roc paper")),
}
"""Heads that learn from the pairs; each is compared with the first."""
UNREAD = ("wp second",)
"""What the shipped checkpoints have not learnt from."""
SHIPPED_HEADS = ("union", "union-no-recon")
FEW = ("statistics", *SHIPPED_HEADS)
"""Features of few columns among the hundreds of the states."""
BESIDE = {
    name: {name: Variant((name,), UNREAD), f"{name} and token statistics": Variant((name, "statistics"), UNREAD)}
    for name in SHIPPED_HEADS
}
"""A shipped checkpoint's logit, alone and with token statistics beside it."""


def pairs_of(stories: Sequence[str], lenders: Sequence[str], mix: Mix, names: Mapping[str, str], most: int) -> Some:
    """At most so many pairs. `names`: which story a text is of."""
    new_pairs, _ = make_pairs(stories[: most + most // 20 + 20], Sampler(lenders, shared_wordnet(), mix), SEED)
    human, negative = new_pairs.texts[: 2 * most : 2], new_pairs.texts[1 : 2 * most : 2]
    return Some(human, negative, tuple(names[text] for text in human))


def groups(folder: Path, pairs: int) -> dict[str, Some]:
    """The pairs by group."""
    plan, result = UnionSettings(), {}
    prepared = {name: list(dict.fromkeys(map(plan.prepared, some))) for name, some in corpora(folder, None).items()}
    for name, share in SHARES.items():
        names = {text: text for text in prepared[name]}
        for suffix, mix in (("", Mix()), (" paper", Mix(name=MixName.PAPER))):
            result[name + suffix] = pairs_of(prepared[name], prepared[name], mix, names, round(share * pairs))
    second = second_windows(folder, plan, set(prepared["wp"]))
    result["wp second"] = pairs_of(list(second), list(second), Mix(), second, round(SECOND * pairs))
    return result


def second_windows(folder: Path, plan: UnionSettings, firsts: set[str]) -> dict[str, str]:
    """What follows the first 200 words of a story that is trained on, as far again, by whose beginning it is of."""
    seen, result = seen_of(folder), {}
    for story in writing_prompts(folder):
        first = first_words(story, PASSAGE_WORDS)
        window = plan.prepared(story[len(first) :].strip())
        known = any(row.tobytes() in seen for row in fingerprints([beginning(window)]))
        if plan.prepared(first) in firsts and len(sentences(window)) >= 4 and not known:
            result[window] = plan.prepared(first)
    return result


def statistics_of(log_p: Floats, rank: NDArray[np.int64], fraction: Floats, ids: NDArray[np.int64]) -> list[float]:
    """Of a text's tokens: likelihood, rank, p / p_max, how the second half differs, and repeated n-grams."""
    half = len(log_p) // 2
    result = [log_p.mean(), log_p.std(), *np.quantile(log_p, [0.05, 0.25, 0.5]), np.log1p(rank).mean()]
    result += [float((rank < below).mean()) for below in (1, 10, 100, 1000)]
    result += [np.exp(log_p).mean(), np.log(np.maximum(fraction, 1e-30)).mean(), fraction.mean()]
    result += [log_p[half:].mean() - log_p[:half].mean()]
    for n in (1, 2, 3, 4):
        grams = list(zip(*(ids[i:].tolist() for i in range(n)), strict=False))
        result.append(1 - len(set(grams)) / max(1, len(grams)))
    return [float(item) for item in result]


def statistics(texts: Sequence[str], folder: Path) -> Floats:
    """One row per text; those that `folder` holds are not read again."""
    path = folder / "statistics.npz"
    known: dict[str, Floats] = {}
    if path.exists():
        with np.load(path) as kept:
            known = dict(zip(kept["keys"].tolist(), kept["rows"], strict=True))
    keys = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
    model = language_model(locate(None, ModelRole.LANGUAGE), "cpu", PRECISION)
    order = list(missing)
    for begin in range(0, len(order), 256):
        part = order[begin : begin + 256]
        for key, token_statistic in zip(
            part, model.token_statistics([("", missing[key]) for key in part], 0), strict=True
        ):
            known[key] = np.array(
                statistics_of(
                    token_statistic.log_p, token_statistic.rank, token_statistic.fraction, token_statistic.ids
                )
            )
        np.savez(path, keys=np.array(list(known)), rows=np.stack(list(known.values())))
    return np.stack([known[key] for key in keys])


def features(texts: Sequence[str], folder: Path, *, with_statistics: bool) -> dict[str, Floats]:
    """What heads can read, by name: one row per text. Statistics take all layers, and so the most time."""
    read = read_all(trunk(locate(None, ModelRole.BASE), LAYERS, "cpu", PRECISION), texts, folder)
    result = {f"mean{layer}": read.layers[:, i].double().numpy() for i, layer in enumerate(LAYERS)}
    result["last20"] = read.whole.double().numpy()
    for name in SHIPPED_HEADS:
        head = heads_of(load(SHIPPED / name).weights())
        readings = (replace(read.reading(i), layers=read.layers[i, 1:]) for i in range(len(read)))
        result[name] = np.array([[logit_of(head, reading)[0]] for reading in readings])
    if with_statistics:
        result["statistics"] = statistics(texts, folder)
    return result


def logistic(rows: Floats, human: NDArray[np.bool_]) -> Callable[[Floats], Floats]:
    """Logits of a logistic regression on standardised rows; both classes weigh the same."""
    sign = np.where(human, 1.0, -1.0)
    share = np.where(human, 0.5 / human.sum(), 0.5 / (~human).sum())

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = sign * (rows @ weights[:-1] + weights[-1])
        pull = -share * sign * expit(-margins)
        value = share @ np.logaddexp(0, -margins) + PENALTY / 2 * weights[:-1] @ weights[:-1]
        return float(value), np.append(rows.T @ pull + PENALTY * weights[:-1], pull.sum())

    weights = minimize(loss, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B").x
    return lambda others: np.asarray(others @ weights[:-1] + weights[-1])


def cross_fitted(
    variant: Variant, read: Mapping[str, Mapping[str, Floats]], of: Mapping[str, Some], outside: Sequence[str]
) -> dict[str, Floats]:
    """Logits of all pairs by heads that have not seen their stories; of what is outside, the mean over the heads.

    Texts that a feature is not known of are left out.
    """
    rows = {
        name: np.concatenate([some[feature] for feature in variant.features], 1)
        for name, some in read.items()
        if (name in of or name in outside) and some.keys() >= set(variant.features)
    }
    folds = {
        name: np.repeat([int(FOLDS * number_of(f"{SEED} {story}")) for story in some.stories], 2)
        for name, some in of.items()
    }
    result = {name: np.zeros(len(some)) for name, some in rows.items()}
    scale = np.concatenate(
        [
            [WEIGHT if feature in FEW else 1.0] * read[variant.groups[0]][feature].shape[1]
            for feature in variant.features
        ]
    )
    for fold in range(FOLDS):
        learnt = np.concatenate([rows[name][folds[name] != fold] for name in variant.groups])
        human = np.tile([True, False], len(learnt) // 2)
        mean, deviation = learnt.mean(0), learnt.std(0) + 1e-6
        head = logistic((learnt - mean) / deviation * scale, human)
        for name in result.keys() & of.keys():
            mine = folds[name] == fold
            result[name][mine] = head((rows[name][mine] - mean) / deviation * scale)
        for name in outside:
            result[name] += head((rows[name] - mean) / deviation * scale) / FOLDS
    return result


def difference(
    value: Callable[[Floats, NDArray[np.int64]], float], scores: Floats, base: Floats, n: int
) -> tuple[float, float, float]:
    """Of two variants, with its interval."""
    rng = np.random.default_rng(0)
    drawn = [rng.integers(n, size=n) for _ in range(DRAWS)]
    low, high = np.quantile([value(scores, rows) - value(base, rows) for rows in drawn], [0.025, 0.975])
    return value(scores, np.arange(n)) - value(base, np.arange(n)), float(low), float(high)


def people_of(folder: Path) -> dict[str, tuple[list[str], Floats]]:
    """Systems' stories with their prompts, and each one's mean rating: HANNA's over raters and criteria."""
    result = {name: judged(read_union(folder / name)) for name in ("union-wp", "union-roc")}
    result["mans-roc"] = judged(read_mans(folder / "mans-roc" / "mans_roc.json"))
    with (folder / "hanna" / "hanna.jsonl").open(encoding="utf-8") as lines:
        rows = [row for row in map(json.loads, lines) if row["system"] != "Human"]
    ratings = [np.mean([list(item.values()) for item in row["ratings"]]) for row in rows]
    result["hanna"] = [whole_story(row["prompt"], row["story"]) for row in rows], np.array(ratings)
    return result


def main(
    folder: Path,
    pairs: Annotated[int, typer.Option()] = 768,
    show_judged: Annotated[bool, typer.Option("--judged")] = False,
) -> None:
    """Print a paragraph a variant."""
    cache = home() / "training" / "long"
    cache.mkdir(parents=True, exist_ok=True)
    of = groups(folder, pairs)
    texts = {name: some.texts for name, some in of.items()}
    texts["Story Cloze"] = [UnionSettings().prepared(text) for text in endings(folder, pairs // 2)]
    how: dict[str, Callable[[Floats, NDArray[np.int64]], float]] = dict.fromkeys(of, first_against_rest)
    how["Story Cloze"] = on_top
    for name, (asked, people) in (people_of(folder) if show_judged else {}).items():
        texts[name] = [UnionSettings().prepared(text) for text in asked]
        how[name] = with_people(people)
    outside = [name for name in texts if name not in of]
    read = {
        name: features(some, cache, with_statistics=name in (*SHARES, *UNREAD, *outside))
        for name, some in texts.items()
    }
    for variants in (OF_ITS_OWN, *BESIDE.values()):
        base: dict[str, Floats] = {}
        for what, variant in variants.items():
            # A shipped checkpoint has learnt from all groups but those that it is weighed by here.
            chosen = of if variants is OF_ITS_OWN else {name: of[name] for name in variant.groups}
            result = cross_fitted(variant, read, chosen, outside)
            scores = {name: expit(logits) if name in outside else logits for name, logits in result.items()}
            base = base or scores
            print(what, flush=True)
            for name, score in scores.items():
                n = len(score) // (2 if how[name] in (first_against_rest, on_top) else 1)
                by, low, high = difference(how[name], score, base[name], n)
                whole = how[name](score, np.arange(n))
                print(f"  {name} (n = {n:,}): {whole:.4f}, {by:+.4f} ({low:+.4f} to {high:+.4f})", flush=True)


if __name__ == "__main__":
    typer.run(main)
