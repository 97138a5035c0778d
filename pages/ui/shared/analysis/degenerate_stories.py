"""A study's stories that repeat themselves or are no text, looked for once, and what each metric makes of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from core.analysis.correlation.sample import Filter
from core.analysis.verdict.degenerate import CheckUp, check_up
from core.analysis.verdict.without_degenerate import r_without
from core.checks import FindingKind
from core.checks.degenerate import degenerate_kinds
from core.scores import ScoreTable
from core.stored_texts import strings_at
from db.studies import story_texts
from pages.ui.shared.analysis.view import View
from pages.ui.shared.stories.wanted_stories import SUMMARY, TAB

LOOK, DEGENERATE = "look", "degenerate"
LISTED = {TAB: SUMMARY, LOOK: DEGENERATE}
"""What an address of the page of scores says that is to open the list of these stories."""
MOST_CHECKED = 5_000
"""Stories that are looked at for a finding: a second's work, once."""
SHOWN, BEGINNING = 500, 300
"""Stories whose beginnings are kept, and characters of each."""


@dataclass(frozen=True)
class Degenerate:
    """What makes each of a study's stories degenerate, by its place, how these begin, and each metric's numbers."""

    kinds: Mapping[int, FindingKind]
    beginnings: Mapping[int, str]
    metrics: tuple[CheckUp, ...]


def looked_at(study_id: int, version: str, table: ScoreTable, *, resamples: int = 0) -> Degenerate:
    """Check a study's stories; their texts, of this `version`, are looked at once, however often scores come. With
    `resamples` r without them has its interval.
    """
    kinds, beginnings = _kinds(study_id, version, table.texts)
    listed = [kinds.get(place) for place in range(len(table.keys))]
    result = tuple(
        check_up(column.values, table.human, table.prompts, listed, systems=table.systems) for column in table.columns
    )
    if resamples:
        singles = [replace(table, columns=(column,)) for column in table.columns]
        result = tuple(
            replace(up, r_without=r_without(single, listed, resamples=resamples)) if up.degenerate else up
            for single, up in zip(singles, result, strict=True)
        )
    return Degenerate(kinds, beginnings, result)


def kinds_of(shown: View) -> list[FindingKind | None]:
    """What makes each story degenerate; nothing of a part of a study's stories, or of very many."""
    if len(shown.table.keys) > MOST_CHECKED or shown.filter != Filter():
        return []
    kinds, _ = _kinds(shown.study.id, story_texts.version(shown.study.id), shown.table.texts)
    return [kinds.get(place) for place in range(len(shown.table.keys))]


@st.cache_data(max_entries=8, show_spinner="Looking for stories that repeat themselves")
def _kinds(study_id: int, version: str, _texts: Sequence[str]) -> tuple[dict[int, FindingKind], dict[int, str]]:
    del study_id, version  # what the result is kept under
    kinds = {place: kind for place, kind in enumerate(degenerate_kinds(_texts)) if kind}
    shown = list(kinds)[:SHOWN]
    texts = strings_at(_texts, np.array(shown, dtype=np.intp))
    return kinds, {place: text[:BEGINNING] for place, text in zip(shown, texts, strict=True)}
