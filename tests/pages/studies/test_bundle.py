"""The findings on a study's page Export: a zip where there are any, else a sentence."""

import zipfile
from io import BytesIO

from core.people import TERMINAL
from core.report.bundle import BundleChoice
from db.studies import lifecycle, studies
from pages.ui.export.bundle import _zip
from tests.db.conftest import make_study
from tests.pages.analysis.report import rated_study
from tests.pages.conftest import Open


def test_a_study_with_findings_has_a_button_and_one_without_a_sentence(open_page: Open, owner: str) -> None:
    rated_study("found")
    page = open_page("export", owner)
    assert not page.exception
    assert "Download the findings (zip)" in [item.proto.label for item in page.get("download_button")]
    lifecycle.archive(TERMINAL, studies.find("found").id)
    make_study("new")
    page = open_page("export", owner)
    assert not page.exception
    assert "Download the findings (zip)" not in [item.proto.label for item in page.get("download_button")]
    assert any("There are none yet" in caption.value for caption in page.caption)


def test_the_zip_holds_the_folder(served: None) -> None:
    study = rated_study("found")
    content = _zip(TERMINAL, study.id, BundleChoice(data=True, resamples=20))
    with zipfile.ZipFile(BytesIO(content)) as archive:
        assert {"index.html", "data/scores.csv", "manifest.json"} < set(archive.namelist())


def test_preferences_are_of_the_criterion_that_is_chosen(open_page: Open, owner: str) -> None:
    study = studies.create(TERMINAL, "six", "hanna")
    page = open_page("export", owner)
    page.selectbox(key=f"preferences-{study.id}").select("coherence").run()
    links = [item.proto.url for item in page.get("link_button")]
    assert f"/download/{study.id}/preferences?target=coherence" in links
    assert f"/download/{study.id}/sheet" in links
