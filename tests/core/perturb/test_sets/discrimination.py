"""What several tests of discrimination share."""

import random

from hypothesis import strategies as st

from core.english.sentences import ParsedStory, Technique
from tests.core.perturb.aspects import STORIES, means

PIECES = st.sampled_from(
    [
        "“Go away!” she said.", "I did n't go .", "HE NEVER CAME BACK.", "[MALE] was 12, so [FEMALE] left at 9:30.",
        "No.", "Then", "…", "because", "He ate the cake before she came.", "Él no quiso comer.", "\n", "它很大。", "",
        "She and she and she and she went.", "Was it late?", "It's, well, fine!!", "after all", "the the the the",
        "When he slept, she sang.", "Because it rained, they stayed.", "My dog's ball, my ball.", "'Tis so", ". . .",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map(" ".join), st.sampled_from(STORIES), st.text(max_size=200))


def worsened(technique: Technique, text: str, seed: int = 0, kept: int = 1) -> str | None:
    """The changed text, as a reader would write it down."""
    reading = ParsedStory(text, kept)
    edit = technique(reading, means(), random.Random(seed))
    if edit is None:
        return None
    for start, end, new in sorted(edit.changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text
