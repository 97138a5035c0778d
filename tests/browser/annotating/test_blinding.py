"""Blind, provably: everything that the server sends to an annotator's browser in a whole session is read."""

import json
import re
from dataclasses import replace
from itertools import combinations

from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.annotation.builtin import HANNA
from core.annotation.criterion import PREFERENCE
from core.people import TERMINAL, Role
from db.annotation import assignments, settings
from db.engine import reading
from db.people import people
from db.schema import assignment, story
from db.studies import studies
from db.transfer import imports
from tests.browser.annotating.blinding import PROMPTS, SYSTEMS, Wire, marked_corpus
from tests.browser.conftest import Server, settle, visit


def test_nothing_tells_where_a_story_is_from(server: Server, browser: Browser) -> None:
    for scheme in ("mans", "union", "turing", "likeliness", "hanna", "preferences"):
        a_whole_session(server, browser.new_context().new_page(), scheme)


def a_whole_session(server: Server, page: Page, scheme: str) -> None:
    """Consent, two panels, the end; then all that was sent is read."""
    study = studies.create(TERMINAL, f"zqstudy {scheme}", scheme)
    imports.import_corpora(TERMINAL, study.name, [marked_corpus()])
    if study.scheme.pairs is not None:  # two panels, each with two controls and a pair that comes again
        compared = SYSTEMS if study.scheme.pairs.against_human else list(combinations(SYSTEMS, 2))
        pairs = replace(study.scheme.pairs, a_panel=len(compared) * len(PROMPTS) // 2)
        settings.set_form(TERMINAL, study.id, replace(study.scheme, pairs=pairs, comments=True))
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=1))
    settings.set_ends(TERMINAL, study.id, "Do you agree?", study.codes)
    studies.open_study(TERMINAL, study.id)
    token = people.invite(TERMINAL, Role.ANNOTATOR, name="zqname", study_id=study.id)
    wire = Wire(page)
    visit(page, f"{server.address}/enter/{token}")
    page.get_by_role("button", name="I agree", exact=True).click()
    page.get_by_role("button", name=re.compile("^Begin")).click()
    for turn in (1, 2):
        expect(page.get_by_role("heading", name=re.compile(f"^(Panel|Story) {turn} of 2$"))).to_be_visible(
            timeout=30_000
        )
        fill_in(page)
        if turn == 1:  # a reload in the middle sends the answers back
            page.reload()
            settle(page)
        page.get_by_role("button", name=re.compile("^Hand in")).click()
        if study.scheme.unit.several and turn == 1:
            page.get_by_role("button", name=re.compile("^Begin")).click()
    expect(page.get_by_text("You are done")).to_be_visible()
    sent = b"".join(wire.frames)
    assert len(wire.frames) > 20
    assert b"Then somebody walked" in sent or b"A door opened" in sent  # we do read what is shown
    everything = sent + b"".join(wire.bodies.values()) + page.content().encode()
    for secret in (*SYSTEMS, *PROMPTS, "zqkey", "zqauthor", "zqshuffled", "zqstudy", "order_row", "content_hash"):
        assert secret.encode() not in everything, (scheme, secret)
    words = [b"negative", b"perturb", b"model_training"] + ([] if scheme == "likeliness" else [b"human"])
    for word in words:
        assert word not in sent.lower(), (scheme, word)
    assert_tokens_are_opaque(sent)


def fill_in(page: Page) -> None:
    """Answer every question on the page with its last option."""
    questions = page.locator(", ".join(f"[class*=st-key-{name}-]" for name in ("overall", PREFERENCE, *HANNA.names)))
    # The page's end; while one story makes way for the next, both are there.
    expect(page.get_by_role("button", name=re.compile("^Hand in"))).to_have_count(1)
    settle(page)
    expect(questions.first).to_be_visible()
    for number in range(questions.count()):
        if page.locator(".pair").count() > 1:  # of which one at a time is shown
            page.get_by_role("button", name=re.compile(f"^Pair {number + 1},")).click()
        questions.nth(number).get_by_role("radio").or_(questions.nth(number).get_by_role("button")).last.click()
        expect(page.locator("[data-fabula-saving]")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"Saved at \d"))).to_have_count(page.locator("[class*=st-key-story-]").count())


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
