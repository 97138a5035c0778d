"""How many descriptors this process may open, and how many pages they are enough for."""

import resource

WANTED = 65_536
"""Descriptors to ask for; what the system allows at most is taken where that is less."""
LEAST = 4_096
"""Below this a server that others reach says so: about 950 pages."""
A_PAGE = 4
"""Descriptors that an open page takes: its socket, and now and then files and a database's connection."""
OURS = 256
"""Descriptors that the server itself needs."""


def descriptors() -> int:
    """How many this process may open."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def raise_limit() -> int:
    """Allow this process as many as the system lets it, up to WANTED; returns how many that are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return descriptors()


def room_for() -> int:
    """Pages that may be open at once."""
    return max(1, (descriptors() - OURS) // A_PAGE)
