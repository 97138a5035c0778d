"""Where a study stands, step by step, and what is next: stories, ratings, metrics, a finding."""

from dataclasses import dataclass, replace
from enum import StrEnum

from core.annotation.quality import StudyProgress
from core.annotation.studies import Study, StudyState, StudySummary
from core.annotation.unit import PromptKind
from core.wording import so_many


class Act(StrEnum):
    """What can be done next, as its button says it."""

    IMPORT = "Import stories"
    OPEN = "Open for annotation"
    INVITE = "Invite people"
    WATCH = "See what comes in"
    SCORE = "Run metrics"
    DISAGREEMENT = "See where people differ"
    REPORT = "Read the report"
    CORRELATION = "See the correlations"
    PREFERENCES = "See who is preferred"
    PLAN = "Plan how many it takes"


METRICS = "Metrics"
"""The name of the step that says what has scored the stories."""


@dataclass(frozen=True)
class Step:
    """`name`: in a word or two; `done`: whether nothing is missing; `said`: how it stands; `under_way`: whether more is
    coming in to what there is; `term`: of what it says, one that is to be explained; `way`: where to see about it.
    """

    name: str
    done: bool
    said: str
    under_way: bool = False
    term: str = ""
    way: Act | None = None


@dataclass(frozen=True)
class Standing:
    """The `steps` in their order, what is `next`, what else can be done `besides`, and whether most of the ratings that
    annotators are to give are still missing (`just_begun`).
    """

    steps: tuple[Step, ...]
    next: Act
    besides: tuple[Act, ...] = ()
    just_begun: bool = False


@dataclass(frozen=True)
class Counted:
    """What there is. `progress`: of what annotators are given; `invited`: whether anybody was; `rated`: stories with a
    rating that analyses take; `given`: how many such ratings there are, without those of controls; `of_people`,
    `of_negatives`: ratings of people's stories and of negative ones that analyses do not compare with the systems';
    `compared_people`: of a study of pairs, people's stories that were compared with others; `notes`: on rejected
    panels, on which nobody has decided; `few`: why its stories are too few for any claim on a metric, "" where they
    are not;
    `disagree`: whether the ratings do not agree with one another; `found`: whether a metric is known to agree with
    people.
    """

    summary: StudySummary
    progress: StudyProgress
    invited: bool
    rated: int
    given: int
    of_people: int
    of_negatives: int
    disagree: bool
    found: bool
    compared_people: int = 0
    notes: int = 0
    few: str = ""


_PROMPTS = {
    PromptKind.OPENING: "the beginning of the story",
    PromptKind.TASK: "what the story was to be about",
}


def standing(counted: Counted) -> Standing:
    """The steps and the next one."""
    ratings = _with_notes(_ratings(counted), counted)
    steps = (_stories(counted), *_form(counted), ratings, _metrics(counted), _finding(counted))
    return Standing(steps, _next(counted), _besides(counted), _just_begun(counted))


def _stories(counted: Counted) -> Step:
    summary = counted.summary
    if not summary.stories:
        return Step("Stories", False, "none yet")
    said = f"{so_many(summary.stories, 'story', 'stories')} for {so_many(summary.prompts, 'prompt')}"
    others = [f"{summary.references:,} by people"] if summary.references else []
    if summary.negatives:
        others.append(so_many(summary.negatives, "negative control"))
    # All of them together are what the page of stories counts.
    said += f", plus {' and '.join(others)}" if others else ""
    asked = summary.references and not summary.answered  # else what was rated of them stands beside the ratings
    said += f"; {summary.study.scheme.of_people}" if asked else ""
    if counted.few and summary.study.state is not StudyState.CLOSED and not summary.study.scheme.unit.of_pairs:
        return Step("Stories", True, f"{said}; {counted.few}", way=Act.PLAN)
    return Step("Stories", True, said)


def _form(counted: Counted) -> tuple[Step, ...]:
    """What people will be asked, as long as it can be changed."""
    summary = counted.summary
    if not summary.stories or summary.answered:
        return ()
    scheme = summary.study.scheme
    asked = f"for {scheme.summary}" if len(scheme.criteria) > 1 else f"“{scheme.summary}”"
    prompt = f", and shows the prompt as {_PROMPTS[scheme.prompt_kind]}" if scheme.shows_prompt else ""
    until = "it can be changed under Form and rules until somebody begins to answer it"
    return (Step("Form", True, f"asks {asked}{prompt}; {until}"),)


def _ratings(counted: Counted) -> Step:
    summary = counted.summary
    noun = "judgment" if summary.study.scheme.unit.of_pairs else "rating"
    if not summary.ratings and summary.panels_rejected:
        return Step("Ratings", False, _all_rejected(summary))
    if not summary.ratings:
        wanted = _wanted_of_each(summary.study)
        waits = {
            StudyState.DRAFT: "none yet: the study is not opened for annotators"
            + (f"; {wanted}" if summary.stories else ", and can be opened once it has stories"),
            StudyState.OPEN: f"none yet: the study is open for annotators; {wanted}",
            StudyState.CLOSED: "none, and the study is closed",
        }
        if summary.panels_open and summary.study.state is StudyState.OPEN:
            wording = summary.study.scheme.unit.wording
            under_way = so_many(summary.panels_open, wording.rated, wording.rated_plural)
            be = "is" if summary.panels_open == 1 else "are"
            return Step("Ratings", False, f"none handed in yet: {under_way} {be} under way; {wanted}")
        return Step("Ratings", False, waits[summary.study.state])
    of_pairs = summary.study.scheme.unit.of_pairs
    others = 0 if of_pairs else summary.ratings - counted.given
    stories = so_many(counted.rated + counted.compared_people, "story", "stories")
    said = f"{so_many(summary.ratings - others, noun)} of {stories}"
    if counted.compared_people:
        said += f", {counted.rated:,} by systems and {counted.compared_people:,} by people"
    if others > 0:
        # Annotators are shown how many answers they have given, which are all of these.
        said = f"{so_many(summary.ratings, 'answer')}: {said}, and {_others(counted, others)}"
    if _collecting(counted):
        term = "Panel" if summary.study.scheme.unit.of_prompt else ""
        return Step("Ratings", False, f"{said}; {_wanted(counted)}", under_way=True, term=term)
    if counted.disagree:
        return Step("Ratings", False, f"{said}; nothing shows that they agree with one another")
    return Step("Ratings", True, said)


def _with_notes(step: Step, counted: Counted) -> Step:
    """The same, and that annotators' notes wait for a decision, which nobody would look for."""
    if not counted.notes:
        return step
    wording = counted.summary.study.scheme.unit.wording
    wait = f"{counted.notes:,} notes on rejected {wording.plural} wait"
    if counted.notes == 1:
        wait = f"one note on a rejected {wording.noun} waits"
    return replace(step, said=f"{step.said}; {wait} for a decision on Monitor")


def _others(counted: Counted, others: int) -> str:
    """Of what so many answers are that analyses do not take."""
    kinds = {"of human stories": counted.of_people, "of control stories": counted.of_negatives}
    left = others - sum(kinds.values())
    parts = [f"{number:,} {kind}" for kind, number in {**kinds, "on other criteria": left}.items() if number > 0]
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _wanted_of_each(study: Study) -> str:
    """How many ratings each story is to get, while none has come in that would show it."""
    noun, item = ("judgment", "pair") if study.scheme.unit.of_pairs else ("rating", "story")
    wanted = study.rules.ratings_wanted
    return f"{so_many(wanted, noun)} of each {item} {'is' if wanted == 1 else 'are'} wanted"


def _wanted(counted: Counted) -> str:
    """In panels, both times: beside a number of ratings "28 more wanted" would read as if each story wanted them."""
    progress, wording = counted.progress, counted.summary.study.scheme.unit.wording
    # Not how many are wanted in all: of few stories that is their number, and reads as if it counted these.
    more = f"{progress.left:,} more {wording.rated if progress.left == 1 else wording.rated_plural} wanted"
    void = f"{counted.summary.panels_rejected:,} rejected, " if counted.summary.panels_rejected else ""
    if counted.summary.study.scheme.unit.single:
        times = so_many(counted.summary.study.rules.ratings_wanted, "time")
        return f"each story is to be rated {times}: {progress.valid:,} valid, {void}{progress.left:,} to go"
    return f"{so_many(progress.valid, wording.rated, wording.rated_plural)} valid, {void}{more}"


def _all_rejected(summary: StudySummary) -> str:
    """That all that was handed in so far is void: else nobody would look for it where its reasons stand."""
    wording = summary.study.scheme.unit.wording
    if summary.panels_rejected == 1:
        return f"none that counts: the one {wording.rated} handed in so far was rejected; Monitor says why"
    number = f"{summary.panels_rejected:,} {wording.rated_plural}"
    return f"none that counts: all {number} handed in so far were rejected; Monitor says why"


def _metrics(counted: Counted) -> Step:
    if not counted.summary.metrics:
        return Step(METRICS, False, "none has scores yet")
    return Step(METRICS, True, counted.summary.scored_by)


def _finding(counted: Counted) -> Step:
    if counted.found:
        return Step("Finding", True, "it stands at the top of this page")
    lacking = not counted.rated or not counted.summary.metrics
    return Step("Finding", False, "takes ratings and metrics" if lacking else "nothing can be claimed yet")


def _next(counted: Counted) -> Act:
    summary = counted.summary
    collecting = _collecting(counted)
    if not summary.stories:
        return Act.IMPORT
    if summary.ratings and _just_begun(counted):
        return Act.INVITE
    if summary.study.scheme.unit.of_pairs and summary.ratings:
        return Act.WATCH if collecting else Act.PREFERENCES
    if not summary.ratings:
        if summary.study.state is not StudyState.OPEN:
            return Act.OPEN
        return Act.WATCH if counted.invited or summary.answered else Act.INVITE
    if not counted.summary.metrics:
        return Act.SCORE
    if collecting and not summary.study.demonstration:  # whose findings are what it is for
        return Act.WATCH
    if counted.disagree:
        return Act.DISAGREEMENT
    return Act.REPORT if counted.found else Act.CORRELATION


def _collecting(counted: Counted) -> bool:
    return counted.summary.study.state is StudyState.OPEN and counted.progress.left > 0


def _just_begun(counted: Counted) -> bool:
    """Whether people are lacking more than anything else; of the demonstration the findings are what it is for."""
    progress, study = counted.progress, counted.summary.study
    return _collecting(counted) and progress.left * 2 > progress.wanted and not study.demonstration


def _besides(counted: Counted) -> tuple[Act, ...]:
    """Metrics need no ratings to run: nobody need wait for people. Notes are read where ratings are watched."""
    summary, first = counted.summary, _next(counted)
    more = [Act.WATCH] if counted.notes or (summary.ratings and _just_begun(counted)) else []
    if summary.stories and not counted.summary.metrics:
        more.append(Act.SCORE)
    if counted.rated and counted.summary.metrics:
        more += [Act.CORRELATION, Act.REPORT]
    if _collecting(counted) and not summary.study.demonstration:
        more.append(Act.INVITE)
    return tuple(act for act in more if act is not first)
