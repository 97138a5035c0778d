"""Metric report: all that is known of one metric on a page, with a verdict, and the same as a file."""

from dataclasses import replace

import streamlit as st

from core.analysis.judges.reported import reported_metric
from core.people import Role
from db.test_sets import case_table
from db.training import overlap
from pages.ui.report.sections import computed, show
from pages.ui.report.sending import send
from pages.ui.shared.analysis.metric_choice import choose_metric
from pages.ui.shared.analysis.page_frame import analysis, without_scores
from pages.ui.shared.analysis.tuned import held_out_prompts
from pages.ui.shared.analysis.view import View
from pages.ui.shared.report_links import link_list
from pages.ui.shared.text import notice
from pages.ui.shared.viewer import require

viewer = require(Role.RESEARCHER)


def report(shown: View) -> None:
    """The report of the chosen metric; where nothing is defined, it says so itself."""
    if without_scores(shown):
        link_list(viewer, shown.study.id)
        return
    number = choose_metric(shown)
    column = shown.table.columns[number]
    if tuned := reported_metric(shown.table, column, held_out_prompts(shown)):
        for caution in tuned.cautions:
            notice(caution)
        shown = replace(shown, table=tuned.table, excluded={**shown.excluded, **tuned.excluded})
    read = case_table.newest_version(viewer, column.metric, column.signature)
    training = overlap.trainings(viewer, shown.study.id, [column.signature]).get(column.signature, "")
    metric_report, parts = computed((*shown.key, read), shown.names[number], training, shown, viewer)
    send(viewer, shown.study, metric_report, shown.bar or st.container())
    show(metric_report, parts)


analysis("Metric report", "What is known of this one metric?", report, cautions_itself=True)
