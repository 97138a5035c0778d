"""Settings that vLLM reads from its surroundings, and where it is imported."""

import ast
import os
from pathlib import Path

import pytest

from core.models.catalogue import ModelRole, locate
from core.models.causal.engine import SURROUNDINGS, Engine
from tests.core.models.causal.stand_in_vllm import StandIn

ROOT = Path(__file__).resolve().parents[4]


def test_it_says_nothing_to_others_and_writes_to_standard_error(vllm: StandIn) -> None:
    Engine(locate("vllm:", ModelRole.LANGUAGE), "float32", 128)
    assert {name: os.environ[name] for name in SURROUNDINGS} == {
        "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_LOGGING_STREAM": "ext://sys.stderr",
        "VLLM_LOGGING_LEVEL": "WARNING",
        "VLLM_USE_FLASHINFER_SAMPLER": "0",
        "TRITON_F32_DEFAULT": "ieee",
    }
    assert vllm.made[0]["max_model_len"] == 128


def test_what_somebody_has_set_stays(vllm: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_LOGGING_LEVEL", "DEBUG")
    Engine(locate("vllm:", ModelRole.LANGUAGE), "float32", 128)
    assert os.environ["VLLM_LOGGING_LEVEL"] == "DEBUG"


def test_one_file_imports_it_at_first_use() -> None:
    importing = []
    for room in ("core", "db", "pages", "commands", "routes", "work"):
        for path in (ROOT / room).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                if any(name.split(".")[0] == "vllm" for name in names):
                    assert node not in tree.body
                    importing.append(str(path.relative_to(ROOT)))
    assert importing == ["core/models/causal/engine.py"]
