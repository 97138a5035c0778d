"""Visitors who should get nothing: forged and used-up links, answers sent by hand past the form, pages opened cold."""

import re
from collections.abc import Awaitable, Callable
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener, urlopen

import pytest
from playwright.sync_api import Browser, expect
from sqlalchemy import select, update
from streamlit.proto.WidgetStates_pb2 import WidgetState

from benchmarks.pages.streamlit_client import Element, Session, SessionError
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.stories import Corpus, Source, StoryRecord
from db.annotation import assignments, panel_submission
from db.audit import now
from db.engine import reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import assignment, rating, rating_value
from db.schema import session as session_table
from db.studies import studies
from db.transfer import imports
from routes.admission.layer import CHECKED_EVERY
from tests.apart import run_apart
from tests.browser.conftest import Server, open_tab, settle, sign_in, visit
from tests.browser.form import PHONE, begun, link, open_study
from tests.db.annotation.assignments import rate
from tests.db.conftest import make_study

STAFF = (
    "/overview",
    "/form",
    "/annotators",
    "/export",
    "/studies",
    "/people",
    "/monitor",
    "/judgments",
    "/score",
    "/correlation",
    "/import_data",
)
HOSTILE = (
    r"<img src=x onerror=alert(1)> **bold** $\frac{1}{2}$ :red[x] [go](https://x.org) "
    "\u202eevil\u202c `code` &amp; # top"
)


@pytest.fixture
def server(standing: Server) -> Server:
    """The one that stands, with an empty database."""
    return standing


def invite(study: Study, name: str = "ann") -> str:
    return people.invite(TERMINAL, Role.ANNOTATOR, name=name, study_id=study.id)


def within(server: Server, token: str | None, what: Callable[[Session], Awaitable[None]]) -> list[bytes]:
    """Do something in a session of that visitor; returns every frame that the server sent."""

    async def run() -> list[bytes]:
        async with Session(server.address, token, record=True) as session:
            await what(session)
            return list(session.received or [])

    return run_apart(run())


async def begin(session: Session) -> None:
    await session.open("/annotate")
    await session.press(session.find_button("Begin"))


def overall(session: Session) -> list[Element]:
    return [e for e in session.elements() if e.kind == "button_group" and e.key.startswith("overall-")]


def stored() -> list[tuple[int, float | None]]:
    with reading() as connection:
        return [
            (row.assignment_id, row.value)
            for row in connection.execute(
                select(rating.c.assignment_id, rating_value.c.value).outerjoin(rating_value).order_by(rating.c.id)
            )
        ]


def test_a_stranger_gets_a_page_of_text_and_no_session(server: Server) -> None:
    study = make_study()

    async def look(session: Session) -> None:
        await session.open("/annotate")

    for token in (None, "made-up", "x" * 150):
        with pytest.raises(SessionError, match="HTTP 403"):
            within(server, token, look)
    for path in ("/", "/annotate", *STAFF):
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{server.address}{path}")
        text = refused.value.read().decode()
        assert refused.value.code == 401
        assert "Open the personal link that you were given" in text
        assert "went out" not in text
        assert study.name not in text
        assert "<script" not in text
        assert "Sign in" not in text  # no provider is set up


def test_an_annotators_link_opens_no_other_page(server: Server) -> None:
    token = invite(make_study())

    async def look(session: Session) -> None:
        for path in STAFF:
            await session.open(path)
            assert session.shows("Your link is for rating stories"), path
            assert not [e for e in session.elements() if e.kind in ("button", "arrow_data_frame", "file_uploader")]

    within(server, token, look)


def test_a_used_up_link_rates_nothing_more(server: Server) -> None:
    study = make_study(prompts=1)
    token = invite(study)
    person = people.by_token(token)
    assert person is not None
    panel = assignments.turn(person, claim=True).panel
    assert panel is not None
    rate(person, panel)
    panel_submission.submit(person, panel.token)
    assignments.turn(person)  # they saw that they are done

    class Stay(HTTPRedirectHandler):
        def redirect_request(self, *_: object) -> None:
            return None

    opener = build_opener(Stay)
    with pytest.raises(Exception, match="303"):
        opener.open(Request(f"{server.address}/enter/{token}"))

    async def look(session: Session) -> None:
        await session.open("/annotate")
        assert session.shows("You had finished before")
        assert not [e for e in session.elements() if e.kind == "button"]

    within(server, token, look)


def test_a_revoked_link_closes_while_its_page_is_open(server: Server) -> None:
    study = make_study()
    token = invite(study)
    person = people.by_token(token)

    async def rate_on(session: Session) -> None:
        await begin(session)
        await session.choose(overall(session)[0], "4")
        people.revoke(TERMINAL, (person and person.id) or 0)
        await session.choose(overall(session)[1], "4")
        assert session.shows("not** saved")

    within(server, token, rate_on)
    assert [value for _, value in stored()] == [4.0]


def test_ratings_that_the_form_does_not_offer_sent_by_hand(server: Server) -> None:
    async def forge(session: Session) -> None:
        await begin(session)
        for sent in ("7", "0", "-1", "", "5; DROP TABLE rating", "3.5"):
            group = overall(session)[0]
            state = WidgetState(id=group.id)
            state.string_array_value.data.append(sent)
            await session.send_raw(state, fragment_id=group.fragment_id)
            assert stored() in ([], [(1, None)]), sent
            await session.open("/annotate")
        await session.choose(overall(session)[0], "3")  # the session lives on
        assert session.shows("Saved")

    frames = b"".join(within(server, invite(make_study()), forge))
    assert [value for _, value in stored()] == [3.0]
    assert b"Traceback" not in frames


def test_a_story_of_anothers_panel_sent_by_hand(server: Server) -> None:
    study = make_study()
    other = people.by_token(invite(study, "other"))
    assert other is not None
    theirs = assignments.turn(other, claim=True).panel
    assert theirs is not None

    async def forge(session: Session) -> None:
        await begin(session)
        group = overall(session)[0]
        mine = group.key.removeprefix("overall-")
        for key in (group.id.replace(mine, theirs.stories[0].token), f"overall-{theirs.stories[0].token}"):
            state = WidgetState(id=key)
            state.string_array_value.data.append("1")
            await session.send_raw(state, fragment_id=group.fragment_id)

    within(server, invite(study), forge)
    assert stored() == []


def test_handing_in_anothers_panel_by_hand(server: Server) -> None:
    study = make_study()
    other = people.by_token(invite(study, "other"))
    assert other is not None
    theirs = assignments.turn(other, claim=True).panel
    assert theirs is not None
    rate(other, theirs)

    async def forge(session: Session) -> None:
        await begin(session)
        button = session.find_button("Hand in this panel")
        own = button.key.removeprefix("submit-")
        await session.send_raw(WidgetState(id=button.id.replace(own, theirs.token), trigger_value=True))

    within(server, invite(study), forge)
    with reading() as connection:
        assert set(connection.scalars(select(assignment.c.state))) == {"open"}


def test_a_note_of_a_megabyte_is_refused(server: Server) -> None:
    study = make_study()
    token = invite(study)
    person = people.by_token(token)
    assert person is not None
    panel = assignments.turn(person, claim=True).panel
    assert panel is not None
    rate(person, panel, human=1)
    panel_submission.submit(person, panel.token)

    async def write(session: Session) -> None:
        await session.open("/annotate")
        for note in ("x" * 2**20, "x" * (panel_submission.LONGEST_APPEAL + 1)):
            field = session.find("text_area", label="A note to the study's owner")
            send = session.find_button("Send the note")
            await session.send_raw(
                WidgetState(id=field.id, string_value=note), WidgetState(id=send.id, trigger_value=True)
            )
            assert session.shows(f"this note has {len(note):,}")

    within(server, token, write)
    assert assignments.turn(person).appeal == ""


def test_text_that_would_be_something_else_stays_text(server: Server, browser: Browser) -> None:
    """In the prompt, the stories, the systems, the annotator's name and their note; on both sides of the study."""
    stories = [
        StoryRecord(f"k{i}", "p", HOSTILE, f"{HOSTILE} number {i}", Source.SYSTEM, f"{HOSTILE}{i}") for i in range(2)
    ] + [StoryRecord("h", "p", HOSTILE, "A person wrote this. It has a middle. It ends.", Source.HUMAN)]
    study = imports.import_corpora(TERMINAL, HOSTILE[:200], [Corpus("", tuple(stories))])
    studies.open_study(TERMINAL, study.id)
    token = invite(study, HOSTILE)
    page = browser.new_context().new_page()
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    visit(page, f"{server.address}/enter/{token}")
    page.get_by_role("button", name=re.compile("^Begin")).click()
    settle(page)
    shown = page.locator(".reader-text").filter(has_text="number 1")
    expect(shown).to_have_text(f"{HOSTILE} number 1")
    assert page.locator("img[src=x]").count() == 0
    person = people.by_token(token)
    assert person is not None
    panel = assignments.turn(person).panel
    assert panel is not None
    rate(person, panel, human=1)
    panel_submission.submit(person, panel.token)
    visit(page, server.address)
    page.get_by_text("You think it should count?").click()
    page.get_by_label("A note to the study's owner").fill(HOSTILE)
    settle(page)  # on a busy machine a click that comes while the page is drawn is lost
    page.get_by_role("button", name="Send the note").click()
    expect(page.get_by_text("Your note to the study's owner is kept:")).to_be_visible()
    owner = browser.new_context(viewport={"width": 1280, "height": 1600}).new_page()
    owner.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    sign_in(owner, server)
    for path in ("overview", "judgments", "studies", "monitor"):
        visit(owner, f"{server.address}/{path}?study={study.id}")
        expect(owner.get_by_role("heading", level=1)).to_be_visible()
        assert owner.locator("img[src=x]").count() == 0
        assert owner.get_by_test_id("stException").count() == 0
        assert owner.locator("a[href='https://x.org']").count() == 0
        assert owner.locator(".stApp .katex").count() == 0
    for name in ("People", "Controls", "What if", "Payments", "Log", "Panels"):
        open_tab(owner, name)
        expect(owner.get_by_role("tab", name=name, exact=True)).to_have_attribute("aria-selected", "true")
        settle(owner)
        assert owner.locator("img[src=x]").count() == 0
        assert owner.get_by_test_id("stException").count() == 0
        assert owner.locator(".stApp .katex").count() == 0
    expect(owner.get_by_text("Press a row to read the work")).to_be_visible()
    table = owner.get_by_test_id("stDataFrame").first.bounding_box()
    assert table is not None
    owner.mouse.click(table["x"] + 200, table["y"] + 55)
    expect(owner.get_by_text("The annotator's note, on which nobody has decided:")).to_be_visible()
    owner.get_by_text("Read the stories and answers").click()
    expect(owner.get_by_test_id("stText").filter(has_text=re.compile(r"^<img"))).to_have_count(4)
    assert owner.locator("img[src=x]").count() == 0
    assert alerts == []
    assert ratings.judged_stories(study.id)


def test_whoever_is_ended_on_an_open_page_is_told_so(server: Server, browser: Browser) -> None:
    """An annotator whose place was given back long before the next press, an owner signed out elsewhere, and an
    annotator whose link was revoked.
    """
    study = open_study(prompts=2)
    rates, revoked = (begun(browser.new_context(viewport=PHONE), link(server, study, name)) for name in ("Ann", "Bob"))
    owns = browser.new_context().new_page()
    sign_in(owns, server)
    visit(owns, f"{server.address}/form?form-tab=Quality+rules")
    with writing() as connection:
        connection.execute(update(session_table).values(ended_at=now()))
    people.revoke(TERMINAL, next(row.id for row in people.listed(TERMINAL, study.id) if row.name == "Bob"))
    rates.wait_for_timeout(1000 * (CHECKED_EVERY + 1))
    for page in (rates, revoked):
        page.get_by_role("radio", name="3", exact=True).first.click()
    owns.get_by_role("button", name="Save the rules").click()
    expect(revoked.get_by_text("This link has been withdrawn and no longer works.")).to_be_visible()
    for page in (rates, owns):
        expect(page.get_by_text("Your time here has ended.")).to_be_visible()
    with reading() as connection:
        assert connection.execute(select(rating_value)).all() == []
