"""Docs that are tested: what they name is there, and what is there is named."""

import json
import re
import runpy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest

from core.metrics import METRICS
from tests.documented import undocumented

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

MOST_WORDS = 1_200
LONG = ("docs/command-line.md", "docs/howto/trained-metric.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_and_pictures_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_headings_that_links_name_are_there(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert heading in headings(page.parent / target if target else page), f"{target}#{heading}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_pages_are_read_at_a_sitting(page: Path) -> None:
    """But for measurements, what a script writes, and the longest how-to, whose steps a test takes from one page."""
    where = page.relative_to(ROOT).as_posix()
    if where.startswith("docs/") and not where.startswith("docs/results/") and where not in LONG:
        assert len(page.read_text(encoding="utf-8").split()) <= MOST_WORDS


def headings(page: Path) -> set[str]:
    """Addresses of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_picture_is_shown() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in (ROOT / "docs" / "images").glob("*.[ps][nv]g"):
        assert f"images/{picture.name})" in text, picture.name


PARTS = {"judge-wording", "union-published"}
"""Pages of methods that go on with another page's method."""
METHODS = sorted(page for page in (ROOT / "docs" / "methods").glob("*.md") if page.stem not in PARTS)


@pytest.mark.parametrize("page", METHODS, ids=lambda p: p.stem)
def test_a_method_has_what_the_index_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    said = {
        "formula": "\n## Formula\n",
        "papers": r"\n\*\*Papers?\*\*: ",
        "picture": r"\n!\[.+\]\(\.\./images/",
        "where to click, and the command": r"\n\*\*Where\*\*: .*(?:\n.+)*\n\n```sh\n\.venv/bin/python cli\.py ",
        "pitfalls": "\n## Pitfalls\n\n- ",
    }
    assert [what for what, wanted in said.items() if not re.search(wanted, text)] == (
        ["picture"] if page.stem == "perception" else []
    )


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
    assert undocumented() == []


def test_every_command_is_documented() -> None:
    import typer

    import cli

    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    for name, command in typer.main.get_command(cli.app).commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        for word in [f"{name} {sub}" for sub in inner] if inner else [name]:
            assert f"`{word}" in text, word


@pytest.fixture(scope="module")
def command_line() -> dict[str, Any]:
    """The script that writes the reference of commands."""
    return runpy.run_path(str(ROOT / "docs" / "make_command_line.py"))


def test_the_reference_of_commands_is_what_its_script_writes(command_line: dict[str, Any]) -> None:
    text = command_line["FILE"].read_text(encoding="utf-8")
    written = command_line["page"](text, command_line["commands"]())
    assert written == text, "run .venv/bin/python docs/make_command_line.py"


def test_the_reference_of_commands_keeps_what_is_written_by_hand(command_line: dict[str, Any]) -> None:
    import typer

    app = typer.Typer()

    @app.command()
    def old(seed: Annotated[int, typer.Option(help="A seed, of 1|2.", min=1)] = 0) -> None:
        """What it does."""

    @app.command()
    def new(file: Annotated[Path, typer.Argument(help="A file.")]) -> None:
        """Something *else*."""

    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    text = "# Reference\n\n## Subject\n\n### old\n\n<!-- generated: old -->\nstale\n<!-- end -->\n\nA note.\n"
    written = command_line["page"](text, commands)
    assert "stale" not in written
    assert "What it does.\n" in written
    assert r"| `--seed NUMBER` | A seed, of 1\|2. At least 1. | `0` |" in written
    assert written.index("A note.\n") < written.index("### new\n") < written.index(r"Something \*else\*.")
    assert "| `FILE` | A file. | required |" in written
    with pytest.raises(SystemExit, match="no command: new"):
        command_line["page"](written, {"old": commands["old"]})


def test_every_row_of_the_papers_tables_has_a_metric() -> None:
    from core.published import openmeva, perception, union

    text = (ROOT / "docs" / "metrics-alone.md").read_text("utf-8").split("## The papers' tables")[1].split("\n## ")[0]
    lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]
    result = {row.strip(): metric.strip("`") for rows, metric, _ in lines[1:] for row in rows.split(",")}
    table_11 = next(table for table in openmeva.TABLES if "Table 11" in table.name)
    wanted = {*table_11.rows, *union.CORRELATIONS.rows, *perception.CORRELATIONS.rows}
    assert result.keys() == wanted
    assert {metric for metric in result.values() if metric not in METRICS} == {"train perception"}


def test_the_version_is_the_same_wherever_it_stands() -> None:
    from db.version import APP_VERSION

    bill = json.loads((ROOT / "deploy" / "bill-of-materials.json").read_text("utf-8"))["metadata"]["component"]
    assert (bill["version"], bill["bom-ref"]) == (APP_VERSION, f"fabula@{APP_VERSION}")
    dated = re.search(r"^version: (.+)\ndate-released: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)
    assert dated is not None
    assert dated[1] == APP_VERSION
    released = re.search(r"^## .*$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released is not None
    assert released[0] == f"## {APP_VERSION} ({dated[2]})"


@pytest.fixture(scope="module")
def site() -> dict[str, Any]:
    """The script that lays the site's pages out."""
    return runpy.run_path(str(ROOT / "docs" / "make_site.py"))


def test_every_page_stands_once_in_the_sites_navigation(site: dict[str, Any]) -> None:
    def within(entry: Any) -> Iterator[str]:
        if isinstance(entry, str):
            yield entry
        for inner in entry.values() if isinstance(entry, dict) else entry if isinstance(entry, list) else ():
            yield from within(inner)

    navigation = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]["nav"]
    assert sorted(within(navigation)) == sorted({site["place"](page) for page in PAGES} - {""})


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_links_of_the_site_hold_where_its_pages_are_laid_out(page: Path, site: dict[str, Any]) -> None:
    if not (place := site["place"](page)):
        return
    laid_out = {ROOT / "site" / site["place"](other) for other in PAGES}
    text = re.sub(r"^ *```.*?^ *```$", "", site["laid_out"](page), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"(?<!!)\[[^\]]+\]\(([^)#\s]+)", text):
        there = (ROOT / "site" / place).parent.joinpath(target)
        ours = target.startswith("http") or Path(*there.parts).resolve() in laid_out
        assert ours or (ROOT / "docs").joinpath(there.resolve().relative_to(ROOT / "site")).is_file(), target


def test_a_link_to_code_becomes_its_words_on_the_site(site: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    page = ROOT / "docs" / "howto" / "metric.md"
    text = (
        "[a](../metrics.md#options) [`b`](../../core/home.py) [c](../../ARCHITECTURE.md)\n```\n[d](../../cli.py)\n```\n"
    )
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
    assert site["laid_out"](page) == text.replace("[`b`](../../core/home.py)", "`b`").replace("../../A", "../A")


def test_what_belongs_to_an_item_of_a_list_is_four_spaces_in(site: dict[str, Any]) -> None:
    text = "1. One\n\n   ```\n   code\n   ```\n- Two\n  goes on\n\nText\n```\n- no item\n  code\n```\n"
    wanted = "1. One\n\n    ```\n    code\n    ```\n- Two\n    goes on\n\nText\n```\n- no item\n  code\n```\n"
    assert site["deepened"](text) == wanted
