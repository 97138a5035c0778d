"""What a bundle is made from, and for whom."""

import pytest

from core.errors import InputError, NotAllowed
from core.people import TERMINAL
from core.report.files.bundle import BundleChoice
from db.findings import bundles
from db.jobs import jobs
from db.scores import tables
from db.studies import studies
from tests.db.conftest import make_annotator, make_study
from tests.db.pairs import compared_study
from tests.rated import rated_study

FEW = BundleChoice(resamples=50)


def test_it_holds_the_study_s_scores_ratings_and_openings(database: str) -> None:
    study = rated_study(6)
    bundle = bundles.bundle(TERMINAL, study.id, BundleChoice(texts=True, resamples=50))
    table = tables.table(study.id)
    assert bundle.source.table.human.tolist() == table.human.tolist()
    assert bundle.judgments.mean == pytest.approx(table.human.mean())
    assert bundle.source.openings == {str(number): f"Opening {number}." for number in range(6)}
    assert bundles.bundle(TERMINAL, study.id, FEW).source.openings == {}


def test_of_some_metrics_alone(database: str) -> None:
    study = rated_study(6, metrics=("all", "coarse"))
    bundle = bundles.bundle(TERMINAL, study.id, FEW, metrics=["coarse"])
    assert [column.metric for column in bundle.source.table.columns] == ["coarse"]
    with pytest.raises(InputError, match="none"):
        bundles.bundle(TERMINAL, study.id, FEW, metrics=["none"])


def test_what_is_being_scored_does_not_come_first_in_its_finding(database: str) -> None:
    study = rated_study(6, metrics=("half", "all"))
    jobs.add(TERMINAL, "score", study.id, {"metrics": ["half"]})
    (report, _) = bundles.bundle(TERMINAL, study.id, FEW).reports
    assert "half is in no test" in report.report.untested


def test_annotators_get_none_and_an_empty_study_has_none(database: str) -> None:
    study = make_study()
    with pytest.raises(NotAllowed):
        bundles.bundle(make_annotator(study), study.id, FEW)
    with pytest.raises(InputError, match="neither ratings nor scores"):
        bundles.bundle(TERMINAL, studies.find("small").id, FEW)


def test_of_pairs_its_reports_say_how_far_people_agree(database: str) -> None:
    bundle = bundles.bundle(TERMINAL, compared_study(prompts=3).id, FEW)
    assert set(bundle.source.pairs) == {column.signature for column in bundle.source.table.columns}
    for linked in bundle.reports:
        assert linked.report.pairs is bundle.source.pairs[linked.report.signature]
        assert any("Two raters of the same two stories choose alike" in said.text for said in linked.report.verdict)
    assert bundles.bundle(TERMINAL, rated_study(6).id, FEW).source.pairs == {}
