"""Test sets: the cases that human stories give, aspect by aspect, and how many (OpenMEVA section 3.2, appendix B)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from core.perturb.cases import Case, Of
from core.perturb.test_sets.aspects import Test, test_of
from core.perturb.test_sets.grammar import passes
from core.stories import sentences


@dataclass(frozen=True, slots=True)
class Yield:
    """What `stories` gave in an aspect: `good` coherent examples (or originals), `changed` ones, of which `passed` the
    grammaticality filter (None where nobody was asked). `ways`: changed ones by technique.
    """

    aspect: str
    of: Of
    stories: int
    good: int
    changed: int
    passed: int | None
    ways: Mapping[str, int]

    @property
    def share(self) -> float:
        """Changed ones a story, 0..1."""
        return self.changed / self.stories if self.stories else 0.0


@dataclass(frozen=True)
class TestSet:
    """The cases of `stories` usable stories, and why others were left out: (id, reason). `seed`, and `made_with`: what
    it depends on besides.
    """

    __test__ = False  # no class of tests, whatever pytest takes its name for

    test: Test
    stories: int
    cases: tuple[Case, ...]
    left_out: tuple[tuple[str, str], ...]
    seed: int
    made_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def reasons(self) -> dict[str, int]:
        """How many stories were left out, by why."""
        return dict(Counter(reason for _, reason in self.left_out))

    def yields(self, aspects: Iterable[str]) -> list[Yield]:
        """One row per aspect; of invariance one each of human stories and of incoherent ones."""
        return yields(self.cases, aspects, self.stories)


def yields(cases: Iterable[Case], aspects: Iterable[str], stories: int) -> list[Yield]:
    """What so many stories gave: one row per aspect, of a change one each of human stories and of incoherent ones."""
    by_aspect: dict[tuple[str, Of], list[Case]] = {}
    for case in cases:
        by_aspect.setdefault((case.aspect, case.of), []).append(case)
    return [
        _yield(aspect, of, stories, by_aspect.get((aspect, of), []))
        for aspect in aspects
        for of in (Of if test_of(aspect) is Test.INVARIANCE else (Of.HUMAN,))
    ]


def lengths(cases: Iterable[Case]) -> dict[str, tuple[float, float]]:
    """Mean words of input and story (Tables 16 and 17): of "coherent" and "incoherent" ones, or of the originals that
    are "human" and that are "incoherent".
    """
    groups: dict[str, list[tuple[int, int]]] = {}
    for case in cases:
        if test_of(case.aspect) is Test.DISCRIMINATION:
            groups.setdefault("coherent" if case.label else "incoherent", []).append(_words(case))
        elif case.label:
            groups.setdefault(f"{case.of} originals", []).append(_words(case))
    return {
        name: (sum(a for a, _ in pairs) / len(pairs), sum(b for _, b in pairs) / len(pairs))
        for name, pairs in groups.items()
    }


def _yield(aspect: str, of: Of, stories: int, cases: Sequence[Case]) -> Yield:
    changed = [case for case in cases if not case.label]
    judged = [case for case in changed if case.acceptable is not None]
    return Yield(
        str(aspect),
        of,
        stories,
        len(cases) - len(changed),
        len(changed),
        sum(passes(case) for case in changed) if judged else None,
        dict(Counter(step.technique for case in changed for step in case.perturbed.steps)),
    )


def _words(case: Case) -> tuple[int, int]:
    """Of its input (the prompt, or the first sentence) and of the rest."""
    text = case.perturbed.text
    if case.prompt.strip():
        return len(case.prompt.split()), len(text.split())
    end = next((end for _, end in sentences(text)), 0)
    return len(text[:end].split()), len(text[end:].split())


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
        """Return the description as the database keeps it."""
        return asdict(self)


def description_from(kept: Mapping[str, Any]) -> SetDescription:
    """Read a description from what was kept, which may hold less, or other things too."""
    names = {field.name for field in fields(SetDescription)}
    return SetDescription(**{name: value for name, value in kept.items() if name in names})


def description_of_file(cases: Sequence[Case], file: str) -> SetDescription:
    """Describe a set that comes from a file."""
    return SetDescription(
        stories=len({case.source for case in cases}),
        aspects=list(dict.fromkeys(case.aspect for case in cases)),
        lengths=lengths(cases),
        file=file,
    )
