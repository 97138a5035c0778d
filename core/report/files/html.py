"""A metric report as one HTML file that needs nothing from outside: figures, tables, and what they rest on.

Names of studies, systems and metrics come from files of others. They are escaped wherever they stand, and the page
forbids itself all scripts but its own two (by their hashes) and every request.
"""

import base64
import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from plotly.utils import PlotlyJSONEncoder

from core.analysis.verdict.finding import listed
from core.analysis.verdict.grade import in_short
from core.analysis.verdict.sentences import Basis
from core.annotation.past_imports import left_out_briefly
from core.figures.correlation import metric_names
from core.formats.results_csv import AtMost
from core.report.files.paper import COLOURS, dark_template, paper_template
from core.report.metric import MetricReport
from core.report.section import Tabled
from core.report.sections.every import sections
from core.scores import RatingChoice
from core.statistics.intervals import Estimate
from core.wording import digits, p_digits, real_minus, so_many

_HERE = Path(__file__).parent
LIBRARY = "plotly-basic.min.js"
"""As Plotly publishes it (MIT licence), of the same version as the package that makes the figures."""
DEMONSTRATION = "The ratings of this study are demonstration data: made up, they say nothing about any metric."
ELSEWHERE = dict.fromkeys((Basis.AGREEMENT, Basis.PARTIAL, Basis.RANK), Basis.CORRELATION)
"""What has no section of its own, and the section whose tables show it."""
LOOKS = {
    "light": {"template": paper_template(), **COLOURS},
    "dark": {"template": dark_template(), "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)"},
}
"""Of the figures: on the screen as the reader's system has it, on paper always the first."""


@dataclass(frozen=True)
class HtmlCell:
    """A cell of a table; `kind` is its class in the style sheet."""

    text: str
    kind: str


def report_html(report: MetricReport) -> str:
    """The whole file; the same report gives the same file."""
    return page("report.html.jinja").render(
        report=report,
        sections=sections(report),
        hashes=script_hashes(),
        style=style(),
        heading=_heading(report),
        scoring=_scoring(report),
        asked=_asked(report),
        graded=report.graded,
        short=(short := in_short(report.verdict)),
        more=[sentence for sentence in report.verdict if sentence not in short],
        elsewhere=ELSEWHERE,
        demonstration=DEMONSTRATION,
        card=_card(report),
        basis=_basis(report),
        signatures=[
            (name, column.signature) for name, column in zip(metric_names(report.among), report.among, strict=True)
        ],
        looks=LOOKS,
        scripts=scripts(),
    )


@cache
def page(name: str) -> Template:
    """A page of this folder, in which all that is no markup of its own is escaped."""
    pages = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    pages.filters |= {"anchor": _anchor, "cell": _cell, "columns": _columns, "file_name": file_name}
    pages.policies |= {"json.dumps_function": json.dumps, "json.dumps_kwargs": {"cls": PlotlyJSONEncoder}}
    return pages.get_template(name)


def style() -> str:
    """How such a page looks."""
    return (_HERE / "report.css").read_text(encoding="utf-8")


@cache
def scripts() -> tuple[str, str]:
    """Plotly's bundle of the basic charts, a quarter of the whole library, and what draws with it."""
    drawing, library = ((_HERE / name).read_text(encoding="utf-8") for name in ("report.js", LIBRARY))
    return library, drawing


@cache
def script_hashes() -> tuple[str, ...]:
    """By which a page allows its own two scripts and no other."""
    return tuple(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts())


def _heading(report: MetricReport) -> str:
    setting = report.setting
    return (
        f"Metric report · study {setting.study} · {report.correlation.correlation.n:,} stories with a score and a "
        f"rating · seed {setting.seed} · {setting.made:%Y-%m-%d %H:%M} UTC"
    )


def _scoring(report: MetricReport) -> str:
    """That scores were still to come, which a reader cannot see."""
    names = report.setting.scoring
    if not names:
        return ""
    were = "was" if len(names) == 1 else "were"
    own = report.table.columns[0].metric
    changing = (
        "more scores can change these numbers, and which metrics come first"
        if not {own, own.partition(":")[0]}.isdisjoint(names)
        else "the numbers of this metric stay; its place among the others, and the tests against them, can change"
    )
    return f"Made while {listed(names, str)} {were} being scored: {changing}."


def _card(report: MetricReport) -> list[tuple[str, str]]:
    terms = [("Scores", report.origin), ("Signature", report.signature)]
    if report.setting.training:
        terms.append(("Training", report.setting.training))
    if report.card:
        card = report.card
        terms += [("Measures", card.measures), ("Paper", card.paper), ("Known blind spots", card.blind_spots)]
    return terms


def file_name(name: str) -> str:
    """The name in letters, digits and hyphens that every file system takes."""
    return re.sub(r"\W+", "-", name.lower(), flags=re.ASCII)


def _columns(tabled: Tabled) -> dict[str, bool]:
    """A table's columns, and whether each is of texts."""
    columns = dict.fromkeys(column for row in tabled.rows for column in row)
    return {column: any(isinstance(row.get(column), str) for row in tabled.rows) for column in columns}


def _cell(value: object, column: str) -> HtmlCell:
    if re.match(r"p\b", column) and isinstance(value, float):
        return HtmlCell(f"{'≤ ' if isinstance(value, AtMost) else ''}{p_digits(value)}", "number")
    if isinstance(value, str):
        return HtmlCell(value, "")
    if isinstance(value, Estimate) and value.value is None and value.undefined:
        return HtmlCell(f"undefined: {value.undefined}", "why")
    return HtmlCell(_number(value), "number")


def _number(value: object) -> str:
    if isinstance(value, Estimate):
        return value.shown()
    if value is None:
        return "–"
    if isinstance(value, float):
        return real_minus(digits(value, ".3f" if value == 0 or abs(value) >= 0.001 else ".1e"))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _asked(report: MetricReport) -> str:
    """What people were asked, on which scale, how many ratings they gave, and how many they were."""
    setting, table = report.setting, report.table
    judged = setting.judgment or table.judgment
    if table.compared:
        return f"Held against people's comparisons of two stories: the {judged}."
    question = f"People were asked: {setting.question} " if setting.question else ""
    if question and setting.imported:
        question = (
            f"The form asks: {setting.question} The ratings were imported, and people may have been asked in other "
            "words. "
        )
    each = f"{table.given / table.rated:.1f}".removesuffix(".0") if table.rated else "0"
    given = f"{so_many(table.given, 'rating')} of {so_many(table.rated, 'story', 'stories')}, {each} a story"
    left_out = left_out_briefly(setting.left_out)
    given += f" ({left_out})" if left_out else ""
    return (
        f"{question}Held against the {judged}, from {setting.scale[0]} to {setting.scale[1]}: {given}{_raters(report)}."
    )


def _raters(report: MetricReport) -> str:
    if report.table.compared:
        return ""
    annotators = report.setting.annotators
    return f", by {so_many(annotators, 'annotator')}" if annotators else "; who rated is not known"


def _basis(report: MetricReport) -> list[tuple[str, str]]:
    setting, table, alpha = report.setting, report.table, report.reliability.alpha
    ends = "" if table.compared else f", from {setting.scale[0]} to {setting.scale[1]}"
    whose = "valid ratings" if setting.validity is RatingChoice.VALID else "ratings, those of rejected panels too"
    excluded = "; ".join(f"{count:,} {reason}" for reason, count in setting.excluded.items()) or "none"
    return [
        ("Study", setting.study + (" (demonstration data)" if setting.demonstration else "")),
        ("Judgment", f"The {setting.judgment or table.judgment}{ends}."),
        (
            "Sample",
            f"{len(table.keys):,} stories of {len(set(table.systems)):,} systems for {len(set(table.prompts)):,} "
            f"prompts, {table.rated:,} rated, by {table.given:,} {whose}. Control stories and references are left out.",
        ),
        *(
            [("Agreement of people", f"Krippendorff's alpha (interval) {alpha.shown()}.")]
            if alpha.value is not None
            else []
        ),
        *([("Left out at the import", " ".join(one.sentence for one in setting.left_out))] if setting.left_out else []),
        ("Left out by filters", excluded),
        ("Seed and draws", f"Seed {setting.seed}; {setting.resamples:,} draws of whole prompts for intervals."),
        ("Made", f"{setting.made:%Y-%m-%d %H:%M} UTC"),
    ]


def _anchor(about: str) -> str:
    return about.replace(" ", "-")
