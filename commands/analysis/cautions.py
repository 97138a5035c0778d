"""What has to be said of metrics that have seen a study's stories before."""

from collections.abc import Mapping

from commands.terminal import console
from core.analysis.verdict.training import training_caution
from core.judges.naming import is_own
from db.training import overlap


def print_tuned(study_id: int, signatures: Mapping[str, str]) -> None:
    """Which metrics were trained, and which judges tuned, on some of a study's stories, where a command is about all of
    them. `signatures`: by the names that the command has for metrics.
    """
    seen = overlap.trained_on(study_id, signatures.values())
    if said := training_caution({name: seen[one] for name, one in signatures.items() if one in seen}):
        console.print(said, markup=False, soft_wrap=True)
    if tuned := [name for name, signature in signatures.items() if is_own(signature)]:
        console.print(
            f"{', '.join(tuned)}: tuned on this study's development half, which is among these stories, so that the "
            "figures flatter. `judge` has those of the held-out half alone.",
            markup=False,
            soft_wrap=True,
        )
