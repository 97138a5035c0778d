"""What is known of an endpoint from one round of requests to the next."""

from core.judges.backends.cost import Meter
from core.judges.backends.form import Form
from core.judges.backends.limits import Pace


class Memory:
    """How requests are written, what they have cost and how fast they may go. `has_answered`: usably, at least once;
    `reported`: what the endpoint has called its model.
    """

    def __init__(self, form: Form, meter: Meter, pace: Pace) -> None:
        self.form = form
        self.meter = meter
        self.pace = pace
        self.has_answered = False
        self.reported: set[str] = set()
