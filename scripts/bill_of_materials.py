"""The bill of materials (CycloneDX): every package that is pinned, with its licence and the SHA-256 of its files.

`make packages` gives it what is installed, on standard input; what is installed and not pinned is for development.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from db.version import APP_VERSION  # noqa: E402

LISTS = ("requirements.txt", "requirements-data.txt")
TARGET = ROOT / "deploy" / "bill-of-materials.json"
PLOTLY = ROOT / "core" / "report" / "files" / "plotly-basic.min.js"
FABULA = f"fabula@{APP_VERSION}"


def canonical(name: str) -> str:
    """A package's name as the index knows it: letter case, dots and underscores make no difference."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned(path: Path) -> dict[str, str]:
    """The versions that a list of packages pins, by canonical name."""
    lines = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", path.read_text(), re.M)
    return {canonical(name): version for name, version in lines}


def hashes(path: Path) -> dict[str, list[str]]:
    """The SHA-256 of each package's files in a hashed list, by canonical name."""
    entries = re.split(r"^(?=[A-Za-z0-9])", path.read_text(), flags=re.M)[1:]
    return {canonical(entry.split("==")[0]): re.findall(r"--hash=sha256:([0-9a-f]{64})", entry) for entry in entries}


def main() -> None:
    """Write it."""
    wanted = {name: version for entry in LISTS for name, version in pinned(ROOT / entry).items()}
    known = {name: digests for entry in LISTS for name, digests in hashes(ROOT / "deploy" / "hashed" / entry).items()}
    given = json.load(sys.stdin)
    components = [_component(entry, known) for entry in given["components"] if canonical(entry["name"]) in wanted]
    missing = wanted.keys() - {entry["name"] for entry in components}
    if missing:
        sys.exit(f"Not installed: {', '.join(sorted(missing))}; run make setup.")
    bill = {
        "$schema": given["$schema"],
        "bomFormat": given["bomFormat"],
        "specVersion": given["specVersion"],
        "version": 1,
        "metadata": {
            "component": {
                "bom-ref": FABULA,
                "name": "fabula",
                "version": APP_VERSION,
                "type": "application",
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [*sorted(components, key=lambda entry: str(entry["name"])), _plotly()],
        "dependencies": [{"ref": FABULA, "dependsOn": sorted(entry["bom-ref"] for entry in [*components, _plotly()])}],
    }
    TARGET.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _component(entry: dict[str, Any], known: dict[str, list[str]]) -> dict[str, Any]:
    name = canonical(entry["name"])
    version = entry["version"].partition("+")[0]  # what follows is how it was built
    ref = f"pkg:pypi/{name}@{version}"
    files = [{"alg": "SHA-256", "content": digest} for digest in known[name]]
    return {
        "bom-ref": ref,
        "name": name,
        "version": version,
        "type": "library",
        "purl": ref,
        "description": entry.get("description", ""),
        "licenses": entry.get("licenses", []),
        "externalReferences": [
            {"type": "distribution", "url": f"https://pypi.org/project/{name}/{version}/", "hashes": files}
        ],
    }


def _plotly() -> dict[str, Any]:
    """The one foreign file that is kept here: the reports' JavaScript."""
    text = PLOTLY.read_bytes()
    banner = re.search(rb"v(\d+\.\d+\.\d+)", text[:500])
    if banner is None:
        sys.exit(f"{PLOTLY.name} does not say which version it is.")
    version = banner[1].decode()
    ref = f"pkg:npm/plotly.js-basic-dist-min@{version}"
    return {
        "bom-ref": ref,
        "name": "plotly.js-basic-dist-min",
        "version": version,
        "type": "file",
        "purl": ref,
        "licenses": [{"license": {"id": "MIT"}}],
        "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(text).hexdigest()}],
    }


if __name__ == "__main__":
    main()
