"""What the reference of metrics lacks."""

from pathlib import Path

from core.metrics import METRICS

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "metrics.md"


def undocumented() -> list[str]:
    """The metrics, options and values that docs/metrics.md does not name."""
    text = REFERENCE.read_text(encoding="utf-8")
    lacking = [f"| `{name}` |" for name in METRICS if f"| `{name}` |" not in text]
    for name, metric in METRICS.items():
        for key, option in metric.options.items():
            if f"`{name}.{key}`" not in text and f"`*.{key}`" not in text:
                lacking.append(f"`{name}.{key}`")
            lacking += [f"`{value}`" for value in option.values if f"`{value}`" not in text]
    return lacking
