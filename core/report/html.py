"""A metric report as one HTML file that needs nothing from outside: figures, tables, and what they rest on.

Names of studies, systems and metrics come from files of others. They are escaped wherever they stand, and the page
forbids itself all scripts but its own two (by their hashes) and every request.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from plotly.utils import PlotlyJSONEncoder

from core.figures.correlation import metric_names
from core.report.metric import MetricReport
from core.report.paper import COLOURS, dark_template, paper_template
from core.report.sections import Drawn, Section, Tabled, sections
from core.scores import Validity
from core.statistics.intervals import Estimate

_HERE = Path(__file__).parent
LIBRARY = "plotly-basic.min.js"
"""As Plotly publishes it (MIT licence), of the same version as the package that makes the figures."""
DEMONSTRATION = "The ratings of this study are demonstration data: made up, they say nothing about any metric."


LOOKS = {
    "light": {"template": paper_template(), **COLOURS},
    "dark": {"template": dark_template(), "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)"},
}
"""Of the figures: on the screen as the reader's system has it, on paper always the first."""


@cache
def _scripts() -> tuple[str, str]:
    """Plotly's bundle of the basic charts, a quarter of the whole library, and what draws with it."""
    drawing, library = ((_HERE / name).read_text(encoding="utf-8") for name in ("report.js", LIBRARY))
    return library, drawing


def report_html(report: MetricReport) -> str:
    """The whole file; the same report gives the same file."""
    shown = sections(report)
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in _scripts())
    # Plotly writes styles as it draws.
    policy = f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:"
    style = (_HERE / "report.css").read_text(encoding="utf-8")
    title = html.escape(f"{report.name}: metric report, {report.setting.study}")
    library, drawing = _scripts()
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            '<head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>{style}</style></head>",
            "<body>",
            _head(report),
            _verdict(report, shown),
            _card(report),
            *(_section(one) for one in shown),
            _basis(report),
            f'<script type="application/json" id="looks">{_json(LOOKS)}</script>',
            f"<script>{library}</script>",
            f"<script>{drawing}</script>",
            "</body></html>\n",
        ]
    )


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _head(report: MetricReport) -> str:
    setting = report.setting
    parts = [
        f"<h1>{html.escape(report.name)}</h1>",
        f'<p class="words">Metric report · study {html.escape(setting.study)} · '
        f"{report.correlation.correlation.n:,} stories with a score and a rating · seed {setting.seed} · "
        f"{setting.made:%Y-%m-%d %H:%M} UTC</p>",
    ]
    if setting.demonstration:
        parts.append(f'<p class="demonstration">{DEMONSTRATION}</p>')
    return "\n".join(parts)


def _verdict(report: MetricReport, shown: Sequence[Section]) -> str:
    there = {section.about for section in shown}
    lines = []
    for sentence in report.verdict:
        name = html.escape(sentence.about)
        about = f'<a href="#{_anchor(sentence.about)}">{name}</a>' if sentence.about in there else name
        kind = ' class="caution"' if sentence.caution else ""
        lines.append(f'<li{kind}>{html.escape(sentence.text)} <span class="about">[{about}]</span></li>')
    return "<h2>Verdict</h2>\n<ul class='verdict'>\n" + "\n".join(lines) + "\n</ul>"


def _card(report: MetricReport) -> str:
    terms = [("Scores", report.origin), ("Signature", report.signature)]
    if report.card:
        card = report.card
        terms += [("Measures", card.measures), ("Paper", card.paper), ("Known blind spots", card.blind_spots)]
    return "<h2>Card</h2>\n" + _terms(terms)


def _terms(terms: Sequence[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{html.escape(a)}</dt><dd>{html.escape(b)}</dd>" for a, b in terms) + "</dl>"


def _section(section: Section) -> str:
    parts = [
        f'<h2 id="{_anchor(section.about)}">{html.escape(section.title)}</h2>',
        f'<p class="words">{html.escape(section.words)}</p>',
    ]
    if section.undefined:
        parts.append(f"<p>Undefined: {html.escape(section.undefined)}.</p>")
    parts += [_figure(one) for one in section.figures]
    parts += [_table(one) for one in section.tables]
    return "\n".join(parts)


def _figure(drawn: Drawn) -> str:
    drawing = drawn.figure.to_plotly_json()
    file = re.sub(r"\W+", "-", drawn.name.lower(), flags=re.ASCII)
    return (
        f'<figure><div id="{drawn.key}" role="img" aria-label="{html.escape(drawn.alt)}"></div></figure>\n'
        f'<script type="application/json" data-figure="{drawn.key}" data-file="{file}">{_json(drawing)}</script>'
    )


def _json(value: object) -> str:
    """For a script element, which only these signs could end."""
    text = json.dumps(value, cls=PlotlyJSONEncoder)
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _table(tabled: Tabled) -> str:
    columns = list(dict.fromkeys(column for row in tabled.rows for column in row))
    texts = {c for c in columns if any(isinstance(row.get(c), str) for row in tabled.rows)}
    head = "".join(f"<th{_side(column in texts)}>{html.escape(column)}</th>" for column in columns)
    body = "\n".join("<tr>" + "".join(_cell(row.get(column)) for column in columns) + "</tr>" for row in tabled.rows)
    return (
        f"<h3>{html.escape(tabled.name)}</h3>\n"
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
    )


def _cell(value: object) -> str:
    if isinstance(value, str):
        return f"<td>{html.escape(value)}</td>"
    if isinstance(value, Estimate) and value.value is None and value.undefined:
        return f'<td class="why">undefined: {html.escape(value.undefined)}</td>'
    return f"<td{_side(False)}>{html.escape(_number(value))}</td>"


def _side(text: bool) -> str:
    return "" if text else ' class="number"'


def _number(value: object) -> str:
    if isinstance(value, Estimate):
        return value.text().replace("-", "−")
    if value is None:
        return "–"
    if isinstance(value, float):
        return (f"{value:.3f}" if value == 0 or abs(value) >= 0.001 else f"{value:.1e}").replace("-", "−")
    return f"{value:,}" if isinstance(value, int) else str(value)


def _basis(report: MetricReport) -> str:
    setting, table = report.setting, report.table
    whose = "valid ratings" if setting.validity is Validity.VALID else "ratings, those of rejected panels too"
    excluded = "; ".join(f"{count:,} {reason}" for reason, count in setting.excluded.items()) or "none"
    terms = [
        ("Study", setting.study + (" (demonstration data)" if setting.demonstration else "")),
        (
            "Sample",
            f"{len(table.keys):,} stories of {len(set(table.systems)):,} systems for {len(set(table.prompts)):,} "
            f"prompts, {table.rated:,} rated, by {table.given:,} {whose}. Control stories and references are left out.",
        ),
        ("Left out by filters", excluded),
        ("Seed and draws", f"Seed {setting.seed}; {setting.resamples:,} draws of whole prompts for intervals."),
        ("Made", f"{setting.made:%Y-%m-%d %H:%M} UTC"),
    ]
    names = zip(metric_names(report.among), report.among, strict=True)
    signatures = "".join(
        f"<li>{html.escape(name)}: <code>{html.escape(one.signature)}</code></li>" for name, one in names
    )
    return f"<h2>What this rests on</h2>\n{_terms(terms)}\n<h3>Signatures</h3>\n<ul>{signatures}</ul>"


def _anchor(about: str) -> str:
    return about.replace(" ", "-")
