"""How a judge's numbers are called among the metrics: `NAME:CRITERION`, of a variant of its prompt
`NAME/VARIANT:CRITERION`.
"""

from dataclasses import dataclass

from core.errors import InputError

_SIGNS = frozenset(":\n\r\t\0")


@dataclass(frozen=True)
class JudgeColumn:
    """One judge's number on one criterion; `variant`: of its prompt, "" where there is one."""

    judge: str
    criterion: str
    variant: str = ""

    def __post_init__(self) -> None:
        for part in (self.judge, self.criterion, self.variant):
            if _SIGNS & set(part) or part != part.strip():
                raise InputError(f"A judge's name has no colons, line ends or blanks around it; not {part[:60]!r}.")
        if not self.judge or not self.criterion or "/" in self.variant:
            raise InputError("A judge has a name, and a criterion that it judges; a variant has no slash.")

    @property
    def name(self) -> str:
        """The judge with its variant."""
        return f"{self.judge}/{self.variant}" if self.variant else self.judge

    @property
    def metric(self) -> str:
        """What the metric is called."""
        return f"{self.name}:{self.criterion}"


def judge_column(metric: str) -> JudgeColumn | None:
    """The judge, variant and criterion of a metric that is called so; None for any other. A judge's own name may have
    slashes, as models' have: what stands behind the last is a variant only where it is a number or begins with `v`.
    """
    name, colon, criterion = metric.rpartition(":")
    if not colon or not name or not criterion or criterion != criterion.strip():
        return None
    judge, slash, variant = name.rpartition("/")
    is_variant = slash and judge and (variant.isdecimal() or (variant[:1] == "v" and variant[1:].isdecimal()))
    return JudgeColumn(judge, criterion, variant) if is_variant else JudgeColumn(name, criterion)
