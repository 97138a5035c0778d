"""Export: everything that a study holds, as files."""

from core.people import Role
from pages.ui.export import bundle, formats
from pages.ui.shared.page_head import headed
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)

summary = headed("Export", "What can I take with me?")
bundle.bundle(viewer, summary)
bundle.shared(viewer, summary.study)
formats.export(viewer, summary.study)
