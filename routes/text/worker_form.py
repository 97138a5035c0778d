"""The one form that is no page: a worker of MTurk says who they are."""

from html import escape

from starlette.responses import HTMLResponse

from routes.text.frame import framed

_FORM = """{problem}
<form method="get">
<label for="workerId">Your worker ID</label>
<input id="workerId" name="workerId" required maxlength="25" autocomplete="off" autocapitalize="characters"
 spellcheck="false" aria-describedby="why">
{assignment}
<button>Go on</button>
</form>
<p id="why">It stands on your dashboard and begins with A. It is kept as a code that nobody can read back, so that your
work is found again. At the end you get a completion code of your own: paste it into the HIT.</p>
"""


def worker_form(assignment_id: str, problem: str = "") -> HTMLResponse:
    """The form as a page of its own; `assignment_id` goes with it, checked already, "" for none.

    Nothing that a visitor sent is repeated but that; `problem` is a sentence of ours.
    """
    hidden = f'<input type="hidden" name="assignmentId" value="{escape(assignment_id)}">' if assignment_id else ""
    alert = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    return framed("Before you begin", _FORM.format(problem=alert, assignment=hidden), 400 if problem else 200)
