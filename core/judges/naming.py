"""How a judge's numbers are called among the metrics: `NAME:CRITERION`, of a variant of its prompt
`NAME/VARIANT:CRITERION`. A name may have colons, as `llama3:8b` has: no criterion has any, so that it is what stands
behind the last one.
"""

from dataclasses import dataclass

from core.errors import InputError

_SIGNS = frozenset("\n\r\t\0")


@dataclass(frozen=True)
class JudgeColumn:
    """One judge's number on one criterion; `variant`: of its prompt, "" where there is one."""

    judge: str
    criterion: str
    variant: str = ""

    def __post_init__(self) -> None:
        for part in (self.judge, self.criterion, self.variant):
            if _SIGNS & set(part) or part != part.strip():
                raise InputError(f"A judge's name has no line ends, and no blanks around it; not {part[:60]!r}.")
        if not self.judge or not self.criterion or "/" in self.variant or ":" in self.criterion:
            raise InputError(
                "A judge has a name, and a criterion that it judges; a variant has no slash, a criterion no colon."
            )

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
    name, _, criterion = metric.rpartition(":")
    if not name or not criterion or any(part != part.strip() or _SIGNS & set(part) for part in (name, criterion)):
        return None
    judge, _, variant = name.rpartition("/")
    is_variant = variant.isdecimal() or (variant[:1] == "v" and variant[1:].isdecimal())
    if is_variant and judge and judge == judge.strip():
        return JudgeColumn(judge, criterion, variant)
    return JudgeColumn(name, criterion)
