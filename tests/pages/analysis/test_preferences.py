"""The Preferences page: full, in degrees, beside people, nothing to rank; and the other pages of a study of pairs."""

import json
import random
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.formats.exports.preferences import read_preferences
from core.metrics.run import checked
from core.people import TERMINAL
from core.stories import RatingRecord, ScoreRecord, Source, StoryRecord
from db.jobs import jobs
from db.studies import studies
from db.transfer import rating_imports
from tests.core.analysis.preferences.judged import preferences
from tests.db.conftest import make_annotator
from tests.db.pairs import PLANTED, compared_study, corpus, opened, work
from tests.pages.conftest import Open
from tests.pages.pages import findings, pressed, words
from tests.rated import beside_people, rated_study


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def links(page: AppTest) -> list[str]:
    return [link.proto.label for link in page.get("page_link")]


def charts(page: AppTest) -> int:
    return len(page.get("plotly_chart"))


def judged(monkeypatch: pytest.MonkeyPatch, better: dict[str, float]) -> Study:
    """A study whose one rater goes by these worths alone: equal ones are a tie."""

    def side(shown: object, *_: object) -> int:
        left, right = (better.get(story.text.split()[0], 0.0) for story in shown.stories)  # type: ignore[attr-defined]
        return 0 if left == right else -1 if left > right else 1

    monkeypatch.setattr("tests.db.pairs.side_of", side)
    study = opened(wanted=1, given=corpus(4))
    work(make_annotator(study), random.Random(0))
    return study


def test_the_page_has_all_of_it(open_page: Open, served: None, owner: str) -> None:
    compared_study()
    page = open_page("preferences", owner)
    said = words(page)
    for heading in ("Who won against whom?", "Do people agree?", "Do metrics prefer"):
        assert heading in said
    (opening,) = findings(page)
    assert opening.startswith("It is too early to say which system people prefer")
    shown = figures(page)
    assert (shown["Judgments"], shown["Prompts"], shown["Systems"]) == ("108", "9", "4")
    assert all(shown[name].endswith("%") for name in ("Raters who agree", "Ties", "First side won"))
    assert charts(page) == 3
    systems, pairs, agreement, metrics = (frame.value for frame in page.dataframe)
    assert list(systems["System"]) == list(PLANTED)
    assert list(systems["Rank"]) == [1, 2, 3, 4]
    assert len(pairs) == 6
    assert {"Share won", "95 % of Share won", "Difference", "p, corrected"} <= set(pairs.columns)
    assert list(agreement["Figure"]) == ["Raters who agree", "Alpha, ordinal", "Kept"]
    assert list(metrics["Metric"]) == ["knows", "flat", "against"]
    assert "judgments call both stories equal and are left out" in said
    assert "No correlation over systems of flat: the metric gives every system the same mean." in said
    assert "Degree 1" not in said


def test_a_metric_of_preferences_leads_to_its_scatter(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared_study()
    rows = []
    monkeypatch.setattr(
        "pages.ui.preferences.metrics.table", lambda name, *_, on_row=None, **__: rows.append((name, on_row))
    )
    page = open_page("preferences", owner)
    (press,) = [on_row for name, on_row in rows if name == "Metrics against preferences"]
    with pressed(page):
        press(1)
    page.run()
    assert not page.exception
    assert page.selectbox(key="metric").value == "flat"
    assert page.session_state["tab"] == "Scatter"


def test_seed_and_draws_change_the_intervals(open_page: Open, served: None, owner: str) -> None:
    compared_study()
    page = open_page("preferences", owner)
    before = page.dataframe[0].value["95 % of Strength"]
    page.number_input(key="seed").set_value(5).run()
    page.select_slider(key="draws").set_value(200).run()
    assert not page.exception
    assert list(page.dataframe[0].value["95 % of Strength"]) != list(before)


def test_degrees(open_page: Open, served: None, owner: str) -> None:
    compared_study(prompts=4, strongest=3)
    page = open_page("preferences", owner)
    by_strength = page.dataframe[-1].value
    assert {"Degree 1", "Degree 3", "n of degree 2"} <= set(by_strength.columns)
    assert "from degree 1, the least that the form offers, to 3" in words(page)


def test_no_scores_yet(open_page: Open, served: None, owner: str) -> None:
    compared_study(prompts=3, scored=False)
    page = open_page("preferences", owner)
    assert "This study has no scores yet" in words(page)
    assert "Run a metric" in links(page)
    assert charts(page) == 2


def test_one_prompt(open_page: Open, served: None, owner: str) -> None:
    compared_study(prompts=1)
    page = open_page("preferences", owner)
    assert "All judgments are of one prompt: there are no intervals, no tests and no groups" in words(page)


def test_all_ties(open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, {"negative": -1.0})
    page = open_page("preferences", owner)
    assert "Every judgment is a tie, so all systems are equally strong" in words(page)
    assert (figures(page)["Ties"], figures(page)["First side won"]) == ("100.0%", "–")
    assert charts(page) == 1  # who won against whom
    assert set(page.dataframe[0].value["Share of judgments won"]) == {0.5}


def test_one_that_loses_everything(open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, {"negative": -2.0, "awful": -1.0})
    page = open_page("preferences", owner)
    assert "Each of these groups has won or lost everything against the others: fair, good, poor; awful." in words(page)
    assert page.dataframe[0].value.iloc[-1]["95 % of Strength"] == "–"


def test_parts_that_no_judgment_joins(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared_study(prompts=2)
    apart = preferences("abcd", ("a", "b", -1), ("b", "a", -1), ("c", "d", -1), ("d", "c", -1))
    monkeypatch.setattr("pages.ui.preferences.results.preferences_of", lambda *_, **__: apart)
    page = open_page("preferences", owner)
    assert "No judgment joins these parts, so they have no common scale: a, b; c, d. Have stories of" in words(page)
    assert charts(page) == 1
    assert "Strength" not in page.dataframe[0].value.columns


def test_stories_that_name_no_system_have_no_ranking(open_page: Open, served: None, owner: str, tmp_path: Path) -> None:
    rows = [
        {"prompt": f"P{p}.", "a": f"One {p}.", "b": f"Two {p}.", "winner": "ab"[p % 2], "rater": f"w{w}"}
        for p in range(4)
        for w in range(2)
    ]
    file = tmp_path / "nameless.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    rating_imports.import_ratings(TERMINAL, "nameless", read_preferences(file))
    page = open_page("preferences", owner)
    said = words(page)
    assert "8 of 8 judgments are of stories that name no system" in said
    assert "Who won against whom?" not in said
    assert (figures(page)["Judgments"], figures(page)["Raters who agree"]) == ("8", "100.0%")


def test_turing_studies_rank_systems_beside_people(open_page: Open, served: None, owner: str) -> None:
    stories, ratings, values = [], [], {}
    for p in range(5):
        for s, system in enumerate(("one", "two", "three")):
            stories.append(StoryRecord(f"{p}-{s}", str(p), f"Opening {p}.", f"Story {p}-{s}.", Source.SYSTEM, system))
            ratings += [RatingRecord(f"{p}-{s}", f"r{i}", float((p + s + i) % 3 - 1)) for i in range(4)]
            values[f"{p}-{s}"] = float(s + p % 2)
    scores = (ScoreRecord("m", "file:1", values),)
    beside_people("turing", stories, ratings, scores)
    page = open_page("preferences", owner)
    assert "human" in set(page.dataframe[0].value["System"])
    assert "First side won" not in figures(page)  # an import does not say who stood where
    assert "Whether people favour a side cannot be told of imported judgments: a file says which story" in words(page)
    assert "decided judgments do not count for m: there is no score yet." in words(page)
    assert "those of people's stories come in where you say so at the import" in words(page)


def test_metrics_beside_people_once_these_are_scored(open_page: Open, served: None, owner: str) -> None:
    study = opened(PairRules(a_panel=3, against_human=True), wanted=1, given=corpus(3))
    work(make_annotator(study), random.Random(1))

    def score(name: str, **more: object) -> None:
        run = checked({"metrics": [name], **more})
        assert worker.run_job(jobs.add(TERMINAL, "score", study.id, run, runner="test")).result is not None

    score("words", sources=["system"])
    score("bleu")
    page = open_page("preferences", owner)
    said = words(page)
    assert "12 decided judgments do not count for words: there is no score yet." in said
    assert "12 decided judgments do not count for bleu: the story is its own reference, as every person's is" in said
    assert "Run metrics" in links(page)
    score("words")
    page = open_page("preferences", owner)
    said = words(page)
    assert "there is no score yet" not in said
    assert "Run metrics" not in links(page)
    metrics = page.dataframe[-1].value.set_index("Metric")
    assert (metrics["n"]["words"], metrics["Without scores"]["words"], metrics["Systems"]["words"]) == (12, 0, 4)
    assert (metrics["n"]["bleu"], metrics["Systems"]["bleu"]) == (0, 4)
    correlation = open_page("correlation", owner)  # the other pages keep to the systems' stories
    assert "human" not in words(correlation)


def test_a_study_of_single_stories_says_what_to_do(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("preferences", owner)
    assert "This study asks about single stories, not which of two is better." in words(page)
    assert {"Make a study", "Import preferences"} <= set(links(page))
    assert not charts(page)


def test_nothing_judged_yet(open_page: Open, served: None, owner: str) -> None:
    studies.create(TERMINAL, "bare", "preferences")
    page = open_page("preferences", owner)
    assert "This study has no stories yet." in words(page)
    study = opened()
    page = open_page("preferences", owner)
    page.selectbox(key="study_box").set_value(study.id).run()
    assert "No judgment of two stories counts yet. This page fills as annotators work." in words(page)
    assert "Invite annotators" in links(page)
    studies.close_study(TERMINAL, study.id)
    page.run()
    assert "open the study for annotation, or import preferences" in words(page)
    assert not charts(page)


def test_it_follows_judgments(open_page: Open, served: None, owner: str) -> None:
    study = opened(wanted=1, given=corpus(2))
    page = open_page("preferences", owner)
    assert not page.metric
    work(make_annotator(study), random.Random(0))
    assert figures(page.run())["Judgments"] == "12"


TABS = {
    "judgments": ("judgments_tab", ("Shares won", "Texts", "Agreement")),
    "correlation": (
        "tab",
        ("Table", "Scatter", "By error type", "By system", "Within prompts", "Systems and length", "Significance",
         "How many more?"),
    ),
    "drift": ("drift", ("Quality", "System", "Dataset")),
    "difference": ("", ("",)),
    "systems": ("", ("",)),
    "report": ("", ("",)),
}  # fmt: skip


@pytest.mark.slow
def test_the_other_pages_of_a_study_of_pairs(open_page: Open, served: None, owner: str) -> None:
    compared_study(prompts=14)
    for name, (key, tabs) in TABS.items():
        page = open_page(name, owner)
        for tab in tabs:
            if tab:
                page.session_state[key] = tab
                page.run()
            said = words(page)
            assert "the share of a story's comparisons that it won" in said, (name, tab)
            assert "the mean rating" not in said, (name, tab)
            assert "Systems by preference, and how far people agree" in links(page), (name, tab)
            for drawn in page.get("plotly_chart"):
                assert "mean rating" not in drawn.proto.spec, (name, tab)


def test_judgments_are_shares_won(open_page: Open, served: None, owner: str) -> None:
    compared_study(prompts=4)
    page = open_page("judgments", owner)
    assert set(figures(page)) == {"Stories", "Comparisons a story", "Annotators"}
    assert figures(page)["Comparisons a story"] == "6"
    assert "No alpha" not in words(page)
    assert charts(page) == 2  # no distribution over steps
    assert "0" not in page.dataframe[0].value.columns
