"""The Judges page: every tab of a study with judges, hidden raters, no judge, another criterion."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.verdict.few_stories import DISAGREED, TOO_FEW
from core.figures.style import NO_END
from core.formats.corpora.judges import read_judges
from core.formats.exports.reading import read_export
from core.metrics.base import Scores
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.scores import scores
from db.transfer import imports, rating_imports
from tests.db.judged import JUDGES, judged_on_empathy_alone, judged_study, unlike_on_coherence
from tests.db.pairs import compared_study
from tests.db.quoting import quoting_study
from tests.pages.conftest import Open
from tests.pages.pages import findings, rows_of, words
from tests.pages.untrusted_names import MARKUP, read_as_markdown
from tests.rated import rated_study

TABS = ("Agreement", "May it replace a person?", "Confusion", "Disagreements", "Quotes", "Biases", "Wording")


def tab(page: AppTest, name: str) -> AppTest:
    page.session_state["tab"] = name
    page.run()
    assert not page.exception
    return page


def tables(page: AppTest) -> list[list[str]]:
    return [list(frame.value.columns) for frame in page.dataframe]


def test_agreement_on_the_target_and_on_every_criterion(open_page: Open, served: None, owner: str) -> None:
    judged_study()
    page = open_page("judges", owner)
    assert page.selectbox(key="target").value == "coherence"
    first = page.dataframe[0].value
    assert set(first["Judge"]) == set(JUDGES)
    assert first["Judge"][0] == "copy/1"
    assert {"r, stories", "r, prompts", "r, systems", "p, systems"} <= set(first.columns)
    assert {"coherence", "empathy"} <= set(page.dataframe[1].value.columns)
    assert len(page.get("plotly_chart")) == 2
    page.segmented_control(key="coefficient").set_value("kendall").run()
    assert not page.exception
    page.segmented_control(key="over").set_value("system").run()
    assert not page.exception


def test_the_model_behind_a_judge_that_was_asked_here_is_named(open_page: Open, served: None, owner: str) -> None:
    study = judged_study()
    for examples in (0, 2):
        asked = f"judge:coherence|model:tiny@0.1|few_shot:{examples}|template:standard@ab12|way:points|v:1"
        run = scores.begin_run(study.id, "judge:coherence", asked)
        hashes = [one.content_hash for one in scores.pending(study.id, [run], -1, 1000)[0]]
        scores.store(study.id, run, hashes, Scores(np.arange(len(hashes), dtype=np.float64) + examples, {}))
    said = words(open_page("judges", owner))
    assert "is tiny, asked for points (wording: standard)" in said
    assert "is tiny, asked for points (wording: standard, shown 2 rated stories)" in said
    assert "copy/1 is" not in said  # it comes from a file


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Agreement", "judges copy/1 comes first, r 1.00"),
        ("May it replace a person?", "By the test, on 60 stories and 4 people, copy/1"),
        ("Confusion", "gives the step that people give"),
        ("Disagreements", "are farthest apart on"),
        ("Biases", "By 95 % intervals"),
    ],
)
def test_a_tab_opens_with_what_it_shows(open_page: Open, served: None, owner: str, name: str, said: str) -> None:
    judged_study()
    page = open_page("judges", owner)
    page.session_state["judge"] = "guess"
    (opening,) = findings(tab(page, name))
    assert said in opening


def test_who_may_stand_in_is_a_sentence(open_page: Open, served: None, owner: str) -> None:
    judged_study()
    page = tab(open_page("judges", owner), "May it replace a person?")
    said = words(page).replace("\\", "")
    assert "copy/1 may stand in for a crowd worker on coherence and empathy." in said
    assert "Nothing shows that guess may stand in for a crowd worker on coherence or empathy." in said
    assert len(page.get("plotly_chart")) == 1
    guess = page.dataframe[0].value.set_index("Judge").loc["guess"]
    assert (guess["Winning rate"], guess["Advantage"] > 0.2) == (0, True)
    assert "may win against nobody, which is a winning rate of 0." in said  # it is no contradiction
    assert "Benjamini and Yekutieli's correction for the 4 people tested" in said
    people = page.dataframe[1].value
    assert list(people["Person aside"]) == [f"P{n} (annotator {n + 2})" for n in range(4)]
    assert (
        "Unless you choose, the people are a crowd, whose time costs least: a judge may then be worse than a person by "
        "0.1 at most (epsilon), and than an expert by 0.2." in said
    )
    page.segmented_control(key="annotators").set_value("expert").run()
    assert "the people are a crowd" not in words(page)
    assert "copy/1 may stand in for an expert" in words(page).replace("\\", "")


def test_of_ratings_that_do_not_agree_a_judge_is_described(
    open_page: Open, served: None, owner: str, tmp_path: Path
) -> None:
    """And nobody is told that it may stand in, or may not."""
    rng = np.random.default_rng(11)
    lines = [f"P{rater},{key},{key // 2},Opening.,Story {key}.,{rng.integers(1, 6)},{rng.integers(1, 6)}"
             for key in range(40) for rater in range(3)]  # fmt: skip
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["annotator,story_id,prompt_id,prompt,story,coherence,empathy", *lines]))
    study = rating_imports.import_ratings(TERMINAL, "unlike", read_export(file))
    file.write_text("\n".join(["story_id,judge,coherence", *(f"{key},guess,{key % 5 + 1}" for key in range(40))]))
    brought = read_judges(file, study.scheme, scores.story_keys(study.id))
    scores.import_scores(TERMINAL, study.id, *brought.records)
    page = tab(open_page("judges", owner), "Agreement")
    (opening,) = findings(page)
    assert opening.startswith("No verdict on a judge can be drawn here: nothing shows that people's ratings agree")
    assert "As description alone: guess" in opening
    page = tab(page, "May it replace a person?")
    (opening,) = findings(page)
    assert opening.startswith(
        "No verdict can be drawn here on whether a judge may stand in for a crowd worker: nothing"
    )
    assert words(page).count("may stand in for a crowd worker") == 1
    assert "guess: on coherence" not in words(page)  # the headline has said it
    (row,) = page.dataframe[0].value.to_dict("records")
    assert row["May stand in"] == "no verdict"
    assert 0 <= row["Winning rate"] <= 1  # a number that describes


def test_files_say_of_which_judges_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str], tmp_path: Path
) -> None:
    """They have the numbers that the page leaves out."""
    study = judged_study()
    keys = scores.story_keys(study.id)
    file = tmp_path / "judges.csv"
    lines = [f"{key},tried,{1 + place % 4},{1 + place % 3}\n" for place, key in enumerate(keys[:20])]
    file.write_text("story_id,judge,coherence,empathy\n" + "".join(lines))
    scores.import_scores(TERMINAL, study.id, *read_judges(file, study.scheme, keys).records)
    page = open_page("judges", owner)
    few = "too few stories or prompts to claim anything"
    expected = {**dict.fromkeys(JUDGES, ""), "tried": few}
    judges = {row["Judge"]: row for row in rows_of(files["judges.csv"])}
    assert {name: row["No claim"] for name, row in judges.items()} == expected
    assert judges["tried"]["r, stories, low"]
    drawn = rows_of(files["agreement-of-each-judge-with-people-data.csv"])
    assert {row["y"].split(" (")[0]: row["No claim"] for row in drawn} == expected
    assert {row["Judge"]: row["No claim"] for row in rows_of(files["judges-by-criteria.csv"])} == expected
    cells = rows_of(files["agreement-of-each-judge-on-each-criterion-data.csv"])
    assert {(row["y"], row["No claim"]) for row in cells} == set(expected.items())
    assert "No claim" not in page.dataframe[0].value.columns


def test_a_file_of_judges_names_the_criteria_of_which_nothing_may_be_claimed(
    open_page: Open, served: None, owner: str, files: dict[str, str]
) -> None:
    unlike_on_coherence()
    open_page("judges", owner)
    disagree = "nothing shows that the ratings agree with one another"
    assert [row["No claim"] for row in rows_of(files["judges.csv"])] == [disagree]
    assert [row["No claim"] for row in rows_of(files["judges-by-criteria.csv"])] == [f"on coherence {disagree}"]
    cells = rows_of(files["agreement-of-each-judge-on-each-criterion-data.csv"])
    assert {row["x"]: row["No claim"] for row in cells} == {"coherence": disagree, "empathy": ""}


def test_each_criterion_has_its_verdict_by_its_own_ratings(open_page: Open, served: None, owner: str) -> None:
    unlike_on_coherence()
    page = tab(open_page("judges", owner), "May it replace a person?")
    said = "copy may stand in for a crowd worker on empathy; on coherence no verdict can be drawn, as nothing shows"
    assert said in words(page)
    assert page.dataframe[0].value["May stand in"].tolist() == ["no verdict"]
    page.selectbox(key="target").set_value("empathy").run()
    assert findings(page)[0].startswith("By the test, on 60 stories and 3 people, copy may stand in for a crowd worker")
    assert page.dataframe[0].value["May stand in"].tolist() == ["yes"]
    assert said in words(page)


def test_a_judge_has_a_p_and_marks_on_criteria_whose_ratings_agree(open_page: Open, served: None, owner: str) -> None:
    unlike_on_coherence()
    page = tab(open_page("judges", owner), "Agreement")
    assert page.dataframe[0].value["p, systems"].isna().all()
    assert words(page).count(DISAGREED) == 1
    assert "“p, systems” is of" not in words(page)
    assert "No coefficient of coherence has a mark" in words(page)
    (cells,) = json.loads(page.get("plotly_chart")[1].proto.spec)["data"][0]["text"]
    assert [cell.endswith("†") for cell in cells] == [False, True]
    page.selectbox(key="target").set_value("empathy").run()
    assert page.dataframe[0].value["p, systems"].notna().all()
    assert "“p, systems” is of Pearson's r: another coefficient has another p." in words(page)
    assert DISAGREED not in words(page)


def test_what_a_score_is_and_that_a_judge_hardly_varies_is_said(
    open_page: Open, served: None, owner: str, tmp_path: Path
) -> None:
    study = judged_study()
    keys = scores.story_keys(study.id)
    rows = [f"{key},steady,{1.8 + number / 1000},3" for number, key in enumerate(keys)]
    file = tmp_path / "ratings.csv"
    file.write_text("\n".join(["story_id,judge,coherence,empathy", *rows]), encoding="utf-8")
    scores.import_scores(TERMINAL, study.id, *read_judges(file, study.scheme, keys).records)
    said = words(tab(open_page("judges", owner), "Agreement"))
    assert "each weighted by the probability that the model gives it" in said
    nearly = "The scores of steady span 1.80 to 1.86: it gives every story nearly the same."
    assert nearly in said
    page = open_page("judges", owner)
    page.session_state["judge"] = "steady"
    said = words(tab(page, "Confusion"))
    assert nearly in said
    assert "count as the nearest step of the scale" in said
    assert "Always giving people's commonest step, " in said
    assert "No kappa of steady: its ratings are all of one step." in said
    page.session_state["judge"] = "guess"
    assert nearly not in words(tab(page, "Confusion"))
    said = words(tab(open_page("judges", owner), "May it replace a person?"))
    assert f"{nearly} Such a rating tells no story from another" in said
    assert "As being equally near counts for both, even such a judge can have a high advantage" in said


@pytest.mark.parametrize("name", ["Agreement", "Confusion", "Biases"])
@pytest.mark.parametrize("prompts", [9, 10])
def test_of_too_few_stories_there_is_no_interval_and_no_p(
    open_page: Open, served: None, owner: str, name: str, prompts: int
) -> None:
    judged_study(prompts=prompts)  # three stories each
    page = tab(open_page("judges", owner), name)
    frames = [frame.value for frame in page.dataframe]
    intervals = [str(cell) for of in frames for column in of if column.startswith("95 %") for cell in of[column]]
    assert any(" to " in cell for cell in intervals) == (prompts == 10)
    assert any("p, systems" in of and of["p, systems"].notna().any() for of in frames) == (
        name == "Agreement" and prompts == 10
    )
    assert any(" to " in str(one.value) for one in page.metric) == (name == "Biases" and prompts == 10)
    assert (TOO_FEW in words(page)) == (prompts == 9)


@pytest.mark.parametrize("name", TABS)
def test_a_tab_offers_the_coefficients_that_it_uses_and_the_choice_stays(
    open_page: Open, served: None, owner: str, name: str
) -> None:
    judged_study()
    page = open_page("judges", owner)
    page.button_group(key="coefficient").set_value("spearman").run()
    tab(page, name)
    offered = [group.value for group in page.button_group if group.key == "coefficient"]
    assert offered == (["spearman"] if name in ("Agreement", "Wording") else [])
    tab(page, "Agreement")
    assert page.button_group(key="coefficient").value == "spearman"


def test_of_few_stories_no_judge_passes_or_fails(open_page: Open, served: None, owner: str) -> None:
    judged_study(prompts=4)
    page = open_page("judges", owner)
    assert "no star, no p and no interval" in words(page)
    for chart in page.get("plotly_chart"):
        for trace in json.loads(chart.proto.spec)["data"]:
            assert set(trace.get("error_x", {}).get("array", [NO_END])) == {NO_END}
    assert not any("(" in cell for frame in page.dataframe for cell in map(str, frame.value.to_numpy().ravel()))
    page = tab(page, "May it replace a person?")
    assert "nobody has rated 30 stories or more that the judge and somebody else rated too" in findings(page)[0]
    every = page.dataframe[0].value
    assert set(every["May stand in"]) == {"too few"}
    assert set(every["Stories"]) == {12}
    said = words(page).replace("\\", "")
    assert "guess: on coherence and empathy too little is rated for a verdict." in said
    assert "There is no verdict: it takes 3 people with 30 stories each" in said


def test_a_judge_that_was_tried_on_few_stories_leads_to_the_others(
    open_page: Open, served: None, owner: str, tmp_path: Path
) -> None:
    study = judged_study()
    page = tab(open_page("judges", owner), "May it replace a person?")
    assert "Score the others" not in [link.proto.label for link in page.get("page_link")]
    keys = scores.story_keys(study.id)
    file = tmp_path / "judges.csv"
    file.write_text("story_id,judge,coherence,empathy\n" + "".join(f"{key},tried,2,2\n" for key in keys[:20]))
    scores.import_scores(TERMINAL, study.id, *read_judges(file, study.scheme, keys).records)
    page = tab(open_page("judges", owner), "May it replace a person?")
    assert "tried has scored 20" in words(page)
    assert "compared with the judge on the stories that both have rated, and counts from 30 such stories on" in words(
        page
    )
    assert "Score the others" in [link.proto.label for link in page.get("page_link")]
    said = words(tab(page, "Agreement"))
    assert "Both lines are computed from all 60 stories rated by people that a judge has rated, too." in said
    assert "Of these tried has rated only 20: on these alone the line of one human rater may lie elsewhere." in said
    few = "a prompt counts that has 3 stories or more with scores and ratings that differ; there is none"
    assert f"Undefined for tried: {few} (“r, prompts”); the metric gives every story the same score" in said
    assert f"Undefined for tried: {few}. " in said.replace("\n", " ")  # below the other table, of every criterion


def test_a_judge_keeps_the_hyphens_of_its_name(open_page: Open, served: None, owner: str, tmp_path: Path) -> None:
    """Signs of numbers are drawn as minus, and nothing else."""
    study = judged_study(prompts=4)
    keys = scores.story_keys(study.id)
    file = tmp_path / "judges.csv"
    file.write_text("story_id,judge,coherence,empathy\n" + "".join(f"{key},gpt-4o,2,2\n" for key in keys))
    scores.import_scores(TERMINAL, study.id, *read_judges(file, study.scheme, keys).records)
    page = tab(open_page("judges", owner), "Confusion")
    page.selectbox(key="judge").set_value("gpt-4o").run()
    page.query_params["cell"] = "3,2"
    assert "People about 3, gpt-4o about 2" in words(tab(page, "Confusion"))


def test_confusion_disagreements_and_biases_of_a_judge(open_page: Open, served: None, owner: str) -> None:
    judged_study()
    page = tab(open_page("judges", owner), "Confusion")
    assert page.selectbox(key="judge").value == "copy/1"
    assert page.dataframe[0].value["Same step"][0] == 1
    page.query_params["cell"] = "2,2"
    page = tab(page, "Confusion")
    listed = page.dataframe[0].value
    assert f"**People about 2, copy/1 about 2: {len(listed):,} stories**" in words(page)
    assert len(listed) > 1
    assert listed["People"].between(1.5, 2.5).all()
    page.query_params["cell"] = "2,nothing"
    page = tab(page, "Confusion")
    assert [frame.value.columns[0] for frame in page.dataframe] == ["Judge"]
    page = tab(page, "Disagreements")
    assert "nowhere part" in words(page)
    page.selectbox(key="judge").set_value("guess").run()
    assert sum("people **" in box.label for box in page.expander) == 10
    said = words(page)
    assert "Opening" in said
    assert "People on every criterion" in said
    page = tab(page, "Biases")
    every, one = page.dataframe
    assert one.value["Undefined"].str.contains("imported: there is no model to ask").any()
    by_judge = every.value.set_index("Judge")
    assert by_judge["Favours length"]["words"] > 0.4
    assert list(every.value.columns)[:5] == ["Judge", "Lenient", "95 % of Lenient", "r", "95 % of r"]
    assert by_judge["Own family"]["partial"] > 0.5
    assert "Of the family of partial by name: partial" in words(page).replace("\\", "")


def test_a_judges_quotes_and_words_beside_what_people_marked(open_page: Open, served: None, owner: str) -> None:
    quoting_study()
    page = tab(open_page("judges", owner), "Quotes")
    assert "too early to say whether judges quote what people marked: there are 15 stories" in findings(page)[0]
    (frame,) = page.dataframe
    (row,) = frame.value.to_dict("records")
    assert (row["Judge"], row["Stories"], row["Quotes"], row["In the story"]) == (
        "judge:overall[way=deductions]",
        15,
        30,
        15,
    )
    assert 0 < row["Right"] < 1
    assert row["Kappa"] < row["One annotator"]
    page = tab(page, "Disagreements")
    assert sum("people **" in box.label for box in page.expander) == 8
    assert sum('"quote": "a horse"' in code.value for code in page.code) == 8
    assert "not in the story" in page.dataframe[0].value["characters"].tolist()


@pytest.mark.parametrize("name", TABS)
def test_names_that_look_like_markup_are_text(open_page: Open, served: None, owner: str, name: str) -> None:
    study = judged_study(prompts=12)
    hostile = MARKUP
    values = {key: float(len(key) + number % 4) for number, key in enumerate(scores.story_keys(study.id))}
    record = ScoreRecord(f"{hostile}:coherence", "file:hostile", values)
    scores.import_scores(TERMINAL, study.id, record)
    page = open_page("judges", owner)
    page.session_state["judge"] = hostile
    page = tab(page, name)
    for text in read_as_markdown(page):
        assert hostile not in text
        assert "<i>" not in text
    for drawn in page.get("plotly_chart"):
        spec = json.loads(drawn.proto.spec)
        spec["layout"].pop("uirevision", None)  # is never shown
        assert "<i>" not in json.dumps(spec, ensure_ascii=False)


def test_a_bias_that_no_judge_has_a_figure_of_takes_no_columns(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("m:overall",))
    page = tab(open_page("judges", owner), "Biases")
    columns = set(page.dataframe[0].value.columns)
    assert {"Lenient", "95 % of Lenient", "r, length"} < columns
    assert not {"Own family", "95 % of Own family", "Between wordings", "95 % of Between wordings"} & columns
    assert "Own family is undefined: no system has its name." in words(page)
    assert "Between wordings is undefined: it comes in one wording." in words(page)


def test_where_raters_are_hidden_the_test_is_not_offered(open_page: Open, served: None, owner: str) -> None:
    rated_study(metrics=("m:overall",))
    page = tab(open_page("judges", owner), "May it replace a person?")
    assert "not offered here: the data hides who rated" in words(page)
    assert "a column of annotators in the import, or, where true, *Each column is the same person in every" in words(
        page
    )


def test_without_judges_or_with_pairs_the_page_says_what_to_do(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = open_page("judges", owner)
    assert "No judge has rated" in words(page)
    assert "choose another judgment above" not in words(page)  # there is one judgment alone
    links = page.main.get("page_link")
    assert [link.proto.label for link in links] == ["Run a judge", "Import judges' ratings"]
    assert links[0].proto.query_string == "run=judge&score-tab=Summary"  # no two metrics of before stand open below
    page = tab(page, "Biases")
    assert page.button(key="measure-biases").label == "Measure biases"  # a judge need not have rated the study


def test_of_a_criterion_that_no_judge_rates_the_page_names_those_that_one_does(
    open_page: Open, served: None, owner: str
) -> None:
    judged_on_empathy_alone()
    page = open_page("judges", owner)
    assert "Judges have rated empathy here, but not coherence: choose that judgment above" in words(page)
    page.selectbox(key="target").set_value("empathy").run()
    assert "Judges have rated" not in words(page)


def test_scores_that_a_judge_may_have_given_are_named_where_there_is_no_judge(
    open_page: Open, served: None, owner: str
) -> None:
    rated_study(metrics=("all", "gpt4_judge"))
    said = words(open_page("judges", owner))
    assert "No judge has rated" in said
    assert "Scores of *gpt4\\_judge* were imported as a metric's." in said
    assert "import the column as *Judges' ratings*" in said


@pytest.mark.usefixtures("served")
def test_a_study_of_pairs_without_judges_leads_to_a_run(open_page: Open, owner: str) -> None:
    compared_study()
    page = open_page("judges", owner)
    assert "no judge has been asked that yet: run one on the page Run metrics, where it is chosen" in words(page)
    links = {link.proto.label: link.proto.query_string for link in page.get("page_link")}
    assert links["Run a judge"] == "run=judge&score-tab=Summary"  # which asks about pairs here


POOR = {
    "one story": "0-0,A,4,3\n0-0,B,4,3\n",
    "ratings alike": "".join(f"{p}-0,{who},3,{p % 5 + 1}\n" for p in range(6) for who in "AB"),
    "a constant judge": "".join(f"{p}-0,{who},{p % 5 + 1},2\n" for p in range(6) for who in "AB"),
    "other stories judged": "".join(f"{p}-0,A,{p % 5 + 1},\n" for p in range(3)) + "4-0,,,3\n5-0,,,1\n",
    "one rater a story": "".join(f"{p}-0,A,{p % 5 + 1},{p % 4 + 1}\n" for p in range(6)),
}
"""Story, rater, rating, and what the judge gives it."""


@pytest.mark.parametrize("state", POOR)
def test_poor_data_is_said_and_breaks_nothing(open_page: Open, served: None, owner: str, state: str) -> None:
    rows = [line.split(",") for line in POOR[state].splitlines()]
    keys = list(dict.fromkeys(row[0] for row in rows))
    stories = tuple(StoryRecord(key, key[0], f"Opening {key[0]}.", f"Story {key}.", system="one") for key in keys)
    ratings = tuple(RatingRecord(key, who, float(value)) for key, who, value, _ in rows if value)
    judged = {key: float(value) for key, _, _, value in rows if value}
    record = ScoreRecord("m:overall", "file:m", judged)
    corpus = Corpus("mans", stories, ratings, (record,), raters_identified=True)
    imports.import_corpora(TERMINAL, "poor", [corpus])
    page = open_page("judges", owner)
    for name in TABS:
        page = tab(page, name)
        assert "Judges" in words(page)


def test_a_judge_that_is_not_there_is_another(open_page: Open, served: None, owner: str) -> None:
    judged_study(prompts=12)
    page = open_page("", owner)
    page.query_params["judge"] = "<b>nonsense</b>"
    page.query_params["tab"] = "Confusion"
    page.switch_page("judges.py").run()
    assert not page.exception
    assert page.selectbox(key="judge").value == "copy/1"
