"""The one form that is no page: a worker of MTurk says who they are."""

from html import escape

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fabula</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem }}
input, button {{ font: inherit; box-sizing: border-box; width: 100%; padding: .6rem .7rem; border-radius: .5rem }}
input {{ border: 1px solid #8a90a2; margin: .4rem 0 .8rem }}
button {{ border: 0; background: #3b5bdb; color: #fff; cursor: pointer }}
[role=alert] {{ border-left: 4px solid #c92a2a; padding-left: .7rem }}
</style>
</head>
<body>
<h1>Before you begin</h1>
{problem}
<form method="get">
<label for="workerId">Your worker ID</label>
<input id="workerId" name="workerId" required maxlength="25" autocomplete="off" autocapitalize="characters"
 spellcheck="false" aria-describedby="why">
{assignment}
<button>Go on</button>
</form>
<p id="why">It stands on your dashboard and begins with A. It is kept as a code that nobody can read back, so that your
work is found again. At the end you get a completion code of your own: paste it into the HIT.</p>
</body>
</html>
"""


def worker_form(assignment_id: str, problem: str = "") -> str:
    """The form as a page of its own; `assignment_id` goes with it, checked already, "" for none.

    Nothing that a visitor sent is repeated but that; `problem` is a sentence of ours.
    """
    hidden = f'<input type="hidden" name="assignmentId" value="{escape(assignment_id)}">' if assignment_id else ""
    return _PAGE.format(problem=f'<p role="alert">{escape(problem)}</p>' if problem else "", assignment=hidden)
