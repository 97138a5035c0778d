"""The Correlation page: what it offers, what it keeps from tab to tab, in which order metrics stand."""

import json
import re

import numpy as np
import pytest

from core.analysis.verdict.few_stories import DISAGREED
from core.analysis.verdict.graded import against_words
from core.annotation.target import target_of
from core.figures.correlation import AXES
from core.figures.style import NO_END
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.scores import scores, tables
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from pages.ui.correlation import criteria
from pages.ui.correlation import table as correlation_table
from pages.ui.shared.analysis.degenerate_note import OVER_ALL, RULE
from tests.db.judged import judged_study, unlike_on_coherence
from tests.pages.conftest import Open
from tests.pages.pages import findings, opened, pressed, rows_of, words
from tests.rated import rated_study, unlike_ratings


def test_kendall_is_not_offered_where_it_takes_too_long(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rated_study(metrics=("one", "two"))
    monkeypatch.setattr("core.analysis.significance.tests.MOST_KENDALL", -1)
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Significance"
    page.run()
    assert not page.exception
    assert "Kendall's τ is tested over at most" in words(page)


def test_the_least_p_that_the_draws_can_show_is_marked(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("correlation", owner)
    (table,) = [frame.value for frame in page.dataframe]
    assert list(table["p by prompt"]) == ["≤ 0.002"]
    assert {"Pairs right", "By chance"} <= set(table.columns)
    page.select_slider(key="draws").set_value(200).run()
    (table,) = [frame.value for frame in page.dataframe]
    assert list(table["p by prompt"]) == ["≤ 0.00995"]


def test_a_tables_first_column_stays_when_others_are_scrolled(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    columns = json.loads(open_page("correlation", owner).dataframe[0].proto.columns)
    assert [name for name, config in columns.items() if config.get("pinned")] == ["Metric"]


@pytest.mark.parametrize("page_and_tab", ["correlation/Table", "correlation/By system", "drift/Quality", "drift/System",
                                          "correlation/Within prompts", "difference/", "systems/"])  # fmt: skip
def test_metrics_stand_in_one_order_everywhere(open_page: Open, served: None, owner: str, page_and_tab: str) -> None:
    study = rated_study(metrics=("flat", "half", "mean"))
    keys = scores.story_keys(study.id)
    other = {key: float(place % 7) for place, key in enumerate(keys)}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("a bad one", "file:bad", other))
    name, tab = page_and_tab.split("/")
    page = open_page(name, owner)
    if tab:
        page.session_state["tab" if name == "correlation" else "drift"] = tab
        page.run()
    (result,) = [list(frame.value["Metric"]) for frame in page.dataframe if "Metric" in frame.value.columns]
    assert result == ["mean", "a bad one", "half", "flat"]


@pytest.mark.parametrize("page", ["correlation", "difference", "drift", "systems", "report"])
def test_every_analysis_says_first_that_ratings_do_not_agree(
    open_page: Open, served: None, owner: str, page: str
) -> None:
    unlike_ratings()
    shown = open_page(page, owner)
    assert not shown.exception
    sentence = words(shown)
    assert sentence.count("Nothing shows that the ratings of these stories agree") == 1
    if page != "report":  # which is read on its own
        assert "Who rates unlike the others" in [link.proto.label for link in shown.get("page_link")]
        (warned,) = [item.value for item in shown.warning if "Nothing shows" in item.value]
        assert "95 %" not in warned  # the rest is a press away
        assert "How high a perfect metric could reach is unknown" in sentence
    assert "what one human rater reaches" not in sentence


@pytest.mark.parametrize("tab", ["Table", "By system", "Within prompts", "Systems and length", "Significance"])
def test_no_tab_claims_anything_of_ratings_that_do_not_agree(
    open_page: Open, served: None, owner: str, tab: str
) -> None:
    unlike_ratings(metrics=("m", "n"))
    shown = opened(open_page, owner, "correlation", {"tab": tab})
    assert words(shown).count(DISAGREED) == 1
    assert "are told apart" not in words(shown)
    cells = [str(cell) for frame in shown.dataframe for cell in frame.value.to_numpy().ravel()]
    assert not [cell for cell in cells if cell.endswith("*") or "≤" in cell]
    for frame in (frame.value for frame in shown.dataframe):
        assert "Apart" not in frame.columns
        assert all(frame[name].isin(["–"]).all() for name in frame.columns if name.startswith("p of"))


@pytest.mark.parametrize(
    ("tab", "said"),
    [
        ("By system", "systems have fewer than 30 stories"),
        ("Significance", "told apart"),
        ("How many more?", "rating more stories tells more"),
    ],
)
def test_a_tab_opens_with_what_it_shows(open_page: Open, served: None, owner: str, tab: str, said: str) -> None:
    rated_study(metrics=("half", "mean"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = tab
    page.run()
    (opening,) = findings(page)
    assert said in opening


def test_of_ratings_that_do_not_agree_no_price_is_said(open_page: Open, served: None, owner: str) -> None:
    unlike_ratings()
    page = opened(open_page, owner, "correlation", {"tab": "How many more?"})
    said = words(page)
    assert "cannot be told: nothing shows that the ratings agree with one another. What could help: ratings" in said
    assert "pay for" not in said
    assert not page.get("plotly_chart")
    assert not page.dataframe


def test_headline_and_significance_are_corrected_for_the_same_pairs(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("one", "half", "mean"))
    page = open_page("correlation", owner)
    assert "corrected for all 3 pairs" in findings(page)[0]
    page.session_state["tab"] = "Significance"
    page.run()
    assert "2 of 3 pairs of metrics are told apart (corrected for their number); mean, the best" in findings(page)[0]
    assert any("corrected for 3 comparisons, the intervals are not" in caption.value for caption in page.caption)


@pytest.mark.parametrize(("metric", "said"), [("half", True), ("mean", False)])
def test_where_metrics_have_scored_other_stories_differences_need_not_add_up(
    open_page: Open, served: None, owner: str, metric: str, said: bool
) -> None:
    rated_study(metrics=("one", metric))
    page = opened(open_page, owner, "correlation", {"tab": "Significance"})
    assert ("A difference is over those that both metrics have scored" in words(page)) is said


def test_a_metric_tried_on_a_few_stories_is_in_no_test(open_page: Open, served: None, owner: str) -> None:
    study = rated_study(metrics=("one", "mean"))
    keys = scores.story_keys(study.id)
    few = {key: float(place % 7) for place, key in enumerate(keys[:29])}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("tried", "file:few", few))
    page = open_page("correlation", owner)
    assert "**tried** is in no test: it has scores of too few of these stories." in findings(page)[0]
    page.session_state["tab"] = "Significance"
    page.run()
    (table,) = [frame.value for frame in page.dataframe]
    assert list(zip(table["A"], table["B"], strict=True)) == [("mean", "one")]
    assert "tried is in no test: it has scores of too few of these stories." in words(page)


@pytest.mark.parametrize("tab", ["Table", "Significance"])
def test_where_there_is_no_test_nobody_is_said_to_be_in_none(
    open_page: Open, served: None, owner: str, tab: str
) -> None:
    study = unlike_ratings(metrics=("m", "n"))
    few = dict.fromkeys(scores.story_keys(study.id)[:12], 1.0) | {"0": 2.0}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("tried", "file:few", few))
    assert "in no test" not in words(opened(open_page, owner, "correlation", {"tab": tab}))


def test_of_too_few_stories_no_pair_is_tested(open_page: Open, served: None, owner: str) -> None:
    rated_study(prompts=9, metrics=("one", "mean"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Significance"
    page.run()
    assert "It is too early to say which metrics differ: there are 27 stories of 9 prompts" in findings(page)[0]
    (table,) = [frame.value for frame in page.dataframe]
    assert not {"p, Holm", "Apart"} & set(table.columns)
    assert "the best first" not in words(page)  # no clusters


def test_clusters_say_that_neighbours_may_not_be_told_apart(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("one", "half", "mean"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Significance"
    page.run()
    assert any("clusters**, the best first" in shown.value for shown in page.markdown)
    assert any("even neighbours, may not be told apart" in caption.value for caption in page.caption)


def test_systems_and_length(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("one", "two"))
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Systems and length"
    page.run()
    assert not page.exception
    (table,) = [frame.value for frame in page.dataframe]
    assert list(table["Metric"])[-1] == "number of words"
    parts = ["All stories", "Within systems", "At equal length", "Both", "More than length by", "p, length"]
    assert list(table.columns) == ["Metric", "n", *parts]
    assert re.fullmatch(r"−?\d\.\d\d\*? \(−?\d\.\d\d to −?\d\.\d\d\)", table["All stories"][0])
    assert "Pearson's r is shown" in [caption.value for caption in page.caption]
    fixed = page.button_group(key="coefficient-of-Systems and length")
    assert (fixed.disabled, fixed.value) == (True, ["pearson"])
    page.session_state["tab"] = "Table"
    assert "Pearson's r is shown" not in [caption.value for caption in page.run().caption]


def test_whether_a_metric_does_better_than_length_is_decided_by_the_test_of_its_report(
    open_page: Open, served: None, owner: str
) -> None:
    study = judged_study()
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Systems and length"
    (table,) = [frame.value for frame in page.run().dataframe]
    whole = tables.table(study.id, target=target_of(study.scheme, "coherence"))
    tests = [against_words(whole, column.values, seed=0, resamples=100).permutation_p for column in whole.columns]
    assert sorted(table["p, length"].dropna()) == sorted(p for p in tests if p is not None)
    assert any("where p is above 0.05, the metric may be no better than" in caption.value for caption in page.caption)


def test_a_tab_without_a_choice_presses_what_it_shows_and_keeps_the_choice(
    open_page: Open, served: None, owner: str
) -> None:
    rated_study(metrics=("one", "two"))
    page = open_page("correlation", owner)
    page.button_group(key="coefficient").set_value("spearman").run()
    for tab, pressed_there in [
        ("Within prompts", ["pearson", "spearman", "kendall"]),
        ("Systems and length", ["pearson"]),
        ("Significance", []),
    ]:
        page.session_state["tab"] = tab
        page.run()
        assert page.button_group(key=f"coefficient-of-{tab}").value == pressed_there
    page.session_state["tab"] = "Table"
    page.run()
    assert page.button_group(key="coefficient").value == "spearman"
    assert page.query_params["coefficient"] == "Spearman's ρ"


def test_the_number_of_words_stands_once_beside_the_metrics(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Systems and length"
    (table,) = [frame.value for frame in page.run().dataframe]
    assert "words" in list(table["Metric"])
    assert findings(page)[0].endswith("For the metric words it is not known.")
    assert not table.map(lambda cell: "-0" in str(cell)).any(axis=None)
    assert "number of words" not in list(table["Metric"])


def test_what_degenerate_stories_change_is_said_of_all_stories_alone(open_page: Open, served: None, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("correlation", owner)
    assert "without the 18 stories that repeat themselves **perplexity** has r 0.89" in findings(page)[0]
    rule = RULE.format("the 18 stories that repeat themselves")
    assert {rule, OVER_ALL} <= {item.value for item in page.caption}
    assert not [item for item in page.warning if "repeat themselves" in item.value]  # it is said once
    scatter = open_page("", owner)
    scatter.query_params["tab"] = "Scatter"
    scatter.switch_page("correlation.py").run()
    (warning,) = [item.value for item in scatter.warning if "repeat themselves" in item.value]
    assert "without them perplexity has r" in warning
    assert OVER_ALL not in [item.value for item in scatter.caption]
    part = open_page("", owner)
    part.query_params["shortest"] = "40"
    part.switch_page("correlation.py").run()
    assert "repeat themselves" not in findings(part)[0]
    assert rule not in [item.value for item in part.caption]


def test_rows_and_dots_stand_in_the_order_of_the_pressed_coefficient(
    open_page: Open, served: None, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_demonstration(TERMINAL)
    page = open_page("correlation", owner)
    for coefficient, title in AXES.items():
        page.button_group(key="coefficient").set_value(coefficient).run()
        (table,) = [frame.value for frame in page.dataframe]
        values = [float(cell.strip("*").replace("−", "-")) for cell in table[title.split()[-1]]]
        assert values == sorted(values, reverse=True)
        (figure,) = [json.loads(item.proto.spec) for item in page.get("plotly_chart")]
        assert figure["data"][0]["y"] == list(table["Metric"])[::-1]
        (sentence,) = findings(page)
        first = table["Metric"][0]
        if coefficient == "pearson":
            best = first
        assert f"**{best}** agrees best with people, Pearson's r " in sentence
        beside = f"This is by Pearson's r, whichever coefficient is chosen; by {title} **{first}** comes first, "
        assert (beside in sentence) is (coefficient != "pearson")
    assert first != best
    rows = []
    monkeypatch.setattr(correlation_table, "table_with_downloads", lambda *_, on_row, **__: rows.append(on_row))
    page.run()
    with pressed(page):
        rows[-1](0)
    assert page.run().selectbox(key="metric").value == first
    assert "By Spearman's ρ **acceptability** comes first" in findings(open_page("overview", owner))[0]


@pytest.mark.parametrize(("of_repeats", "of_others", "without"), [(-20.0, -1.0, "−1.00"), (3.2, 1.0, "1.00")])
def test_a_headline_that_such_stories_alone_make_says_so(
    open_page: Open, served: None, owner: str, of_repeats: float, of_others: float, without: str
) -> None:
    rng = np.random.default_rng(0)
    stories, ratings, values = [], [], {}
    for place in range(48):
        repeats, quality = place % 4 == 0, int(rng.integers(3, 6))
        text = "And then it rained again. " * 30 if repeats else f"Ann lost key {place}. Her brother found it at sea."
        stories.append(StoryRecord(str(place), str(place // 4), f"Opening {place // 4}.", text, Source.SYSTEM, "one"))
        given = rng.integers(1, 3, 3) if repeats else np.clip(quality + rng.integers(-1, 2, 3), 1, 5)
        ratings += [RatingRecord(str(place), f"rater {i}", float(value)) for i, value in enumerate(given)]
        values[str(place)] = of_repeats if repeats else of_others * float(given.mean())
    own = Corpus("mans", tuple(stories), tuple(ratings), (ScoreRecord("tricked", "file:000000000000", values),))
    imports.import_corpora(TERMINAL, "s", [own])
    for name in ("correlation", "overview"):
        (sentence,) = findings(open_page(name, owner))
        assert "**tricked** agrees with people" in sentence
        assert (
            f"But without the 12 stories that repeat themselves **tricked** has r {without} ({without} to {without})."
            in sentence
        )


def test_from_a_cell_of_the_heat_map_to_its_stories(open_page: Open, served: None, owner: str) -> None:
    judged_study()
    page = open_page("correlation", owner)
    page.session_state["tab"] = "By criterion"
    page.run()
    assert findings(page)[0].startswith("On all 2 criteria a metric is shown to agree with people.")
    name = page.dataframe[0].value["Metric"].iloc[-1]
    with pressed(page):
        criteria._mark([{"customdata": [name, "empathy"]}])
    page.run()
    assert not page.exception
    assert page.selectbox(key="target").value == "empathy"
    assert page.selectbox(key="metric").value == name
    assert page.query_params["metric"] == name
    assert len(page.get("plotly_chart")) == 1


@pytest.mark.parametrize("name", ["correlation", "overview"])
def test_of_few_prompts_no_interval_is_shown(served: None, open_page: Open, owner: str, name: str) -> None:
    rated_study(12, metrics=("all", "half"))  # `half` has scores of six prompts
    page = open_page(name, owner)
    drawn = json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0]
    ends = dict(zip([point[0] for point in drawn["customdata"]], drawn["error_x"]["array"], strict=True))
    assert (ends["half"] == NO_END, ends["all"] == NO_END) == (True, False)
    assert drawn["marker"]["symbol"][list(ends).index("half")] == "circle-open"
    assert ("A dot without a line is of fewer than 30 stories or 10 prompts" in words(page)) == (name == "overview")
    if name == "correlation":
        assert "there is no star, no p and no interval: too few to claim anything." in words(page)
        table = page.dataframe[0].value.set_index("Metric")["95 % of r"]
        assert table["half"] == "–" != table["all"]


@pytest.mark.parametrize(
    ("tab", "prompts"),
    [(tab, prompts) for tab in ("Table", "Within prompts", "Systems and length") for prompts in (9, 12)],
)
def test_where_it_is_too_early_to_say_only_the_value_is_shown(
    served: None, open_page: Open, owner: str, tab: str, prompts: int
) -> None:
    rated_study(prompts, metrics=("all",))
    page = open_page("correlation", owner)
    page.session_state["tab"] = tab
    page.run()
    too_early = prompts < 10
    if tab != "Systems and length":  # which has nothing to say of these lengths
        assert ("It is too early to say" in findings(page)[0]) == too_early
    table = page.dataframe[0].value
    assert table.to_csv().count("*") == 0 if too_early else "*" in table.to_csv() or tab == "Within prompts"
    assert ("there is no star, no p and no interval" in words(page)) == too_early
    if tab == "Table":
        assert list(table["p"]) == (["–"] if too_early else [table["p"][0]])
        drawn = json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0]["hovertext"]
        assert ("*" in drawn[0]) != too_early


@pytest.mark.parametrize("tab", ["By system", "By error type"])
def test_small_parts_have_neither_stars_nor_intervals(served: None, open_page: Open, owner: str, tab: str) -> None:
    load_demonstration(TERMINAL)  # a system has ten or fourteen stories, and an error type's sets are as small
    page = open_page("correlation", owner)
    page.session_state["tab"] = tab
    page.run()
    assert "there is no star, no p and no interval" in words(page)
    for trace in json.loads(page.get("plotly_chart")[0].proto.spec)["data"]:
        if "error_x" in trace:
            parts = [place for place, (part,) in enumerate(trace["customdata"]) if part]  # "": all stories
            assert {trace["error_x"]["array"][place] for place in parts} == {NO_END}
            assert all(trace["marker"]["symbol"][place].endswith("-open") for place in parts)
    table = page.dataframe[0].value.set_index("Metric")
    assert "*" not in table.drop(columns="All", errors="ignore").to_csv()
    if tab == "By system":
        assert table["All"]["perplexity"].endswith("*")


def test_the_heat_map_has_no_marks_of_few_prompts(served: None, open_page: Open, owner: str) -> None:
    judged_study(prompts=8)
    page = open_page("correlation", owner)
    page.session_state["tab"] = "By criterion"
    page.run()
    assert "It is too early to say" in findings(page)[0]
    assert "no coefficient has a mark" in words(page)
    assert "†" not in words(page)
    assert "†" not in page.get("plotly_chart")[0].proto.spec.split('"title"')[0]


@pytest.mark.parametrize("target", ["coherence", "empathy"])
def test_each_criterion_has_its_marks_by_its_own_ratings(
    served: None, open_page: Open, owner: str, target: str
) -> None:
    unlike_on_coherence()
    page = opened(open_page, owner, "correlation", {"tab": "By criterion", "target": target, "level": "story"})
    (said,) = findings(page)
    assert said.startswith("On 1 of 2 criteria a metric is shown to agree with people.")
    assert "Of coherence nothing can be said: nothing shows that the ratings agree with one another." in said
    cells = json.loads(page.get("plotly_chart")[0].proto.spec)["data"][0]["text"]
    assert any(row[1].endswith("†") for row in cells)
    assert not any(row[0].endswith("†") for row in cells)
    assert "†: p < 0.01" in words(page)
    marked = sum(row[1].endswith("†") for row in cells)
    assert f"{marked} of {len(cells)} coefficients have a mark. No coefficient of coherence has a mark" in words(page)


def test_what_degenerate_stories_change_is_said_without_a_verdict_too(
    open_page: Open, served: None, owner: str
) -> None:
    given = np.random.default_rng(0).integers(1, 6, (36, 3)).astype(float)
    texts = ["He went home and slept. " * 9 if i % 3 == 0 else f"Day {i} was long. It rained." for i in range(36)]
    stories = tuple(StoryRecord(str(i), f"p{i // 3}", "Opening.", text) for i, text in enumerate(texts))
    ratings = tuple(
        RatingRecord(str(i), f"rater {k}", float(value)) for (i, k), value in np.ndenumerate(given)
    )  # fmt: skip
    means = given.mean(1)
    best = ScoreRecord("best", "file:1", {str(i): float(means[i]) for i in range(36)})
    other = ScoreRecord("other", "file:2", {str(i): 9.0 if i % 3 == 0 else float(means[i]) for i in range(36)})
    imports.import_corpora(TERMINAL, "s", [Corpus("mans", stories, ratings, (best, other))])
    (summary,) = [item.value for item in open_page("score", owner).warning if "repeat themselves" in item.value]
    without, every = re.findall(r"- other: (\S+) instead of (\S+)", summary)[0]
    for name in ("correlation", "overview"):
        page = open_page(name, owner)
        assert "No metric can be judged yet" in findings(page)[0]
        (warning,) = [item.value.replace("\\", "") for item in page.warning if "repeat themselves" in item.value]
        assert warning.startswith("Of 36 scored stories 12 repeat themselves: without them best has r 1.00 with people")
        told = re.search(r"and other (\S+) instead of (\S+)\. Report both", warning)
        assert told is not None
        assert [float(part.replace("−", "-")) for part in told.groups()] == pytest.approx(
            [float(part.replace("−", "-")) for part in (without, every)], abs=0.006
        )


def test_within_prompts_metrics_stand_by_what_is_shown(open_page: Open, served: None, owner: str) -> None:
    rated_study(40, metrics=("half", "coarse", "all"))
    page = opened(open_page, owner, "correlation", {"tab": "Within prompts"})
    (table,) = [frame.value for frame in page.dataframe]
    shown = [float(cell.rstrip("*").replace("−", "-")) for cell in table["Mean r"]]
    assert shown == sorted(shown, reverse=True)
    assert findings(page)[0].startswith(f"**{table['Metric'].iloc[0]}**")
    assert list(table.columns)[3:7] == ["Mean r", "Mean ρ", "Mean τ", "95 % of mean r"]
    assert list(table.columns)[-2:] == ["95 % of mean ρ", "95 % of mean τ"]  # the last that are seen


def test_why_figures_are_undefined_is_read_below_the_table(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("flat", "mean", "other"))
    assert "Undefined for flat: " in words(open_page("correlation", owner))
    tests = words(opened(open_page, owner, "correlation", {"tab": "Significance"}))
    assert "Undefined: " in tests
    assert "Undefined for" not in tests  # a metric stands in several rows


def test_of_several_criteria_each_finding_says_which_one_it_is_of(open_page: Open, served: None, owner: str) -> None:
    study = judged_study()
    for name in ("overview", "correlation"):
        page = opened(open_page, owner, name, {"study": study.id, "target": "empathy"})
        assert page.selectbox(key="target").value == "empathy"
        assert findings(page)[0].startswith(":orange-badge[Evidence: weak] On empathy: **copy")
    overview = open_page("overview", owner)
    assert overview.selectbox(key="target").value == "coherence"
    coherent, emphatic = (
        next(item for item in page.metric if item.label.startswith("Agreement on "))
        for page in (overview, opened(open_page, owner, "overview", {"target": "empathy"}))
    )
    assert (coherent.label, emphatic.label) == (
        "Agreement on coherence (interval alpha)",
        "Agreement on empathy (interval alpha)",
    )
    assert coherent.value != emphatic.value
    both = opened(open_page, owner, "overview", {"target": "mean:coherence,empathy"})
    assert "Agreement on the mean of 2 criteria (interval alpha)" in [item.label for item in both.metric]
    assert "r with people: of their mean rating on coherence." in words(open_page("score", owner))
    pairs = opened(open_page, owner, "score", {"score-tab": "One or two metrics", "story": "0-0"})
    assert "People: their mean rating on coherence." in words(pairs)
    assert "People: the mean rating on coherence." in words(pairs)


NO_CLAIMS = {
    "Table": "correlations.csv",
    "By system": "correlations-by-system.csv",
    "Within prompts": "within-prompts.csv",
    "Systems and length": "systems-and-length.csv",
    "Significance": "tests-of-every-pair-of-metrics.csv",
}


@pytest.mark.parametrize("tab", NO_CLAIMS)
def test_a_file_says_on_each_row_that_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str], tab: str
) -> None:
    """It has the numbers all the same, and a reader took them for claims."""
    unlike_ratings(metrics=("m", "n"))
    opened(open_page, owner, "correlation", {"tab": tab})
    rows = rows_of(files[NO_CLAIMS[tab]])
    assert all("nothing shows that the ratings agree with one another" in row["No claim"] for row in rows)
    assert any(cell for row in rows for name, cell in row.items() if name.startswith("p") or ", p" in name)


def test_a_file_says_that_too_few_stories_claim_nothing_and_else_has_no_such_column(
    open_page: Open, served: None, owner: str, files: dict[str, str]
) -> None:
    rated_study(12, metrics=("all", "half"))  # `half` has scores of six prompts
    open_page("correlation", owner)
    few = {row["metric"]: row["No claim"] for row in rows_of(files["correlations.csv"])}
    assert few == {"all": "", "half": "too few stories or prompts to claim anything"}


def test_a_file_of_criteria_names_those_of_which_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str]
) -> None:
    unlike_on_coherence()
    opened(open_page, owner, "correlation", {"tab": "By criterion"})
    rows = rows_of(files["metrics-by-criteria.csv"])
    of_coherence = "on coherence nothing shows that the ratings agree with one another"
    assert {row["No claim"] for row in rows} == {of_coherence}
    drawn = rows_of(files["correlation-of-each-metric-with-each-criterion-data.csv"])
    assert {row["x"]: row["No claim"] for row in drawn} == {"coherence": of_coherence[13:], "empathy": ""}
    assert f", all stories. No claim: {of_coherence}." in files["metrics-by-criteria.tex"].replace("\n", " ")
    opened(open_page, owner, "correlation", {"tab": "Table", "target": "empathy"})
    assert "No claim" not in rows_of(files["correlations.csv"])[0]


@pytest.mark.parametrize(
    ("tab", "file"),
    [
        ("Table", "correlation-of-each-metric-with-people-data.csv"),
        ("By system", "correlation-by-system-data.csv"),
    ],
)
def test_the_data_of_a_figure_says_that_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str], tab: str, file: str
) -> None:
    unlike_ratings(metrics=("m", "n"))
    opened(open_page, owner, "correlation", {"tab": tab})
    rows = rows_of(files[file])
    assert rows
    assert all("nothing shows that the ratings agree with one another" in row["No claim"] for row in rows)


def test_the_data_of_a_figure_says_of_which_metrics_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str]
) -> None:
    rated_study(12, metrics=("all", "half"))
    open_page("correlation", owner)
    drawn = rows_of(files["correlation-of-each-metric-with-people-data.csv"])
    assert {row["y"].split()[0]: row["No claim"] for row in drawn} == {
        "all": "",
        "half": "too few stories or prompts to claim anything",
    }


def test_a_printed_table_says_of_which_study_it_is_and_why_it_has_no_p(
    open_page: Open, served: None, owner: str, files: dict[str, str]
) -> None:
    unlike_on_coherence()
    opened(open_page, owner, "correlation", {"tab": "Table", "target": "coherence"})
    what = r"\caption{unlike: correlation of each metric with the mean rating on "
    assert f"{what}coherence. There is no star, no p and no test, as nothing shows" in files["correlations.tex"]
    opened(open_page, owner, "correlation", {"tab": "Table", "target": "empathy"})
    assert f"{what}empathy. {{*}} p \\textless{{}} 0.01, with" in files["correlations.tex"]
