"""The settings of a run, as its job's row keeps them: which metrics, on which models, in which steps, its estimated
time, and which stories it takes where these are to be few.

`{"metrics": [...], "models": {role: name}, "device": …, "precision": …, "options": {metric: {key: value}},
"sources": [...], "half": …, "most": …, "judge": {"endpoint": {…}}, "engine": {…}}`; without `sources` those are scored
whose stories the study has compared, without `half` the stories of all prompts, without `most` all that lack a score,
without `judge` judges and language models run on this machine, and without `engine` (`core.engines.settings`) all else
does.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

from core.annotation.criterion import PREFERENCE
from core.checkpoints.store import shipped
from core.durations import Expected, ShownSpeed, expected
from core.errors import InputError
from core.files import path_of
from core.judges.backends.endpoint import Endpoint
from core.judges.halves import Half
from core.judges.naming import HERE
from core.judges.study import JudgedStudy
from core.judges.template import STANDARD
from core.metrics import METRICS, build, family_of, find
from core.metrics.base import Metric, Need, Settings
from core.metrics.blend import Blend
from core.metrics.custom import is_own
from core.models.catalogue import BUNDLED, DEFAULTS, VLLM, ModelRole
from core.stories import Source

_ORDER = (None, ModelRole.ENCODER, ModelRole.REGRESSOR, ModelRole.BASE, ModelRole.LANGUAGE, ModelRole.MASKED)
"""Quick ones first, so that the first results show soon."""

LOADING = 15.0
"""Seconds until a model has been loaded on two cores, with the libraries that run it."""
Sources = tuple[Source, ...]
SCORED: Sources = (Source.SYSTEM,)
"""Whose stories are scored unless a run or its study says otherwise."""


@dataclass(frozen=True)
class ScoringStep:
    """Metrics that are computed together because they share a model; one without a model is a step of its own.

    `key`: all that its speed depends on. `guess`: characters a second, where this machine has not shown its speed yet.
    `loads`: whether a model has to be loaded here first.
    """

    key: str
    metrics: tuple[str, ...]
    guess: float
    loads: bool


def settings_of(
    run: Mapping[str, Any],
    metric: str,
    corpus: Callable[[], Iterable[str]] = tuple,
    judged: JudgedStudy | None = None,
) -> Settings:
    """The settings of one of a run's metrics; `corpus` gives the study's references, `judged` what judges are given."""
    role = find(metric).role
    return Settings(
        model=run.get("models", {}).get(role) if role else None,
        device=run.get("device", "auto"),
        precision=run.get("precision", "float32"),
        options=_options(run, metric),
        corpus=corpus,
        judged=judged or JudgedStudy(),
        endpoint=endpoint_of(run),
    )


def endpoint_of(run: Mapping[str, Any]) -> Endpoint | None:
    """Where the run's judges and language models are asked; None for this machine. Raises InputError for settings that
    are none.
    """
    settings = run.get("judge", {}).get("endpoint")
    return Endpoint.from_settings(settings) if settings else None


def sources_of(run: Mapping[str, Any], usual: Sources = SCORED) -> Sources:
    """Whose stories a run scores, the `usual` ones where it names none; raises InputError for a source that there is
    not.
    """
    given = run.get("sources", usual)
    if not given or not set(given) <= set(Source):
        raise InputError(f"A run scores stories of {', '.join(Source)}, not of {', '.join(map(str, given)) or 'none'}.")
    return tuple(Source(item) for item in given)


def scored_by(metric: type[Metric], run: Mapping[str, Any], usual: Sources) -> Sources:
    """Whose stories one of a run's metrics scores. One that compares with references would compare people's stories
    with themselves, and leaves them out unless the run names them.
    """
    sources = sources_of(run, usual)
    if "sources" in run or Need.REFERENCE not in metric.needs:
        return sources
    return tuple(source for source in sources if source is not Source.HUMAN)


def half_of(run: Mapping[str, Any], metric: str) -> Half | None:
    """The half of the prompts that one of a run's metrics scores: of a judge whose template is the study's own that
    which the run names; None for all prompts.

    Raises InputError for a half that there is not.
    """
    given = run.get("half")
    if given is not None and given not in set(Half):
        raise InputError(f"There is no half {given!r} of a study's prompts; choose {' or '.join(Half)}.")
    template = _options(run, metric).get("template", STANDARD)
    return Half(given) if given and family_of(metric) == HERE and template != STANDARD else None


def most_of(run: Mapping[str, Any]) -> int | None:
    """How many of the stories that lack a score, or of the pairs that lack a verdict, the run takes at most;
    None for all. Raises InputError for a number that is none.
    """
    most = run.get("most")
    if most is not None and (type(most) is not int or most < 1):
        raise InputError(f"A run takes one story or more, not {most!r}.")
    return most


class Candidate(NamedTuple):
    """A story, or a pair of stories, that the run may take, or that has its score already."""

    place: int
    prompt: Hashable
    system: str
    lacking: bool


def spread(candidates: Iterable[Candidate], most: int) -> list[int]:
    """The places of at most so many that lack a score, in their order. The next is of a prompt of which the fewest are
    scored or taken, and of it the story of the system of which the fewest are; where several are, the first.
    """
    lacking: dict[Hashable, list[Candidate]] = {}
    prompts, systems = Counter[Hashable](), Counter[str]()
    for story in candidates:
        if story.lacking:
            lacking.setdefault(story.prompt, []).append(story)
        else:
            prompts[story.prompt] += 1
            systems[story.system] += 1
    waiting = [(prompts[prompt], order, prompt) for order, prompt in enumerate(lacking)]
    heapify(waiting)
    taken: list[int] = []
    while waiting and len(taken) < most:
        had, order, prompt = heappop(waiting)
        left = lacking[prompt]
        story = min(left, key=lambda story: systems[story.system])
        left.remove(story)
        taken.append(story.place)
        systems[story.system] += 1
        if left:
            heappush(waiting, (had + 1, order, prompt))
    return sorted(taken)


def at_most(most: int | None, stories: int, characters: int) -> tuple[int, int]:
    """How many of so many stories a run takes that takes `most`, and about how many of their characters."""
    taken = stories if most is None else min(most, stories)
    return taken, characters * taken // max(stories, 1)


def with_parts(metrics: Sequence[str]) -> list[str]:
    """The metrics, each once, and behind a blend the metrics that it is made of."""
    return list(dict.fromkeys(text for name in metrics for text in (name, *parts_of(name))))


def parts_of(metric: str) -> tuple[str, ...]:
    """What a blend is made of; nothing for any other metric."""
    result = find(metric)
    return result.parts if issubclass(result, Blend) else ()


def checked(run: Mapping[str, Any], judged: JudgedStudy | None = None) -> dict[str, Any]:
    """A run's settings ready to be kept: every metric can be made, nothing is named in vain, paths are absolute. A
    blend brings the metrics that it is made of. `judged`: the study whose stories are scored, where it is known.

    Raises InputError or ModelMissing with what is wrong.
    """
    sources_of(run)
    most_of(run)
    run = {**run, "metrics": with_parts(run["metrics"])}
    needed = {role for name in run["metrics"] if (role := find(name).role)}
    for name in run.get("options", {}):
        if name not in run["metrics"]:
            raise InputError(f"There are options for {name}, which is not among the metrics of this run.")
    for role in run.get("models", {}):
        if role not in needed:
            raise InputError(f"A model is named for {role}, which no metric of this run needs.")
    endpoint = endpoint_of(run)
    if endpoint and not any(find(name).served for name in run["metrics"]):
        raise InputError("An endpoint is named, but no judge is among the metrics of this run, nor a language model's.")
    for role in run.get("models", {}) if endpoint else ():
        if all(find(name).served for name in run["metrics"] if find(name).role == role):
            raise InputError(f"A model is named for {role}, which is asked at the endpoint: leave one of them out.")
    if run.get("half") is not None and not any(half_of(run, name) for name in run["metrics"]):
        raise InputError(
            "A half of the prompts is for judges whose template is the study's own, and none is among the metrics of "
            "this run."
        )
    for name in run["metrics"]:
        metric = build(name, settings_of(run, name, judged=judged))
        if metric.name == f"{HERE}:{PREFERENCE}" and half_of(run, name):
            raise InputError(
                "A half of the prompts is for judges that rate single stories; one of pairs judges all that people "
                "compared."
            )
    return {
        **run,
        **({"judge": {"endpoint": endpoint.as_settings()}} if endpoint else {}),
        "metrics": [_absolute(name) for name in run["metrics"]],
        "models": {role: _absolute(name) for role, name in run.get("models", {}).items()},
        "options": {
            _absolute(name): {key: _absolute(value) for key, value in options.items()}
            for name, options in run.get("options", {}).items()
        },
    }


def under_way(run: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> list[str]:
    """The metrics of a run that one of these others asks for in the same way, all as `checked` gives them. None of
    one's own: its file may have changed meanwhile.
    """
    return [
        name
        for name in run["metrics"]
        if not is_own(name)
        and any(name in other["metrics"] and _way(name, run) == _way(name, other) for other in others)
    ]


def _way(name: str, run: Mapping[str, Any]) -> tuple[dict[str, Any], Any, Any]:
    """All that a run says of how it scores, and what, with a metric."""
    shared = {key: value for key, value in run.items() if key not in ("metrics", "options", "models")}
    role = find(name).role
    return shared, run.get("options", {}).get(name, {}), role and run.get("models", {}).get(role)


def _absolute(name: str) -> str:
    """A path from where it was typed, for whoever runs the job; anything else as it is."""
    if is_own(name):
        path, _, class_name = name.rpartition(":")
        return f"{path_of(path, 'metric file')}:{class_name}"
    if name.startswith("file:"):
        return f"file:{path_of(name.removeprefix('file:'), 'file')}"
    if name.startswith(VLLM):
        return f"{VLLM}{_absolute(name.removeprefix(VLLM))}"
    if name and name not in {*BUNDLED, *METRICS, *shipped()} and path_of(name, "folder").is_dir():
        return str(path_of(name, "folder"))
    return name


def steps(run: Mapping[str, Any]) -> list[ScoringStep]:
    """A run's metrics in the order in which they are computed; blends are not."""
    result: dict[str, list[str]] = {}
    endpoint = endpoint_of(run)
    computed = [name for name in run["metrics"] if not parts_of(name)]
    for name in sorted(computed, key=lambda name: _ORDER.index(find(name).role)):
        role = find(name).role
        key = name
        if role:
            model = run.get("models", {}).get(role) or DEFAULTS.get(role, "")
            here = " ".join([role, model, run.get("device", "auto"), run.get("precision", "float32")])
            key = endpoint.name if endpoint and find(name).served else here
            if find(name).apart:
                key = " ".join(filter(None, (key, name, find(name).paced_by(_options(run, name)))))
        result.setdefault(key, []).append(name)
    return [
        ScoringStep(
            key,
            tuple(names),
            min(find(name).guessed_speed(_options(run, name)) for name in names),
            any(find(name).role and not (endpoint and find(name).served) for name in names),
        )
        for key, names in result.items()
    ]


def _options(run: Mapping[str, Any], name: str) -> Mapping[str, str]:
    result: Mapping[str, str] = run.get("options", {}).get(name, {})
    return result


def seconds(step: ScoringStep, characters: int, measured: Mapping[str, ShownSpeed]) -> Expected:
    """How long a step takes for stories of so many characters; `measured`: the speeds that this machine has shown."""
    return expected(characters, step.guess, measured.get(step.key), LOADING if step.loads else 0.0)


def models_by_role(given: Sequence[str], metrics: Sequence[str]) -> dict[str, str]:
    """`--model NAME`, or `--model ROLE=NAME` for a run whose metrics need models of several roles.

    Raises InputError where a bare name could mean more than one.
    """
    needed = {needs for name in metrics if (needs := find(name).role)}
    result: dict[str, str] = {}
    role: str
    for text in given:
        prefix, separator, name = text.partition("=")
        if separator and prefix in set(ModelRole):
            role = prefix
        elif separator and prefix.isalpha():
            raise InputError(f"There is no kind of model {prefix!r}; there are {', '.join(ModelRole)}.")
        elif len(needed) == 1:
            role, name = next(iter(needed)), text
        elif not needed:
            raise InputError(f"None of the chosen metrics uses a model; leave --model {text} out.")
        else:
            roles = ", ".join(f"{model_role}={text}" for model_role in sorted(needed))
            raise InputError(f"The chosen metrics need models of several kinds; say which this is: {roles}.")
        if result.setdefault(role, name) != name:
            raise InputError(
                f"Two models are named for {role}: {result[role]} and {name}; run them one after the other."
            )
    return result
