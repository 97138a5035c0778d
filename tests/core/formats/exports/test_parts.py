"""What is handed from one process to another is what was read."""

import pickle
from pathlib import Path

from core.formats.exports.parts import joined, parts_of
from core.formats.exports.reading import read_export
from tests.core.formats.exports.conftest import folder_of


def test_all_that_was_read_arrives(tmp_path: Path, kind: str) -> None:
    brought = read_export(folder_of(tmp_path / "out", kind))
    assert joined(pickle.loads(pickle.dumps(part)) for part in parts_of(brought)) == brought
    empty = read_export(folder_of(tmp_path / "none", kind, stories=[], panels=[], ratings=[], scores=[]))
    assert joined(parts_of(empty)) == empty
