"""Which columns of a file of ratings hold what, as the Import page asks for it: the file's first rows, its fields, its
criteria, which rows count, and on which scale they are.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.annotation.builtin_criteria import KNOWN
from core.annotation.criterion import OVERALL
from core.formats.columns import AND, called_like_machine, plain, without_mean
from core.formats.exports.choice import USUAL, ColumnChoice, guessed, shared_name, with_rating
from core.formats.exports.criterion_columns import (
    LONG,
    CriterionColumns,
    criterion_columns,
    numbered_criteria,
)
from core.formats.exports.overview import FileOverview
from core.formats.exports.restored import MOST_RATERS
from core.formats.uploads import uploaded
from pages.ui.import_data.chosen_rows import choose_rows
from pages.ui.import_data.steps import WHERE_SCORES, as_it_is, named_columns
from pages.ui.shared.analysis.replacement_words import HANGS_ON_IT, SAME_PERSON
from pages.ui.shared.study_choice import chosen_study
from pages.ui.shared.text import escaped, problem
from pages.ui.shared.uploads import read_once

NEARLY_ALWAYS = ("story", "story_id", "prompt", "system", "reference", "annotator", OVERALL)
"""The fields that nearly every file has; the others stand apart unless the file has them by their names."""
CALLED = {
    "story_id": "Story's id",
    "overall": "Rating",
    "prompt_id": "Prompt's id",
    "raters": "Column with the number of raters",
}
"""Fields that the page calls by another name than the files do."""


def choose_columns(file: UploadedFile) -> ColumnChoice | None:
    """Let the viewer say which columns hold what, which rows count and on which scale they are; None while a column
    that has to be there is not chosen.
    """
    table = read_once(uploaded.file_overview, [file])
    names = table.columns
    expected = _expected()
    guess = guessed(names, joined=_several_joined(file))
    found = {"story_id": table.item, **guess} if table.item else guess
    by_names = with_rating(found, names, expected)
    by_name = criterion_columns(file.name, names, {}, by_names.values(), expected)
    result = by_names if by_name.columns else _with_only_rating(by_names, table)
    lacking = not (_story_known(result) and (OVERALL in result or by_name.columns))
    question, same = st.empty(), st.container()  # above what the file holds: below that nobody looks for them
    with st.expander("Columns, rows and scale", icon=":material/tune:", expanded=lacking):
        as_it_is(table.columns, table.rows, table.first)
        ratings = st.container()  # first, though what may stand there depends on what is chosen below
        chosen = _columns(file, names, result)
        with ratings:
            criteria = _criteria(file, table, by_name, chosen, question)
        with same:
            same_raters = _same_raters(file, CriterionColumns(criteria))
        left, middle, right = st.columns(3)
        rows = choose_rows(file, table, left, middle)
        scale = right.text_input(
            "Scale",
            key=f"scale-{file.file_id}",
            placeholder="the study's own; 1-5 for a new one",
            help="Its ends, such as 1-7. Where you say nothing, the ratings are on the scale of the study, which is 1 "
            "to 5 for a new one; if they go beyond it, the page offers a scale that holds them.",
        )
        raters = right.number_input(
            "Raters behind each number",
            0,
            MOST_RATERS,
            0,
            key=f"raters-{file.file_id}",
            help="If every rating is a mean of as many raters and no column says of how many; 0: single ratings.",
        )
    if not _story_known(chosen) or not (OVERALL in chosen or criteria):
        return None
    # What is left as it was found is found anew: later lines of JSON may have columns that the first has not.
    own = () if chosen == by_names else tuple(chosen.items())
    named = tuple((name, AND.join(columns)) for name, columns in criteria.items())
    as_found = chosen == by_names and criteria == by_name.columns
    return ColumnChoice(
        own,
        rows.rows,
        scale,
        defaults=chosen == by_names,
        criteria=None if as_found else named,
        raters=int(raters),
        expected=expected,
        same_raters=same_raters,
    )


def _with_only_rating(fields: dict[str, str], table: FileOverview) -> dict[str, str]:
    """The fields with the overall rating, where one column alone holds yes and no, and none that is left numbers."""
    numbers, votes = (set(columns) - set(fields.values()) for columns in (table.numbers, table.votes))
    return fields if numbers or len(votes) != 1 or OVERALL in fields else {**fields, OVERALL: votes.pop()}


def say_scale(file: UploadedFile, scale: str) -> None:
    """Enter the scale of a file's ratings, such as 1-7, as if it had been typed; for a button."""
    st.session_state[f"scale-{file.file_id}"] = scale


def _columns(file: UploadedFile, names: Sequence[str], result: Mapping[str, str]) -> dict[str, str]:
    """Field -> column, as the viewer has it; `result`: what the columns' names say."""
    st.caption(
        "Which column holds what else? Those whose names say so are chosen already. A *reference* is what a person "
        "wrote after the same prompt: BLEU, ROUGE and BERTScore need one."
    )
    boxes = st.container(horizontal=True, vertical_alignment="bottom")
    chosen = {field: column for field, column in result.items() if field not in USUAL}
    front = [*NEARLY_ALWAYS, *(field for field in USUAL if field in result and field not in NEARLY_ALWAYS)]

    def choose(fields: Iterable[str]) -> None:
        for field in fields:
            picked = st.selectbox(
                CALLED.get(field, field.capitalize()),
                ["", *names],
                names.index(result[field]) + 1 if field in result else 0,
                format_func=lambda column: column or "–",
                key=f"ratings-{field}-{file.file_id}",
                width=220,
            )
            if picked:
                chosen[field] = picked

    with boxes:
        choose(front)
        with st.popover("More columns", icon=":material/more_horiz:"):
            choose(field for field in USUAL if field not in front)
    return chosen


def _expected() -> tuple[str, ...]:
    """The criteria of the study that is chosen, if any."""
    chosen = chosen_study()
    return chosen.study.scheme.names if chosen is not None else ()


def _story_known(fields: Mapping[str, str]) -> bool:
    return "story_id" in fields or "story" in fields


@dataclass(frozen=True)
class _Offered:
    """What may be picked as a criterion, label -> (name, columns). `single`: labels of what is a criterion each unless
    it is joined.
    """

    criteria: Mapping[str, tuple[str, tuple[str, ...]]]
    single: tuple[str, ...]


def _criteria(
    file: UploadedFile,
    table: FileOverview,
    by_name: CriterionColumns,
    chosen: Mapping[str, str],
    question: DeltaGenerator,
) -> dict[str, tuple[str, ...]]:
    """The criteria and their columns: those that were found, without what the viewer takes out and with what they add
    or join. Offered are columns of numbers, or of yes and no, that are not `chosen` for something else. `question`:
    where is asked what several such columns are.
    """
    key = f"criteria-{file.file_id}"
    of = {" + ".join(columns): (name, columns) for name, columns in by_name.columns.items()}
    before = st.session_state.get(key, list(of))
    joined = {label: entry for label, entry in _joined(file).items() if label in before}
    taken = {column for _, columns in (of | joined).values() for column in columns} | set(chosen.values())
    numbers = [name for name in table.numbers if name not in taken]
    left = [*numbers, *(name for name in table.votes if name not in taken)]
    together = {" + ".join(columns): (name, columns) for name, columns in numbered_criteria(left).items()}
    several = of | joined | together
    called = Counter(plain(name) for name in (*(name for name, _ in several.values()), *map(without_mean, left)))
    single = {name: (without_mean(name) if called[plain(without_mean(name))] == 1 else name, (name,)) for name in left}
    offered = _Offered(several | single, tuple(left))
    st.session_state[key] = [label for label in before if label in offered.criteria]
    picked = st.multiselect(
        "Columns with ratings",
        list(offered.criteria),
        key=key,
        placeholder="Choose columns of numbers, or of yes and no",
        help="A criterion each. Those with known names are chosen. Columns with a number at the end, as in wit_1 and "
        "wit_2, are offered joined by +.",
    )
    if not joined:
        st.caption(
            "If several raters rated the same criterion, each in a column of their own, choose all of their columns "
            "here. A question above *Columns, rows and scale* then lets you join them into one criterion."
        )
    people = [name for name in numbers or left if not called_like_machine(name)]
    asked = [label for label in picked or people if label in offered.single]
    machines = [name for name in left if called_like_machine(name) and name not in picked]
    with question.container():
        if len(asked) > 1 and (picked or OVERALL not in chosen):
            with st.container(border=True):
                _ask_what_they_are(file, offered, picked, asked)
        if machines:
            _say_machines(machines)
    return _called(file, {label: offered.criteria[label] for label in picked})


def _say_machines(columns: Sequence[str]) -> None:
    one = len(columns) == 1
    looks, they, gave = ("looks", "it is", "it") if one else ("look", "they are", "them")
    st.caption(
        f"{named_columns(columns)} {looks} like a machine's scores: {they} not counted among the people. "
        f"{WHERE_SCORES} If a person gave {gave}, choose {gave} below under *Columns with ratings*."
    )


def _called(file: UploadedFile, picked: Mapping[str, tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    """The criteria that are picked, label -> (name, columns), those of several raters as the viewer calls them."""
    names = {label: name for label, (name, _) in picked.items()}
    boxes = st.container(horizontal=True)
    for label, (name, columns) in picked.items():
        if len(columns) > LONG:
            typed = boxes.text_input(
                f"Criterion of {escaped(columns[0])} … {escaped(columns[-1])}",
                name,
                key=f"called-{label}-{file.file_id}",
                width=220,
            )
            names[label] = typed.strip() or name
    if len({plain(name) for name in names.values()}) < len(names):
        problem("Two criteria have one name: give each a name of its own. Until then they are called as before.")
        return dict(picked.values())
    return {names[label]: columns for label, (_, columns) in picked.items()}


def _joined(file: UploadedFile) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What the viewer has joined of this file, label -> (name, columns)."""
    joined: dict[str, tuple[str, tuple[str, ...]]] = st.session_state.setdefault(f"joined-{file.file_id}", {})
    return joined


def _several_joined(file: UploadedFile) -> bool:
    """Whether what the viewer has joined of this file is still picked."""
    return not _joined(file).keys().isdisjoint(st.session_state.get(f"criteria-{file.file_id}", ()))


def _ask_what_they_are(file: UploadedFile, offered: _Offered, picked: Sequence[str], columns: Sequence[str]) -> None:
    """Ask whether columns of numbers are several raters' ratings of one criterion, or say that they are picked as a
    criterion each.
    """
    others = [label for label in picked if label not in columns]
    taken = {offered.criteria[label][0] for label in others}
    key = f"criteria-{file.file_id}"
    if picked:
        st.markdown(
            f":material/check: Read as {len(columns)} criteria: {named_columns(columns)}. If they are several raters' "
            "ratings of one criterion, name it:"
        )
    else:
        st.markdown(
            f"{named_columns(columns)}: several raters' ratings of one criterion, or a criterion each? If only some of "
            "them are ratings, choose these below under *Columns with ratings*."
        )
    row = st.container(horizontal=True, vertical_alignment="bottom")
    usual = shared_name(columns, (*KNOWN, *_expected()))
    name = row.text_input(
        "The criterion's name",
        usual,
        key=f"join-name-{usual}-{file.file_id}",  # other columns may be called otherwise
        width=220,
    ).strip()

    def join() -> None:
        label = f"{name}: {' + '.join(columns)}"
        _joined(file)[label] = (name, tuple(columns))
        st.session_state[key] = [*others, label]
        st.session_state.pop(f"ratings-raters-{file.file_id}", None)  # it may have been found for columns of means

    def apart() -> None:
        st.session_state[key] = list(columns)

    row.button(
        f"One criterion, {len(columns)} raters",
        icon=":material/join:",
        on_click=join,
        disabled=not name or name in taken,
        help=f"There is a criterion {escaped(name)} already." if name in taken else None,
    )
    if not picked:
        row.button(f"{len(columns)} criteria", icon=":material/view_column:", on_click=apart)


def _same_raters(file: UploadedFile, columns: CriterionColumns) -> bool | None:
    """Whether each of a row's raters is the same person in every row, as the viewer has it; None for one rater."""
    if columns.raters == LONG:
        return None
    usual = columns.named_after_people
    with st.container(border=True):
        for name, own in columns.columns.items():
            st.markdown(
                f":material/check: *{escaped(name)}* is read from {len(own)} raters' columns: {named_columns(own)}."
            )
        same = st.checkbox(
            SAME_PERSON,
            usual,
            key=f"same-raters-{usual}-{file.file_id}",  # other columns may be usual otherwise
            help="Then the annotators are called after their columns, and can be compared. Else nobody knows who rated "
            "what: the people behind rater1 and rater2 may be others in each row.",
        )
        st.caption(f"{HANGS_ON_IT[0].upper()}{HANGS_ON_IT[1:]}.")
    return same
