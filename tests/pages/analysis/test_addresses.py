"""Every choice that changes what an analysis shows is in the address: a link and a reload bring it back, and another
study drops what it does not have.
"""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation.studies import Study
from core.people import TERMINAL
from core.scores import RatingChoice
from db.stories import selections
from pages.ui.judges import confusion
from pages.ui.shared.analysis import pressed_part
from pages.ui.shared.analysis.set_choices import set_choices
from pages.ui.shared.stories import story_drawer
from pages.ui.shared.study_choice import OF_A_STUDY
from tests.db.judged import judged_study
from tests.pages.conftest import ROOT, Open
from tests.pages.pages import opened, words
from tests.rated import rated_study


def rated() -> Study:
    study = rated_study(prompts=20, metrics=("all", "half"))
    selections.save_keys(TERMINAL, study.id, "kept", [f"{p}-{s}" for p in range(20) for s in range(2)])
    return study


def turing() -> Study:
    return rated_study(scheme="turing")


SAMPLE = {"systems": "middle", "seed": "7", "draws": "200", "shortest": "2", "longest": "9"}
SAMPLED = {"systems": ["middle"], "seed": 7, "draws": 200, "shortest": 2, "longest": 9}
CASES: list[tuple[Callable[[], Study], str, dict[str, str], dict[str, object]]] = [
    (rated, "correlation", {"tab": "Scatter", "metric": "half", **SAMPLE}, {"metric": "half", **SAMPLED}),
    (rated, "correlation", {"coefficient": "Spearman's ρ", "selection": "kept"},
     {"coefficient": "spearman", "selection": "kept"}),
    (rated, "correlation", {"tab": "Significance", "tested": "Kendall's τ-b", "permutations": "1,000"},
     {"tested": "kendall", "permutations": 1000}),
    (rated, "drift", {"drift": "System", "metrics": "half"}, {"metrics": ["half"]}),
    (rated, "drift", {"drift": "Dataset", "with": "other"}, {"with": ["other"]}),
    (rated, "drift", {"rated": "2,3", "ratings": "With rejected panels"}, {"ratings": RatingChoice.ALL}),
    (rated, "difference", {"metric": "half", "convention": "paper", "seed": "3", "pair": "9,2"},
     {"metric": "half", "convention": "paper", "seed": 3}),
    (rated, "systems", {"metric": "half", "selection": "kept", "first": "middle"},
     {"metric": "half", "selection": "kept", "first": "middle"}),
    (turing, "systems", {"judgment": "M1"}, {}),
    (rated, "report", {"metric": "half", **SAMPLE}, {"metric": "half", **SAMPLED}),
    (rated, "stories", {"system": "low", "text": "story 3", "order": "all", "greatest": "false", "scores": "half"},
     {"system": ["low"], "text": "story 3", "order": "all", "greatest": False, "scores": ["half"]}),
    (rated, "score", {"score-tab": "One or two metrics", "first-metric": "half"}, {"first-metric": "half"}),
    (rated, "score", {"score-tab": "Between metrics", "between": "Kendall's τ-b"}, {"between": "kendall"}),
    (rated, "judgments", {"seed": "5"}, {"seed": 5}),
    (judged_study, "judges", {"target": "empathy", "over": "Systems", "systems": "partial", "seed": "7"},
     {"target": "empathy", "over": "system", "systems": ["partial"], "seed": 7}),
    (judged_study, "judges", {"tab": "May it replace a person?", "alternative_judge": "guess"},
     {"alternative_judge": "guess"}),
    (judged_study, "judges", {"tab": "Confusion", "cell": "2,3"}, {}),
    (judged_study, "correlation", {"tab": "By criterion", "level": "Systems"}, {"level": "system"}),
]  # fmt: skip


def shown(page: AppTest) -> list[object]:
    """All numbers and words of the page's tables."""
    return [frame.value.to_csv() for frame in page.dataframe]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("study_of", "name", "address", "chosen"),
    CASES,
    ids=[f"{name}-{number}" for number, (_, name, *_) in enumerate(CASES)],
)
def test_a_link_brings_a_choice_back_and_another_study_drops_what_it_lacks(
    open_page: Open,
    served: None,
    owner: str,
    study_of: Callable[[], Study],
    name: str,
    address: dict[str, str],
    chosen: dict[str, object],
) -> None:
    other = rated_study(prompts=20, systems=("only",), metrics=("another",), name="other")
    study = study_of()
    page = opened(open_page, owner, name, {"study": str(study.id), **address})
    assert {key: page.session_state[key] for key in chosen} == chosen
    assert set(address) <= set(page.query_params)  # nothing fell out of it
    again = opened(open_page, owner, name, dict(page.query_params))
    assert {key: again.session_state[key] for key in chosen} == chosen
    assert shown(again) == shown(page)
    page.selectbox(key="study_box").set_value(other.id).run()
    assert not page.exception
    boxes = [box for box in page.selectbox if not str(box.key).startswith("option-")]  # perplexity's are half and whole
    left = {value for box in page.multiselect for value in box.value} | {box.value for box in boxes}
    assert not left & {"low", "middle", "partial", "half", "kept", "guess", "empathy"}
    assert page.query_params.get("metric", "another") in ("another", ["another"])
    assert not {"rated", "cell", "pair", "story"} & set(page.query_params)


def test_conditions_that_no_story_meets_are_said(open_page: Open, served: None, owner: str) -> None:
    rated_study()
    page = opened(open_page, owner, "difference", {"shortest": "5000"})
    assert "None of the 60 stories meets these conditions" in words(page)


def test_choices_made_in_place_of_a_person_stand_in_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    address: dict[str, object] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    monkeypatch.setattr("streamlit.query_params", address)
    set_choices(systems=["a", "b"], seed=7)
    assert state == {"systems": ["a", "b"], "seed": 7}
    assert address == {"systems": ["a", "b"], "seed": "7"}


def test_what_a_study_alone_has_is_known_by_its_names() -> None:
    parts = {pressed_part.LEVEL, pressed_part.PAIR, pressed_part.BAR}
    assert set(OF_A_STUDY) == {story_drawer.ADDRESS, confusion.CELL, *parts}


CHOICES = {"selectbox", "multiselect", "segmented_control", "pills", "radio", "toggle", "checkbox", "number_input",
           "slider", "select_slider", "text_input", "tabs"}  # fmt: skip
FOLDERS = ("correlation", "drift", "difference", "systems", "judges", "judgments", "preferences", "naturalness",
           "capability", "report", "published", "stories", "shared/analysis")  # fmt: skip
FORMS = ("critics_form.py", "bias_run.py", "run_form.py")
"""What begins work, and changes nothing that is shown."""
OTHERWISE = {
    ("metric_choice.py", "Metric"): "written by choose_metric, as it goes from page to page",
    ("target_choice.py", "Judgment"): "written by choose_target",
    ("perception.py", "This training is to be deleted"): "a confirmation",
    ("wording.py", "Wording to run, or to begin from"): "begins a run",
    ("wording.py", "Model and options"): "begins a run",
}


def test_every_choice_of_an_analysis_is_kept_in_the_address() -> None:
    lacking = []
    for path in (path for folder in FOLDERS for path in sorted((ROOT / "pages" / "ui" / folder).glob("*.py"))):
        lacking += [] if path.name in FORMS else _unbound(path)
    assert set(lacking) == set(OTHERWISE)


def _unbound(path: Path) -> list[tuple[str, str]]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHOICES):
            continue
        if "bind" not in {word.arg for word in node.keywords}:
            label = node.args[0] if node.args else None
            found.append((path.name, str(label.value) if isinstance(label, ast.Constant) else ast.unparse(node)))
    return found
