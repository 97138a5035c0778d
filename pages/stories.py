"""Stories: all that a study has, found by what they hold, put in order, opened."""

import streamlit as st

from core.errors import FabulaError
from core.people import Role
from pages.ui.shared.study_choice import choose
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require
from pages.ui.stories.story_list import story_list

viewer = require(Role.RESEARCHER)
st.title("Stories")
try:
    story_list(viewer, choose().study)
except FabulaError as error:
    problem(str(error))
