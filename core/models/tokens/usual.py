"""Numbers to hold a text's against: of the demonstration's stories, read by the bundled language model."""

from dataclasses import dataclass

from core.models.catalogue import DEFAULTS, ModelRole
from core.tokens import Mode, TokenTable

Range = tuple[float, float]


@dataclass(frozen=True)
class UsualNumbers:
    """The lowest and the highest of some stories, each read by itself. `likely`: the share of the tokens among the ten
    likeliest, in 0..1; `fp`: their mean fraction.
    """

    likely: Range
    fp: Range
    perplexity: Range


STORIES = 14
"""Of either kind, one a prompt."""
OF_PEOPLE = UsualNumbers((0.49, 0.64), (0.30, 0.42), (45, 110))
SAMPLED = UsualNumbers((0.83, 0.93), (0.61, 0.77), (4.9, 13))
"""Of the stories that the model wrote by nucleus sampling."""


def comparable(table: TokenTable) -> bool:
    """Whether these numbers are of the model that has read it, in the same way."""
    return table.mode is Mode.CAUSAL and table.model.split("@")[0] == DEFAULTS[ModelRole.LANGUAGE]
