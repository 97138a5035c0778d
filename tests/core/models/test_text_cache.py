"""The memory of texts, against a plain list of what was used last."""

from hypothesis import given
from hypothesis import strategies as st

from core.models.text_cache import Memory

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("abcdef"), st.integers(0, 9)),
        st.tuples(st.just("get"), st.sampled_from("abcdef"), st.just(0)),
        st.tuples(st.just("clear"), st.just(""), st.just(0)),
    ),
    max_size=60,
)


@given(STEPS, st.integers(0, 12))
def test_equals_a_list_that_is_searched(steps: list[tuple[str, str, int]], limit: int) -> None:
    memory: Memory[str, tuple[str, int]] = Memory(limit)
    latest: list[tuple[str, int]] = []  # the least recently used first
    for number, (what, key, size) in enumerate(steps):
        kept = next((entry for entry in latest if entry[0] == key), None)
        match what:
            case "put":
                memory.put(key, (key, size), size)
                if kept is None and size <= limit:
                    latest.append((key, size))
                    while sum(size for _, size in latest) > limit:
                        latest.pop(0)
            case "get":
                assert memory.get(key) == kept, number
                if kept is not None:
                    latest.remove(kept)
                    latest.append(kept)
            case _:
                memory.clear()
                latest.clear()
        assert memory.used == sum(size for _, size in latest) <= limit
    assert {key for key in "abcdef" if memory.get(key) is not None} == {key for key, _ in latest}


def test_what_was_read_last_stays_longest() -> None:
    memory: Memory[str, int] = Memory(2)
    memory.put("a", 1)
    memory.put("b", 2)
    assert memory.get("a") == 1
    memory.put("c", 3)
    assert [memory.get(key) for key in "abc"] == [1, None, 3]


def test_entries_count_one_each_unless_told_otherwise() -> None:
    memory: Memory[int, int] = Memory(2)
    for i in range(3):
        memory.put(i, i)
    assert [memory.get(i) for i in range(3)] == [None, 1, 2]


def test_a_value_that_could_never_fit_drives_nothing_out() -> None:
    memory: Memory[str, int] = Memory(10)
    memory.put("small", 1, 4)
    memory.put("huge", 2, 11)
    assert memory.get("huge") is None
    assert memory.get("small") == 1
