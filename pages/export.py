"""Export: everything that a study holds, as files."""

import streamlit as st

from core.people import Role
from pages.ui.export import formats
from pages.ui.shared.study_choice import choose
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)

st.title("Export")
formats.export(choose().study)
