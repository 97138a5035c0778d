"""The metric: one number a story on the people's scale, under a signature that names the whole prompt."""

from dataclasses import replace

import numpy as np
import pytest

from core.annotation.builtin import HANNA, MANS, with_prompts
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.judges.prompt import Shot
from core.judges.study import JudgedStudy
from core.judges.template import BUILT_IN_OF_TASKS, Template, Way
from core.metrics import build, find, registered
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.metrics.naming import unique_names
from core.metrics.referenced import EMPTY_STORY
from core.metrics.run import checked, settings_of, steps
from core.stories import Story

STORIES = [
    Story("She opened the door. The dog ran out. She ran after it.", "Mia had a dog."),
    Story("", "Mia had a dog."),
    Story("the the door dog . volcano of", "Mia had a dog."),
]
OWN = Template("mine", Way.POINTS, "You are strict. {question}\n{scale}", "{opening} {story} Your number:", 1)
RATED = [Shot(f"Opening {n}.", f"Text {n}.", {"overall": float(n), "coherence": 6.0 - n}) for n in range(1, 6)]


def judge(name: str = "judge", study: JudgedStudy | None = None, **options: str) -> Judge:
    metric = build(name, Settings(device="cpu", options=options, judged=study or JudgedStudy()))
    assert isinstance(metric, Judge)
    return metric


def test_a_score_lies_on_the_scale() -> None:
    told: list[int] = []
    scores = judge().score(STORIES, told.append)
    assert np.isnan(scores.values).tolist() == [False, True, False]
    assert scores.reasons == {1: EMPTY_STORY}
    assert all(1 < value < 5 for value in scores.values[[0, 2]])
    assert sum(told) == len(STORIES)
    alone = judge().score(STORIES[2:]).values[0]
    assert alone == pytest.approx(scores.values[2], abs=1e-4)


def test_the_criterion_stands_in_the_name() -> None:
    assert find("judge:coherence") is find("judge:coherence")
    assert find("judge:coherence").name == "judge:coherence"
    study = JudgedStudy(HANNA)
    assert HANNA.main.question in judge(study=study).prompt(STORIES[0])[0].text
    assert HANNA.criterion("empathy").question in judge("judge:empathy", study).prompt(STORIES[0])[0].text
    with pytest.raises(InputError, match="no criterion 'cohesion'"):
        judge("judge:cohesion", study)
    for name in ("judge:", "judge: x", "judges:coherence", "judge:" + "x" * 61):
        assert registered(name) is None
        with pytest.raises(InputError, match="There is no metric"):
            find(name)


def test_the_signature_names_the_whole_prompt() -> None:
    study = JudgedStudy(MANS, (OWN, replace(OWN, system=OWN.system + " Be brief.", version=2)), lambda: RATED)
    plain = judge(study=study)
    others = [
        judge(study=study, template="mine"),
        judge(study=study, template="mine.1"),
        judge(study=study, way="deductions"),
        judge(study=study, few_shot="2"),
        judge(study=study, few_shot="2", seed="1"),
        judge(study=study, samples="5"),
        judge(study=study, temperature="1"),
        judge("judge:coherence", study),
        judge(study=replace(study, scheme=replace(MANS, criteria=(replace(MANS.main, question="Is it good?"),)))),
    ]
    signatures = [metric.signature for metric in (plain, *others)]
    assert len(set(signatures)) == len(signatures)
    assert plain.signature.startswith(
        "judge:overall|model:smollm2-135m-instruct@0.1.2-q4_1|dtype:float32|few_shot:0|samples:1|"
    )
    assert f"|template:standard@{plain.question.prompt_hash}|way:points|v:1" in plain.signature
    assert "|template:mine.2@" in others[0].signature
    assert judge(study=study, template="mine.2").signature == others[0].signature


def test_names_say_how_a_judge_was_asked() -> None:
    own = JudgedStudy(HANNA, (OWN,))
    judges = [judge(study=own), judge("judge:empathy", own), judge("judge:empathy", own, template="mine", samples="5")]
    names = unique_names([(metric.name, metric.signature) for metric in judges])
    assert names == ["judge:relevance", "judge:empathy", "judge:empathy[samples=5, template=mine.1]"]


def test_options_that_do_not_go_together() -> None:
    with pytest.raises(InputError, match="error types take points"):
        judge(study=JudgedStudy(HANNA), way="deductions")
    with pytest.raises(InputError, match="no template 'mine'"):
        judge(template="mine")
    with pytest.raises(InputError, match="above 0 only"):
        judge(samples="5", temperature="0")
    with pytest.raises(InputError, match="there are 5"):
        judge(study=JudgedStudy(rated=lambda: RATED), few_shot="5").option_parts()
    assert judge(samples="5").question.temperature == 1


def test_examples_are_shown_and_signed() -> None:
    metric = judge("judge:coherence", JudgedStudy(HANNA, rated=lambda: RATED), few_shot="2")
    system = metric.prompt(replace(STORIES[0], prompt="Opening 3."))[0].text
    assert "Text 3." not in system
    assert system.count("Text ") == 2


def test_all_criteria_in_one_reply_are_asked_in_one_way() -> None:
    metric = judge("judge:empathy", JudgedStudy(HANNA), way="criteria")
    assert metric.question.template is BUILT_IN_OF_TASKS[Way.CRITERIA]
    assert metric.question.request("m", STORIES[0]).scale == ()


def test_a_judge_is_told_what_the_study_s_prompts_are() -> None:
    of_tasks = with_prompts(MANS, PromptKind.TASK)
    story = Story("It rained.", "Write of the weather.")
    rained = judge(study=JudgedStudy(of_tasks)).prompt(story)
    assert "each written for a prompt" in rained[0].text
    assert "<prompt>\nWrite of the weather.\n</prompt>" in rained[1].text
    opened = judge(study=JudgedStudy(MANS)).prompt(story)
    assert "each written from an opening" in opened[0].text
    assert "<opening>\nWrite of the weather.\n</opening>" in opened[1].text
    foreign = judge("judge:empathy", JudgedStudy(of_tasks))  # a criterion of another form than the study's
    assert "<prompt>" in foreign.prompt(story)[1].text
    signatures = {judge(study=JudgedStudy(scheme)).signature for scheme in (MANS, of_tasks)}
    assert len(signatures) == 2


def test_a_judge_is_a_step_of_its_own() -> None:
    run = {"metrics": ["judge", "perplexity", "fp", "judge:coherence"]}
    assert {step.metrics for step in steps(run)} == {("judge",), ("perplexity", "fp"), ("judge:coherence",)}
    study = JudgedStudy(HANNA)
    assert settings_of(run, "judge", judged=study).judged is study
    assert checked(run, study)["metrics"] == run["metrics"]
    with pytest.raises(InputError, match="no criterion 'mood'"):
        checked({"metrics": ["judge:mood"]}, study)
