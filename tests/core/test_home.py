"""Where Fabula keeps what it makes."""

from pathlib import Path

import pytest

from core.home import ROOT, home


def test_home_is_what_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_HOME", str(tmp_path / "a" / ".." / "b"))
    assert home() == (tmp_path / "b").resolve()


def test_home_may_begin_with_a_tilde(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("FABULA_HOME", "~/stories")
    assert home() == (tmp_path / "stories").resolve()


@pytest.mark.parametrize("value", [None, ""])
def test_home_is_beside_the_program_otherwise(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FABULA_HOME", raising=False)
    if value is not None:
        monkeypatch.setenv("FABULA_HOME", value)
    assert home() == ROOT / ".fabula"
    assert (ROOT / "core" / "home.py").is_file()
