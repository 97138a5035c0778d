"""A human check from the terminal: cases become a study, and how people rate them says how valid they are."""

import json
from pathlib import Path

import pytest

from core.annotation.panel import Panel
from core.formats.perturbed import write_cases
from core.people import TERMINAL, Person, Role
from core.perturb.test_sets.human_check import BAD_ENGLISH
from db.annotation import assignments, panel_submission
from db.people import people
from db.ratings import ratings
from db.studies import studies
from tests.cli_perturb import printed
from tests.core.perturb.test_sets.human_check import CASES, TEXT
from tests.terminal import bad


def annotator(study_id: int) -> Person:
    person = people.by_token(people.invite(TERMINAL, Role.ANNOTATOR, study_id=study_id))
    assert person is not None
    return person


def test_from_cases_to_validity(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = tmp_path / "tests.jsonl"
    write_cases(CASES, tests)
    words = ("perturb", "check", "--tests", str(tests), "--study", "Check", "--cases", "16")
    assert "16 cases are the stories of the study 'Check'" in " ".join(printed(capsys, *words).split())
    study = studies.find("Check")
    assert (study.scheme.question, study.rules.ratings_wanted) == ("Does this story make sense?", 3)
    assert "There is a study named 'Check' already" in bad(*words, home=home)
    assert "has no ratings of a test set's cases" in bad("perturb", "validity", "--study", "Check", home=home)
    studies.open_study(TERMINAL, study.id)
    person = annotator(study.id)
    for number in range(16):
        panel = assignments.turn(person, claim=True).panel
        assert isinstance(panel, Panel)
        coherent = panel.stories[0].text == TEXT
        ratings.save_value(person, panel.token, int(coherent))
        if number == 0:
            ratings.save_deduction(person, panel.token, BAD_ENGLISH, 0)
        panel_submission.submit(person, panel.token)
    result = json.loads(printed(capsys, "perturb", "validity", "--study", "Check", "--json", "-"))
    assert [row["aspect"] for row in result["rows"]][-1] == "all"
    every = result["rows"][-1]
    assert (result["n"], every["changed"]["value"], every["coherent"]["value"]) == (16, 1.0, 1.0)
    assert every["valid"]["value"] == every["grammatical"]["value"] >= 7 / 8
    assert every["valid"]["low"] < 1
    assert "all" in printed(capsys, "perturb", "validity", "--study", "Check")
