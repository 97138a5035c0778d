"""A Turing study of before there were panels of pairs, and what it said."""

from pathlib import Path

BEFORE = Path(__file__).parent / "transfer" / "single_pairs"
"""An export of a Turing study of before there were panels of pairs: two systems, two prompts, imported ratings too."""
JUDGED = [
    ("0-human", "0-two", -1),
    ("0-human", "0-two", -1),
    ("0-one", "0-human", -1),
    ("0-one", "0-human", -1),
    ("0-one", "0-human", 0),
    ("0-two", "0-human", 1),
    ("1-human", "1-one", 1),
    ("1-one", "1-human", 0),
    ("1-two", "1-human", 0),
    ("1-two", "1-human", 1),
]
"""What the program found that wrote the export: the story shown first, the other, and which was better."""
