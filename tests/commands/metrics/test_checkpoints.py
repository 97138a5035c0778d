"""Trained metrics from a terminal: in, listed, out, gone."""

import zipfile
from pathlib import Path

from core.checkpoints.checkpoint import CARD, WEIGHTS
from tests.core.training.made_checkpoint import made_checkpoint
from tests.terminal import as_json, bad, good


def test_a_checkpoint_goes_in_and_out_and_away(home: Path, tmp_path: Path) -> None:
    made_checkpoint(tmp_path / "a")
    assert "small one is in" in good("checkpoints", "import", str(tmp_path / "a"), home=home)
    row, *shipped = as_json("checkpoints", "list", home=home)["rows"]
    assert {item["name"] for item in shipped} >= {"union", "union-no-recon"}
    assert all(item["shipped"] for item in shipped)
    assert (row["name"], row["kind"], row["base"], row["shipped"]) == (
        "small one",
        "union",
        "all-minilm-l6-v2@0.1.0",
        False,
    )
    assert row["figures"][0] == {"what": "accuracy, held out", "value": 0.8125, "n": 160, "low": 0.75, "high": 0.875}
    assert sorted(file.name for file in Path(row["folder"]).iterdir()) == [CARD, WEIGHTS]
    out = tmp_path / "out.zip"
    good("checkpoints", "export", "small one", "--out", str(out), home=home)
    assert "is here already, as 'small one'" in bad("checkpoints", "import", str(out), home=home)
    assert "is deleted" in good("checkpoints", "delete", "small one", "--yes", home=home)
    assert not Path(row["folder"]).exists()
    assert bad("checkpoints", "delete", "small one", "--yes", home=home).endswith("union-wp-no-recon.")
    good("checkpoints", "import", str(out), "--name", "again [bold]", home=home)
    assert "[bold]" in good("checkpoints", "list", home=home)
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("model.pkl", "x")
    assert "holds 'model.pkl'" in bad("checkpoints", "import", str(out), home=home)
    for nothing in (tmp_path / "none.zip", tmp_path / "none"):
        assert "There is no checkpoint" in bad("checkpoints", "import", str(nothing), home=home)
    assert "is no checkpoint: it has no weights" in bad("checkpoints", "import", str(tmp_path), home=home)
    assert "cannot be written" in bad(
        "checkpoints", "export", "again [bold]", "--out", str(tmp_path / "no" / "x.zip"), home=home
    )
