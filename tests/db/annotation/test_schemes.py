"""The four schemes from the first claim to the last judgment, and a study with a form of its own."""

from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import select

from core.analysis.judgments.judged_story import JudgedStory
from core.analysis.judgments.judgments import summarise
from core.annotation.builtin import LIKELINESS, MANS, TURING, UNION
from core.annotation.panel import End, Panel
from core.annotation.scheme import ErrorType, QualityRules, Scheme, scheme_from
from core.annotation.studies import Study, StudyState
from core.annotation.target import on_target, usual_target
from core.errors import InputError
from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord, Source
from db.annotation import assignments, panel_submission, previews, settings, slots
from db.engine import reading
from db.ratings import ratings
from db.schema import assignment, pair, story
from db.studies import studies
from db.transfer import imports
from tests.db.annotation.assignments import begin
from tests.db.conftest import SYSTEMS, make_annotator, small_corpus


def study_of(scheme: str, prompts: int = 2, wanted: int = 1, corpus: Corpus | None = None) -> Study:
    """An open study under a scheme."""
    study = studies.create(TERMINAL, f"of {scheme}", scheme)
    imports.import_corpora(TERMINAL, study.name, [corpus or small_corpus(prompts)])
    settings.set_rules(TERMINAL, study.id, replace(study.rules, ratings_wanted=wanted))
    studies.open_study(TERMINAL, study.id)
    return studies.get(study.id)


def source_of(text: str) -> str:
    with reading() as connection:
        return connection.scalars(select(story.c.source).where(story.c.text == text)).one()


def finish(person: Person, answer: dict[str, int]) -> Panel:
    """Answer one story or pair by where the (first) text is from, and hand it in."""
    panel = begin(person)
    ratings.save_value(person, panel.token, answer[source_of(panel.stories[0].text)])
    panel_submission.submit(person, panel.token)
    return panel


def by_group(study: Study) -> dict[str, list[JudgedStory]]:
    stories: dict[str, list[JudgedStory]] = {}
    for judged in ratings.judged_stories(study.id):
        stories.setdefault(judged.group, []).append(judged)
    return stories


def test_a_new_study_takes_its_schemes_own_rules(database: str) -> None:
    assert studies.create(TERMINAL, "a", "union").rules.ratings_wanted == 7
    assert studies.create(TERMINAL, "b", "mans").rules == QualityRules()
    with pytest.raises(InputError, match="threshold for the human story, 9"):
        studies.create(TERMINAL, "c", "mans", QualityRules(human_least=9))


def test_union_asks_one_story_a_time_and_why_it_is_unreasonable(database: str) -> None:
    study = study_of("union")
    person = make_annotator(study)
    panel = begin(person)
    assert len(panel.stories) == 1
    assert panel.prompt == "Opening 0."
    token = panel.token
    ratings.save_value(person, token, 0)
    with pytest.raises(InputError, match="what is wrong with it"):
        panel_submission.submit(person, token)
    ratings.save_deduction(person, token, "poor coherence", 0)
    ratings.save_deduction(person, token, "other", 0)
    panel_submission.submit(person, token)
    judged = [s for s in ratings.judged_stories(study.id) if s.ratings]
    assert [(r.overall, r.error_types) for r in judged[0].ratings] == [(0.0, {"poor coherence", "other"})]


@pytest.mark.both_databases
def test_reasons_of_a_story_found_reasonable_after_all_do_not_stand(database: str) -> None:
    study = study_of("union")
    person = make_annotator(study)
    token = begin(person).token
    ratings.save_value(person, token, 0)
    ratings.save_deduction(person, token, "poor coherence", 0)
    ratings.save_value(person, token, 1)
    panel_submission.submit(person, token)
    (judged,) = [s for s in ratings.judged_stories(study.id) if s.ratings]
    assert [(r.overall, r.error_types) for r in judged.ratings] == [(1.0, frozenset())]


@pytest.mark.slow
@pytest.mark.both_databases
def test_union_has_slots_by_story_and_no_prompt_twice_for_a_person(database: str) -> None:
    study = study_of("union", prompts=2, wanted=2)
    people = [make_annotator(study, str(i)) for i in range(12)]
    had: dict[int | None, list[str]] = {}
    for person in people:
        while assignments.turn(person, claim=True).panel is not None:
            had.setdefault(person.id, []).append(finish(person, {"system": 1}).prompt)
    assert all(len(set(prompts)) == len(prompts) for prompts in had.values())
    assert Counter(len(s.ratings) for s in ratings.judged_stories(study.id)) == {2: 10}
    assert slots.progress(study.id).left == 0
    assert assignments.turn(make_annotator(study, "late"), claim=True).end is End.FULL


def prefer(person: Person, panel: Panel, likes: str = "one") -> list[bool]:
    """Compare every pair of a panel, by where its texts are from: anything is better than a damaged story, and a
    person's than any system's but `likes`. Returns of each pair that counts whether the system's story stood first.
    """
    worth = {Source.NEGATIVE: 0, Source.SYSTEM: 1, Source.HUMAN: 2}
    sides = []
    for both in panel.pairs:
        left, right = (Source(source_of(shown.text)) for shown in both.stories)
        marks = [
            3 if f"The {likes} went out" in shown.text and source is Source.SYSTEM else worth[source]
            for shown, source in zip(both.stories, (left, right), strict=True)
        ]
        side = -1 if marks[0] > marks[1] else 1
        answer = ratings.save_value(person, both.stories[len(sides) % 2].token, side, "preference")
        assert answer.values == {"preference": side}  # shown as it was given, whichever story's token was sent
        if Source.NEGATIVE not in (left, right):
            assert {left, right} == {Source.SYSTEM, Source.HUMAN}
            sides.append(left is Source.SYSTEM)
    return sides


@pytest.mark.slow
def test_turing_says_how_each_system_compares_with_people(database: str) -> None:
    study = study_of("turing", prompts=6, wanted=2)
    sides: list[bool] = []
    for number in range(4):
        person = make_annotator(study, str(number))
        while (panel := assignments.turn(person, claim=True).panel) is not None:
            assert len(panel.pairs) in (6 + 2 + 1, 30 % 6 + 2 + 1)  # controls, and one pair again
            sides += prefer(person, panel)
            panel_submission.submit(person, panel.token)
    assert abs(sum(sides) - len(sides) / 2) <= 1  # as often on either side
    groups = by_group(study)
    assert set(groups) == {"one", "two", "three", "four", "five"}
    assert {r.overall for s in groups["one"] for r in s.ratings} == {1.0}
    assert {r.overall for name in ("two", "three", "four", "five") for s in groups[name] for r in s.ratings} == {-1.0}
    assert all(len(s.ratings) == 2 for group in groups.values() for s in group)
    assert {r.position for s in groups["one"] for r in s.ratings} == {1, 2}
    scheme = on_target(study.scheme, usual_target(study.scheme))
    judged = summarise(ratings.judged_stories(study.id), scheme, annotators=None, raters_identified=True, resamples=0)
    assert {name: figures["m1"].value for name, figures in judged.shares.items()} == {
        **dict.fromkeys(("two", "three", "four", "five"), 0.0),
        "one": 1.0,
    }
    assert judged.reading is not None  # ratings beside the same human story, which can agree
    assert slots.progress(study.id).left == 0


def test_turing_needs_human_stories(database: str) -> None:
    alone = Corpus("", tuple(s for s in small_corpus().stories if s.source is Source.SYSTEM))
    study = studies.create(TERMINAL, "alone", "turing")
    imports.import_corpora(TERMINAL, "alone", [alone])
    with pytest.raises(InputError, match="No prompt has a human story and a system's"):
        studies.open_study(TERMINAL, study.id)
    assert studies.get(study.id).state is StudyState.DRAFT


@pytest.mark.both_databases
def test_turing_leaves_out_prompts_without_a_human_story(database: str) -> None:
    stories = [s for s in small_corpus().stories if not (s.source is Source.HUMAN and s.prompt_key == "1")]
    study = studies.create(TERMINAL, "some", "turing")
    imports.import_corpora(TERMINAL, "some", [Corpus("", tuple(stories))])
    assert "1 prompts have no human story" in studies.open_study(TERMINAL, study.id)[0]
    panels = previews.panels_per_annotator(TERMINAL, study.id)
    assert slots.progress(study.id).wanted == panels * study.rules.ratings_wanted
    with reading() as connection:
        compared = connection.execute(select(pair.c.first_id, pair.c.second_id)).all()
        of_prompt = {row.id: row.key[0] for row in connection.execute(select(story))}
    assert {of_prompt[story_id] for row in compared for story_id in row} >= {"0"}


@pytest.mark.both_databases
def test_likeliness_shows_no_prompt_and_rates_human_texts_too(database: str) -> None:
    study = study_of("likeliness", prompts=1, wanted=1)
    for number in range(6):
        panel = finish(make_annotator(study, str(number)), {"system": -1, "human": 1})
        assert panel.prompt == ""
    groups = by_group(study)
    assert [r.overall for s in groups["human"] for r in s.ratings] == [1.0]
    assert not any(s.control for s in groups["human"])
    assert {r.overall for name in ("one", "two", "three", "four", "five") for r in groups[name][0].ratings} == {-1.0}
    with reading() as connection:
        assert connection.scalar(select(story.c.id).where(story.c.source == Source.NEGATIVE)) is None


@pytest.mark.slow
@pytest.mark.both_databases
def test_what_one_person_rates_is_by_all_systems_alike(database: str) -> None:
    """Of two prompts a system, everybody rates two stories by each, people's among them."""
    prompts = 2 * (len(SYSTEMS) + 1)
    study = study_of("hanna", prompts=prompts, wanted=1)
    people = [make_annotator(study, str(number)) for number in range(5)]
    given: list[Counter[str]] = [Counter() for _ in people]
    for _ in range(prompts):
        for person, systems in zip(people, given, strict=True):
            panel = begin(person)
            with reading() as connection:
                found = connection.execute(select(story.c.system).where(story.c.text == panel.stories[0].text))
                systems[found.scalar_one()] += 1
            for criterion in study.scheme.names:
                ratings.save_value(person, panel.stories[0].token, 3, criterion)
            panel_submission.submit(person, panel.token)
    assert [sorted(systems.values()) for systems in given] == [[2] * (len(SYSTEMS) + 1)] * len(people)


@pytest.mark.parametrize("scheme", [MANS, UNION, TURING, LIKELINESS])
def test_a_scheme_is_data(scheme: Scheme) -> None:
    import json

    assert scheme_from(json.loads(json.dumps(scheme.as_dict()))) == scheme


OWN = replace(
    MANS,
    criteria=(
        replace(MANS.main, question="How funny is it?", scale=tuple((step, f"step {step}") for step in range(8))),
    ),
    error_types=(ErrorType("stale joke", (1, 3), "Heard before.", ""),),
)


def test_a_study_may_have_its_own_scale_and_error_types(database: str) -> None:
    new_study = imports.import_corpora(TERMINAL, "own", [small_corpus(1)])
    settings.set_form(TERMINAL, new_study.id, OWN)
    study = studies.get(new_study.id)
    assert study.scheme == OWN
    assert (study.rules.human_least, study.rules.negative_most) == (6, 1)
    assert study.guideline_version == "2"
    studies.open_study(TERMINAL, new_study.id)
    person = make_annotator(study)
    token = begin(person).token
    assert ratings.save_value(person, token, 7).overall == 7
    assert ratings.save_deduction(person, token, "stale joke", 3).deductions == {"stale joke": 3}
    for wrong in (8, -1):
        with pytest.raises(InputError, match="outside the scale 0 to 7"):
            ratings.save_value(person, token, wrong)
    with pytest.raises(InputError, match="no error type 'chaotic scenes'"):
        ratings.save_deduction(person, token, "chaotic scenes", 2)
    with pytest.raises(InputError, match="can no longer change"):
        settings.set_form(TERMINAL, new_study.id, OWN)


def test_any_number_of_systems(database: str) -> None:
    """One system in one prompt, three in another; panels hold what there is and the two controls."""
    stories = [s for s in small_corpus(2).stories if s.prompt_key == "0" or s.system in ("", "one")]
    study = imports.import_corpora(TERMINAL, "few", [Corpus("", tuple(stories))])
    studies.open_study(TERMINAL, study.id)
    person = make_annotator(study)
    sizes = []
    while (panel := assignments.turn(person, claim=True).panel) is not None:
        sizes.append(len(panel.stories))
        for shown in panel.stories:
            ratings.save_value(person, shown.token, {"human": 5, "negative": 1}.get(source_of(shown.text), 3))
        panel_submission.submit(person, panel.token)
    assert sorted(sizes) == [3, 7]


def test_stories_that_came_after_their_panels_are_named(database: str) -> None:
    early = [s for s in small_corpus(1).stories if s.system != "five"]
    study = imports.import_corpora(TERMINAL, "late", [Corpus("", tuple(early))])
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=1))
    assert studies.open_study(TERMINAL, study.id) == []
    person = make_annotator(study)
    panel = begin(person)
    for shown in panel.stories:
        ratings.save_value(person, shown.token, {"human": 5, "negative": 1}.get(source_of(shown.text), 3))
    panel_submission.submit(person, panel.token)
    studies.close_study(TERMINAL, study.id)
    fifth = tuple(s for s in small_corpus(1).stories if s.system == "five")
    imports.import_corpora(TERMINAL, "late", [Corpus("", fifth)])
    assert "1 stories came after" in studies.open_study(TERMINAL, study.id)[0]


def test_imported_ratings_must_fit_a_study_s_own_form(database: str) -> None:
    study = studies.create(TERMINAL, "own scale", "mans")
    settings.set_form(TERMINAL, study.id, OWN)
    rated = Corpus("mans", small_corpus(1).stories, (RatingRecord("0-one", "r", 9.0),))
    with pytest.raises(InputError, match="outside the scale 0 to 7"):
        imports.import_corpora(TERMINAL, study.name, [rated])


@pytest.mark.slow
@pytest.mark.both_databases
def test_the_order_is_balanced_over_what_counts(database: str) -> None:
    """Seven stories, 14 panels that count, some rejected and claimed anew between: every story in every place twice."""
    study = imports.import_corpora(TERMINAL, "order", [small_corpus(2)])
    settings.set_rules(TERMINAL, study.id, QualityRules(ratings_wanted=7))
    studies.open_study(TERMINAL, study.id)
    number = 0
    while slots.progress(study.id).left:
        person = make_annotator(study, str(number))
        number += 1
        while (panel := assignments.turn(person, claim=True).panel) is not None:
            for shown in panel.stories:
                good = {"human": 5 if number % 3 else 1, "negative": 1}
                ratings.save_value(person, shown.token, good.get(source_of(shown.text), 3))
            panel_submission.submit(person, panel.token)
    places: Counter[tuple[str, int]] = Counter()
    with reading() as connection:
        who = {row.id: row.system or row.source for row in connection.execute(select(story))}
        for row in connection.execute(select(assignment).where(assignment.c.valid.is_(True))):
            for place, (story_id, _) in enumerate(row.stories):
                places[who[story_id], place] += 1
    assert len(places) == 49
    assert set(places.values()) == {2}


@pytest.mark.both_databases
def test_a_mans_study_without_references_is_opened_only_when_that_is_confirmed(database: str) -> None:
    stories = [s for s in small_corpus().stories if not (s.source is Source.HUMAN and s.prompt_key == "1")]
    study = imports.import_corpora(TERMINAL, "some", [Corpus("", tuple(stories))])
    lacking = studies.without_references(study.id)
    assert (lacking.prompts, lacking.human, lacking.negative) == (2, 1, 2)
    with pytest.raises(InputError, match="1 of 2 prompts has no human reference") as caught:
        studies.open_study(TERMINAL, study.id)
    assert "a panel of such a prompt (the stories of one prompt, which one person rates" in str(caught.value)
    assert "also holds a damaged (negative) story that Fabula makes" in str(caught.value)
    assert studies.get(study.id).state is StudyState.DRAFT
    studies.open_study(TERMINAL, study.id, confirmed=True)
    assert studies.get(study.id).state is StudyState.OPEN
    alone = Corpus("", tuple(s for s in small_corpus().stories if s.source is Source.SYSTEM))
    bare = imports.import_corpora(TERMINAL, "none", [alone])
    with pytest.raises(InputError, match="No prompt has a human reference"):
        studies.open_study(TERMINAL, bare.id)
    whole = imports.import_corpora(TERMINAL, "whole", [small_corpus()])
    assert studies.without_references(whole.id).sentence == ""
    votes = imports.import_corpora(TERMINAL, "votes", [alone], scheme="union")
    assert studies.without_references(votes.id).sentence == ""
