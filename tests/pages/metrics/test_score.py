"""The score page: what is chosen is what runs, what it costs is said before, what it gave is seen."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

import worker
from core.analysis.verdict.without_degenerate import r_without
from core.annotation.pair_design import PairRules
from core.annotation.studies import Study
from core.checks.degenerate import degenerate_kinds
from core.home import own_metrics
from core.jobs import Job, JobState
from core.metrics import METRICS, build
from core.metrics.base import Kind, Scores
from core.metrics.run import settings_of
from core.people import TERMINAL, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, StoryRecord
from db.engine import writing
from db.jobs import jobs, own_cards
from db.jobs.lanes import Lane, lane_of
from db.judges import judged
from db.people import people
from db.schema import study as study_table
from db.scores import scores, tables
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from pages.ui.score.run_state import BEGUN
from pages.ui.shared.text import escaped
from tests.core.metrics.custom import GOOD
from tests.db.conftest import make_study
from tests.db.judged import judged_study
from tests.db.pairs import corpus, opened
from tests.pages.analysis import report
from tests.pages.conftest import Open
from tests.pages.pages import opened as opened_page
from tests.pages.pages import words
from tests.rated import rated_study

OWN = "docs/examples/openings.py:VariedOpenings"


def box(page: AppTest, label: str) -> "AppTest.selectbox":  # type: ignore[name-defined]
    (result,) = [item for item in page.selectbox if item.label.startswith(label)]
    return result


def choose(page: AppTest, *names: str, kind: str = "referenced") -> AppTest:
    page.session_state[f"metrics-1-{kind}"] = list(names)
    return page.run()


def claimed(job_id: int | None = None) -> Job:
    """A queued job, the oldest or this one, taken up."""
    job = jobs.claim("test", job_id)
    assert job is not None
    return job


def press(page: AppTest, label: str = "Run the metrics") -> dict[str, Any]:
    """Press the button; gives the settings of the job that is then the newest."""
    next(b for b in page.button if b.label == label).click().run()
    assert not page.exception
    return jobs.of_study(1, most=1)[0].settings


def run(page: AppTest) -> dict[str, object]:
    """Press the button; gives the settings of the job that is then queued."""
    press(page)
    return claimed().settings


def test_what_is_chosen_is_what_runs(open_page: Open, study: Study, owner: str) -> None:
    page = choose(open_page("score", owner), "bleu", "bertscore-r")
    box(page, "Normalisation").set_value("named").run()
    box(page, "References").set_value("mean").run()
    box(page, "Idf (bertscore-r)").set_value("references").run()
    next(g for g in page.segmented_control if g.label == "Precision").set_value("bfloat16").run()
    settings = run(page)
    shared = {"normalisation": "named", "first_words": "all", "references": "mean"}
    assert settings == {
        "metrics": ["bleu", "bertscore-r"],
        "models": {},
        "device": "auto",
        "precision": "bfloat16",
        "options": {
            "bleu": {**shared, "order": "4"},
            "bertscore-r": {**shared, "layer": "last", "idf": "references", "baseline": "no"},
        },
    }


@pytest.mark.parametrize("offered", [("auto", "cpu"), ("auto", "cpu", "cuda")])
@pytest.mark.parametrize("name", ["score", "train"])
def test_the_devices_are_those_that_there_can_be(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch, name: str, offered: tuple[str, ...]
) -> None:
    monkeypatch.setattr("pages.ui.shared.jobs.run_options.devices_here", lambda: offered)
    monkeypatch.setattr("pages.ui.train.advanced_settings.devices_here", lambda: offered)
    (control,) = [item for item in open_page(name, owner).segmented_control if item.label == "Device"]
    assert tuple(control.options) == offered


def test_metrics_without_a_model_do_not_wait_for_heavy_work(open_page: Open, study: Study, owner: str) -> None:
    jobs.add(TERMINAL, "train", None, {"name": "mine"})
    assert jobs.claim("worker", lane=Lane.HEAVY) is not None
    page = choose(open_page("score", owner), "bleu", "bertscore-r")
    page = choose(page, kind="unreferenced")
    assert run(page)["metrics"] == ["bleu"]
    assert [job.settings["metrics"] for job in jobs.of_study(study.id)] == [["bertscore-r"], ["bleu"]]
    assert "Waiting: 1 before it" in words(page.run())
    assert "bleu does not wait for it: see below." in words(page)


def test_what_is_all_stored_does_not_wait_for_heavy_work(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner), kind="unreferenced"), "bertscore-r", "bertscore-p")
    first = run(page)
    jobs.finish(jobs.of_study(study.id)[0].id, JobState.DONE, "finished", {"rows": [], "steps": []})
    metric = build("bertscore-r", settings_of(first, "bertscore-r", lambda: scores.reference_texts(study.id)))
    signature = scores.begin_run(study.id, metric.name, metric.signature)
    hashes = [pending.content_hash for pending in scores.pending(study.id, [signature], -1, 100)[0]]
    scores.store(study.id, signature, hashes, Scores.collect([0.5] * len(hashes)))
    jobs.add(TERMINAL, "train", None, {"name": "mine"})
    assert jobs.claim("worker", lane=Lane.HEAVY) is not None
    press(page.run())
    light = jobs.claim("worker", lane=Lane.LIGHT)
    assert light is not None
    assert light.settings["metrics"] == ["bertscore-r"]
    assert "bertscore-r does not wait for it: see below." in words(page.run())
    again = "Being scored already, so that they are not asked for again: bertscore-r, bertscore-p."
    assert again in words(page)  # whatever lane they take
    ended = worker.run_job(light)
    assert (ended.state, ended.result and ended.result["rows"][0]["reused"]) == (JobState.DONE, len(hashes))
    choose(page, "bertscore-r")
    assert "All of this is stored already: running it again costs nothing." in words(page)
    assert lane_of("score", press(page)) is Lane.LIGHT


def test_what_makes_another_judge_is_said_where_all_is_stored(open_page: Open, study: Study, owner: str) -> None:
    first = run(choose(choose(open_page("score", owner)), "judge", kind="unreferenced"))
    jobs.finish(jobs.of_study(study.id)[0].id, JobState.DONE, "finished", {"rows": [], "steps": []})
    settings = settings_of(first, "judge", lambda: scores.reference_texts(study.id), judged.judged_study(study.id))
    metric = build("judge", settings)
    signature = scores.begin_run(study.id, metric.name, metric.signature)
    hashes = [pending.content_hash for pending in scores.pending(study.id, [signature], -1, 100)[0]]
    scores.store(study.id, signature, hashes, Scores.collect([0.5] * len(hashes)))
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    assert (
        "For another judge choose, under Models and options, another model, another way or another number of rated "
        "stories to show it (few shot)."
    ) in [item.value.split("nothing. ")[-1] for item in page.text]


def test_a_run_that_ends_at_once_leaves_no_old_estimate(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = choose(choose(open_page("score", owner), kind="unreferenced"), "bleu")
    assert "10 scores to compute" in words(page)
    add = jobs.add

    def add_and_run(*args: Any, **kept: Any) -> Job:
        return worker.run_job(claimed(add(*args, **kept).id))

    monkeypatch.setattr(jobs, "add", add_and_run)
    press(page)
    assert "Done: 10 scores by *bleu*." in words(page)
    assert "All of this is stored already" in words(page)
    assert "10 scores to compute" not in words(page)


def test_a_trial_on_few_stories_is_for_its_own_run_alone(open_page: Open, owner: str) -> None:
    make_study(prompts=8)
    page = choose(choose(open_page("score", owner), kind="referenced"), "words", kind="unreferenced")
    page.toggle(key="score-few").set_value(True).run()
    choose(page, "words", "sentences", kind="unreferenced")
    assert page.toggle(key="score-few").value is True  # nothing was begun yet
    assert press(page, "Run on 30 stories")["most"] == 30
    assert page.run().toggle(key="score-few").value is True  # still the same run
    choose(page, "sentences", kind="unreferenced")
    assert page.toggle(key="score-few").value is False
    assert "most" not in press(page)


def test_what_is_being_scored_is_not_asked_for_again(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner), kind="unreferenced"), "bertscore-r")
    run(page)
    again = "Being scored already, so that they are not asked for again: bertscore-r."
    assert again in words(page.run())
    assert next(b for b in page.button if b.label == "Run the metrics").disabled
    page = choose(page, "bleu", "bertscore-r", "bertscore-p")
    assert again in words(page)
    assert run(page)["metrics"] == ["bleu"]
    heavy, light = jobs.of_study(study.id)[:2]
    assert (light.settings["metrics"], heavy.settings["metrics"]) == (["bleu"], ["bertscore-p"])
    note = "bleu does not wait for it: see below."
    assert note in words(page.run())
    worker.run_job(light)
    assert note not in words(page.run())  # it is over
    box(page, "References").set_value("mean").run()
    assert again not in words(page)  # that is another score


def test_it_is_tried_on_few_stories_first(open_page: Open, owner: str) -> None:
    make_study(prompts=8)
    page = choose(open_page("score", owner), kind="referenced")
    choose(page, "words", kind="unreferenced")
    assert "40 scores to compute" in words(page)
    page.toggle(key="score-few").set_value(True).run()
    assert "30 scores to compute" in words(page)
    assert (
        "This study has 8 prompts: a trial shows what it gives, but nothing can be claimed of fewer than 10"
        in words(page)
    )
    assert "one story of each before a second of any" in page.toggle(key="score-few").help
    assert "stories are scored" not in words(page)  # it is only asked for
    assert "Run the metrics" not in [button.label for button in page.button]
    next(b for b in page.button if b.label == "Run on 30 stories").click().run()
    job = jobs.claim("test")
    assert job is not None
    assert job.settings["most"] == 30
    jobs.beat(job.id, done=5, total=30, message="words: 1.1 stories a second, about 13 s left")
    assert "Running words, about 13 s left." in words(page.run())
    worker.run_job(job)
    page.run()
    assert "30 of 40 stories are scored. 10 scores to compute" in words(page)
    assert "Done: 30 scores by *words*." in words(page)
    twin = make_study("the same texts", prompts=8)
    other = open_page("score", owner)
    other.query_params["study"] = str(twin.id)
    other.session_state[f"metrics-{twin.id}-referenced"] = []
    other.session_state[f"metrics-{twin.id}-unreferenced"] = ["words"]
    text = words(other.run())
    assert "30 of 40 stories have scores already that a study with the same texts has computed." in text
    assert "stories are scored" not in text
    assert not [item for item in page.toggle if item.key == "score-few"]
    choose(page, "words", "sentences", kind="unreferenced")
    assert "stories are scored" not in words(page)  # none has both
    assert page.toggle(key="score-few").value is False
    choose(page, "words", kind="unreferenced")
    next(b for b in page.button if b.label == "Run the other 10 stories").click().run()
    rest = jobs.claim("test")
    assert rest is not None
    assert "most" not in rest.settings
    worker.run_job(rest)
    assert "Done: 10 new scores; 30 were stored already." in words(page.run())
    assert "With " not in words(page)
    box(page, "First words").set_value("200").run()
    page = page.switch_page("stories.py").run().switch_page("score.py").run()
    assert "With first words 200 (words)." in words(page)  # it is kept, and said


def test_an_option_that_metrics_share_is_asked_once(open_page: Open, study: Study, owner: str) -> None:
    page = choose(open_page("score", owner), "bertscore-p", "bertscore-r", "moverscore-1")
    labels = [item.label for item in page.selectbox]
    assert labels.count("Layer") == 1
    assert "Idf (bertscore-p, bertscore-r)" in labels
    assert "Idf (moverscore-1)" in labels


def test_a_blend_brings_its_parts(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner)), "ruber-bert", kind="hybrid")
    box(page, "Parts become one by (ruber-bert)").set_value("min").run()
    settings = run(page)
    assert settings["metrics"] == ["ruber-bert", "ruber-r-bert", "ruber-u-bert"]
    options = settings["options"]
    assert isinstance(options, dict)
    assert options["ruber-bert"] == {"how": "min"}
    assert options["ruber-u-bert"]["checkpoint"] == "ruber-u-bert"


def test_all_metrics_at_once(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    for kind in Kind:
        page.session_state[f"metrics-1-{kind}"] = [name for name, metric in METRICS.items() if metric.kind is kind]
    page.run()
    assert not page.exception


def test_where_a_judge_is_asked_is_said(
    open_page: Open, study: Study, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = choose(choose(open_page("score", owner)), "judge", kind="unreferenced")
    assert "A judge is run here, like any metric." in words(page)
    bundled = "The judge is smollm2-135m-instruct, which comes with Fabula. Another is chosen under Models and options."
    assert bundled in words(page)
    page = choose(page, "bleu")
    assert "A judge is run here" not in words(page)
    assert bundled in words(page)
    monkeypatch.setattr("pages.ui.score.endpoint_form.BUNDLED", {})
    assert "The judge is smollm2-135m-instruct. Another is chosen under Models and options." in words(page.run())
    page.segmented_control(key="judge-runs-on").set_value("a server").run()
    assert "The judge is" not in words(page)  # it is named in the fields


def test_nothing_chosen_and_nothing_runs(open_page: Open, study: Study, owner: str) -> None:
    page = choose(open_page("score", owner))
    assert "Choose at least one metric" in words(page)
    assert next(b for b in page.button if b.label == "Run the metrics").disabled


def test_a_model_that_is_missing_is_said_before_it_runs(open_page: Open, study: Study, owner: str) -> None:
    page = choose(choose(open_page("score", owner)), "bleurt", kind="hybrid")
    assert "download a BLEURT checkpoint" in words(page)
    assert next(b for b in page.button if b.label == "Run the metrics").disabled
    next(t for t in page.text_input if t.label == "BLEURT checkpoint").set_value("docs").run()
    assert "The folder docs holds no model" in words(page)


def test_a_metric_of_ones_own_is_offered_to_the_owner_alone(open_page: Open, study: Study, owner: str) -> None:
    researcher = open_page("score", people.invite(TERMINAL, Role.RESEARCHER, runs=[study.id]))
    assert "A metric of your own" not in [t.label for t in researcher.text_input]
    assert "so only an owner can add it" in words(researcher)
    assert "Look again" not in [b.label for b in researcher.button]
    page = choose(open_page("score", owner))
    own = next(t for t in page.text_input if t.label == "A metric of your own")
    own.set_value("openings.py").run()
    assert "does not name a metric" in words(page)
    own = next(t for t in page.text_input if t.label == "A metric of your own")
    own.set_value("nowhere.py:Own").run()
    assert "There is no metric file" in words(page)
    own = next(t for t in page.text_input if t.label == "A metric of your own")
    own.set_value(OWN).run()
    assert "is added to the metrics of this run. How many of a story's sentences begin with a word of" in words(page)
    assert "That is why it is not uploaded" in words(page)
    assert "takes its turn" not in words(page)
    settings = run(page)
    assert settings["metrics"] == [str(Path(OWN).resolve())]  # the worker may run elsewhere
    assert lane_of("score", settings) is Lane.LIGHT  # it says that it needs no model


def test_the_estimate_follows_what_this_machine_has_shown(open_page: Open, study: Study, owner: str) -> None:
    page = choose(open_page("score", owner), "bleu")
    assert "roughly" in words(page)
    job = jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]}, runner="test")
    steps = [{"key": "bleu", "characters": 10_000, "seconds": 100_000.0}]
    jobs.finish(job.id, JobState.DONE, "finished", {"rows": [], "steps": steps})
    minutes = scores.count_pending(study.id, [[]])[0].characters * 10 / 60
    text = words(page.run())
    assert f"10 scores to compute, about {minutes:.0f} min (by the last runs here)" in text


def test_people_who_are_compared_are_counted(open_page: Open, served: None, owner: str) -> None:
    opened(PairRules(a_panel=3, against_human=True), given=corpus(3))
    page = choose(open_page("score", owner), "bleu")
    assert "12 scores to compute" in words(page)  # it would compare people's stories with themselves
    assert "None yet: no metric has been run on the 15 stories of this study." in words(page)
    assert "People's stories are compared here, so they are scored too" in words(page)
    page = choose(page, "words", kind="unreferenced")
    assert "27 scores to compute" in words(page)


def test_results_say_what_is_undefined_and_why(open_page: Open, study: Study, owner: str) -> None:
    signature = scores.begin_run(study.id, "m", "m|v:1")
    page, _ = scores.pending(study.id, [signature], -1, 100)
    result = Scores.collect([1.0, 2.0, *["<b>no</b> word"] * (len(page) - 2)])
    scores.store(study.id, signature, [pending.content_hash for pending in page], result)
    shown = open_page("score", owner)
    row = shown.dataframe[0].value.iloc[0]
    assert (row["Metric"], row["Defined"], row["Undefined"]) == ("m", 2, len(page) - 2)
    assert row["Why undefined"] == f"{len(page) - 2}: <b>no</b> word"


def test_an_r_of_too_few_stories_has_its_number_and_a_warning(open_page: Open, served: None, owner: str) -> None:
    rated = report.rated_study()
    assert "Nothing can be claimed yet" not in words(open_page("score", owner))
    keys = scores.story_keys(rated.id)
    scores.import_scores(
        TERMINAL, rated.id, ScoreRecord("tried", "file:t", dict(zip(keys[:20], range(20), strict=True)))
    )
    page = open_page("score", owner)
    numbers = page.dataframe[0].value.set_index("Metric")["Rated"]
    assert (numbers["good"], numbers["tried"]) == (60, 20)
    assert "Nothing can be claimed yet by the r of tried: a claim takes 30 rated stories of 10 prompts." in words(page)


def test_two_signatures_of_a_metric_are_compared(open_page: Open, study: Study, owner: str) -> None:
    keys = scores.story_keys(study.id)
    values = {key: float(i) for i, key in enumerate(keys)}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("chatty", "file:a", values))
    computed = scores.begin_run(study.id, "chatty", "chatty|v:1")
    page, _ = scores.pending(study.id, [computed], -1, 100)
    result = Scores.collect([-2.0 * i for i in range(len(page))])
    scores.store(study.id, computed, [pending.content_hash for pending in page], result)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("another", "file:c", dict.fromkeys(keys, 1.0)))
    page = open_page("score", owner)
    page.session_state["score-tab"] = "One or two metrics"
    page.run()
    first = box(page, "Metric")
    assert first.options[1:] == ["chatty", "chatty[file]"]
    first.set_value("chatty").run()
    assert box(page, "Compared with").options[0] == "chatty[file]"
    assert "Signatures: chatty|v:1; file:a" in words(page)
    told = {metric.label: metric.value for metric in page.metric}
    assert told["Stories with both"] == f"{len(keys)}"
    assert told["Pearson's r"] == told["Spearman's ρ"] == "−1.0000"
    assert told["Greatest difference"] == f"{3 * (len(keys) - 1):.4f}"


@pytest.mark.parametrize("name", ["bleu", "perplexity"])
def test_a_run_to_its_end(open_page: Open, study: Study, owner: str, name: str, tmp_path: Path) -> None:
    job = worker.run_job(jobs.add(TERMINAL, "score", study.id, {"metrics": [name]}, runner="test"))
    assert job.state is JobState.DONE
    page = open_page("score", owner)
    assert f"{name}: 10 scores computed in" in words(page)
    assert page.dataframe[0].value["Metric"].tolist() == [name]


CIRCLE = "He went <i>home</i> and slept. " * 9


def circling(name: str, stories: int = 6, rated: Sequence[int] = (), prompts: int = 1) -> Study:
    """Every third story goes in circles; `rated`: a rating of each, where there are any."""
    texts = [CIRCLE if i % 3 == 0 else f"Day {i} was long. It rained on all {i} of them." for i in range(stories)]
    records = tuple(StoryRecord(f"s{i}", f"p{i % prompts}", "An opening.", text) for i, text in enumerate(texts))
    ratings = tuple(RatingRecord(f"s{i}", "rater", float(value)) for i, value in enumerate(rated))
    return imports.import_corpora(TERMINAL, name, [Corpus("mans" if ratings else "", records, ratings)])


def warned(page: AppTest) -> list[str]:
    """What the check-up warns of."""
    return [item.value.replace("\\", "") for item in page.warning if item.value.startswith("Check-up")]


def test_a_check_up_says_what_metrics_make_of_degenerate_stories(open_page: Open, owner: str) -> None:
    study = circling("circles", 30)
    for metric, high in (("fooled<b>", 0.9), ("wary", 0.1)):
        values = {f"s{i}": high if i % 3 == 0 else 0.4 for i in range(30)}
        scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", values))
    page = open_page("score", owner)
    (warning,) = warned(page)
    assert "of 30 stories 10 repeat themselves" in warning
    assert "rates them 0.900 on average, the others 0.400" in warning
    assert "wary" not in warning
    assert "These stories score higher than the others:" in warning
    assert "r with people changes" not in warning
    assert "by 0.2 standard deviations or more" in words(page)
    tables = {frame.proto.alt: frame.value for frame in page.dataframe}
    listed = tables["Degenerate stories"]
    assert list(listed["Story"]) == [f"s{i}" for i in range(0, 30, 3)]
    assert listed["Text"].iloc[0] == CIRCLE
    assert set(listed["What"]) == {"repeats itself"}
    assert list(tables["Degenerate stories by metric"]["Degenerate"]) == [10, 10]


def test_a_check_up_waits_for_the_scores_of_a_metric(open_page: Open, owner: str) -> None:
    study = circling("circles", 60)
    for metric, scored, least in (("fooled", 60, 0.4), ("bleu", 48, 0.3)):
        values = {f"s{i}": 0.9 if i % 3 == 0 else least for i in range(scored)}
        scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", values))
    assert "bleu rates them" in warned(open_page("score", owner))[0]
    job = jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]}, runner="test")
    jobs.beat(job.id, done=48, total=60)
    (warning,) = warned(open_page("score", owner))
    assert "Of metrics that are still being scored nothing is said yet: bleu." in warning
    assert "bleu rates them" not in warning
    assert "fooled rates them" in warning


def test_a_bar_that_goes_by_time_says_so(open_page: Open, study: Study, owner: str) -> None:
    """Or 1 of 4 scores beside 70 % would be a contradiction, and 751 of 1,500 beside less than 1 %."""
    job = jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu"]}, runner="test")
    for share, said in (
        (0.7, "1 of 4 scores, the slow ones first: about 70% of the time is over"),
        (0.18, "1 of 4 scores, the quick ones first: about 18% of the time is over"),
        (0.001, "1 of 4 scores, the quick ones first: nearly all of the time is still to come"),
        (0.25, "25%: 1 of 4 scores"),
    ):
        jobs.beat(job.id, done=1, total=4, so_far={"share": share})
        assert said in [bar.proto.text for bar in open_page("score", owner).get("progress")]


def test_a_check_up_tells_a_changed_r_from_a_higher_score(open_page: Open, owner: str) -> None:
    rated = [1 if i % 3 == 0 else i % 5 + 1 for i in range(36)]
    study = circling("circles", 36, rated)
    turned = {f"s{i}": -9.0 if i % 3 == 0 else -float(rating) for i, rating in enumerate(rated)}
    liking = {f"s{i}": 9.0 if i % 3 == 0 else float(rating) for i, rating in enumerate(rated)}
    for metric, values in (("turned", turned), ("liking", liking)):
        scores.import_scores(TERMINAL, study.id, ScoreRecord(metric, f"file:{metric}", values))
    (warning,) = warned(open_page("score", owner))
    another, higher = warning.split("These stories score higher than the others:")
    assert "Without them, r with people changes:" in another
    assert "- turned: −1.00 instead of 0." in another
    assert "- liking: 1.00 instead of −0." in another
    assert "liking rates them 9.000 on average" in higher
    assert "turned" not in higher


def test_r_without_degenerate_stories_has_its_interval(open_page: Open, owner: str) -> None:
    """The one that Correlation has beside its finding."""
    rated = [1 if i % 3 == 0 else i % 5 + 1 for i in range(72)]
    study = circling("circles", 72, rated, prompts=24)
    values = {f"s{i}": 9.0 if i % 3 == 0 else rating + (i % 4) / 2 for i, rating in enumerate(rated)}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("liking", "file:liking", values))
    table = tables.table(study.id)
    without = r_without(table, degenerate_kinds(table.texts), resamples=1000)
    assert without.low is not None
    page = open_page("score", owner)
    shown = next(frame.value for frame in page.dataframe if frame.proto.alt == "Degenerate stories by metric")
    (row,) = shown.to_dict("records")
    assert row["r without"] == pytest.approx(without.value)
    assert row["95 % of r without"] == without.ends_text().replace("-", "−")
    (warning,) = warned(page)
    assert "r with people changes (in brackets its 95 % interval, from draws of whole prompts):" in warning
    assert f"- liking: {without.shown('.2f')} instead of −0." in warning


def test_scores_of_degenerate_stories_stand_under_their_metrics(open_page: Open, owner: str) -> None:
    study = load_demonstration(TERMINAL)
    page = open_page("score", owner)
    (listed,) = (frame.value for frame in page.dataframe if frame.proto.alt == "Degenerate stories")
    assert next(name for name in listed.columns if name in METRICS) == "perplexity"  # the best first
    table = tables.table(study.id)
    for column in table.columns:
        score = dict(zip(table.keys, column.values, strict=True))
        for story, shown in zip(listed["Story"], listed[column.metric], strict=True):
            assert shown == pytest.approx(score[story]), column.metric


def test_words_are_counted_without_decimals(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = open_page("score", owner)
    formats = {}
    for frame in page.dataframe:
        if frame.proto.alt.startswith("Degenerate stories"):
            for name, column in json.loads(frame.proto.columns).items():
                formats[frame.proto.alt, name] = column.get("type_config", {}).get("format")
    assert formats["Degenerate stories", "words"] == "%.0f"
    assert formats["Degenerate stories", "bleu"] != "%.0f"
    summary = next(frame.value for frame in page.dataframe if frame.proto.alt == "Scores by metric")
    assert "Why undefined" not in summary.columns  # nothing is


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"s0": 0.1, "s1": 0.4}, "wary rates them lower than the others."),
        (
            {"s0": 0.5, "s1": 0.3, "s2": 0.7, "s3": 0.5},
            "They matter for none of the metrics.",
        ),
        ({"s1": 0.4}, "No metric has scored them and others."),
    ],
)
def test_a_check_up_of_one_metric_on_few_stories(
    open_page: Open, owner: str, values: dict[str, float], said: str
) -> None:
    study = circling("circles")
    scores.import_scores(TERMINAL, study.id, ScoreRecord("wary", "file:wary", values))
    told = [item.value for item in open_page("score", owner).info if item.value.startswith("Check-up")]
    assert told == [f"Check-up: of 6 stories 2 repeat themselves. {said}"]


def test_an_address_opens_the_list_of_degenerate_stories(open_page: Open, owner: str) -> None:
    study = circling("circles")
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:m", {f"s{i}": float(i) for i in range(6)}))
    page = open_page("", owner)
    page.switch_page("score.py").run()
    listed = "Degenerate stories and their scores"
    assert [box.proto.expanded for box in page.expander if box.label == listed] == [False]
    page.query_params["look"] = "degenerate"
    page.switch_page("score.py").run()
    assert [box.proto.expanded for box in page.expander if box.label == listed] == [True]


def test_a_check_up_that_finds_nothing_says_so(open_page: Open, study: Study, owner: str) -> None:
    keys = scores.story_keys(study.id)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:a", dict.fromkeys(keys, 1.0)))
    assert "none of the 10 stories repeats itself" in words(open_page("score", owner))


def test_many_stories_are_looked_at_when_somebody_asks(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = circling("circles")
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:a", {f"s{i}": float(i % 3 == 0) for i in range(6)}))
    monkeypatch.setattr("pages.ui.score.text_checkup.QUICK", 5)
    monkeypatch.setattr("pages.ui.score.results.QUICK", 5)
    page = open_page("score", owner)
    assert "repeat themselves" not in words(page)
    (toggle,) = [item for item in page.toggle if item.label.startswith("Look for stories")]
    toggle.set_value(True).run()
    assert "of 6 stories 2 repeat themselves" in words(page)


def test_a_metric_of_ones_own_has_its_steps_before_its_field(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    text = words(page)
    assert text.index("1. Begin with an example") < text.index("3. Press *Look again*") < text.index("Or type the path")
    assert not [code for code in page.code if "class " in code.value]  # they would push the button out of sight
    assert any(code.value.endswith(f":{own_metrics()}/") for code in page.code)  # over SSH, from a machine elsewhere


def test_what_is_in_the_servers_folder_is_pressed(open_page: Open, study: Study, owner: str) -> None:
    own_metrics().mkdir()
    (own_metrics() / "mine.py").write_text(GOOD, encoding="utf-8")
    (own_metrics() / "broken.py").write_text("class Half(", encoding="utf-8")
    page = choose(open_page("score", owner))
    assert "*broken.py* in that folder holds no metric" in words(page)
    mine = f"own-{own_metrics() / 'mine.py'}:Length"
    assert page.button(key=mine).label == escaped("my-length")
    page.button(key="own-look-again").click().run()
    assert "The folder holds my-length." in words(page)
    (own_metrics() / "other.py").write_text(GOOD, encoding="utf-8")
    page.button(key="own-look-again").click().run()
    assert "New: my-length (other.py: Length)." in words(page)
    assert page.button(key=mine).label == escaped("my-length (mine.py: Length)")  # two have one name
    assert "New: " not in words(page.run())
    page.button(key=mine).click().run()
    assert "my-length is added to the metrics of this run." in words(page)
    assert run(page)["metrics"] == [f"{own_metrics() / 'mine.py'}:Length"]
    for file, other in (("mine.py", "other.py"), ("other.py", "mine.py")):  # one takes the place of another
        chosen, free = (page.button(key=f"own-{own_metrics() / name}:Length") for name in (file, other))
        assert (chosen.disabled, chosen.proto.icon) == (True, ":material/check:")
        assert (free.disabled, free.proto.icon) == (False, ":material/add:")
        free.click().run()
        assert run(page)["metrics"] == [f"{own_metrics() / other}:Length"]


def test_a_link_chooses_one_metric_alone(open_page: Open, study: Study, owner: str) -> None:
    page = open_page("score", owner)
    page.text_input(key="own-metric-1").set_value(OWN).run()
    page.query_params["run"] = "judge"
    page.run()
    assert not page.text_input(key="own-metric-1").value  # one's own goes with the others
    assert run(page)["metrics"] == ["judge"]
    assert {name for kind in Kind for name in page.session_state[f"metrics-1-{kind}"]} == {"judge"}


def run_to_its_end(page: AppTest) -> None:
    """Press the button, and do what was queued; the page does not know of it yet."""
    next(b for b in page.button if b.label == "Run the metrics").click().run()
    queued = jobs.claim("test")
    assert queued is not None
    worker.run_job(queued)


def test_a_run_that_is_done_leads_to_its_correlation(open_page: Open, owner: str) -> None:
    study = rated_study(4)
    page = choose(choose(open_page("score", owner)), "words", kind="unreferenced")
    run_to_its_end(page)
    assert "Done: 12 scores by *words*." in words(page.run())
    (link,) = [item for item in page.get("page_link") if item.proto.label == "See the correlation"]
    assert (link.proto.page, link.proto.query_string) == ("correlation", f"study={study.id}&metric=words&tab=Table")
    assert page.session_state["first-metric"] == "words"  # what has just run is shown, and not the pair of before
    page = choose(page, "words", "sentences", kind="unreferenced")
    run_to_its_end(page)
    assert "Done: 12 new scores; 12 were stored already." in words(page.run())
    (link,) = [item for item in page.get("page_link") if item.proto.label == "See the correlation"]
    assert link.proto.query_string == f"study={study.id}&metric=sentences&tab=Table"


def test_a_judges_run_leads_to_its_trial_first(open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = judged_study()
    column = next(c for c in tables.table(study.id).columns if c.metric == "guess:coherence")
    job = jobs.add(TERMINAL, "score", study.id, {"metrics": ["judge"]})
    assert jobs.claim("test") is not None
    row = {"metric": column.metric, "signature": column.signature, "unit": "stories", "reasons": {}, "seconds": 1.0}
    jobs.finish(job.id, JobState.DONE, "done", {"rows": [row | {"scored": 60, "reused": 0, "undefined": 0}]})
    monkeypatch.setattr("pages.ui.score.run_state._of_all", lambda _run: {})  # whatever the form asks for
    page = open_page("score", owner)
    page.session_state[BEGUN] = {study.id: (job.id, {})}
    page.run()
    links = [link.proto for link in page.get("page_link")]
    labels = [link.label for link in links]
    trial = labels.index("Put the judge on trial")
    assert trial < labels.index("See the correlation")
    assert "tab=May+it+replace+a+person" in links[trial].query_string
    with writing() as connection:  # then the test is not offered
        connection.execute(update(study_table).values(raters_identified=False))
    (trial,) = [link.proto for link in page.run().get("page_link") if link.proto.label == "Put the judge on trial"]
    assert "tab=Agreement" in trial.query_string


def test_a_metric_of_ones_own_is_called_by_its_name(open_page: Open, study: Study, owner: str) -> None:
    for path in (f"{Path(OWN).resolve()}", "/gone/mine.py:Mine"):
        jobs.add(TERMINAL, "score", study.id, {"metrics": [path]})
    said = words(open_page("score", owner))
    assert "varied-openings: " in said
    assert "Mine: " in said
    assert "mine.py" not in said


def test_a_run_under_way_is_named_once(open_page: Open, study: Study, owner: str) -> None:
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["words"]})
    running = jobs.claim("test")
    assert running is not None
    jobs.beat(running.id, done=1, total=12, message="words: about 3 s left")
    lines = words(open_page("score", owner)).splitlines()
    assert "words: about 3 s left" in lines
    jobs.beat(running.id, done=1, total=12, message="words")
    assert "words" in words(open_page("score", owner)).splitlines()


def test_of_a_run_of_several_metrics_it_says_which_run_now(open_page: Open, study: Study, owner: str) -> None:
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["bleu", "words"]})
    assert "bleu, words: waiting for its turn" in words(open_page("score", owner)).splitlines()
    running = jobs.claim("test")
    assert running is not None
    jobs.beat(running.id, done=1, total=12, message="words: about 3 s left")
    assert "bleu, words; now words: about 3 s left" in words(open_page("score", owner)).splitlines()


def test_a_run_without_a_score_says_why(open_page: Open, owner: str) -> None:
    rated_study(4)
    page = open_page("score", owner)
    assert page.button_group(key="metrics-1-unreferenced").value == ["perplexity", "acceptability", "words"]
    page = choose(choose(page, kind="unreferenced"), "bleu")
    run_to_its_end(page)
    said = words(page.run())
    why = "the prompt has no human story to compare with (12)."
    assert f":orange[:material/warning:] Done: 0 scores by *bleu*. Without one: {why}" in said
    assert "0 reused, 12 undefined: the prompt has no human story" in said
    assert not [item for item in page.get("page_link") if item.proto.label == "See the correlation"]


def test_scores_of_an_old_signature_are_deleted(open_page: Open, study: Study, owner: str) -> None:
    keys = scores.story_keys(study.id)
    for text in ("file:old", "file:new"):
        scores.import_scores(TERMINAL, study.id, ScoreRecord(text[5:], text, dict.fromkeys(keys, 1.0)))
    page = open_page("score", owner)
    box(page, "Scores of").set_value("file:old").run()
    assert next(button for button in page.button if button.key == "scores-delete-yes").disabled
    next(item for item in page.checkbox if str(item.key).startswith("scores-delete-sure")).check().run()
    next(button for button in page.button if button.key == "scores-delete-yes").click().run()
    assert not page.exception
    assert list(page.dataframe[0].value["Metric"]) == ["new"]
    assert not [item for item in page.checkbox if item.value]


def test_two_metrics_begin_with_those_that_agree_best(open_page: Open, owner: str) -> None:
    study = rated_study(prompts=12, metrics=("zeta", "middle"))
    values = {key: float(i * 5 % 12) for i, key in enumerate(scores.story_keys(study.id))}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("acceptable", "file:other", values))
    page = open_page("score", owner)
    page.session_state["score-tab"] = "One or two metrics"
    page.run()
    assert {box(page, "Metric").value, box(page, "Compared with").value} == {"zeta", "middle"}
    assert box(page, "Compared with").options[-1] == "acceptable"


@pytest.mark.parametrize(("name", "tab"), [("correlation", "Table"), ("correlation", "Scatter"), ("difference", "")])
def test_a_finding_leads_to_where_two_metrics_disagree(open_page: Open, owner: str, name: str, tab: str) -> None:
    rated_study(metrics=("all", "coarse"))
    page = open_page(name, owner)
    page.session_state["tab"] = tab
    page.run()
    link = next(button for button in page.button if button.key == "pair-link")
    link.click().run()
    assert not page.exception
    assert page.title[0].value == "Run metrics"
    pair = page.session_state["first-metric"], page.session_state["second-metric"]
    assert link.label == f"Stories on which {pair[0]} and {pair[1]} disagree most"
    assert link.label in [heading.value for heading in page.subheader]
    apart = next(frame.value for frame in page.dataframe if "Ranks apart" in frame.value)["Ranks apart"].tolist()
    assert apart == sorted(apart, reverse=True)
    assert next(frame.value for frame in page.dataframe if "Ranks apart" in frame.value)["Text"].str.len().min() > 0


def test_the_criterion_goes_along_to_where_two_metrics_disagree(open_page: Open, owner: str) -> None:
    judged_study()
    page = open_page("correlation", owner)
    page.session_state["tab"] = "Table"
    page.selectbox(key="target").set_value("empathy").run()
    next(button for button in page.button if button.key == "pair-link").click().run()
    assert page.title[0].value == "Run metrics"
    assert page.selectbox(key="target").value == "empathy"
    assert "People: their mean rating on empathy." in words(page)
    keys = next(frame.value for frame in page.dataframe if "Ranks apart" in frame.value)["Story"].tolist()
    page.query_params |= {"story": keys[0], "score-tab": "One or two metrics"}
    drawer = words(page.switch_page("score.py").run())
    assert "Why two metrics disagree" in drawer
    assert "on coherence" not in drawer
    page.selectbox(key="target").set_value("coherence").run()
    assert "People: their mean rating on coherence." in words(page)


def test_the_two_of_a_link_stand_though_a_run_has_ended_meanwhile(open_page: Open, owner: str) -> None:
    study = rated_study(4, metrics=("all", "coarse"))
    page = choose(choose(open_page("score", owner)), "words", "sentences", kind="unreferenced")
    next(b for b in page.button if b.label == "Run the metrics").click().run()
    page.switch_page("correlation.py").run()
    queued = jobs.claim("test")
    assert queued is not None
    worker.run_job(queued)
    asked = {"score-tab": "One or two metrics", "first-metric": "coarse", "second-metric": "all"}
    page.query_params |= {"study": str(study.id)} | asked
    page.switch_page("score.py").run()
    assert {key: page.session_state[key] for key in asked} == asked


def test_why_two_metrics_disagree_comes_first_where_they_are_compared(open_page: Open, owner: str) -> None:
    rated_study(4, metrics=("all", "half"))
    why, said = "Why two metrics disagree", "What people say"
    page = open_page("", owner)
    page.query_params["story"] = "0-1"
    page.switch_page("stories.py").run()
    assert words(page).index(said) < words(page).index(why)
    page = open_page("", owner)
    page.query_params |= {"story": "0-1", "score-tab": "One or two metrics"}
    page.switch_page("score.py").run()
    assert words(page).index(why) < words(page).index(said)


def test_what_a_metric_of_ones_own_looks_at_is_what_its_card_says(open_page: Open, owner: str, tmp_path: Path) -> None:
    study, file = rated_study(4, metrics=("all",)), tmp_path / "mine.py"
    file.write_text(GOOD, encoding="utf-8")
    jobs.add(TERMINAL, "score", study.id, {"metrics": [f"{file}:Length"]})
    queued = jobs.claim("test")
    assert queued is not None
    worker.run_job(queued)
    page = open_page("", owner)
    page.query_params["story"] = "0-1"
    said = words(page.switch_page("stories.py").run())
    assert "**my-length**: length" in said
    assert "**all**: its scores came from a file, which does not say." in said
    (signature,) = [column.signature for column in tables.table(study.id, ["my-length"]).columns]
    assert own_cards.measures(study.id, signature) == "length"
    assert "file the signature names by its hash. By its card it measures: length" in words(
        opened_page(open_page, owner, "report", {"metric": "my-length"})
    )
    assert own_cards.measures(study.id, "my-length|v:1") == ""
    file.unlink()
    assert "its Python file is gone or has changed, and its card with it" in words(page.run())
    assert own_cards.measures(study.id, signature) == ""


def test_the_summary_has_the_metric_first_that_agrees_best(open_page: Open, owner: str) -> None:
    study = rated_study(prompts=12, metrics=("zeta",))
    values = {key: float(i * 5 % 12) for i, key in enumerate(scores.story_keys(study.id))}
    scores.import_scores(TERMINAL, study.id, ScoreRecord("acceptable", "file:other", values))
    assert list(open_page("score", owner).dataframe[0].value["Metric"]) == ["zeta", "acceptable"]
