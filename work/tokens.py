"""Reads a text's tokens with a language model, for the token view; a text that was read before is there at once."""

from typing import Any

from core.errors import InputError
from core.jobs import Job
from core.judges.backends.endpoint import Endpoint
from core.judges.backends.key import judge_key
from core.judges.likelihood.settings import ServedTokenRequest
from core.judges.likelihood.table import ServedTokens
from core.models.catalogue import answers_at_once
from core.models.tokens.settings import ALTERNATIVES, PRECISION, TokenRequest
from core.notices import collecting
from core.tokens import Mode, TokenTable
from db.jobs import token_tables
from db.judges import consent
from db.studies import story_list
from work.watch import ProgressWriter, Watch


def read_text(job: Job, watch: Watch) -> dict[str, Any]:
    """Read the job's text and keep its table; returns the signature it is kept under, and how many tokens there are.

    Raises Cancelled when somebody stops it, and FabulaError where the text or the model cannot be read.
    """
    asked = _asked(job)
    if not asked.text:
        raise InputError("The text is empty: give it a few words.")
    progress = ProgressWriter(job.id, 0, watch)
    if isinstance(asked, ServedTokenRequest):
        return _read_there(asked, progress)
    here = answers_at_once(asked.model or None, asked.role)
    progress.say(lambda: "Looking for the model" if here else "Fetching the model", now=True)
    signature = asked.signature()
    if (kept := token_tables.find(signature, asked.text)) is not None:
        return {"signature": signature, "tokens": len(kept), "notices": []}
    progress.say(lambda: "Loading the model", now=True)

    def on_progress(done: int, total: int) -> None:
        progress.done, progress.total = done, total
        progress.say(lambda: "Reading")

    from core.models.tokens.table import read_tokens  # torch, which a worker without such work never needs

    with collecting() as notices:
        (table,) = read_tokens(
            [asked.text],
            model=asked.model or None,
            mode=asked.mode,
            precision=PRECISION,
            top=ALTERNATIVES,
            prompt=asked.prompt,
            on_progress=on_progress,
        )
    return _kept(signature, table, notices)


def _read_there(asked: ServedTokenRequest, progress: ProgressWriter) -> dict[str, Any]:
    """Have a server read a story, if an owner of its study has agreed; a reading that is kept is not asked again."""
    signature = asked.signature()
    if (kept := token_tables.find(signature, asked.text)) is not None:
        return {"signature": signature, "tokens": len(kept), "notices": []}
    consent.check(story_list.study_of(asked.story), asked.endpoint.address)
    progress.say(lambda: f"Asking {asked.endpoint.host}", now=True)
    with collecting() as notices:
        reader = ServedTokens(asked.endpoint, judge_key(asked.endpoint.address), ALTERNATIVES)
        (table,) = reader.read([asked.text])
    return _kept(signature, table, notices)


def _kept(signature: str, table: TokenTable, notices: list[str]) -> dict[str, Any]:
    if not len(table):
        raise InputError("This text has no token that the model could read: give it a few words.")
    token_tables.store(signature, table)
    return {"signature": signature, "tokens": len(table), "notices": notices}


def _asked(job: Job) -> TokenRequest | ServedTokenRequest:
    given = job.settings
    if "endpoint" in given:
        at = Endpoint.from_settings(given["endpoint"])
        return ServedTokenRequest(story_list.text_of(given["story"]), at, given["story"])
    if (number := given.get("story")) is None:
        return TokenRequest(given["text"], given["model"], Mode(given["mode"]))
    story = story_list.read(number)
    prompt = story.prompt.strip() if given.get("prompted") else ""
    return TokenRequest(story.text, given["model"], Mode(given["mode"]), number, prompt)
