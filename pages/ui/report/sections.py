"""The metric report on its page: verdict, card, and an analysis a section."""

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st

from core.analysis.capability.scoring import can_be_tested
from core.analysis.verdict.grade import in_short
from core.analysis.verdict.preferences import ComparedPairs
from core.analysis.verdict.sentences import Basis
from core.annotation.target import question_of
from core.formats.results_csv import AtMost
from core.people import Person
from core.report.capability import HOW
from core.report.metric import MetricReport, ReportBasis, metric_report
from core.report.section import Drawn, Section, Tabled
from core.report.sections.every import sections
from core.scores import RatingChoice
from core.wording import p_digits, so_many
from db.findings import compared_pairs
from db.jobs import own_cards
from db.ratings import ratings
from db.studies import past_imports
from db.test_sets import case_table
from pages.ui.report.presses import MORE, on_points, on_row
from pages.ui.shared.analysis.correlations import overall
from pages.ui.shared.analysis.family_tests import family_tests
from pages.ui.shared.analysis.finding import disagreeing, evidence, explained, verdict
from pages.ui.shared.analysis.trained_here import trained_here
from pages.ui.shared.analysis.view import View
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.shared.tables.written import P
from pages.ui.shared.text import escaped

FORMATS = {"p": P, "p by prompt": P, "Expected stories": "%.1f", "Number": "%.5g"}


@st.cache_resource(max_entries=8, show_spinner="Putting the report together")
def computed(
    key: tuple[object, ...], metric: str, training: str, _shown: View, _viewer: Person
) -> tuple[MetricReport, tuple[Section, ...]]:
    """Every analysis of this state of the data, `key`, with its figures; kept as it is, as nothing changes it.

    `training`: what the metric's checkpoint was trained on, in words.
    """
    del key
    study, column = _shown.study, _shown.table.columns[_shown.names.index(metric)]
    setting = ReportBasis(
        study.name,
        study.demonstration,
        (_shown.scheme.lowest, _shown.scheme.highest),
        _shown.validity,
        _shown.excluded,
        _shown.seed,
        _shown.resamples,
        datetime.now(UTC),
        _shown.target.title if len(study.scheme.criteria) > 1 else "",
        trained_here(_shown).get(column.signature, 0),
        question_of(study.scheme, _shown.target),
        ratings.annotators(study.id),
        ratings.all_imported(study.id),
        frozenset(trained_here(_shown)),
        training,
        past_imports.left_out(study.id),
        disagreeing(_shown),
        measures=own_cards.measures(study.id, column.signature),
    )
    among = overall(_shown.key, _shown.table, _shown.seed, _shown.resamples)
    seen = case_table.sees(_viewer, column.metric, column.signature, seed=_shown.seed, resamples=_shown.resamples)
    report = metric_report(
        _shown.table,
        metric,
        setting,
        among=among,
        tested=family_tests(_shown),
        sees=seen,
        pairs=_pairs(_shown, column.signature),
    )
    return report, sections(report)


def _pairs(shown: View, signature: str) -> ComparedPairs | None:
    """What the comparisons behind a study of pairs say, as Preferences does: of all of its stories alone."""
    if not shown.table.compared or any(shown.excluded.values()) or shown.validity is not RatingChoice.VALID:
        return None
    by_signature = compared_pairs.of_metrics(shown.study.id, [signature], seed=shown.seed, resamples=shown.resamples)
    return by_signature.get(signature)


def show(report: MetricReport, parts: Sequence[Section]) -> None:
    """The verdict and the figure that shows it on top, then all that it rests on."""
    graded = report.graded
    verdict(f"{evidence(graded.grade)} **{escaped(report.name)}**: {escaped(graded.text)}.", help=explained(graded))
    first = next((drawn for section in parts for drawn in section.figures), None)
    if first is not None:
        _figure(report, first)
    if graded.advice:
        st.caption(escaped(graded.advice))
    short = in_short(report.verdict)
    st.markdown(" ".join(escaped(sentence.text) for sentence in short))
    more = [sentence for sentence in report.verdict if sentence not in short]
    if more:
        with st.expander(f"What else is known, in {so_many(len(more), 'sentence')}", icon=":material/list:"):
            st.markdown(
                "\n".join(
                    f"- {':material/warning: ' if sentence.caution else ''}{escaped(sentence.text)} "
                    f":gray[\\[{escaped(sentence.about)}\\]]"
                    for sentence in more
                )
            )
    _card(report)
    for section in parts:
        st.header(section.title)
        st.caption(escaped(section.words))
        if section.about in MORE:
            _same_elsewhere(section.about, report.name)
        if section.undefined:
            st.markdown(f"Undefined: {escaped(section.undefined)}.")
        for drawn in section.figures:
            if drawn is not first:
                _figure(report, drawn)
        for tabled in section.tables:
            _table(report, tabled)
    if report.sees is None and can_be_tested(report.correlation.metric, report.signature):
        st.header("What it sees")
        st.caption(HOW)
        st.page_link("capability.py", label="Capability", icon=":material/troubleshoot:")


def _table(report: MetricReport, tabled: Tabled) -> None:
    st.markdown(f"**{escaped(tabled.name)}**")
    bounded = {column for row in tabled.rows for column, value in row.items() if isinstance(value, AtMost)}
    table_with_downloads(
        [{name: _p(value) if name in bounded else value for name, value in row.items()} for row in tabled.rows],
        tabled.name,
        f"{tabled.name} of {report.name}, {report.setting.study}",
        formats={name: form for name, form in FORMATS.items() if name not in bounded},
        data_rows=tabled.data,
        on_row=on_row(tabled, report.name),
    )
    if tabled.note:
        st.caption(escaped(tabled.note))


def _p(value: object) -> str:
    """A p as a text, as on the Correlation page; one that is only known to be no larger says so."""
    return f"{'≤ ' if isinstance(value, AtMost) else ''}{p_digits(value)}" if isinstance(value, float) else "–"


def _same_elsewhere(about: Basis, metric: str) -> None:
    """A link to the page of this analysis, with the same metric where that page shows one at a time."""
    page, label, address = MORE[about]
    if about is not Basis.DEGENERATE:
        address = {**address, "metric": metric}
    st.page_link(page, label=label, icon=":material/arrow_outward:", query_params=address)


def _figure(report: MetricReport, drawn: Drawn) -> None:
    chart(
        drawn.figure,
        key=drawn.key,
        alt=drawn.alt,
        name=f"{report.name} {drawn.name}",
        data_rows=drawn.rows,
        on_points=on_points(drawn.key, report.name),
    )


def _card(report: MetricReport) -> None:
    with st.expander("Card and signature", icon=":material/description:"):
        st.markdown(escaped(report.origin))
        if report.setting.training:
            st.markdown(f"**Training** {escaped(report.setting.training)}")
        if report.card:
            st.markdown(f"**Measures** {escaped(report.card.measures)}")
            st.markdown(f"**Paper** {escaped(report.card.paper)}")
            st.markdown(f"**Known blind spots** {escaped(report.card.blind_spots)}")
        st.code(report.signature, language=None, wrap_lines=True)
