"""Stories: all that a study has, found by what they hold, put in order, opened."""

from core.errors import FabulaError
from core.people import Role
from pages.ui.shared.page_head import headed
from pages.ui.shared.text import problem
from pages.ui.shared.viewer import require
from pages.ui.stories.story_list import story_list

viewer = require(Role.RESEARCHER)
try:
    story_list(viewer, headed("Stories", "What was written, and what did each story get?").study)
except FabulaError as error:
    problem(str(error))
