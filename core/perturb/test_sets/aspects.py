"""The aspects of test sets: eight of coherence, and five changes that should not matter (OpenMEVA section 3.2)."""

from enum import StrEnum


class Test(StrEnum):
    """`DISCRIMINATION`: a metric should tell the changed story from a coherent one; `INVARIANCE`: it should not."""

    __test__ = False  # no class of tests, whatever pytest takes its name for

    DISCRIMINATION = "discrimination"
    INVARIANCE = "invariance"


class Techniques(StrEnum):
    """How a story is changed: `OURS`, only where a reader sees it; `PAPER`, as Tables 1, 2, 12 and 13 print it."""

    OURS = "ours"
    PAPER = "paper"


class Aspect(StrEnum):
    """What an incoherent story gets wrong (Table 1)."""

    LEXICAL_REPETITION = "lexical repetition"
    SEMANTIC_REPETITION = "semantic repetition"
    CHARACTER = "character"
    COMMON_SENSE = "common sense"
    CONSISTENCY = "consistency"
    RELATEDNESS = "relatedness"
    CAUSAL = "causal"
    TEMPORAL = "temporal"


class Change(StrEnum):
    """What leaves a story as good as it was, but for a typing error or two (Table 2)."""

    SYNONYMS = "synonyms"
    PARAPHRASES = "paraphrases"
    PUNCTUATION = "punctuation"
    CONTRACTION = "contraction"
    TYPOS = "typos"


def test_of(aspect: str) -> Test:
    """The test that an aspect belongs to; an aspect of a user's own is one of discrimination."""
    return Test.INVARIANCE if aspect in list(Change) else Test.DISCRIMINATION
