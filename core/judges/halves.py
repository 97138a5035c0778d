"""The two halves of a study's prompts: judges' wordings are tried on the one, and reported on the other.

A wording that was chosen because it agreed with people on some stories agrees with them there better than elsewhere.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum


class Half(StrEnum):
    """`development`: where a study's own wordings are tried and compared; `held-out`: where they are reported."""

    DEVELOPMENT = "development"
    HELD_OUT = "held-out"

    @property
    def other(self) -> "Half":
        """The half that this is not."""
        return Half.HELD_OUT if self is Half.DEVELOPMENT else Half.DEVELOPMENT


def halves(keys: Sequence[str]) -> list[Half]:
    """The half of each prompt. `keys`: of all of a study's prompts, in the order in which they were imported.

    Of every two prompts in a row one is in each half, and a hash of the first one's key says which. So both halves are
    of one size, or one apart, however many prompts there are; an order of the file in which every other prompt is
    alike puts those in both; and prompts that come later move none of those before.
    """
    result: list[Half] = []
    for place, key in enumerate(keys):
        result.append(result[-1].other if place % 2 else _first(key))
    return result


def _first(key: str) -> Half:
    odd = hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()[0] % 2
    return Half.HELD_OUT if odd else Half.DEVELOPMENT
