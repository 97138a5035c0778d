"""The Published page: without a study, with one that gives nothing, and beside the released data."""

from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from core.annotation.studies import Study
from core.formats.corpora.union import read_union
from core.metrics import build
from core.metrics.base import Scores, Settings
from core.people import TERMINAL
from core.published.catalogue import TABLES
from db.scores import scores
from db.transfer import imports
from tests.pages.conftest import Open
from tests.pages.pages import words


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Every test has a database of its own, in which studies are numbered alike."""
    st.cache_data.clear()
    st.cache_resource.clear()


def test_tables_are_there_before_any_study(open_page: Open, owner: str) -> None:
    page = open_page("published", owner)
    assert "UNION (2020) Table 5: of 10 metrics **UNION** follows people best by Pearson's r: 0.37 on ROC" in words(
        page
    )
    assert "This study gives no number of this table" in words(page)
    assert "annotation folder of ROC or WP" in words(page)


def test_every_table_beside_a_study_that_gives_nothing(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("published", owner)
    assert page.selectbox(key=f"stories-{study.id}").value == "None of these"
    for table in TABLES:
        page.selectbox(key="table").select(table.name).run()
        text = words(page)
        assert table.name in text
        said = (
            "gives no number of this table",
            "No study gives a number",
            "no number to compare",
            "what Fabula has agree",
        )
        assert any(name in text for name in said), table.name
        if table.rows and "what Fabula has" not in text:
            assert "Every cell, unrounded" in [item.label for item in page.expander]


def test_a_link_to_a_table(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("", owner)
    page.query_params["table"] = "Perception Score (2020) Table 3"
    page.switch_page("published.py").run()
    assert "Perception Score (2020) Table 3" in words(page)


def test_beside_the_released_data(open_page: Open, served: None, owner: str, shared: Path) -> None:
    imports.import_corpora(TERMINAL, "union-roc", [read_union(shared / "union-roc")])
    page = open_page("published", owner)
    assert "30 of 30** cells" in words(page)
    assert "Compared as the stories of *UNION, ROC*, since the study has as many stories" in words(page)
    assert "0.37 on ROC (the others 0.03 to 0.31). **30" in words(page)  # these are ROC stories
    printed = page.dataframe[0].value
    assert list(printed["ROC r"])[6] == "0.3687* ✓"
    assert list(printed["WP r"])[6] == "0.3663*"
    page.selectbox(key="table").select("UNION (2020) Table 7").run()
    assert "7 of 11** cells" in words(page)
    assert "0.6943 ≠ 0.5564" in page.dataframe[0].value.to_csv()
    assert "does not follow from the released scores" in words(page)
    assert ":red-badge[does not follow]" in words(page)
    assert ":orange-badge[not released]" in words(page)
    page.selectbox(key="table").select("OpenMEVA (2021) Table 12").run()
    assert "all 5" not in words(page)
    assert "5 of 6** cells that are compared with what Fabula has agree" in words(page)
    assert "Compared as the stories of" not in words(page)  # it is about what Fabula has
    page.selectbox(key="table").select("OpenMEVA (2021) Table 11").run()
    assert "This study gives no number of this table" in words(page)
    assert "MANS file" in words(page)


def test_ratings_without_scores_do_not_claim_to_be_the_released_stories(
    open_page: Open, study: Study, owner: str
) -> None:
    """Nobody has looked at their texts: it is said what they are compared as."""
    page = open_page("published", owner)
    page.selectbox(key=f"stories-{study.id}").select("UNION, ROC").run()
    page.selectbox(key="table").select("UNION (2020) Table 5").run()
    assert "Compared as the stories of UNION, ROC, this study gives no number of this table: the reasons" in words(page)
    assert "has the stories" not in words(page)


def test_cells_of_dataset_drift_fill_by_a_checkpoint_of_the_other_corpus(
    open_page: Open, served: None, owner: str, shared: Path
) -> None:
    """The card of the checkpoint behind a score tells what it learnt from: one of both corpora fills nothing."""
    study = imports.import_corpora(TERMINAL, "union-roc", [read_union(shared / "union-roc")])
    page = open_page("published", owner)
    for checkpoint, filled in (("union", 0), ("union-wp", 3)):
        signature = build("union", Settings(options={"checkpoint": checkpoint})).signature
        run = scores.begin_run(study.id, "union", signature)
        stories, _ = scores.pending(study.id, [run], -1, 1000)
        lengths = np.array([float(len(story.story.text)) for story in stories])
        scores.store(study.id, run, [story.content_hash for story in stories], Scores(lengths, {}))
        page.selectbox(key="table").select("UNION (2020) Table 6").run()
        row = page.dataframe[0].value.set_index("").loc["UNION"]
        assert sum("≠" in cell for cell in row) == filled
    assert row["WP to ROC r"].startswith("0.1986* ≠ ")
    assert ":blue-badge[other model]" in words(page)
