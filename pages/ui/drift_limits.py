"""One human rater and the ceiling on the Drift page: the lines' caption."""

from core.analysis.limits import Limits


def lines_caption(found: Limits, part: str) -> str:
    """What the lines are, or nothing where there are none; `part`: what they are not of."""
    lines = [
        words
        for words, value in (("dashed: one human rater", found.one_rater), ("dotted: the ceiling", found.ceiling))
        if value is not None
    ]
    if not lines:
        return ""
    return f" Lines, {'; '.join(lines)}: of all stories together, not of {part}."


def study_lines(name: str, found: Limits) -> str:
    """A study's own limits in words, or nothing."""
    known = [
        f"{words} {value:.3f}"
        for words, value in (("one human rater", found.one_rater), ("ceiling", found.ceiling))
        if value is not None
    ]
    return f"{name}: {', '.join(known)}" if known else ""
