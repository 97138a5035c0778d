"""What the reference of metrics lacks."""

from pathlib import Path

from core.metrics import METRICS

DOCS = Path(__file__).resolve().parents[1] / "docs"


def undocumented() -> list[str]:
    """The metrics that docs/metrics.md and docs/metrics-alone.md do not name, and the options and values that
    docs/options.md does not.
    """
    metrics = "".join((DOCS / f"{page}.md").read_text(encoding="utf-8") for page in ("metrics", "metrics-alone"))
    options = (DOCS / "options.md").read_text(encoding="utf-8")
    lacking = [f"| `{name}` |" for name in METRICS if f"| `{name}` |" not in metrics]
    for name, metric in METRICS.items():
        for key, option in metric.options.items():
            if f"`{name}.{key}`" not in options and f"`*.{key}`" not in options:
                lacking.append(f"`{name}.{key}`")
            lacking += [f"`{value}`" for value in option.values if value and f"`{value}`" not in options]
    return lacking
