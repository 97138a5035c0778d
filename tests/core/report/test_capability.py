"""What a metric sees, in its report: sentences that claim what intervals settle, and nothing without a set."""

from collections.abc import Mapping
from importlib.util import find_spec

import numpy as np
import pytest

from core.analysis.capability.examples import Cases, Scored
from core.analysis.capability.results import Robustness, Seen
from core.analysis.capability.scoring import can_be_tested, offered
from core.analysis.verdict.capability import on_capability
from core.analysis.verdict.sentences import Basis
from core.report.capability import CapabilityInReport, capability_in_report
from core.report.files.html import report_html
from core.report.metric import metric_report
from core.report.sections.every import sections
from core.statistics.correlation import Coefficient
from core.statistics.intervals import Estimate
from tests.core.report.metric import SETTING, random_table

SOURCES = dict.fromkeys(("causal", "temporal", "character", "relatedness"), 30)


def row(aspect: str, low: float, high: float, changed: int = 40) -> Seen:
    return Seen(aspect, "m", "m|v:1", 40, changed, 0, ordered=Estimate((low + high) / 2, low, high))


def said(*rows: Seen, sources: Mapping[str, int] = SOURCES, robust: tuple[Robustness, ...] = ()) -> str:
    return " ".join(sentence.text for sentence in on_capability(rows, robust, sources))


def example(stories: int = 40) -> CapabilityInReport:
    """A metric that sees causal changes, nothing temporal, and minds typing errors."""
    rng = np.random.default_rng(2)
    aspects = np.repeat(["causal", "temporal", "typos"], 2 * stories)
    labels = np.tile(np.repeat([1, 0], stories), 3)
    sources = [f"s{number}" for number in np.tile(np.arange(stories), 6)]
    own = rng.normal(size=len(labels))
    before = np.where(labels == 1, own, rng.normal(size=len(labels)))
    own = np.where((labels == 0) & (aspects == "typos"), before - 0.5, own)
    own = np.where((labels == 0) & (aspects == "causal"), before - 3, own)
    cases = Cases(aspects.tolist(), labels, sources, ["human"] * len(labels), np.ones(len(labels), dtype=np.bool_))
    return capability_in_report(cases, Scored("m", "m|v:1", own, before), ["set <b>one</b>"], seed=1, resamples=100)


def test_each_sentence_claims_what_the_interval_settles() -> None:
    text = said(row("causal", 0.7, 0.9), row("temporal", 0.4, 0.6), row("character", 0.1, 0.3))
    assert "Of 3 aspects of coherence it sees 1, causal best: 0.80" in text
    assert "not shown to see temporal (0.50): the interval of the share in order holds .5" in text
    assert "prefers the changed story in character (0.20)" in text
    assert "sees 0." in said(row("temporal", 0.5, 0.6))  # an interval that ends at .5 does not leave it out


def test_few_cases_claim_nothing() -> None:
    few = said(row("causal", 0.9, 1.0, changed=29))
    assert few.startswith("Nothing is claimed of causal: fewer than 30 changed stories")
    assert said(row("causal", 0.9, 1.0), sources={"causal": 9}).startswith("Nothing is claimed of causal")
    assert said() == ""


def test_the_change_that_moves_it_most_is_named() -> None:
    moved = [
        Robustness(aspect, of, "m", "m|v:1", pairs, 0, Coefficient(r), Estimate(-2 * r))
        for aspect, of, r, pairs in (("typos", "all", 0.4, 90), ("synonyms", "all", -0.1, 90),
                                     ("contraction", "all", 0.9, 29), ("punctuation", "human", 0.9, 90))
    ]  # fmt: skip
    text = said(robust=tuple(moved))
    assert "typos (|r| = 0.40, mean change −0.80 SD) moves it most, and synonyms (|r| = 0.10" in text
    assert "contraction" not in text  # too few pairs
    assert "punctuation" not in text  # not of all originals
    assert text.count("typos") == 1


def test_the_report_has_a_section_and_sentences() -> None:
    result = example()
    report = metric_report(random_table(), "bleu", SETTING, sees=result)
    assert [sentence.text for sentence in report.verdict if sentence.about is Basis.CAPABILITY] == [
        sentence.text for sentence in result.verdict
    ]
    section = sections(report)[-1]
    assert (section.about, section.title) == (Basis.CAPABILITY, "What it sees")
    aspects, wordings = (table.rows for table in section.tables)
    assert [(line["Aspect"], line["Changed"], line["Sees it"]) for line in aspects] == [
        ("causal", 40, "yes"), ("temporal", 40, "not shown"),
    ]  # fmt: skip
    assert [line["Change"] for line in wordings] == ["typos"]
    assert section.figures[0].rows() == aspects
    text = report_html(report)
    assert '<h2 id="what-it-sees">What it sees</h2>' in text
    assert "set &lt;b&gt;one&lt;/b&gt;" in text
    assert 'href="#what-it-sees"' in text


def test_without_a_set_there_is_nothing() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    assert report.sees is None
    assert Basis.CAPABILITY not in {item.about for item in (*report.verdict, *sections(report))}
    assert "What it sees" not in report_html(report)


@pytest.mark.skipif(find_spec("torch") is None, reason="without PyTorch and the bundled models: make light")
def test_which_metrics_are_offered_and_why_not_the_others() -> None:
    ready, reasons = offered()
    named = [name for names in reasons.values() for name in names]
    assert "acceptability" in ready
    assert {"bleu", "ruber", "bleurt"} <= set(named)
    assert not set(ready) & set(named)
    assert any("own reference" in reason for reason in reasons)
    assert can_be_tested("perplexity", "perplexity|v:1")
    assert not can_be_tested("perplexity", "file:0123")
    assert not can_be_tested("bleu", "bleu|v:1")
    assert not can_be_tested("mine", "mine|v:1")
