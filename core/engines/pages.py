"""Pages of a study's stories on an engine: each is scored as a whole, wherever that is, and gives the same numbers."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.engines.recipe import Recipe
from core.engines.work import DIED, Died, Engine, Meanwhile, Work, nothing
from core.metrics.base import Metric, Scores
from core.metrics.batches import BatchScores, score_in_turns
from core.models.text_cache import forget_texts
from core.notices import collecting, notice
from core.stories import Story

Round = Sequence[Sequence[tuple[str, Story]]]
"""One batch per metric, in the order of the metrics: content hashes and stories."""


@dataclass(frozen=True)
class ScoredPage:
    """What a page's rounds gave, turn by turn, and what there was to say."""

    turns: tuple[BatchScores[str], ...]
    notices: tuple[str, ...] = ()


@dataclass(frozen=True)
class PageTask:
    """What is done to each page. It can be pickled."""

    recipe: Recipe

    @property
    def work(self) -> Work[Sequence[Round], Sequence[Round], ScoredPage]:
        """For an engine. A page is read from the database before it gets there."""
        return Work(_as_it_is, self.make)

    def make(self) -> Callable[[Sequence[Round]], ScoredPage]:
        """What scores pages in this process."""
        return partial(score_page, self.recipe.metrics())


def _as_it_is(page: Sequence[Round]) -> Sequence[Round]:
    return page


def score_page(metrics: Sequence[Metric], page: Sequence[Round]) -> ScoredPage:
    """Score it. What was scored before leaves no trace in the numbers."""
    forget_texts()
    with collecting() as notices:
        turns = tuple(score_in_turns(metrics, page))
    return ScoredPage(turns, tuple(notices))


def score_pages(
    task: PageTask, engine: Engine, pages: Iterable[Sequence[Round]], meanwhile: Meanwhile = nothing
) -> Generator[BatchScores[str], None, None]:
    """The turns of all pages, in the order in which these are done. A story that no process outlives has no score."""
    died = []
    for result in engine.results(task.work, pages, meanwhile):
        if isinstance(result, Died):
            died.append(result.item)
        else:
            yield from _told(result)
    while died:
        halves = [half for page in died for half in _halves(page)]
        died = []
        for result in engine.results(task.work, halves, meanwhile):
            if not isinstance(result, Died):
                yield from _told(result)
            elif len(_hashes(result.item)) == 1:
                yield from _given_up(result.item)
            else:
                died.append(result.item)


def _told(page: ScoredPage) -> Iterator[BatchScores[str]]:
    for text in page.notices:
        notice(text)
    yield from page.turns


def _hashes(page: Sequence[Round]) -> list[str]:
    """Of the page's stories, each once, in order."""
    return list(dict.fromkeys(key for batches in page for batch in batches for key, _ in batch))


def _halves(page: Sequence[Round]) -> Iterator[Sequence[Round]]:
    """The page's stories in two parts, or the one that it has."""
    keys = _hashes(page)
    middle = (len(keys) + 1) // 2
    for part in (set(keys[:middle]), set(keys[middle:])):
        if part:
            yield [[[item for item in batch if item[0] in part] for batch in batches] for batches in page]


def _given_up(page: Sequence[Round]) -> Iterator[BatchScores[str]]:
    for batches in page:
        for place, batch in enumerate(batches):
            keys = tuple(key for key, _ in batch)
            if keys:
                yield BatchScores(
                    place, keys, Scores(np.full(len(keys), np.nan), dict.fromkeys(range(len(keys)), DIED)), 0.0
                )
