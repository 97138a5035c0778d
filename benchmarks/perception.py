"""A Perception Score's critic against the same critic under torch's own dropout: a step of training, and a pass over
pairs with dropout, of which a score takes ten.
"""

import random
from collections.abc import Callable

from torch import nn

from benchmarks.corpus import SENTENCES
from benchmarks.timing import Row, compare, devices
from core.checkpoints.kinds import RANK
from core.models.catalogue import MINILM, ModelRole, locate
from core.models.devices.cpu import Dropout
from core.models.heads.perception import Critic
from core.models.shape import shape_of
from core.models.trunk import TunableTrunk
from core.training.perception.pairs import Generated, SystemPairs
from core.training.perception.settings import PerceptionPlan
from core.training.perception.task import Encoded, PerceptionTask, judge_pairs

PAIRS, SIZE = 64, 16


def pairs() -> SystemPairs:
    """Made stories of five sentences after one, all drawn alike."""
    rng = random.Random(0)

    def text(sentences: int) -> str:
        return " ".join(rng.choices(SENTENCES, k=sentences))

    generated_texts = tuple(Generated(str(i), str(i), text(1), text(4), (text(4),)) for i in range(PAIRS))
    return SystemPairs("made", generated_texts, generated_texts[:1], generated_texts, 0)


def task(found: SystemPairs, device: str) -> PerceptionTask:
    """With a critic of its own."""
    base = locate(MINILM, ModelRole.BASE)
    critic = Critic(TunableTrunk(base, (shape_of(base).layers,), RANK)).to(device)
    return PerceptionTask(critic.train(), found, PerceptionPlan(batch=SIZE))


def with_torchs(one: PerceptionTask) -> PerceptionTask:
    """The same with torch's dropout in the place of ours."""
    for parent in list(one.critic.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, Dropout):
                setattr(parent, name, nn.Dropout(child.p).train())
    return one


def against_torchs(found: SystemPairs, device: str) -> list[Row]:
    """A step, and a pass."""
    ours, theirs = task(found, device), with_torchs(task(found, device))
    encoded = Encoded(ours.critic, found.tested)
    tokens = sum(map(len, encoded.texts)) + sum(len(ids) for some in encoded.references for ids in some)

    def step(one: PerceptionTask) -> None:
        one.loss(list(range(SIZE))).total.backward()

    def judge(one: PerceptionTask) -> None:
        judge_pairs(one.critic, encoded, 32)

    def row(work: str, done: Callable[[PerceptionTask], None], units: int) -> Row:
        return compare(
            work, "torch's dropout", lambda: done(ours), lambda: done(theirs), units=units, unit="tokens", device=device
        )

    return [
        row(f"a critic's step of {SIZE} pairs, gradient penalty on 4", step, tokens * SIZE // PAIRS),
        row(f"a critic's pass over {PAIRS} pairs with dropout", judge, tokens),
    ]


def run() -> list[Row]:
    """On each device there is."""
    by_system = pairs()
    return [row for device in devices() for row in against_torchs(by_system, device)]
