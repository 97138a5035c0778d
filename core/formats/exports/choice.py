"""Which columns of a file of ratings hold what, which of its rows count, and on which scale its ratings are."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.annotation.scale import scale_between
from core.errors import InputError
from core.formats.columns import DEFAULTS, UNSURE
from core.formats.exports.rows import TABLES

FIELDS = {**TABLES["ratings"].kinds, "panel": "text", "reference": "text"}
"""Field of a rating -> the kind of its values. Of other people's files, panels may have any names."""
USUAL = (
    *("story_id", "overall", "annotator", "panel", "raters", "prompt", "prompt_id", "story", "system", "source"),
    *("reference", "scheme", "deductions"),
)
"""The fields that files of other programs may have."""
_OF_STORIES = {"id": "story_id", "text": "story"}
"""What the import of stories calls fields of a story -> what they are called here."""
_ALSO = {"overall": ("rating",), "annotator": ("rater",)} | {
    _OF_STORIES.get(field, field): tuple(name for name in names if name not in UNSURE)
    for field, names in DEFAULTS.items()
}
"""Field -> other names that its column is looked for under."""


@dataclass(frozen=True)
class ColumnChoice:
    """`columns`: pairs of a field and the column that holds it; `rows`: pairs of a column and the value that it must
    have; `scale`: as in `0-5`, "" for the study's own. Without `defaults` no column counts that is not named.
    """

    columns: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    scale: str = ""
    defaults: bool = True

    @property
    def steps(self) -> tuple[tuple[int, str], ...]:
        """The scale's steps and labels, none for the study's own; raises InputError for what is no scale."""
        return scale_between(self.scale) if self.scale.strip() else ()

    @property
    def wanted(self) -> set[str]:
        """The columns that are named, which the file must have."""
        return {*(column for _, column in self.columns), *(column for column, _ in self.rows)}

    def fields(self, file_name: str, names: Sequence[str], required: Collection[str]) -> dict[str, str]:
        """Field -> column, of a file with these columns; raises InputError naming those there are."""
        known = ", ".join(names)[:300] or "none"
        chosen: dict[str, str] = {}
        for name, column in self.columns:
            field = _OF_STORIES.get(name, name)
            if field not in FIELDS:
                usual = ", ".join(USUAL)
                raise InputError(
                    f"There is no field {name!r} to map; there are {usual}, and the other columns of an export."
                )
            chosen[field] = column
        for column in self.wanted:
            if column not in names:
                raise InputError(f"{file_name} has no column {column!r}; its columns are: {known}.")
        if self.defaults:
            taken = set(chosen.values())
            chosen = {**guessed([name for name in names if name not in taken]), **chosen}
        missing = [field for field in required if field not in chosen]
        if missing:
            raise InputError(
                f"{file_name} has no column {missing[0]!r}; say which one holds it with {missing[0]}=COLUMN. "
                f"Its columns are: {known}."
            )
        return chosen


def guessed(names: Sequence[str]) -> Mapping[str, str]:
    """Field -> column, for the columns that are called like a field or as such columns usually are."""
    result = {field: next((name for name in (field, *_ALSO.get(field, ())) if name in names), "") for field in FIELDS}
    return {field: column for field, column in result.items() if column}
