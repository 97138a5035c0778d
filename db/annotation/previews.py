"""The data of a study's preview. It only reads: no place is taken, nobody is counted."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from core.annotation.pair_design import Pair, sides_of
from core.annotation.panel import Answer, Panel, PanelPair, PanelStory, balanced_order, letter
from core.annotation.rehearsal import RehearsedPanel
from core.annotation.studies import Study
from core.errors import InputError
from core.people import Person, Role
from core.perturb.negatives.controls import Unlike, unlike
from core.perturb.negatives.writing import MOST, placeholder, stands_for_names
from core.stories import Source
from db.annotation import slots
from db.annotation.assignments import panel_limit, stories_for
from db.engine import reading
from db.people import people
from db.schema import prompt, story
from db.studies import added_negatives, pair_panels, story_texts, studies


class DamagedStory(NamedTuple):
    """A damaged story with its prompt; `own`: a system's story of the same prompt to read beside it, and by which
    `system` it is.
    """

    prompt: str
    text: str
    system: str
    own: str


def panels_per_annotator(by: Person, study_id: int) -> int:
    """How many panels (stories, pairs) one annotator of the study can get; 0 where it has no stories to rate."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        if study.scheme.unit.of_pairs:
            most = len(_designed(connection, study))
            return min(most, study.rules.assignments_a_person or most)
        return panel_limit(connection, study)


def given_out(by: Person, study_id: int) -> tuple[list[int], int]:
    """How many panels (stories) are still to come of each prompt, of which one annotator gets one at most, or of each
    panel of pairs; and how many of all these one annotator can get. Of pairs that are in no panel yet it is what
    opening the study will make.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        if study.scheme.unit.of_pairs and not slots.for_one_person(connection, study):
            panels = len(_designed(connection, study))
            return [study.rules.ratings_wanted] * panels, min(panels, study.rules.assignments_a_person or panels)
        return slots.wanted_of_each(connection, study), panel_limit(connection, study)


def damaged(by: Person, study_id: int, start: int, most: int) -> tuple[list[DamagedStory], int]:
    """Prompts from place `start` on, at most so many, each with the damaged story that its panels hold or will hold
    once the study is open, and a story to compare it with; and of how many prompts there is one.

    Which system's story that is goes round from prompt to prompt, so that a weak one is not read alone, or never.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        by_systems = (story.c.study_id == study_id) & (story.c.source == Source.SYSTEM)
        rated = select(story.c.prompt_id).where(by_systems)
        prompts = connection.execute(select(prompt).where(prompt.c.id.in_(rated)).order_by(prompt.c.position)).all()
        shown = prompts[start : start + most]
        own: dict[int, list[tuple[str, str]]] = {row.id: [] for row in shown}
        for row in connection.execute(
            select(story.c.prompt_id, story.c.system, story.c.text)
            .where(by_systems, story.c.prompt_id.in_(own))
            .order_by(story.c.system, story.c.position)
        ):
            own[row.prompt_id].append((row.system, row.text))
        known = connection.execute(
            select(story.c.prompt_id, story.c.text)
            .where(story.c.prompt_id.in_([row.id for row in shown]), story.c.source == Source.NEGATIVE)
            .order_by(story.c.system.desc(), story.c.position.desc())
        )
        texts = {row.prompt_id: row.text for row in known}  # the first of several, as in `stories_for`
        if lacking := [row for row in shown if row.id not in texts]:
            made = added_negatives.negatives_for(connection, study, [row.key for row in lacking])
            texts |= {row.id: made[row.key] for row in lacking}
        beside = {row.id: own[row.id][place % len(own[row.id])] for place, row in enumerate(shown, start)}
        return [DamagedStory(row.text, texts[row.id], *beside[row.id]) for row in shown], len(prompts)


def unlike_lenders(by: Person, study_id: int) -> Unlike | None:
    """Whether the damaged stories that are still to be made would be known by how they are written; None: they are
    not.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
    rated = story_texts.spread(study_id, MOST)
    with reading() as connection:
        human = connection.execute(
            select(prompt.c.key, story.c.text)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == study_id, story.c.source == Source.HUMAN)
            .order_by(story.c.position)
        )
        return unlike(((row.key, row.text) for row in human), rated)


def placeholder_of(by: Person, study_id: int) -> str:
    """What stands for names in the stories to rate; "" where names do."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
    return placeholder(story_texts.spread(study_id, MOST))


def lenders_without_masks(by: Person, study_id: int) -> str:
    """What stands for names in the stories to rate, where the human stories of which damaged ones are made have names
    themselves; "" where it is not so.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        texts = select(story.c.text).where(story.c.study_id == study_id, story.c.source == Source.HUMAN)
        human = [row.text for row in connection.execute(texts.order_by(story.c.position).limit(MOST))]
    return stands_for_names(story_texts.spread(study_id, MOST), human)


def panel(by: Person, study_id: int, number: int) -> RehearsedPanel | None:
    """The study's panel of the prompt in place `number`, from 0, its stories in an order of the balanced design; None
    after the last. A control that the study lacks is made as it is when the study is opened.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        if study.scheme.unit.of_pairs:
            panels = _designed(connection, study)
            return _pairs(connection, study, panels[number], number) if number < len(panels) else None
        slot = slots.nth(connection, study, number)
        return None if slot is None else _panel(connection, study, slot, number)


def _designed(connection: Connection, study: Study) -> list[list[Pair]]:
    """The study's panels of pairs, none as long as its stories make none."""
    try:
        return pair_panels.as_opened(connection, study)
    except InputError:
        return []  # opening the study says what is missing


def _pairs(connection: Connection, study: Study, pairs: Sequence[Pair], number: int) -> RehearsedPanel:
    chosen = [sides_of(pair, number) for pair in pairs]
    wanted = {story_id for pair in chosen for story_id in pair}
    rows = connection.execute(
        select(story.c.id, story.c.source, story.c.text, prompt.c.text.label("opening"))
        .join(prompt, prompt.c.id == story.c.prompt_id)
        .where(story.c.id.in_(wanted))
    )
    about = {row.id: (Source(row.source), row.text, row.opening) for row in rows}
    lacking = connection.execute(select(prompt).where(prompt.c.id.in_({-i for i in wanted - about.keys()}))).all()
    if lacking:
        damaged = added_negatives.negatives_for(connection, study, [row.key for row in lacking])
        about |= {-row.id: (Source.NEGATIVE, damaged[row.key], row.text) for row in lacking}
    shown = [[about[story_id] for story_id in pair] for pair in chosen]
    sources: dict[str, Source] = {}
    made = []
    for pair in shown:
        both = []
        for place, (source, text, _) in enumerate(pair):
            both.append(PanelStory(secrets.token_urlsafe(9), letter(place), text, Answer()))
            sources[both[-1].token] = source
        made.append(PanelPair(pair[0][2] if study.scheme.shows_prompt else "", (both[0], both[1]), Answer()))
    stories = tuple(story for pair in made for story in pair.stories)
    return RehearsedPanel(Panel(stories[0].token, "", stories, tuple(made)), sources)


def _panel(connection: Connection, study: Study, slot: slots.Slot, number: int) -> RehearsedPanel:
    opening = connection.execute(select(prompt).where(prompt.c.id == slot.prompt_id)).one()
    chosen = [row.id for row in stories_for(connection, study, slot)]
    texts = {row.id: row for row in connection.execute(select(story).where(story.c.id.in_(chosen)))}
    shown = [(Source(texts[story_id].source), texts[story_id].text) for story_id in chosen]
    if study.scheme.controls and all(source is not Source.NEGATIVE for source, _ in shown):
        negatives = added_negatives.negatives_for(connection, study, [opening.key])
        shown.append((Source.NEGATIVE, negatives[opening.key]))
    ordered = [(secrets.token_urlsafe(9), *shown[i]) for i in balanced_order(len(shown), number)]
    told = opening.text if study.scheme.shows_prompt else ""
    stories = [PanelStory(token, letter(place), text, Answer()) for place, (token, _, text) in enumerate(ordered)]
    panel = Panel(stories[0].token, told, tuple(stories))
    return RehearsedPanel(panel, {token: source for token, source, _ in ordered})
