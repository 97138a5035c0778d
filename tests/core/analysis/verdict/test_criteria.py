"""Which criteria a metric serves, in words."""

from core.analysis.criteria.heat_map import HeatMap, Level
from core.analysis.verdict.criteria import on_criteria, on_map, without_marks
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
        "Of 5 criteria it serves empathy (r = 0.50, 95 % interval 0.40 to 0.60) and coherence (r = 0.30, 95 % "
        "interval 0.10 to 0.50); it falls as people's ratings rise on brevity (r = −0.40, 95 % interval −0.50 to "
        "−0.30); nothing shows that it serves surprise (r = 0.10, 95 % interval −0.10 to 0.30); undefined: flat "
        "(every story has the same rating)."
    )
    assert dict(sentence.numbers) == {"empathy": 0.5, "coherence": 0.3, "surprise": 0.1, "brevity": -0.4}


def test_of_a_criterion_on_which_ratings_do_not_agree_it_serves_nothing() -> None:
    both = {"coherence": of(0.3, 0.1, 0.5), "empathy": of(0.5, 0.4, 0.6)}
    (sentence,) = on_criteria(both, 20, {"empathy"})
    assert sentence.text == (
        "Of 2 criteria it serves coherence (r = 0.30, 95 % interval 0.10 to 0.50); nothing can be said of empathy, "
        "as nothing shows that the ratings agree with one another."
    )
    assert dict(sentence.numbers) == {"coherence": 0.3}
    assert on_criteria(both, 20, set(both)) == ()


def test_nothing_is_said_of_one_criterion_or_too_few_stories() -> None:
    assert on_criteria({"coherence": of(0.3, 0.1, 0.5)}, prompts=20) == ()
    both = {"coherence": of(0.3, 0.1, 0.5, n=29), "empathy": of(0.5, 0.4, 0.6, n=29)}
    assert on_criteria(both, prompts=20) == ()
    assert on_criteria({name: of(0.3, 0.1, 0.5) for name in both}, prompts=9) == ()


def test_the_map_says_which_criteria_any_metric_serves() -> None:
    high, open_, none = of(0.4, 0.2, 0.6).pearson, of(0.2, -0.1, 0.5).pearson, NOTHING

    def said(*rows: tuple[Coefficient, ...], n: int = 60, prompts: int = 20) -> str | None:
        found = HeatMap(Level.PROMPT, "pearson", ("coherence", "surprise"), (1, 0), rows, ((None,) * 2,) * 2)
        return on_map(found, ["words", "bleu"], n, prompts)

    assert said((high, open_), (open_, none)) == (
        "On 1 of 2 criteria a metric is shown to agree with people; on surprise none is shown to. The highest "
        "coefficient is that of bleu with coherence, 0.40 (0.20 to 0.60)."
    )
    assert str(said((high, high), (open_, none))).startswith(
        "On all 2 criteria a metric is shown to agree with people."
    )
    assert str(said((open_, none), (none, none))).startswith(
        "No metric is shown to agree with people on any of these 2"
    )
    assert str(said((high, high), (high, high), n=29)).startswith("It is too early")
    assert said((none, none), (none, none)) is None


def test_of_criteria_on_which_ratings_do_not_agree_nothing_is_said() -> None:
    high, open_ = of(0.4, 0.2, 0.6).pearson, of(0.2, -0.1, 0.5).pearson
    found = HeatMap(Level.PROMPT, "pearson", ("coherence", "surprise"), (0,), ((high, open_),), ((None,) * 2,))
    unsaid = "nothing can be said: nothing shows that the ratings agree with one another."
    assert on_map(found, ["words"], 60, 20, {"surprise"}) == (
        "On 1 of 2 criteria a metric is shown to agree with people. The highest coefficient is that of words with "
        f"coherence, 0.40 (0.20 to 0.60). Of surprise {unsaid}"
    )
    assert on_map(found, ["words"], 60, 20, {"coherence"}) == (
        "No metric is shown to agree with people on surprise: the highest coefficient is that of words with surprise, "
        f"0.20 (−0.10 to 0.50). Of coherence {unsaid}"
    )
    assert on_map(found, ["words"], 60, 20, {"coherence", "surprise"}) is None
    assert without_marks(()) == ""
    assert without_marks(["a", "b"]) == (
        "No coefficient of a and b has a mark, as nothing shows that the ratings on each of them agree with one "
        "another."
    )
