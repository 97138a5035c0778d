"""What several tests of task share."""

KINDS = ("dog", "cat", "hen", "cow", "fox", "owl", "bee", "ant")
STORIES = [
    f"A {one} met a {other}. They talked all day. The {one} was glad. Then the {other} went home. It was late."
    for one in KINDS
    for other in KINDS
    if one != other
]
