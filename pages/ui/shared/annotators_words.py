"""In which language an annotator is spoken to, and what is said to them in it.

The study says which; else the browser does, where there is a file of its language (`core/languages`); else English. The
pages of those who run studies are in English, also where they show parts of the form.
"""

import streamlit as st

from core.annotation.studies import Study
from core.errors import FabulaError
from core.languages.words import ENGLISH, Words, accepted, languages, preferred, sentence
from pages.ui.shared.page_arrival import PAGE

LANGUAGE = "annotators-language"
"""The part of the session's state with the page on which annotators are spoken to, and the language's code."""

LEFT_TO_RIGHT = "\u200e"
"""The mark that has what stands beside it read from the left."""


def speak(study: Study | None) -> Words:
    """From now on, and until another page is opened, speak the language of a study, or the browser's; returns it."""
    wanted = [study.rules.language] if study is not None and study.rules.language else _browsers()
    chosen = preferred(wanted, languages())
    st.session_state[LANGUAGE] = (st.session_state.get(PAGE), chosen.code)
    return chosen


def _browsers() -> list[str]:
    """The languages that the browser asks for, the dearest first; what no browser has said is none."""
    header = st.context.headers.get("Accept-Language")
    locale = st.context.locale
    said = [locale] if isinstance(locale, str) else []
    return [*said, *(accepted(header) if isinstance(header, str) else [])]


def words() -> Words:
    """The language that is spoken on this page: English unless `speak` has said otherwise."""
    page, code = st.session_state.get(LANGUAGE, (None, ENGLISH))
    return languages()[code if page == st.session_state.get(PAGE) else ENGLISH]


def say(key: str, **values: object) -> str:
    """The text of a key in that language."""
    return words().text(key, **values)


def named(name: str) -> str:
    """A criterion, an error type or a unit as it is called in that language, in a sentence."""
    return words().ours(name)


def titled(name: str) -> str:
    """The same at the beginning of a line."""
    shown = named(name)
    return name.capitalize() if shown == name else shown[:1].upper() + shown[1:]


def lowered(label: str) -> str:
    """The label of a step inside of a sentence; an I and a word in capitals stay as they are."""
    first = label.split(" ", 1)[0].split("'", 1)[0].split("’", 1)[0]
    return label if first == "I" or (len(first) > 1 and first.isupper()) else label[:1].lower() + label[1:]


def minus(points: int) -> str:
    """Points that are taken off; the sign stays before the number where words are read from the right."""
    return f"{LEFT_TO_RIGHT if words().direction == 'rtl' else ''}−{points}"


def explained(error: FabulaError) -> str:
    """What an error says, in that language."""
    return sentence(words(), error)
