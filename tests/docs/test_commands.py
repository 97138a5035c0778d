"""Every command that the guide shows can be typed: it is there, and so are its options and the files it names."""

from pathlib import Path

import pytest

from tests.docs.commands import ROOT, complaint, named, shown

HOW_TOS = ROOT / "docs" / "howto"
"""Pages whose commands other tests run."""
PAGES = sorted({*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"} - {*HOW_TOS.iterdir()})


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_commands_of_a_page_are_as_they_are_now(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    said = [(words, complaint(words)) for words in shown(text)]
    said += [(words, complaint(words, whole=False)) for words in named(text)]
    assert [f"{' '.join(words)}: {wrong}" for words, wrong in said if wrong] == []


def test_commands_are_found() -> None:
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    assert sum(1 for text in texts for _ in shown(text)) > 150
    assert sum(1 for text in texts for _ in named(text)) > 50


@pytest.mark.parametrize(
    ("command", "wrong"),
    [
        ("python cli.py correlate --study NAME", "call it as .venv/bin/python cli.py"),
        ("python cli.py corelate --study NAME", "no command corelate --study"),
        ("python cli.py correlate --study NAME --system", "correlate has no --system"),
        ("python cli.py correlate --study", "correlate: --study wants a value"),
        ("python cli.py correlate --study NAME --by weather", "correlate: --by takes no weather"),
        ("python cli.py correlate --study NAME --seed many", "correlate: --seed takes a number, not many"),
        ("python cli.py score --study NAME --metric blue", "score: --metric knows no metric blue"),
        ("python cli.py import stories --study NAME", "import lacks paths"),
        ("python cli.py correlate", "correlate lacks study"),
        ("python cli.py correlate NAME --study NAME", "correlate takes 0 arguments"),
        ("python cli.py import stories data/tales.csv --study NAME", "no file data/tales.csv"),
        ("cp /opt/fabula/deploy/Nofile /etc", "no file /opt/fabula/deploy/Nofile"),
        ("python -m benchmarks.pages.smelt", "no module benchmarks.pages.smelt"),
        ("python -m benchmarks.pages.felt --poems 3", "felt.py has no --poems"),
        ("python docs/make_music.py", "no file docs/make_music.py"),
        ("make lunch", "no target lunch"),
        ("make bench ONLY=lunch", "no bench lunch"),
        ("make run DOOR=8502", "the Makefile reads no DOOR"),
    ],
)
def test_a_command_that_cannot_be_typed_is_found(command: str, wrong: str) -> None:
    (words,) = shown(f"```sh\n{command}   # a comment\n```\n")
    assert complaint(words) == wrong


def test_running_text_may_name_a_command_without_all_that_it_needs() -> None:
    text = "`cli.py export` and `score --in`, `make run PORT=8502`; `score --into FILE`, `make\nlunch` and `--lunch`."
    said = [complaint(words, whole=False) for words in named(text)]
    assert said == ["", "", "", "score has no --into", "no target lunch"]
