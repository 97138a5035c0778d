"""Metric report: all that is known of one metric on a page, with a verdict, and the same as a file."""

from core.people import Role
from pages.ui.analysis import analysis, without_scores
from pages.ui.metric_choice import choose_metric
from pages.ui.report_sections import computed, save, show
from pages.ui.view import View
from pages.ui.viewer import require

require(Role.RESEARCHER)


def report(shown: View) -> None:
    """The report of the chosen metric; where nothing is defined, it says so itself."""
    if without_scores(shown):
        return
    metric = shown.names[choose_metric(shown)]
    found, parts = computed(shown.key, metric, shown)
    save(found)
    show(found, parts)


analysis("Metric report", report)
