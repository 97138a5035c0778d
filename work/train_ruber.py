"""Train a RUBER: from an order to what its row says."""

from typing import Any

from core.models.shape import check_layers, usual_layers
from core.training.ruber.order import RuberOrder
from work import training
from work.training import one_run
from work.watch import Progress


def train(order: RuberOrder, progress: Progress) -> dict[str, Any]:
    """Raises Cancelled when somebody stops it, and FabulaError where it cannot be done."""
    stories, overlap = training.human_stories(order, progress)
    source = training.base_of(order, progress)
    plan = order.plan(usual_layers(source)[1])
    if plan.layers:
        check_layers(source, plan.layers)

    from core.training.ruber.train import train_ruber  # torch, which a worker without such work never needs

    return training.kept(
        order,
        progress,
        lambda telling: one_run(
            train_ruber(
                order.name,
                stories,
                plan,
                source,
                order.folder,
                telling.tell,
                order.device,
                overlap,
                stepped=telling.stepped,
            )
        ),
        order.works(training.characters(stories)),
    )
