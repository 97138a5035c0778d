"""What several tests of style share."""

import plotly.graph_objects as go


def titles(figure: go.Figure) -> list[str]:
    """The lines of a title: its own as one, then what is said below it as one."""
    head, *rest = figure.layout.title.text.split("<br><span")
    return [
        part.replace("<br>", " ") for part in (head, *(item.split(">", 1)[1].removesuffix("</span>") for item in rest))
    ]
