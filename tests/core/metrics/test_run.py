"""A run's settings: which metrics are computed together, in which order, and on which model."""

from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from core.durations import Expected, ShownSpeed
from core.errors import InputError
from core.metrics import METRICS, find
from core.metrics.base import Settings
from core.metrics.run import (
    LOADING,
    SCORED,
    Candidate,
    ScoringStep,
    checked,
    models_by_role,
    parts_of,
    scored_by,
    seconds,
    settings_of,
    spread,
    steps,
    under_way,
)
from core.models.catalogue import MINILM, SMOLLM2
from core.stories import Source
from tests.core.metrics.custom import GOOD
from tests.core.models.causal.stand_in_vllm import StandIn


def run(*metrics: str, **more: Any) -> dict[str, Any]:
    return {"metrics": list(metrics), **more}


def names(found: list[ScoringStep]) -> list[tuple[str, ...]]:
    return [step.metrics for step in found]


def test_metrics_of_one_model_are_one_step_and_quick_steps_come_first() -> None:
    chosen = ("perplexity", "bertscore-f1", "bleurt", "bleu", "fp", "moverscore-1", "rouge-l")
    assert names(steps(run(*chosen))) == [
        ("bleu",),
        ("rouge-l",),
        ("bertscore-f1", "moverscore-1"),
        ("bleurt",),
        ("perplexity", "fp"),
    ]


def test_every_metric_but_blends_is_in_one_step() -> None:
    result = [name for step in steps(run(*METRICS)) for name in step.metrics]
    assert sorted(result) == sorted(name for name in METRICS if not parts_of(name))
    assert len({step.key for step in steps(run(*METRICS))}) == len(steps(run(*METRICS)))
    assert steps(run()) == []


def test_a_judge_that_writes_is_another_pace_than_one_that_tells_probabilities() -> None:
    def step(**options: str) -> ScoringStep:
        (found,) = steps(run("judge") | {"options": {"judge": options}})
        return found

    number, errors, several = step(), step(way="deductions"), step(samples="5")
    assert len({number.key, errors.key, several.key}) == 3
    assert number.guess > several.guess > errors.guess
    assert step(seed="7").key == number.key
    loaded = seconds(errors, 1400, {})
    assert loaded == Expected(1400 / errors.guess + LOADING, None)
    shown = {errors.key: ShownSpeed(14.0, 14.0, 14.0)}
    assert seconds(errors, 1400, shown) == Expected(100.0, 100.0 + LOADING)  # the model may be loaded already


def test_the_order_of_steps_depends_on_kinds_only() -> None:
    for order in permutations(["fp", "bleurt", "vector-average", "bleu"]):
        assert names(steps(run(*order))) == [("bleu",), ("vector-average",), ("bleurt",), ("fp",)]


def test_a_steps_key_names_all_that_its_speed_depends_on() -> None:
    def key(metric: str, **more: Any) -> str:
        (step,) = steps(run(metric, **more))
        return step.key

    assert key("bleu", device="cuda", precision="bfloat16") == "bleu", "no model runs"
    assert key("fp") == key("perplexity") == f"language {SMOLLM2} auto float32"
    assert key("vector-average", device="cpu") == f"encoder {MINILM} cpu float32"
    assert key("fp", models={"language": "gpt2", "encoder": "x"}) == "language gpt2 auto float32"
    assert key("fp", models={"encoder": "x"}) == key("fp")
    assert key("fp", precision="bfloat16") != key("fp")
    assert key("bleurt", models={"regressor": "b"}) == "regressor b auto float32"
    assert key("fp", models={"language": "vllm:gpt2"}) == "language vllm:gpt2 auto float32"


def test_a_metric_of_the_users_own_is_a_step(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(GOOD, encoding="utf-8")
    assert names(steps(run("fp", f"{file}:Length", "bleu"))) == [(f"{file}:Length",), ("bleu",), ("fp",)]


def test_settings_reach_the_metric_they_are_for() -> None:
    whole = run(
        "fp",
        "bleu",
        models={"language": "gpt2", "encoder": "bert"},
        device="cpu",
        precision="bfloat16",
        options={"fp": {"window": "512"}, "bleu": {"references": "mean"}},
    )

    def corpus() -> list[str]:
        return ["a text"]

    assert settings_of(whole, "fp") == Settings("gpt2", "cpu", "bfloat16", {"window": "512"})
    assert settings_of(whole, "bleu", corpus) == Settings(None, "cpu", "bfloat16", {"references": "mean"}, corpus)
    assert settings_of(whole, "vector-average").model == "bert"
    assert settings_of(whole, "bleurt").model is None
    assert settings_of(run("fp"), "fp") == Settings(options={})


def test_seconds_are_guessed_until_they_are_measured() -> None:
    (step,) = steps(run("bertscore-f1", "moverscore-1"))
    assert find("moverscore-1").speed < find("bertscore-f1").speed
    guess = Expected(LOADING + 80_000 / find("moverscore-1").speed, None)
    assert seconds(step, 80_000, {}) == guess, "as fast as the slowest of them"
    assert seconds(step, 80_000, {"another": ShownSpeed(1.0, 1.0, 1.0)}) == seconds(step, 80_000, {})
    assert seconds(step, 80_000, {step.key: ShownSpeed(1000.0, 500.0, 1000.0)}) == Expected(80.0, 160.0 + LOADING)
    assert seconds(step, 0, {}) == Expected()


@pytest.mark.parametrize(
    ("given", "metrics", "expected"),
    [
        ([], ["bleu", "fp"], {}),
        (["gpt2"], ["fp", "perplexity", "bleu"], {"language": "gpt2"}),
        (["bert"], ["vector-average"], {"encoder": "bert"}),
        (["language=gpt2", "encoder=bert"], ["fp", "vector-average"], {"language": "gpt2", "encoder": "bert"}),
        (["encoder=bert"], ["fp", "vector-average"], {"encoder": "bert"}),
        # A path may hold the same sign; only a role before it means something.
        (["./a=b"], ["fp"], {"language": "./a=b"}),
        (["language=./a=b"], ["fp"], {"language": "./a=b"}),
    ],
)
def test_models_by_role(given: list[str], metrics: list[str], expected: dict[str, str]) -> None:
    assert models_by_role(given, metrics) == expected


def test_a_model_that_nothing_uses() -> None:
    with pytest.raises(InputError, match=r"^None of the chosen metrics uses a model; leave --model gpt2 out\.$"):
        models_by_role(["gpt2"], ["bleu"])


def test_a_model_that_could_be_of_several_kinds() -> None:
    expected = (
        r"^The chosen metrics need models of several kinds; say which this is: "
        r"encoder=gpt2, language=gpt2, regressor=gpt2\.$"
    )
    with pytest.raises(InputError, match=expected):
        models_by_role(["gpt2"], ["fp", "bleurt", "vector-average", "bleu"])


@pytest.mark.parametrize(
    ("name", "people"), [("words", True), ("perplexity", True), ("bleu", False), ("ruber-r", False)]
)
def test_people_are_not_compared_with_themselves_unless_a_run_says_so(name: str, people: bool) -> None:
    both = (Source.SYSTEM, Source.HUMAN)
    assert scored_by(METRICS[name], run(name), both) == (both if people else SCORED)
    assert scored_by(METRICS[name], run(name), SCORED) == SCORED
    assert scored_by(METRICS[name], run(name, sources=["human"]), SCORED) == (Source.HUMAN,)


def test_a_run_in_vllm_is_kept_as_it_was_asked_for(
    tmp_path: Path, vllm: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder absolute, for whoever runs the job; and nothing is kept of what vLLM does not run."""
    (tmp_path / "model").mkdir()
    monkeypatch.chdir(tmp_path)
    models = models_by_role(["vllm:model"], ["perplexity", "fp"])
    assert models == {"language": "vllm:model"}
    kept = checked(run("perplexity", "fp", models=models))
    assert kept["models"] == {"language": f"vllm:{tmp_path / 'model'}"}
    assert checked(kept)["models"] == kept["models"]
    assert checked(run("fp", models={"language": "vllm:gpt2"}))["models"] == {"language": "vllm:gpt2"}
    with pytest.raises(InputError, match="judge:coherence does not run in vLLM"):
        checked(run("perplexity", "judge:coherence", models=models))


def test_what_another_run_scores_in_the_same_way() -> None:
    own = "docs/examples/openings.py:VariedOpenings"
    run = {"metrics": ["bleu", "words", own], "models": {}, "options": {"bleu": {"order": "2"}}}
    assert under_way(run, []) == []
    assert under_way(run, [{**run, "metrics": [own, "words"]}]) == ["words"]  # one's own file may be another by now
    assert under_way(run, [run]) == ["bleu", "words"]
    assert under_way(run, [{**run, "options": {"bleu": {"order": "4"}}}]) == ["words"]
    assert under_way(run, [{**run, "most": 30}]) == []


def trial_of(prompts: int, systems: str = "abcde", scored: int = 0) -> list[Candidate]:
    """In the order of an import: a prompt's stories beside each other; the first `scored` have a score."""
    return [
        Candidate(place, place // len(systems), systems[place % len(systems)], lacking=place >= scored)
        for place in range(prompts * len(systems))
    ]


def test_a_story_of_each_prompt() -> None:
    stories = trial_of(96)
    places = spread(stories, 30)
    assert places == spread(stories, 30) == sorted(places)
    assert len({stories[place].prompt for place in places}) == 30
    assert set(Counter(stories[place].system for place in places).values()) == {6}


def test_few_prompts_have_several_each() -> None:
    stories = trial_of(6)
    places = spread(stories, 20)
    assert sorted(Counter(stories[place].prompt for place in places).values()) == [3, 3, 3, 3, 4, 4]
    assert set(Counter(stories[place].system for place in places).values()) == {4}


def test_what_is_scored_counts() -> None:
    stories = trial_of(4, scored=10)
    places = spread(stories, 4)
    assert {stories[place].prompt for place in places} == {2, 3}
    assert spread(trial_of(2), 100) == list(range(10))
    assert spread([], 3) == []
