"""How a judge's numbers are called among the metrics: `NAME:CRITERION`, of a variant of its prompt
`NAME/VARIANT:CRITERION`. A name may have colons, as `llama3:8b` has: no criterion has any, so that it is what stands
behind the last one.
"""

from collections.abc import Collection
from dataclasses import dataclass

from core.errors import InputError
from core.judges.template import STANDARD
from core.wording import metrics_and_judges, so_many

HERE = "judge"
"""What a judge is called that is asked here, whatever its model."""
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


def so_many_metrics(names: Collection[str]) -> str:
    """How many metrics there are, and how many of them are judges: "8 metrics and 1 judge"."""
    judges = sum(judge_column(name) is not None for name in names)
    return metrics_and_judges(len(names) - judges, judges)


@dataclass(frozen=True)
class AskedJudge:
    """What a signature says of a judge that was asked here: the title of its template, the way it was asked, the
    model, without its revision, and how many rated stories it was shown as examples.
    """

    template: str
    way: str
    model: str
    examples: int = 0

    @property
    def wording(self) -> str:
        """The template, and what was shown with it: without that, judges that differ in nothing else look alike."""
        shown = so_many(self.examples, "rated story", "rated stories")
        return f"{self.template}, shown {shown}" if self.examples else self.template

    @property
    def own(self) -> bool:
        """Whether the template is a study's own."""
        return self.template != STANDARD


def asked_judge(signature: str) -> AskedJudge | None:
    """The judge that was asked here, of its signature; None for any other."""
    metric, *parts = signature.split("|")
    said = dict(part.split(":", 1) for part in parts if ":" in part)
    if not metric.startswith(f"{HERE}:") or not {"template", "way", "model"} <= said.keys():
        return None
    return AskedJudge(
        said["template"].split("@")[0], said["way"], said["model"].split("@")[0], int(said.get("few_shot", 0))
    )


def is_own(signature: str) -> bool:
    """Whether it is of a judge that was asked here by a template of a study's own."""
    asked = asked_judge(signature)
    return asked is not None and asked.own
