"""What the bench of waits looks at, and how it says what it saw."""

from benchmarks.pages.felt import PAGES, Felt
from core.home import ROOT

NOT_OF_A_STUDY = {"__init__", "annotate", "guide", "import_data", "people", "preview", "table"}
"""An annotator's form has a bench of its own; these others offer no choice that shows something else."""


def test_every_page_of_a_study_is_visited() -> None:
    there = {page.stem for page in (ROOT / "pages").glob("*.py")} - NOT_OF_A_STUDY
    assert set(PAGES) == there
    assert len(set(PAGES)) == len(PAGES)


def test_a_row_names_the_slowest_choice_and_what_ran_again() -> None:
    felt = Felt("drift", 1200.0, {"Quality": 100.0, "System: Seed": 300.0}, ["Quality"], 2)
    assert str(felt) == "| drift | 1.20 s | 2 | 0.20 s | System: Seed, 0.30 s | Quality, 2 at rest |"
    assert str(Felt("export", 800.0)) == "| export | 0.80 s | 0 |  |  |  |"
