"""Train a UNION: from an order to what its row says."""

from typing import Any

from core.english.knowledge import knowledge_named
from core.models.shape import check_layers
from core.training.union.estimate import check_sizes, size_of, works
from core.training.union.order import UnionOrder
from work import training
from work.training import one_run
from work.watch import Progress


def train(order: UnionOrder, progress: Progress) -> dict[str, Any]:
    """Raises Cancelled when somebody stops it, and FabulaError where it cannot be done."""
    stories, overlap = training.human_stories(order, progress)
    sizes = {name: size_of(texts, order.words) for name, texts in stories.items()}
    check_sizes(sizes)
    source = training.base_of(order, progress)
    plan = order.plan(order.layers_of(source))
    check_layers(source, plan.layers)

    from core.training.union.train import train_union  # torch, which a worker without such work never needs

    characters, pairs = (
        sum(some) for some in zip(*((one.characters, one.pairs) for one in sizes.values()), strict=True)
    )
    return training.kept(
        order,
        progress,
        lambda telling: one_run(
            train_union(
                order.name,
                stories,
                plan,
                source,
                knowledge_named(order.knowledge),
                order.folder,
                telling.tell,
                order.device,
                overlap,
                stepped=telling.stepped,
            )
        ),
        works(order, characters, pairs, max(plan.layers)),
    )
