"""What several tests of task share."""

KINDS = ("dog", "cat", "hen", "cow", "fox", "owl", "bee", "ant")
STORIES = [
    f"A {name} met a {other}. They talked all day. The {name} was glad. Then the {other} went home. It was late."
    for name in KINDS
    for other in KINDS
    if name != other
]
