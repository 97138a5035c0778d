"""The fields of the Form tab that say which stories are set beside each other, and what can be answered."""

from dataclasses import dataclass, replace

import streamlit as st

from core.annotation.builtin import SCHEMES
from core.annotation.pair_design import MOST_A_PANEL, MOST_CONTROLS, PairRules
from core.annotation.scheme import Scheme

ANSWERS = {
    "A, about equal, B": ((-1, "A is better"), (0, "About equal"), (1, "B is better")),
    "A or B": ((-1, "A is better"), (1, "B is better")),
    "How much better, or about equal": (
        (-2, "A is much better"),
        (-1, "A is better"),
        (0, "About equal"),
        (1, "B is better"),
        (2, "B is much better"),
    ),
    "How much better": (
        (-2, "A is much better"),
        (-1, "A is better"),
        (1, "B is better"),
        (2, "B is much better"),
    ),
}
"""What annotators can answer, as it is called here."""
AMONG, HUMAN = "Every two systems", "Every system and people"


@dataclass(frozen=True)
class PairFields:
    """What was filled in."""

    answers: str
    rules: PairRules
    controls: bool

    def form(self, scheme: Scheme) -> Scheme:
        """The scheme with pairs as they were filled in; raises InputError for what they cannot be."""
        chosen = ANSWERS.get(self.answers, scheme.scale)
        same = tuple(step for step, _ in chosen) == scheme.main.steps  # then the words are the study's own
        main = scheme.main if same else replace(scheme.main, scale=chosen)
        return replace(scheme, criteria=(main,), pairs=self.rules, controls=self.controls)


def pair_fields(scheme: Scheme, study_id: int) -> PairFields:
    """Show the fields."""
    now = scheme.pairs or PairRules()
    names = list(ANSWERS)
    current = next(
        (name for name, scale in ANSWERS.items() if tuple(step for step, _ in scale) == scheme.main.steps), ""
    )
    left, right = st.columns(2)
    answers = left.selectbox(
        "Annotators answer",
        [*names, *([""] if not current else [])],
        [*names, ""].index(current),
        format_func=lambda name: name or "As the form has it now",
        key=f"answers-{study_id}",
    )
    built_in = SCHEMES[scheme.key].pairs
    sides = right.radio(
        "Set beside each other",
        [AMONG, HUMAN],
        int(now.against_human),
        key=f"sides-{study_id}",
        disabled=built_in is not None and built_in.against_human,
        help="Stories of the same opening. Beside people's stories it is a Turing test.",
    )
    left, right = st.columns(2)
    a_panel = left.number_input("Pairs in a panel", 1, MOST_A_PANEL, now.a_panel, key=f"a-panel-{study_id}")
    a_prompt = right.number_input(
        "Pairs of an opening (0: all)",
        0,
        100_000,
        now.a_prompt,
        key=f"a-prompt-{study_id}",
        help="Ten systems make 45 pairs of each opening. With fewer, every two systems still meet equally often.",
    )
    left, right = st.columns(2)
    controls = left.number_input(
        "Control pairs in a panel (0: none)",
        0,
        MOST_CONTROLS,
        now.controls if scheme.controls else 0,
        key=f"control-pairs-{study_id}",
        help="Besides the others. One story of a control is damaged; who does not find it worse is rejected (see "
        "Quality rules). Of two, the damaged one stands on either side once: who always says the same fails.",
    )
    repeat = right.checkbox(
        "Show one pair of a panel again, sides exchanged",
        now.repeat,
        key=f"repeat-{study_id}",
        help="In panels of three or more. Who then finds the other story better is flagged, and never rejected for it.",
    )
    rules = PairRules(int(a_panel), int(a_prompt), sides == HUMAN, int(controls) or now.controls, bool(repeat))
    return PairFields(answers, rules, controls > 0)
