"""The line below a pair's form: whether the answer is saved, and the way to the next pair."""

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from core.annotation.panel import Answer
from pages.ui.annotating.answer_form import saved_at
from pages.ui.annotating.story_reader import allowed
from pages.ui.shared.annotators_words import say

_HERE = Path(__file__).parent
_state = st.components.v2.component(
    "fabula.pair_state",
    js="\n".join((_HERE / name).read_text(encoding="utf-8") for name in ("asking.js", "pair_state.js")),
    isolate_styles=False,  # its styles come with the stories, once for all pairs
)


def pair_state(
    key: str,
    answer: Answer,
    *,
    chosen: int,
    done: int,
    stores: bool,
    failed: bool,
    on_asked: Callable[[], None],
) -> None:
    """Say of an answer whether it is in the database; `chosen`: which option is, -1 for none.

    `stores`, `failed`: whether answers are stored at all, and whether the last change could not be. `done` and
    `on_asked` are as of a story (see `story_reader`).
    """
    kind, said = _said(answer, stores=stores, failed=failed)
    _state(
        data={
            "stored": [chosen],
            "done": done,
            "comment": answer.comment,
            "kind": kind,
            "text": said if chosen >= 0 else " · ".join(filter(None, (said, say("saving.not_compared")))),
            "next": say("pairs.next"),
        },
        key=allowed(key),
        on_asked_change=on_asked,
    )


def _said(answer: Answer, *, stores: bool, failed: bool) -> tuple[str, str]:
    """A name for the words' colour, and the words; "" where nothing has been answered."""
    if failed:
        return "failed", say("saving.pair_not_saved")
    if not stores:
        return "preview", say("saving.preview")
    return ("saved", saved_at(answer.saved_at, say("saving.saved"))) if answer.saved_at is not None else ("", "")
