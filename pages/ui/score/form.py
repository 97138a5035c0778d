"""The form of the score page: which metrics, on which models, with which options."""

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from core.analysis.verdict.sentences import FEWEST_CLAIMED, FEWEST_PROMPTS_CLAIMED
from core.annotation.studies import StudySummary
from core.errors import FabulaError
from core.home import ROOT
from core.metrics import METRICS, family_of, find
from core.metrics.base import Kind
from core.metrics.custom import is_own
from core.metrics.judging.judge import Judge
from core.metrics.run import with_parts
from core.metrics.trained.base import NONE
from core.people import Person, Role
from pages.ui.score.judge_template import judged_criteria, template_titles
from pages.ui.score.run_estimate import Work
from pages.ui.shared.jobs.run_options import checkpoints_of, option_key, run_options
from pages.ui.shared.text import escaped, problem

KINDS = {
    Kind.REFERENCED: "Compared with a human story of the same prompt",
    Kind.HYBRID: "Compared with a human story, and trained",
    Kind.UNREFERENCED: "Without a human story",
}
AT_FIRST = ("bleu", "rouge-l", "bertscore-f1")
"""Chosen when the page is opened: quick, and known to everyone."""
AT_FIRST_ALONE = ("perplexity", "acceptability", "words")
"""The same of a study without human stories, which those would compare with."""
FEW = FEWEST_CLAIMED
"""Stories of a run that tries what it would give: of the fewest that anything is claimed of."""
EXAMPLE, LONGER_EXAMPLE = "docs/examples/word_length.py", "docs/examples/openings.py"
EXAMPLE_HEIGHT = 300
"""Pixels of the longer example of a metric, which scrolls."""
ADDRESS, RUN = "checkpoint", "run"
"""What the address may name: a checkpoint, or the one metric that is to be chosen."""


JUDGE_ASKED = (
    "A judge is asked here, like any metric. Its model and how it is asked are under *Models and options*, its words "
    "under *What the judge is told*."
)


def score_form(viewer: Person, summary: StudySummary) -> tuple[dict[str, Any], bool]:
    """Widgets for a run; returns its settings as a job keeps them, without metrics where none is chosen, and whether it
    can be asked for: not where a metric of one's own was named that there is not, which is said.
    """
    chosen = _metrics(summary.study.id, AT_FIRST if summary.references else AT_FIRST_ALONE)
    own = _own_metric(summary.study.id) if viewer.may(Role.OWNER) else ""
    names = with_parts(judged_criteria([*chosen, *([own] if own else [])], summary.study.scheme))
    if names and all(family_of(name) == Judge.name for name in names):
        st.markdown(f":material/gavel: {JUDGE_ASKED}")
    _cards(names)
    if not summary.references and any(find(name).kind is not Kind.UNREFERENCED for name in names):
        st.warning("This study has no human stories: metrics that compare with a reference will be undefined.")
    run = run_options(viewer, names, template_titles(summary.study.id))
    for name, options in run["options"].items():
        if options.get("checkpoint", NONE) != NONE:
            st.text(f"{name} scores with the checkpoint {options['checkpoint']}.")
    _say_changed(run["options"])
    return run, own is not None


def _say_changed(options: Mapping[str, Mapping[str, str]]) -> None:
    """Name the options that are not as they are at first: they stay chosen when one comes back to the page."""
    changed: dict[str, list[str]] = {}
    for name, chosen in options.items():
        for key, value in chosen.items():
            if key != ADDRESS and value != find(name).options[key].values[0]:
                changed.setdefault(f"{key.replace('_', ' ')} {value}", []).append(find(name).name)
    for text, names in changed.items():
        st.text(f"With {text} ({', '.join(names)}).")


def few_first(work: Work) -> dict[str, int]:
    """A control for a run on few stories or pairs, where a metric has more than these to read; returns what the run
    keeps of it.
    """
    few = work.most > FEW and st.toggle(
        f"Try it on {FEW} {'pairs' if work.unit == 'pair' else 'stories'} first",
        key="score-few",
        help=f"On the first {FEW}: enough to see what it gives, and a first hint of how far it agrees with people if "
        f"they are of {FEWEST_PROMPTS_CLAIMED} prompts or more. Once they are scored, the page offers to run the "
        "others.",
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


def _metrics(study_id: int, at_first: Container[str]) -> list[str]:
    """What is chosen stays chosen for the study, whatever other page is looked at meanwhile."""
    chosen: list[str] = []
    for kind, title in KINDS.items():
        offered = [name for name, metric in METRICS.items() if metric.kind is kind]
        key = metrics_key(study_id, kind)
        st.session_state.setdefault(key, [name for name in offered if name in at_first])
        chosen += st.pills(title, offered, selection_mode="multi", key=key, persist_state="session")
    return chosen


def _own_metric(study_id: int) -> str | None:
    """The metric of one's own that is named, "" where none is; None where there is none such, which is said."""
    key = f"own-metric-{study_id}"
    with st.expander("A metric of your own", icon=":material/code:", expanded=bool(st.session_state.get(key))):
        own = st.text_input(
            "A metric of your own",
            label_visibility="collapsed",
            placeholder="path/to/file.py:Class",
            key=key,
            persist_state="session",
        ).strip()
        known = _is_known(own)
        if own and known:
            st.markdown(f":green[:material/check_circle:] {escaped(_added(own))}")
        st.caption(
            "The path of a Python file on this machine, and the metric class in it. It runs as a program here: name "
            "only files you trust. That is why it is not uploaded: only who can put a file on the server may run one. "
            f"This one can be tried as it is, by `{EXAMPLE}:WordLength`; a relative path begins in `{Path.cwd()}`."
        )
        _listing(EXAMPLE)
        st.caption(f"This one has options and tells its progress: `{LONGER_EXAMPLE}:VariedOpenings`.")
        _listing(LONGER_EXAMPLE)
    return own if known else None


def _listing(example: str) -> None:
    """Its code, where it is asked for: else the button that runs the metrics would stand two screens below the path."""
    if st.toggle(f"Show the code of {Path(example).name}", key=f"code-of-{example}"):
        st.code((ROOT / example).read_text(encoding="utf-8"), language="python", height=EXAMPLE_HEIGHT)


def _added(own: str) -> str:
    """What the metric of one's own is that was just named, and that it is part of the run."""
    metric = find(own)
    return f"{metric.name} is added to the metrics of this run. {metric.card.measures}"


def _is_known(own: str) -> bool:
    """Whether there is a metric of this name, or none is named; what is wrong is said."""
    if own and not is_own(own):
        problem(f"{own!r} does not name a metric; write path/to/file.py:Class.")
        return False
    try:
        if own:
            find(own)
    except FabulaError as error:
        problem(str(error))
        return False
    return True


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
