"""`correlate` and the parts of the stories it can be split into."""

from pathlib import Path

import pytest

from core.people import TERMINAL
from core.stories import ScoreRecord
from db import handing, scores
from db.engine import engine
from db.migrate import migrate
from tests.db.conftest import make_annotator, make_study
from tests.db.test_assignments import begin, rate
from tests.terminal import as_json, good


@pytest.fixture
def scored(home: Path) -> Path:
    """The home of a study of two prompts with five systems each, one panel rated, and a metric."""
    migrate()
    made = make_study("s")
    who = make_annotator(made)
    panel = begin(who)
    rate(who, panel)
    handing.submit(who, panel.token)
    values = {key: float(number) for number, key in enumerate(scores.story_keys(made.id))}
    scores.import_scores(TERMINAL, made.id, ScoreRecord("m", "file:1", values))
    engine().dispose()
    return home


def test_rows_of_parts(scored: Path) -> None:
    whole = as_json("correlate", "--study", "s", home=scored)
    assert [row["subset"] for row in whole["rows"]] == [None]
    assert set(whole["rows"][0]["pairwise"]) == {"accuracy", "pairs", "tied_metric", "tied_human", "tied_both"}
    assert "definition" not in whole
    systems = as_json("correlate", "--study", "s", "--by", "system", home=scored)["rows"]
    assert systems[0] == whole["rows"][0]
    assert len(systems) == 6
    assert all(row["subset"].startswith("system:") and row["undefined"] for row in systems[1:])
    within = as_json("correlate", "--study", "s", "--by", "prompt", home=scored)["rows"][1]
    assert (within["subset"], within["prompts"]["of"]) == ("prompt", 1)
    types = as_json("correlate", "--study", "s", "--by", "error", "--definition", "union", home=scored)
    assert types["definition"] == "union"
    assert {row["subset"].split(":")[0] for row in types["rows"][1:]} == {"error"}


def test_what_is_undefined_is_said_once(scored: Path) -> None:
    out = " ".join(good("correlate", "--study", "s", "--by", "error", home=scored).split())
    assert "OpenMEVA (2021), section 4.2" in out
    assert out.count("there is no") == len({line for line in out.split("error:") if "there is no" in line})
