"""The data of a study's preview. It only reads: no place is taken, nobody is counted."""

import secrets

from sqlalchemy import Connection, select

from core.annotation.panel import Answer, Panel, PanelStory, balanced_order, letter
from core.annotation.rehearsal import RehearsedPanel
from core.annotation.studies import Study
from core.people import Person, Role
from core.stories import Source
from db.annotation import slots
from db.annotation.assignments import panel_limit, stories_for
from db.engine import reading
from db.people import people
from db.schema import prompt, story
from db.studies import studies


def panels_per_annotator(by: Person, study_id: int) -> int:
    """How many panels (stories, pairs) one annotator of the study can get; 0 where it has no stories to rate."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        return panel_limit(connection, studies.locked(connection, study_id, lock=False))


def panel(by: Person, study_id: int, number: int) -> RehearsedPanel | None:
    """The study's panel of the prompt in place `number`, from 0, its stories in an order of the balanced design; None
    after the last. A control that the study lacks is made as it is when the study is opened.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        slot = slots.nth(connection, study, number)
        return None if slot is None else _panel(connection, study, slot, number)


def _panel(connection: Connection, study: Study, slot: slots.Slot, number: int) -> RehearsedPanel:
    opening = connection.execute(select(prompt).where(prompt.c.id == slot.prompt_id)).one()
    chosen = [row.id for row in stories_for(connection, study, slot)]
    texts = {row.id: row for row in connection.execute(select(story).where(story.c.id.in_(chosen)))}
    shown = [(Source(texts[story_id].source), texts[story_id].text) for story_id in chosen]
    if study.scheme.controls and all(source is not Source.NEGATIVE for source, _ in shown):
        negatives = studies.negatives_for(connection, study, [opening.key])
        shown.append((Source.NEGATIVE, negatives[opening.key]))
    ordered = [(secrets.token_urlsafe(9), *shown[i]) for i in balanced_order(len(shown), number)]
    return RehearsedPanel(
        Panel(
            token=ordered[0][0],
            prompt=opening.text if study.scheme.shows_prompt else "",
            stories=tuple(
                PanelStory(token, letter(place), text, Answer()) for place, (token, _, text) in enumerate(ordered)
            ),
        ),
        {token: source for token, source, _ in ordered},
    )
