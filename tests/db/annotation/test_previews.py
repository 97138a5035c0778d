"""What a preview reads: the study's own panels, in any state, and not a row more in the database."""

from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.annotation.studies import Study
from core.errors import NotAllowed
from core.people import TERMINAL, Role
from core.stories import Source
from db.annotation import assignments, previews, settings
from db.engine import reading
from db.people import people
from db.schema import story
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.previews import rows
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.monitor.panels import hand_in


@pytest.mark.both_databases
def test_nothing_is_stored(study: Study) -> None:
    owner = people.by_token(people.invite(TERMINAL, Role.OWNER))
    assert owner is not None
    before = rows()
    for number in range(3):
        previews.panel(owner, study.id, number)
    assert previews.panels_per_annotator(owner, study.id) == 2
    assert rows() == before


def test_a_panel_is_what_an_annotator_gets(study: Study) -> None:
    tried = previews.panel(TERMINAL, study.id, 0)
    real = assignments.turn(make_annotator(study), claim=True).panel
    assert tried is not None
    assert real is not None
    assert tried.panel.prompt == real.prompt
    assert sorted(story.text for story in tried.panel.stories) == sorted(story.text for story in real.stories)
    assert [story.letter for story in tried.panel.stories] == [story.letter for story in real.stories]
    assert Counter(tried.sources.values()) == {Source.SYSTEM: 5, Source.HUMAN: 1, Source.NEGATIVE: 1}
    assert previews.panel(TERMINAL, study.id, 2) is None
    other = previews.panel(TERMINAL, study.id, 1)
    assert other is not None
    assert other.panel.prompt != tried.panel.prompt
    assert not {story.token for story in other.panel.stories} & {story.token for story in tried.panel.stories}


@pytest.mark.both_databases
def test_a_draft_shows_the_control_that_opening_it_will_make(database: str) -> None:
    draft = imports.import_corpora(TERMINAL, "draft", [small_corpus()])
    tried = previews.panel(TERMINAL, draft.id, 1)
    assert tried is not None
    (text,) = [
        panel_story.text for panel_story in tried.panel.stories if tried.sources[panel_story.token] is Source.NEGATIVE
    ]
    studies.open_study(TERMINAL, draft.id)
    with reading() as connection:
        query = select(story.c.text).where(story.c.source == Source.NEGATIVE).order_by(story.c.position)
        assert connection.scalars(query).all()[1] == text


@pytest.mark.both_databases
def test_a_draft_of_pairs_shows_the_panels_that_opening_it_makes(database: str) -> None:
    study = studies.create(TERMINAL, "pairs", "preferences")
    imports.import_corpora(TERMINAL, "pairs", [small_corpus(3)])
    before = rows()
    panels = [previews.panel(TERMINAL, study.id, number) for number in range(6)]
    assert rows() == before
    assert panels[-1] is None
    tried = [panel for panel in panels if panel is not None]
    assert len(tried) == previews.panels_per_annotator(TERMINAL, study.id)
    for panel in tried:
        damaged = [[panel.sources[s.token] is Source.NEGATIVE for s in pair.stories] for pair in panel.panel.pairs]
        assert sorted(pair for pair in damaged if any(pair)) == [[False, True], [True, False]]
    studies.open_study(TERMINAL, study.id)
    real = assignments.turn(make_annotator(study), claim=True).panel
    assert real is not None
    seen = tried[0].panel
    assert [(p.prompt, [s.text for s in p.stories]) for p in real.pairs] == [
        (p.prompt, [s.text for s in p.stories]) for p in seen.pairs
    ]


@pytest.mark.both_databases
@pytest.mark.parametrize(("scheme", "stories"), [("union", 1), ("likeliness", 1)])
def test_the_other_schemes(database: str, scheme: str, stories: int) -> None:
    study = studies.create(TERMINAL, scheme, scheme)
    assert (previews.panels_per_annotator(TERMINAL, study.id), previews.panel(TERMINAL, study.id, 0)) == (0, None)
    imports.import_corpora(TERMINAL, scheme, [small_corpus()])
    tried = previews.panel(TERMINAL, study.id, 1)
    assert tried is not None
    assert len(tried.panel.stories) == stories
    assert bool(tried.panel.prompt) == study.scheme.shows_prompt
    assert previews.panels_per_annotator(TERMINAL, study.id) == 2


@pytest.mark.both_databases
def test_what_is_given_out_is_what_is_wanted_and_what_one_annotator_gets(study: Study) -> None:
    """Of two prompts with five stories each: a panel is a prompt's, and of single stories one person gets one of each
    prompt.
    """
    wanted = study.rules.ratings_wanted
    assert previews.given_out(TERMINAL, study.id) == ([wanted] * 2, 2)
    hand_in(study, "rejected", negative=5)
    assert previews.given_out(TERMINAL, study.id) == ([wanted] * 2, 2)
    hand_in(study, "valid")
    assert sum(previews.given_out(TERMINAL, study.id)[0]) == 2 * wanted - 1
    single = studies.create(TERMINAL, "single", "union")
    imports.import_corpora(TERMINAL, single.name, [small_corpus()])
    settings.set_rules(TERMINAL, single.id, replace(single.rules, ratings_wanted=3))
    each = 3 * (5 + (Source.HUMAN in single.scheme.sources))
    assert previews.given_out(TERMINAL, single.id) == ([each] * 2, 2)
    settings.set_rules(TERMINAL, single.id, replace(single.rules, ratings_wanted=3, assignments_a_person=1))
    assert previews.given_out(TERMINAL, single.id) == ([each] * 2, 1)


@pytest.mark.both_databases
def test_of_pairs_it_is_the_same_before_and_after_opening(database: str) -> None:
    study = studies.create(TERMINAL, "pairs", "preferences")
    assert previews.given_out(TERMINAL, study.id) == ([], 0)
    imports.import_corpora(TERMINAL, "pairs", [small_corpus(3)])
    draft = previews.given_out(TERMINAL, study.id)
    panels = previews.panels_per_annotator(TERMINAL, study.id)
    assert draft == ([study.rules.ratings_wanted] * panels, panels)
    studies.open_study(TERMINAL, study.id)
    assert previews.given_out(TERMINAL, study.id) == draft


@pytest.mark.slow
def test_a_closed_study_can_be_seen_and_an_annotator_sees_none(database: str) -> None:
    study = make_study()
    studies.close_study(TERMINAL, study.id)
    assert previews.panel(TERMINAL, study.id, 0) is not None
    with pytest.raises(NotAllowed):
        previews.panel(make_annotator(study), study.id, 0)
    with pytest.raises(NotAllowed):
        previews.panels_per_annotator(make_annotator(study, "other"), study.id)
