"""Docs that are tested: what they name is there, and what is there is named."""

import re
from pathlib import Path

import pytest

from core.metrics import METRICS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_and_pictures_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_functions_that_the_architecture_names_are_there() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)`\s+in\s+\[`[^`]+`\]\(([^)]+)\)", text)
    assert len(named) >= 40
    for name, file in named:
        code = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"^\s*(def|class) {name}\b|^{name}\b.*=", code, re.MULTILINE), f"{name} is not in {file}"


def test_every_how_to_is_linked() -> None:
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "index.md"):
        text = page.read_text(encoding="utf-8")
        for howto in (ROOT / "docs" / "howto").glob("*.md"):
            assert f"howto/{howto.name})" in text, f"{page.name} does not link to {howto.name}"


def test_every_metric_and_option_is_documented() -> None:
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    for name, metric in METRICS.items():
        assert f"| `{name}` |" in text, name
        for key, option in metric.options.items():
            assert f"`{name}.{key}`" in text or f"`*.{key}`" in text, f"{name}.{key}"
            for value in option.values:
                assert f"`{value}`" in text, value


def test_every_command_is_documented() -> None:
    import typer

    import cli

    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for word in [f"{name} {sub}" for sub in inner] if inner else [name]:
            assert f"`{word}" in text, word


def test_every_make_target_in_the_readme_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"^make ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE))
    assert named
    assert named <= targets


def test_every_row_of_the_papers_tables_has_a_metric() -> None:
    from core.metrics import METRICS
    from core.published import openmeva, perception, union

    text = (
        (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8").split("## The papers' tables")[1].split("\n## ")[0]
    )
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    found = {row.strip(): metric.strip("`") for rows, metric, _ in lines[1:] for row in rows.split(",")}
    table_11 = next(table for table in openmeva.TABLES if "Table 11" in table.name)
    wanted = {*table_11.rows, *union.CORRELATIONS.rows, *perception.CORRELATIONS.rows}
    assert found.keys() == wanted
    assert {metric for metric in found.values() if metric not in METRICS} == {"train perception"}
