"""What a metric sees in test sets, for its report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.analysis.capability.examples import Cases, Scored
from core.analysis.capability.results import ALL, Capability, Robustness, Seen, capability
from core.analysis.verdict.capability import has_enough_cases, on_capability, prefers, sees
from core.analysis.verdict.sentences import VerdictSentence
from core.perturb.test_sets.aspects import Test, test_of

HOW = "No test set has scores of this metric under this signature. Run it on one, on the page Capability."


@dataclass(frozen=True)
class CapabilityInReport:
    """`sets`: names of the test sets. `found`: of the one metric. `sources`: by aspect, how many human stories are
    behind its changed stories that pass the filter.
    """

    sets: tuple[str, ...]
    found: Capability
    sources: Mapping[str, int]

    @property
    def aspects(self) -> tuple[Seen, ...]:
        """Those of coherence, of the cases that pass the filter."""
        return tuple(row for row in self.found.rows if test_of(row.aspect) is Test.DISCRIMINATION)

    @property
    def changes(self) -> tuple[Robustness, ...]:
        """Those of wording, of all originals together."""
        return tuple(row for row in self.found.invariance if row.of == ALL)

    @property
    def verdict(self) -> tuple[VerdictSentence, ...]:
        """Return the verdict in plain sentences."""
        return on_capability(self.found.rows, self.found.invariance, self.sources)

    def label(self, row: Seen) -> str:
        """Whether it sees an aspect, or prefers the changed story, in a word or two."""
        if not has_enough_cases(row, self.sources):
            return "too few cases"
        if sees(row):
            return "yes"
        return "prefers it" if prefers(row) else "not shown"


def capability_in_report(
    cases: Cases, column: Scored, sets: Sequence[str], *, seed: int, resamples: int
) -> CapabilityInReport:
    """The result for one metric."""
    result = capability(cases, [column], seed=seed, resamples=resamples)
    sources = {
        row.aspect: len({cases.sources[case] for case in cases.rows(row.aspect, 0, True).tolist()})
        for row in result.rows
    }
    return CapabilityInReport(tuple(sets), result, sources)
