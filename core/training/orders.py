"""The kinds of metrics that can be trained by a job, by the name that is kept with it."""

from collections.abc import Mapping
from typing import Any

from core.training.bleurt.order import BleurtOrder
from core.training.disscore.order import DiscriminatorOrder
from core.training.engine.order import Order
from core.training.language_model.order import LanguageOrder
from core.training.ruber.order import RuberOrder
from core.training.union.order import UnionOrder

ORDERS: dict[str, type[Order]] = {
    order.kind: order for order in (UnionOrder, RuberOrder, LanguageOrder, DiscriminatorOrder, BleurtOrder)
}
Plain = RuberOrder | LanguageOrder | DiscriminatorOrder | BleurtOrder
"""Those whose costs follow from the length of the texts alone."""


def order_from(settings: Mapping[str, Any]) -> Order:
    """The order of a job's settings. Raises InputError for a name that is none."""
    given = dict(settings)
    return ORDERS[given.pop("kind")].from_settings(given)
