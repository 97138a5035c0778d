"""Who came first goes first; nothing is loaded twice."""

import threading
import time

import pytest

from core.models.concurrency import FairLock, loaded_once
from core.models.text_cache import Memory


def test_who_waits_comes_before_who_has_just_had_it() -> None:
    turn, order = FairLock(), []
    waiting = threading.Event()

    def batches() -> None:
        for number in range(4):
            with turn:
                if number == 0:
                    waiting.wait(5)
                    time.sleep(0.05)  # the other one is in the queue by now
                order.append("long")

    def quick() -> None:
        waiting.set()
        with turn:
            order.append("quick")

    long = threading.Thread(target=batches)
    long.start()
    while not turn._depth:
        time.sleep(0.001)
    short = threading.Thread(target=quick)
    short.start()
    long.join(5)
    short.join(5)
    assert order == ["long", "quick", "long", "long", "long"]


def test_its_holder_may_take_it_again_and_an_error_gives_it_back() -> None:
    turn = FairLock()

    def fail() -> None:
        with turn, turn:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    got = threading.Event()

    def other() -> None:
        with turn:
            got.set()

    threading.Thread(target=other).start()
    assert got.wait(5)


def test_many_threads_never_meet() -> None:
    turn, inside, most = FairLock(), 0, 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(200):
            with turn:
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert (most, inside, turn._holder) == (1, 0, None)


def test_threads_load_a_thing_once_between_them_and_the_oldest_goes() -> None:
    loads: list[int] = []

    @loaded_once(2)
    def load(number: int, *, kind: str = "") -> list[int]:
        loads.append(number)
        time.sleep(0.05)
        return [number]

    result: list[list[int]] = []
    threads = [threading.Thread(target=lambda: result.append(load(1))) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert loads == [1]
    assert all(part is result[0] for part in result)
    load(2)
    assert load(1) is result[0]
    load(3)  # 2 was used longest ago
    assert load(1) is result[0]
    load(2)
    assert loads == [1, 2, 3, 2]
    load(2, kind="other")
    assert loads == [1, 2, 3, 2, 2]


def test_what_fails_is_tried_again() -> None:
    tries = 0

    @loaded_once(1)
    def load() -> str:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ValueError("not yet")
        return "there"

    with pytest.raises(ValueError, match="not yet"):
        load()
    assert load() == load() == "there"
    assert tries == 2


def test_a_memory_is_whole_after_many_threads() -> None:
    memory: Memory[int, int] = Memory(50)

    def work(seed: int) -> None:
        for number in range(500):
            memory.put((number * seed) % 97, number)
            memory.get((number * 7) % 97)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 3, 5, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert memory.used == len(memory._entries) == 50
