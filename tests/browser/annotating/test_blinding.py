"""Blind, provably: everything that the server sends to an annotator's browser in a whole session is read."""

import json
import re
from dataclasses import replace
from itertools import combinations

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from benchmarks.pages.streamlit_client import Element, Session
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.annotation import assignments, settings
from db.engine import reading
from db.people import people
from db.schema import assignment, story
from db.studies import studies
from db.transfer import imports
from tests.apart import run_apart
from tests.browser.annotating.blinding import PROMPTS, SYSTEMS, Wire, marked_corpus
from tests.browser.conftest import Server, visit
from tests.browser.form import all_saved, ready


def opened(scheme: str) -> tuple[Study, str]:
    """A study of two units a person, open, and the token of a link to it."""
    study = studies.create(TERMINAL, f"zqstudy {scheme}", scheme)
    imports.import_corpora(TERMINAL, study.name, [marked_corpus()])
    if study.scheme.pairs is not None:  # two panels, each with two controls and a pair that comes again
        compared = SYSTEMS if study.scheme.pairs.against_human else list(combinations(SYSTEMS, 2))
        pairs = replace(study.scheme.pairs, a_panel=len(compared) * len(PROMPTS) // 2)
        settings.set_form(TERMINAL, study.id, replace(study.scheme, pairs=pairs, comments=True))
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=1))
    settings.set_ends(TERMINAL, study.id, "Do you agree?", study.codes)
    studies.open_study(TERMINAL, study.id)
    return study, people.invite(TERMINAL, Role.ANNOTATOR, name="zqname", study_id=study.id)


def assert_blind(scheme: str, frames: list[bytes], also: bytes = b"") -> None:
    """Nothing that was sent tells of a story what annotators are not to know; `also`: what came beside the frames."""
    sent = b"".join(frames)
    assert len(frames) > 20
    assert b"Then somebody walked" in sent or b"A door opened" in sent  # we do read what is shown
    for secret in (*SYSTEMS, *PROMPTS, "zqkey", "zqauthor", "zqshuffled", "zqstudy", "order_row", "content_hash"):
        assert secret.encode() not in sent + also, (scheme, secret)
    words = [b"negative", b"perturb", b"model_training"] + ([] if scheme == "likeliness" else [b"human"])
    for word in words:
        assert word not in sent.lower(), (scheme, word)
    assert_tokens_are_opaque(sent)


def test_nothing_that_a_browser_gets_tells_where_a_story_is_from(server: Server, browser: Browser) -> None:
    """Consent, two panels, the end; then all that was sent is read: frames, answers, and what became of them."""
    _, token = opened("mans")
    page = browser.new_context().new_page()
    wire = Wire(page)
    visit(page, f"{server.address}/enter/{token}")
    page.get_by_role("button", name="I agree", exact=True).click()
    for turn in (1, 2):
        page.get_by_role("button", name=re.compile("^Begin")).click()
        ready(page, 4)
        for question in page.locator("[class*=st-key-overall-]").all():
            question.get_by_role("radio").last.click()
        all_saved(page, 4)
        if turn == 1:  # a reload in the middle sends the answers back
            page.reload()
            ready(page, 4)
        page.get_by_role("button", name="Hand in this panel").click()
    expect(page.get_by_text("You are done")).to_be_visible()
    assert_blind("mans", wire.frames, b"".join(wire.bodies.values()) + page.content().encode())


@pytest.mark.parametrize("scheme", ["union", "turing", "likeliness", "hanna", "preferences"])
def test_no_frame_of_another_scheme_tells_where_a_story_is_from(server: Server, scheme: str) -> None:
    study, token = opened(scheme)

    async def whole() -> list[bytes]:
        async with Session(server.address, token, record=True) as session:
            await session.open("/annotate")
            await session.press(session.find_button("I agree"))
            for turn in (1, 2):
                if begin := [button for button in buttons(session) if button.text.startswith("Begin")]:
                    await session.press(begin[0])
                for key in questions(session, study.scheme):
                    question = session.find("button_group", key=key)
                    await session.choose(question, len(question.options) - 1)
                if turn == 1:  # a reload in the middle sends the answers back
                    await session.open("/annotate")
                await session.press(next(button for button in buttons(session) if button.key.startswith("submit-")))
            assert session.shows("You are done")
            return session.received or []

    assert_blind(scheme, run_apart(whole()))


def buttons(session: Session) -> list[Element]:
    return [element for element in session.elements() if element.kind == "button"]


def questions(session: Session, scheme: Scheme) -> list[str]:
    """The keys of what is asked of each story or pair."""
    starts = tuple(f"{name}-" for name in scheme.names)
    keys = [element.key for element in session.elements() if element.kind == "button_group"]
    found = [key for key in keys if key.startswith(starts)]
    assert found
    return found


def assert_tokens_are_opaque(sent: bytes) -> None:
    """A token is random: it holds no id, and the same story has another one in every assignment."""
    with reading() as connection:
        rows = connection.scalars(select(assignment.c.stories)).all()
        keys = connection.scalars(select(story.c.key)).all()
    tokens = [token for stories in rows for _, token in stories]
    assert len(set(tokens)) == len(tokens)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{12}", token) for token in tokens)
    assert any(token.encode() in sent for token in tokens)
    assert not any(json.dumps(key).strip('"').encode() in sent for key in keys)


def test_the_same_story_has_another_token_for_everybody(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "s", [marked_corpus()])
    studies.open_study(TERMINAL, study.id)
    seen: dict[str, set[str]] = {}
    for number in range(4):
        person = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, name=str(number), study_id=study.id))
        assert person is not None
        panel = assignments.turn(person, claim=True).panel
        assert panel is not None
        for shown in panel.stories:
            seen.setdefault(shown.text, set()).add(shown.token)
    assert sum(len(tokens) for tokens in seen.values()) == 16
    assert len(set().union(*seen.values())) == 16
