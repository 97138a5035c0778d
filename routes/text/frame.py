"""A page of text: what an address that is no page of the app answers with, where there is something to read."""

from html import escape

from starlette.responses import HTMLResponse

from core.languages.words import Words
from core.people import Person, Role
from routes.text.language import english

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",  # with none, a browser would not say that a form is this page's
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
_PAGE = """<!doctype html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Fabula</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem }}
h1 {{ line-height: 1.2; overflow-wrap: anywhere }}
p {{ overflow-wrap: anywhere }}
input, button, a.button {{ font: inherit; box-sizing: border-box; width: 100%; padding: .6rem .7rem;
 border-radius: .5rem }}
input {{ border: 1px solid #8a90a2; margin: .4rem 0 .8rem }}
button, a.button {{ border: 0; background: #3b5bdb; color: #fff; cursor: pointer }}
a.button {{ display: block; margin: .8rem 0; text-align: center; text-decoration: none }}
a.other, button.other {{ border: 1px solid #8a90a2; background: none; color: inherit }}
[role=alert] {{ border-inline-start: 4px solid #c92a2a; padding-inline-start: .7rem }}
</style>
</head>
<body>
<h1>{heading}</h1>
{body}
</body>
</html>
"""


def framed(heading: str, body: str, status: int = 200, words: Words | None = None) -> HTMLResponse:
    """A page; `body` is HTML of ours, in which all that came from elsewhere is escaped. `words`: its language, where
    that may be another than English.
    """
    of = words or english()
    page = _PAGE.format(heading=escape(heading), body=body, language=escape(of.code), direction=of.direction)
    return HTMLResponse(page, status_code=status, headers=HEADERS)


def refusal(
    heading: str, sentence: str, status: int, here: Person | None = None, words: Words | None = None
) -> HTMLResponse:
    """Says that it did not work and what to do; `here`: who this browser is known as, and stays."""
    body = f'<p role="alert">{escape(sentence)}</p>'
    if here is not None:
        body += f"<p>Nothing has changed: in this browser you are still {known_as(here)}.</p>{stay(here)}"
    return framed(heading, body, status, words)


def too_often(seconds: int, words: Words | None = None) -> HTMLResponse:
    """Says that somebody at this address has tried too often, and when to try again."""
    of = words or english()
    unit, number = ("seconds", seconds) if seconds < 60 else ("minutes", -(-seconds // 60))
    sentence = of.text(f"arrival.too_often_{unit}", number=number)
    response = refusal(of.text("arrival.too_often"), sentence, 429, words=of)
    response.headers["Retry-After"] = str(seconds)
    return response


def name_of(person: Person) -> str:
    """How they are called, as HTML."""
    if person.name != person.role:
        return escape(person.name)
    return f"an {person.role}" if person.role[0] in "ao" else f"a {person.role}"


def known_as(person: Person) -> str:
    """A person and what they do here, as HTML."""
    return f"<b>{name_of(person)}</b>, who {'rates stories' if person.role is Role.ANNOTATOR else 'runs studies'}"


def stay(here: Person, *, other: bool = False) -> str:
    """The way back to the app as whoever one is; `other`: beside a button that is asked for."""
    return f'<a class="button{" other" if other else ""}" href="/">Go on as {name_of(here)}</a>'
