"""The story that `make demo` tells: each step on three openings of the demonstration, stopped and begun again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.annotation.studies import StudyState
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.annotation import assignments, slots
from db.people import people
from db.scores import scores, tables
from db.studies import studies
from db.transfer import demonstration, imports
from scripts.demonstration import story

pytestmark = pytest.mark.slow
OPENINGS = ("p01", "p02", "p03")


@pytest.fixture
def small(home: Path, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder with an empty database, and a demonstration of three openings to load into it."""
    whole = demonstration.demonstration()
    stories = tuple(record for record in whole.stories if record.prompt_key in OPENINGS)
    keys = {record.key for record in stories}
    corpus = replace(whole, stories=stories, ratings=tuple(r for r in whole.ratings if r.story_key in keys))
    columns = json.loads(demonstration.SCORES.read_text(encoding="utf-8"))
    for column in columns:
        column["values"] = {key: value for key, value in column["values"].items() if key in keys}
    scores = tmp_path / "scores.json"
    scores.write_text(json.dumps(columns), encoding="utf-8")
    monkeypatch.setattr(demonstration, "demonstration", lambda: corpus)
    monkeypatch.setattr(demonstration, "SCORES", scores)
    monkeypatch.setattr(story, "HOME", home)
    return home


def test_a_study_that_was_stopped_while_it_was_loaded_is_completed(small: Path) -> None:
    imports.import_corpora(TERMINAL, demonstration.NAME, [demonstration.demonstration()], demonstration=True)
    study = story.loaded()
    assert study.state is StudyState.OPEN
    assert {column.scored for column in tables.table(study.id).columns} == {15}
    assert story.loaded() == study
    assert len(studies.summaries(TERMINAL)) == 1


def test_the_crowd_goes_on_where_it_was_stopped_and_is_not_asked_twice(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = story.loaded()

    def stopped(crowd: list[tuple[people.Person, object]], *_: object, **__: object) -> int:
        assignments.turn(crowd[0][0], claim=True)  # a panel in hand, which nobody else may have
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(story, "fill", stopped)
        with pytest.raises(KeyboardInterrupt):
            story.rated_by_a_crowd(study)
    said = story.rated_by_a_crowd(study)
    progress = slots.progress(study.id)
    assert (progress.left, progress.open) == (0, 0)
    assert said.startswith(f"{progress.wanted - 9 + progress.rejected} panels handed in; {progress.rejected} rejected")
    assert story.rated_by_a_crowd(study) == "Nobody is needed any more: all ratings are there."
    assert people.number_of(TERMINAL, study.id) == story.CROWD


def test_it_tells_each_step_and_makes_its_findings_anew(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[str, ...]] = []

    def command(*given: str) -> None:
        ran.append(given)
        made = Path(given[given.index("--out") + 1]) if "--out" in given else None
        if made is not None and given[0] == "bundle":
            made.mkdir()  # raises FileExistsError where it is there, as the command refuses it
        elif made is not None:
            made.touch()

    monkeypatch.setattr(story, "command", command)
    monkeypatch.setattr(story, "best", lambda: "perplexity")
    steps = ["score", "judge", "correlate", "report", "bundle"]
    assert story.main() == 0
    assert [words[0] for words in ran] == steps
    told = capsys.readouterr().out
    assert told.count(" s] ") == 7
    assert f"Report:   {small / 'report.html'}" in told
    assert story.main() == 0
    assert [words[0] for words in ran] == steps, "nothing is new, and nothing is made again"
    assert f"Report:   {small / 'report.html'}" in capsys.readouterr().out
    (study,) = (summary.study for summary in studies.summaries(TERMINAL))
    added = ScoreRecord("length", "file:length", {"p01-greedy": 3.0})
    scores.import_scores(TERMINAL, study.id, added)
    assert story.main() == 0
    assert [words[0] for words in ran] == steps * 2


def test_ctrl_c_says_that_it_goes_on_and_a_refusal_ends_it(
    small: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: str) -> None:
        raise KeyboardInterrupt

    for command, status in ((interrupted, story.INTERRUPTED), (_refusing(130), story.INTERRUPTED), (_refusing(2), 2)):
        monkeypatch.setattr(story, "command", command)
        assert story.main() == status
        assert ("make demo goes on from there" in capsys.readouterr().err) == (status == story.INTERRUPTED)


def _refusing(status: int) -> object:
    def command(*_: str) -> None:
        raise story.Refused(status)

    return command


def test_a_command_that_fails_ends_the_story_with_its_status(home: Path) -> None:
    with pytest.raises(story.Refused) as refused:
        story.command("nonsense")
    assert refused.value.status == 2
