"""What is read first on a page: a sentence that says what was found, above the figure that proves it."""

from collections.abc import Mapping

import streamlit as st

from core.analysis.judges.reported import reported_metric
from core.analysis.judgments.reliability import Reliability, reliability
from core.analysis.judgments.strictness import Strictness, strictness
from core.analysis.significance.tests import PairTest
from core.analysis.verdict.finding import Finding
from core.analysis.verdict.grade import GRADES, Grade, Graded
from core.analysis.verdict.graded import graded
from core.analysis.verdict.of_study import finding_of_study
from core.annotation.target import in_a_sentence
from core.scores import RatingChoice
from core.statistics.correlation import MetricCorrelation
from db.ratings.ratings import rating_table
from db.scores.judgments import unlike_criteria
from pages.ui.shared.analysis.correlations import overall, people
from pages.ui.shared.analysis.degenerate_stories import kinds_of
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.tuned import held_out_prompts
from pages.ui.shared.analysis.view import View
from pages.ui.shared.text import escaped

COLOURS = {
    Grade.STRONG: "green",
    Grade.MODERATE: "blue",
    Grade.WEAK: "orange",
    Grade.NONE: "gray",
    Grade.AGAINST: "red",
}


MEANINGS = "What each grade means:\n\n" + "\n\n".join(
    f"**{grade.capitalize()}**: {meaning}." for grade, meaning in GRADES.items()
)


def verdict(markdown: str, help: str | None = None, more: str = "") -> None:
    """Show the sentence, with `help` under a question mark behind it; `more`: what to know besides, below it and
    smaller. Names in both are escaped already.
    """
    with st.container(key="finding"):
        st.markdown(f"{markdown}\n\n{more}".strip(), help=help)


def say_of(metric: str, sentence: str) -> None:
    """A sentence about one metric, whose name stands before it."""
    verdict(f"**{escaped(metric)}**: {escaped(sentence[:1].lower() + sentence[1:])}")


def say(shown: View, sentence: str | None) -> None:
    """A sentence about several metrics; nothing where there is none, or where the ratings do not agree, which the page
    has said then.
    """
    if sentence and not agreement(shown).disagree:
        verdict(escaped(sentence))


def say_finding(
    found: Finding,
    grade: Graded | None = None,
    by: str = "spearman",
    doubt: str = "",
    criterion: str = "",
    *,
    chosen: bool = False,
) -> None:
    """Which metric agrees best with people; with a grade, how good the evidence is, and what the grades mean. Under the
    question mark stand all that no test tells apart from it, where the sentence counts some. `by`: by
    which coefficient of ranks another metric is named that comes first; `doubt`: a sentence on what overturns it;
    `criterion`: of which of several it is. `chosen`: the figures below are by `by`.
    """
    sentence, more = found.first(marked), "\n\n".join(found.more(marked, by, doubt, chosen=chosen))
    if criterion:
        sentence = f"On {escaped(in_a_sentence(criterion))}: {sentence[:1].lower()}{sentence[1:]}"
    help = "\n\n".join(filter(None, (escaped(found.all_alike()), explained(grade) if grade else ""))) or None
    verdict(f"{evidence(grade.grade)} {sentence}" if grade else sentence, help=help, more=more)


def marked(name: str) -> str:
    """The name of a metric in a headline."""
    return f"**{escaped(name)}**"


def say_grade(grade: Graded | None) -> None:
    """Below the figure: why the evidence is no better, and what could make it stronger."""
    if grade is not None:
        st.caption(escaped(_why(grade)))


def explained(grade: Graded) -> str:
    """The same, and what each grade means, for under the question mark of the finding."""
    return f"{escaped(_why(grade))}\n\n{MEANINGS}"


def _why(grade: Graded) -> str:
    return f"{grade.sentence} {grade.advice}".strip()


def evidence(grade: Grade) -> str:
    """The grade as a coloured badge."""
    return f":{COLOURS[grade]}-badge[Evidence: {grade}]"


def grade_of_finding(shown: View, found: Finding) -> Graded | None:
    """How good the evidence is for the finding's metric; None of a judge whose wording was tried on this study: its
    report grades it on the held-out half.
    """
    column = shown.table.columns[shown.names.index(found.best)]
    if reported_metric(shown.table, column, held_out_prompts(shown)):
        return None
    return _grade(shown.key, shown, found.best, found.one_rater, found.seen, found.with_length, disagree=found.disagree)


@st.cache_data(max_entries=8, show_spinner=False)
def _grade(
    key: tuple[object, ...],
    _shown: View,
    best: str,
    one_rater: float | None,
    seen: int,
    corrected: PairTest | None,
    *,
    disagree: bool,
) -> Graded:
    place = _shown.names.index(best)
    return graded(
        _shown.table,
        place,
        overall(_shown.key, _shown.table, _shown.seed, _shown.resamples)[place].correlation,
        one_rater=one_rater,
        disagree=disagree,
        seen=seen,
        corrected=corrected,
        kinds=kinds_of(_shown),
        seed=_shown.seed,
        resamples=_shown.resamples,
    )


def finding_of(shown: View) -> Finding | None:
    """Which metric agrees best with people on these stories; None where none has a correlation."""
    correlated = overall(shown.key, shown.table, shown.seed, shown.resamples)
    limits = people(shown.key, "pearson", shown.table, shown.seed)
    return _finding(shown.key, shown, correlated, trained_here(shown), limits.one_rater, agreement(shown).disagree)


def agreement(shown: View) -> Reliability:
    """Whether the ratings of these stories agree."""
    return _agreement(shown.key, shown)


@st.cache_data(max_entries=8, show_spinner=False)
def _agreement(key: tuple[object, ...], _shown: View) -> Reliability:
    return reliability(_shown.table, seed=_shown.seed)


def disagreeing(shown: View) -> tuple[str, ...]:
    """Of a study of several criteria those on which nothing shows that the ratings of these stories agree, whichever
    is chosen.
    """
    return _disagreeing(shown.key, shown) if shown.table.criteria else ()


@st.cache_data(max_entries=8, show_spinner="Comparing the ratings on every criterion")
def _disagreeing(key: tuple[object, ...], _shown: View) -> tuple[str, ...]:
    return unlike_criteria(_shown.study.id, _shown.table, _shown.validity, seed=_shown.seed)


@st.cache_data(max_entries=8, show_spinner="Comparing the metrics")
def _finding(
    key: tuple[object, ...],
    _shown: View,
    _correlated: tuple[MetricCorrelation, ...],
    _trained_on: Mapping[str, int],
    one_rater: float | None,
    disagree: bool,
) -> Finding | None:
    return finding_of_study(
        _shown.table,
        _shown.names,
        _correlated,
        one_rater=one_rater,
        disagree=disagree,
        trained_on=_trained_on,
        strictness=_strictness(_shown) if disagree else None,
        seed=_shown.seed,
    )


def _strictness(shown: View) -> Strictness | None:
    """What raters' strictness does to their agreement here; None where rejected panels' ratings count too."""
    if shown.validity is not RatingChoice.VALID or not shown.study.raters_identified:
        return None
    return strictness(rating_table(shown.study.id, shown.target), shown.table.keys, seed=shown.seed)
