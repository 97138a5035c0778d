"""The Judgments page: empty, imported, live, rejected, and with names that want to be markup."""

import re

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.analysis.judgments.reliability import OPPOSED, reliability
from core.annotation.monitor.forecast import forecast
from core.annotation.studies import Study
from core.annotation.target import Target, target_of
from core.annotation.unit import Unit
from core.people import TERMINAL, Person
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.annotation import panel_submission
from db.ratings import ratings
from db.scores import tables
from db.studies import studies
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from pages.ui.judgments.headline import forecast_sentence
from tests.db.annotation.assignments import begin, rate
from tests.db.conftest import make_annotator, make_study, small_corpus
from tests.db.judged import unlike_on_coherence
from tests.pages.conftest import Open
from tests.pages.pages import findings, words
from tests.rated import beside_people, rated_study, unlike_ratings

HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Every test has a database of its own, in which studies and events are numbered alike."""
    st.cache_data.clear()
    st.cache_resource.clear()


def hand_in(person: Person, panels: int = 1, **given: int) -> None:
    for _ in range(panels):
        panel = begin(person)
        rate(person, panel, **given)
        panel_submission.submit(person, panel.token)


def on_tab(page: AppTest, name: str) -> AppTest:
    """The page with this tab open."""
    page.session_state["judgments_tab"] = name
    return page.run()


def cells(page: AppTest) -> str:
    """All that the tables say."""
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def test_what_to_do_next(open_page: Open, study: Study, owner: str) -> None:
    assert "No panel has been handed in yet" in words(open_page("judgments", owner))
    studies.close_study(TERMINAL, study.id)
    assert "Nobody has rated these stories yet" in words(open_page("judgments", owner))
    studies.open_study(TERMINAL, study.id)
    hand_in(make_annotator(study), human=1)
    assert "The one panel handed in so far was rejected" in words(open_page("judgments", owner))


def test_a_study_without_stories(open_page: Open, served: None, owner: str) -> None:
    studies.create(TERMINAL, "bare")
    assert "no stories yet" in words(open_page("judgments", owner))


def test_ratings_as_they_arrive(open_page: Open, owner: str) -> None:
    study = make_study("live", prompts=3, wanted=2)
    hand_in(make_annotator(study, "first"), panels=3)
    page = open_page("judgments", owner)
    assert figures(page)["Ratings"] == "15"
    assert re.search(
        r"^People rate 15 stories \d\.\d\d on average\. No alpha: no story has two", words(page), re.MULTILINE
    )
    hand_in(make_annotator(study, "careless"), human=2)
    hand_in(make_annotator(study, "second **x**"), panels=2, system=4)
    page.run()
    assert figures(page)["Ratings"] == "25"
    assert figures(page)["Annotators"] == "2"
    sentence = words(page)
    assert "Only 10 stories of 2 prompts have two ratings or more: too few to say how far people agree" in sentence
    read = "(no better than chance|hardly better than chance|not good|tentative|good)"
    assert re.search(rf"As it stands alpha is −?\d\.\d{{3}}: {read} \(", sentence)
    assert "agreement is" not in sentence
    assert "Valid panels still wanted: 1." in sentence
    assert "1 of 6 panels handed in were rejected (16.7%)" in sentence
    assert {"human", "negative", "one"} <= set(page.dataframe[0].value["System"])
    assert "Median" in page.dataframe[0].value.columns
    assert "Kendall's W" in cells(on_tab(page, "Agreement"))
    assert "before rejection: 30 ratings" in words(page)
    assert "**Before rejection** adds the ratings that were rejected" in words(page)
    table = cells(on_tab(page, "Annotators"))
    assert "they rated every story the same" in table
    assert "second **x** (annotator" in table
    (said,) = [item.value for item in page.caption if "second" in item.value]
    assert r", second \*\*x\*\* \(annotator " in said  # a name is no Markdown
    assert "how often positions shuffled within the panels" in words(on_tab(page, "Order"))
    assert "Nobody has marked a passage yet" in words(on_tab(page, "Evidence"))
    assert "Error types cannot be shown: no rating that counts gives" in words(on_tab(page, "Error types"))


def test_deductions_and_evidence(open_page: Open, owner: str) -> None:
    study = make_study("marked", prompts=3, wanted=2)
    for name in ("first", "second"):
        person = make_annotator(study, name)
        for number in range(3):
            panel = begin(person)
            rate(person, panel, system=3 + number % 2)
            for shown in panel.stories[:4]:
                ratings.mark(person, shown.token, "chaotic scenes", (0, 3))
            ratings.save_deduction(person, panel.stories[4].token, "repetitive plots", 1)
            panel_submission.submit(person, panel.token)
    page = on_tab(open_page("judgments", owner), "Error types")
    assert "The rating that deductions imply is 5 minus the points, at least 1" in words(page)
    table = cells(page)
    for cell in ("chaotic scenes, points", "overall rating", "Far apart, share"):
        assert cell in table, cell
    sentence = words(on_tab(page, "Evidence"))
    assert "marked passages; those that most annotators agree on come first" in sentence
    passages = page.dataframe[0].value
    assert list(passages["Marked by"]) == sorted(passages["Marked by"], reverse=True)
    assert set(passages["Passage"]) == {"The"}
    assert not set(passages["System"]) & {"human", "negative"}
    page.selectbox("evidence-type").select("repetitive plots").run()
    assert "No passage is marked so" in words(page)
    page.selectbox("evidence-type").select("chaotic scenes").run()
    page.selectbox("evidence-system").select("one").run()
    assert set(page.dataframe[0].value["System"]) == {"one"}
    page.button(f"evidence_read_{study.id}_1").click().run()
    assert "What people say" in words(page)
    assert "1 of 3 of the list" in words(page)


def test_texts(open_page: Open, owner: str, study: Study) -> None:
    page = open_page("judgments", owner)  # before anybody has rated anything
    assert page.dataframe[0].value["Stories a prompt"].tolist() == [5]
    assert "all systems" in set(page.dataframe[1].value["System"])
    hand_in(make_annotator(study))
    page = on_tab(page, "Texts")
    lengths = page.dataframe[1].value.set_index("System")
    assert lengths.loc["human", "Mean rating"] == 5
    assert lengths.loc["one", "Sentences"] == 3


@pytest.mark.parametrize(
    ("scheme", "value", "wanted", "tab", "expected"),
    [
        ("union", 1.0, "Valid rated stories still wanted", "Error types", "no rating that counts gives an error type"),
        ("turing", 1.0, "Valid panels of pairs still wanted", "Error types", "This study asks for no error types"),
        ("turing", 0.0, "Valid panels of pairs still wanted", "Evidence", "nothing can be marked"),
    ],
)
def test_other_schemes_speak_of_their_own_work(
    open_page: Open, owner: str, scheme: str, value: float, wanted: str, tab: str, expected: str
) -> None:
    corpus = small_corpus(3)
    given = [
        RatingRecord(f"{prompt}-{system}", f"rater {rater}", value if rater else value - 1)
        for prompt in range(3)
        for system in ("one", "two")
        for rater in range(2)
    ]
    if scheme == "turing":
        systems = [story for story in corpus.stories if story.source is Source.SYSTEM]
        study = beside_people("other", systems, given)
    else:
        study = imports.import_corpora(TERMINAL, "other", [Corpus(scheme, corpus.stories, tuple(given))])
    studies.open_study(TERMINAL, study.id)
    page = open_page("judgments", owner)
    assert wanted in words(page)
    assert expected in words(on_tab(page, tab))


def test_an_import_hides_who_rated(open_page: Open, owner: str) -> None:
    stories, given = [], []
    for prompt in range(4):
        for system in (HOSTILE, "human"):
            key = f"{prompt}-{system}"
            stories.append(StoryRecord(key, str(prompt), f"Opening {prompt}.", "It rained.", Source.SYSTEM, system))
            for rater in range(3):
                types = (("chaotic scenes", 2),) if rater == prompt % 2 else ()
                given.append(RatingRecord(key, f"rater {rater}", float(1 + (prompt + rater) % 5), types))
    imports.import_corpora(TERMINAL, "imported", [Corpus("mans", tuple(stories), tuple(given))])
    page = open_page("judgments", owner)
    assert figures(page)["Annotators"] == "hidden"
    table = page.dataframe[0].value
    assert set(table["System"]) == {HOSTILE, "system human", "all systems"}
    whole = table[table["System"] == "all systems"].iloc[0]
    assert (whole["Stories"], whole["5"]) == (8, table["5"].iloc[:-1].sum())
    assert "Annotators cannot be compared: the data hides who rated" in words(on_tab(page, "Annotators"))
    assert "The effect of position cannot be shown" in words(on_tab(page, "Order"))
    assert "chaotic scenes" in cells(on_tab(page, "Error types"))
    for tab in ("Ratings", "Agreement", "Error types", "Evidence", "Texts", "Annotators", "Order"):
        assert HOSTILE not in words(on_tab(page, tab))  # only in tables, which show text as text


def test_the_headline_has_alpha_itself(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("judgments", owner)
    alpha = next(value for label, value in figures(page).items() if label.startswith("Alpha"))
    (sentence,) = findings(page)
    assert sentence.startswith(
        f"Alpha (interval) is {alpha}: agreement is not good (below 0.67 on Krippendorff's scale). It is over 70 "
        "stories of 14 prompts"
    )


def test_of_yes_and_no_it_is_said_which_alpha_decides(open_page: Open, served: None, owner: str) -> None:
    rng = np.random.default_rng(0)
    stories = tuple(
        StoryRecord(str(n), f"p{n // 3}", "Opening.", f"Story {n} is told.", Source.SYSTEM, "one") for n in range(60)
    )
    ratings = tuple(
        RatingRecord(str(n), f"r{rater}", float(rng.random() < 0.2 + 0.6 * (n % 2)))
        for n in range(60)
        for rater in "abc"
    )
    study = imports.import_corpora(TERMINAL, "s", [Corpus("union", stories, ratings)])
    alpha = reliability(tables.table(study.id, target=target_of(study.scheme, ""))).alpha.value
    page = open_page("judgments", owner)
    assert "Alpha (nominal)" in figures(page)
    (beside,) = findings(page) or [caption.value for caption in page.caption if "Alpha (nominal) is" in caption.value]
    assert f"Interval alpha, {alpha:.3f}, decides whether metrics may be claimed" in beside


@pytest.mark.parametrize(
    ("valid", "rejected", "said"),
    [
        (1, 0, "The one panel handed in counts. How many must come in can be said once 10 panels are handed in."),
        (0, 1, "The one panel handed in was rejected. How many must come in can be said once 10 panels"),
        (
            0,
            10,
            "10 of 10 panels handed in were rejected (100.0%). How many must come in can be said once a panel is "
            "accepted.",
        ),
        (3, 0, "All 3 panels handed in count"),
        (3, 1, "1 of 4 panels handed in were rejected (25.0%)"),
    ],
)
def test_how_many_were_rejected_reads_well(valid: int, rejected: int, said: str) -> None:
    assert said in forecast_sentence(forecast(5, valid, rejected), Unit.PANEL)


def test_agreement_has_no_column_that_is_the_valid_ratings_again(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("judgments", owner)
    on_tab(page, "Agreement")
    assert "valid ratings: 180 ratings, 60 stories rated twice or more." in words(page).lower()
    assert not any(name in cells(page) + words(page) for name in ("Before rejection", "With controls"))


@pytest.mark.parametrize("name", ["overview", "judgments", "report"])
def test_ratings_further_apart_than_by_chance_say_once_what_to_check(open_page: Open, owner: str, name: str) -> None:
    unlike_ratings(opposed=True)
    assert words(open_page(name, owner)).count(OPPOSED) == 1


def test_the_alpha_that_decides_stands_beside_that_of_a_criterions_own_level(open_page: Open, owner: str) -> None:
    unlike_on_coherence()
    page = on_tab(open_page("judgments", owner), "Criteria")
    table = page.dataframe[0].value.set_index("Criterion")
    given = {name: tables.table(1, target=Target((name,))) for name in ("coherence", "empathy")}
    assert {name: reliability(table).alpha.value for name, table in given.items()} == pytest.approx(
        table["Alpha, interval"].to_dict()
    )
    assert "Alpha, interval, decides whether metrics can be held against the ratings" in words(page)
    assert "†: p < 0.01" in words(page)
