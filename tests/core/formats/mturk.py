"""What several tests of mturk share."""

import csv
import io

HEADER = (
    *("HITId", "HITTypeId", "Title", "Reward", "AssignmentId", "WorkerId", "AssignmentStatus", "WorkTimeInSeconds"),
    *("Input.link", "Answer.comment", "Answer.surveycode", "Approve", "Reject"),
)
CODE = "Answer.surveycode"


def row(worker: str = "A2ZEXAMPLE12", code: str = "GOOD", **changed: str) -> list[str]:
    cells = {
        **dict.fromkeys(HEADER, "x"),
        "AssignmentId": "3ABC",
        "WorkerId": worker,
        "AssignmentStatus": "Submitted",
        CODE: code,
        "Approve": "",
        "Reject": "",
        **changed,
    }
    return [cells[name] for name in HEADER]


def content(*rows: list[str], header: tuple[str, ...] = HEADER, line_end: str = "\n") -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator=line_end).writerows([header, *rows])
    return out.getvalue().encode()
