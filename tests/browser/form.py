"""A study to annotate in the browser, and what the tests of its form share."""

import re

from playwright.sync_api import Browser, BrowserContext, Page, expect
from sqlalchemy import select

from core.annotation.criterion import OVERALL
from core.annotation.studies import Study
from core.people import TERMINAL, Role
from core.stories import Corpus, Source, StoryRecord
from db.engine import reading
from db.people import people
from db.schema import assignment, deduction, rating, rating_value, story
from db.studies import studies
from db.transfer import imports
from tests.browser.conftest import Server, settle, until, visit

PHONE = {"width": 390, "height": 844}
OPENING = "Ida found a letter in the wall."
# Signs that are several code points, or several UTF-16 units, or both.
SIGNS = "The cafe\u0301 was shut 👩‍👩‍👧 and 🦊 slept. Ida read it aloud. Nobody came. The end was near."


def corpus(prompts: int = 3, systems: int = 5) -> Corpus:
    """So many prompts, each with its systems', a human and a negative story."""
    stories = []
    for p in range(prompts):
        opening = f"{OPENING} It was number {p}."
        for number in range(systems):
            text = SIGNS if number == 0 else f"She opened it {number} times. It was empty. She put it back."
            stories.append(StoryRecord(f"{p}-{number}", f"p{p}", opening, text, Source.SYSTEM, f"system {number}"))
        human = f"It was from her aunt, about house {p}. Ida laughed and wrote back."
        stories.append(StoryRecord(f"{p}-human", f"p{p}", opening, human, Source.HUMAN))
        negative = f"Wrote back and. It was house {p} from. Laughed laughed the aunt."
        stories.append(StoryRecord(f"{p}-negative", f"p{p}", opening, negative, Source.NEGATIVE))
    return Corpus("", tuple(stories))


def open_study(scheme: str = "mans", prompts: int = 3) -> Study:
    """A study of these stories, open."""
    study = studies.create(TERMINAL, f"letters {scheme}", scheme)
    imports.import_corpora(TERMINAL, study.name, [corpus(prompts)])
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def link(server: Server, study: Study, name: str = "somebody") -> str:
    """A personal link."""
    return f"{server.address}/enter/{people.invite(TERMINAL, Role.ANNOTATOR, name=name, study_id=study.id)}"


def begun(context: BrowserContext, address: str) -> Page:
    """A page that shows the first panel of this link."""
    page = context.new_page()
    visit(page, address)
    begin(page)
    return page


def begin(page: Page) -> None:
    """Press the button that begins a panel, and wait for the panel's end."""
    page.get_by_role("button", name=re.compile("^Begin")).click()
    ready(page)


def ready(page: Page, stories: int = 1) -> None:
    """Wait until a panel is drawn to its end, with all its controls, and the keys speak of it."""
    until(
        page,
        """stories => {
          const panel = document.querySelector(".navigator")?.dataset.panel;
          const drawn = document.querySelectorAll("[class*=st-key-story-] [role=radiogroup]").length;
          return panel && document.querySelector(`.st-key-submit-${panel}`) && drawn >= stories;
        }""",
        stories,
    )
    settle(page)


def all_saved(page: Page, stories: int) -> None:
    """Wait until the page says of so many stories that they are saved, and of none that it is being saved."""
    expect(page.locator("[data-fabula-saving]")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"Saved at \d"))).to_have_count(stories)


def desk(browser: Browser) -> BrowserContext:
    """A browser on a desk."""
    return browser.new_context(viewport={"width": 1280, "height": 1000})


def tokens() -> dict[str, str]:
    """Source of every story shown, by token: the database knows, the browser does not."""
    with reading() as connection:
        sources = {row.id: row.source for row in connection.execute(select(story.c.id, story.c.source))}
        rows = connection.scalars(select(assignment.c.stories)).all()
    return {token: sources[story_id] for stories in rows for story_id, token in stories if token}


def stored() -> dict[str, tuple[float | None, dict[str, int], dict[str, list[str]]]]:
    """Of every story answered: overall, deductions, and the words of its evidence, by token."""
    result = {}
    with reading() as connection:
        for row in connection.execute(select(assignment.c.id, assignment.c.stories)).all():
            for story_id, token in row.stories:
                mine = (rating.c.assignment_id == row.id) & (rating.c.story_id == story_id)
                item = connection.execute(select(rating).where(mine)).one_or_none()
                if item is None:
                    continue
                text = connection.execute(select(story.c.text).where(story.c.id == story_id)).scalar_one()
                given = connection.execute(select(deduction).where(deduction.c.rating_id == item.id)).all()
                said = (rating_value.c.rating_id == item.id) & (rating_value.c.criterion == OVERALL)
                overall = connection.scalar(select(rating_value.c.value).where(said))
                spans = {d.error_type: [text[start:end] for start, end in d.spans] for d in given if d.spans}
                result[token] = (overall, {d.error_type: d.points for d in given}, spans)
    return result


def shown_order(page: Page) -> list[str]:
    """Tokens of the stories on the page, from top to bottom."""
    classes = page.locator("[class*='st-key-story-']").evaluate_all("found => found.map(one => one.className)")
    return [re.search(r"st-key-story-(\S+)", names).group(1) for names in classes]  # type: ignore[union-attr]
