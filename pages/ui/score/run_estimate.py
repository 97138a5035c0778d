"""How much a run has to do and how long that takes, before it starts."""

from typing import Any

from core.annotation.studies import StudySummary
from core.durations import duration
from core.judges.backends.endpoint import Endpoint
from core.metrics import build, find
from core.metrics.judging.judge import Judge
from core.metrics.run import Sources, endpoint_of, scored_by, seconds, settings_of, steps
from core.models.catalogue import answers_at_once
from db.jobs import jobs
from db.judges.judged import judged_study
from db.scores import scores


def estimate(run: dict[str, Any], summary: StudySummary) -> str:
    """A sentence on how much there is to do and how long it will take; raises FabulaError for wrong settings."""
    measured, times, guessed, to_do, fewer = jobs.speeds(), 0.0, False, 0, False
    usual = scores.sources(summary.study.id)
    for step in steps(run):
        pending, characters, some_follow = _pending(run, step.metrics, summary.study.id, usual)
        to_do += pending
        fewer |= some_follow
        times += seconds(step, characters, measured)
        guessed |= bool(characters) and step.key not in measured
    if not to_do:
        return "All of this is stored already: running it again costs nothing."
    basis = "a first guess: this machine has not run all of it yet" if guessed else "at the speed of the last run here"
    most = "At most, as short stories' scores follow from stored ones: " if fewer else ""
    return f"{most}{to_do:,} scores to compute, about {duration(times) if times >= 2 else 'a second'} ({basis})."


def costs(run: dict[str, Any], summary: StudySummary) -> list[str]:
    """A sentence for each judge that is asked on a server: what its replies will take at most."""
    endpoint = endpoint_of(run)
    usual, judged = scores.sources(summary.study.id), judged_study(summary.study.id)
    sentences = []
    for name in run["metrics"] if endpoint else ():
        metric = build(name, settings_of(run, name, judged=judged))
        if endpoint and isinstance(metric, Judge):
            pending, characters, _ = _pending(run, (name,), summary.study.id, usual)
            sentences.append(cost(metric, endpoint, pending, characters, name))
    return sentences


def cost(metric: Judge, endpoint: Endpoint, stories: int, characters: int, name: str = "") -> str:
    """A sentence on what judging so many stories of so many characters together will take there at most."""
    found = metric.estimate(endpoint, stories, characters)
    price = "" if found.cost is None else f", {found.cost:,.2f} at most"
    return (
        f"{name or metric.name}: {found.requests:,} requests to {endpoint.host}, about {found.prompt_tokens:,} tokens "
        f"to read{price}."
    )


def _pending(run: dict[str, Any], names: tuple[str, ...], study_id: int, usual: Sources) -> tuple[int, int, bool]:
    """Scores to compute for a step's metrics, the characters of the stories they need, and whether some of these
    scores may follow from stored ones. `usual`: whose stories are scored unless the run says otherwise.
    """
    sources = [scored_by(find(name), run, usual) for name in names]
    every = [(scores.count_stories(study_id, own), scores.count_characters(study_id, own)) for own in sources]
    judged = judged_study(study_id)
    role = find(names[0]).role
    if role and not answers_at_once(run["models"].get(role), role):  # it would be converted or fetched first
        for name in names:
            build(name, settings_of(run, name, judged=judged))
        return sum(count for count, _ in every), max(characters for _, characters in every), False
    built = [build(n, settings_of(run, n, lambda: scores.reference_texts(study_id), judged)) for n in names]
    texts = [
        [m.signature, *(derivation.signature for derivation in m.derivations() if derivation.mostly)] for m in built
    ]
    known = scores.signature_ids(text for some in texts for text in some)
    groups = [[known[text] for text in some if text in known] for some in texts]
    results = [
        scores.count_pending(study_id, [group], own)[0] if group else whole
        for group, own, whole in zip(groups, sources, every, strict=True)
    ]
    scarce = [derivation.signature for m in built for derivation in m.derivations() if not derivation.mostly]
    return (
        sum(count for count, _ in results),
        max(characters for _, characters in results),
        bool(scores.signature_ids(scarce)),
    )
