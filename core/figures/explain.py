"""The figure of an explained score: what each sentence adds to the logit, or takes from it."""

import textwrap

import plotly.graph_objects as go

from core.explanation.results import Explanation
from core.figures.style import BLUE, GREY, INK, ORANGE, safe, titled

ROW, FRAME, OPENING = 40, 120, 34
"""In pixels: a row, and what surrounds them; characters of a sentence that are shown."""


def contributions(explanation: Explanation, text: str) -> go.Figure:
    """A bar for each sentence that was left out, the first on top; those of a negative that were edited are hatched."""
    shown = [
        (number, sentence) for number, sentence in enumerate(explanation.sentences, 1) if sentence.without is not None
    ]
    values = [explanation.contribution(sentence) for _, sentence in shown]
    names = [
        f"{number}: {safe(textwrap.shorten(text[sentence.start : sentence.end], OPENING, placeholder='…'))}"
        for number, sentence in shown
    ]
    figure = go.Figure(
        go.Bar(
            x=values,
            y=names,
            orientation="h",
            marker={
                "color": [BLUE if (value or 0) >= 0 else ORANGE for value in values],
                "pattern": {
                    "shape": ["/" if sentence.edited else "" for _, sentence in shown],
                    "fgcolor": INK,
                    "fillmode": "overlay",
                    "size": 6,
                },
                "line": {"color": GREY, "width": 1},
            },
            width=0.6,
            hovertemplate="%{y}<br>%{x}<extra></extra>",  # an axis's own format has a real minus
        )
    )
    figure.update_layout(
        xaxis={
            "title": "contribution to the logit",
            "zeroline": True,
            "zerolinecolor": GREY,
            "automargin": True,
            "hoverformat": "+.3f",
        },
        yaxis={"type": "category", "autorange": "reversed", "automargin": True},
        height=FRAME + ROW * max(1, len(shown)),
        margin={"l": 10, "r": 20, "b": 50},
    )
    edited = any(sentence.edited for _, sentence in shown)
    hatched = "Hatched: edited." if edited else ""
    titled(figure, "What each sentence adds", "The story's logit less that without the sentence.", hatched)
    return figure
