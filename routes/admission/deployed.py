"""How this server stands in the world: read from its settings, its folder and its database."""

import os
import re
import shutil
from typing import Any

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
    return str(_setting("server.address") or "0.0.0.0")


def _setting(name: str) -> Any:
    """A setting of Streamlit's: `streamlit run` has read the surroundings, other commands look there themselves."""
    given = os.environ.get("STREAMLIT_" + re.sub(r"(?<=[a-z])(?=[A-Z])|\.", "_", name).upper())
    if given is None:
        return config.get_option(name)
    return given.lower() == "true" if given.lower() in ("true", "false") else given


def deployed() -> Deployment:
    """What `core.serving.deployment` asks of the server with these settings. Raises StorageError without a database."""
    return Deployment(
        listens=_listens(),
        tls=bool(_setting("server.sslCertFile")),
        proxies=proxies(),
        address=public_address(),
        home=str(home()),
        readable=tuple(readable_by_others()),
        descriptors=descriptors(),
        unsigned=tuple(recruitment.unsigned()),
        accepts_unsigned=accepts_unsigned(),
        guards_forms=bool(_setting("server.enableXsrfProtection") and _setting("server.enableCORS")),
        shows_errors=_setting("client.showErrorDetails") != "none",
        as_root=os.geteuid() == 0,
        database=_unencrypted_database(),
        free_disk=shutil.disk_usage(home()).free,
    )


def _unencrypted_database() -> str:
    url = make_url(database_url())
    host = url.host or ""
    away = url.drivername.startswith("postgresql") and host and not host.startswith("/") and not is_loopback(host)
    return host if away and url.query.get("sslmode") not in ("require", "verify-ca", "verify-full") else ""
