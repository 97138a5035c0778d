"""Which criteria a metric serves, in words."""

from core.analysis.verdict.criteria import on_criteria
from core.statistics.correlation import NOTHING, Coefficient, Correlation, undefined


def of(value: float, low: float, high: float, n: int = 100) -> Correlation:
    return Correlation(n, Coefficient(value, None, None, low, high), NOTHING, NOTHING)


def test_criteria_are_sorted_by_what_their_intervals_settle() -> None:
    (sentence,) = on_criteria(
        {
            "coherence": of(0.3, 0.1, 0.5),
            "surprise": of(0.1, -0.1, 0.3),
            "empathy": of(0.5, 0.4, 0.6),
            "brevity": of(-0.4, -0.5, -0.3),
            "flat": undefined(100, "every story has the same rating"),
        },
        prompts=20,
    )
    assert sentence.text == (
        "Of 5 criteria it serves empathy (r = 0.500, 95 % interval 0.400 to 0.600) and coherence (r = 0.300, 95 % "
        "interval 0.100 to 0.500); it falls as people's ratings rise on brevity (r = −0.400, 95 % interval −0.500 to "
        "−0.300); nothing shows that it serves surprise (r = 0.100, 95 % interval −0.100 to 0.300); undefined: flat "
        "(every story has the same rating)."
    )
    assert dict(sentence.numbers) == {"empathy": 0.5, "coherence": 0.3, "surprise": 0.1, "brevity": -0.4}


def test_nothing_is_said_of_one_criterion_or_too_few_stories() -> None:
    assert on_criteria({"coherence": of(0.3, 0.1, 0.5)}, prompts=20) == ()
    both = {"coherence": of(0.3, 0.1, 0.5, n=29), "empathy": of(0.5, 0.4, 0.6, n=29)}
    assert on_criteria(both, prompts=20) == ()
    assert on_criteria({name: of(0.3, 0.1, 0.5) for name in both}, prompts=9) == ()
