"""The form of the score page: which metrics, on which models, with which options."""

from collections.abc import Container, Mapping, Sequence
from typing import Any

import streamlit as st

from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED
from core.annotation.studies import StudySummary
from core.checkpoints.store import shipped
from core.metrics import METRICS, family_of, find
from core.metrics.base import Kind
from core.metrics.judging.judge import Judge
from core.metrics.run import with_parts
from core.metrics.trained.base import NONE
from core.models.catalogue import DEFAULTS
from core.people import Person
from core.wording import so_many
from pages.ui.score.judge_template import judged_criteria, template_titles
from pages.ui.score.own_metric import own_key, own_metric
from pages.ui.score.run_estimate import Work
from pages.ui.shared.jobs.run_options import checkpoints_of, option_key, run_options

KINDS = {
    Kind.REFERENCED: "Compared with a human story of the same prompt",
    Kind.HYBRID: "Compared with a human story, and trained",
    Kind.UNREFERENCED: "Without a human story",
}
AT_FIRST = ("bleu", "rouge-l", "bertscore-f1")
"""Chosen when the page is opened: quick, and known to everyone."""
AT_FIRST_ALONE = ("perplexity", "acceptability", "words")
"""The same of a study without human stories, which those would compare with."""
TO_BRING = ":material/folder_open:"
"""The sign of a metric whose model does not come with Fabula."""
FEW = FEWEST_CLAIMED
"""Stories of a run that tries what it would give: of the fewest that anything is claimed of."""
TRIAL, TRIED = "score-few", "score-tried"
"""Of the session's state: whether a run is to try few stories first, and the study and the run for which one did."""
NAMED = 3
"""Checkpoints of one's own that are named where another is chosen."""
SHOWN = "score-shown"
"""Of the session's state: the study whose metrics were chosen here last."""
ADDRESS, RUN = "checkpoint", "run"
"""What the address may name: a checkpoint, or the one metric that is to be chosen."""


JUDGE_ASKED = (
    "A judge is run here, like any metric. Its model and how it is asked are under *Models and options*, its words "
    "under *What the judge is told*."
)


def score_form(viewer: Person, summary: StudySummary) -> tuple[dict[str, Any], bool]:
    """Widgets for a run; returns its settings as a job keeps them, without metrics where none is chosen, and whether it
    can be asked for: not where a metric of one's own was named that there is not, which is said.
    """
    _carry_over(summary)
    chosen = _metrics(summary.study.id, AT_FIRST if summary.references else AT_FIRST_ALONE)
    own = own_metric(viewer, summary.study.id)
    names = with_parts(judged_criteria([*chosen, *([own] if own else [])], summary.study.scheme))
    if names and all(family_of(name) == Judge.name for name in names):
        st.markdown(f":material/gavel: {JUDGE_ASKED}")
    _cards(names)
    if not summary.references and any(find(name).kind is not Kind.UNREFERENCED for name in names):
        st.warning("This study has no human stories: metrics that compare with a reference will be undefined.")
    run = run_options(viewer, names, template_titles(summary.study.id))
    for name, options in run["options"].items():
        if options.get(ADDRESS, NONE) != NONE:
            st.text(_scores_with(name, options[ADDRESS], checkpoints_of(viewer, name)))
    _say_changed(run["options"])
    return run, own is not None


def _scores_with(name: str, chosen: str, offered: Sequence[str]) -> str:
    """Which checkpoint a metric scores with, and where another is chosen if that is not one of one's own: the two may
    well be called alike.
    """
    ours = shipped()
    if chosen not in ours:
        return f"{name} scores with the checkpoint {chosen}."
    own = [checkpoint for checkpoint in offered if checkpoint not in ours]
    more = ", …" if len(own) > NAMED else ""
    another = f" For another ({', '.join(own[:NAMED])}{more}), see Checkpoint under Models and options." if own else ""
    return f"{name} scores with the checkpoint {chosen}, which comes with Fabula.{another}"


def _say_changed(options: Mapping[str, Mapping[str, str]]) -> None:
    """Name the options that are not as they are at first: they stay chosen when one comes back to the page."""
    changed: dict[str, list[str]] = {}
    for name, chosen in options.items():
        for key, value in chosen.items():
            if key != ADDRESS and value != find(name).options[key].values[0]:
                changed.setdefault(f"{key.replace('_', ' ')} {value}", []).append(find(name).name)
    for text, names in changed.items():
        st.text(f"With {text} ({', '.join(names)}).")


def note_tried(study_id: int, run: Mapping[str, Any]) -> None:
    """Remember that this run was begun on few stories alone, if it was: what is chosen next is another matter."""
    if "most" in run:
        st.session_state[TRIED] = study_id, {key: value for key, value in run.items() if key != "most"}


def few_first(work: Work, summary: StudySummary, run: Mapping[str, Any]) -> dict[str, int]:
    """A control for a run on few stories or pairs, where a metric has more than these to read; returns what the run
    keeps of it. It is off once one was begun, for every run but that.
    """
    if work.most <= FEW:
        return {}
    prompts = summary.prompts
    if st.session_state.get(TRIED, (summary.study.id, run)) != (summary.study.id, run):
        del st.session_state[TRIED]
        st.session_state[TRIAL] = False
    what, each = ("pairs", "pair") if work.unit == "pair" else ("stories", "story")
    few = st.toggle(
        f"Try it on {FEW} {what} first",
        key=TRIAL,
        help=f"It draws {FEW} {what} of as many prompts as there are, one {each} of each before a second of any, and "
        "as many of each system as that allows; always the same. That is enough to see what it gives, and a first hint "
        "of how far it agrees with people. Once they are scored, the page offers to run the others.",
    )
    if few and prompts < FEWEST_PROMPTS_CLAIMED:
        st.caption(
            f"This study has {so_many(prompts, 'prompt')}: a trial shows what it gives, but nothing can be claimed of "
            f"fewer than {FEWEST_PROMPTS_CLAIMED} prompts."
        )
    return {"most": FEW} if few else {}


def heed_address(viewer: Person, study_id: int) -> None:
    """Open the form with the metric that the address names alone, or with that of a checkpoint; for once."""
    if (wanted := st.query_params.pop(RUN, None)) in METRICS:
        _choose_alone(study_id, wanted)
    asked = st.query_params.pop(ADDRESS, None)
    for name, metric in METRICS.items() if asked is not None else ():
        if asked in checkpoints_of(viewer, name):
            _choose_alone(study_id, name)
            st.session_state[option_key("checkpoint", metric.options["checkpoint"])] = asked


def metrics_key(study_id: int, kind: Kind) -> str:
    """Return the key of the widget with a study's metrics of a kind."""
    return f"metrics-{study_id}-{kind}"


def _choose_alone(study_id: int, name: str) -> None:
    for kind in KINDS:
        st.session_state[metrics_key(study_id, kind)] = [name] if METRICS[name].kind is kind else []
    st.session_state[own_key(study_id)] = ""


def _carry_over(summary: StudySummary) -> None:
    """Of a study that was switched to, choose what was chosen in the one before, if anything was, and nothing yet in
    this one; without the metrics that need references, where it has none.
    """
    study_id = summary.study.id
    before = st.session_state.get(SHOWN)
    st.session_state[SHOWN] = study_id
    if before in (None, study_id) or _chosen(study_id):
        return
    kept = {
        kind: [name for name in names if summary.references or METRICS[name].kind is Kind.UNREFERENCED]
        for kind, names in _chosen(before).items()
    }
    if any(kept.values()):
        for kind, names in kept.items():
            st.session_state[metrics_key(study_id, kind)] = names


def _chosen(study_id: int) -> dict[Kind, list[str]]:
    """What was chosen for a study, by kind; nothing where it is as at first."""
    held = {kind: st.session_state.get(metrics_key(study_id, kind)) or [] for kind in KINDS}
    names = {name for of_kind in held.values() for name in of_kind}
    return {} if not names or names in (set(AT_FIRST), set(AT_FIRST_ALONE)) else held


def _metrics(study_id: int, at_first: Container[str]) -> list[str]:
    """What is chosen stays chosen for the study, whatever other page is looked at meanwhile."""
    chosen: list[str] = []
    for kind, title in KINDS.items():
        offered = [name for name, metric in METRICS.items() if metric.kind is kind]
        key = metrics_key(study_id, kind)
        st.session_state.setdefault(key, [name for name in offered if name in at_first])
        chosen += st.pills(
            title, offered, format_func=_labelled, selection_mode="multi", key=key, persist_state="session"
        )
    if any(map(_lacks_model, METRICS)):
        st.caption(
            f"{TO_BRING} needs a model that does not come with Fabula: you name its folder under *Models and options*."
        )
    return chosen


def _lacks_model(name: str) -> bool:
    role = METRICS[name].role
    return role is not None and role not in DEFAULTS


def _labelled(name: str) -> str:
    return f"{name} {TO_BRING}" if _lacks_model(name) else name


def _cards(names: list[str]) -> None:
    if not names:
        return
    with st.expander("What these metrics measure, and what they cannot see", icon=":material/info:"):
        for name in names:
            card = find(name).card
            st.markdown(f"**{find(name).name}**")
            st.text(card.measures)
            st.text(f"Blind spots: {card.blind_spots}")
            st.caption(card.paper)
