"""Texts that a model reads in the worker; a text that was read before is there at once."""

import streamlit as st

from core.jobs import JobState
from core.judges.likelihood.settings import ServedTokenRequest
from core.models.catalogue import answers_at_once
from core.models.tokens.settings import TokenRequest
from core.tokens import TokenTable
from db.jobs import token_tables
from pages.ui.shared.jobs.awaited_job import latest

KIND = "tokens"


@st.cache_resource(max_entries=16, show_spinner=False)
def _kept(signature: str, text: str) -> TokenTable:
    table = token_tables.find(signature, text)
    if table is None:
        raise LookupError  # and so it is not remembered that there was none
    return table


def read_already(asked: TokenRequest | ServedTokenRequest) -> TokenTable | None:
    """What is kept of this reading; None where it is yet to be made. Raises ModelMissing."""
    job = latest(KIND, asked)
    if job is not None and job.state is JobState.DONE and job.result is not None:
        signature = job.result["signature"]
    elif isinstance(asked, ServedTokenRequest) or answers_at_once(asked.model or None, asked.role):
        signature = asked.signature()
    else:
        return None  # whether a hub has a newer revision is for the worker to find out
    try:
        return _kept(signature, asked.text)
    except LookupError:
        return None
