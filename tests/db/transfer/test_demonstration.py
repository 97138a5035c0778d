"""The demonstration study, and ratings going out of it."""

import csv
import io
import json
import re

import pytest
from sqlalchemy import select

from core.annotation.studies import StudyState
from core.errors import InputError, NotAllowed
from core.formats.exports.encoding import encoded
from core.formats.exports.rows import TABLES
from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.people import TERMINAL, Person, Role
from core.stories import Source, Story
from db.annotation import panel_submission
from db.engine import reading
from db.judges.judged import judged_study
from db.judges.replies import replies_for
from db.people import people
from db.ratings import ratings
from db.schema import prompt, story
from db.scores import tables
from db.studies import studies
from db.studies.added_negatives import negatives_for
from db.transfer import exports
from db.transfer.demonstration import demonstration, judge_requests, load_demonstration
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator


@pytest.mark.both_databases
def test_it_loads_opens_and_can_be_rated_at_once(database: str) -> None:
    study = load_demonstration(TERMINAL)
    (summary,) = studies.summaries(TERMINAL)
    assert (summary.prompts, summary.stories, summary.references, summary.ratings) == (14, 70, 14, 210)
    assert study.state is StudyState.OPEN
    assert study.demonstration
    assert study.raters_identified
    assert [one.state for one in people.listed(TERMINAL, study.id)] == ["imported"] * 3
    assert people.number_of(TERMINAL, study.id) == 0
    panel = begin(make_annotator(study))
    assert len(panel.stories) == 7
    with pytest.raises(InputError, match="already a study named 'Demonstration'"):
        load_demonstration(TERMINAL)


def test_its_damaged_stories_are_those_that_opening_it_would_make(database: str) -> None:
    study = load_demonstration(TERMINAL)
    stored = select(story.c.key, prompt.c.key.label("prompt"), story.c.text, story.c.source).join(prompt)
    with reading() as connection:
        rows = connection.execute(stored.where(story.c.study_id == study.id).order_by(story.c.position)).all()
        made = negatives_for(connection, study, [row.prompt for row in rows[-14:]])
    assert {row.source for row in rows[-14:]} == {Source.NEGATIVE}
    assert [(row.key, row.text) for row in rows if row.source == Source.NEGATIVE] == [
        (f"{key}-negative", text) for key, text in made.items()
    ]


def test_it_arrives_scored_with_what_a_run_gives(database: str) -> None:
    study = load_demonstration(TERMINAL)
    columns = {column.metric: column for column in tables.table(study.id).columns}
    assert {column.scored for column in columns.values()} == {70}
    quick = ["bleu", "rouge-1", "rouge-l", "words"]
    story_rows = [record for record in demonstration().stories if record.source is Source.SYSTEM]
    people = {record.prompt_key: record.text for record in demonstration().stories if record.source is Source.HUMAN}
    stories = [Story(row.text, row.prompt, (people[row.prompt_key],)) for row in story_rows]
    judge = build("judge:overall", Settings(judged=judged_study(study.id)))
    assert judge.signature == columns["judge:overall"].signature
    _, requests = judge_requests(study.id, judge.signature)
    replies = replies_for([request.key for request in requests.values()])
    assert isinstance(judge, Judge)
    asked = zip(requests.values(), stories, strict=True)
    read = [judge.question.read(replies[request.key], story) for request, story in asked]
    assert read == pytest.approx(columns["judge:overall"].values, abs=1e-4)  # another machine's last bits
    for name in quick:
        metric = METRICS[name](Settings())
        assert metric.signature == columns[name].signature
        assert metric.score(stories).values == pytest.approx(columns[name].values, abs=1e-12)


def test_every_rating_goes_out_with_its_fate(database: str) -> None:
    study = load_demonstration(TERMINAL)
    good, careless = make_annotator(study, "good"), make_annotator(study, "careless")
    for person, human in ((good, 5), (careless, 1)):
        panel = begin(person)
        rate(person, panel, human=human)
        ratings.save_deduction(person, panel.stories[0].token, "chaotic scenes", 2)
        panel_submission.submit(person, panel.token)
    unfinished = begin(make_annotator(study, "unfinished"))
    assert unfinished is not None
    rows = list(exports.ratings_of(TERMINAL, study.id))
    assert len(rows) == 210 + 14
    made_up = [row for row in rows if row.demonstration]
    assert len(made_up) == 210
    assert len({row.annotator for row in made_up}) == 3
    live = [row for row in rows if not row.demonstration]
    assert [row.valid for row in live] == [True] * 7 + [False] * 7
    assert len({row.annotator for row in live}) == 2
    assert all(re.fullmatch("annotator-[0-9a-f]{16}", row.annotator) for row in rows)
    assert [row.annotator for row in exports.ratings_of(TERMINAL, study.id)] == [row.annotator for row in rows]
    assert all("human story was rated 1" in row.reason for row in live[7:])
    assert sorted(row.position or 0 for row in live[:7]) == list(range(1, 8))
    assert sum(row.deductions == {"chaotic scenes": 2} for row in live) == 2
    assert {row.implied for row in live if row.deductions} == {3}

    lines = b"".join(encoded(rows, TABLES["ratings"], "jsonl")).decode().split("\n")[:-1]
    assert len(lines) == 224
    assert json.loads(lines[-1])["valid"] is False
    table = b"".join(encoded(rows, TABLES["ratings"], "csv")).decode()
    read = list(csv.DictReader(io.StringIO(table, newline="")))
    assert [row["story"] for row in read] == [row.story for row in rows]


def test_only_researchers_export(database: str) -> None:
    study = load_demonstration(TERMINAL)
    with pytest.raises(NotAllowed):
        list(exports.ratings_of(make_annotator(study), study.id))
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id]))
    assert researcher is not None
    assert researcher.id is not None
    assert next(iter(exports.ratings_of(researcher, study.id)))
    people.revoke(TERMINAL, researcher.id)
    with pytest.raises(NotAllowed, match="withdrawn"):
        list(exports.ratings_of(researcher, study.id))


def test_invitations_follow_the_role(database: str) -> None:
    study = load_demonstration(TERMINAL)
    researcher = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id]))
    assert isinstance(researcher, Person)
    assert people.invite(researcher, Role.ANNOTATOR, study_id=study.id)
    with pytest.raises(NotAllowed):
        people.invite(researcher, Role.OWNER)
    with pytest.raises(NotAllowed):
        people.invite(make_annotator(study), Role.ANNOTATOR, study_id=study.id)
    with pytest.raises(InputError, match="is not there any more"):
        people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id + 1)
