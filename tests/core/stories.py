"""What several tests of stories share."""

from hypothesis import strategies as st

PIECES = [
    "Mr.",
    "He ran .",
    "she sat",
    "\n",
    "\n\n",
    " ",
    "  ",
    "!",
    "?!",
    '"',
    "…",
    "😀",
    "هل عاد؟",
    "A.",
    "etc.",
    "3.5",
    ")",
]
TEXTS = st.text() | st.lists(st.sampled_from(PIECES)).map("".join) | st.lists(st.sampled_from(PIECES)).map(" ".join)
