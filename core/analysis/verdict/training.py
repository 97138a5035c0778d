"""That a metric was trained on stories of the study by which it is judged."""

from collections.abc import Mapping

from core.analysis.verdict.sentences import Basis, VerdictSentence
from core.wording import so_many

NO_EVIDENCE = "it was trained on stories of this study"
"""What keeps such a metric from any grade."""


def on_training(seen: int) -> tuple[VerdictSentence, ...]:
    """`seen`: on how many of the study's stories it was trained."""
    if not seen:
        return ()
    sentence = f"It was trained on {so_many(seen, 'story', 'stories')} of this study: its {_NONE}."
    return (VerdictSentence(sentence, (("trained on", seen),), Basis.SAMPLE, caution=True, decisive=True),)


def training_caution(seen: Mapping[str, int]) -> str:
    """The same of several metrics, by their names; "" for none."""
    if not seen:
        return ""
    each = ", ".join(f"{name} on {so_many(number, 'story', 'stories')}" for name, number in seen.items())
    return f"Trained on stories of this study: {each}. Their {_NONE}."


_NONE = "agreement with people here is no evidence of agreement on other stories"
