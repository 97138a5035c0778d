"""What somebody gets whom nobody knows: a page of text."""

from html import escape

from starlette.responses import HTMLResponse

from core.languages.words import Words
from routes.admission.visitor import Visitor, signing_in_is_set_up
from routes.text.frame import framed, refusal


def stranger_page(visitor: Visitor, words: Words) -> HTMLResponse:
    """How to come in, in the language of the browser; for somebody who has signed in uninvited, or whose link works no
    more, why they are not in.
    """
    if visitor.email == "":
        return framed(
            "Your address is not verified",
            "<p>You are signed in, but your provider does not say that your e-mail address is verified, so that it "
            'lets nobody in. Sign out, and use another one.</p><a class="button" href="/auth/logout">Sign out</a>',
            403,
        )
    if visitor.email:
        return framed(
            "Nobody has invited this address",
            f"<p>You are signed in as <b>{escape(visitor.email)}</b>, but nobody has invited this address here, the "
            "invitation has ended, or this sign-in was ended.</p><p>Ask the owner of this server to invite you, or "
            'sign out and use another address.</p><a class="button" href="/auth/logout">Sign out</a>',
            403,
        )
    if visitor.shut_out:
        return refusal(words.text("arrival.no_link"), words.text(visitor.shut_out), 401, words=words)
    sign_in = '<a class="button" href="/sign-in">Sign in</a>' if signing_in_is_set_up() else ""
    return framed(
        "Fabula",
        f"{sign_in}<p>{escape(words.text('arrival.stranger'))}</p><p>{escape(words.text('arrival.owner'))}</p>",
        401,
        words,
    )
