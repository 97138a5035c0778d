"""The Train page: what it asks and refuses, what a job is then told, runs, checkpoints and the page Run metrics."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from streamlit.testing.v1 import AppTest

import worker
from core.annotation.studies import Study
from core.checkpoints.kinds import Tuning
from core.checkpoints.store import shipped
from core.figures.training import CHOSEN, TWO_SHARES
from core.jobs import Job, JobState
from core.people import TERMINAL, Role
from core.perturb.negatives.sampler import MixName
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from core.training.engine.recipe import Way
from core.training.engine.stories import StorySet, read_upload, save_upload, upload_hash
from core.training.registry import settings_from
from core.training.union.settings import UnionSettings
from db.engine import writing
from db.jobs import jobs
from db.jobs.lanes import Lane
from db.people import people
from db.schema import job as job_table
from db.studies import story_texts
from db.training import checkpoints
from db.transfer import imports
from db.transfer.demonstration import load_demonstration
from pages.ui.train.rated import INSIST
from tests.core.training.made_checkpoint import CARD, made_checkpoint
from tests.core.training.union.task import STORIES
from tests.pages.conftest import Open
from tests.pages.metrics.train import imported, start
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown

MINILM = "all-minilm-l6-v2"
COMPARE = "Compare"


def chosen(page: AppTest, *studies: int, name: str = "small") -> AppTest:
    page.multiselect(key="train-studies").set_value(list(studies)).run()
    page.selectbox(key="train-base").set_value(MINILM).run()
    return page.text_input(key="train-name").set_value(name).run()


def order(page: AppTest) -> UnionSettings:
    start(page).click().run()
    assert not page.exception
    return settings_from(jobs.of_kind("train")[0].settings)


def test_the_stories_are_those_of_the_study_of_the_sidebar(open_page: Open, owner: str) -> None:
    """Also once another is chosen there, unless others were chosen in the box; and each choice says what it is of."""
    first, second = imported("first"), imported("second")
    page = open_page("train", owner)
    box = page.multiselect(key="train-studies")
    (begun,) = box.value
    other = second if begun == first else first
    page.session_state["chosen_study"] = other
    page.run()
    assert page.multiselect(key="train-studies").value == [other]
    page.multiselect(key="train-studies").set_value([first, second]).run()
    page.session_state["chosen_study"] = begun
    page.run()
    assert page.multiselect(key="train-studies").value == [first, second]
    labels = [control.label for control in page.main if hasattr(control, "label")]
    assert {"Recipe: how the metric learns", "Mix: how negatives are made"} <= set(labels)
    assert labels.index("Name of the checkpoint") < labels.index("Human stories of studies")


def test_a_table_with_a_column_a_sentence_is_joined(open_page: Open, owner: str) -> None:
    page = open_page("train", owner)
    head = ",".join(["storyid", *(f"sentence{number}" for number in range(1, 6))])
    rows = [f"s{row}," + ",".join(f"Day {row} was {word}." for word in ("a", "b", "c", "d", "e")) for row in range(13)]
    page.file_uploader(key="train-tables").set_value(("roc.csv", "\n".join([head, *rows]).encode(), "text/csv")).run()
    assert not page.exception
    (box,) = [box for box in page.selectbox if box.label == "Story" and str(box.key).startswith("train-text-")]
    assert box.value == "sentence1+sentence2+sentence3+sentence4+sentence5"
    page.text_input(key="train-name").set_value("roc").run()
    stories = read_upload(order(page).folder, order(page).stories[0])
    assert len(stories) == 13
    assert stories[0] == "Day 0 was a. Day 0 was b. Day 0 was c. Day 0 was d. Day 0 was e."


def test_an_upload_is_trained_on_alone_unless_a_study_is_chosen(open_page: Open, owner: str) -> None:
    study = imported()
    page = chosen(open_page("train", owner), study)
    assert "Trains on 20 stories of mine." in words(page)
    lines = ["story", *STORIES[:12], "", "Too short.", STORIES[3]]
    page.file_uploader(key="train-tables").set_value(("my.csv", "\n".join(lines).encode(), "text/csv")).run()
    assert page.multiselect(key="train-studies").value == []
    assert "Trains on 12 stories of my.csv." in words(page)
    left_out = "line 15: one sentence, of which no negative can be made"
    assert f"2 rows of my.csv left out ({left_out}; line 16: the same as line 5)." in words(page)
    page.multiselect(key="train-studies").set_value([study]).run()
    assert "Trains on 20 stories of mine and 12 stories of my.csv." in words(page)
    union_settings = order(page)
    assert [story.name for story in union_settings.stories] == ["mine", "my"]
    assert len(read_upload(union_settings.folder, union_settings.stories[1])) == 13


def test_a_table_without_stories_is_said(open_page: Open, owner: str) -> None:
    page = open_page("train", owner)
    page.file_uploader(key="train-tables").set_value(("my.csv", b'story,by\n"",x\n', "text/csv")).run()
    assert "1 row of my.csv left out (line 2: no story). Choose another column, or another file." in words(page)
    assert start(page).disabled


def test_a_text_is_trained_on_line_by_line_and_what_is_no_such_file_is_said(open_page: Open, owner: str) -> None:
    page = open_page("train", owner)
    lines = "\n\n".join(STORIES[:12]).encode()
    files = [("my.txt", lines, "text/plain"), ("essay.docx", b"PK\x03\x04", "application/msword")]
    page.file_uploader(key="train-tables").set_value(files).run()
    assert not page.exception
    assert "Trains on 12 stories of my.txt." in words(page)
    assert [error.value.replace("\\", "") for error in page.error] == [
        "essay.docx: files ending in .docx are not known; use .csv, .tsv, .json, .jsonl, .parquet, .txt."
    ]


def test_what_is_chosen_is_what_is_trained(open_page: Open, owner: str) -> None:
    study = imported()
    page = open_page("train", owner)
    assert page.multiselect(key="train-studies").value == [study], "the study of the sidebar"
    page.multiselect(key="train-studies").set_value([]).run()
    assert "Choose stories to train on" in words(page)
    assert "No training yet" in words(page)
    assert start(page).disabled
    chosen(page, study, 0, name="")
    assert "34 stories and a negative of each, roughly" in words(page)
    assert "reading stories (once, whatever the epochs), " in words(page)
    assert "About 4 of these pairs are held out, to check what it learns." in words(page)
    assert words(page).count("Give the checkpoint a name") == 1
    start(page).click().run()
    assert words(page).count("Give the checkpoint a name") == 2  # it is said again, and nothing begins
    assert jobs.claim("test", lane=Lane.HEAVY) is None
    page.text_input(key="train-name").set_value(" small ").run()
    page.pills(key="techniques").set_value(["negation", "reordering"]).run()
    page.segmented_control(key="mix").set_value("paper").run()
    page.selectbox(key="train-normalisation").set_value("delexicalised").run()
    page.text_input(key="train-layers").set_value("3, 1").run()
    page.number_input(key="train-epochs-frozen").set_value(1).run()
    page.toggle(key="train-reconstruction").set_value(False).run()
    page.number_input(key="seed").set_value(7).run()
    union_settings = order(page)
    assert union_settings == UnionSettings(
        "small",
        (StorySet("mine", study=study, version=story_texts.version(study)), StorySet("Fabula's demonstration")),
        base=MINILM,
        layers=(1, 3),
        reconstruction=0.0,
        mix=MixName.PAPER,
        without=tuple(technique for technique in union_settings.without if technique in ("repetition", "substitution")),
        epochs=1,
        seed=7,
        normalisation="delexicalised",
    )
    assert len(union_settings.without) == 2
    assert page.text_input(key="train-name").value == ""
    assert page.text_input(key="train-name").placeholder == "such as: my UNION"  # an example, and no name
    assert "small: UNION on all-minilm-l6-v2, of mine, Fabula's demonstration" in words(page)
    assert (
        "**small** is in the queue, and starts when its turn comes. Its progress is below, under [Runs](#runs)"
        in words(page)
    )
    assert "Give the checkpoint a name" not in words(page)
    assert jobs.claim("test", lane=Lane.HEAVY) is not None
    assert "**small** is being trained. Its progress is below" in words(page.run())
    page.text_input(key="train-name").set_value("small").run()
    assert "A checkpoint named 'small' is being trained" in words(page)


def test_the_papers_recipe_is_chosen(open_page: Open, owner: str) -> None:
    study = imported()
    page = open_page("train", owner)
    page.multiselect(key="train-studies").set_value([study]).run()
    page.segmented_control(key="train-recipe").set_value(Way.PAPER).run()
    assert page.selectbox(key="train-base-paper").value == MINILM
    assert page.segmented_control(key="train-tuning-paper").disabled
    assert not [item for item in page.text_input if item.key == "train-layers"]
    page.number_input(key="train-steps").set_value(300).run()
    page.text_input(key="train-name").set_value("published").run()
    union_settings = order(page)
    assert (union_settings.recipe, union_settings.steps, union_settings.base) == (Way.PAPER, 300, MINILM)
    assert (union_settings.mix, union_settings.normalisation) == (MixName.PAPER, "delexicalised")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda page: page.text_input(key="train-name").set_value("union"), "comes with Fabula is named 'union'"),
        (lambda page: page.text_input(key="train-layers").set_value("7"), "has the layers 1 to 6; there is no layer 7"),
        (lambda page: page.text_input(key="train-layers").set_value("top"), "Layers are numbers such as 16, 20"),
        (lambda page: page.pills(key="techniques").set_value([]), "Choose at least one technique"),
        (lambda page: page.multiselect(key="train-studies").set_value([2]), "few: UNION is trained on 10 stories"),
    ],
    ids=["name", "layer", "layers", "techniques", "few"],
)
def test_what_cannot_work_is_refused_before(
    open_page: Open, owner: str, change: Callable[[AppTest], AppTest], said: str
) -> None:
    study = imported()
    assert imported("few", 9) == 2
    page = chosen(open_page("train", owner), study)
    assert not start(page).disabled
    change(page).run()
    assert said in words(page)
    assert not [item for item in page.button if item.label == "Start training" and not item.disabled]


def test_a_training_done_already_is_refused_before(open_page: Open, owner: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"), "the *first*")
    study = imported()
    asked = order(chosen(open_page("train", owner), study))
    job = jobs.claim("test", lane=Lane.HEAVY)
    assert job is not None
    jobs.finish(job.id, JobState.DONE, "finished", {**ended([]), "weights": kept.card.weights})
    page = chosen(open_page("train", owner), study, name="another")
    assert settings_from(job.settings) == asked
    assert "'the *first*' was trained in exactly this way: use it, or change the seed." in words(page)
    assert start(page).disabled
    page.number_input(key="seed").set_value(7).run()
    assert not start(page).disabled


def test_rated_stories_only_if_the_viewer_insists(open_page: Open, owner: str) -> None:
    load_demonstration(TERMINAL)
    page = chosen(open_page("train", owner), 1)
    assert "14 of these stories are in *Demonstration*, where people have rated: “" in words(page)
    assert "” and 11 more. A metric that is trained on them cannot be tested there." in words(page)
    assert "All of the chosen stories are in studies that people have rated: choose others." in words(page)
    assert start(page).disabled
    page.radio(key="train-overlap").set_value(INSIST).run()
    asked = order(page)
    assert asked.overlap_allowed
    assert [story.name for story in asked.stories] == ["Demonstration"]


def test_rated_stories_are_left_out_unless_the_viewer_insists(open_page: Open, owner: str) -> None:
    mine = imported()
    records = [StoryRecord(str(i), str(i), "", STORIES[i], Source.SYSTEM, "gpt") for i in (1, 3)]
    rated = Corpus("mans", tuple(records), (RatingRecord("1", "Ann", 3),))
    imports.import_corpora(TERMINAL, "first", [rated])
    imports.import_corpora(TERMINAL, "second", [replace(rated, stories=tuple(records[:1]))])
    page = chosen(open_page("train", owner), mine)
    assert "2 of these stories are in *first*, where people have rated: “" in words(page)
    assert "1 of these stories is in *second*, where people have rated: “" in words(page)
    assert "A metric that is trained on it cannot be tested there." in words(page)
    assert "Trains on 18 stories of mine." in words(page)
    asked = order(page)
    assert not asked.overlap_allowed
    left = [text for place, text in enumerate(STORIES[:20]) if place not in (1, 3)]
    assert read_upload(asked.folder, asked.stories[0]) == left


def test_what_all_of_it_costs(open_page: Open, owner: str) -> None:
    study = imported()
    page = chosen(open_page("train", owner), study)
    assert "The checkpoint will take about 115 kB" in words(page)
    page.segmented_control(key="train-tuning").set_value(Tuning.FULL).run()
    assert "The checkpoint will take about 45 MB" in words(page)
    assert page.number_input(key="train-epochs-full").value == 2
    job = jobs.add(TERMINAL, "train", None, UnionSettings("x", ()).as_json(), runner="test")
    keys = [f"train {what} {MINILM} 6 auto float32" for what in ("reading", "full with reconstruction")]
    steps = [{"key": key, "characters": 10_000, "seconds": 1.0} for key in ("train negatives", *keys)]
    jobs.finish(job.id, JobState.DONE, "finished", ended(steps))
    page.run()
    assert "by the last runs here" in words(page)
    assert "3 pairs, 1 of them held out to check it, 2 s of training." in words(page)
    with writing() as connection:  # most of it goes into reading, negatives and the base
        connection.execute(update(job_table).values(started_at=jobs.get(job.id).ended_at - timedelta(seconds=71)))
    assert "3 pairs, 1 of them held out to check it, 2 s of training, 71 s in all." in words(page.run())
    assert "Held-out pairs: AUC 0.750, pairs ranked right 0.800, loss 0.500. So few held-out pairs say" in words(page)
    assert TWO_SHARES in words(page)
    assert CHOSEN not in words(page)  # of one evaluation there was no choice
    result = ended(steps)
    result["curve"]["evaluations"] = [[1, {"auc": 0.7}], [2, {"auc": 0.8}]]
    again = jobs.add(TERMINAL, "train", None, UnionSettings("y", ()).as_json(), runner="test")
    jobs.finish(again.id, JobState.DONE, "finished", result)
    assert CHOSEN in words(page.run())


def ended(steps: list[dict[str, object]]) -> dict[str, Any]:
    curve = {"planned": 2, "steps": [1, 2], "losses": {"loss": [0.7, 0.6]}, "evaluations": [[2, {"auc": 0.8}]],
             "best": 2}  # fmt: skip
    return {"name": "x", "weights": "0", "pairs": 3, "held_out": 1,
            "figures": {"held-out pairs: auc": 0.75, "held-out pairs: ranked": 0.8, "held-out pairs: loss": 0.5},
            "curve": curve, "seconds": 2.0, "steps": steps, "notices": []}  # fmt: skip


def stopped(name: str, state: JobState) -> Job:
    """As the worker leaves one that was stopped after two steps."""
    asked = UnionSettings(name, (StorySet("animals", upload=upload_hash(STORIES)),), base=MINILM)
    save_upload(asked.folder, STORIES)
    job = jobs.add(TERMINAL, "train", None, asked.as_json(), runner="test")
    jobs.beat(job.id, done=2, total=9, message="Training: loss 0.612", so_far={"curve": ended([])["curve"]})
    if not state.active:
        jobs.finish(job.id, state, "what was done is kept")
    return jobs.get(job.id)


def test_runs_are_watched_and_put_away(open_page: Open, owner: str) -> None:
    stopped("first", JobState.INTERRUPTED)
    running = stopped("second", JobState.RUNNING)
    page = open_page("train", owner)
    sentence = words(page)
    assert "second: UNION on all-minilm-l6-v2, of animals\nTraining: loss 0.612" in sentence
    assert "first: UNION on all-minilm-l6-v2, of animals\nWhat was done is kept" in sentence
    assert len(page.get("plotly_chart")) == 2  # the losses: what was measured once is a sentence
    assert "Held-out AUC 0.800 at step 2: measured once." in sentence
    curve = ended([])["curve"] | {"evaluations": [[1, {"auc": 0.7}], [2, {"auc": 0.8}]]}
    jobs.beat(running.id, so_far={"curve": curve})
    assert len(page.run().get("plotly_chart")) == 3
    assert [item.label for item in page.button if item.key == f"cancel-{running.id}"] == ["Cancel"]
    folder = settings_from(jobs.get(1).settings).folder
    assert folder.exists()
    next(item for item in page.button if item.label == "Delete it").click().run()
    assert not folder.exists()
    next(item for item in page.button if item.label == "Resume").click().run()
    assert jobs.get(1).state is JobState.QUEUED
    claimed = jobs.claim("test", 1)
    assert claimed is not None
    assert "The stories of animals are not kept any more" in worker.run_job(claimed).message


def test_checkpoints_side_by_side(open_page: Open, owner: str, tmp_path: Path) -> None:
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "b", 2.0), "other")
    page = open_page("train", owner)
    page.session_state["training"] = COMPARE
    page.run()
    table = page.dataframe[0].value
    assert table["Name"].tolist() == ["other", "small one", *shipped()]
    assert page.multiselect(key="compared").value == ["other"]
    assert "A trained metric of the kind `union`" in page.code[0].value
    assert len(page.dataframe) == 3
    page.multiselect(key="compared").set_value(["other", "small one"]).run()
    assert not page.code
    recipes = page.dataframe[2].value
    assert not (recipes["Differs"] == "≠").any()
    page.multiselect(key="compared").set_value(["other", "union"]).run()
    recipes = page.dataframe[2].value.set_index("Setting")
    assert recipes.loc["base", "Differs"] == "≠"
    assert recipes.loc["accumulation", "Differs"] == ""
    page.toggle(key="only-differences").set_value(True).run()
    assert "accumulation" not in page.dataframe[2].value["Setting"].tolist()
    assert "there is no curve: other, union" in words(page)


@pytest.mark.parametrize(
    ("measured", "charts"), [([[2, {"auc": 0.8}]], 1), ([[1, {"auc": 0.7}], [2, {"auc": 0.8}]], 2)]
)
def test_a_figure_that_was_measured_once_is_no_line(
    open_page: Open, owner: str, tmp_path: Path, measured: list[object], charts: int
) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    job = jobs.add(TERMINAL, "train", None, UnionSettings("x", ()).as_json(), runner="test")
    curve = ended([])["curve"] | {"evaluations": measured}
    jobs.finish(job.id, JobState.DONE, "finished", ended([]) | {"weights": kept.card.weights, "curve": curve})
    page = open_page("train", owner)
    page.session_state["training"] = COMPARE
    page.run()
    assert len(page.get("plotly_chart")) == charts


def test_renamed_and_deleted(open_page: Open, owner: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    page = open_page("train", owner)
    page.session_state["training"] = COMPARE
    page.run()
    page.text_input(key=f"checkpoint-name-{kept.id}").set_value("union").run()
    page.button(key="checkpoint-rename-yes").click().run()
    assert "comes with Fabula" in words(page)
    page.text_input(key=f"checkpoint-name-{kept.id}").set_value("better").run()
    page.button(key="checkpoint-rename-yes").click().run()
    assert page.multiselect(key="compared").value == ["better"]
    researcher = open_page("train", people.invite(TERMINAL, Role.RESEARCHER))
    researcher.session_state["training"] = COMPARE
    researcher.run()
    keys = [item.key for item in researcher.button]
    assert "checkpoint-rename-yes" in keys
    assert "checkpoint-delete-yes" not in keys
    page = open_page("train", owner)
    page.session_state["training"] = COMPARE
    page.run()
    page.checkbox(key=f"checkpoint-sure-{kept.id}").check().run()
    page.button(key="checkpoint-delete-yes").click().run()
    assert [checkpoint.card.name for checkpoint in checkpoints.listed(TERMINAL)] == [*shipped()]
    page.multiselect(key="compared").set_value(["union"]).run()
    assert "checkpoint-rename-yes" not in [item.key for item in page.button]


def test_the_score_page_offers_what_fits(open_page: Open, study: Study, owner: str, tmp_path: Path) -> None:
    kept = checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"))
    assert "reconstruction" not in kept.card.recipe
    page = open_page("score", owner)
    page.session_state["metrics-1-unreferenced"] = ["union", "union-no-recon"]
    page.run()
    offered = {item.label: item.options for item in page.selectbox if item.label.startswith("Checkpoint")}
    assert CARD.name in offered["Checkpoint (union-no-recon)"]
    assert CARD.name not in offered["Checkpoint (union)"]
    labels = {item.label for item in page.selectbox}
    assert {"Score", "Long stories"} <= {label.partition(" (")[0] for label in labels}
    assert not [label for label in labels if label.startswith(("Of", "Long ("))]
    page = open_page("train", owner)
    page.session_state["training"] = COMPARE
    page.run()
    links = [link.proto for link in page.get("page_link")]
    assert [link.query_string for link in links if link.label == "Score a study with it"] == ["checkpoint=small+one"]
    page = open_page("", owner)
    page.query_params["checkpoint"] = CARD.name
    page.switch_page("score.py").run()
    assert page.session_state["metrics-1-unreferenced"] == ["union-no-recon"]
    assert next(item for item in page.selectbox if item.label.startswith("Checkpoint")).value == CARD.name
    assert "does not say its tuning: train it again" in words(page)


def test_names_that_want_to_be_markup(open_page: Open, owner: str, tmp_path: Path) -> None:
    study = imported(MARKUP)
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"), MARKUP)
    stopped(f"run {MARKUP}", JobState.CANCELLED)
    page = chosen(open_page("train", owner), study, name=MARKUP)
    assert MARKUP in words(page)
    for sentence in read_as_markdown(page):
        assert MARKUP not in sentence
    page.session_state["training"] = COMPARE
    page.run()
    assert not page.exception
    for sentence in read_as_markdown(page):
        assert MARKUP not in sentence


def test_the_page_of_runs_tells_ones_own_checkpoint_from_that_which_comes_along(
    open_page: Open, study: Study, owner: str, tmp_path: Path
) -> None:
    page = open_page("score", owner)
    page.session_state[f"metrics-{study.id}-referenced"] = []
    page.session_state[f"metrics-{study.id}-unreferenced"] = ["union-no-recon"]
    page.run()
    assert "union-no-recon scores with the checkpoint union-no-recon, which comes with Fabula." in words(page)
    assert "For another" not in words(page)
    checkpoints.add(TERMINAL, made_checkpoint(tmp_path / "a"), "roc small")
    page.run()
    another = "For another (roc small), see Checkpoint under Models and options."
    assert f"checkpoint union-no-recon, which comes with Fabula. {another}" in words(page)
    box = next(box for box in page.selectbox if box.label.startswith("Checkpoint"))
    box.set_value("roc small").run()
    assert "union-no-recon scores with the checkpoint roc small." in words(page)
