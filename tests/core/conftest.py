"""A small annotation folder in UNION's format, which tests read or spoil."""

from pathlib import Path

import pytest

FILES = {
    "ant_data.txt": (
        "0 ||| it rained . we got wet . we got wet . ||| 0 0 1\n"
        "1 ||| the dog ran . it barked . ||| 1 1 1\n"
        "0 ||| it rained . the sun was a door . ||| 0 0 0\n"
    ),
    "ant_data_all.txt": (
        "0 ||| it rained . we got wet . we got wet . ||| 1 3 0\n"
        "1 ||| the dog ran . it barked . ||| 0 2 0\n"
        "0 ||| it rained . the sun was a door . ||| 4 5 2\n"
    ),
    "reference_ipt.txt": "it rained .\nthe dog ran .\n",
    "reference_opt.txt": "we stayed in .\nit came back .\n",
    "reference.txt": "no format at all \0\n",
    "metric_output/bleu.txt": "0.1\n0.2\n0.3\n",
    "metric_output/ruber_score.txt": "1\n-2\n3e-1\n",
    "metric_output/ppl.txt": "20.5\n30\n40\n",
}


@pytest.fixture
def union_folder(tmp_path: Path) -> Path:
    """Three stories of two prompts, three votes each, error codes and three metrics."""
    folder = tmp_path / "annotations"
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    return folder
