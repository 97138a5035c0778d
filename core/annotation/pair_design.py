"""The design of a study of pairs: which two stories stand beside each other, in which panels, and on which sides.

Any beginning of the design uses every pair of systems equally often, to within one, and every prompt likewise, and it
connects all systems once it is as long as there are systems: so it holds while a study is half done.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import lcm

from core.errors import InputError

FEWEST_FOR_REPEAT = 3
"""Pairs of a panel from which on one is shown again: of fewer, everybody would remember it."""
MOST_A_PANEL = 50
MOST_CONTROLS = 4
Pair = tuple[int, int]
"""Two stories by their ids, the one shown first and the other."""


@dataclass(frozen=True)
class PairRules:
    """What a study of pairs sets stories beside.

    `a_panel`: pairs that one panel asks about, besides its control and the pair that it shows again. `a_prompt`: pairs
    of one prompt's stories, 0 for all that there are. `against_human`: every system's story beside the human one, in
    place of every two systems' stories. `controls`: pairs of a panel in which one story is damaged, where the scheme
    has controls; of two the damaged story is once on either side, so that who always says the same fails one. `repeat`:
    whether a panel shows one of its pairs again at its end, on the other sides.
    """

    a_panel: int = 6
    a_prompt: int = 0
    against_human: bool = False
    controls: int = 2
    repeat: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.a_panel <= MOST_A_PANEL:
            raise InputError(f"A panel has 1 to {MOST_A_PANEL} pairs, not {self.a_panel}.")
        if not 1 <= self.controls <= MOST_CONTROLS:
            raise InputError(f"A panel has 1 to {MOST_CONTROLS} control pairs, not {self.controls}.")
        if not 0 <= self.a_prompt <= 100_000:
            raise InputError(f"The pairs of a prompt lie between 0 (all) and 100,000, not {self.a_prompt}.")


@dataclass(frozen=True)
class PromptStories:
    """The stories of one prompt, by id: each system's, the human ones, and the damaged ones that serve as controls."""

    systems: Mapping[str, Sequence[int]]
    human: Sequence[int] = ()
    damaged: Sequence[int] = ()


@dataclass(frozen=True)
class _Sides:
    """Whose stories can be compared: every pair of these, of whom the human ones may be one."""

    pairs: tuple[tuple[str, str], ...]
    stories: tuple[Mapping[str, Sequence[int]], ...] = field(repr=False)


HUMAN = ""
"""Stands for people where sides are named; no system is called so here."""


def pair_panels(
    prompts: Sequence[PromptStories], rules: PairRules, *, controls: bool, known: Collection[frozenset[int]] = ()
) -> list[list[Pair]]:
    """The panels of a study, each a list of pairs in the order in which they are shown.

    `controls`: each panel has pairs of an undamaged story and a damaged one, where there is any. `known`: pairs that
    other panels ask about already. They count among those of their prompt, but not against a system that is new: it
    gets as many again. Raises InputError where nothing can be compared, and where the systems fall into parts that no
    prompt joins.
    """
    sides = _sides(prompts, rules)
    before = _judged(sides, known)
    asked = _asked(sides, rules, before)
    if not asked and not before:
        raise InputError(
            "No prompt has a human story and a system's to set beside it; import both."
            if rules.against_human
            else "No prompt has stories of two systems to set beside each other; import stories of another system."
        )
    compared = {sides.pairs[pair] for _, pair, _ in asked} | {names for _, names in before.values()}
    _check_connected(sides, compared)
    panels = [asked[start : start + rules.a_panel] for start in range(0, len(asked), rules.a_panel)]
    spare = _controls(prompts) if controls else []
    result = []
    for number, panel in enumerate(panels):
        shown = [stories for _, _, stories in panel]
        again = shown[number % ((len(shown) + 1) // 2)]
        taken = {prompt for prompt, _, _ in panel}
        for nth in range(rules.controls if spare else 0):
            prompt, control = _control(spare, number * rules.controls + nth, taken)
            taken.add(prompt)
            # Neither first nor always in the same place, and the damaged story on one side after the other.
            at = 1 + (number + nth * (len(shown) // 2 + 1)) % len(shown)
            shown.insert(at, sides_of(control, number + nth))
        if rules.repeat and len(panel) >= FEWEST_FOR_REPEAT:
            shown.append(again[::-1])
        result.append(shown)
    return result


def sides_of(pair: Pair, row: int) -> Pair:
    """The pair as an annotator sees it: every other one who gets it sees its sides exchanged."""
    return pair if row % 2 == 0 else pair[::-1]


def _sides(prompts: Sequence[PromptStories], rules: PairRules) -> _Sides:
    named = sorted({system for stories in prompts for system in stories.systems})
    every = tuple({**stories.systems, HUMAN: stories.human} for stories in prompts)
    if rules.against_human:
        return _Sides(tuple((system, HUMAN) for system in named), every)
    # Every two systems, first those that are neighbours in a circle, then those one further apart, and so on.
    size = len(named)
    pairs = [
        (named[at], named[(at + apart) % size])
        for apart in range(1, size // 2 + 1)
        for at in range(size if 2 * apart < size else apart)
    ]
    return _Sides(tuple(pairs), every)


def _judged(sides: _Sides, known: Collection[frozenset[int]]) -> dict[frozenset[int], tuple[int, tuple[str, str]]]:
    """Of the pairs that are known, which are no controls: the number of each one's prompt, and its two sides."""
    compared = {name for both in sides.pairs for name in both}
    of = {
        story: (prompt, name)
        for prompt, named in enumerate(sides.stories)
        for name in compared & named.keys()
        for story in named[name]
    }
    found = {}
    for pair in known:
        one, other = pair
        if one in of and other in of:
            found[pair] = of[one][0], (of[one][1], of[other][1])
    return found


def _asked(
    sides: _Sides, rules: PairRules, before: Mapping[frozenset[int], tuple[int, tuple[str, str]]]
) -> list[tuple[int, int, Pair]]:
    """The pairs still to be judged, in the order of the design: the number of the prompt, that of the pair of sides,
    the two stories. `before`: what has been asked already.
    """
    pairs, prompts = len(sides.pairs), len(sides.stories)
    if not pairs or not prompts:
        return []
    turn = lcm(pairs, prompts)
    of_prompt, of_new = Counter(prompt for prompt, _ in before.values()), Counter[int]()
    met = {name for _, names in before.values() for name in names}
    result = []
    for number in range(pairs * prompts):
        # Pairs and prompts go round side by side; after each full turn one of them is moved on, so that in the end
        # every pair has met every prompt, once.
        prompt, pair = (number + number // turn) % prompts, number % pairs
        stories = sides.stories[prompt]
        first, second = (stories.get(name, ()) for name in sides.pairs[pair])
        counted = of_prompt if met.issuperset(sides.pairs[pair]) else of_new
        if not first or not second or (rules.a_prompt and counted[prompt] >= rules.a_prompt):
            continue
        around = number // pairs
        chosen = first[around % len(first)], second[around % len(second)]
        if frozenset(chosen) not in before:
            of_prompt[prompt] += 1
            of_new[prompt] += 1
            result.append((prompt, pair, sides_of(chosen, around)))
    return result


def _check_connected(sides: _Sides, compared: Collection[tuple[str, str]]) -> None:
    """Raise InputError, naming two parts, where no chain of comparisons joins all systems."""
    part = {name: name for both in sides.pairs for name in both}

    def root(name: str) -> str:
        while part[name] != name:
            name = part[name]
        return name

    for first, second in compared:
        part[root(first)] = root(second)
    parts: dict[str, list[str]] = {}
    for name in part:
        parts.setdefault(root(name), []).append(name or "people")
    if len(parts) > 1:
        one, other = (", ".join(sorted(names)[:5]) for names in list(parts.values())[:2])
        raise InputError(
            f"These systems have no prompt in common with one another, so that nothing compares them: {one}; and "
            f"{other}. Import stories of both for some of the same prompts."
        )


def _controls(prompts: Sequence[PromptStories]) -> list[tuple[int, Pair]]:
    """The number of each prompt with a damaged story, and that story beside an undamaged one, if possible people's."""
    result = []
    for number, stories in enumerate(prompts):
        texts = [story for system in sorted(stories.systems) for story in stories.systems[system]]
        whole = list(stories.human) or texts
        if stories.damaged and whole:
            result.append((number, (whole[0], stories.damaged[0])))
    return result


def _control(spare: Sequence[tuple[int, Pair]], number: int, taken: set[int]) -> tuple[int, Pair]:
    """A control of a panel: of a prompt that it has no other pair of, if there is one."""
    start = number % len(spare)
    turned = (*spare[start:], *spare[:start])
    return next((control for control in turned if control[0] not in taken), turned[0])
