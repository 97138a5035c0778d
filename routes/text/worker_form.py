"""The one form that is no page: a worker of MTurk says who they are."""

from html import escape

from starlette.responses import HTMLResponse

from core.languages.words import Words
from routes.text.frame import framed

_FORM = """{problem}
<form method="get">
<label for="workerId">{label}</label>
<input id="workerId" name="workerId" required maxlength="25" autocomplete="off" autocapitalize="characters"
 spellcheck="false" aria-describedby="why">
{assignment}
<button>{go_on}</button>
</form>
<p id="why">{why}</p>
"""


def worker_form(words: Words, assignment_id: str, problem: str = "") -> HTMLResponse:
    """The form as a page of its own; `assignment_id` goes with it, checked already, "" for none.

    Nothing that a visitor sent is repeated but that; `problem` is a sentence of ours.
    """
    hidden = f'<input type="hidden" name="assignmentId" value="{escape(assignment_id)}">' if assignment_id else ""
    alert = f'<p role="alert">{escape(problem)}</p>' if problem else ""
    form = _FORM.format(
        problem=alert,
        assignment=hidden,
        label=escape(words.text("arrival.worker_id")),
        go_on=escape(words.text("arrival.worker_go_on")),
        why=escape(words.text("arrival.worker_why")),
    )
    return framed(words.text("arrival.worker_title"), form, 400 if problem else 200, words)
