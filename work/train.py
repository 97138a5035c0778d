"""Train a metric of any kind: from its settings to a checkpoint that is kept; stopped, the same job goes on where it
was.
"""

import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.checkpoints.checkpoint import Checkpoint
from core.checkpoints.overlap import judged_among, overlap_text
from core.durations import ShownSpeed, WorkPace
from core.errors import InputError
from core.jobs import Job
from core.models.catalogue import ModelSource, answers_at_once, locate
from core.notices import collecting
from core.people import TERMINAL
from core.stories import whole_story
from core.training.bleurt.settings import BleurtSettings
from core.training.engine.cost import TRAINING, Work
from core.training.engine.curve import curve_of
from core.training.engine.history import Run, TrainingProgress
from core.training.engine.settings import LearnsFrom, TrainingSettings
from core.training.registry import settings_from, train
from core.training.union.estimate import check_sizes, size_of
from core.training.union.settings import UnionSettings
from db.jobs import jobs
from db.studies import story_texts
from db.training import checkpoints, corpora, overlap, rated_stories
from work.phases import PHASES, Phases
from work.watch import ProgressWriter, Watch

HELD_OUT = {"auc": "AUC", "nll": "loss"}
"""Figures of evaluations by which the best weights are told, and what they are called."""
Train = Callable[["TrainingReport"], tuple[Checkpoint, Sequence[Run]]]
"""What it made, and its runs: one a model that the loop has trained."""


@dataclass(frozen=True)
class Material:
    """What is learnt from, by corpus or study, and how much it is. `pairs`: stories that have a negative. `rated`: what
    the trainer is told of those that people have rated.
    """

    stories: Mapping[str, Sequence[Any]]
    characters: int
    pairs: int
    rated: Mapping[str, Any]


def train_metric(job: Job, watch: Watch) -> dict[str, Any]:
    """Train what the job's settings ask for and keep the checkpoint; returns its name, figures, curve and speeds.

    Raises Cancelled when somebody stops it, and FabulaError where it cannot be done. Until the end the settings' folder
    keeps what is trained; one whose training has not begun keeps nothing.
    """
    settings = settings_from(job.settings)
    try:
        return _trained(settings, ProgressWriter(job.id, 0, watch))
    except InputError:
        if not any((settings.folder / part).exists() for part in ("readings", "training")):
            shutil.rmtree(settings.folder, ignore_errors=True)
        raise


def _trained(settings: TrainingSettings, progress: ProgressWriter) -> dict[str, Any]:
    what = "ratings" if settings.learns_from is LearnsFrom.RATINGS else "stories"
    progress.say(lambda: f"Looking at the {what}", now=True)
    checkpoints.check_free(TERMINAL, settings.name)
    material = _MATERIAL[settings.learns_from](settings)
    base = _base_of(settings, progress)

    def train_and_tell(report: TrainingReport) -> tuple[Checkpoint, Sequence[Run]]:
        tell, stepped = report.tell, report.stepped
        return train(settings, material.stories, base, settings.folder, tell, stepped, **material.rated)

    works = settings.fitted(base).works(material.characters, material.pairs)
    return train_and_keep(settings, progress, train_and_tell, works, sum(map(len, material.stories.values())))


def _human_stories(settings: TrainingSettings) -> Material:
    """Raises InputError where stories were rated and may not be: before anything costs time."""
    stories = {story.name: corpora.texts_of(TERMINAL, story, settings.folder) for story in settings.stories}
    judged = judged_among((text for some in stories.values() for text in some), overlap.judged_stories(TERMINAL))
    if judged and not settings.overlap_allowed:
        raise InputError(f"{overlap_text(judged)} Take these stories out, or train on them all the same.")
    rated = {"overlap": overlap_text(judged)}
    if isinstance(settings, UnionSettings):
        sizes = {name: size_of(texts, settings.words) for name, texts in stories.items()}
        check_sizes(sizes)
        characters, pairs = (sum(some) for some in zip(*((n.characters, n.pairs) for n in sizes.values()), strict=True))
        return Material(stories, characters, pairs, rated)
    return Material(stories, sum(len(text) for some in stories.values() for text in some), 0, rated)


def _studies_stories(settings: TrainingSettings) -> Material:
    stories = {name: corpora.records_of_study(TERMINAL, study) for name, study in _study_ids(settings).items()}
    whole = [whole_story(record.prompt, record.text) for some in stories.values() for record in some]
    return Material(stories, sum(map(len, whole)), 0, {"judged": judged_among(whole, overlap.judged_stories(TERMINAL))})


def _ratings(settings: TrainingSettings) -> Material:
    target = settings.target if isinstance(settings, BleurtSettings) else ""
    stories = {
        name: rated_stories.judged_texts(TERMINAL, study, target) for name, study in _study_ids(settings).items()
    }
    texts = {text for some in stories.values() for story in some for text in (story.text, *story.references)}
    return Material(stories, sum(map(len, texts)), 0, {})


_MATERIAL: dict[LearnsFrom, Callable[[TrainingSettings], Material]] = {
    LearnsFrom.HUMAN_STORIES: _human_stories,
    LearnsFrom.STUDIES: _studies_stories,
    LearnsFrom.RATINGS: _ratings,
}


def _study_ids(settings: TrainingSettings) -> dict[str, int]:
    """The studies that are learnt from, by name. Raises InputError where a study's stories are not those any more."""
    studies = {}
    for story in settings.stories:
        if story.study is None or story_texts.version(story.study) != story.version:
            raise InputError(corpora.CHANGED.format(story.name))
        studies[story.name] = story.study
    return studies


def _base_of(settings: TrainingSettings, progress: ProgressWriter) -> ModelSource:
    """The model that it stands on, once it is clear that the same training was not done before: of ratings more may
    have come in meanwhile.
    """
    here = answers_at_once(settings.base or None, settings.role)
    progress.say(lambda: "Looking for the base" if here else "Fetching the base", now=True)
    source = locate(settings.base or None, settings.role)
    if settings.learns_from is not LearnsFrom.RATINGS:
        checkpoints.check_untrained(TERMINAL, settings.as_json(), source.at_revision)
    return source


def train_and_keep(
    settings: TrainingSettings, progress: ProgressWriter, train: Train, works: Sequence[Work] = (), stories: int = 0
) -> dict[str, Any]:
    """Train, keep the checkpoint, and say what a job's row does of it: name, figures, curve, and the speeds of its
    phases, of which `works` tells how much there was to do. Where several models were trained the curve is the first's.
    `stories`: of all corpora.
    """
    shutil.rmtree(settings.folder / "checkpoint", ignore_errors=True)  # of a process that died before it was kept
    report = TrainingReport(progress, works, jobs.speeds(), stories)
    with collecting() as notices:
        checkpoint, trained = train(report)
    card = checkpoints.add(TERMINAL, checkpoint, settings.name).card
    shutil.rmtree(settings.folder)
    first = next(iter(trained), None)
    took = {TRAINING: sum(run.seconds for run in trained)}
    for what, seconds in report.seconds.items():
        if (phase := PHASES.get(what.split()[0])) and phase != TRAINING:
            took[phase] = took.get(phase, 0.0) + seconds
    return {
        "name": settings.name,
        "weights": card.weights,
        "pairs": sum(data_set.size for data_set in card.data),
        "held_out": next((figure.n for figure in card.figures if figure.what.startswith("held-out")), 0),
        "figures": {figure.what: figure.value for figure in card.figures},
        "curve": first and curve_of(first.planned, first.steps, first.evaluations, first.best).as_json(),
        "ended": first.ended if first else "",
        "seconds": round(took[TRAINING], 3),
        "notices": notices,
        "steps": [
            {"key": work.key, "characters": work.characters, "seconds": round(took[work.phase], 3)}
            for work in works
            if took.get(work.phase)
        ],
    }


class TrainingReport:
    """Writes into the job's row what a trainer tells: the phase and which one it is, how much of all is done, the time
    left, the curve so far.
    """

    def __init__(
        self,
        progress: ProgressWriter,
        works: Sequence[Work] = (),
        measured: Mapping[str, ShownSpeed] | None = None,
        stories: int = 0,
    ) -> None:
        """`works`: the phases; `measured`: the speeds that this machine has shown; `stories`: of all corpora."""
        self._progress = progress
        self._phases = Phases(works, measured or {}, stories)
        self._what, self._ready = "", False
        self._begun, self._before = 0.0, 0
        self._pace = WorkPace()
        self._trained: TrainingProgress | None = None
        self.seconds: dict[str, float] = {}

    def stepped(self, trained: TrainingProgress) -> None:
        """Keep how far the training is, for the next report."""
        self._trained = trained

    def tell(self, what: str, done: int, whole: int) -> None:
        """`whole`: 0 while what this phase needs is loaded. Raises Cancelled when somebody has asked to stop."""
        what, ready = what.split(":")[0], whole > 0  # what follows changes with every step
        if (what, ready) != (self._what, self._ready):
            self._what, self._ready, self._begun, self._before = what, ready, time.perf_counter(), done
            self._pace = WorkPace()
        now = time.perf_counter()
        if more := done - self._before:  # what was there before, or came with the first word of it, says no pace
            self.seconds[what] = (now - self._begun) / more * whole
        self._progress.done, self._progress.total = done, whole
        self._progress.share = self._phases.reach(what, done, whole)
        left = self._phases.left_text(self._pace.left(done, whole, now))
        self._progress.say(
            lambda: self._message(left), now=done == whole, so_far=self._so_far if self._trained else None
        )

    def _message(self, left: str) -> str:
        lines = [f"{self._what}{self._phases.which}" + ("" if self._ready else ": loading what that needs")]
        if self._trained is not None:
            figures = self._trained.figures
            lines[0] += f": loss {self._trained.loss:.3f}"
            lines += [f"held-out {name} {figures[key]:.3f}" for key, name in HELD_OUT.items() if key in figures]
        return ", ".join(lines) + left

    def _so_far(self) -> dict[str, Any]:
        trained = self._trained
        if trained is None:
            return {}
        return {"curve": curve_of(trained.steps, trained.history, trained.evaluations).as_json()}
