"""Does a judge quote as errors what people marked? By characters, against chance, beside what one annotator reaches."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.judges.columns import JudgeRatings
from core.analysis.judgments.evidence import MarkedStory
from core.annotation.spans import Span
from core.arrays import Bools, Floats
from core.judges.answers import Deductions, read_deductions
from core.judges.judge import Question
from core.judges.kept import kept_replies
from core.judges.study import JudgedStudy, ReplyStore
from core.judges.template import Way
from core.metrics.judging.asked import asked_of
from core.statistics.draws import draw_prompts
from core.statistics.intervals import Estimate, estimate
from core.stories import Story

WAY = f"|way:{Way.DEDUCTIONS.value}|"
"""In the signature of a judge that quotes."""
NO_QUOTE = "it quotes nothing in these stories"
NO_STORY = "of no story with marks has the judge a reply that can be read"
ALONE = "no story was marked by two people"


@dataclass(frozen=True)
class QuotedStory:
    """A story of `size` characters; `prompt`: its opening. `people`: the passages of each person who marked any;
    `judge`: those of each of its replies that can be read, possibly none. `quotes`, `located`: how many passages the
    replies quote, and how many of these stand in the story.
    """

    prompt: str
    size: int
    people: tuple[tuple[Span, ...], ...]
    judge: tuple[tuple[Span, ...], ...]
    quotes: int
    located: int


@dataclass(frozen=True)
class QuoteOverlap:
    """A judge's quotes beside people's marks on `stories` of `prompts` prompts that somebody marked; `quotes`,
    `located`: how many passages it quotes, and how many of these stand in the story.

    People are the union of all who marked the story, each left out in turn where there are several, so that the judge
    and one person are held against the same others. `right`: the share of the characters it quotes that people marked;
    `found`: the share of those that people marked which it quotes; `right_by_chance`, `found_by_chance`: what both
    would be if its passages lay anywhere in the same stories. `kappa`: Cohen's by characters, with the chance of each
    story: 1 for the same passages, 0 for chance. `one_person`: the same of one annotator.
    """

    stories: int
    prompts: int
    quotes: int
    located: int
    right: Estimate
    right_by_chance: float | None
    found: Estimate
    found_by_chance: float | None
    kappa: Estimate
    one_person: Estimate


def overlaps(
    judges: Sequence[JudgeRatings],
    judged: JudgedStudy,
    marked: Sequence[MarkedStory],
    *,
    seed: int = 0,
    resamples: int = 1000,
) -> dict[str, QuoteOverlap | str]:
    """By name, the overlap of each judge that was asked for errors, or why its quotes cannot be read again; the others
    are left out. `judged`: of their study.
    """
    result: dict[str, QuoteOverlap | str] = {}
    for judge in judges:
        if WAY in judge.signatures[0]:
            asked = asked_of(judge.signatures[0], judged)
            result[judge.name] = (
                asked
                if isinstance(asked, str)
                else quote_overlap(
                    quoted(asked.question, asked.model, judged.replies, marked), seed=seed, resamples=resamples
                )
            )
    return result


def quoted(question: Question, model: str, store: ReplyStore, marked: Sequence[MarkedStory]) -> list[QuotedStory]:
    """The marked stories about which the judge has replied so that it can be read; `question`, `model`: as it was
    asked, for errors.
    """
    stories = [Story(story.text, story.prompt) for story in marked]
    result = []
    for story, replies in zip(marked, kept_replies(question, model, store, stories), strict=True):
        read = [read_deductions(reply.text, question.scheme, story.text) for reply in replies if not reply.problem]
        fine = [one for one in read if isinstance(one, Deductions)]
        if not fine:
            continue
        by_rating: dict[int, list[Span]] = defaultdict(list)
        for mark in story.marks:
            by_rating[mark.rating].append((mark.start, mark.end))
        errors = [error for one in fine for error in one.found if error.quote.strip()]
        result.append(
            QuotedStory(
                story.prompt,
                len(story.text),
                tuple(map(tuple, by_rating.values())),
                tuple(tuple(span for spans in one.spans.values() for span in spans) for one in fine),
                len(errors),
                sum(error.span is not None for error in errors),
            )
        )
    return result


def quote_overlap(stories: Sequence[QuotedStory], *, seed: int = 0, resamples: int = 1000) -> QuoteOverlap:
    """The overlap over all of these stories; intervals are 95 %, from draws of whole prompts."""
    quotes, located = (sum(getattr(story, name) for story in stories) for name in ("quotes", "located"))
    if not stories:
        nothing = Estimate(None, undefined=NO_STORY)
        return QuoteOverlap(0, 0, 0, 0, nothing, None, nothing, None, nothing, nothing)
    judge, person = np.transpose([_sums(story) for story in stories], (1, 0, 2))
    draws = draw_prompts([story.prompt for story in stories], seed=seed, resamples=resamples)
    prompts = draws.of([story.prompt for story in stories])

    def figure(rows: Floats, of: str, undefined: str) -> Estimate:
        bears = rows[:, 1] + rows[:, 2] > 0
        value = _figure(rows.sum(0)[None], of)[0]
        if not np.isfinite(value):
            return Estimate(None, undefined=undefined)
        return estimate(float(value), _figure(draws.sums(rows, prompts), of), prompts[bears])

    by_chance = {of: _figure(judge.sum(0)[None], of, chance=True)[0] for of in ("mine", "theirs")}
    return QuoteOverlap(
        len(stories),
        len(np.unique(prompts)),
        quotes,
        located,
        right=figure(judge, "mine", NO_QUOTE),
        right_by_chance=float(by_chance["mine"]) if np.isfinite(by_chance["mine"]) else None,
        found=figure(judge, "theirs", NO_STORY),
        found_by_chance=float(by_chance["theirs"]) if np.isfinite(by_chance["theirs"]) else None,
        kappa=figure(judge, "kappa", NO_QUOTE) if judge[:, 1].any() else Estimate(None, undefined=NO_QUOTE),
        one_person=figure(person, "kappa", ALONE),
    )


def _figure(sums: Floats, of: str, *, chance: bool = False) -> Floats:
    """A figure of each row of sums (rows x 4); NaN where nothing bears on it."""
    shared, mine, theirs, by_chance = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        if of == "kappa":
            return np.asarray(1 - (mine + theirs - 2 * shared) / (mine + theirs - 2 * by_chance))
        return np.asarray((by_chance if chance else shared) / (mine if of == "mine" else theirs))


def _sums(story: QuotedStory) -> tuple[Floats, Floats]:
    """Of the judge and of one person: characters shared with the others, its own, theirs, and shared by chance; the
    means over replies and over the people who are left out.
    """
    people = np.array([_mask(spans, story.size) for spans in story.people])
    judge = np.array([_mask(spans, story.size) for spans in story.judge])
    if len(people) == 1:
        return _mean_sums(judge, people), np.zeros(4)
    others = people.sum(0) > people  # marked by somebody else, too
    alone = [_mean_sums(one[None], rest[None]) for one, rest in zip(people, others, strict=True)]
    return _mean_sums(judge, others), np.mean(alone, axis=0)


def _mean_sums(mine: Bools, theirs: Bools) -> Floats:
    """Over all pairs of the rows of both (rows x characters)."""
    shared = (mine.astype(np.float64) @ theirs.T.astype(np.float64)).mean()
    own, other = mine.sum(1).mean(), theirs.sum(1).mean()
    return np.array([shared, own, other, own * other / mine.shape[1]])


def _mask(spans: Sequence[Span], size: int) -> Bools:
    """Which characters lie in any of the passages; what reaches past the story is cut."""
    result = np.zeros(size, dtype=bool)
    for start, end in spans:
        result[start:end] = True
    return result
