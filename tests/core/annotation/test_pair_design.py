"""The design of pairs: balanced and connected wherever it is cut, nobody twice beside the same, and controls in it."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.pair_design import Pair, PairRules, PromptStories, pair_panels, sides_of
from core.errors import InputError

BARE = {"repeat": False}


def stories(systems: int, prompts: int) -> tuple[list[PromptStories], dict[int, tuple[int, str]]]:
    """Complete prompts, and the prompt and the system of each story."""
    of: dict[int, tuple[int, str]] = {}
    result = []
    for prompt in range(prompts):
        named = {f"system {system}": [len(of) + system] for system in range(systems)}
        of |= {ids[0]: (prompt, name) for name, ids in named.items()}
        human, damaged = len(of), len(of) + 1
        of |= {human: (prompt, "human"), damaged: (prompt, "damaged")}
        result.append(PromptStories(named, [human], [damaged]))
    return result, of


def flat(panels: list[list[Pair]]) -> list[Pair]:
    return [pair for panel in panels for pair in panel]


@given(st.integers(2, 9), st.integers(1, 12), st.integers(1, 8), st.integers(1, 60))
def test_any_beginning_is_balanced_and_connected(systems: int, prompts: int, a_panel: int, cut: int) -> None:
    made, of = stories(systems, prompts)
    every = flat(pair_panels(made, PairRules(a_panel, **BARE), controls=False))
    assert len(every) == prompts * systems * (systems - 1) // 2
    assert len({frozenset(pair) for pair in every}) == len(every)
    assert all(of[one][0] == of[other][0] for one, other in every)
    begun = every[:cut]
    named = [(of[one][1], of[other][1]) for one, other in begun]
    both = Counter(dict.fromkeys(combinations(sorted({name for _, name in of.values()} - {"human", "damaged"}), 2), 0))
    both.update(tuple(sorted(pair)) for pair in named)
    assert max(both.values()) - min(both.values()) <= 1
    at = Counter(dict.fromkeys(range(prompts), 0))
    at.update(of[one][0] for one, _ in begun)
    assert max(at.values()) - min(at.values()) <= 1
    sides = Counter(named)
    assert all(abs(sides[one, other] - sides[other, one]) <= 1 for one, other in sides)
    if len(begun) >= systems - 1:
        reached = {named[0][0]}
        while more := {name for pair in named if reached & set(pair) for name in pair} - reached:
            reached |= more
        assert len(reached) == systems


@given(st.integers(2, 6), st.integers(1, 8), st.integers(1, 6), st.integers(1, 3))
def test_panels_hold_their_controls_and_one_pair_again(systems: int, prompts: int, a_panel: int, controls: int) -> None:
    made, of = stories(systems, prompts)
    rules = PairRules(a_panel, controls=controls)
    bare = pair_panels(made, PairRules(a_panel, **BARE), controls=False)
    for panel, plain in zip(pair_panels(made, rules, controls=True), bare, strict=True):
        damaged = [pair for pair in panel if any(of[one][1] == "damaged" for one in pair)]
        assert len(damaged) == controls
        assert panel[0] not in damaged
        if controls == 2:
            assert sorted(of[one][1] == "damaged" for one, _ in damaged) == [False, True]
        rest = [pair for pair in panel if pair not in damaged]
        if len(plain) >= 3:
            assert rest[-1][::-1] in rest[:-1]
            rest = rest[:-1]
        assert rest == plain


def test_pairs_of_a_prompt_can_be_fewer_than_there_are() -> None:
    made, of = stories(6, 10)
    pairs = flat(pair_panels(made, PairRules(a_prompt=4, **BARE), controls=False))
    assert set(Counter(of[one][0] for one, _ in pairs).values()) == {4}


def test_later_stories_ask_no_more_of_a_prompt_than_its_pairs() -> None:
    made, of = stories(6, 10)
    rules = PairRules(a_prompt=4, **BARE)
    before = flat(pair_panels(made[:7], rules, controls=False))
    known = {frozenset(pair) for pair in before[:20]}  # the others nobody had begun
    after = flat(pair_panels(made, rules, controls=False, known=known))
    assert not known & {frozenset(pair) for pair in after}
    assert set(Counter(of[one][0] for one, _ in (*before[:20], *after)).values()) == {4}
    assert (
        flat(pair_panels(made, rules, controls=False, known={frozenset(pair) for pair in (*before[:20], *after)})) == []
    )
    # A system that is new is compared all the same, also where the others' pairs are all asked about.
    made[0] = PromptStories({**made[0].systems, "new": [999]}, made[0].human, made[0].damaged)
    later = flat(pair_panels(made, rules, controls=False, known={frozenset(pair) for pair in (*before[:20], *after)}))
    assert len(later) == 4
    assert all(999 in pair for pair in later)


def test_gaps_leave_out_what_is_not_there() -> None:
    made, of = stories(3, 4)
    made[1] = PromptStories({"system 0": made[1].systems["system 0"]})
    pairs = flat(pair_panels(made, PairRules(**BARE), controls=False))
    assert len(pairs) == 9
    assert 1 not in {of[one][0] for one, _ in pairs}


def test_several_stories_of_a_system_take_turns() -> None:
    prompts = [PromptStories({"a": [1, 2], "b": [3]}), PromptStories({"a": [4], "b": [5, 6]})]
    assert flat(pair_panels(prompts, PairRules(**BARE), controls=False)) == [(1, 3), (6, 4)]


def test_the_human_story_can_stand_beside_every_system() -> None:
    made, of = stories(3, 2)
    pairs = flat(pair_panels(made, PairRules(against_human=True, **BARE), controls=False))
    assert Counter(frozenset(of[one][1] for one in pair) for pair in pairs) == {
        frozenset({"human", f"system {system}"}): 2 for system in range(3)
    }


def test_what_makes_no_design_is_refused() -> None:
    with pytest.raises(InputError, match="stories of two systems"):
        pair_panels([PromptStories({"a": [1]})], PairRules(), controls=True)
    with pytest.raises(InputError, match="a human story and a system's"):
        pair_panels([PromptStories({"a": [1]})], PairRules(against_human=True), controls=True)
    apart = [PromptStories({"a": [1], "b": [2]}), PromptStories({"c": [3], "d": [4]})]
    with pytest.raises(InputError, match=r"no prompt in common with one another.*: a, b; and c, d"):
        pair_panels(apart, PairRules(), controls=False)


@pytest.mark.parametrize("change", [{"a_panel": 0}, {"a_panel": 51}, {"a_prompt": -1}, {"controls": 0}])
def test_rules_out_of_bounds_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(InputError):
        PairRules(**change)  # type: ignore[arg-type]


def test_every_other_annotator_sees_the_sides_exchanged() -> None:
    assert [sides_of((1, 2), row) for row in range(3)] == [(1, 2), (2, 1), (1, 2)]
