"""Words that several rooms say: what fits a number, and terms with what they mean."""

import re

_ZERO_BELOW = re.compile(r"(?<!\w)-(?=0(?:\.0*)?(?![\d.]))")
"""The sign of a number below 0 that is written as 0."""
ROUNDING = 1e-9
"""What is nearer to 0 is a 0 that was computed."""
HALF_UP = 1 + 1e-12
"""Times this, what is a half but for the rounding of its computation lies above it."""


def digits(value: float, form: str) -> str:
    """A number in a format such as `.2f`, a half rounded away from 0, as browsers do: Python would write 0.125 as 0.12
    beside their 0.13. A format without a precision rounds nothing.
    """
    return format(value * HALF_UP if "." in form else value, form)


def without_zero_sign(text: str) -> str:
    """Numbers as they are written, but 0.00 for -0.00."""
    return _ZERO_BELOW.sub("", text)


def real_minus(text: str) -> str:
    """Written numbers with a minus sign for the hyphen, and no sign before a 0."""
    return without_zero_sign(text).replace("-", "−")


def rounded(value: float, decimals: int) -> str:
    """With a real minus and so many decimals; more where it would be written as 0 and is not, as a reader asks on which
    side of 0 it lies: −0.001 of two.
    """
    return real_minus(not_as_zero(digits(value, f".{decimals}f"), value))


def not_as_zero(text: str, value: float) -> str:
    """A number as it is written; with more decimals where that is a 0 and the value is none."""
    decimals = len(text.partition(".")[2])
    while abs(value) > ROUNDING and not text.strip("+-0."):
        decimals += 1
        text = digits(value, f".{decimals}f")
    return text


def decimals_apart(*compared: float | None) -> int:
    """How many decimals a sentence gives numbers that it compares: three where different ones look alike in two."""
    known = {value for value in compared if value is not None}
    return 2 if len({rounded(value, 2) for value in known}) == len(known) else 3


def p_digits(p: float) -> str:
    """A p with three digits."""
    return digits(p, ".3g")


def p_is(p: float, *, at_most: bool) -> str:
    """A p in a sentence; `at_most`: it is the least that the draws behind it can show."""
    return f"p {'≤' if at_most else '='} {p_digits(p)}"


def so_many(number: int, name: str, many: str = "") -> str:
    """A number of things: "1 story", "1,056 stories". `many`: the plural, where it is not the name with an s."""
    return f"{number:,} {name if number == 1 else many or f'{name}s'}"


def metrics_and_judges(metrics: int, judges: int) -> str:
    """How many metrics there are and how many judges, which are metrics too: "9 metrics and 1 judge"."""
    parts = [so_many(metrics, "metric")] if metrics or not judges else []
    return " and ".join([*parts, *([so_many(judges, "judge")] if judges else [])])


TERMS = {
    "Panel": "all stories of a prompt, in blind order, for one annotator. Also any assignment, where units do not "
    "matter.",
    "Control story": "a human or a negative story in a panel, whose rating decides whether the panel counts.",
    "Attention check": "a question that says which answer to choose. Who chooses another is flagged, not rejected.",
    "Flag": "a reason to look at what somebody handed in. It rejects nothing by itself.",
    "Signature": "all that a metric's number depends on: name, options, model and its revision, version.",
    "Pearson's r": "how nearly two sets of numbers lie on a straight line: 1 a rising one, 0 no line, −1 a falling "
    "one. One extreme story can move it.",
    "Spearman's ρ": "Pearson's r of ranks: whether one rises where the other does, however far.",
    "Kendall's τ-b": "of all pairs of stories, how many more are in the same order than in opposite orders, corrected "
    "for ties; 1 all, -1 none.",
    "Partial correlation": "Pearson's r of what is left of both when what a third number explains is taken away.",
    "Krippendorff's alpha": "how far ratings of the same story agree: 1 is full agreement, 0 what chance gives.",
    "ICC(1,k)": "how much of the differences between the stories' mean ratings is real; more ratings a story raise it.",
    "Kappa": "how often two agree, above what chance gives: 1 always, 0 no more often than by chance.",
    "Level of measurement": "what a difference of ratings counts: nominal, every one alike; ordinal, by rank; "
    "interval, by its square.",
    "One rater": "the correlation of one rating with the mean of the story's others. A metric can pass it.",
    "Ceiling": "the correlation that a perfect metric could reach with ratings this noisy.",
    "Bootstrap": "drawing the study's prompts again and again, with all their stories, to see how far a number moves.",
    "Interval": "where the true number lies, as far as these stories can tell: of 100 such intervals, 95 hold it.",
    "Linearised": "computed from each story's own influence on the coefficient, added up over the drawn prompts, "
    "instead of ranking all stories anew; for large studies.",
    "p": "how easily chance alone would give a result as large as this one.",
    "Holm's correction": "makes p larger where many are looked at, so that the smallest of many is not taken for a "
    "finding.",
    "Permutation test": "how often exchanging two metrics' scores at random makes their difference as large as it is.",
    "Pairs right": "the share of all pairs of stories that the metric orders as people do, pairs that both call a tie "
    "among them. A pair that one of them alone calls a tie is wrong.",
    "By chance": "the pairs right of a guess with as many ties: where people call many pairs a tie and the metric few, "
    "well below half.",
    "acc_eq": "the share of a prompt's pairs of stories that the metric orders as people do, or calls a tie as they "
    "do; scores at most ε apart are a tie.",
    "ε": "how far apart two scores may be and still count as a tie; the best on the other half of the prompts.",
    "Soft pairwise accuracy": "1 less the mean distance between people's p and the metric's that one system is better "
    "than another: whether a metric is as sure of a difference as people are.",
    "AUC": "of all pairs of a good and a bad text, how often the good one scores higher; 0.5 is guessing.",
    "Drift": "how agreement changes with the quality, the system or the corpus of the stories.",
    "Discrimination": "a test set whose changed stories are worse; a metric should see it.",
    "Invariance": "a test set whose changed stories are as good; a metric should not mind.",
    "Naturalness": "how human texts look to a language model, beside machine texts.",
}
"""Term -> what it means, as it goes on after a colon: under question marks of pages, and in the glossary."""


def meaning(*names: str) -> str:
    """What the terms mean, as sentences: of one term its meaning alone, of several each after its name."""
    if len(names) == 1:
        text = TERMS[names[0]]
        return text[:1].upper() + text[1:]
    return "\n\n".join(f"**{name}**: {TERMS[name]}" for name in names)
