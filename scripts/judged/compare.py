"""What the paper's way is worth to DisScore, BLEURT and Perception Score: the same stories, splits and seeds both ways.

    python scripts/judged/compare.py FOLDER disscore|bleurt|perception [--contexts 150] [--folds 2] [--epochs N]
        [--rate 1e-5] [--system HINT] [--seed 8 --seed 9]

FOLDER as for `scripts/discriminator/build.py`, with `union-wp` too. DisScore learns from the stories after so many of
its contexts, which are drawn, a system's critic from those of one system, and BLEURT from mans-roc's ratings. The
paper's DisScore and BLEURT stand on the bundled encoder and see a story so many times (as often as Fabula's DisScore
does, if left out), BLEURT at the rate given; Fabula's stand on the same encoder, and on the bundled language model, as
they usually do. A difference (paper less fabula) is the mean over the seeds, with the 95 % interval of the bootstrap
over contexts, or over stories where each has its own. The outcome stands in docs/papers.md.
"""

import random
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray
from scipy.stats import pearsonr

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.folds import Folds
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.home import home
from core.metrics.trained.bleurt_scorer import BleurtScorer
from core.metrics.trained.disscore_scorer import DiscriminatorScorer
from core.metrics.trained.odds import probability
from core.models.catalogue import MINILM, SMOLLM2, ModelRole, ModelSource, locate
from core.stories import Corpus, Source, StoryRecord, without_prompt
from core.training.bleurt.settings import BLEURT_BATCH, BLEURT_RATE, BleurtSettings, JudgedText
from core.training.bleurt.train import train_bleurt
from core.training.disscore.settings import USUAL, DiscriminatorSettings
from core.training.disscore.train import train_discriminator
from core.training.engine.history import TrainingProgress
from core.training.engine.recipe import PAPER_BATCH, Way
from core.training.perception.pairs import pairs_of
from core.training.perception.scores import Weights, weights_of
from core.training.perception.settings import PENALISED, PerceptionPlan
from core.training.perception.train import train_perception
from scripts.compared import Value, first_against_rest, line, rated, with_people
from scripts.discriminator.build import stories

HELD = "held-out stories, AUC"
BESIDE = "a person's story above a system's after the same context"
RIGHT = "held-out stories, accuracy"
GROUP = 8
"""A context's stories: a person's, then those of seven systems."""
SYSTEMS = 5
"""Of mans-roc, each with a story of every prompt."""
PRECISION = {MINILM: "float32", SMOLLM2: "bfloat16"}
"""Of what reads; the language model's as in docs/methods/learned.md, the encoder's that in which it learns."""


class What(StrEnum):
    """What is trained."""

    DISSCORE = "disscore"
    BLEURT = "bleurt"
    PERCEPTION = "perception"


Scores = dict[str, Floats]
Stepped = Callable[[TrainingProgress], None]


@dataclass(frozen=True)
class Setting:
    """One training: whose way, over which base, how often the paper's sees a story, and where it keeps what is under
    way.
    """

    way: Way
    base: ModelSource
    folds: Folds
    epochs: int
    seed: int
    work: Path

    @property
    def readings(self) -> Path:
        """Shared by all trainings."""
        return self.work.parent / "readings"

    def steps(self, stories: int, batch: int) -> int:
        """Of the paper's recipe, with a tenth of what a model may learn from held out."""
        return round(0.9 * stories * (1 - 1 / self.folds.number) * self.epochs / batch)


@dataclass(frozen=True)
class Subject:
    """`train` gives scores by what they are of, `values` what these are worth and how many make a row; how far two
    trainings agree is asked of the scores of `agreed`. `bases` are those of Fabula's way.
    """

    train: Callable[[Setting, Stepped], Scores]
    values: Mapping[str, tuple[Value, int]]
    agreed: str
    bases: tuple[str, ...] = (MINILM, SMOLLM2)


def beside(scores: Floats, rows: NDArray[np.int64]) -> float:
    """How often, over these contexts, the person's story is above a system's, both by one model; a tie is half."""
    drawn = scores.reshape(-1, GROUP)[rows]
    return float(((np.sign(drawn[:, :1] - drawn[:, 1:]) + 1) / 2).mean())


def accuracy(scores: Floats, rows: NDArray[np.int64]) -> float:
    """Of the stories of these contexts, people's and systems' each counting half; 0.5 is the limit."""
    drawn = scores.reshape(-1, GROUP)[rows]
    return float(((drawn[:, 0] > 0.5).mean() + (drawn[:, 1:] <= 0.5).mean()) / 2)


def perception_score(scores: Floats, rows: NDArray[np.int64]) -> float:
    """The weighted mean of P_generated; each row holds it and its weight."""
    drawn = scores.reshape(-1, 2)[rows]
    return float(np.average(drawn[:, 0], weights=drawn[:, 1]))


def mean(scores: Floats, rows: NDArray[np.int64]) -> float:
    """Of the texts in these rows."""
    return float(scores[rows].mean())


def of_contexts(folder: Path, number: int) -> list[StoryRecord]:
    """The stories after so many contexts, drawn of those that have all; a person's before systems'."""
    groups: dict[str, list[StoryRecord]] = {}
    for story in stories(folder):
        groups.setdefault(story.prompt, []).append(story)
    whole = [some for some in groups.values() if len(some) == GROUP]
    drawn = random.Random(0).sample(whole, number)
    return [
        record
        for some in drawn
        for record in sorted(some, key=lambda story_record: story_record.source is not Source.HUMAN)
    ]


def judged_texts(corpus: Corpus) -> list[JudgedText]:
    """The systems' stories with the human stories of their prompts and their mean ratings."""
    references: dict[str, list[str]] = {}
    for story in corpus.stories:
        if story.source is Source.HUMAN:
            references.setdefault(story.prompt_key, []).append(story.text)
    return [
        JudgedText(record.prompt, record.text, tuple(references[record.prompt_key]), float(rating), record.system)
        for record, rating in zip(*rated(corpus), strict=True)
    ]


def disscore(folder: Path, records: Sequence[StoryRecord]) -> Subject:
    """P(human) of its own stories, by the model that has not seen them, and of those that people have judged."""
    mans = read_mans(folder / "mans-roc" / "mans_roc.json")
    people = {"mans-roc": (rated(mans), SYSTEMS)}
    people |= {name: (rated(read_union(folder / name)), 1) for name in ("union-roc", "union-wp")}
    asked = {HELD: [(record.prompt, record.text) for record in records]}
    for name, ((some, _), _) in people.items():
        asked[name] = [(record.prompt, without_prompt(record.prompt, record.text)) for record in some]

    def train(setting: Setting, stepped: Stepped) -> Scores:
        precision = PRECISION[setting.base.name]
        plan = DiscriminatorSettings(folds=setting.folds.number, seed=setting.seed, precision=precision)
        if setting.way is Way.PAPER:
            steps = setting.steps(len(records), PAPER_BATCH)
            plan = replace(plan, recipe=Way.PAPER, steps=steps, precision="float32")
        new_checkpoint, _ = train_discriminator(
            "compared",
            {"systems": records},
            plan,
            setting.base,
            setting.work,
            readings=setting.readings,
            stepped=stepped,
        )
        scorer = DiscriminatorScorer(new_checkpoint, setting.base, precision=precision)
        result = {what: np.array([probability(logit) for logit in scorer.logits(some)]) for what, some in asked.items()}
        return {**result, BESIDE: result[HELD], RIGHT: result[HELD]}

    own: dict[str, tuple[Value, int]] = {
        HELD: (partial(first_against_rest, texts=GROUP), GROUP),
        BESIDE: (beside, GROUP),
        RIGHT: (accuracy, GROUP),
    }
    judged = {name: (with_people(ratings, texts), texts) for name, ((_, ratings), texts) in people.items()}
    return Subject(train, own | judged, HELD)


def bleurt(folder: Path, rate: float) -> Subject:
    """The rating of each story of mans-roc by the model that has not seen its prompt."""
    judged = judged_texts(read_mans(folder / "mans-roc" / "mans_roc.json"))

    def train(setting: Setting, stepped: Stepped) -> Scores:
        precision = PRECISION[setting.base.name]
        plan = BleurtSettings(folds=setting.folds.number, seed=setting.seed, precision=precision)
        if setting.way is Way.PAPER:
            steps = setting.steps(len(judged), BLEURT_BATCH)
            plan = replace(plan, recipe=Way.PAPER, steps=steps, learning_rate=rate, precision="float32")
        new_checkpoint, _ = train_bleurt(
            "compared",
            {"mans-roc": judged},
            plan,
            setting.base,
            setting.work,
            readings=setting.readings,
            stepped=stepped,
        )
        scorer = BleurtScorer(new_checkpoint, setting.base, precision=precision)
        return {
            "mans-roc": np.array(scorer.ratings([(story.prompt, story.text, story.references) for story in judged]))
        }

    people = np.array([story.judgment for story in judged])
    return Subject(train, {"mans-roc": (with_people(people, SYSTEMS), SYSTEMS)}, "mans-roc")


def perception(records: Sequence[StoryRecord], system: str) -> Subject:
    """P_generated of a system's texts that its critic has not seen, and the weight of each."""

    def train(setting: Setting, stepped: Stepped) -> Scores:
        plan = PerceptionPlan(penalised=PENALISED[setting.way], seeds=(setting.seed,))
        fitted = train_perception(
            pairs_of(system, records, plan), plan, setting.seed, setting.base, setting.work, stepped
        )
        (own,) = fitted.judged
        return {
            "Perception Score": np.column_stack([own.generated, weights_of(own, Weights.PAPER)]).ravel(),
            "references on top": np.array([float(value < 0.5) for value in own.generated]),
            "P_generated": np.array(own.generated),
            "c": np.array(own.confidence),
        }

    means = dict.fromkeys(("P_generated", "references on top", "c"), (mean, 1))
    return Subject(train, {"Perception Score": (perception_score, 2), **means}, "P_generated", (MINILM,))


def agreement(what: str, both: Mapping[tuple[Way, int], Scores], seeds: Sequence[int]) -> None:
    """Print r between the two ways' scores of a seed, and between two seeds' of a way."""

    def r(one: tuple[Way, int], other: tuple[Way, int]) -> str:
        return f"{pearsonr(both[one][what], both[other][what])[0]:.3f}"

    ways = ", ".join(r((Way.FABULA, seed), (Way.PAPER, seed)) for seed in seeds)
    of_seeds = "; ".join(f"{way} {', '.join(r((way, seeds[0]), (way, seed)) for seed in seeds[1:])}" for way in Way)
    print(f"{what}: r between ways {ways}; between seeds: {of_seeds}", flush=True)


def trained(subject: Subject, name: str, setting: Setting) -> Scores:
    """Train, score, and print what that took."""
    begun, ticks = time.process_time(), list[float]()
    shutil.rmtree(setting.work, ignore_errors=True)
    result = subject.train(setting, lambda _: ticks.append(time.process_time()))
    each = f", of {np.median(np.diff(ticks)):.3f} CPU seconds" if ticks else ""
    took = (time.process_time() - begun) / 60
    print(f"{name}, seed {setting.seed}: {len(ticks):,} steps{each}; {took:.1f} CPU minutes in all", flush=True)
    return result


def main(
    folder: Path,
    what: What,
    contexts: Annotated[int, typer.Option()] = 150,
    folds: Annotated[int, typer.Option()] = 2,
    epochs: Annotated[int, typer.Option()] = USUAL.epochs or 1,
    rate: Annotated[float, typer.Option()] = BLEURT_RATE,
    system: Annotated[str, typer.Option()] = "HINT",
    seed: Annotated[list[int] | None, typer.Option()] = None,
) -> None:
    """Train both ways on every seed; after each, the table of those so far."""
    seeds = seed or [8, 9]
    records = [] if what is What.BLEURT else of_contexts(folder, contexts)
    subject = {
        What.DISSCORE: partial(disscore, folder, records),
        What.BLEURT: partial(bleurt, folder, rate),
        What.PERCEPTION: partial(perception, records, system),
    }[what]()
    result: dict[tuple[Way, str, int], Scores] = {}
    for number, place in enumerate(seeds, start=1):
        for way, base in [*((Way.FABULA, base) for base in subject.bases), (Way.PAPER, MINILM)]:
            name = f"{what}, {way} over {base}"
            work = home() / "training" / f"{what}-{way}-{base}-{place}"
            setting = Setting(way, locate(base, ModelRole.BASE), Folds(folds, place), epochs, place, work)
            result[way, base, place] = trained(subject, name, setting)
        for base in subject.bases:
            print(f"{what}, seeds {seeds[:number]}, paper over {MINILM}, fabula over {base}", flush=True)
            both = {(Way.PAPER, of): result[Way.PAPER, MINILM, of] for of in seeds[:number]}
            both |= {(Way.FABULA, of): result[Way.FABULA, base, of] for of in seeds[:number]}
            for of, (value, texts) in subject.values.items():
                line(of, value, both, seeds[:number], texts=texts)
            agreement(subject.agreed, both, seeds[:number])


if __name__ == "__main__":
    typer.run(main)
