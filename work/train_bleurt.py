"""Learn a study's ratings: from an order to what its row says."""

from typing import Any

from core.errors import InputError
from core.people import TERMINAL
from core.training.bleurt.order import BleurtOrder
from db.training import rated_stories
from work import training
from work.watch import Progress


def train(order: BleurtOrder, progress: Progress) -> dict[str, Any]:
    """Raises Cancelled when somebody stops it, and FabulaError where it cannot be done."""
    progress.say(lambda: "Looking at the ratings", now=True)
    studies = training.study_ids(order)
    if len(studies) != 1:
        raise InputError("A regression learns the ratings of one study: choose one.")
    ((name, number),) = studies.items()
    stories = rated_stories.judged_texts(TERMINAL, number)
    source = training.base_of(order, progress)
    plan = order.plan(order.layers_of(source))

    from core.training.bleurt.train import train_bleurt  # torch, likewise

    texts = {text for one in stories for text in (one.text, *one.references)}
    return training.kept(
        order,
        progress,
        lambda telling: train_bleurt(
            order.name,
            name,
            stories,
            plan,
            source,
            order.folder,
            telling.tell,
            order.device,
            stepped=telling.stepped,
        ),
        order.works(sum(map(len, texts))),
    )
