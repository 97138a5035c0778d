"""How a server stands in the world, and what is missing before strangers may reach it."""

import os
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from core.serving.descriptors import LEAST

LEAST_DISK = 2**30
"""Bytes that should be free where the database lies."""


@dataclass(frozen=True)
class Deployment:
    """What matters of a server's settings and surroundings.

    `listens`: the address of its socket; `tls`: whether it speaks TLS itself; `proxies`: those whose word counts;
    `address`: where people reach it, "" where nobody has said; `readable`: files of the home folder that others than
    its user may read; `unsigned`: open studies that take people by addresses that nobody has signed; `database`: the
    host of a PostgreSQL server elsewhere that is reached without TLS, else "".
    """

    listens: str = "localhost"
    tls: bool = False
    proxies: str = ""
    address: str = ""
    home: str = ""
    readable: tuple[str, ...] = ()
    descriptors: int = LEAST
    unsigned: tuple[str, ...] = ()
    accepts_unsigned: bool = False
    guards_forms: bool = True
    shows_errors: bool = False
    as_root: bool = False
    database: str = ""
    free_disk: int = LEAST_DISK

    @property
    def public(self) -> bool:
        """Whether others than this machine's own users can reach it, directly or by a proxy."""
        return bool(self.proxies) or not is_loopback(self.listens)


@dataclass(frozen=True)
class Gap:
    """What is wrong, and the mend; with `refused` a public server does not start until it is mended."""

    what: str
    mend: str
    refused: bool = True

    def __str__(self) -> str:
        return f"{self.what} {self.mend}"


def public_address() -> str:
    """Where people reach this server, without a slash at its end; "" where nobody has said."""
    return os.environ.get("FABULA_ADDRESS", "").strip().rstrip("/")


def accepts_unsigned() -> bool:
    """Whether whoever runs this server takes people whose ids anybody could have made up."""
    return os.environ.get("FABULA_UNSIGNED_JOINS") == "accept"


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a socket of this address."""
    if host in ("localhost", ""):
        return host == "localhost"
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def gaps(deployment: Deployment) -> tuple[Gap, ...]:
    """Everything that a server lacks before strangers may reach it, the gravest first."""
    return (*_way_in(deployment), *_machine(deployment), *_studies(deployment), *_advice(deployment))


def _way_in(d: Deployment) -> list[Gap]:
    result = []
    if not d.tls and not d.proxies:
        result.append(
            Gap(
                "Passwordless links and answers would travel unencrypted.",
                "Put a proxy with TLS in front and name its address in FORWARDED_ALLOW_IPS, or give "
                "STREAMLIT_SERVER_SSL_CERT_FILE and STREAMLIT_SERVER_SSL_KEY_FILE.",
            )
        )
    for name in filter(None, map(str.strip, d.proxies.split(","))):
        if not _is_network(name):
            result.append(
                Gap(
                    f"FORWARDED_ALLOW_IPS holds {name!r}, by which anybody could say where they come from.",
                    "Name the proxy's own address, such as 127.0.0.1.",
                )
            )
    if d.address and urlsplit(d.address).scheme != "https":
        result.append(Gap(f"FABULA_ADDRESS is {d.address}.", "Give the address that begins with https://."))
    if not d.guards_forms:
        result.append(
            Gap(
                "Streamlit's protection of forms against other sites is switched off.",
                "Leave server.enableXsrfProtection and server.enableCORS as .streamlit/config.toml has them.",
            )
        )
    if d.shows_errors:
        result.append(
            Gap("Visitors would see the program's errors in full.", 'Leave client.showErrorDetails at "none".')
        )
    return result


def _is_network(name: str) -> bool:
    try:
        return ip_network(name, strict=False).num_addresses < 2**32
    except ValueError:
        return False


def _machine(d: Deployment) -> list[Gap]:
    result = []
    if d.readable:
        result.append(
            Gap(
                f"Others on this machine can read {', '.join(d.readable[:3])} in {d.home}.",
                f"Make the folder yours alone: chmod -R go= {d.home}.",
            )
        )
    if d.descriptors < LEAST:
        result.append(
            Gap(
                f"This process may open {d.descriptors:,} files, too few for a crowd.",
                f"Raise the limit to {LEAST:,} or more: `ulimit -n 65536`, or LimitNOFILE=65536 in the systemd unit.",
            )
        )
    return result


def _studies(d: Deployment) -> list[Gap]:
    if not d.unsigned or d.accepts_unsigned:
        return []
    return [
        Gap(
            f"Anybody can make up ids and take the places of {', '.join(map(repr, d.unsigned[:3]))}.",
            "Switch on signed addresses on the study's Recruit tab, or set FABULA_UNSIGNED_JOINS=accept: places are "
            "then held for two minutes until the first answer.",
        )
    ]


def _advice(d: Deployment) -> list[Gap]:
    result = []
    if not d.address:
        mend = "Set FABULA_ADDRESS, such as https://rate.example.org."
        result.append(Gap("The links that commands print lead to this machine.", mend, refused=False))
    if d.as_root:
        result.append(Gap("The server runs as root.", "Give it a user of its own.", refused=False))
    if d.database:
        mend = "Add ?sslmode=verify-full to DATABASE_URL."
        result.append(Gap(f"The database at {d.database} is reached without TLS.", mend, refused=False))
    if d.free_disk < LEAST_DISK:
        what = f"Only {d.free_disk / 2**20:,.0f} MB are free where {d.home} lies."
        result.append(Gap(what, "Make room: nobody's answer is taken on a full disk.", refused=False))
    return result
