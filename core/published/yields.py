"""How many cases OpenMEVA's authors made of each aspect (Tables 6 and 7), by the names that test sets use."""

from collections.abc import Mapping

from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Aspect, Change
from core.published.openmeva import DISCRIMINATION, INVARIANCE

CORPORA = ("ROC", "WP")
_COLUMNS: Mapping[str, str] = {
    Aspect.LEXICAL_REPETITION: "Lexical repetition",
    Aspect.SEMANTIC_REPETITION: "Semantic repetition",
    Aspect.CHARACTER: "Character behavior",
    Aspect.COMMON_SENSE: "Common sense",
    Aspect.CONSISTENCY: "Consistency",
    Aspect.RELATEDNESS: "Relatedness",
    Aspect.CAUSAL: "Causal relationship",
    Aspect.TEMPORAL: "Temporal relationship",
    Change.SYNONYMS: "Synonym",
    Change.PARAPHRASES: "Paraphrase",
    Change.PUNCTUATION: "Punctuation",
    Change.CONTRACTION: "Contraction",
    Change.TYPOS: "Typo",
}
_NAMES = {name.lower(): aspect for aspect, name in _COLUMNS.items()}


def aspect_of(name: str) -> str | None:
    """The aspect that Tables 1, 2, 6 and 7 call so, in the singular or the plural; None for no aspect of ours."""
    name = name.lower()
    return _NAMES.get(name) or _NAMES.get(name.removesuffix("s"))


_KINDS = {Of.HUMAN: "Human", Of.INCOHERENT: "Dis"}
ROWS = {"coherent": DISCRIMINATION, "incoherent": DISCRIMINATION, "stories": INVARIANCE}


def published_counts(aspect: str, of: Of) -> dict[str, int]:
    """Cases by corpus and kind, as "ROC coherent"; nothing for an aspect that is not the paper's."""
    column = _COLUMNS.get(aspect)
    if column is None:
        return {}
    table = INVARIANCE if aspect in list(Change) else DISCRIMINATION
    column = f"{column} {_KINDS[of]}" if table is INVARIANCE else column
    names = [f"{corpus} {row}" for corpus in CORPORA for row, its in ROWS.items() if its is table]
    return {name: int(table.cell(name, column).replace(",", "")) for name in names}
