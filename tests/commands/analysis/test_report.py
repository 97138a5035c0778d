"""`report`: one HTML file, and the verdict on the screen."""

from pathlib import Path

import pytest

from commands.analysis.report import report
from core.errors import InputError
from core.formats.corpora.union import read_union
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.jobs import jobs
from db.scores import scores, tables
from db.transfer.imports import import_corpora
from tests.db.judged import judged_study
from tests.pages.analysis.report import rated_study

pytestmark = pytest.mark.usefixtures("database")


def test_a_report_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = rated_study("mine [b]")
    out = tmp_path / "r.html"
    report("mine [b]", "good", out, resamples=100, seed=5)
    text = out.read_text(encoding="utf-8")
    assert "Seed 5; 100 draws" in text
    assert "mine [b]" in text
    assert f"The form asks: {study.scheme.question} The ratings were imported, and people may have been asked" in text
    assert "Held against the mean rating, from 1 to 5: 180 ratings of 60 stories, 3 a story" in text
    assert "- The metric's scores rise with human judgments (Pearson's r = " in capsys.readouterr().out


def test_of_a_mean_of_criteria_it_is_not_said_that_the_form_asks_for_it(tmp_path: Path) -> None:
    study = judged_study()
    metric, out = tables.table(study.id).columns[0].metric, tmp_path / "r.html"
    report(study.name, metric, out, resamples=100, target="coherence")
    question = study.scheme.criterion("coherence").question
    assert f"The form asks: {question} " in out.read_text(encoding="utf-8")
    report(study.name, metric, out, resamples=100, target="mean:coherence,empathy")
    text = out.read_text(encoding="utf-8")
    assert "The form asks" not in text
    assert "Held against the mean of coherence and empathy, from" in text


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    rated_study("mine")
    for metric, out, sentence in (
        ("good", tmp_path / "r.pdf", "end in .html"),
        ("good", tmp_path / "no" / "r.html", "cannot be written"),
        ("none", tmp_path / "r.html", "it has good, weak"),
    ):
        with pytest.raises(InputError, match=sentence):
            report("mine", metric, out, resamples=100)
    assert list(tmp_path.glob("*.html")) == []


def test_what_is_being_scored_does_not_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the stories that it has so far it may be the best by luck."""
    study = rated_study("mine")
    table = tables.table(study.id)
    some = dict(zip(table.keys[::2], map(float, table.human[::2]), strict=True))
    scores.import_scores(TERMINAL, study.id, ScoreRecord("bleu", "file:bleu", some))
    report("mine", "good", tmp_path / "r.html", resamples=100)
    assert "number 2 of 3 metrics" in capsys.readouterr().out
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]})
    report("mine", "good", tmp_path / "r.html", resamples=100)
    assert "number 1 of 2 metrics" in capsys.readouterr().out


def test_the_released_scores_of_union(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """UNION (2020), Table 5: r = .3687 on 400 stories; one rater about .28 and the ceiling .748."""
    import_corpora(TERMINAL, "union-roc", [read_union(shared / "union-roc")])
    report("union-roc", "union", tmp_path / "r.html")
    sentence = capsys.readouterr().out
    for words in (
        "The metric's scores rise with human judgments (Pearson's r = 0.37, 95 % interval 0.",
        "what one human rater reaches, 0.28",
        "A perfect metric would reach about 0.75",
        "number 1 of 10 metrics",
        "from mostly poor to mostly good stories its mean r goes from 0.33",
    ):
        assert words in sentence, words
