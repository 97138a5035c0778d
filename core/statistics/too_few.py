"""The reason that most analyses share: there are too few of something."""


def too_few(n: int, one: str, many: str, what: str, needed: int) -> str:
    """`only 2 stories have a rating; 3 are needed`. `one`, `many`: noun and verb, of one and of several."""
    if n == 0:
        return f"no {one} {what}; {needed} are needed"
    return f"only {n:,} {one if n == 1 else many} {what}; {needed} are needed"
