"""The metric of pairs: what `judge` is in a study of pairs, its signature, and what does not go together."""

from dataclasses import replace

import pytest

from core.annotation.builtin import MANS, PREFERENCES
from core.errors import InputError
from core.judges.backends.endpoint import Endpoint
from core.judges.pair import StoryPair, Verdict
from core.judges.study import JudgedStudy
from core.judges.template import Template, Way
from core.metrics import build, registered
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.metrics.judging.pairs import ALONE, PairJudge
from core.metrics.naming import unique_names
from core.metrics.referenced import EMPTY_STORY
from core.stories import Story

OWN = Template("mine", Way.PAIRS, "{question}\n{scale}", "{first} {second} Your letter:", 1)
STUDY = JudgedStudy(PREFERENCES, (OWN,))
AT = Endpoint("https://api.example.org/v1", "big-model", prompt_price=1.0, reply_price=2.0, most_tokens=10)


def judge(study: JudgedStudy = STUDY, **options: str) -> PairJudge:
    metric = build("judge", Settings(device="cpu", options=options, judged=study))
    assert isinstance(metric, PairJudge)
    return metric


def test_judge_is_of_pairs_where_people_compare_pairs() -> None:
    assert judge().name == judge(way="pairs").name == "judge:preference"
    assert registered("judge:preference") is PairJudge
    other = build("judge", Settings(judged=STUDY, options={"way": "points"}))
    assert isinstance(other, Judge)
    assert other.name == "judge:overall"
    assert build("judge", Settings(judged=JudgedStudy(MANS))).name == "judge:overall"
    assert isinstance(build("judge:coherence", Settings(judged=STUDY)), Judge)


def test_the_signature_names_the_whole_prompt() -> None:
    plain, own = judge(), judge(template="mine")
    assert plain.signature == judge(way="pairs").signature
    assert f"|template:standard@{plain.question.prompt_hash}|way:pairs|v:1" in plain.signature
    assert "|template:mine.1@" in own.signature
    funnier = replace(PREFERENCES, criteria=(replace(PREFERENCES.main, question="Which is funnier?"),))
    assert judge(replace(STUDY, scheme=funnier)).signature != plain.signature
    judges = (plain, own, judge(samples="5"))
    assert unique_names([(metric.name, metric.signature) for metric in judges]) == [
        "judge:preference", "judge:preference[template=mine.1]", "judge:preference[samples=5]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "study", "options", "sentence"),
    [
        (
            "judge",
            JudgedStudy(MANS),
            {"way": "pairs"},
            "here stories stand alone: make pairs of a study's ratings with",
        ),
        ("judge:preference", JudgedStudy(MANS), {}, "`export --format preferences`"),
        ("judge:preference", STUDY, {"way": "points"}, "`judge` rates single ones by points"),
        ("judge:coherence", STUDY, {"way": "pairs"}, "judge:coherence rates single stories"),
        ("judge", STUDY, {"few_shot": "2"}, "not with pairs"),
        ("judge", STUDY, {"template": "other"}, "no template 'other' for the way pairs; there are standard, mine.1"),
        ("judge", STUDY, {"samples": "5", "temperature": "0"}, "above 0 only"),
    ],
)
def test_what_does_not_go_together(name: str, study: JudgedStudy, options: dict[str, str], sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        build(name, Settings(judged=study, options=options))
    assert sentence in str(raised.value)


def test_what_it_would_cost() -> None:
    """Three pairs of stories of 100 characters, each asked in both orders, of five samples."""
    metric = build("judge", Settings(endpoint=AT, judged=STUDY, options={"samples": "5"}))
    assert isinstance(metric, PairJudge)
    found = metric.estimate(AT, 3, 3 * 2 * 200)
    assert (found.requests, found.reply_tokens) == (30, 300)
    alone = sum(len(message.text) for message in metric.prompt(StoryPair("", "", "")))
    assert found.prompt_tokens == pytest.approx(30 * (200 + alone) / 4, abs=1)


def test_nothing_is_said_of_a_story_alone_or_an_empty_one() -> None:
    scores = judge().score([Story("It rained.")])
    assert scores.reasons == {0: ALONE}
    told: list[int] = []
    assert judge().verdicts([StoryPair("o", " ", "Two.")], told.append) == [Verdict(None, None, EMPTY_STORY)]
    assert told == [1]


@pytest.mark.slow
def test_the_bundled_model_says_a_letter_of_each_pair() -> None:
    pairs = [StoryPair("Mia had a dog.", "She opened the door. The dog ran out.", "the the door dog . volcano of")]
    (verdict,) = judge().verdicts(pairs)
    assert verdict.reason == ""
    assert {verdict.forward, verdict.backward} <= {-1, 0, 1}
