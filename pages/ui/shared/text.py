"""Untrusted text on a page: shown as text, whatever it holds."""

import html
import re

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&^=@/])")
_ADDRESS = re.compile(r"https?:(?=//)|\bwww(?=\.)|@(?=[-\w]+\.)", re.IGNORECASE)
"""The beginning of an address of the web, the @ of one of mail."""
_JOINER = "\N{WORD JOINER}"
_BEYOND_MARKDOWN = re.compile(r"\$|:(?=[a-z-]+\[)|!(?=\[)")
"""What begins a formula, a colour or a picture: the first two are Streamlit's, the last would be fetched elsewhere."""


def escaped(text: str) -> str:
    """Text for a place that reads Markdown, such as a label: every sign that could mean something is itself.

    An address in it becomes no link, for which an unseen sign stands in it: links are made of what is read, after
    backslashes are gone.
    """
    return _MARKUP.sub(r"\\\1", _ADDRESS.sub(rf"\g<0>{_JOINER}", " ".join(text.split())))


def text_title(text: str) -> None:
    """A page's title that somebody gave: as HTML, since in Markdown an address in it would become a link."""
    st.html(f"<h1>{html.escape(text)}</h1>")


def problem(message: str) -> None:
    """Show a sentence that may quote a file or a person."""
    st.error(escaped(message), icon=":material/error:")


def notice(message: str) -> None:
    """Show a remark that may quote a file or a person."""
    st.info(escaped(message), icon=":material/info:")


def warning(message: str) -> None:
    """Show what somebody would lose by going on, which may quote a file."""
    st.warning(escaped(message), icon=":material/warning:")


def folded_warning(message: str, about: str = "") -> DeltaGenerator:
    """Show the first sentence of a warning, and the others at a press, as all of them fill a phone; `about`: the name
    that it begins with. Returns the row below it, for what belongs beside the others.
    """
    first, _, others = message.partition(". ")
    warning(f"{about}: {first}." if about else f"{first}.")
    row = st.container(horizontal=True, vertical_alignment="center")
    with row.popover("In detail", icon=":material/expand_content:"):
        st.markdown(escaped(others))
    return row


def markdown(text: str) -> None:
    """Show what a researcher wrote for annotators as Markdown, each line on a line of its own; formulas, colours and
    pictures stay text, and HTML does too.
    """
    plain = _BEYOND_MARKDOWN.sub(lambda sign: f"&#{ord(sign[0])};", text)
    st.markdown(plain.replace("\n", "  \n"))


def story_text(text: str, empty: str = "(this story is empty)") -> None:
    """Show a story or a prompt exactly as it is written; `empty`: what stands there where nothing is."""
    st.text(text if text.strip() else empty)
