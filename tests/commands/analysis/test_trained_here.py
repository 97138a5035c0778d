"""Commands and the folder of findings say which metric was trained on the study's own rated stories."""

from pathlib import Path

import pytest

from core.people import TERMINAL
from core.report.files.bundle import BundleChoice
from db.findings.bundles import bundle
from db.training import checkpoints
from tests.db.training.contaminated import contaminated_study
from tests.terminal import bad, good

CAUTION = "Trained on stories of this study: union[made] on 2 stories."


pytestmark = pytest.mark.usefixtures("database")


def test_correlate_compare_and_report(home: Path, tmp_path: Path) -> None:
    study = contaminated_study(tmp_path)
    few = ("--study", study.name, "--resamples", "50")
    assert CAUTION in good("correlate", *few, home=home)
    alone = bad("compare", "--study", study.name, home=home)
    assert "a comparison needs two. union[made] is in no test: it was trained on stories of this study." in alone
    said = good("report", *few, "--metric", "union[made]", "--out", str(tmp_path / "report.html"), home=home)
    assert "It was trained on 2 stories of this study" in said
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Its checkpoint was trained on 3 stories of stories | of ours." in text
    assert "trained on" not in good("report", *few, "--metric", "half", "--out", str(tmp_path / "half.html"), home=home)


def test_the_findings(home: Path, tmp_path: Path) -> None:
    study = contaminated_study(tmp_path)
    made = bundle(TERMINAL, study.id, BundleChoice(resamples=50))
    assert made.cautions == (
        f"{CAUTION} Their agreement with people here is no evidence of agreement on other stories.",
    )
    assert made.finding is not None
    assert made.finding.best == "half"
    assert made.finding.ahead == ("union[made]",)
    assert not made.finding.holds
    assert [linked.report.setting.seen for linked in made.reports] == [2, 0]
    (kept,) = (one for one in checkpoints.listed(TERMINAL) if not one.shipped)
    words = "Its checkpoint was trained on 3 stories of stories | of ours. Accuracy, held out (n = 160): 0.812."
    assert [linked.report.setting.training for linked in made.reports] == [words, ""]
    checkpoints.remove(TERMINAL, kept)
    gone = bundle(TERMINAL, study.id, BundleChoice(resamples=50))
    assert {linked.report.setting.training for linked in gone.reports} == {""}
