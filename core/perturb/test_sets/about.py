"""What a test set was made from and with, as it is kept beside its cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from core.perturb.cases import Case
from core.perturb.test_sets.generation import Order
from core.perturb.test_sets.test_set import TestSet, lengths


@dataclass(frozen=True)
class SetDescription:
    """`of`: the study, "" for Fabula's demonstration; `group`: who wrote the stories; `file`: what it was imported
    from, "" where it was made here. `stories`: usable ones, or, of a file, human ones behind its cases. `seed`: None
    of a file. `unavailable`: aspects that could not be made and why, which sets have from before there were rules for
    paraphrases; `left_out`: how many stories were not used, by
    why. `lengths`: mean words of input and story.
    """

    stories: int = 0
    aspects: Sequence[str] = ()
    lengths: Mapping[str, Sequence[float]] = field(default_factory=dict)
    of: str = ""
    group: str = ""
    file: str = ""
    seed: int | None = None
    unavailable: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """As a database keeps it."""
        return asdict(self)


def about_from(kept: Mapping[str, Any]) -> SetDescription:
    """From what was kept, which may hold less, or other things too."""
    names = {one.name for one in fields(SetDescription)}
    return SetDescription(**{name: value for name, value in kept.items() if name in names})


def about_made(result: TestSet, order: Order, of: str, group: str) -> SetDescription:
    """Of a set that was made here."""
    return SetDescription(
        stories=result.stories,
        aspects=[str(aspect) for aspect in order.aspects],
        lengths=lengths(result.cases),
        of=of,
        group=group,
        seed=result.seed,
        left_out=result.reasons,
        made_with=dict(result.made_with),
    )


def about_file(cases: Sequence[Case], file: str) -> SetDescription:
    """Of a set that comes from a file."""
    return SetDescription(
        stories=len({case.source for case in cases}),
        aspects=list(dict.fromkeys(case.aspect for case in cases)),
        lengths=lengths(cases),
        file=file,
    )
