"""The registry: every metric that a user can name."""

import pytest

from core.annotation.builtin import MANS, PREFERENCES
from core.errors import InputError
from core.judges.study import JudgedStudy
from core.judges.template import Way
from core.metrics import METRICS, build
from core.metrics.base import Kind, Metric, Need, Settings
from core.metrics.bleu import Bleu


def test_build_makes_the_metric_with_its_settings() -> None:
    metric = build("bleu", Settings(options={"references": "mean"}))
    assert isinstance(metric, Bleu)
    assert metric.chosen["references"] == "mean"
    assert build("bleu").settings == Settings()


def test_build_names_the_metrics_there_are() -> None:
    with pytest.raises(InputError, match="There is no metric 'blue'; there are ") as caught:
        build("blue")
    assert all(name in str(caught.value) for name in METRICS)
    assert {"bleu", "perplexity", "perplexity-exp"} <= set(METRICS)


@pytest.mark.parametrize(("name", "metric"), METRICS.items())
def test_a_registered_metric_describes_itself(name: str, metric: type[Metric]) -> None:
    assert metric.name == name
    assert name == name.lower().strip()
    assert not set(name) & set("|: ")  # they part a signature
    assert metric.kind in Kind
    assert metric.needs <= set(Need)
    assert (Need.REFERENCE in metric.needs) == (metric.kind is not Kind.UNREFERENCED)
    assert metric.version >= 1
    for text in (metric.card.measures, metric.card.paper, metric.card.blind_spots):
        assert len(text.split()) >= 3
        assert "`" not in text  # pages and reports show it as it is, not as Markdown


@pytest.mark.parametrize("metric", METRICS.values())
def test_a_registered_metric_describes_its_options(metric: type[Metric]) -> None:
    for key, option in metric.options.items():
        assert key
        assert option.description.strip()
        assert len(option.values) == len(set(option.values)) >= 1
        assert len(option.values) >= 2 or option.pattern  # else there would be nothing to choose
        assert bool(option.pattern) == bool(option.further)
        for value in option.values:
            judged = JudgedStudy(PREFERENCES if value == Way.PAIRS else MANS)
            assert build(metric.name, Settings(options={key: value}, judged=judged)).chosen[key] == value


def test_no_two_metrics_share_a_card() -> None:
    assert len({metric.card.measures for metric in METRICS.values()}) == len(METRICS)
