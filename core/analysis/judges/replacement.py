"""May it stand in for a person? The alternative annotator test of a study's judges, and of any metric that is brought
to people's scale; what it says in a sentence.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judges.alternative import (
    EPSILON,
    FEWEST_INSTANCES,
    Alignment,
    AlternativeTest,
    Annotators,
    alternative_test,
)
from core.analysis.judges.calibrated import on_scale
from core.analysis.judges.columns import judges_of
from core.annotation.scheme import Scheme
from core.arrays import Floats
from core.metrics.naming import place_of
from core.scores import ScoreTable
from core.wording import so_many

HIDDEN = "the data hides who rated, and the test sets one person after another aside"
WHO = {
    Annotators.EXPERT: "an expert",
    Annotators.SKILLED: "a skilled annotator",
    Annotators.CROWD: "a crowd worker",
}
"""Who the judge would stand in for, in words."""
NO_VERDICT, ALIKE = "no verdict", "no: rates all alike"
"""In a table, where the ratings do not agree with one another, and of a judge that passes the test and does that."""
TELLS_NOTHING = "which tells no story from another"
MIDDLE = (0.025, 0.975)
"""Between these quantiles lie 19 in 20."""


@dataclass(frozen=True)
class Standard:
    """What a judge is held to: `annotators`, None where `epsilon` was said by itself."""

    epsilon: float
    annotators: Annotators | None = None

    @property
    def who(self) -> str:
        """Whom it would stand in for, in words."""
        return WHO[self.annotators] if self.annotators else f"a person (epsilon {self.epsilon:g})"


def standard(annotators: Annotators | None, epsilon: float | None) -> Standard:
    """An epsilon that was said, else that of who the people are, by default of a crowd, which is the strictest."""
    if epsilon is not None:
        return Standard(epsilon)
    who = annotators or Annotators.CROWD
    return Standard(EPSILON[who], who)


@dataclass(frozen=True)
class PeoplesRatings:
    """Who rated what on a target: `names` of the people, and `values` (people x stories of a table), NaN where somebody
    did not rate. `undefined`: why it is not known, and the test not offered.
    """

    names: tuple[str, ...]
    values: Floats
    undefined: str | None = None


@dataclass(frozen=True)
class JudgeTest:
    """A judge's test on a target. `metrics`, `signatures`: of the columns it comes from; `calibrated`: the metric was
    brought to the scale; `alike`: it gives all stories nearly one rating, as `rates_alike` has it.
    """

    judge: str
    test: AlternativeTest
    metrics: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    calibrated: bool = False
    alike: bool = False

    @property
    def uniform(self) -> bool:
        """Whether it passes the test and yet gives all stories nearly one rating."""
        return bool(self.test.passed) and self.alike


def alignment_of(scheme: Scheme) -> Alignment:
    """What a scheme's ratings are compared by, where nothing is said: of categories whether they are equal."""
    return Alignment.ACCURACY if scheme.level == "nominal" else Alignment.RMSE


def alternative_tests(
    table: ScoreTable,
    people: PeoplesRatings,
    criteria: Sequence[str],
    scheme: Scheme,
    *,
    standard: Standard,
    alignment: Alignment,
    metrics: Sequence[str] = (),
    seed: int = 0,
) -> tuple[JudgeTest, ...]:
    """Every judge of the table that rates these criteria, and the `metrics` that are called so, brought to the scale.

    `scheme`: as an analysis of the target sees it. Compared by whether they are equal, ratings between two steps of the
    scale are taken for the nearer one. Empty where it is not known who rated. Raises InputError for a metric that the
    table does not have.
    """
    if people.undefined is not None:
        return ()
    called = [(column.metric, column.signature) for column in table.columns]
    asked = [(judge.name, judge.values, judge.metrics, judge.signatures, False) for judge in judges_of(
        table.columns, criteria)]  # fmt: skip
    for metric in metrics:
        column = table.columns[place_of(metric, called)]
        values = on_scale(column.values, table.human, table.prompts, seed=seed)
        asked.append((metric, values, (metric,), (column.signature,), True))
    steps = np.array(scheme.main.steps, dtype=np.float64)
    return tuple(
        JudgeTest(
            judge,
            alternative_test(
                people.values,
                nearest(values, steps) if alignment is Alignment.ACCURACY else values,
                people.names,
                alignment=alignment,
                epsilon=standard.epsilon,
            ),
            of,
            signatures,
            calibrated,
            rates_alike(values, steps),
        )
        for judge, values, of, signatures, calibrated in asked
    )


def nearest(values: Floats, steps: Floats) -> Floats:
    """The step of a scale that is nearest to each value, the higher one of two as near; NaN stays."""
    with np.errstate(invalid="ignore"):
        places = np.clip(np.searchsorted((steps[1:] + steps[:-1]) / 2, values, side="right"), 0, len(steps) - 1)
    return np.where(np.isfinite(values), steps[places], np.nan)


def rates_alike(values: Floats, steps: Floats) -> bool:
    """Whether 19 in 20 ratings, or all, round to one step of a scale. Where that is people's commonest step it is often
    as near to the others as a person, so that it can pass the test; of fewer than 30 ratings that is not said.
    """
    scores = values[np.isfinite(values)]
    if len(scores) < FEWEST_INSTANCES or len(steps) < 2:
        return False
    least, most = np.quantile(scores, MIDDLE)
    return is_one_step(scores, steps) or is_one_step(scores[(scores >= least) & (scores <= most)], steps)


def is_one_step(scores: Floats, steps: Floats) -> bool:
    """Whether scores round to one step, and lie no further apart than two: not so beyond the end of the scale."""
    return len(np.unique(nearest(scores, steps))) == 1 and bool(np.ptp(scores) <= np.diff(steps).min())


def outcome(test: AlternativeTest) -> str:
    """What one test says: `it wins against 8 of 13 people on 40 instances (winning rate 0.62); advantage probability
    0.77`.
    """
    if test.winning_rate is None or test.advantage_probability is None:
        return f"it cannot be told, as {test.undefined}"
    counted = test.counted
    return (
        f"it wins against {sum(row.won for row in counted)} of {so_many(len(counted), 'person', 'people')} on "
        f"{so_many(test.instances, 'instance')} (winning rate {test.winning_rate:.2f}); advantage probability "
        f"{test.advantage_probability:.2f}"
    )


def in_a_word(test: AlternativeTest, *, disagree: bool = False, alike: bool = False) -> str:
    """For a cell of a table under *may stand in*, where the test is defined. `disagree`: nothing shows that the ratings
    agree with one another; `alike`: the judge gives all stories nearly one rating.
    """
    if disagree and test.passed is not None:
        return NO_VERDICT
    return ALIKE if alike and test.passed else {True: "yes", False: "not shown", None: "too few"}[test.passed]


def verdict(
    judge: str,
    tests: Mapping[str, AlternativeTest],
    standard: Standard,
    disagreed: Collection[str] = (),
    uniform: Collection[str] = (),
) -> str:
    """A judge's tests by target in a sentence: for what it may stand in, for what nothing shows that it may, and for
    what too little is rated. The only target of a file is "". `disagreed`: the targets on which nothing shows that the
    ratings agree with one another, so that no test can say anything of a judge; `uniform`: those on which the judge
    gives all stories nearly one rating.
    """
    if list(tests) == [""]:
        return _of_a_file(judge, tests[""], standard)
    void = [target for target, test in tests.items() if target in disagreed and test.passed is not None]
    alike = [target for target, test in tests.items() if test.passed and target in uniform and target not in void]
    passed = [target for target, test in tests.items() if test.passed and target not in (*void, *alike)]
    failed = [target for target, test in tests.items() if test.passed is False and target not in void]
    few = [target for target, test in tests.items() if test.too_few]
    unknown = [target for target, test in tests.items() if test.winning_rate is None]
    parts = []
    if passed:
        parts.append(f"{judge} may stand in for {standard.who} on {_listed(passed)}")
        parts += [f"nothing shows that it may on {_listed(failed, 'or')}"] if failed else []
    elif failed:
        parts.append(f"nothing shows that {judge} may stand in for {standard.who} on {_listed(failed, 'or')}")
    for targets, what in (
        (void, "no verdict can be drawn, as nothing shows that the ratings agree with one another"),
        (alike, f"it passes the test, but gives nearly all stories one rating, {TELLS_NOTHING}"),
        (few, "too little is rated for a verdict"),
        (unknown, "it cannot be told"),
    ):
        if targets:
            parts.append(f"{'' if parts else f'{judge}: '}on {_listed(targets)} {what}")
    sentence = "; ".join(parts)
    return f"{sentence if passed or not failed else sentence[:1].upper() + sentence[1:]}."


def _of_a_file(judge: str, test: AlternativeTest, standard: Standard) -> str:
    if test.winning_rate is None:
        return f"{judge}: {outcome(test)}."
    stands_in = f"{judge} may stand in for {standard.who}"
    begun = {
        True: stands_in,
        False: f"Nothing shows that {stands_in}",
        None: f"Too little is rated to say whether {stands_in}",
    }[test.passed]
    return f"{begun}: {outcome(test)}."


def verdicts(
    tests: Mapping[str, Sequence[JudgeTest]], standard: Standard, disagreed: Collection[str] = ()
) -> dict[str, str]:
    """Every judge's sentence over its tests by target, in words; of a single target without a name, without one.
    `disagreed`: as `verdict` takes it.
    """
    found: dict[str, dict[str, JudgeTest]] = {}
    for target, of in tests.items():
        for row in of:
            found.setdefault(row.judge, {})[target] = row
    return {
        judge: verdict(
            judge,
            {target: row.test for target, row in of.items()},
            standard,
            disagreed,
            [target for target, row in of.items() if row.alike],
        )
        for judge, of in found.items()
    }


def _listed(names: Sequence[str], last: str = "and") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"
