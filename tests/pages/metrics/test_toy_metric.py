"""Adding a metric is one file and one line: a toy one shows up on the page, in the command line, in the docs' test."""

import json
from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import cli
import worker
from core.annotation.studies import Study
from core.metrics import METRICS
from core.metrics.base import Card, Kind, Metric, Progress, Scores
from core.people import TERMINAL, Role
from core.stories import Story
from db.jobs import jobs
from db.people import people
from db.scores import tables
from tests.documented import undocumented
from tests.pages.conftest import Open


class Length(Metric):
    """A toy: how long a story is."""

    name = "toy-length"
    kind = Kind.UNREFERENCED
    needs = frozenset()
    card = Card("How many characters a story has.", "none", "Everything else.")

    def score(self, stories: Sequence[Story], on_progress: Progress | None = None) -> Scores:
        """Characters."""
        return Scores.collect(float(len(story.text)) for story in stories)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METRICS, Length.name, Length)


def test_the_page_has_it(toy: None, study: Study, open_page: Open) -> None:
    page: AppTest = open_page("score", people.invite(TERMINAL, Role.OWNER))
    assert not page.exception
    assert any("toy-length" in group.options for group in page.button_group)
    job = worker.run_job(jobs.add(TERMINAL, "score", study.id, {"metrics": ["toy-length"]}, runner="test"))
    assert job.result is not None
    assert job.result["rows"][0]["signature"] == "toy-length|v:1"
    (column,) = tables.table(study.id).columns
    assert column.values.tolist() == [float(len(text)) for text in tables.table(study.id).texts]


def test_the_command_line_has_it(toy: None, served: None) -> None:
    done = CliRunner().invoke(cli.app, ["metrics", "--json", "-"])
    assert done.exit_code == 0, done.output
    assert "toy-length" in {row["name"] for row in json.loads(done.stdout)["rows"]}


def test_the_docs_must_name_it(toy: None) -> None:
    assert undocumented() == ["| `toy-length` |"]
