"""Figures of the naturalness page. Machine systems differ by colour and shape, people are grey; names are escaped."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from core.analysis.judgments.boxes import Box
from core.analysis.naturalness.corpora import SystemComparison
from core.analysis.naturalness.discrimination import Classes
from core.arrays import Floats
from core.figures.drift import COLOURS, DASHES, SYMBOLS
from core.figures.style import DECORATION, GREY, intervals, safe, titled, whiskers
from core.statistics.intervals import Estimate
from core.statistics.roc import Roc

HUMAN = "human"
MOST_POINTS = 200
"""Of a curve: more are not seen."""
ROW, FRAME, PLOT, LEGEND_ROW = 36, 150, 380, 24
BY_DOCUMENT = "Lines: 95 % intervals by document."
MOST = len(COLOURS) - 1
"""Systems that one figure can tell apart; grey is people's."""


def cumulative(groups: Mapping[str | None, Floats], discriminator: str, thresholds: Sequence[float] = ()) -> go.Figure:
    """The distribution of Fp by system (None: people): at each Fp, the share of its texts that have no higher one.

    Such curves can lie over one another and still be read, which filled histograms cannot. `thresholds`: dashed lines
    across, h left of them.
    """
    figure = go.Figure()
    systems = 0
    for name, values in groups.items():
        own = np.sort(values[np.isfinite(values)])
        if not len(own):
            continue
        at = np.unique(np.linspace(0, len(own) - 1, MOST_POINTS).astype(int))
        place = len(COLOURS) - 1 if name is None else systems % MOST
        systems += name is not None
        shown = HUMAN if name is None else name
        figure.add_scatter(
            x=own[at],
            y=(at + 1) / len(own),
            mode="lines",
            name=f"{safe(shown)} (n = {len(own):,})",
            line={
                "color": COLOURS[place],
                "dash": "solid" if name is None else DASHES[place],
                "shape": "hv",
                "width": 3.5 if name is None else 2,
            },
            hovertemplate=f"{safe(shown)}: %{{y:.1%}} of its texts have an Fp of at most %{{x:.3f}}<extra></extra>",
        )
    for value in thresholds:
        figure.add_vline(x=value, line={"color": GREY, "dash": "dash", "width": 2}, opacity=1)
    _lay_out(figure, "Fp, mean probability fraction of a text", "share of its texts up to there", len(groups))
    figure.update_yaxes(range=[-0.02, 1.02], tickformat=".0%")
    titled(
        figure,
        "Fp of human and machine texts",
        f"By {discriminator}. A curve further right: higher Fp.",
        "Dashed: thresholds." if thresholds else "",
    )
    return figure


def boxes(by_system: Mapping[str | None, Box], discriminator: str) -> go.Figure:
    """Box plots of Fp, people on top, then the systems by their mean, the highest Fp first, each in its colour of
    `cumulative`, which takes the same systems in the same order. A diamond at each mean carries its side.
    """
    systems = [name for name in by_system if name is not None]
    own = system_colours(systems)
    colours = {name: GREY if name is None else own[name] for name in by_system}
    order = sorted(by_system, key=lambda name: (name is not None, -by_system[name].mean))
    figure = go.Figure()
    for name in order:
        box, colour = by_system[name], colours[name]
        figure.add_box(
            y=[safe(name or HUMAN)],
            q1=[box.q1],
            median=[box.median],
            q3=[box.q3],
            mean=[box.mean],
            lowerfence=[box.low],
            upperfence=[box.high],
            orientation="h",
            marker={"color": colour},
            hoverinfo="x",
            showlegend=False,
        )
    names = [safe(name or HUMAN) for name in order]
    figure.add_scatter(
        x=[by_system[name].mean for name in order],
        y=names,
        mode="markers",
        marker={"symbol": "diamond", "size": 10, "color": [colours[name] for name in order]},
        customdata=[[name] for name in names],
        hovertemplate="%{y}: mean %{x:.3f}<extra></extra>",
        showlegend=False,
        meta=DECORATION,
    )
    figure.update_layout(
        xaxis={"title": "Fp, mean probability fraction of a text", "automargin": True},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True},
        height=FRAME + ROW * max(1, len(order)),
        margin={"l": 10, "r": 20, "b": 50},
    )
    titled(figure, "Fp by system", f"By {discriminator}.", "Box: the middle half; diamond: the mean.")
    return figure


def roc_curves(by_system: Mapping[str, Roc], discriminator: str) -> go.Figure:
    """A curve a system: of all cuts, the share of its texts called machine against that of human ones."""
    figure = go.Figure()
    for place, (name, roc) in enumerate(by_system.items()):
        if roc.auc.value is None:
            continue
        at = np.unique(np.linspace(0, len(roc.cuts) - 1, MOST_POINTS).astype(int))
        figure.add_scatter(
            x=roc.false_positives[at],
            y=roc.true_positives[at],
            mode="lines",
            name=f"{safe(name)}: AUC {_text(roc.auc)}",
            line={"color": COLOURS[place % MOST], "dash": DASHES[place % MOST], "width": 2.5},
            hovertemplate=f"{safe(name)}: %{{y:.1%}} of its texts, %{{x:.1%}} of human ones<extra></extra>",
        )
    figure.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line={"color": GREY, "dash": "dot"})
    _lay_out(figure, "human texts taken for machine text", "machine texts found", len(by_system))
    figure.update_xaxes(range=[-0.02, 1.02], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.02], tickformat=".0%")
    titled(figure, "ROC: telling machine text by its Fp", f"By {discriminator}.", "Dotted: chance.")
    return figure


def class_shares(by_system: Mapping[str, Classes], people: Mapping[str, Estimate], discriminator: str) -> go.Figure:
    """One row per system: its h score with its interval, and beside it the share of people's ratings that say human. A
    dot carries its system and has its colour of `cumulative`; its shape tells the two shares apart.
    """
    order = sorted(by_system, key=lambda name: by_system[name].h.value or 0.0)
    names = [safe(name) for name in order]
    figure = go.Figure()
    colours = system_colours(by_system)
    marks = [("h score by Fp", {name: by_system[name].h for name in order}, "circle")]
    if people:
        marks.append(("people: a human wrote it", dict(people), "diamond"))
    _shapes(figure, {series: symbol for series, _, symbol in marks}, names)
    for series, values, symbol in marks:
        shown = [values.get(name, Estimate(None)) for name in order]
        figure.add_scatter(
            x=[estimate.value for estimate in shown],
            y=names,
            mode="markers",
            name=series,
            marker={"color": [colours[name] for name in order], "symbol": symbol, "size": 11},
            error_x=whiskers(shown, GREY),
            customdata=[[name] for name in names],
            hovertext=[f"{name}, {series}: {_text(estimate)}" for name, estimate in zip(names, shown, strict=True)],
            hoverinfo="text",
            showlegend=False,
        )
    _lay_out(figure, "share of the system's texts", "", len(marks), FRAME + ROW * max(1, len(order)))
    figure.update_xaxes(range=[-0.03, 1.03], tickformat=".0%")
    figure.update_yaxes(type="category")
    titled(figure, "Texts taken for human", f"By {discriminator}.", BY_DOCUMENT)
    return figure


def differences(comparisons: Sequence[SystemComparison], names: Sequence[str]) -> go.Figure:
    """A dot per system, which it carries, and discriminator at machine less human Fp with its interval; the line at 0
    is no difference. It has the system's colour of `cumulative`, and its shape is the discriminator's. `names`: of all
    systems, in the order in which that takes them.
    """
    models = list(dict.fromkeys(comparison.discriminator for comparison in comparisons))
    systems = list(dict.fromkeys(comparison.system for comparison in comparisons))
    colours = system_colours(names)
    figure = go.Figure()
    _shapes(
        figure,
        {safe(model.name): SYMBOLS[place % MOST] for place, model in enumerate(models)},
        [safe(name) for name in systems],
    )
    for place, model in enumerate(models):
        mine = {comparison.system: comparison for comparison in comparisons if comparison.discriminator == model}
        values = [mine[name].difference if name in mine else Estimate(None) for name in systems]
        figure.add_scatter(
            x=[value.value for value in values],
            y=[safe(name) for name in systems],
            mode="markers",
            name=safe(model.name),
            marker={"color": [colours[name] for name in systems], "symbol": SYMBOLS[place % MOST], "size": 11},
            error_x=whiskers(values, GREY),
            customdata=[[safe(name)] for name in systems],
            hovertext=[f"{safe(name)}: {_text(value)}" for name, value in zip(systems, values, strict=True)],
            hoverinfo="text",
            offsetgroup=str(place),
            showlegend=False,
        )
    figure.add_vline(x=0, line={"color": GREY, "dash": "dash", "width": 1.5}, opacity=1)
    _lay_out(figure, "machine less human Fp", "", len(models), FRAME + ROW * max(1, len(systems)))
    figure.update_yaxes(type="category", autorange="reversed")
    figure.update_layout(scattermode="group", scattergap=0.5)
    shown = [comparison.difference for comparison in comparisons]
    titled(figure, "Difference from human text", BY_DOCUMENT if intervals(shown) else "")
    return figure


def system_colours(systems: Iterable[str]) -> dict[str, str]:
    """The colour of each system, which is the same in every figure of the same systems in the same order."""
    return {name: COLOURS[place % MOST] for place, name in enumerate(systems)}


def _shapes(figure: go.Figure, symbols: Mapping[str, str], rows: Sequence[str]) -> None:
    """What each shape of a figure is, in its legend; grey, as colours are those of systems."""
    for place, (series, symbol) in enumerate(symbols.items()):
        figure.add_scatter(
            x=[None] * len(rows),
            y=list(rows),
            mode="markers",
            name=series,
            marker={"color": GREY, "symbol": symbol, "size": 11},
            hoverinfo="skip",
            offsetgroup=str(place),
            meta=DECORATION,
        )


def _text(estimate: Estimate) -> str:
    return estimate.shown()


def _lay_out(figure: go.Figure, x: str, y: str, legend: int, plot: int = PLOT) -> None:
    below = LEGEND_ROW * legend
    figure.update_layout(
        xaxis={"title": x, "automargin": True},
        yaxis={"title": y or None, "automargin": True},
        height=plot + below,
        margin={"l": 10, "r": 20, "b": 65 + below},
        legend={"orientation": "v", "yref": "container", "y": 0, "yanchor": "bottom", "x": 0},
        showlegend=True,
    )
