"""How far a judge is, while it is asked: counted by replies, and by the words of those that are being written."""

from collections.abc import Callable, Collection, Mapping, Sequence

from core.judges.asking import Request

UNREAD = 0.5
"""What a reply counts before it can be read, at most: one that cannot is asked for once more."""


class AskingProgress:
    """Tells how much more of all items is done, an item being 1 once all of its requests have their replies."""

    def __init__(self, requests: Sequence[Sequence[Request]], tell: Callable[[float], None] | None) -> None:
        """`requests`: of each item."""
        self._tell = tell
        self._counts: dict[str, float] = {}
        for part in requests:
            for request in part:
                self._counts[request.key] = self._counts.get(request.key, 0.0) + 1 / len(part)
        self._done = dict.fromkeys(self._counts, 0.0)
        self._first: Mapping[str, str] = {key: key for key in self._counts}
        self._before = 0.0

    def ask_again(self, first: Mapping[str, str]) -> None:
        """From now on those are asked once more whose replies could not be read; `first`: what each was asked as."""
        self._first, self._before = first, UNREAD

    def writing(self, keys: Collection[str], part: float) -> None:
        """So much of these replies is written, 0 to 1. Raises whatever `tell` raises."""
        share = self._before + UNREAD * part
        self._reach({self._first[key]: share for key in keys})

    def replied(self, key: str, *, final: bool) -> None:
        """A reply is there; `final`: it is not asked for once more. Raises whatever `tell` raises."""
        self._reach({self._first[key]: 1.0 if final else UNREAD})

    def _reach(self, shares: Mapping[str, float]) -> None:
        more = 0.0
        for key, share in shares.items():
            more += self._counts[key] * max(0.0, share - self._done[key])
            self._done[key] = max(share, self._done[key])
        if more and self._tell:
            self._tell(more)
