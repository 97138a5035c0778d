"""May a judge stand in for a person? The alternative annotator test on the target, and a verdict on every criterion."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from core.analysis.judges.alternative import (
    EPSILON,
    FALSE_DISCOVERIES,
    FEWEST_INSTANCES,
    FEWEST_PEOPLE,
    PASSES,
    Annotators,
)
from core.analysis.judges.columns import judges_of
from core.analysis.judges.replacement import (
    HIDDEN,
    JudgeTest,
    PeoplesRatings,
    Standard,
    alignment_of,
    alternative_tests,
    in_a_word,
    standard,
    verdicts,
)
from core.analysis.judges.trial import LEAST_SHARE
from core.analysis.verdict.judges import ADVANTAGE_OF_ONE_STEP, of_one_step, on_replacement
from core.annotation.studies import Study
from core.annotation.target import Target, on_target
from core.figures.judges.replacement import winning_rates
from core.people import Person
from core.scores import ScoreTable
from db.ratings import raters
from pages.ui.shared.analysis.finding import agreement, verdict
from pages.ui.shared.analysis.replacement_words import NEEDED
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import JUDGE_RUN
from pages.ui.shared.tables.downloads import chart
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped, notice

WHO = {Annotators.EXPERT: "Experts", Annotators.SKILLED: "Skilled", Annotators.CROWD: "A crowd"}
NOTES = {
    "May stand in": f"Yes where the winning rate is {PASSES:g} or more; a verdict takes {FEWEST_PEOPLE} people with "
    f"{FEWEST_INSTANCES} stories each, ratings that agree with one another, and a judge that tells stories apart",
    "People won": "How many people the judge wins against, of those with enough stories",
    "Stories": "Stories of these people that the judge and somebody else rated too",
    "Winning rate": "People won, as a share; only a win that a test shows counts",
    "Advantage": "The share of stories on which the judge is at least as near to the others as the person set aside, "
    "averaged over people; nothing is tested",
}
PEOPLE_NOTES = {
    "Stories": "Stories that the person, the judge and somebody else rated",
    "Judge": "The share of them on which the judge is at least as near to the others as the person",
    "Person": "The share on which the person is at least as near as the judge; equally near counts for both",
    "p": "How likely a judge that is in truth behind by epsilon or more would look this good by chance",
    "Judge wins": f"Whether p is at most {FALSE_DISCOVERIES:g} once it is corrected for the number of people",
}


@st.cache_data(max_entries=8, show_spinner="Setting one person after another aside")
def _tests(
    key: tuple[object, ...],
    held_to: Standard,
    metrics: Sequence[str],
    _by: Person,
    _study: Study,
    _target: Target,
    _table: ScoreTable,
    seed: int,
) -> tuple[PeoplesRatings, tuple[JudgeTest, ...]]:
    del key  # what the result is kept under
    people = raters.by_person(_by, _study.id, _target, _table.keys)
    scheme = on_target(_study.scheme, _target)
    found = alternative_tests(
        _table,
        people,
        _target.criteria,
        scheme,
        standard=held_to,
        alignment=alignment_of(scheme),
        metrics=metrics,
        seed=seed,
    )
    return people, found


def replacement_section(viewer: Person, shown: View, disagreed: Collection[str]) -> None:
    """Who the people are, the verdicts, the figure, each person's comparison. `disagreed`: the criteria on which
    nothing shows that the ratings agree.
    """
    if not shown.study.raters_identified:
        _not_offered(HIDDEN)
        return
    opening, (left, right) = st.container(), st.columns(2)
    who = left.segmented_control(
        "Who are the people?",
        list(WHO),
        format_func=WHO.__getitem__,
        default=Annotators.CROWD,
        required=True,
        key="annotators",
        bind="query-params",
        help="It sets epsilon, what their time is worth: how much more often a person may be nearer, and the judge "
        "still wins. 0.2 for experts, 0.15 for skilled annotators, 0.1 for a crowd.",
    )
    if who is Annotators.CROWD:
        left.caption(
            "Unless you choose, the people are a crowd, whose time costs least: a judge may then be worse than a "
            f"person by {EPSILON[Annotators.CROWD]:g} at most (epsilon), and than an expert by "
            f"{EPSILON[Annotators.EXPERT]:g}."
        )
    others = [name for name in shown.names if name not in _judged(shown)]
    metrics = right.multiselect(
        "Also these metrics",
        others,
        placeholder="None",
        key="alternative_metrics",
        bind="query-params",
        help="Their scores are brought to the scale by isotonic regression, each story's by the curve of other "
        "prompts.",
    )
    held_to = standard(who, None)
    people, found = _tests(
        shown.key, held_to, tuple(metrics), viewer, shown.study, shown.target, shown.table, shown.seed
    )
    if people.undefined is not None:
        _not_offered(people.undefined)
        return
    st.caption(
        "Each person in turn is set aside and compared with the judge: whose ratings are nearer to those of the "
        f"others? Epsilon {held_to.epsilon:g}: by how much more often the person may be nearer, and the judge still "
        "wins. After Calderon, Reichart and Dror (2025)."
    )
    disagree = agreement(shown).disagree
    headline = on_replacement(found, held_to, disagree=disagree)
    with opening:
        if headline:
            verdict(escaped(headline))
        _of_one_step(shown)
        chart(
            winning_rates(found, held_to, shown.target.title, disagree=disagree),
            key="winning_rates",
            alt="Winning rates of judges over people",
        )
    _on_the_rest(shown)
    _verdicts(viewer, shown, held_to, metrics, found, disagreed, said=headline is not None)
    _all(found, disagree=disagree)
    for caution in dict.fromkeys(caution for row in found for caution in row.test.cautions("stories")):
        notice(caution)
    _people(found)


def _of_one_step(shown: View) -> None:
    """Which judges give all stories nearly one rating, and what that makes of their advantage."""
    judges = judges_of(shown.table.columns, shown.target.criteria)
    if alike := of_one_step(judges, shown.scheme.main.steps):
        st.caption(escaped(f"{alike} {ADVANTAGE_OF_ONE_STEP}"))


def _on_the_rest(shown: View) -> None:
    """Which judges have scored a part of the rated stories alone, and the way to a run on the others: of stories that
    many people share, each has rated few of those that a trial took.
    """
    rated = np.isfinite(shown.table.human)
    judges = judges_of(shown.table.columns, shown.target.criteria)
    scored = {judge.name: int((np.isfinite(judge.values) & rated).sum()) for judge in judges}
    few = [f"{name} has scored {number:,}" for name, number in scored.items() if number < LEAST_SHARE * rated.sum()]
    if few:
        st.caption(
            escaped(
                f"Of {rated.sum():,} rated stories {', '.join(few)}. A person is compared with the judge on the "
                f"stories that both have rated, and counts from {FEWEST_INSTANCES} such stories on. So the fewer "
                "stories each person has rated, the more of all stories the judge must have scored."
            )
        )
        st.page_link("score.py", label="Score the others", icon=":material/gavel:", query_params=JUDGE_RUN)


def _not_offered(reason: str) -> None:
    st.info(f"The test is not offered here: {reason}. {NEEDED}")


def _judged(shown: View) -> set[str]:
    """The metrics that are judges of any criterion."""
    criteria = shown.study.scheme.names
    return {
        metric for name in criteria for judge in judges_of(shown.table.columns, (name,)) for metric in judge.metrics
    }


def _verdicts(
    viewer: Person,
    shown: View,
    held_to: Standard,
    metrics: Sequence[str],
    found: Sequence[JudgeTest],
    disagreed: Collection[str],
    said: bool,
) -> None:
    """A sentence a judge, over every criterion where it has several. `disagreed`: those of which no test says anything;
    `said`: the headline has said that of this one.
    """
    of: Mapping[str, Sequence[JudgeTest]] = {shown.target.title: found}
    if shown.table.criteria:
        of = {
            name: _tests(
                (*shown.key, name),
                held_to,
                tuple(metrics),
                viewer,
                shown.study,
                Target((name,)),
                replace(shown.table, human=human),
                shown.seed,
            )[1]
            for name, human in shown.table.criteria.items()
        }
    void = {*disagreed, shown.target.title} if agreement(shown).disagree else disagreed
    if not said or sum(map(len, of.values())) > len(found):  # else the headline has said all of it
        st.markdown("\n".join(f"- {escaped(sentence)}" for sentence in verdicts(of, held_to, void).values()))


def _all(found: Sequence[JudgeTest], *, disagree: bool) -> None:
    table(
        "Alternative annotator test",
        [
            {
                "Judge": row.judge,
                "May stand in": row.test.undefined or in_a_word(row.test, disagree=disagree, alike=row.alike),
                "People won": f"{sum(one.won for one in row.test.people)} of {len(row.test.counted)}",
                "Stories": row.test.instances,
                "Winning rate": row.test.winning_rate,
                "Advantage": row.test.advantage_probability,
            }
            for row in found
        ],
        notes=NOTES,
    )
    st.caption(
        "**Advantage** counts stories: the share on which the judge is at least as near to the others as the person "
        "set aside. **Winning rate** counts people: the judge wins against somebody only where a test shows that it is "
        "as near as often as they are, less epsilon. So a judge with an advantage of 0.4 may win against nobody, which "
        "is a winning rate of 0."
    )


def _people(found: Sequence[JudgeTest]) -> None:
    """Each person's comparison with one judge."""
    st.header("Person by person")
    names = [row.judge for row in found]
    if st.session_state.get("alternative_judge") not in (None, *names):
        st.session_state["alternative_judge"] = names[0]  # of another study
    chosen = st.selectbox("Judge", names, key="alternative_judge", bind="query-params", width=320)
    row = found[names.index(chosen)]
    table(
        "Person by person",
        [
            {
                "Person aside": one.person,
                "Stories": one.n,
                "Judge": one.judge,
                "Person": one.human,
                "p": one.p,
                "Judge wins": "not counted" if one.p is None else "yes" if one.won else "no",
            }
            for one in row.test.people
        ],
        formats={"p": P},
        notes=PEOPLE_NOTES,
        people="Person aside",
    )
    st.caption(
        "Judge, Person: the share of stories on which each is at least as near to the others. Equally near counts for "
        "both, so the two may add up to more than 1. The judge wins where a test shows that it is behind the person "
        f"by less than {row.test.epsilon:g} (epsilon). p: how likely a judge that is in truth behind by that much or "
        f"more would look as good as here by chance. A win takes a p of at most {FALSE_DISCOVERIES:g} after Benjamini "
        f"and Yekutieli's correction for the {len(row.test.counted):,} people tested; the table has p before it."
    )
