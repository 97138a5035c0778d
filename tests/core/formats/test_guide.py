"""The guide in the app: every page is shown, and every link leads somewhere."""

import re

import pytest

from core.formats.guide import DOCS, Picture, chapter, chapters

ADDRESS = "/guide"


@pytest.mark.parametrize("name", sorted(chapters()))
def test_every_page_has_its_words_and_its_pictures(name: str) -> None:
    parts = list(chapter(name, ADDRESS))
    text = "\n".join(part for part in parts if isinstance(part, str))
    assert text.lstrip().startswith("# ")
    for part in parts:
        assert not isinstance(part, Picture) or (part.path.is_relative_to(DOCS / "images") and part.path.is_file())
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)):
        assert re.match(r"https?://|#|mailto:|/guide\?chapter=", target), target
        if found := re.match(r"/guide\?chapter=([^#]+)", target):
            assert found[1] in chapters()


def test_what_is_no_page_is_refused() -> None:
    for name in ("nothing", "../README", "/etc/passwd", ""):
        with pytest.raises(KeyError):
            list(chapter(name, ADDRESS))


def test_links_between_folders() -> None:
    text = "\n".join(part for part in chapter("methods/correlation", ADDRESS) if isinstance(part, str))
    assert "](/guide?chapter=methods/" in text
    assert "../" not in re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)


def test_a_file_of_the_project_is_named_without_brackets() -> None:
    text = "\n".join(part for part in chapter("formats", ADDRESS) if isinstance(part, str))
    assert "| `stories.csv` | [stories from a table](#stories-from-a-table)" in text
