"""How much a run has to do and how long that takes, before it starts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from core.durations import Expected
from core.judges.backends.endpoint import Endpoint
from core.metrics import build, family_of, find
from core.metrics.base import Metric
from core.metrics.judging.judge import Judge
from core.metrics.judging.pairs import PairJudge
from core.metrics.run import (
    Sources,
    at_most,
    endpoint_of,
    half_of,
    most_of,
    scored_by,
    seconds,
    settings_of,
    steps,
    with_parts,
)
from core.models.catalogue import answers_at_once
from core.wording import so_many
from db.jobs import jobs
from db.judges.judged import judged_study
from db.scores import pair_verdicts, scores

UNCOMPARED = "People have compared no stories here yet: a judge of pairs has nothing to judge."


@dataclass(frozen=True)
class Work:
    """What a run has to do: `scores` to compute and `pairs` to judge, and what that `takes`; `fewer`: short stories'
    scores may follow from stored ones; `uncompared`: a judge of pairs is asked, and there are none. Of the metric that
    has most to read: how many texts, or pairs (`unit`), that are (`most`), and how many stories, or pairs, lack what it
    gives (`lacking`) of all that it is for (`whole`).
    """

    scores: int = 0
    pairs: int = 0
    takes: Expected = field(default_factory=Expected)
    fewer: bool = False
    uncompared: bool = False
    most: int = 0
    lacking: int = 0
    whole: int = 0
    unit: str = "story"

    @property
    def begun(self) -> bool:
        """Whether some of the stories, or pairs, have all that the run gives them, and others have not."""
        return 0 < self.lacking < self.whole

    @property
    def rest(self) -> str:
        """How many are left: `50 stories`."""
        return so_many(self.lacking, self.unit, "stories" if self.unit == "story" else "")


def work_of(run: dict[str, Any], study_id: int) -> Work:
    """What there is to do; raises FabulaError for wrong settings."""
    measured, work = jobs.speeds(), Work()
    usual = scores.sources(study_id)
    for step in steps(run):
        judge = _pair_judge(run, step.metrics[0], study_id)
        if judge:
            most, characters, lacking = _pending_pairs(run, judge, study_id)
            whole, unit = pair_verdicts.count(study_id), "pair"
            work = replace(work, pairs=work.pairs + most, uncompared=not whole)
        else:
            pending = _pending(run, step.metrics, study_id, usual)
            most, lacking, whole = pending.most, pending.lacking, pending.whole
            characters, unit = pending.characters, "story"
            work = replace(work, scores=work.scores + pending.scores, fewer=work.fewer or pending.fewer)
        work = replace(
            work,
            takes=work.takes + seconds(step, characters, measured),
        )
        if most > work.most:
            work = replace(work, most=most, lacking=lacking, whole=whole, unit=unit)
    return work


def stored(run: dict[str, Any], study_id: int) -> list[str]:
    """The run's metrics, a blend with all that it is made of, that have nothing to compute."""
    alone = {name: work_of({**run, "metrics": with_parts([name])}, study_id) for name in run["metrics"]}
    return [name for name, work in alone.items() if not work.scores + work.pairs]


def so_far(work: Work, run: dict[str, Any], study_id: int) -> str:
    """A sentence on how many stories, or pairs, have what the run gives them; "" where none or all of them have it.
    They may have come with the same texts elsewhere.
    """
    if not work.begun:
        return ""
    done = f"{work.whole - work.lacking:,} of {work.whole:,}"
    if work.unit == "pair":
        return f"{done} pairs are judged."
    if not _signatures(run, study_id).isdisjoint(scores.begun(study_id)):
        return f"{done} stories are scored."
    return f"{done} stories have scores already that a study with the same texts has computed."


def estimate(run: dict[str, Any], study_id: int, work: Work | None = None) -> str:
    """A sentence on how much there is to do and how long it will take; `work`: where that is known already. Raises
    FabulaError for wrong settings.
    """
    work = work or work_of(run, study_id)
    nothing = UNCOMPARED if work.uncompared else ""
    if not work.scores + work.pairs:
        return nothing or _stored(run, study_id)
    parts = [f"{work.scores:,} scores to compute"] if work.scores else []
    parts += [f"{work.pairs:,} pairs to judge, each in both orders"] if work.pairs else []
    most = "At most, as short stories' scores follow from stored ones: " if work.fewer else ""
    return f"{most}{' and '.join(parts)}, {work.takes.words}. {nothing}".rstrip()


def _stored(run: dict[str, Any], study_id: int) -> str:
    """What there is to say where no score has to be computed, though it may not have been asked for in this study."""
    if _signatures(run, study_id) <= scores.begun(study_id):
        another = (
            " For another judge choose, under Models and options, another model, another way or another number of "
            "rated stories to show it (few shot)."
        )
        judges = all(family_of(name) == Judge.name for name in run["metrics"])
        return f"All of this is stored already: running it again costs nothing.{another if judges else ''}"
    return (
        "All of this is stored already, for the same texts in another study or by another metric: running it costs "
        "nothing, and this study has the scores then."
    )


def _signatures(run: dict[str, Any], study_id: int) -> set[str]:
    """What the scores of the run's metrics are kept under: a metric may be called otherwise than it is asked for, as
    `judge` is.
    """
    judged = judged_study(study_id)
    references = partial(scores.reference_texts, study_id)
    return {build(name, settings_of(run, name, references, judged)).signature for name in run["metrics"]}


def costs(run: dict[str, Any], study_id: int) -> list[str]:
    """A sentence for each metric whose model is asked on a server: what its replies will take at most."""
    endpoint = endpoint_of(run)
    usual, judged = scores.sources(study_id), judged_study(study_id)
    sentences = []
    for name in run["metrics"] if endpoint else ():
        metric = build(name, settings_of(run, name, judged=judged))
        if endpoint and metric.served:
            if isinstance(metric, PairJudge):
                pending, characters, _ = _pending_pairs(run, metric, study_id)
            else:
                lacking = _pending(run, (name,), study_id, usual)
                pending, characters = lacking.scores, lacking.characters
            sentences += cost(metric, endpoint, pending, characters, name) if pending else []
    return sentences


def cost(metric: Metric, endpoint: Endpoint, items: int, characters: int, name: str = "") -> list[str]:
    """A sentence on what so many stories or pairs, of so many characters together, will take there at most; none where
    nothing is asked.
    """
    found = metric.estimate(endpoint, items, characters)
    if found is None:
        return []
    price = "" if found.cost is None else f", for {found.cost:,.2f} at most"
    return [
        f"{name or metric.name}: {found.requests:,} requests to {endpoint.host}, of about {found.prompt_tokens:,} "
        f"tokens to read and up to {found.reply_tokens:,} to write{price}."
    ]


def _pair_judge(run: dict[str, Any], name: str, study_id: int) -> PairJudge | None:
    """The metric of this name, where it is a judge of pairs."""
    if not find(name).apart:
        return None
    metric = build(name, settings_of(run, name, judged=judged_study(study_id)))
    return metric if isinstance(metric, PairJudge) else None


def _pending_pairs(run: dict[str, Any], judge: PairJudge, study_id: int) -> tuple[int, int, int]:
    """The pairs that the run judges, the characters to be read for that, and the pairs that lack a verdict."""
    known: dict[str, int] = {}
    if run.get("judge") or (judge.role and answers_at_once(run["models"].get(judge.role), judge.role)):
        known = scores.signature_ids([judge.signature])
    lacking = pair_verdicts.pending(study_id, next(iter(known.values()), None))
    judged = pair_verdicts.few(lacking, most_of(run))
    return len(judged), pair_verdicts.characters(judged), len(lacking)


@dataclass(frozen=True)
class _Pending:
    """Of a step's metrics: `scores` to compute and `characters` of the texts they need; of the one that needs most how
    many texts (`most`), and how many stories lack its score (`lacking`) of all (`whole`); and whether some of these
    scores may follow from stored ones (`fewer`).
    """

    scores: int
    characters: int
    most: int
    lacking: int
    whole: int
    fewer: bool


def _pending(run: dict[str, Any], names: tuple[str, ...], study_id: int, usual: Sources) -> _Pending:
    """What a step's metrics have to compute. `usual`: whose stories are scored unless the run says otherwise."""
    sources = [scored_by(find(name), run, usual) for name in names]
    half = half_of(run, names[0])  # only judges have one, and each is a step of its own
    most = most_of(run)
    counted = {own: scores.count_pending(study_id, [[]], own, half)[0] for own in set(sources)}
    every = [counted[own] for own in sources]
    judged = judged_study(study_id)
    role = find(names[0]).role
    if role and not answers_at_once(run["models"].get(role), role):  # it would be converted or fetched first
        for name in names:
            build(name, settings_of(run, name, judged=judged))
        return _together(most, every, every, fewer=False)
    built = [build(n, settings_of(run, n, lambda: scores.reference_texts(study_id), judged)) for n in names]
    texts = [
        [m.signature, *(derivation.signature for derivation in m.derivations() if derivation.mostly)] for m in built
    ]
    known = scores.signature_ids(text for some in texts for text in some)
    groups = [[known[text] for text in some if text in known] for some in texts]
    results = [
        scores.count_pending(study_id, [group], own, half)[0] if group else whole
        for group, own, whole in zip(groups, sources, every, strict=True)
    ]
    scarce = [derivation.signature for m in built for derivation in m.derivations() if not derivation.mostly]
    return _together(most, results, every, fewer=bool(scores.signature_ids(scarce)))


def _together(
    most: int | None, lacking: Sequence[scores.Lacking], every: Sequence[scores.Lacking], *, fewer: bool
) -> _Pending:
    """What a step's metrics have to do together. `most`: texts that the run takes; `lacking`, `every`: of each metric
    what has no score and all that it scores.
    """
    taken = [at_most(most, counted.texts, counted.characters) for counted in lacking]
    longest, left, whole = max(
        (count, counted.stories, all_of_it.stories)
        for (count, _), counted, all_of_it in zip(taken, lacking, every, strict=True)
    )
    characters = max(characters for _, characters in taken)
    return _Pending(sum(count for count, _ in taken), characters, longest, left, whole, fewer)
