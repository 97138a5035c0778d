"""Fine-tune a language model: from an order to what its row says."""

from typing import Any

from core.training.language_model.order import LanguageOrder
from work import training
from work.training import one_run
from work.watch import Progress


def train(order: LanguageOrder, progress: Progress) -> dict[str, Any]:
    """Raises Cancelled when somebody stops it, and FabulaError where it cannot be done."""
    stories, overlap = training.human_stories(order, progress)
    plan = order.plan()
    source = training.base_of(order, progress)

    from core.training.language_model.train import train_language_model  # torch, likewise

    return training.kept(
        order,
        progress,
        lambda telling: one_run(
            train_language_model(
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
