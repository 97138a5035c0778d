"""What several tests of cli perturb share."""

import sys
from unittest import mock

import pytest

import cli


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints. In this process, which has WordNet loaded after the first."""
    capsys.readouterr()
    with mock.patch.object(sys, "argv", ["cli.py", *words]):
        cli.main()
    return capsys.readouterr().out
