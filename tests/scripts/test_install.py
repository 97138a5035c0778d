"""How far an installation is, and what is said where pip cannot do it. Nothing is installed here."""

from pathlib import Path

import pytest

from core.home import ROOT
from scripts.bill_of_materials import pinned as names
from scripts.install import install, installed, pinned


def test_it_knows_how_many_packages_a_list_names() -> None:
    own = len(names(ROOT / "requirements.txt"))
    assert pinned(ROOT / "requirements.txt") == own
    assert pinned(ROOT / "deploy" / "hashed" / "requirements.txt") == len(
        names(ROOT / "deploy/hashed/requirements.txt")
    )
    development = pinned(ROOT / "requirements-dev.txt")
    assert development > own + pinned(ROOT / "requirements-ray.txt")
    assert installed() >= own


@pytest.mark.slow
def test_what_is_there_is_counted_and_what_fails_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    there, missing = tmp_path / "there.txt", tmp_path / "missing.txt"
    there.write_text(f"numpy=={names(ROOT / 'requirements.txt')['numpy']}\n")
    missing.write_text("no-such-package-anywhere==1\n")
    assert install("packages", ["--no-index", "-r", str(there)]) == 0
    assert "  packages: 1 packages, " in capfd.readouterr().out
    assert install("packages", ["--no-index", "-r", str(missing)]) != 0
    told = capfd.readouterr()
    assert "pip could not do it" in told.out
    assert "no-such-package-anywhere==1" in told.err
