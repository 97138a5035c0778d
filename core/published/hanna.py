"""HANNA: "Of Human Criteria and Automatic Metrics" (Chhun et al., COLING 2022): 72 metrics with six criteria.

The numbers are those of the authors' repository, in which they stand without signs.
"""

import csv
from io import StringIO

from core.annotation.builtin_criteria import HANNA
from core.home import ROOT
from core.published.tables import PublishedTable
from core.text_files import read_text

SOURCE = "HANNA (2022)"
SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
_FILE = ROOT / "data" / "published" / "hanna.csv"
_COLUMNS = tuple(f"{name} {symbol}" for name in HANNA.names for symbol in SYMBOLS.values())


def _rows(level: str) -> dict[str, tuple[str, ...]]:
    """Metric -> its coefficients with each criterion, three a criterion."""
    lines = [row for row in csv.DictReader(StringIO(read_text(_FILE))) if row["level"] == level]
    of = {(row["metric"], row["coefficient"]): row for row in lines}
    return {
        metric: tuple(of[metric, coefficient][name] for name in HANNA.names for coefficient in SYMBOLS)
        for metric in dict.fromkeys(row["metric"] for row in lines)
    }


STORY = PublishedTable(
    SOURCE,
    "story level",
    "Coefficients of 72 metrics with the mean rating on six criteria, among the ten systems' stories of a prompt and "
    "averaged over the 96 prompts.",
    _COLUMNS,
    _rows("story"),
    "Printed without signs: compared in absolute value.",
)
SYSTEM = PublishedTable(
    SOURCE,
    "system level",
    "Coefficients of 72 metrics with the mean rating on six criteria, over the means of ten systems.",
    _COLUMNS,
    _rows("system"),
    "Printed without signs: compared in absolute value. Two pairs of systems have equal mean complexity; rounding "
    "parts one of them in the published numbers, and here.",
)
LEVELS = {STORY.name: "prompt", SYSTEM.name: "system"}
"""Table -> over what its coefficients are."""
TABLES = (STORY, SYSTEM)
