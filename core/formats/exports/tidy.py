"""A file of ratings alone, one a row, by Fabula or another program: most columns may be missing."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from core.annotation.criterion import OVERALL
from core.errors import InputError
from core.formats.columns import is_wording, plain
from core.formats.exports.choice import FIELDS, ColumnChoice, item_of
from core.formats.exports.chosen_rows import STATUS, OtherRows, rejected_rows
from core.formats.exports.criterion_columns import CriterionColumns
from core.formats.exports.decoding import Sheet, cells_of, first_cells, later_fields, names_of, sheet_of
from core.formats.exports.gathered import Gathered, score_field
from core.formats.exports.restored import Restored
from core.formats.stories.empty_rows import EmptyRowsFound
from core.formats.stories.lacking import Lacking, lacking
from core.formats.tables import RowFilter

REQUIRED = ("story_id", "overall")
"""Fields that a file has: of a story its text will do, and of ratings those on any criterion."""
_OURS = ("panel", "demonstration", "app_version")
"""Columns that together only an export has: there whoever is a person has a pseudonym."""
TOLD = 5_000
"""Ratings between two words of how far it is."""


def read_tidy(path: Path, tell: Callable[[int, int, str], None], choice: ColumnChoice) -> Restored:
    """Read such a file; `tell` hears how many rows are read. Raises InputError naming the cell that cannot be used.

    Without the column `story` the stories must be in the study already; then a panel's prompt is "" where the file does
    not name it, and its stories may be those of several prompts.
    """
    names = names_of(path, choice.wanted)
    if path.suffix.lower() == ".jsonl" and not names:
        raise InputError(f"{path.name} holds no ratings.")
    fields, criteria = _columns(path, names, choice)
    scored = {score_field(column): column.column or column.metric for column in choice.scores}
    kinds = {**FIELDS, **dict.fromkeys([OVERALL, *criteria.fields()], "rating"), **dict.fromkeys(scored, "number")}
    sheet = sheet_of(path, kinds, fields | criteria.fields() | scored, names, RowFilter(choice.rows))
    gathered = Gathered(sheet, criteria, choice, ours=set(_OURS) <= set(names))
    empty, nameless, others = EmptyRowsFound(), EmptyRowsFound(), OtherRows(sheet.only)
    for number, row in sheet.rows(others.add):
        if "story" in fields and not (row.get("story") or "").strip():
            row["story"] = ""
            ratings = criteria.ratings_in(row)
            empty.add(number, ratings)
            if choice.without_empty:
                continue
            if not row.get("story_id"):
                nameless.add(number, ratings)
                continue
        gathered.add(number, row)
        if len(gathered.ratings) % TOLD == 0:
            tell(len(gathered.ratings), 0, "Reading")
    left = empty.result(sheet.unit, left_out=choice.without_empty)
    if not gathered.ratings:
        nonempty = " of a story that is not empty" if left.number else others.instead
        raise InputError(f"{path.name} holds no ratings{others.having}{nonempty}.")
    lacks, rejected = _lacking(sheet, names), 0 if sheet.only else rejected_rows(path, names)
    warned_of = {*(column for one in lacks for column in one.unused), *([STATUS] if rejected else [])}
    return replace(
        gathered.restored(warned_of),
        empty=left,
        nameless=nameless.result(sheet.unit, left_out=False),
        lacking=lacks,
        left_out=(*others.left_out(), *left.left()),
        rejected=rejected,
    )


def _lacking(sheet: Sheet, names: Sequence[str]) -> tuple[Lacking, ...]:
    """What the stories lack that stand beside their ratings; of JSON, what no line has."""
    fields, unused = sheet.named, sheet.unknown
    if "story" not in fields:
        return ()
    rows = (dict(zip(unused, cells, strict=True)) for cells in cells_of(sheet.path, unused))
    found = lacking([field for field, column in fields.items() if column in names], unused, rows)
    later = names_of(sheet.path, None) if found else []
    return tuple(one for one in found if fields.get(one.field) not in later)


def _columns(path: Path, names: Sequence[str], choice: ColumnChoice) -> tuple[dict[str, str], CriterionColumns]:
    """The columns of the fields, and those of the criteria; raises InputError where too little is there."""
    item = item_of(path, names, dict(choice.columns).get("story", "")) if choice.defaults else ""
    fields = choice.fields(path.name, names, (), item)
    criteria = choice.criterion_columns(path.name, names, fields.values())
    human = next((name for name in names if plain(name) == "human"), None)
    if human and criteria.columns and choice.defaults and any(map(is_wording, first_cells(path, human))):
        fields.setdefault("reference", human)
    if OVERALL in criteria.columns:
        fields.pop(OVERALL, None)
    have = {*fields, *([OVERALL] if criteria.columns or "criteria" in fields else [])}
    if "story" in fields:
        have.add("story_id")
    choice.check_required(path.name, names, [field for field in REQUIRED if field not in have])
    if choice.defaults:
        later = later_fields(path, FIELDS, fields, names)
        skipped = (
            {"raters"} | ({OVERALL} if criteria.columns else set()) | ({"story_id"} if "story" in fields else set())
        )
        fields |= {field: column for field, column in later.items() if field not in skipped}
    return fields, criteria
