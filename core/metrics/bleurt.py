"""BLEURT (Sellam et al. 2020): a rating learnt from people's, by a checkpoint that the user has."""

from collections.abc import Callable, Sequence

from core.metrics.base import Card, Kind, Need
from core.metrics.referenced import Pair, Referenced
from core.models.catalogue import ModelRole


class Bleurt(Referenced):
    """The output of a BLEURT checkpoint on reference and story; its range is the checkpoint's, often about 0 to 1."""

    name = "bleurt"
    kind = Kind.HYBRID
    needs = frozenset({Need.REFERENCE, Need.MODEL})
    role = ModelRole.REGRESSOR
    speed = 20_000
    card = Card(
        measures="A rating of how well the story says what the human story says, learnt from ratings of translations.",
        paper="Sellam et al. 2020; as used by UNION (2020), section 4.1 and Table 5.",
        blind_spots="It was taught on translations, where the reference is what should be said; a story may be good "
        "and say something else. No checkpoint comes along: name a folder or a hub name.",
    )

    def compare(self, pairs: Sequence[Pair], done: Callable[[int], None]) -> list[float | str]:
        """The checkpoint's output, as it is."""
        from core.models.runtime import regressor  # torch: the pages import this file and must stay light

        if not pairs:
            return []
        model = regressor(self.source, self.settings.device, self.settings.precision)
        return list(model.ratings(pairs, done))
