"""Train a DisScore: from an order to what its row says."""

from typing import Any

from core.checkpoints.overlap import judged_among
from core.people import TERMINAL
from core.stories import whole_story
from core.training.disscore.order import DiscriminatorOrder
from db.training import corpora, overlap
from work import training
from work.watch import Progress


def train(order: DiscriminatorOrder, progress: Progress) -> dict[str, Any]:
    """Raises Cancelled when somebody stops it, and FabulaError where it cannot be done."""
    progress.say(lambda: "Looking at the stories", now=True)
    studies = training.study_ids(order)
    stories = {name: corpora.records_of_study(TERMINAL, number) for name, number in studies.items()}
    whole = [whole_story(one.prompt, one.text) for some in stories.values() for one in some]
    rated = judged_among(whole, overlap.judged(TERMINAL))
    source = training.base_of(order, progress)
    plan = order.plan(order.layers_of(source))

    from core.training.disscore.train import train_discriminator  # torch, likewise

    return training.kept(
        order,
        progress,
        lambda telling: train_discriminator(
            order.name,
            stories,
            plan,
            source,
            order.folder,
            telling.tell,
            order.device,
            rated,
            stepped=telling.stepped,
        ),
        order.works(sum(map(len, whole))),
    )
