"""Perturbed stories as JSONL: text, original, and the edits that turn the original into the text."""

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.files import replacing
from core.perturb.cases import Case, Of
from core.perturb.edits import Edit, EditStep, Perturbed, apply
from core.text_files import check_key, check_text, parse_json, read_lines


def case_json(case: Case) -> dict[str, Any]:
    """A line: `{id, story, of, aspect, label, prompt, text, original, acceptable, edits, steps}`.

    Offsets are in code points. Those of `edits` are into `original`; those of a step's edits are into the text as the
    steps before have left it.
    """
    result = case.perturbed
    return {
        "id": case.id,
        "story": case.source,
        "of": case.of,
        "aspect": case.aspect,
        "label": case.label,
        "prompt": case.prompt,
        "text": result.text,
        "original": result.original,
        "acceptable": case.acceptable,
        "edits": [{**_edit_json(edit), "techniques": list(edit.techniques)} for edit in result.edits],
        "steps": [
            {"technique": step.technique, "way": step.way, "edits": [_edit_json(edit) for edit in step.edits]}
            for step in result.steps
        ],
    }


def _edit_json(edit: Edit) -> dict[str, Any]:
    return {"start": edit.start, "end": edit.end, "before": edit.before, "after": edit.after}


def cases_jsonl(cases: Iterable[Case]) -> str:
    """All cases, a line each."""
    return "".join(json.dumps(case_json(case), ensure_ascii=False) + "\n" for case in cases)


def check_cases_target(path: Path) -> None:
    """Raise InputError if `write_cases` could not write there: before the work, not after."""
    if path.suffix.lower() != ".jsonl":
        raise InputError(f"{path.name}: changed stories are written as .jsonl; name such a file.")
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: name a file in a folder that can be written to.")


def write_cases(cases: Iterable[Case], path: Path) -> None:
    """Write all cases or nothing. Raises InputError where the file has no place, StorageError where the disk fails."""
    check_cases_target(path)
    with replacing(path) as partial:
        partial.write_text(cases_jsonl(cases), encoding="utf-8", newline="\n")


def read_cases(path: Path) -> tuple[Case, ...]:
    """Read what `write_cases` wrote, or anybody else in this form; `prompt`, `story`, `of`, `acceptable`, `edits` and
    `steps` may be missing.

    Raises InputError, naming the line, where a field is missing or of another kind, an id or aspect is empty, an id
    stands twice in an aspect with one label, or edits or steps do not turn the original into the text.
    """
    cases: dict[tuple[str, str, int], Case] = {}
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path.name}, line {number}"
        row = parse_json(line, path.name, number)
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected an object with the fields id, aspect, label, text and original.")
        case = _case(row, where)
        key = (case.aspect, case.id, case.label)
        if key in cases:
            raise InputError(
                f"{where}: the id {case.id[:60]!r} stands on an earlier line too; every id must be unique."
            )
        cases[key] = case
    return tuple(cases.values())


def _case(row: dict[str, Any], where: str) -> Case:
    label = row.get("label")
    if label not in (0, 1) or isinstance(label, (bool, float)):
        raise InputError(f"{where}: the label is 1 for a good story and 0 for one made worse, not {str(label)[:20]!r}.")
    names = ("text", "original")
    text, original = (_string(row, name, where) for name in names)
    edits = _edits(row.get("edits"), f"{where}, edits")
    steps = tuple(_step(step, f"{where}, steps") for step in _objects(row.get("steps"), f"{where}, steps"))
    if edits or not steps:
        _turns(original, text, [edits], f"{where}: the edits do")
    if steps:
        _turns(original, text, [step.edits for step in steps], f"{where}: the steps do")
    prompt = _string({"prompt": "", **row}, "prompt", where)
    perturbed = Perturbed(original, text, edits, steps)
    aspect, key = (_key(row, name, where) for name in ("aspect", "id"))
    story = check_key(_string({"story": key, **row}, "story", where), where)
    return Case(
        key,
        aspect,
        int(label),
        prompt,
        perturbed,
        "" if story == key else story,
        _of(row, where),
        _acceptable(row, where),
    )


def _of(row: dict[str, Any], where: str) -> Of:
    given = row.get("of", Of.HUMAN)
    if given not in list(Of):
        raise InputError(f"{where}: the original is of kind {' or '.join(Of)}, not {str(given)[:20]!r}.")
    return Of(given)


def _acceptable(row: dict[str, Any], where: str) -> float | None:
    given = row.get("acceptable")
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 <= given <= 1:
        raise InputError(f"{where}: acceptable is a probability from 0 to 1, not {str(given)[:20]!r}.")
    return float(given)


def _step(given: dict[str, Any], where: str) -> EditStep:
    technique = _string(given, "technique", where)
    edits = tuple(replace(edit, techniques=(technique,)) for edit in _edits(given.get("edits"), where))
    return EditStep(technique, _string(given, "way", where), edits)


def _turns(original: str, text: str, groups: Iterable[tuple[Edit, ...]], what: str) -> None:
    edited = original
    try:
        for edits in groups:
            edited = apply(edited, edits)
    except InputError as error:
        raise InputError(f"{what} not fit: {error}") from None
    if edited != text:
        raise InputError(f"{what} not turn the original into the text.")


def _objects(given: Any, where: str) -> list[dict[str, Any]]:
    given = [] if given is None else given
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise InputError(f"{where}: expected a list of objects.")
    return given


def _edits(given: Any, where: str) -> tuple[Edit, ...]:
    results = []
    for item in _objects(given, where):
        offsets = [item.get("start"), item.get("end")]
        if not all(isinstance(offset, int) and not isinstance(offset, bool) for offset in offsets):
            raise InputError(f"{where}: start and end of an edit are whole numbers.")
        techniques = item.get("techniques", [])
        if not isinstance(techniques, list) or not all(isinstance(name, str) for name in techniques):
            raise InputError(f"{where}: the techniques of an edit are a list of names.")
        for name in techniques:
            check_text(name, f"{where}, techniques")
        texts = (_string(item, "before", where), _string(item, "after", where))
        results.append(Edit(int(item["start"]), int(item["end"]), *texts, tuple(techniques)))
    return tuple(results)


def _string(row: dict[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise InputError(f"{where}: {name!r} is {'missing' if value is None else 'no text'}; give it as a string.")
    return check_text(value, f"{where}, {name}")


def _key(row: dict[str, Any], name: str, where: str) -> str:
    key = check_key(_string(row, name, where), where)
    if not key.strip():
        raise InputError(f"{where}: {name!r} is empty; give every case an id and an aspect.")
    return key
