"""The server's secret: made once, kept from others, and what is derived from it."""

import stat
from pathlib import Path

import pytest

from core.errors import StorageError
from db.people.secret import crowd_hash, crowd_token, own_code, secret
from tests.db.crowd import at_once


def test_the_secret_is_made_once_and_readable_by_its_user_alone(home: Path) -> None:
    result = at_once(*[secret] * 8)
    assert len(set(result)) == 1
    assert len(result[0]) >= 32
    assert stat.S_IMODE((home / "secret-key").stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir() if path.name.startswith("secret")] == ["secret-key"]
    assert secret() == result[0]


def test_a_secret_of_the_operators_own(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_SECRET", "x" * 32)
    assert secret() == b"x" * 32
    assert not (home / "secret-key").exists()
    monkeypatch.setenv("FABULA_SECRET", "short")
    with pytest.raises(StorageError, match="FABULA_SECRET has fewer than 32"):
        secret()


def test_a_damaged_file_is_named(home: Path) -> None:
    (home / "secret-key").write_text("")
    with pytest.raises(StorageError, match="secret-key has fewer"):
        secret()


def test_what_is_derived_is_the_same_again_and_different_for_everybody(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = crowd_hash(1, "prolific", "5f" * 12)
    assert mine == crowd_hash(1, "prolific", "5f" * 12)
    assert len(mine) == 64
    assert len({mine, crowd_hash(2, "prolific", "5f" * 12), crowd_hash(1, "mturk", "5f" * 12)}) == 3
    assert "5f5f" not in mine + crowd_token(1, "prolific", "5f" * 12)
    codes = {own_code(study, person, end) for study in (1, 11) for person in (1, 11) for end in ("complete", "full")}
    assert len(codes) == 8
    assert all(len(code) == 10 and code.isalnum() and code.isupper() for code in codes)
    monkeypatch.setenv("FABULA_SECRET", "another secret, and a long enough one")
    assert crowd_hash(1, "prolific", "5f" * 12) != mine
