"""Which columns of a file of ratings hold what, which of its rows count, and on which scale its ratings are."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from core.annotation.builtin_criteria import KNOWN
from core.annotation.criterion import OVERALL
from core.annotation.scale import scale_between
from core.errors import InputError
from core.formats.columns import (
    DEFAULTS,
    NUMBERS,
    UNSURE,
    called_like_machine,
    item_column,
    merely_of_raters,
    of_one_story,
    parts_of,
    plain,
    series_of,
    without_mean,
    without_scale,
    words_of,
)
from core.formats.exports.criterion_columns import LONG, CriterionColumns, criterion_columns, found_criteria
from core.formats.exports.decoding import cells_of
from core.formats.exports.rows import TABLES
from core.formats.scores import MetricColumn

FIELDS = {**TABLES["ratings"].kinds, "panel": "text", "reference": "text"}
"""Field of a rating -> the kind of its values. Of other people's files, panels may have any names."""
USUAL = (
    *("story_id", "overall", "annotator", "panel", "raters", "prompt", "prompt_id", "story", "system", "source"),
    *("reference", "scheme", "deductions"),
)
"""The fields that files of other programs may have."""
_OF_STORIES = {"id": "story_id", "text": "story"}
"""What the import of stories calls fields of a story -> what they are called here."""
_RATERS = (
    *("rater", "worker_id", "annotator_id", "rater_id"),
    *(
        f"{who}{end}"
        for who in ("participant", "subject", "respondent", "evaluator", "coder", "judge")
        for end in ("", "_id")
    ),
    *("worker", "crowdworker", "crowdworker_id", "assessor", "assessor_id", "prolific_id", "prolific_pid", "user_id"),
)
"""What the column of who rated is called, beside `annotator`."""
_OF_HOW_MANY = tuple(
    f"{number}_{what}" for what in ("raters", "annotators", "ratings") for number in ("n", "num", "number_of")
)
"""What the column is called that says of how many raters a row's ratings are means, beside `raters`."""
_ALSO = {"overall": ("rating",), "annotator": _RATERS, "raters": _OF_HOW_MANY} | {
    _OF_STORIES.get(field, field): tuple(name for name in names if name not in UNSURE)
    for field, names in DEFAULTS.items()
}
"""Field -> other names that its column is looked for under."""


_RATING, _SCORE = ("rating", "quality"), "score"
"""How the names of columns with ratings end; `score` only beside the next words, as other scores are metrics'."""
_OF_PEOPLE = frozenset(
    ("overall", "human", "people", "annotator", "rater", "expert", "crowd", "user", "mean", "average", "avg", "story")
)
_OF_RATINGS = _OF_PEOPLE.union(_RATING, (_SCORE, "worker"))


def shared_name(columns: Sequence[str], known: Collection[str]) -> str:
    """What several raters' columns of one criterion are called: the words that all begin with, as `coherence` in
    `coherence_anna` and `coherence_ben`, or the criterion of those `known` that is called so; the overall rating where
    these are none, or merely say that people rate.
    """
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*map(words_of, columns), strict=False))
    shared = [words[0] for words in alike]
    if _OF_RATINGS.issuperset(shared) or merely_of_raters(shared):
        return OVERALL
    return next((name for name in known if plain(name) == "".join(shared)), " ".join(shared))


def called_ratings(columns: Sequence[str]) -> list[str]:
    """Of a file's columns those that are called as a file of ratings calls the overall rating, or as it may, and those
    of several raters.
    """
    of_raters = {column for found in found_criteria(columns).values() if len(found) > 1 for column in found}
    overall = (OVERALL, *_ALSO[OVERALL])
    return [column for column in columns if plain(column) in overall or _may_rate(column) or column in of_raters]


def _may_rate(column: str) -> bool:
    """Whether a column's name says that it holds people's ratings, as `human_rating` and `Story quality` do."""
    if called_like_machine(column):
        return False
    *before, last = words_of(without_mean(column)) or ("",)
    return last in _RATING or (last == _SCORE and _OF_PEOPLE.issuperset(before))


@dataclass(frozen=True)
class ColumnChoice:
    """`columns`: pairs of a field and the column that holds it; `rows`: those of a `RowFilter`; `scale`: as in `0-5`,
    "" for the study's own. Without `defaults` no column counts that is not named.

    `criteria`: pairs of a criterion and its column (of a row with several raters one each, joined by `+`); None for the
    columns that are called like a known criterion, or like one of those `expected`, and hold nothing else. `raters`: of
    how many raters every number is the mean, 0 for what the file says. `scores`: metrics' scores of the stories that
    stand beside the ratings. `same_raters`: whether each of several columns of a criterion is the same person in every
    row; None where their names tell (`CriterionColumns.named_after_people`). `without_empty`: rows whose story is empty
    are left out, where the file has a column of stories.
    """

    columns: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str], ...] = ()
    scale: str = ""
    defaults: bool = True
    criteria: tuple[tuple[str, str], ...] | None = None
    raters: int = 0
    expected: tuple[str, ...] = ()
    scores: tuple[MetricColumn, ...] = ()
    same_raters: bool | None = None
    without_empty: bool = False

    @property
    def steps(self) -> tuple[tuple[int, str], ...]:
        """The scale's steps and labels, none for the study's own; raises InputError for what is no scale."""
        return scale_between(self.scale) if self.scale.strip() else ()

    @property
    def wanted(self) -> set[str]:
        """The columns that are named, which the file must have."""
        scores = (column.column or column.metric for column in self.scores)
        return {*(column for _, column in self.columns), *(column for column, _ in self.rows), *scores}

    def criterion_columns(self, file_name: str, names: Sequence[str], taken: Collection[str]) -> CriterionColumns:
        """Where the criteria of a file with these columns stand, and whose they are; raises InputError for a column
        that it lacks.
        """
        named = {name.strip(): column for name, column in self.criteria or ()}
        if len(named) < len(self.criteria or ()):
            raise InputError(
                "A criterion is named twice; join the columns of several raters.",
                "They are joined as --criterion NAME=COLUMN+COLUMN.",
            )
        if not named and (self.criteria is not None or not self.defaults):
            return CriterionColumns({})
        scores = [column.column or column.metric for column in self.scores]
        by_name = criterion_columns(file_name, names, named, [*taken, *scores], self.expected)
        same = by_name.named_after_people if self.same_raters is None else self.same_raters
        return by_name.of_same_raters() if same else by_name

    def fields(self, file_name: str, names: Sequence[str], required: Collection[str], item: str = "") -> dict[str, str]:
        """Field -> column, of a file with these columns, of which an `item` may be the story's id (`item_of`); raises
        InputError naming those there are.
        """
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
            joined = any(len(parts_of(column, names)) > LONG for _, column in self.criteria or ())
            found = guessed([name for name in names if name not in taken], joined=joined)
            chosen = {**({"story_id": item} if item and item not in taken else {}), **found, **chosen}
            if not self.criteria:
                chosen = with_rating(chosen, [name for name in names if name not in self.wanted], self.expected)
        self.check_required(file_name, names, [field for field in required if field not in chosen])
        return chosen

    def check_required(self, file_name: str, names: Sequence[str], missing: Sequence[str]) -> None:
        """Raise InputError for the first field that no column holds."""
        if not missing:
            return
        known = ", ".join(names)[:300] or "none"
        what, option = "say which one holds it", f"Name it with --map {missing[0]}=COLUMN."
        if missing[0] == OVERALL:
            what += ", or name the columns of criteria"
            option += " --criterion NAME=COLUMN names those of criteria."
        raise InputError(f"{file_name} has no column {missing[0]!r}; {what}. Its columns are: {known}.", option)


def item_of(path: Path, names: Sequence[str], story: str = "") -> str:
    """Of a file that names no ids of stories, the column of items where each of them is one story, by the column of
    stories, which is found by its name where it is not given; or one of numbers, where each story has one number as
    well. "" where there is none.
    """
    found = guessed(names)
    if "story_id" in found:
        return ""
    story = story or found.get("story", "")
    if item := item_column(names):
        return item if not story or of_one_story(_pairs(path, item, story)) else ""
    number = item_column(names, names=NUMBERS) if story else ""
    one_each = number and of_one_story(_pairs(path, number, story)) and of_one_story(_pairs(path, story, number))
    return number if one_each else ""


def _pairs(path: Path, name: str, other: str) -> Iterator[tuple[str, str]]:
    return ((str(left), str(right)) for left, right in cells_of(path, [name, other]))


def guessed(names: Sequence[str], *, joined: bool = False) -> dict[str, str]:
    """Field -> column, for the columns that are called like a field or as such columns usually are. A number of raters
    is not taken for that behind each rating where a row is one rater's, or has a column a rater: by the columns' names,
    or as columns were `joined`.
    """
    called = {plain(without_scale(name)): name for name in reversed(names)}
    called |= {plain(name): name for name in reversed(names)}
    result = {}
    for field in FIELDS:
        usual = (name for name in (field, *_ALSO.get(field, ())) if plain(name) in called)
        result[field] = next((name if name in names else called[plain(name)] for name in usual), "")
    by_rater = joined or any(len(columns) > LONG for columns in found_criteria(names).values())
    if plain(result["raters"]) != "raters" and (result["annotator"] or by_rater):
        result["raters"] = ""
    return {field: column for field, column in result.items() if column}


def with_rating(fields: dict[str, str], names: Sequence[str], expected: Collection[str]) -> dict[str, str]:
    """The fields with the overall rating, where one column alone may hold it by its name and none has criteria, whether
    known or `expected`.
    """
    criteria = {plain(name) for name in (*KNOWN, *expected)}
    may = [name for name in names if _may_rate(name) and name not in fields.values()]
    called = {*map(plain, names), *map(plain, map(without_mean, names)), *series_of(names)}
    if len(may) != 1 or not {OVERALL, "criteria"}.isdisjoint(fields) or not criteria.isdisjoint(called - {OVERALL}):
        return fields
    return {**fields, OVERALL: may[0]}
