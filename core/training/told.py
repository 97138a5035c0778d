"""How a trainer tells whoever has started it how far it is."""

from collections.abc import Callable

Told = Callable[[str, int, int], None]
"""Told what is going on, how much of it is done, and of how much. It may raise anything to stop."""


def nobody(_what: str, _done: int, _whole: int) -> None:
    """Hears it where nobody else does."""


def counted(say: Told, what: str, whole: int) -> Callable[[int], None]:
    """To be called with how much more is done of what is going on."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        say(what, done, whole)

    return count
