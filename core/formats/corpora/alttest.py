"""The files of the alternative annotator test (Calderon, Reichart and Dror 2025): `human_annotations.json` and
`llm_annotations.json`, each annotator or judge -> instance -> value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.analysis.judges.alternative import Alignment
from core.arrays import Floats
from core.errors import InputError
from core.formats.cells import parse_number
from core.text_files import parse_json, read_text

HUMAN, JUDGES = "human_annotations.json", "llm_annotations.json"
Values = Mapping[str, Mapping[str, Any]]
"""By annotator and instance."""


@dataclass(frozen=True)
class Annotations:
    """`values` (people x instances), `judged` (judges x instances): numbers, or codes of categories where `alignment`
    is accuracy; NaN where somebody said nothing.
    """

    people: tuple[str, ...]
    judges: tuple[str, ...]
    instances: tuple[str, ...]
    values: Floats
    judged: Floats
    alignment: Alignment


def annotation_files(folder: Path) -> tuple[Path, Path]:
    """People's file and the judges' of a folder; raises InputError where either is missing."""
    for name in (HUMAN, JUDGES):
        if not (folder / name).is_file():
            raise InputError(f"There is no {name} in {folder}; name both files with --human and --judges.")
    return folder / HUMAN, folder / JUDGES


def read_annotations(human: Path, judges: Path, alignment: Alignment | None = None) -> Annotations:
    """Read both files. Without an `alignment` values that are all numbers are compared by their differences, and others
    by whether they are equal. Raises InputError for what is no such file, and for a value that is no number where
    numbers are compared.
    """
    people, answers = _read(human), _read(judges)
    if alignment is None:
        given = [
            value
            for of in (people, answers)
            for values in of.values()
            for value in values.values()
            if value is not None
        ]
        numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in given)
        alignment = Alignment.RMSE if numbers else Alignment.ACCURACY
    instances = tuple(dict.fromkeys(name for values in people.values() for name in values))
    if not instances:
        raise InputError(f"{human.name} holds no annotation.")
    codes: dict[str, float] = {}

    def number(value: Any, where: str) -> float:
        if value is None:
            return np.nan
        if alignment is Alignment.ACCURACY:
            return codes.setdefault(str(value), float(len(codes)))
        return parse_number(value, where)

    def matrix(of: Values, file: Path) -> Floats:
        place = {name: index for index, name in enumerate(instances)}
        result = np.full((len(of), len(instances)), np.nan)
        for row, (who, values) in enumerate(of.items()):
            for name, value in values.items():
                if name in place:
                    result[row, place[name]] = number(value, f"{file.name}, {who[:60]!r}, {name[:60]!r}")
        return result

    return Annotations(
        tuple(people), tuple(answers), instances, matrix(people, human), matrix(answers, judges), alignment
    )


def _read(path: Path) -> Values:
    data = parse_json(read_text(path), path.name)
    if not isinstance(data, dict) or not data:
        raise InputError(f"{path.name}: expected an object with one a name: annotator, instance, value.")
    for who, values in data.items():
        if not isinstance(values, dict) or any(isinstance(value, (dict, list)) for value in values.values()):
            raise InputError(f"{path.name}: expected a value an instance for {who[:60]!r}.")
    return data
