"""Example files: each is read by the import that it stands beside, whole and without a notice."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from core.annotation.builtin import SCHEMES
from core.formats.corpora import CORPUS_FORMATS
from core.formats.corpora.judges import read_judges
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export
from core.formats.mturk import as_csv
from core.formats.stories.blocks import survey_of
from core.formats.stories.choice import StoryChoice
from core.formats.stories.trained_rows import table_stories
from core.formats.tables import choose_columns, read_table
from core.formats.uploads import uploaded
from core.formats.uploads.examples import FILES, FOLDER, Example, judges_example, kept_example
from core.home import ROOT
from core.perturb.test_sets.aspects import Aspect


def folder_of(example: Example, folder: Path) -> Path:
    """The folder of an upload: the file, or what its zip holds."""
    if example.name.endswith(".zip"):
        zipfile.ZipFile(BytesIO(example.content)).extractall(folder)
    else:
        (folder / example.name).write_bytes(example.content)
    return folder


@pytest.mark.parametrize("name", CORPUS_FORMATS)
def test_corpora(name: str, tmp_path: Path) -> None:
    corpus = uploaded.corpus(folder_of(kept_example(name), tmp_path), name)
    assert (len(corpus.stories), corpus.notices, corpus.called_like_controls()) == (12, (), {})
    assert len(corpus.ratings) >= 27


def test_tables() -> None:
    survey = survey_of(FOLDER / FILES["stories"], StoryChoice())
    assert (survey.total, survey.references, survey.problem, survey.notices) == (12, 3, "", ())
    assert not survey.called_like_controls()
    ratings = read_export(FOLDER / FILES["ratings"])
    assert (len(ratings.ratings), ratings.notices) == (27, ())
    preferences = read_preferences(FOLDER / FILES["preferences"])
    assert (len(preferences.ratings), preferences.notices) == (18, ())


def test_stories_to_train_on() -> None:
    table = read_table(FOLDER / FILES["human stories"])
    stories = table_stories(table, choose_columns(table, {}))
    assert (len(stories.texts), stories.left_out) == (14, ())


def test_a_test_set(tmp_path: Path) -> None:
    cases = uploaded.tests(folder_of(kept_example("test set"), tmp_path))
    assert [case.label for case in cases] == [1, 0, 1, 0]
    assert {case.aspect for case in cases} == {Aspect.CONSISTENCY}


def test_tokens(tmp_path: Path) -> None:
    assert len(uploaded.gltr(folder_of(kept_example("tokens"), tmp_path))) > 20


def test_a_batch_of_mturk(tmp_path: Path) -> None:
    example = kept_example("mturk")
    batch = uploaded.batch(folder_of(example, tmp_path))
    assert (len(batch.rows), batch.answers) == (3, ("Answer.surveycode",))
    assert as_csv(batch) == example.content


@pytest.mark.parametrize("scheme", [name for name, scheme in SCHEMES.items() if not scheme.unit.of_pairs])
def test_judges_of_every_form(scheme: str, tmp_path: Path) -> None:
    given = SCHEMES[scheme]
    keys = [f"story {number}" for number in range(30)]
    example = judges_example(keys, given)
    brought = read_judges(folder_of(example, tmp_path) / example.name, given, keys)
    assert (len(brought.judges), len(brought.records), brought.notices) == (2, 2 * len(given.criteria), ())
    assert {len(record.values) for record in brought.records} == {20}


def test_every_example_is_listed() -> None:
    text = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    for name in FILES.values():
        assert f"../data/examples/{name}" in text, name
