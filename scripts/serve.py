"""Serve Fabula on a free port: `python scripts/serve.py [PORT]`, else 8501, or the next one that nobody has."""

import errno
import os
import socket
import sys

USUAL, FURTHER = 8501, 100
"""The port that is tried first, and how many after it."""
HIGHEST = 65_535


def is_free(address: str, port: int) -> bool:
    """Whether a server can have this port; raises OSError for an address that is not this machine's."""
    for family, kind, protocol, _, where in socket.getaddrinfo(address, port, type=socket.SOCK_STREAM):
        with socket.socket(family, kind, protocol) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
            try:
                tried.bind(where)
            except OSError as error:
                if error.errno in (errno.EADDRINUSE, errno.EACCES):
                    return False
                if error.errno != errno.EADDRNOTAVAIL:  # a machine without IPv6 has such an address all the same
                    raise
    return True


def free_port(address: str, wanted: int) -> int | None:
    """The first free port from the wanted one on; None where a hundred are taken."""
    offered = range(wanted, min(wanted + FURTHER, HIGHEST) + 1)
    return next((port for port in offered if is_free(address, port)), None)


def main(words: list[str]) -> int:
    """Become the server; where there can be none, say why and return an exit status."""
    given = next(iter(words), "") or os.environ.get("STREAMLIT_SERVER_PORT") or str(USUAL)
    if not (given.isascii() and given.isdecimal() and 0 < int(given) <= HIGHEST):
        print(f"fabula: a port is a number from 1 to {HIGHEST}, not {given!r}; run make run PORT=8502", file=sys.stderr)
        return 2
    wanted = int(given)
    port = free_port(os.environ.get("STREAMLIT_SERVER_ADDRESS", "localhost"), wanted)
    if port is None:
        further = f"the {FURTHER} after it" if wanted + FURTHER <= HIGHEST else "those after it"
        print(f"fabula: port {wanted} and {further} are taken; run make run PORT=…, another one", file=sys.stderr)
        return 2
    if port != wanted:
        print(f"Port {wanted} is taken, so Fabula uses {port}.", flush=True)
    print("Starting the server", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    return os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
