"""Which stories a run takes that tries what a metric would give: few, of as many prompts as there are."""

from collections import Counter
from collections.abc import Hashable, Iterable
from heapq import heapify, heappop, heappush
from typing import NamedTuple


class Candidate(NamedTuple):
    """A story, or a pair of stories, that the run may take, or that has its score already."""

    place: int
    prompt: Hashable
    system: str
    lacking: bool


def spread(candidates: Iterable[Candidate], most: int) -> list[int]:
    """The places of at most so many that lack a score, in their order. The next is of a prompt of which the fewest are
    scored or taken, and of it the story of the system of which the fewest are; where several are, the first.
    """
    lacking: dict[Hashable, list[Candidate]] = {}
    prompts, systems = Counter[Hashable](), Counter[str]()
    for one in candidates:
        if one.lacking:
            lacking.setdefault(one.prompt, []).append(one)
        else:
            prompts[one.prompt] += 1
            systems[one.system] += 1
    waiting = [(prompts[prompt], order, prompt) for order, prompt in enumerate(lacking)]
    heapify(waiting)
    taken: list[int] = []
    while waiting and len(taken) < most:
        had, order, prompt = heappop(waiting)
        left = lacking[prompt]
        one = min(left, key=lambda one: systems[one.system])
        left.remove(one)
        taken.append(one.place)
        systems[one.system] += 1
        if left:
            heappush(waiting, (had + 1, order, prompt))
    return sorted(taken)
