"""The sentences that open the analyses of judges: language models that rate stories."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from core.analysis.judges.alternative import FEWEST_INSTANCES, FEWEST_PEOPLE, AlternativeTest
from core.analysis.judges.biases import JudgeBiases
from core.analysis.judges.columns import JudgeRatings
from core.analysis.judges.quotes import QuoteOverlap
from core.analysis.judges.replacement import MIDDLE, TELLS_NOTHING, JudgeTest, Standard, is_one_step
from core.analysis.judges.trial import JudgeTrial, Trial
from core.analysis.judges.wordings import Wordings
from core.analysis.significance.tests import LEVEL
from core.analysis.verdict.finding import listed, short
from core.analysis.verdict.grade import DISAGREE, REMEDIES
from core.analysis.verdict.openings import too_early, with_ends
from core.analysis.verdict.sentences import FEWEST_CLAIMED, claimed, settled
from core.statistics.correlation import PARTLY, Coefficient
from core.statistics.intervals import Estimate
from core.wording import digits, so_many


def compared(trial: Trial) -> list[JudgeTrial]:
    """The judges that have an r, the highest first, without those that rated far fewer stories than another."""
    known = [row for row in trial.judges if row.pooled.pearson.value is not None]
    most = max((row.n for row in known), default=0)
    return [row for row in known if row.n >= PARTLY * most]


def on_judges(trial: Trial, prompts: int, *, disagree: bool = False) -> str | None:
    """The first of the judges that can be compared, beside one human rater; None where no judge has an r.

    `prompts`: of that judge's rated stories; `disagree`: the ratings do not agree with one another, so that judges
    are described alone.
    """
    known = compared(trial)
    if not known:
        return None
    best, r = known[0], known[0].pooled.pearson
    if not claimed(best.n, prompts):
        return too_early("which judge agrees with people", best.n, prompts)
    if disagree:
        return (
            "No verdict on a judge can be drawn here: nothing shows that people's ratings agree, so to agree with "
            f"their mean, or not to, says little. As description alone: {_described(known)}."
        )
    several = len(known) > 1
    among = f"Of {len(known)} judges " if several else ""
    reached = f"{best.judge.name} {'comes first, r' if several else 'has r'} {with_ends(r)}"
    if settled(r) <= 0:
        return _not_shown(best, among.lower() + reached)
    reached = among + reached
    one = trial.limits["pearson"].one_rater
    if one is None or r.low is None or r.high is None:
        return f"{reached}."
    if r.low > one:
        return f"{reached}, which is above what one human rater reaches, {short(one)}."
    if r.high < one:
        return f"{reached}, which is below what one human rater reaches, {short(one)}."
    return f"{reached}, which cannot be told apart from what one human rater reaches, {short(one)}."


def _described(known: Sequence[JudgeTrial]) -> str:
    """Where judges lie beside people's mean, the highest r first; of more than two, the first and the last."""
    sides = {1: ", with people's mean", -1: ", against people's mean"}
    rows = known if len(known) < 3 else (known[0], known[-1])
    places = [
        f"{row.judge.name} has r {with_ends(row.pooled.pearson)}{sides.get(settled(row.pooled.pearson), '')}"
        for row in rows
    ]
    if len(known) > 2:
        return f"of {len(known)} judges {places[0]}, the highest, and {places[1]}, the lowest"
    return " and ".join(places)


def _not_shown(row: JudgeTrial, reached: str) -> str:
    """That no judge agrees with people over stories, and where the first goes with people or against them."""
    if settled(row.pooled.pearson) < 0:
        return f"No judge is shown to agree with people: {reached}, against people."
    places = {}
    if settled_over_systems(row.system.pearson):
        places[f"over the means of {row.system.n} systems"] = row.system.pearson
    if claimed(row.prompt.n, row.prompt.prompts[0] if row.prompt.prompts else 0):
        places = {"within prompts": row.prompt.pearson, **places}
    clauses = []
    for sign, side in ((-1, "against"), (1, "with")):
        settled_there = [f"{place}, r {with_ends(r)}" for place, r in places.items() if settled(r) == sign]
        if settled_there:
            clauses.append(f"{side} people {listed(settled_there, str)}")
    over = " over single stories" if any(settled(r) > 0 for r in places.values()) else ""
    rest = f"; it goes {', and '.join(clauses)}" if clauses else ""
    return f"No judge is shown to agree with people{over}: {reached}{rest}."


def settled_over_systems(r: Coefficient) -> int:
    """`settled`, over the means of systems, and 0 where p leaves r to chance: the interval keeps these systems, of
    which four lie in people's order, or the reverse, in 8 % of chances.
    """
    return settled(r) if r.p is not None and r.p <= LEVEL else 0


def on_replacement(found: Sequence[JudgeTest], standard: Standard, *, disagree: bool = False) -> str | None:
    """Which judges may stand in for one of these people, by the test, and on how many stories and people that rests;
    None where there is no test. `disagree`: the ratings do not agree with one another, so that no test says anything.
    """
    tested = [row for row in found if row.test.winning_rate is not None]
    if not tested:
        return None
    few = [row for row in tested if row.test.too_few]
    if len(few) == len(tested):
        most = max(few, key=lambda row: (row.test.with_enough, row.test.instances)).test
        return (
            f"It is too early to say whether a judge may stand in for {standard.who}: "
            f"{_with_enough(most)}, and a verdict takes {FEWEST_PEOPLE} people."
        )
    if disagree:
        return (
            f"No verdict can be drawn here on whether a judge may stand in for {standard.who}: {DISAGREE}, so to be as "
            f"near to them as one of these people is, or not to, says little. What could help: {REMEDIES[DISAGREE]}."
        )
    passed = [row.judge for row in tested if row.test.passed and not row.alike]
    failed = [row.judge for row in tested if row.test.passed is False]
    rest = f" For {listed([row.judge for row in few], str)} it is too early to say." if few else ""
    decided = [row for row in tested if not row.test.too_few]
    of_each = {row.judge: _grounds(row.test) for row in decided}
    alike = [row.judge for row in tested if row.uniform]
    if len(set(of_each.values())) > 1:
        return f"{_each_on_its_own(passed, failed, alike, of_each, standard)}{rest}"
    grounds = _grounds(decided[0].test)
    if alike and not passed and not failed:
        return f"On {grounds}, {_alike(alike, standard)}{rest}"
    rest = f" By the test, {_alike(alike, standard)}{rest}" if alike else rest
    if not passed:
        one = f"any of {len(failed)} judges" if len(failed) > 1 else failed[0]
        return f"By the test, on {grounds}, nothing shows that {one} may stand in for {standard.who}.{rest}"
    others = f"; nothing shows that {listed(failed, str)} may" if failed else ""
    return f"By the test, on {grounds}, {listed(passed, str)} may stand in for {standard.who}{others}.{rest}"


def _with_enough(test: AlternativeTest) -> str:
    """`2 people have rated 30 stories or more beside the judge and somebody else`."""
    people = test.with_enough
    who = f"{people} {'person has' if people == 1 else 'people have'}" if people else "nobody has"
    return f"{who} rated {FEWEST_INSTANCES} stories or more that the judge and somebody else rated too"


def _grounds(test: AlternativeTest) -> str:
    """`60 stories and 4 people`."""
    return f"{test.instances:,} stories and {len(test.counted)} people"


def _alike(judges: Sequence[str], standard: Standard) -> str:
    """That these pass the test, and why that is no verdict for them; to stand within a sentence, and to its end."""
    alone = len(judges) == 1
    return (
        f"{listed(judges, str)} would pass, but {'gives' if alone else 'give'} nearly all stories one rating, "
        f"{TELLS_NOTHING}: {'it' if alone else 'they'} may not stand in for {standard.who}."
    )


def _each_on_its_own(
    passed: Sequence[str], failed: Sequence[str], alike: Sequence[str], grounds: Mapping[str, str], standard: Standard
) -> str:
    """The verdict on judges that rest on unlike numbers of stories or people, each with its own."""

    def named(judges: Sequence[str]) -> str:
        return listed([f"{judge} (on {grounds[judge]})" for judge in judges], str)

    sentences = []
    if passed:
        others = f"; nothing shows that {named(failed)} may" if failed else ""
        sentences.append(f"By the test, {named(passed)} may stand in for {standard.who}{others}.")
    elif failed:
        sentences.append(
            f"By the test, nothing shows that any of these may stand in for {standard.who}: {named(failed)}."
        )
    if alike:
        sentences.append(f"By the test, {_alike([f'{judge} (on {grounds[judge]})' for judge in alike], standard)}")
    return " ".join(sentences)


def on_confusion(row: JudgeTrial, prompts: int) -> str | None:
    """How often a judge gives the step that people give, beside what a single step would reach; of more than
    two steps also how often it gives the same or the next. None where they share no story. `prompts`: of its stories.
    """
    exact, near = row.confusion.exact, row.confusion.near
    if exact.value is None:
        return None
    if not claimed(row.n, prompts):
        return too_early(f"how often {row.judge.name} rates as people do", row.n, prompts)
    step, same, close = row.confusion.commonest
    if len(row.confusion.steps) == 2:  # any two of them are a step apart at most
        return (
            f"On {_share(exact)} of {row.n:,} stories {row.judge.name} gives the step that people give. Always giving "
            f"people's commonest step, {step}, would reach {digits(same, '.0%')}."
        )
    return (
        f"On {_share(exact)} of {row.n:,} stories {row.judge.name} gives the step that people give; on {_share(near)} "
        f"it is a step away at most. Always giving people's commonest step, {step}, would reach {digits(same, '.0%')} "
        f"and {digits(close, '.0%')}."
    )


def of_one_step(judges: Sequence[JudgeRatings], scale: Sequence[int]) -> str:
    """Which judges' scores, or 19 in 20 of them, round to a single step of the `scale`, with their span: what they tell
    of stories is little; "" where no judge's do.
    """
    sentences = []
    steps = np.array(scale, dtype=np.float64)
    for judge in judges:
        scores = judge.values[np.isfinite(judge.values)]
        if len(scores) < FEWEST_CLAIMED or len(steps) < 2:
            continue
        low, high = float(scores.min()), float(scores.max())
        least, most = np.quantile(scores, MIDDLE)
        middle = scores[(scores >= least) & (scores <= most)]
        if low == high:
            sentences.append(f"{judge.name} gives every story {short(low)}.")
        elif is_one_step(scores, steps):
            span = f"{short(low)} to {short(high)}"
            sentences.append(f"The scores of {judge.name} span {span}: it gives every story nearly the same.")
        elif is_one_step(middle, steps):  # the more stories there are, the further off is one or the other
            span = f"{short(float(least))} and {short(float(most))}"
            sentences.append(
                f"19 in 20 scores of {judge.name} lie between {span}: it gives most stories nearly the same."
            )
    return " ".join(sentences)


ADVANTAGE_OF_ONE_STEP = (
    "Such a rating tells no story from another, but where it is people's commonest one, it is often as near to the "
    "others as a person's own. As being equally near counts for both, even such a judge can have a high advantage, and "
    "pass the test."
)
"""Of `of_one_step`, beside the test whether a judge may stand in for a person."""


def _share(share: Estimate) -> str:
    if share.value is None or share.low is None or share.high is None:
        return "an unknown share" if share.value is None else digits(share.value, ".0%")
    return f"{digits(share.value, '.0%')} ({digits(share.low, '.0%')} to {digits(share.high, '.0%')})"


def on_disagreements(row: JudgeTrial, keys: Sequence[str]) -> str | None:
    """On which story a judge and people are farthest apart; `keys`: of all stories, in the table's order."""
    if not row.disagreements:
        return None
    most = row.disagreements[0]
    return (
        f"{row.judge.name} and people are farthest apart on {keys[most.story]}: people give it {short(most.human)} on "
        f"average, the judge {short(most.judge)}."
    )


def on_biases(rows: Sequence[JudgeBiases], enough: Collection[str]) -> str | None:
    """Which judges are lenient or strict, favour length or their own family, by intervals that leave out 0; None
    without judges. `enough`: the names of those that have rated enough stories to claim anything.
    """
    if not rows:
        return None
    known = [row for row in rows if row.judge.name in enough]
    if not known:
        return "It is too early to say what biases these judges: too few stories have their rating and people's."
    parts = [
        _biased(known, "lenient", 1, "is more lenient than people", "are more lenient than people"),
        _biased(known, "lenient", -1, "is stricter than people", "are stricter than people"),
        *(_of_length(known, sign, word, rate) for sign, word, rate in ((1, "long", "lower"), (-1, "short", "higher"))),
        _biased(known, "family", 1, "favours its own family", "favour their own families"),
    ]
    said = [part for part in parts if part]
    if not said:
        return "Nothing shows that these judges are lenient or strict, or favour length or their own family."
    return f"By 95 % intervals, {'; '.join(said)}."


def _of_length(rows: Sequence[JudgeBiases], sign: int, word: str, rate: str) -> str:
    """Which judges like stories of this length more than people do. One whose own ratings do not go with length has no
    such liking: it only lacks people's.
    """
    apart = [row for row in rows if settled(row.longer) == sign]
    likes = [row.judge.name for row in apart if settled(row.length) == sign]
    lacks = [row.judge.name for row in apart if row.judge.name not in likes]
    like, do = "likes" if len(likes) == 1 else "like", "does" if len(lacks) == 1 else "do"
    parts = (
        f"{listed(likes, str)} {like} {word} stories more than people do" if likes else "",
        f"{listed(lacks, str)} {do} not follow people, who rate long stories {rate}" if lacks else "",
    )
    return "; ".join(filter(None, parts))


def _biased(rows: Sequence[JudgeBiases], bias: str, sign: int, one: str, several: str) -> str:
    names = [row.judge.name for row in rows if settled(getattr(row, bias)) == sign]
    return f"{listed(names, str)} {one if len(names) == 1 else several}" if names else ""


def on_quotes(found: Mapping[str, QuoteOverlap]) -> str | None:
    """How far the best judge's quotes are the passages that people marked, beside one annotator; None where no judge
    has a kappa.
    """
    known = {name: of for name, of in found.items() if of.kappa.value is not None}
    if not known:
        return None
    name, best = max(known.items(), key=lambda item: item[1].kappa.value or 0.0)
    if not claimed(best.stories, best.prompts):
        return too_early("whether judges quote what people marked", best.stories, best.prompts)
    if settled(best.kappa) <= 0:
        return f"No judge is shown to quote what people marked: {name} comes closest, kappa {with_ends(best.kappa)}."
    first = f"Of {len(known)} judges {name} quotes best what people marked" if len(known) > 1 else (
        f"{name} quotes what people marked more than chance would"
    )  # fmt: skip
    one = best.one_person.value
    beside = "" if one is None else f" One annotator reaches {short(one)} with the others."
    return f"{first}, kappa {with_ends(best.kappa)}; 1 is the same passages, 0 is chance.{beside}"


def on_wordings(found: Wordings, prompts: Mapping[str, int]) -> str | None:
    """Which wording agrees best with people on the development half; None where none has an r. `prompts`: of the
    half's rated stories that each judge has scored.
    """
    known = [row for row in found.rows if row.correlation.pearson.value is not None]
    if not known:
        return None
    best = max(known, key=lambda row: row.correlation.pearson.value or 0.0)
    r = best.correlation.pearson
    if not claimed(best.correlation.n, prompts[best.judge.name]):
        return too_early("which wording agrees with people", best.correlation.n, prompts[best.judge.name])
    if settled(r) <= 0:
        return (
            f"No wording is shown to agree with people on the development half: {best.judge.name} has r {with_ends(r)}."
        )
    first = f"Of {len(known)} wordings {best.judge.name} agrees best" if len(known) > 1 else f"{best.judge.name} agrees"
    rest = (
        f"on the held-out half, where it counts, it has rated {so_many(best.held_out, 'story', 'stories')}"
        if best.asked.own and best.held_out
        else "it has not been run on the held-out half yet, where it counts"
        if best.asked.own
        else "it is the standard wording, which nobody chose by these stories"
    )
    return f"{first} with people on the development half, r {with_ends(r)}; {rest}."
