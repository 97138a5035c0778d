"""A link that shows a metric's report to whoever has it."""

from dataclasses import dataclass
from datetime import datetime

SHARED = "/shared/"
"""Where the pages of such links are."""


@dataclass(frozen=True)
class ReportLink:
    """`id`: its number; `metric`: as the report calls it; `by`: who made it, empty where nobody is known; `token`: what
    stands in its address after the number.
    """

    id: int
    metric: str
    made: datetime
    by: str
    token: str

    @property
    def address(self) -> str:
        """Below the server's own."""
        return f"{SHARED}{self.id}-{self.token}"
