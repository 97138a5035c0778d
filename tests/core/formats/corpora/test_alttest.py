"""The files of the alternative annotator test: numbers, categories, gaps, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.analysis.judges.alternative import Alignment
from core.errors import InputError
from core.formats.corpora.alttest import HUMAN, JUDGES, Annotations, annotation_files, read_annotations


def read(folder: Path, human: object, judges: object, alignment: Alignment | None = None) -> Annotations:
    for name, content in ((HUMAN, human), (JUDGES, judges)):
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    return read_annotations(*annotation_files(folder), alignment)


def test_numbers_and_gaps(tmp_path: Path) -> None:
    found = read(tmp_path, {"a": {"x": 1, "y": 2.5}, "b": {"x": None}}, {"m": {"y": 4, "z": 9}})
    assert (found.people, found.judges, found.instances) == (("a", "b"), ("m",), ("x", "y"))
    assert found.alignment is Alignment.RMSE
    assert np.array_equal(found.values, [[1, 2.5], [np.nan, np.nan]], equal_nan=True)
    assert np.array_equal(found.judged, [[np.nan, 4]], equal_nan=True)


def test_categories_have_codes_of_their_own(tmp_path: Path) -> None:
    found = read(tmp_path, {"a": {"x": "yes"}, "b": {"x": "no"}}, {"m": {"x": "yes"}, "n": {"x": "maybe"}})
    assert found.alignment is Alignment.ACCURACY
    (yes,), (no,) = found.values
    assert found.judged[0, 0] == yes
    assert len({yes, no, found.judged[1, 0]}) == 3
    as_said = read(tmp_path, {"a": {"x": 1}}, {"m": {"x": 1}}, Alignment.ACCURACY)
    assert as_said.values == as_said.judged


def test_what_is_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no human_annotations\.json"):
        annotation_files(tmp_path)
    with pytest.raises(InputError, match=r"llm_annotations\.json, 'm', 'x': 'yes' is not a number"):
        read(tmp_path, {"a": {"x": 1}}, {"m": {"x": "yes"}}, Alignment.RMSE)
    with pytest.raises(InputError, match="holds no annotation"):
        read(tmp_path, {"a": {}}, {"m": {}})
    with pytest.raises(InputError, match="expected an object"):
        read(tmp_path, [], {})
    with pytest.raises(InputError, match="expected a value an instance for 'a'"):
        read(tmp_path, {"a": [1]}, {"m": {}})
