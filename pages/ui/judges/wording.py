"""The wordings of a study's own: tried and compared on the development half of the prompts, reported on the other."""

from collections.abc import Sequence

import streamlit as st

from core.analysis.judges.runs import JudgeSettings, settings_before, settings_of_signature
from core.analysis.judges.wordings import (
    Wording,
    Wordings,
    changes,
    compare_wordings,
    report_wording,
    wordings,
)
from core.analysis.significance.tests import PairTest, SignificanceSettings, settings
from core.analysis.verdict.few_stories import (
    each_if_claimed,
    pair_if_claimed,
    prompts_of_half,
    why_unclaimed,
    wordings_if_claimed,
)
from core.analysis.verdict.judges import on_wordings
from core.analysis.verdict.sentences import claimed
from core.errors import FabulaError
from core.figures.correlation import AXES
from core.jobs import Job
from core.judges.halves import Half
from core.judges.template import Template, Way, built_in, template_of
from core.metrics.run import checked
from core.people import Person
from core.scores import ScoreTable
from core.statistics.correlation import Correlation
from core.statistics.intervals import Estimate
from db.jobs import jobs
from db.judges import templates
from db.judges.judged import judged_study
from pages.ui.score.run_estimate import costs, estimate
from pages.ui.shared.analysis.finding import agreement, say
from pages.ui.shared.analysis.tuned import held_out_prompts
from pages.ui.shared.analysis.view import View
from pages.ui.shared.jobs.progress import MOST, job_progress
from pages.ui.shared.tables.result_table import table
from pages.ui.shared.tables.written import P
from pages.ui.shared.template_editor import template_editor
from pages.ui.shared.text import escaped, problem

LOOKED_AT = 200
"""Earlier runs that are looked at for how judges were asked."""
BEGIN = "wording-begin"
SAVED = "wording-saved"
NOTES = {
    "Asked for": "points: a number on one criterion; criteria: numbers on all of them in one reply; deductions: the "
    "errors that it finds and quotes, for which points are taken off",
    "n": "Stories of the development half with a rating by the judge and by people",
    "Pearson": "With people's mean, on the development half",
    "Spearman": "With people's mean, on the development half",
    "Held out": "Stories of the other half that it has rated too",
}


def wording_section(viewer: Person, shown: View, coefficient: str) -> None:
    """What was tried, two of it compared, the next version, and the report of one on the other half."""
    held_out = held_out_prompts(shown)
    found = _wordings(shown.key, shown.target.criteria, held_out, shown.table, shown.seed, shown.resamples)
    behind = {row.judge.name: prompts_of_half(shown.table, held_out, row) for row in found.rows}
    say(shown, on_wordings(found, behind))
    st.caption(
        "The study's prompts fall into two halves, fixed once and for all. On the development half a judge's wording "
        "is tried and changed; a wording of the study's own is reported on the held-out half alone, here and on the "
        "other tabs, since what was chosen for its agreement on some stories agrees less on others. The standard "
        "wording, which nobody chose by these stories, is reported on all."
    )
    _tried(shown, found, held_out)
    _compare(shown, found, held_out, coefficient)
    runs = jobs.of_study(shown.study.id, most=LOOKED_AT)
    _next_version(viewer, shown, runs)
    _report(viewer, shown, found, held_out, runs)
    if recent := runs[:MOST]:
        job_progress(viewer, shown.study.id, any(job.state.active for job in recent))


@st.cache_data(max_entries=8, show_spinner="Comparing wordings")
def _wordings(
    key: tuple[object, ...],
    criteria: Sequence[str],
    held_out: frozenset[str],
    _table: ScoreTable,
    seed: int,
    resamples: int,
) -> Wordings:
    del key  # what the result is kept under
    return wordings(_table, criteria, held_out, seed=seed, resamples=resamples)


@st.cache_data(max_entries=16, show_spinner="Comparing two wordings")
def _compared(
    key: tuple[object, ...],
    names: tuple[str, str],
    held_out: frozenset[str],
    asked: SignificanceSettings,
    _table: ScoreTable,
    _both: tuple[Wording, Wording],
) -> PairTest:
    del key, names  # what the result is kept under
    return compare_wordings(_table, *_both, held_out, asked)


@st.cache_data(max_entries=16, show_spinner=False)
def _reported(
    key: tuple[object, ...],
    name: str,
    held_out: frozenset[str],
    _table: ScoreTable,
    _wording: Wording,
    seed: int,
    resamples: int,
) -> Correlation:
    del key, name  # what the result is kept under
    return report_wording(_table, _wording, held_out, seed=seed, resamples=resamples)


def _tried(shown: View, found: Wordings, held_out: frozenset[str]) -> None:
    st.header("Tried on the development half")
    if not found.rows:
        st.info("No judge that Fabula asks has rated stories of the development half yet: run one below.")
        return
    st.markdown(f"{escaped(found.tried.text)}, over {found.rated:,} rated stories.")
    drawn, too_few = wordings_if_claimed(found.rows, shown.table, held_out)
    table(
        "Wordings on the development half",
        [
            {
                "Wording": row.asked.wording,
                "Asked for": row.asked.way,
                "Model": row.asked.model,
                "n": row.correlation.n,
                "Pearson": _estimate(row.correlation, "pearson"),
                "Spearman": _estimate(row.correlation, "spearman"),
                "Held out": row.held_out,
                "Judge": row.judge.name,
                "Signature": ", ".join(row.judge.signatures),
            }
            for row in drawn
        ],
        notes=NOTES,
    )
    if too_few:
        st.caption(too_few)


def _estimate(correlation: Correlation, coefficient: str) -> Estimate:
    cell = getattr(correlation, coefficient)
    return Estimate(cell.value, cell.low, cell.high, correlation.undefined)


def _compare(shown: View, found: Wordings, held_out: frozenset[str], coefficient: str) -> None:
    """The paired test of two wordings, and what differs in the words."""
    if len(found.rows) < 2:
        return
    st.header("Is one better than another?")
    names = [row.judge.name for row in found.rows]
    left, right = st.columns(2)
    last = len(names) - 1  # in the keys too, so that a version that has just come in is the one that is looked at
    new = left.selectbox("This wording", names, index=last, key=f"wording-new-{last}", bind="query-params")
    others = [name for name in names if name != new]
    old = right.selectbox("Against", others, index=last - 1, key=f"wording-old-{last}", bind="query-params")
    both = found.named(new), found.named(old)
    asked = settings(coefficient, 2, resamples=shown.resamples, seed=shown.seed)
    tested = _compared((*shown.key, coefficient), (new, old), held_out, asked, shown.table, both)
    prompts, agreed = prompts_of_half(shown.table, held_out, *both), not agreement(shown).disagree
    row = pair_if_claimed(tested, prompts, agreed=agreed)
    table(
        "Two wordings",
        [
            {
                "Wording": new,
                "Against": old,
                "n": row.n,
                "Difference": Estimate(row.difference, row.low, row.high, row.undefined),
                "p (permutation)": row.permutation_p,
                "p (Williams)": row.williams_p,
            }
        ],
        formats={"p (permutation)": P, "p (Williams)": P},
    )
    st.caption(
        f"The difference of the two in {AXES[coefficient]}, on the development half, with its 95 % interval: the test "
        "of two metrics on the Correlation page. Of many comparisons some come out by chance."
    )
    if why := why_unclaimed(few=not claimed(tested.n, prompts), agreed=agreed):
        st.caption(why)
    _changes(shown, *both)


def _changes(shown: View, new: Wording, old: Wording) -> None:
    if new.asked.template == old.asked.template and new.asked.way == old.asked.way:
        return
    own, prompts = tuple(templates.templates(shown.study.id)), shown.study.scheme.prompt_kind
    with st.expander("What differs in the words", icon=":material/difference:"):
        try:
            before, after = (template_of(row.asked.template, Way(row.asked.way), prompts, own) for row in (old, new))
        except FabulaError as error:
            problem(str(error))
            return
        st.code(changes(before, after) or "Nothing.", language="diff", wrap_lines=True)


def _next_version(viewer: Person, shown: View, runs: Sequence[Job]) -> None:
    """A template to begin from, to change and save, and its run on the development half."""
    st.header("The next version")
    usual = _built_in(shown)
    ways = {template.way for template in usual}
    own = [template for template in templates.templates(shown.study.id) if template.way in ways]
    offered = {_title(template): template for template in (*own, *usual)}
    if saved := st.session_state.pop(SAVED, None):
        st.session_state[BEGIN] = saved
    if st.session_state.get(BEGIN) not in offered:
        st.session_state[BEGIN] = next(iter(offered))
    left, right = st.columns(2)
    template = offered[left.selectbox("Wording to run, or to begin from", list(offered), key=BEGIN)]
    asked = {item.title: item for item in settings_before(runs)}
    like = asked[right.selectbox("Model and options", list(asked), key="wording-settings")]
    with st.expander(f"Change {escaped(_title(template))}", icon=":material/edit:", key="wording-editor"):
        new = template_editor(viewer, shown.study.id, template)
    if new:
        st.session_state[SAVED] = _title(new)
        st.rerun()
    _run(viewer, shown, like, template, Half.DEVELOPMENT if template.version else None)
    st.page_link("score.py", label="Another model, or a server", icon=":material/speed:")


def _built_in(shown: View) -> list[Template]:
    """The standard templates of the ways that the form can be asked in."""
    ways = [Way.POINTS] + ([Way.CRITERIA] if len(shown.study.scheme.criteria) > 1 else [])
    scheme = shown.study.scheme
    return [built_in(way, scheme.prompt_kind) for way in [*ways, *([Way.DEDUCTIONS] if scheme.deducts else [])]]


def _title(template: Template) -> str:
    return f"{template.title} ({template.way})"


def _run(viewer: Person, shown: View, like: JudgeSettings, template: Template, half: Half | None) -> None:
    """A button that queues the run, after what it costs. `half`: None for all stories, as nobody tunes the standard
    wording here.
    """
    study = shown.study
    try:
        run = checked(like.wording(template, shown.target.criteria, half), judged_study(study.id))
        for sentence in [estimate(run, study.id), *costs(run, study.id)]:
            st.text(sentence)
    except FabulaError as error:
        problem(str(error))
        return
    where = f"the {half} half" if half else "all stories"
    label = f"Run {escaped(template.title)} on {where}"
    if st.button(label, icon=":material/play_arrow:", key=f"wording-run-{half or 'all'}"):
        try:
            jobs.add(viewer, "score", study.id, run)
        except FabulaError as error:
            problem(str(error))
            return
        st.rerun()


def _report(viewer: Person, shown: View, found: Wordings, held_out: frozenset[str], runs: Sequence[Job]) -> None:
    """One wording on the held-out half alone, or the way there."""
    own = [row for row in found.rows if row.asked.own]
    if not own:
        return
    st.header("Report on the held-out half")
    names = [row.judge.name for row in own]
    last = len(names) - 1
    chosen = st.selectbox(
        "Wording", names, index=last, key=f"wording-report-{last}", bind="query-params", width=480
    )  # the newest, as above
    row = found.named(chosen)
    if row.held_out:
        of = _reported(shown.key, chosen, held_out, shown.table, row, shown.seed, shown.resamples)
        of = each_if_claimed(of, of.n, prompts_of_half(shown.table, held_out, row, reported=True))
        with st.container(horizontal=True, gap="medium"):
            st.metric("Pearson's r, held out", _estimate(of, "pearson").shown(), width="content")
            st.metric("Spearman's ρ, held out", _estimate(of, "spearman").shown(), width="content")
            st.metric("Stories", f"{of.n:,}", width="content")
        there = sum(one.held_out > 0 for one in own)
        st.caption(
            f"{escaped(found.tried.text)} on the development half, {there:,} of them "
            f"{'has' if there == 1 else 'have'} been run here. Choose by the development half: whoever chooses by "
            "these figures tunes on this half too."
        )
    like = settings_of_signature(runs, row.judge.signatures)
    if like is None:
        st.caption(f"How {escaped(chosen)} was asked is in no finished run here: run it on the page Run metrics.")
        return
    own_templates = tuple(templates.templates(shown.study.id))
    template = template_of(row.asked.template, Way(row.asked.way), shown.study.scheme.prompt_kind, own_templates)
    _run(viewer, shown, like, template, Half.HELD_OUT)
