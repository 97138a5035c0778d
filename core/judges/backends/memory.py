"""What is known of an endpoint from one round of requests to the next."""

from dataclasses import dataclass, field

from core.judges.backends.cost import Meter
from core.judges.backends.form import Form
from core.judges.backends.limits import Pace


@dataclass
class Memory:
    """How requests are written, what they have cost and how fast they may go. `has_answered`: usably, at least once;
    `reported`: what the endpoint has called its model.
    """

    form: Form
    meter: Meter
    pace: Pace
    has_answered: bool = False
    reported: set[str] = field(default_factory=set)
