"""What trained metrics share: their runs, where their checkpoints learnt, and what is said where there is none."""

from dataclasses import replace

import pytest

from core.checkpoints.card import DataSet
from core.checkpoints.store import SHIPPED as SHIPPED_FILES
from core.checkpoints.store import shipped, shipped_checkpoint
from core.errors import ModelMissing
from core.metrics import METRICS, build
from core.metrics.base import Settings
from core.metrics.trained.base import TrainedMetric, trained_on, trained_runs

SHIPPED = [shipped_checkpoint(name).card for name in shipped()]


def test_every_shipped_checkpoint_is_of_one_metric() -> None:
    runs = trained_runs(METRICS.values(), SHIPPED)
    assert sorted(run["options"][run["metrics"][0]]["checkpoint"] for run in runs) == sorted(shipped())
    for run in runs:
        (name,) = run["metrics"]
        assert build(name, Settings(options=run["options"][name])).signature.startswith(f"{name}|model:")


def test_what_comes_along_is_small() -> None:
    """All that was trained for Fabula, the bundled models apart."""
    paths = [*SHIPPED_FILES.rglob("*.safetensors"), *SHIPPED_FILES.parent.glob("acceptability/*.safetensors")]
    assert len(paths) > len(SHIPPED)
    assert sum(file.stat().st_size for file in paths) < 20e6


def test_a_checkpoint_on_a_folder_is_left_out() -> None:
    moved = [replace(card, base="/models/mine@sha256:0123456789ab") for card in SHIPPED]
    assert trained_runs(METRICS.values(), moved) == []


def test_a_signature_tells_what_was_learnt_from() -> None:
    card = next(card for card in SHIPPED if card.name == "ruber-u-bert-wp")
    message = build("ruber-u-bert", Settings(options={"checkpoint": card.name})).signature
    assert trained_on(message, SHIPPED) == "wp"
    two = replace(card, data=(*card.data, DataSet("more", 1, "")))
    assert trained_on(message, [two]) == "wp, more"
    assert trained_on(message, []) == ""
    assert trained_on("bleu|first_words:all|v:1", SHIPPED) == ""
    assert trained_on("file:0123456789ab", SHIPPED) == ""


@pytest.mark.parametrize(
    "metric", [item for item in METRICS.values() if issubclass(item, TrainedMetric)], ids=lambda metric: metric.name
)
def test_every_trained_metric_scores_offline_or_says_what_to_train(metric: type[TrainedMetric]) -> None:
    trained_metric = metric()
    if trained_metric.chosen["checkpoint"]:
        assert metric.fits(trained_metric.checkpoint.card)
    else:
        with pytest.raises(ModelMissing, match=f"{metric.name} needs {metric.called} that was trained: .*`train "):
            trained_metric.signature  # noqa: B018
