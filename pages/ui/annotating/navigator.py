"""The bar of a panel: a letter per story, the keyboard, and whether everything is saved."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.annotation.panel import Panel
from core.annotation.scheme import Scheme
from pages.ui.annotating.keys import digits, legend, letters
from pages.ui.shared.annotators_words import say, words

_HERE = Path(__file__).parent
_SCRIPTS = ("controls", "keyboard", "watch", "navigator")
_navigator = st.components.v2.component(
    "fabula.navigator",
    css=(_HERE / "navigator.css").read_text(encoding="utf-8"),
    js="\n".join((_HERE / f"{name}.js").read_text(encoding="utf-8") for name in _SCRIPTS),
    isolate_styles=False,  # it speaks of the whole page
)


def navigator(scheme: Scheme, panel: Panel, names: list[str], start: int = 0) -> None:
    """Show the bar; `names`: the words of the scale's steps as the form shows them; `start`: the pair to show at first.

    Everything happens in the browser: no answer goes through it.
    """
    stories = [(story.letter, story.token) for story in panel.stories]
    if scheme.unit.of_pairs:  # pairs have numbers, since their stories are A and B
        several = len(panel.pairs) > 1
        stories = [(str(place) if several else "", pair.token) for place, pair in enumerate(panel.pairs, 1)]
    rows = legend(scheme, names)
    if len(stories) > 1 and not scheme.unit.of_pairs:
        rows += [(f"A – {stories[min(6, len(stories) - 1)][0]}", say("keys.story")), ("V", say("keys.compare"))]
    if len(stories) > 1:
        arrows = "→ ←" if words().direction == "rtl" else "← →"
        ways = [("Enter", say("keys.next_pair")), (arrows, say("keys.back_and_on"))]
        rows += ways if scheme.unit.of_pairs else [("J", say("keys.next")), ("K", say("keys.before"))]
    forms = [scheme.form_at(place, len(stories)) for place in range(len(stories))]
    rows += [("?", say("keys.instructions")), ("Ctrl Enter", say("keys.hand_in"))]
    _show(forms, panel.token, stories, rows, single=scheme.unit.of_pairs, start=start)


def practice_keys(scheme: Scheme, token: str, names: list[str]) -> None:
    """The same keys for one story of a practice, whose form is in the container `story-TOKEN`."""
    rows = [*legend(scheme, names, marks=False), ("N", say("keys.check")), ("?", say("keys.instructions"))]
    _show([scheme], token, [("", token)], rows)


def _show(
    forms: Sequence[Scheme],
    token: str,
    stories: list[tuple[str, str]],
    rows: list[tuple[str, str]],
    *,
    single: bool = False,
    start: int = 0,
) -> None:
    """`single`: pairs, of which the page shows one at a time, at first that at place `start`."""
    _navigator(
        data={
            "panel": token,
            "words": _words("pair" if single else "story", "compared" if single else "rated"),
            "single": single,
            "start": start,
            "stories": [
                {"letter": letter, "token": token, "digits": [digits(criterion) for criterion in form.criteria]}
                for (letter, token), form in zip(stories, forms, strict=True)
            ],
            "types": letters(len(forms[0].error_types)),
            "legend": rows,
        },
        key="navigator",
    )


def _words(what: str, rated: str) -> dict[str, str]:
    """What the bar says; `what` has a button, `rated`: what becomes of it."""
    said = {
        "named": f"bar.{what}",
        "rated": f"bar.{rated}",
        "notRated": f"bar.not_{rated}",
        "countRated": f"bar.count_{rated}",
        "notSaved": "bar.not_saved",
        "some": "bar.some",
        "countAnswered": "bar.count_answered",
        "countNotSaved": "bar.count_not_saved",
        "keys": "bar.keys",
        "lost": "bar.lost",
        "savedElsewhere": "bar.saved_elsewhere",
        "openElsewhere": "bar.open_elsewhere",
        "restored": "bar.restored",
        "showThem": "bar.show_them",
        "saving": "saving.saving",
        "comma": "lists.comma",
    }
    return {name: words().texts[key] for name, key in said.items()}
