"""Stored test sets with metrics' scores, as columns for the capability analyses."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from sqlalchemy import func, select

from core.analysis.capability.examples import Cases, Scored
from core.analysis.capability.scoring import TestSetTexts, columns_of, lay_out
from core.arrays import Bools
from core.people import Person, Role
from core.perturb.cases import Case
from core.perturb.test_sets.aspects import Aspect, Change
from core.perturb.test_sets.test_set import SetDescription, description_from
from core.report.capability import CapabilityInReport, capability_in_report
from db.engine import reading
from db.people import people
from db.schema import score, signature, test_run, test_set
from db.test_sets import set_scores, test_sets
from db.test_sets.test_sets import KeptSet

Version = tuple[tuple[int, str, tuple[tuple[int, int], ...]], ...]
_KNOWN = [*map(str, Aspect), *map(str, Change)]


@dataclass(frozen=True)
class CaseTable:
    """`sets` taken together. `kept`: their cases that count, by aspect in the papers' order; `twice`: how many more
    there are that another of the sets has, too. `columns`: of the metrics that have read any of them; `stored`: by
    signature, of which of the layout's texts there is a score or a reason; `undefined`: by signature, how many texts
    have no score, by why.
    """

    sets: tuple[KeptSet, ...]
    kept: tuple[Case, ...]
    twice: int
    cases: Cases
    layout: TestSetTexts
    columns: tuple[Scored, ...]
    stored: Mapping[str, Bools]
    undefined: Mapping[str, Mapping[str, int]]

    @property
    def changed(self) -> tuple[int, int]:
        """Changed stories, and those of them that do not pass the filter."""
        wrong = self.cases.labels == 0
        return int(wrong.sum()), int((wrong & ~self.cases.accepted).sum())

    def left(self, signatures: Sequence[str]) -> tuple[int, int]:
        """Scores that these signatures lack, and the characters of the texts that any of them has still to read."""
        nothing = np.zeros(len(self.layout.stories), dtype=np.bool_)
        lacking = [~self.stored.get(name, nothing) for name in signatures]
        read = np.any(lacking, axis=0) if lacking else nothing
        characters = sum(len(self.layout.stories[place].text) for place in np.flatnonzero(read).tolist())
        return int(sum(values.sum() for values in lacking)), characters


def together(by: Person, numbers: Sequence[int], only: str | None = None) -> CaseTable:
    """The sets of these ids; `only`: with the column of this signature alone. Raises NotFound for one deleted.

    A human story is the same in all sets that were made of one study, or imported from files of one name: their cases
    are not independent.
    """
    by_id = {kept_set.id: kept_set for kept_set in test_sets.listed(by)}
    found: list[tuple[Case, str]] = []
    earlier: set[tuple[object, ...]] = set()
    metrics: dict[int, tuple[str, str]] = {}
    counted = 0
    for number in numbers:
        metrics |= set_scores.read_by(by, number)
        of_set = [case.case for case in test_sets.cases(by, number, struck=False)]
        origin = _origin(description_from(by_id[number].about))
        counted += len(of_set)
        found += [(case, origin) for case in of_set if _content(case) not in earlier]
        earlier |= {_content(case) for case in of_set}
    ordered = sorted(found, key=lambda pair: _place(pair[0].aspect))
    kept = tuple(case for case, _ in ordered)
    cases = replace(columns_of(kept), sources=[f"{origin}\n{case.source}" for case, origin in ordered])
    layout = lay_out(kept)
    hashes = [story.content_hash for story in layout.stories]
    columns: list[Scored] = []
    stored: dict[str, Bools] = {}
    undefined: dict[str, Mapping[str, int]] = {}
    for of, (metric, text) in metrics.items():
        if only is None or text == only:
            known = set_scores.stored_scores(of, hashes)
            values = np.array([known.get(name, (np.nan, ""))[0] for name in hashes], dtype=np.float64)
            columns.append(layout.column(metric, text, values))
            stored[text] = np.array([name in known for name in hashes], dtype=np.bool_)
            undefined[text] = Counter(reason for _, reason in known.values() if reason)
    sets = tuple(by_id[number] for number in numbers)
    return CaseTable(sets, kept, counted - len(kept), cases, layout, tuple(columns), stored, undefined)


def _content(case: Case) -> tuple[object, ...]:
    """All that a metric or an analysis sees of a case."""
    return case.aspect, case.label, case.of, case.prompt, case.perturbed.original, case.perturbed.text


def _origin(about: SetDescription) -> str:
    """Whose human stories they are: a study's, a file's, or the demonstration's."""
    return f"study {about.of}" if about.of else f"file {about.file}" if about.file else ""


def _place(aspect: str) -> int:
    return _KNOWN.index(aspect) if aspect in _KNOWN else len(_KNOWN)


def version(by: Person, numbers: Sequence[int]) -> Version:
    """Changes whenever what counts of these sets, or of their scores, does. Raises NotFound for one deleted."""
    read = [(number, test_sets.version(by, number), set_scores.read_by(by, number)) for number in numbers]
    wanted = {metric for _, _, metrics in read for metric in metrics}
    with reading() as connection:
        people.check(connection, by)
        query = select(score.c.signature_id, func.count()).where(score.c.signature_id.in_(wanted))
        counts = {row[0]: row[1] for row in connection.execute(query.group_by(score.c.signature_id))}
    return tuple((number, text, tuple((of, counts.get(of, 0)) for of in metrics)) for number, text, metrics in read)


def newest_read_by(by: Person, metric: str, text: str) -> list[int]:
    """The newest set of either test that a metric with this signature has read."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by)
        rows = connection.execute(
            select(test_set.c.test, func.max(test_set.c.id))
            .join(test_run, test_run.c.test_set_id == test_set.c.id)
            .join(signature, signature.c.id == test_run.c.signature_id)
            .where(signature.c.metric == metric, signature.c.text == text)
            .group_by(test_set.c.test)
        )
        return sorted(number for _, number in rows)


def newest_version(by: Person, metric: str, text: str) -> Version:
    """Changes whenever what `sees` answers does."""
    return version(by, newest_read_by(by, metric, text))


def sees(by: Person, metric: str, text: str, *, seed: int, resamples: int) -> CapabilityInReport | None:
    """What a metric with this signature sees in `newest_read_by`; None where it has read no set."""
    numbers = newest_read_by(by, metric, text)
    if not numbers:
        return None
    result = together(by, numbers, text)
    names = [kept_set.name for kept_set in result.sets]
    return capability_in_report(result.cases, result.columns[0], names, seed=seed, resamples=resamples)
