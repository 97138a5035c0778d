"""What several tests of packed tokens share."""

from dataclasses import fields

import numpy as np

from core.tokens import TokenTable


def equal(one: TokenTable, other: TokenTable) -> bool:
    for field in fields(TokenTable):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == theirs.dtype, field.name
            assert np.array_equal(mine, theirs), field.name
        else:
            assert mine == theirs, field.name
    return True
