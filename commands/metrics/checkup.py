"""What metrics make of stories that repeat themselves or are no text: said beside their scores."""

from collections.abc import Sequence
from typing import Any

from core.analysis.verdict.degenerate import check_up
from core.arrays import Floats
from core.checks.degenerate import degenerate


def check_up_rows(
    columns: Sequence[tuple[str, str, Floats]], human: Floats, prompts: Sequence[str], texts: Sequence[str]
) -> list[dict[str, Any]]:
    """One a metric; `columns`: name, signature, scores."""
    kinds = [degenerate(text) for text in texts]
    return [
        {"metric": name, "signature": signature, "check_up": check_up(values, human, prompts, kinds)}
        for name, signature, values in columns
    ]
