"""The program's version, which every assignment records: that of `pyproject.toml`."""

import tomllib

from core.home import ROOT

APP_VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
