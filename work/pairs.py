"""Judges of pairs at work on a study: what people compared, in blocks that are kept as soon as they are done."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from core.judges.pair import Verdict
from core.metrics.batches import ROUNDING
from core.metrics.judging.pairs import PairJudge
from core.notices import notice
from db.scores import pair_verdicts
from db.scores.pair_verdicts import ComparedPair, Contents
from work.steps import RunningStep


@dataclass(frozen=True)
class JudgedBlock:
    """What the judge, the only metric of its step, says of a block of pairs, and in how many seconds."""

    verdicts: Mapping[Contents, Verdict]
    seconds: float
    metric: int = 0

    @property
    def keys(self) -> tuple[Contents, ...]:
        """Which pairs these are."""
        return tuple(self.verdicts)


def tell(study_id: int, judge: PairJudge, left: int) -> None:
    """Say what became of its run, which has `left` so many pairs for another."""
    if compared := pair_verdicts.count(study_id):
        asked = f"{compared - left:,} of the {compared:,}" if left else f"all {compared:,}"
        notice(
            f"{judge.name} has been asked which story is better of {asked} pairs that people compared, in both orders; "
            "the page Preferences and the command of that name hold its answers against people's."
        )
    else:
        notice(f"{judge.name} had nothing to judge: people have compared no stories of this study yet.")


def run(
    study_id: int, judge: PairJudge, signature_id: int, pairs: list[ComparedPair], size: int, running: RunningStep
) -> None:
    """Ask about these pairs, `size` at a time; raises as `RunningStep.take` does, and as the judge."""

    def turns(report: Callable[[float], None]) -> Iterator[JudgedBlock]:
        for at in range(0, len(pairs), size):
            read = pair_verdicts.read(pairs[at : at + size])
            begun, done = time.perf_counter(), 0.0

            def tell(number: float, of: int = len(read)) -> None:
                nonlocal done
                done += number
                if done < of - ROUNDING:  # all of them are told once they are kept
                    report(done)

            said = judge.verdicts(read, tell)
            verdicts = {Contents(pair.first_hash, pair.second_hash): one for pair, one in zip(read, said, strict=True)}
            yield JudgedBlock(verdicts, time.perf_counter() - begun)

    running.take(turns, lambda block: pair_verdicts.store(study_id, signature_id, block.verdicts))
