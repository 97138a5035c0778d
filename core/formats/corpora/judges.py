"""Ratings that language models gave elsewhere: long (a row a judge and story, or a row a criterion of these) or wide (a
row a story, a column a judge and criterion), as scores that are called after judge, variant of its prompt and
criterion.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.annotation.criterion import Criterion
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.formats.cells import DecimalCommas, is_empty, others_refused
from core.formats.columns import plain
from core.formats.scores import IDS, signature_of
from core.formats.tables import Table, joined, read_table
from core.judges.naming import JudgeColumn, judge_column
from core.stories import ScoreRecord
from core.text_files import check_key

JUDGES = ("judge", "judge_name", "judge_model", "llm_judge", "llm", "evaluator")
VARIANTS = ("prompt_variant", "variant", "judge_variant", "prompt_version", "wording", "template")
CRITERIA = ("criterion", "aspect", "dimension")
RATINGS = ("rating", "score", "value")
"""Columns in which each is looked for; capitals, blanks and signs in their names do not matter."""
_BETWEEN = re.compile(r"[\s_:.\-]+$")
"""What stands between a judge and a criterion in a column's name."""
_BY_OPTION = "Name the column of its ratings with --criterion {}=COLUMN."


@dataclass(frozen=True)
class JudgeChoice:
    """What was said of a file: `judge`, a column or the name of the only judge; the columns of the variant of its
    prompt, and of the story. What is "" is told from the columns' names. `mean`: also a judge's mean over the variants
    of its prompt, as `NAME:CRITERION`. `criteria`: pairs of a criterion and the column of its ratings; where there is
    one and no judge, the judge is called like that column.
    """

    judge: str = ""
    variant: str = ""
    story: str = ""
    mean: bool = False
    criteria: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class JudgeLayout:
    """Where a file has what. `story`: the column of the stories' ids. `judge`, `variant`: columns, "" for none.
    `named`: the only judge, where no column names one. `criterion`, `rating`: columns, where a row is one criterion.
    `criteria`: criterion -> column, where a row has several. `wide`: column -> judge and criterion, where a row is a
    story with several judges. `unused`: the columns that are nothing of all this.
    """

    story: str
    judge: str = ""
    variant: str = ""
    named: str = ""
    criterion: str = ""
    rating: str = ""
    criteria: Mapping[str, str] = field(default_factory=dict)
    wide: Mapping[str, JudgeColumn] = field(default_factory=dict)
    unused: tuple[str, ...] = ()


@dataclass(frozen=True)
class JudgesBrought:
    """A record a judge, variant and criterion; `left_out`: how many rows are of stories that take no scores, as
    people's do not in most studies; `off_scale`: how many ratings are off their criterion's scale, which are kept as
    they are, and `first_off` where the first of them stands; `layout`: how the file was read;
    `commas`: that decimal commas were read.
    """

    records: tuple[ScoreRecord, ...]
    left_out: int
    layout: JudgeLayout
    off_scale: int = 0
    first_off: str = ""
    commas: tuple[str, ...] = ()

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges with their variants, in the file's order."""
        columns = (judge_column(record.metric) for record in self.records)
        return tuple(dict.fromkeys(column.name for column in columns if column is not None))

    @property
    def criteria(self) -> tuple[str, ...]:
        """The criteria, in the file's order."""
        columns = (judge_column(record.metric) for record in self.records)
        return tuple(dict.fromkeys(column.criterion for column in columns if column is not None))

    @property
    def notices(self) -> tuple[str, ...]:
        """What there is to know of the import, a sentence each."""
        result = list(self.commas)
        if self.left_out:
            result.append(f"Left out as rows of people's or damaged stories: {self.left_out:,}.")
        if self.off_scale:
            are = "rating is" if self.off_scale == 1 else "ratings are"
            result.append(
                f"{self.off_scale:,} {are} off the criterion's scale and kept as given; the first: {self.first_off}. "
                "Some files write -1 for an answer that could not be read, or average it with others."
            )
        if self.layout.unused:
            names = ", ".join(self.layout.unused)
            result.append(f"Columns that are no criterion of this study and were left out: {names[:300]}.")
        return tuple(result)


def read_judges(
    path: Path,
    scheme: Scheme,
    stories: Collection[str],
    *,
    others: Collection[str] = (),
    choice: JudgeChoice | None = None,
) -> JudgesBrought:
    """Read judges' ratings of the criteria of a scheme. `stories`: the ids of those that take scores; `others`: the ids
    of the study's other stories, whose rows are left out and counted. A cell without a number is a rating that is
    missing; one a little off its criterion's scale is kept and counted, as HANNA's own file has some.

    Raises InputError, naming the row, for a story that the study does not have, a rating that is farther off its
    criterion's scale than that is wide, and a second rating of a story by a judge; naming the columns there are, where
    they do not say enough.
    """
    if scheme.unit.of_pairs:
        raise InputError("This study asks which of two stories is better, not for ratings of single ones by a judge.")
    table, chosen = read_table(path), choice or JudgeChoice()
    layout = judge_layout(table, scheme, chosen)
    values: dict[JudgeColumn, dict[str, float]] = {}
    commas = DecimalCommas(table.separator)
    left_out, off, known, ignored = 0, list[str](), frozenset(stories), frozenset(others)
    for index in range(len(table.rows)):
        where = table.where(index)
        key = joined(table.rows[index].get(layout.story), where).strip()
        if key in ignored and key not in known:
            left_out += 1
            continue
        if key not in known:
            raise InputError(f"{where}: the study has no story {key[:60]!r}.")
        for column, value in _ratings(table, index, layout, scheme, commas):
            of = values.setdefault(column, {})
            if key in of:
                raise InputError(
                    f"{where}: {column.name} rates the {column.criterion} of the story {key[:60]!r} twice."
                )
            of[key] = value
            criterion = scheme.criterion(column.criterion)
            if not criterion.lowest <= value <= criterion.highest:
                off.append(f"{where}, {criterion.name} {value:.3g} of {criterion.lowest} to {criterion.highest}")
    if chosen.mean:
        values |= _means(values)
    records = tuple(
        ScoreRecord(column.metric, signature_of(path, column.metric, negated=False), of)
        for column, of in values.items()
    )
    if not records:
        raise InputError(f"{table.name} holds no rating by a judge of a story of this study.")
    return JudgesBrought(records, left_out, layout, len(off), next(iter(off), ""), commas.notices)


def _means(values: Mapping[JudgeColumn, Mapping[str, float]]) -> dict[JudgeColumn, dict[str, float]]:
    """The mean over the variants of a judge's prompt, of the stories that it rates under all of them; of judges that
    have two or more, and no ratings without one.
    """
    variants: dict[JudgeColumn, list[Mapping[str, float]]] = {}
    for column, of in values.items():
        if column.variant:
            variants.setdefault(JudgeColumn(column.judge, column.criterion), []).append(of)
    return {
        column: {
            key: sum(of[key] for of in several) / len(several) for key in several[0] if all(key in of for of in several)
        }
        for column, several in variants.items()
        if len(several) > 1 and column not in values
    }


def judge_layout(table: Table, scheme: Scheme, choice: JudgeChoice) -> JudgeLayout:
    """Where the file has what: as `choice` says, else as the columns' names say. Raises InputError where they do not
    say enough.
    """
    if not table.rows:
        raise InputError(f"{table.name} has no rows.")
    story = _column(table, choice.story, IDS, "story")
    if not story:
        raise InputError(
            f"{table.name} has no column of stories' ids; say which one holds them. Its columns are: {_known(table)}.",
            "Name it with --story.",
        )
    chosen = {
        scheme.criterion(name).name: _column(table, column, (), f"{name} ratings") for name, column in choice.criteria
    }
    judge = choice.judge if choice.judge in table.columns else "" if choice.judge else _found(table, JUDGES)
    if judge in chosen.values():
        judge = ""
    named = choice.judge if choice.judge and not judge else ""
    if len(chosen) == 1 and not judge and not named:
        (named,) = chosen.values()
    variant = _column(table, choice.variant, VARIANTS, "variant")
    taken = {story, judge, variant}
    criteria = chosen or _criteria(table, scheme, taken)
    if judge or named:
        criterion, rating = ("", "") if criteria else (_found(table, CRITERIA), _found(table, RATINGS))
        if not criteria and rating and not criterion and len(scheme.criteria) == 1:
            criteria, rating = {scheme.main.name: rating}, ""
        if not criteria and not (criterion and rating):
            raise InputError(
                f"{table.name} has neither a column called like a criterion ({', '.join(scheme.names)}) nor the "
                f"columns `criterion` and `rating`; say which one holds the judge's ratings. Its columns are: "
                f"{_known(table)}.",
                _BY_OPTION.format(scheme.main.name),
            )
        unused = _others(table, taken | set(criteria.values()) | {criterion, rating})
        return JudgeLayout(story, judge, variant, named, criterion, rating, criteria, unused=unused)
    wide = {} if chosen else dict(_wide(table, scheme, taken))
    if not wide:
        raise InputError(
            f"{table.name} names no judge: say which column does, or what the only one is called, and which columns "
            f"hold its ratings; columns such as 'gpt-4o {scheme.main.name}' are found. Its columns are: "
            f"{_known(table)}.",
            f"Name the judge with --judge. {_BY_OPTION.format(scheme.main.name)}",
        )
    return JudgeLayout(story, wide=wide, unused=_others(table, {story, *wide}))


def _ratings(
    table: Table, index: int, layout: JudgeLayout, scheme: Scheme, commas: DecimalCommas
) -> Iterator[tuple[JudgeColumn, float]]:
    """What a row says: the judges with a criterion each, and the ratings."""
    row, where = table.rows[index], table.where(index)

    def number(cell: object) -> float:
        try:
            return commas.parse(cell, where)
        except InputError as error:
            columns = layout.wide or layout.criteria.values() or (layout.rating,)
            others = others_refused((row.get(column) for row in table.rows for column in columns), table.separator)
            way_on = "Correct it in the file, or leave the cell empty, and import it again."
            raise InputError(f"{error}{others} {way_on}") from None

    if layout.wide:
        for column, of in layout.wide.items():
            if (value := _value(row.get(column), scheme.criterion(of.criterion), where, number)) is not None:
                yield of, value
        return
    judge = layout.named or check_key(joined(row.get(layout.judge), where).strip(), where)
    variant = joined(row.get(layout.variant), where).strip() if layout.variant else ""
    if not judge:
        raise InputError(f"{where}: there is no judge in {layout.judge!r}.")
    criteria = layout.criteria
    if layout.criterion:
        criteria = {scheme.criterion(joined(row.get(layout.criterion), where)).name: layout.rating}
    for criterion, column in criteria.items():
        if (value := _value(row.get(column), scheme.criterion(criterion), where, number)) is not None:
            yield _called(judge, criterion, variant, where), value


def _called(judge: str, criterion: str, variant: str, where: str) -> JudgeColumn:
    try:
        return JudgeColumn(judge, criterion, variant)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _value(cell: object, criterion: Criterion, where: str, number: Callable[[object], float]) -> float | None:
    if is_empty(cell):
        return None
    value = number(cell)
    width = criterion.highest - criterion.lowest
    if not criterion.lowest - width <= value <= criterion.highest + width:
        raise InputError(
            f"{where}: a rating of {value:g} is on another scale than that of {criterion.name}, {criterion.lowest} to "
            f"{criterion.highest}; bring the ratings to it first."
        )
    return value


def _column(table: Table, said: str, names: Sequence[str], what: str) -> str:
    """The column that was said, else the first of these names; "" where there is none."""
    if said and said not in table.columns:
        raise InputError(f"{table.name} has no column {said!r} for the {what}; its columns are: {_known(table)}.")
    return said or _found(table, names)


def _found(table: Table, names: Sequence[str]) -> str:
    called = {plain(column): column for column in reversed(table.columns)}
    return next((called[plain(name)] for name in names if plain(name) in called), "")


def _criteria(table: Table, scheme: Scheme, taken: Collection[str]) -> dict[str, str]:
    """Criterion -> the column that is called so."""
    called = {plain(column): column for column in reversed(table.columns) if column not in taken}
    return {name: called[plain(name)] for name in scheme.names if plain(name) in called}


def _wide(table: Table, scheme: Scheme, taken: Collection[str]) -> Iterator[tuple[str, JudgeColumn]]:
    """The columns that end in a criterion after the name of a judge."""
    for column in table.columns:
        for criterion in scheme.names:
            if column in taken or not column.casefold().endswith(criterion.casefold()):
                continue
            before = column[: len(column) - len(criterion)]
            name = _BETWEEN.sub("", before)
            if name and name != before:
                given = judge_column(f"{name}:{criterion}")
                if given is not None:
                    yield column, given
                break


def _others(table: Table, used: Collection[str]) -> tuple[str, ...]:
    return tuple(column for column in table.columns if column not in used)


def _known(table: Table) -> str:
    return ", ".join(table.columns)[:300]
