"""How this server stands in the world: read from its settings, its folder and its database."""

import os
import shutil

from sqlalchemy.engine import make_url
from streamlit import config

from core.home import home, readable_by_others
from core.serving.deployment import Deployment, accepts_unsigned, is_loopback, public_address
from core.serving.descriptors import descriptors
from db.annotation import recruitment
from db.engine import database_url
from routes.admission.visitor import proxies


def in_public() -> bool:
    """Whether others than this machine's own users can reach this server."""
    return Deployment(listens=_listens(), proxies=proxies()).public


def _listens() -> str:
    return config.get_option("server.address") or "0.0.0.0"


def deployed() -> Deployment:
    """What `core.serving.deployment` asks of the server with these settings. Raises StorageError without a database."""
    return Deployment(
        listens=_listens(),
        tls=bool(config.get_option("server.sslCertFile")),
        proxies=proxies(),
        address=public_address(),
        home=str(home()),
        readable=tuple(readable_by_others()),
        descriptors=descriptors(),
        unsigned=tuple(recruitment.unsigned()),
        accepts_unsigned=accepts_unsigned(),
        guards_forms=bool(config.get_option("server.enableXsrfProtection") and config.get_option("server.enableCORS")),
        shows_errors=config.get_option("client.showErrorDetails") != "none",
        as_root=os.geteuid() == 0,
        database=_unencrypted_database(),
        free_disk=shutil.disk_usage(home()).free,
    )


def _unencrypted_database() -> str:
    url = make_url(database_url())
    host = url.host or ""
    away = url.drivername.startswith("postgresql") and host and not host.startswith("/") and not is_loopback(host)
    return host if away and url.query.get("sslmode") not in ("require", "verify-ca", "verify-full") else ""
