"""How long something takes, in words."""


def duration(seconds: float) -> str:
    """As exactly as a forecast can be."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 180 * 60 else f"{seconds / 3600:.1f} h"
