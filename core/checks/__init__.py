"""Check-ups of texts: what makes a text unfit to be judged by how probable its words are."""

from core.checks.findings import Finding, FindingKind
from core.checks.text import TextCheck, check_corpus, check_text

__all__ = ["Finding", "FindingKind", "TextCheck", "check_corpus", "check_text"]
