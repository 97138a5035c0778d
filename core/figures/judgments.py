"""Figures of the judgments page. Plotly reads labels as HTML, so every untrusted name is escaped."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from core.analysis.judgments.boxes import FEW, Box
from core.analysis.judgments.distribution import Distribution
from core.analysis.judgments.positions import PositionMean
from core.annotation.scale import step_text
from core.figures.style import BLUE, GREY, ORANGE, intervals, safe, titled, whiskers
from core.figures.style import number as written
from core.scores import RATED, judgment_of
from core.statistics.groups import GroupSummary
from core.statistics.intervals import Estimate
from core.stories import Source

LOWEST, MIDDLE, HIGHEST = "#A34700", "#A9A29C", "#B5DCF6"
"""Of steps in a stack: orange to blue, and ever lighter, so that grey print keeps their order."""
BAR, FRAME, LEGEND, LEGEND_ROW = 34, 150, 75, 20
"""In pixels: a row of bars, what surrounds them, from the plot to its legend, a row of that."""


def colour(group: str) -> str:
    """Blue for systems; grey for people and for the damaged stories, which are there for comparison."""
    return GREY if group in set(Source) else BLUE


def by_mean(groups: Mapping[str, GroupSummary]) -> list[str]:
    """Groups by their mean rating, the lowest first: Plotly draws it at the bottom. Equal ones by name from the top."""
    return sorted(groups, key=lambda group: (-groups[group].mean, group))[::-1]


def means(groups: Mapping[str, GroupSummary], scale: tuple[int, int], judgment: str = RATED) -> go.Figure:
    """One dot per system at the mean judgment of its stories, with its 95 % bootstrap interval; the best on top.

    `scale`: lowest and highest step; `judgment`: what a story's is, in words.
    """
    order = by_mean(groups)
    summaries = [groups[group] for group in order]
    figure = go.Figure(
        go.Scatter(
            x=[summary.mean for summary in summaries],
            y=[safe(group) for group in order],
            mode="markers",
            marker={"size": 11, "color": [colour(group) for group in order]},
            error_x=whiskers([Estimate(summary.mean, summary.low, summary.high) for summary in summaries], GREY, 2),
            hovertext=[
                f"{safe(group)}: {Estimate(summary.mean, summary.low, summary.high).shown()}"
                for group, summary in zip(order, summaries, strict=True)
            ],
            hoverinfo="text",
            customdata=[[safe(group)] for group in order],
        )
    )
    room = (scale[1] - scale[0]) * 0.04
    lay_out(
        figure,
        "Mean rating by system" if judgment == RATED else f"{judgment.capitalize()}, by system",
        len(order),
        intervals(Estimate(summary.mean, summary.low, summary.high) for summary in summaries),
    )
    figure.update_layout(
        xaxis={
            "title": judgment_of(judgment, "a story"),
            "range": [scale[0] - room, scale[1] + room],
            "automargin": True,
        },
        showlegend=False,
    )
    return figure


def boxes(by_system: Mapping[str, Box], whole: Box | None, scale: tuple[int, int], judgment: str = RATED) -> go.Figure:
    """OpenMEVA's Figure 3: one box per system over the judgments of its stories, the best on top, and one of all,
    last.

    `whole`: of all stories that are rated for their own sake; `scale`: lowest and highest step; `judgment`: what a
    story's is, in words. Diamonds are means, the lines in the boxes medians. A handful of stories is drawn as points
    with a line at their median. What is drawn of a system carries its name, which is "" for all.
    """
    order = sorted(by_system, key=lambda group: (-by_system[group].mean, group))
    rows = [(safe(group), by_system[group], colour(group)) for group in order]
    if whole is not None and len(by_system) > 1:
        rows.append(("<b>all</b>", whole, BLUE))
    carried = [name for name, _, _ in rows]
    if whole is not None and len(by_system) > 1:
        carried[-1] = ""
    figure = go.Figure()
    for shade in dict.fromkeys(shade for _, _, shade in rows):
        mine = [(place, box) for place, (_, box, own) in enumerate(rows) if own == shade]
        _draw(figure, mine, carried, shade)
    lines = [
        f"{name}: mean {written(box.mean)}, median {written(box.median)}, quartiles {written(box.q1)} and "
        f"{written(box.q3)}, "
        f"{_stories(box.n)}"
        for name, box, _ in rows
    ]
    means = [(place, box.mean) for place, (_, box, _) in enumerate(rows)]
    _marks(figure, "mean", means, carried, lines, {"symbol": "diamond", "size": 10, "color": ORANGE})
    room = (scale[1] - scale[0]) * 0.04
    lay_out(
        figure,
        "Mean ratings of stories, by system" if judgment == RATED else f"{judgment.capitalize()}, story by story",
        len(rows),
    )
    figure.update_layout(
        xaxis={
            "title": judgment_of(judgment, "a story"),
            "type": "linear",  # with no box at all, Plotly would take the axis for one of names
            "range": [scale[0] - room, scale[1] + room],
            "dtick": 1 if scale[1] - scale[0] > 1 else None,
            "automargin": True,
        },
        yaxis={"tickvals": list(range(len(rows))), "ticktext": [name for name, _, _ in rows], "type": "linear"},
        showlegend=False,
    )
    figure.update_yaxes(range=[len(rows) - 0.4, -0.6], zeroline=False, showgrid=False)
    return figure


def _draw(figure: go.Figure, rows: Sequence[tuple[int, Box]], carried: Sequence[str], shade: str) -> None:
    """The boxes of one colour, each at its place, and what is drawn story by story. `carried`: by place."""
    many = [(place, box) for place, box in rows if box.n > FEW]
    figure.add_box(
        y=[place for place, _ in many],
        **{end: [getattr(box, end) for _, box in many] for end in ("q1", "median", "q3")},
        lowerfence=[box.low for _, box in many],
        upperfence=[box.high for _, box in many],
        orientation="h",
        width=0.55,
        line={"color": shade},
        hoverinfo="skip",
    )
    medians = [(place, box.median) for place, box in rows if box.n <= FEW]
    line = {"symbol": "line-ns", "size": 16, "line": {"color": shade, "width": 2}}
    _marks(figure, "median", medians, carried, [f"median {written(value)}" for _, value in medians], line)
    stories = [(place, value, number) for place, box in rows for value, number in box.points]
    near = [f"{written(value, '.2f')}: {_stories(number)}" for _, value, number in stories]
    circle = {"symbol": "circle-open", "size": 7, "color": shade, "line": {"width": 2}}
    _marks(figure, "story", [(place, value) for place, value, _ in stories], carried, near, circle)


def _marks(
    figure: go.Figure,
    what: str,
    points: Sequence[tuple[int, float]],
    carried: Sequence[str],
    lines: list[str],
    marker: dict[str, object],
) -> None:
    figure.add_scatter(
        x=[value for _, value in points],
        y=[place for place, _ in points],
        mode="markers",
        name=what,
        marker=marker,
        hovertext=lines,
        hoverinfo="text",
        customdata=[[carried[place]] for place, _ in points],
    )


def _stories(number: int) -> str:
    return f"{number:,} stor{'y' if number == 1 else 'ies'}"


def distribution(found: Distribution, order: Sequence[str], labels: Mapping[int, str]) -> go.Figure:
    """Of each system's ratings, the share at each step: one bar per system in `order`, from the lowest step (orange)
    on.

    `labels`: the words of the form's steps.
    """
    totals = {group: sum(found.counts[group]) for group in order}
    figure = go.Figure()
    for number, step in enumerate(found.steps):
        single = step.low == step.high and step.low in labels
        label = safe(step_text(int(step.low), labels[int(step.low)]) if single else step.text)
        figure.add_bar(
            x=[found.counts[group][number] / max(1, totals[group]) for group in order],
            y=[safe(group) for group in order],
            orientation="h",
            name=label,
            marker=separated(shade(number / max(1, len(found.steps) - 1))),
            hovertext=[
                f"{safe(group)}, {label}: {found.counts[group][number]:,} of {totals[group]:,} ratings"
                for group in order
            ],
            hoverinfo="text",
            customdata=[[safe(group)] for group in order],
        )
    lay_out(figure, "Ratings at each step, by system", len(order))
    figure.update_layout(
        barmode="stack",
        xaxis={"title": "share of the system's ratings", "tickformat": ".0%", "range": [0, 1], "automargin": True},
        # Below the axis title, whatever the height: y counts in heights of the plot.
        legend={"orientation": "h", "y": -LEGEND / (BAR * max(2, len(order))), "yref": "paper", "traceorder": "normal"},
        height=FRAME + LEGEND_ROW * -(-len(found.steps) // 2) + BAR * max(2, len(order)),
    )
    return figure


def shade(where: float) -> str:
    """Dark orange at 0 over grey to light blue at 1."""
    low, high = (LOWEST, MIDDLE) if where < 0.5 else (MIDDLE, HIGHEST)
    part = where * 2 if where < 0.5 else where * 2 - 1
    channels = [
        round(int(low[i : i + 2], 16) * (1 - part) + int(high[i : i + 2], 16) * part) for i in range(1, len(low), 2)
    ]
    return "#{:02X}{:02X}{:02X}".format(*channels)


def separated(shade: str) -> dict[str, object]:
    """A piece of a stack, with an edge between it and the next."""
    return {"color": shade, "line": {"width": 1, "color": "#FFFFFF"}}


def positions(by_position: Mapping[int, PositionMean]) -> go.Figure:
    """One dot per position at the mean deviation of its ratings, with its 95 % interval; the line is no effect."""
    places = sorted(by_position)
    values = [by_position[place].deviation.value or 0.0 for place in places]
    figure = go.Figure(
        go.Scatter(
            x=places,
            y=values,
            mode="markers",
            marker={"size": 11, "color": BLUE},
            error_y=whiskers([by_position[place].deviation for place in places], BLUE, 2),
            hovertext=[
                f"position {place}: {written(value, '+.3f')} (n = {by_position[place].n:,})"
                for place, value in zip(places, values, strict=True)
            ],
            hoverinfo="text",
        )
    )
    figure.add_hline(y=0, line={"color": GREY, "dash": "dash"}, opacity=1)
    figure.update_layout(
        xaxis={"title": "position, as shown", "dtick": 1, "automargin": True},
        yaxis={"title": "points above the story's mean", "automargin": True},
        height=360,
        margin={"l": 10, "r": 20, "b": 10},
        showlegend=False,
    )
    titled(figure, "Ratings by position", "Lines: 95 % intervals.")
    return figure


def lay_out(figure: go.Figure, title: str, rows: int, *details: str) -> None:
    """Title, height and margins of a figure with so many rows, named at the left."""
    figure.update_layout(
        yaxis={"type": "category", "automargin": True, "title": None},
        height=FRAME + BAR * max(2, rows),
        margin={"l": 10, "r": 20, "b": 10},
    )
    titled(figure, title, *details)
