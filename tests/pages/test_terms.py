"""Terms are explained in one place: what pages say of them, the glossary says."""

import re

import pytest

from core.home import ROOT
from core.wording import TERMS, meaning
from pages.ui.shared.tables.column_notes import NOTES, note_of

GLOSSARY = " ".join(
    word
    for page in ("glossary", "glossary-analyses")
    for word in (ROOT / "docs" / f"{page}.md").read_text("utf-8").split()
)
CODE = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "pages").rglob("*.py"))


@pytest.mark.parametrize("term", TERMS)
def test_the_glossary_and_a_page_say_it(term: str) -> None:
    assert f"- **{term}**: {TERMS[term]}" in GLOSSARY
    assert re.search(rf"""["']{re.escape(term)}["']""", CODE) or meaning(term) in NOTES.values(), "no page explains it"


def test_a_meaning_is_a_sentence() -> None:
    for term, text in TERMS.items():
        assert text.endswith("."), term
        assert not re.search(r"[*_`\[]", text.replace("acc_eq", "")), term
    assert meaning("Ceiling").startswith("The correlation that a perfect metric could reach")
    assert meaning("Ceiling", "One rater") == f"**Ceiling**: {TERMS['Ceiling']}\n\n**One rater**: {TERMS['One rater']}"


def test_columns_are_explained_by_what_they_hold() -> None:
    assert note_of("Kendall's τ-b", {}) == meaning("Kendall's τ-b")
    assert note_of("95 % of τ", {}) == meaning("Interval")
    assert note_of("95 % of τ", {"95 % of τ": "Another range"}) == "Another range"
    assert note_of("Pairs right", {"Pairs right": "Of systems"}) == "Of systems"
    assert note_of("Metric", {}) is None
