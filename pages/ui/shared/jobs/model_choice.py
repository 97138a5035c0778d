"""Choosing a model: a bundled one, a folder on this machine, or a model hub name."""

from typing import Literal

import streamlit as st

from core.models.catalogue import BUNDLED, DEFAULTS, EXAMPLES, ROLES, ModelRole

TITLES = {
    ModelRole.LANGUAGE: "Language model",
    ModelRole.MASKED: "Masked language model",
    ModelRole.ENCODER: "Encoder",
    ModelRole.REGRESSOR: "BLEURT checkpoint",
    ModelRole.BASE: "Base of the checkpoint",
    ModelRole.TRANSLATION: "Translation model",
    ModelRole.CLASSIFIER: "Classifier of acceptable sentences",
}


def model_box(role: ModelRole, key: str | None = None) -> str:
    """The name of a model for a role; "" for the bundled one, or where there is none and none is named.

    `key`: of the widget, which then keeps its choice in the address.
    """
    bundled = [name for name, model in BUNDLED.items() if model.role is role]
    hint = f"{ROLES[role][0].upper()}{ROLES[role][1:]}: a folder on this machine or a model hub name."
    bind: Literal["query-params"] | None = "query-params" if key else None
    if not bundled:
        what = f"a folder, or a name such as {EXAMPLES[role]}" if role in EXAMPLES else "the one that its card names"
        return st.text_input(TITLES[role], placeholder=what, help=hint, key=key, bind=bind).strip()
    picked = st.selectbox(
        TITLES[role],
        bundled,
        accept_new_options=True,
        help=f"{hint} Type it in to choose another one.",
        key=key,
        bind=bind,
    )
    return "" if picked == DEFAULTS[role] else str(picked).strip()
