"""Turing studies of before there were panels of pairs: what they hold says what it said, and goes on."""

import json
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import insert, select

from core.analysis.judgments.judgments import summarise
from core.annotation.target import on_target, usual_target
from core.people import TERMINAL, Person, Role
from core.stories import Source
from db.annotation import assignments, panel_submission, slots
from db.engine import reading, writing
from db.migrate import migrate
from db.ratings import ratings
from db.ratings.preferences import preferences_of
from db.schema import assignment, pair, person, prompt, rating, rating_value, story, study
from db.studies import studies
from tests.db.single_pairs import BEFORE, JUDGED

pytestmark = pytest.mark.both_databases


def lines(table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (BEFORE / f"{table}.jsonl").read_text().splitlines()]


def as_it_was(*, people: bool = True, state: str = "open") -> int:
    """That study in the tables of then; without the human stories where not `people`, and then with imports alone."""
    manifest = json.loads((BEFORE / "manifest.json").read_text())["study"]
    migrate("0015")
    with writing() as connection:
        row = {"name": "before", "scheme": "turing", "rules": manifest["rules"], "state": state, "form": None}
        rest = {"raters_identified": True, "demonstration": False, "guideline_version": "1"}
        created = {"created_at": datetime.fromisoformat("2026-01-01T00:00:00+00:00")}
        study_id = connection.execute(insert(study).values(**row, **rest, **created).returning(study.c.id)).scalar_one()
        stories = [item for item in lines("stories") if people or item["source"] != Source.HUMAN]
        prompts: dict[str, int] = {}
        ids: dict[str, int] = {}
        for at, item in enumerate(stories):
            if item["prompt_id"] not in prompts:
                given = {"study_id": study_id, "key": item["prompt_id"], "position": at, "text": item["prompt"]}
                query = insert(prompt).values(**given).returning(prompt.c.id)
                prompts[item["prompt_id"]] = connection.execute(query).scalar_one()
            given = {"study_id": study_id, "prompt_id": prompts[item["prompt_id"]], "key": item["story_id"]}
            given |= {"position": at, "source": item["source"], "system": item["system"], "text": item["story"]}
            query = insert(story).values(**given, sentences=[], content_hash=str(at)).returning(story.c.id)
            ids[item["story_id"]] = connection.execute(query).scalar_one()
        _add_panels(connection, study_id, prompts, ids, imports_alone=not people)
    return study_id


def _add_panels(
    connection: Any, study_id: int, prompts: dict[str, int], ids: dict[str, int], *, imports_alone: bool
) -> None:
    who: dict[str, int] = {}
    panels: dict[int, int] = {}
    for item in lines("panels"):
        if imports_alone and item["state"] != "imported":
            continue
        name, moment = item["annotator"], datetime.fromisoformat(item["started_at"])
        if item["state"] != "imported" and name not in who:
            given = {"name": name, "role": Role.ANNOTATOR, "token_hash": name, "study_id": study_id}
            query = insert(person).values(**given, created_at=moment).returning(person.c.id)
            who[name] = connection.execute(query).scalar_one()
        given = {"study_id": study_id, "prompt_id": prompts[item["prompt_id"]], "person_id": who.get(name)}
        given |= {"rater": "" if name in who else name, "state": item["state"], "valid": item["valid"], "reason": ""}
        given |= {"stories": [[ids[key], f"{item['panel']}-{key}"] for key in item["stories"]]}
        given |= {"started_at": moment, "guideline_version": "1", "app_version": "0", "order_row": item["order_row"]}
        given |= {"submitted_at": moment if item["valid"] else None, "lease_until": moment}
        given |= {"story_id": ids.get(item["story_id"])}
        query = insert(assignment).values(**given).returning(assignment.c.id)
        panels[item["panel"]] = connection.execute(query).scalar_one()
    for item in lines("ratings"):
        if item["panel"] in panels:
            given = {"assignment_id": panels[item["panel"]], "story_id": ids[item["story_id"]]}
            query = insert(rating).values(**given, updated_at=datetime.fromisoformat(item["saved_at"]))
            rating_id = connection.execute(query.returning(rating.c.id)).scalar_one()
            said = {"rating_id": rating_id, "criterion": "overall", "value": item["overall"]}
            connection.execute(insert(rating_value).values(**said))


def shares(study_id: int) -> dict[str, tuple[int, float]]:
    """The counted ratings of each system, and its M1."""
    opened = studies.get(study_id)
    scheme = on_target(opened.scheme, usual_target(opened.scheme))
    judged = ratings.judged_stories(study_id)
    found = summarise(judged, scheme, annotators=None, raters_identified=True, resamples=0).shares
    counts = {group: sum(len(item.ratings) for item in judged if item.group == group) for group in found}
    return {group: (counts[group], figures["m1"].value or 0.0) for group, figures in found.items()}


def test_judgments_say_what_they_said(database: str) -> None:
    study_id = as_it_was()
    migrate()
    found = preferences_of(study_id)
    given = zip(found.first_story, found.second_story, found.choice.tolist(), strict=True)
    assert sorted(given) == JUDGED
    assert shares(study_id) == {"one": (5, 1.0), "two": (5, 0.2)}
    migrate("0015")  # whose program reads panels of pairs as well
    migrate()
    assert shares(study_id) == {"one": (5, 1.0), "two": (5, 0.2)}


def test_work_in_hand_goes_on(database: str) -> None:
    study_id = as_it_was()
    migrate()
    with reading() as connection:
        row = connection.execute(select(person).where(person.c.name == "annotator-b2d3370e1b0be376")).one()
        designed = connection.execute(select(pair)).all()
    assert len(designed) == 4  # every system's story beside the human one
    annotator = Person(row.id, row.name, Role.ANNOTATOR, study_id)
    panel = assignments.turn(annotator).panel
    assert panel is not None
    (shown,) = panel.pairs
    assert [item.text[:6] for item in shown.stories] == ["Nobody", "She pu"]
    assert shown.answer.values == {"preference": 1}  # as it was answered: the second is better
    ratings.save_value(annotator, shown.stories[0].token, 0, "preference")
    panel_submission.submit(annotator, panel.token)
    assert assignments.turn(annotator, claim=True).panel is None  # they have had both prompts, and get no third panel
    assert slots.progress(study_id).valid == 8
    assert shares(study_id)["one"] == (6, 1.0)


def test_a_draft_is_designed_when_it_is_opened(database: str) -> None:
    study_id = as_it_was(state="draft")
    migrate()
    asked = studies.get(study_id).scheme
    assert (asked.unit, asked.question, asked.controls) == ("pairs", "Which of the two goes on better?", False)
    assert asked.pairs is not None
    assert (asked.pairs.a_panel, asked.pairs.against_human, asked.pairs.repeat) == (1, True, False)
    studies.open_study(TERMINAL, study_id)
    assert slots.progress(study_id).wanted == 4 * 3


def test_ratings_without_human_stories_stay_ratings(database: str) -> None:
    study_id = as_it_was(people=False)
    migrate()
    changed = studies.get(study_id)
    assert (changed.scheme_key, changed.scheme.unit) == ("criteria", "story")
    assert changed.scheme.main.label(1) == "Better than the human story"
    assert shares(study_id) == {"one": (2, 1.0), "two": (1, 0.0)}
