"""Words that fit a number."""


def so_many(number: int, name: str, many: str = "") -> str:
    """A number of things: "1 story", "1,056 stories". `many`: the plural, where it is not the name with an s."""
    return f"{number:,} {name if number == 1 else many or f'{name}s'}"
