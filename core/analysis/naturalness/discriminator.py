"""Which discriminator a stored score of the Fp metrics comes from: its signature says."""

from core.analysis.naturalness.corpora import Discriminator
from core.tokens import Mode

FAMILY = ("fp", "fp-masked")
"""The metrics whose scores are minus Fp."""


def discriminator_of(signature: str) -> Discriminator | None:
    """Model, mode and length out of a signature such as `fp|model:x@1|dtype:float32|first:50|…`.

    None where it names no model, as scores of a file do.
    """
    metric, *parts = signature.split("|")
    given = dict(part.split(":", 1) for part in parts if ":" in part)
    if metric not in FAMILY or "model" not in given:
        return None
    first = given.get("first", "all")
    usual = Mode.CAUSAL if metric == "fp" else Mode.MASKED
    return Discriminator(
        given["model"], Mode(given.get("mode", usual)), int(first) if first.isdecimal() else None, signature
    )
