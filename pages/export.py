"""Export: everything that a study holds, as files."""

import streamlit as st

from core.people import Role
from pages.ui.export import bundle, formats
from pages.ui.shared.study_choice import choose
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

st.title("Export")
summary = choose()
bundle.bundle(viewer, summary)
bundle.shared(viewer, summary.study)
formats.export(viewer, summary.study)
