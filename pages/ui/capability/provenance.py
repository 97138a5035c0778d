"""What the numbers of the page Capability rest on, one click away."""

import streamlit as st

from core.metrics.naming import unique_names
from core.perturb.test_sets.test_set import description_from
from db.test_sets.case_table import CaseTable
from pages.ui.shared.analysis.provenance import signatures
from pages.ui.shared.stories.human_stories import OURS_NAME
from pages.ui.shared.text import escaped


def basis(tests: CaseTable, seed: int, resamples: int) -> None:
    """Sets, cases, exclusions, seed, draws and signatures."""
    with st.popover(f"{len(tests.kept):,} cases", icon=":material/info:", key="provenance"):
        for item in tests.sets:
            about = description_from(item.about)
            text = ", ".join(f"{what}: {with_}" for what, with_ in about.made_with.items())
            origin = f"of {about.of or about.file or OURS_NAME}"
            seeded = "" if about.seed is None else f"seed {about.seed}"
            struck = f"; {item.struck:,} struck out" if item.struck else ""
            st.markdown(
                f"**{escaped(item.name)}**: {item.cases:,} cases{struck}"
                + escaped("".join(f"; {part}" for part in (origin, seeded, text) if part))
            )
        changed, failing = tests.changed
        st.markdown(
            f"**{len(tests.kept):,} cases** of {len(set(tests.cases.sources)):,} human stories; the "
            f"grammaticality filter rejects {failing:,} of {changed:,} changed stories."
        )
        if tests.twice:
            st.markdown(f"- left out: {tests.twice:,} cases that stand in another of these sets, too")
        st.markdown(
            f"Seed {seed}; {resamples:,} draws of human stories for the intervals of r and of changes. Those of AUC "
            "are DeLong's, those of the share in order Wilson's, both by human story."
        )
        names = unique_names([(scored.metric, scored.signature) for scored in tests.columns])
        for name, column in zip(names, tests.columns, strict=True):
            for why, number in tests.undefined[column.signature].items():
                st.markdown(f"- **{escaped(name)}**: {number:,} texts undefined: {escaped(why)}")
        for notice in tests.layout.notices:
            st.markdown(f"- {escaped(notice)}")
        signatures(names, [column.signature for column in tests.columns])
