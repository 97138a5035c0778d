"""The findings on a study's page Export: a zip where there are any, else a sentence."""

import zipfile
from io import BytesIO

from core.people import TERMINAL
from core.report.files.bundle import BundleChoice
from db.studies import lifecycle, studies
from db.transfer.preference_rows import pairs_kept
from pages.ui.export.bundle import _zip
from tests.db.conftest import make_study
from tests.pages.analysis.report import rated_study
from tests.pages.conftest import Open
from tests.pages.pages import words


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
    assert any("There are no pairs yet" in caption.value for caption in page.caption)
    page.selectbox(key=f"preferences-{study.id}").select("coherence").run()
    links = [item.proto.url for item in page.get("link_button")]
    assert f"/download/{study.id}/preferences?target=coherence" in links
    assert f"/download/{study.id}/sheet" in links
    labels = {item.proto.label for item in page.get("link_button")}
    assert "What the columns mean" in [item.label for item in page.expander]
    assert "**relevance, coherence, empathy, surprise, engagement, complexity**: the rating" in words(page)
    assert {"Ratings as a sheet (CSV)", "Parquet (zip)", "Preferences (zip)", "Chosen and rejected (zip)"} <= labels


def test_a_least_margin_says_how_many_pairs_it_keeps(open_page: Open, owner: str) -> None:
    study = rated_study("apart")
    page = open_page("export", owner)
    every = pairs_kept(TERMINAL, study.id, "overall", 0)
    assert every.ties
    kept = f"Keeps all {every.kept} pairs whose means differ. {every.ties} ties are left out of *Chosen and rejected*"
    assert any(caption.value.startswith(kept) for caption in page.caption)
    assert page.number_input(key=f"margin-{study.id}").step == 0.1
    page.number_input(key=f"margin-{study.id}").set_value(1.5).run()
    far = pairs_kept(TERMINAL, study.id, "overall", 1.5)
    assert 0 < far.kept < every.kept
    assert (
        f"Keeps {far.kept} of {far.differing} pairs whose means differ. Closer pairs and {far.ties} ties are left out."
    ) in [caption.value for caption in page.caption]
    links = [item.proto.url for item in page.get("link_button")]
    assert f"/download/{study.id}/chosen?target=overall&margin=1.5" in links
    for wrong in (-1.0, 9.0):
        page.number_input(key=f"margin-{study.id}").set_value(wrong).run()
        assert not page.exception
        said = f"A least margin is from 0 to 4 points, the width of the scale, not {wrong:g}."
        assert said in [message.value.replace("\\", "") for message in page.info]
        assert not any("/chosen" in item.proto.url for item in page.get("link_button"))


def test_compared_pairs_are_asked_for_no_margin(open_page: Open, owner: str) -> None:
    study = studies.create(TERMINAL, "pairs", "preferences")
    page = open_page("export", owner)
    assert not page.exception
    assert not page.number_input
    assert f"/download/{study.id}/chosen" in [item.proto.url for item in page.get("link_button")]
