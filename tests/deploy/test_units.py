"""The systemd units say nothing that systemd does not understand, and start what is there."""

import shutil
import subprocess
from pathlib import Path

import pytest

from core.home import ROOT

UNITS = ("fabula@.service", "fabula-backup.service", "fabula-backup.timer")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for name in UNITS:
        text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        # Programs and users that only an installed Fabula has.
        text = text.replace("/opt/fabula/.venv/bin/streamlit", "/bin/true").replace("=fabula\n", "=root\n")
        (tmp_path / name.replace("@", "@8501")).write_text(text, encoding="utf-8")
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name.replace("@", "@8501")) for name in UNITS)],
        capture_output=True,
        text=True,
    )
    ours = [line for line in verified.stderr.splitlines() if "fabula" in line]
    assert ours == []


def test_the_units_start_programs_that_the_repository_has() -> None:
    text = (ROOT / "deploy" / "fabula@.service").read_text(encoding="utf-8")
    assert "ExecStart=/opt/fabula/.venv/bin/streamlit run app.py --server.port %i" in text
    assert (ROOT / "app.py").is_file()
    assert "\nOOMPolicy=continue\n" in text, "else systemd stops the server when the kernel ends its worker"
    assert "EnvironmentFile=/etc/fabula.env" in text
    assert (ROOT / "deploy" / "fabula.env").is_file()
