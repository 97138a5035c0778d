"""What several tests of html share."""

from dataclasses import replace

from core.report.metric import MetricReport, metric_report
from core.scores import ScoreColumn, ScoreTable
from tests.core.report.metric import SETTING, random_table

HOSTILE = "</script><script>window.evil=1</script><img src=x onerror='window.evil=2'>\"&<b id=evil>$x$"


def hostile() -> MetricReport:
    """Everything that a stranger may have named is markup."""
    table = random_table()
    names = tuple(f"{HOSTILE}{i % 3}" for i in range(120))
    columns = (
        ScoreColumn(HOSTILE, f"file:{HOSTILE}", table.columns[0].values, {}),
        ScoreColumn("other", f"{HOSTILE}|v:1", table.columns[1].values, {}),
    )
    table = ScoreTable(
        names, table.prompts, names, names, table.human, columns, table.ratings, {HOSTILE: table.votes["repetition"]}
    )
    setting = replace(SETTING, study=HOSTILE, demonstration=True, excluded={f"that nobody gave {HOSTILE}": 7})
    return metric_report(table, HOSTILE, setting)
