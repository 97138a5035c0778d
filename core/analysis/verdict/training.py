"""That a metric was trained on stories which it is judged by here."""

from collections.abc import Mapping

from core.analysis.verdict.sentences import Basis, VerdictSentence
from core.wording import so_many

NO_EVIDENCE = "it was trained on stories that are judged here"
"""What keeps such a metric from any grade."""


def on_training(seen: int) -> tuple[VerdictSentence, ...]:
    """`seen`: on how many of the rated stories it was trained."""
    if not seen:
        return ()
    sentence = f"It was trained on {so_many(seen, 'story', 'stories')} of those that people rated here: its {_NONE}."
    return (VerdictSentence(sentence, (("trained on", seen),), Basis.SAMPLE, caution=True),)


def training_caution(seen: Mapping[str, int]) -> str:
    """The same of several metrics, by their names; "" for none."""
    if not seen:
        return ""
    each = ", ".join(f"{name} on {so_many(number, 'story', 'stories')}" for name, number in seen.items())
    return f"Trained on stories that people rated here: {each}. Their {_NONE}."


_NONE = "agreement with people here is no evidence of agreement on other stories"
