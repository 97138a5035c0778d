"""A judge's way in a browser: chosen on the page Run metrics, run here or on a server, tried on the Judges page."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from sqlalchemy import select

from core.annotation.studies import Study
from db.engine import engine, reading
from db.schema import metadata
from tests.browser.conftest import Server, open_tab, settle, sign_in, visit
from tests.db.judged import judged_study
from tests.judges.server import KEY, MODEL, JudgeServer, score_of
from tests.terminal import good

STORIES = 12
VERDICT = re.compile(r"^judge\S*: on coherence too little is rated for a verdict\.$")
"""Of twelve stories no judge passes or fails."""


@pytest.fixture
def locked_server(judge_server: JudgeServer, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    """A judge's server that wants a key and repeats it in every reply; Fabula is started with it."""
    judge_server.key = KEY
    judge_server.says = lambda text: f"{score_of(text)}, as {KEY} may know."
    monkeypatch.setenv("FABULA_JUDGE_KEY", KEY)
    return judge_server


def score_page(server: Server, browser: Browser, study: Study) -> Page:
    """The owner on the page Run metrics, with the judge alone chosen."""
    page = browser.new_context(viewport={"width": 1280, "height": 1800}).new_page()
    sign_in(page, server)
    visit(page, f"{server.address}/score?study={study.id}")
    for name in ("perplexity", "acceptability", "words", "judge"):
        page.get_by_role("button", name=name, exact=True).click()
        settle(page)
    expect(page.get_by_text("What the judge is asked about")).to_be_visible()
    return page


def run(page: Page, says: str) -> None:
    settle(page)  # while a run of the page moves the button, there may be two
    page.get_by_role("button", name="Run the metrics").click()
    expect(page.get_by_text(says).first).to_be_visible(timeout=120_000)
    settle(page)


def fill(page: Page, label: str, text: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Enter")
    settle(page)


def see_verdict(page: Page, server: Server, study: Study) -> None:
    """From the page Run metrics's link to the sentence on the Judges page."""
    page.get_by_role("link", name="Which judge deserves trust?").click()
    expect(page.get_by_role("heading", level=1, name="Judges")).to_be_visible()
    visit(page, f"{server.address}/judges?study={study.id}&target=coherence&draws=100")
    expect(page.locator(".js-plotly-plot").first).to_be_visible()
    open_tab(page, "May it replace a person?")
    expect(page.get_by_role("listitem").filter(has_text=VERDICT)).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_the_bundled_judge_from_a_wording_of_ones_own_to_its_agreement(server: Server, browser: Browser) -> None:
    """It reads three stories alone, those of a half: the model takes seconds for each."""
    page = score_page(server, browser, judged_study(prompts=2))
    page.locator("summary").filter(has_text="What the judge is told").click()
    expect(page.get_by_text("Answer with the number alone.").first).to_be_visible()
    page.get_by_label("Name", exact=True).fill("mine")
    page.get_by_label("Of one story").fill("{story}\nHow good is it? Answer with a number alone.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("The study's own wording is run on")).to_be_visible()
    settle(page)
    run(page, "3 scores computed in")
    page.get_by_role("link", name="Which judge deserves trust?").click()
    expect(page.get_by_role("heading", level=1, name="Judges")).to_be_visible()
    open_tab(page, "Wording")
    expect(page.get_by_text("1 version of the wording was tried, over 3 rated stories.")).to_be_visible()
    expect(page.get_by_role("button", name="Run mine.1 on the held-out half")).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_a_judge_on_a_server_from_consent_to_a_verdict(
    locked_server: JudgeServer, server: Server, browser: Browser, home: Path, tmp_path: Path
) -> None:
    """What it costs is said before, nothing is asked twice, and the key is nowhere."""
    study = judged_study(prompts=STORIES // 3)
    page = score_page(server, browser, study)
    page.get_by_text("a server", exact=True).click()
    settle(page)
    fill(page, "Base address", locked_server.address)
    fill(page, "Model", MODEL)
    settle(page)
    expect(page.get_by_role("button", name="Run the metrics")).to_be_disabled()
    page.get_by_role("button", name="I agree that they are sent there").click()
    page.get_by_text("Pace, length and cost").click()
    fill(page, "Price of a million tokens read", "2.50")
    expect(page.get_by_text(f"{STORIES} requests to 127.0.0.1")).to_be_visible()
    assert not locked_server.asked
    run(page, f"{STORIES} scores computed in")
    assert len(locked_server.asked) == STORIES
    page.locator("summary").filter(has_text="What the judge is told").click()
    expect(page.get_by_text(re.compile(r"^stand-in-judge@\S+: score [1-5]$"))).to_be_visible()
    expect(page.get_by_text("as … may know.").first).to_be_visible()
    seen = [page.content()]
    run(page, "0 scores computed in")
    expect(page.get_by_text("All of this is stored already")).to_be_visible()
    assert len(locked_server.asked) == STORIES
    see_verdict(page, server, study)
    seen.append(page.content())
    for path in ("studies", "monitor", "people"):
        visit(page, f"{server.address}/{path}?study={study.id}")
        seen.append(page.content())
    server.stop()
    assert [text for text in (*seen, *rows(), *files(study, home, tmp_path)) if KEY in text] == []


def rows() -> Iterator[str]:
    """All that the database holds, a text a table."""
    with reading() as connection:
        for table in metadata.sorted_tables:
            yield repr(connection.execute(select(table)).all())
    engine().dispose()


def files(study: Study, home: Path, folder: Path) -> Iterator[str]:
    """The home folder with its logs, exports in both forms, and a backup, whose archives are opened."""
    good("export", "--study", study.name, "--format", "csv", "--out", str(folder / "out"), home=home)
    good("export", "--study", study.name, "--format", "jsonl", "--out", str(folder / "out.zip"), home=home)
    good("backup", str(folder / "backup.zip"), home=home)
    paths = [path for root in (home, folder / "out") for path in root.rglob("*") if path.is_file()]
    paths += [path for path in folder.iterdir() if path.is_file()]
    assert len(paths) > 5
    for path in paths:
        if path.is_relative_to(home / "models"):
            continue
        content = path.read_bytes()
        yield content.decode("latin-1")
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from (archive.read(name).decode("latin-1") for name in archive.namelist())
