"""A link that shows a metric's report to whoever has it."""

from dataclasses import dataclass
from datetime import datetime
from html import escape

from core.wording import so_many

SHARED = "/shared/"
"""Where the pages of such links are."""


CHANGES = {
    "import taken back": "an import was taken back",
    "verdict overridden": "a panel's verdict was changed by hand",
    "panels judged again": "panels were judged again",
    "surplus counted": "surplus panels were counted",
    "form changed": "the form was changed",
    "erased": "a person's data were erased",
    "scores deleted": "scores were deleted",
}
"""Events that change what a report says by more than what came, as its links name them."""


@dataclass(frozen=True)
class Since:
    """What has become of a study since a report of it was made. `ratings`: valid ones of systems' stories that came;
    `changes`: which of the `CHANGES` there were; `scores`: whether scores came; `gone`: whether the scores of the
    report's own metric were deleted.
    """

    ratings: int = 0
    changes: frozenset[str] = frozenset()
    scores: bool = False
    gone: bool = False

    @property
    def sentence(self) -> str:
        """Whether the report still shows the study as it is, and what it lacks."""
        if self.gone:
            return "The scores of this metric were deleted from the study since: the report shows them as they were."
        came = [so_many(self.ratings, "valid rating")] if self.ratings else []
        came += ["scores"] if self.scores else []
        new = [f"{' and '.join(came)} came"] if came else []
        new += [said for kind, said in CHANGES.items() if kind in self.changes]
        if not new:
            return "It is up to date: neither ratings nor scores came since."
        return f"It shows the study as it was then. Since then {'; '.join(new)}."


@dataclass(frozen=True)
class ReportLink:
    """`id`: its number; `metric`: as the report calls it; `by`: who made it, empty where nobody is known; `token`: what
    stands in its address after the number; `since`: what has become of the study since.
    """

    id: int
    metric: str
    made: datetime
    by: str
    token: str
    since: Since = Since()

    @property
    def address(self) -> str:
        """Below the server's own."""
        return f"{SHARED}{self.id}-{self.token}"


BODY = "<body>"


def with_scores_gone(page: str, metric: str, made: datetime) -> str:
    """A report's page that says first that the scores of its metric are not in the study any more."""
    sentence = (
        f"The scores of {metric} were deleted from the study since this report was shared on {made:%Y-%m-%d %H:%M} "
        "UTC: it shows them as they were, and nobody can compute it from the study again."
    )
    return page.replace(BODY, f'{BODY}\n<p class="demonstration" role="alert">{escape(sentence)}</p>', 1)
