"""The parts of a metric report in order: its figures and tables, for the page and the file alike."""

from dataclasses import replace

from core.analysis.verdict.sentences import Basis
from core.report.metric import MetricReport
from core.report.section import Section
from core.report.sections.capability import sees_section
from core.report.sections.check_up import check_up_section
from core.report.sections.correlation import correlation_section
from core.report.sections.difference import difference_section
from core.report.sections.drift import drift_section
from core.report.sections.parts import criteria_section, parts_section, together_section

NO_CLAIM = "No claim is made here: nothing shows that the ratings agree with one another."


def sections(report: MetricReport) -> tuple[Section, ...]:
    """Every analysis of the report; those of parts are left out where there are none."""
    results = [correlation_section(report)]
    if report.criteria:
        results.append(criteria_section(report))
    if report.errors:
        words = f"{report.definition.words} After {report.definition.source}."
        results.append(parts_section(report, report.errors, Basis.ERROR_TYPES, "By error type", words))
    if len(report.systems) > 1:
        words = "Its correlation on each system's stories apart, as OpenMEVA's Table 4."
        results.append(parts_section(report, report.systems, Basis.SYSTEMS, "By system", words))
    if report.together:
        results.append(together_section(report.together, report.name))
    results += [drift_section(report), difference_section(report)]
    if report.check_up.degenerate:
        results.append(check_up_section(report))
    if report.reliability.disagree:
        results = [replace(section, words=f"{NO_CLAIM} {section.words}") for section in results]
    return (*results, sees_section(report.sees)) if report.sees else tuple(results)
