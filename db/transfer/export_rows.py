"""The rows of an export: fetched a block at a time, each block with the rows it refers to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, Subquery, func, select

from core.annotation.criterion import OVERALL
from core.annotation.studies import Study
from core.formats.exports.encoding import blocks
from core.formats.exports.restored import is_pseudonym
from core.formats.exports.rows import ExportedPanel, ExportedRating, ExportedScore, ExportedStory
from core.scores import IMPORTED
from db.people import secret
from db.rating_values import ANSWERED
from db.schema import (
    assignment,
    deduction,
    pair_panel,
    person,
    prompt,
    rating,
    rating_value,
    score,
    score_run,
    signature,
    story,
)

BLOCK = 500
"""Rows that are fetched at once."""
MOST_PARAMETERS = 10_000
"""Values of one condition: SQLite takes 32,766, PostgreSQL 65,535."""
RESTORED = "imported:"
"""How the token hash of a person begins who came with an import: no link has such a hash."""


@dataclass(frozen=True)
class _Panel:
    """A panel as its row is exported, and the place of each of its stories from 1, by id."""

    row: ExportedPanel
    places: dict[int, int]


@dataclass
class Outgoing:
    """The rows of a study's tables. At any time it holds what one block needs, the names of people, and no more."""

    connection: Connection
    study: Study
    _pseudonyms: dict[int, str] = field(default_factory=dict)

    def _blocks(self, query: Select[Any]) -> Iterator[Sequence[Row[Any]]]:
        streamed = self.connection.execution_options(stream_results=True, yield_per=BLOCK)
        result = streamed.execute(query)
        try:
            yield from result.partitions()
        finally:
            result.close()

    def stories(self) -> Iterator[ExportedStory]:
        """Every story, in the order of the study."""
        query = (
            select(prompt.c.key.label("prompt_key"), prompt.c.text.label("opening"), story)
            .join(prompt, prompt.c.id == story.c.prompt_id)
            .where(story.c.study_id == self.study.id)
            .order_by(story.c.position)
        )
        for block in self._blocks(query):
            for row in block:
                yield ExportedStory(row.prompt_key, row.opening, row.key, row.source, row.system, row.text)

    def _numbered(self) -> Subquery:
        """Every panel with its number from 1, in the order in which they were begun."""
        number = func.row_number().over(order_by=assignment.c.id).label("number")
        return select(assignment.c.id, number).where(assignment.c.study_id == self.study.id).subquery()

    def panels(self) -> Iterator[ExportedPanel]:
        """Every panel, the oldest first."""
        numbered = self._numbered()
        for block in self._blocks(select(numbered).order_by(numbered.c.id)):
            for panel in self._panels({row.id: row.number for row in block}).values():
                yield panel.row

    def ratings(self) -> Iterator[ExportedRating]:
        """Every rating, panel by panel."""
        numbered = self._numbered()
        query = (
            select(rating, numbered.c.number)
            .join(numbered, numbered.c.id == rating.c.assignment_id)
            .where(ANSWERED)
            .order_by(numbered.c.id, rating.c.id)
        )
        panels: dict[int, _Panel] = {}
        for block in self._blocks(query):
            numbers = {row.assignment_id: row.number for row in block}
            panels = {panel_id: panel for panel_id, panel in panels.items() if panel_id in numbers}
            panels |= self._panels({i: number for i, number in numbers.items() if i not in panels})
            texts = self._texts({row.story_id for row in block})
            beside = self._keys({row.against_id for row in block} - {None})
            ids = [row.id for row in block]
            deducted, values = self._deducted(ids), self._values(ids)
            for row in block:
                panel, text = panels[row.assignment_id], texts[row.story_id]
                exported = self._rating(row, panel, text, values[row.id], deducted.get(row.id, []))
                of_pair = {"pair": row.place, "compared_with": beside.get(row.against_id, "")}
                yield replace(exported, **of_pair) if row.place else exported

    def scores(self) -> Iterator[ExportedScore]:
        """Every stored score of the study's stories, a signature after the other, in the order of the study."""
        query = (
            select(signature)
            .join(score_run, score_run.c.signature_id == signature.c.id)
            .where(score_run.c.study_id == self.study.id)
            .order_by(signature.c.metric, signature.c.text)
        )
        for item in self.connection.execute(query).all():
            mine = score.c.story_id == story.c.id
            if not item.text.startswith(IMPORTED):
                mine = score.c.content_hash == story.c.content_hash
            rows = (
                select(story.c.key, score.c.value, score.c.reason)
                .join(score, mine)
                .where(story.c.study_id == self.study.id, score.c.signature_id == item.id)
                .order_by(story.c.position)
            )
            for block in self._blocks(rows):
                for row in block:
                    yield ExportedScore(row.key, item.metric, item.text, row.value, row.reason)

    def _panels(self, numbers: Mapping[int, int]) -> dict[int, _Panel]:
        """These panels by id, in order; `numbers` are theirs."""
        query = (
            select(assignment, prompt.c.key, person.c.role, person.c.token_hash)
            .add_columns(pair_panel.c.position.label("pair_panel"))
            .join(prompt, prompt.c.id == assignment.c.prompt_id)
            .outerjoin(person, person.c.id == assignment.c.person_id)
            .outerjoin(pair_panel, pair_panel.c.id == assignment.c.pair_panel_id)
            .where(assignment.c.id.in_(numbers))
            .order_by(assignment.c.id)
        )
        rows = self.connection.execute(query).all()
        shown = {story_id for row in rows for story_id, _ in row.stories} | {row.story_id for row in rows}
        keys = self._keys(shown - {None})
        return {
            row.id: _Panel(
                self._panel(row, numbers[row.id], keys),
                {story_id: place for place, (story_id, _) in enumerate(row.stories, 1)},
            )
            for row in rows
        }

    def _keys(self, story_ids: set[int]) -> dict[int, str]:
        result: dict[int, str] = {}
        for block in blocks(sorted(story_ids), MOST_PARAMETERS):
            query = select(story.c.id, story.c.key).where(story.c.id.in_(block))
            result |= {row.id: row.key for row in self.connection.execute(query)}
        return result

    def _panel(self, row: Row[*tuple[Any, ...]], number: int, keys: Mapping[int, str]) -> ExportedPanel:
        return ExportedPanel(
            panel=number,
            prompt_id=row.key,
            story_id=keys[row.story_id] if row.story_id is not None else "",
            annotator=row.rater if row.person_id is None else self._pseudonym(row),
            stories=[keys[story_id] for story_id, _ in row.stories],
            order_row=row.order_row,
            state=row.state,
            valid=row.valid,
            reason=row.reason,
            overridden=row.overridden,
            payment=row.payment,
            payment_category=row.payment_category,
            payment_reason=row.payment_reason,
            appeal=row.appeal,
            asked_at=row.asked_at,
            started_at=row.started_at,
            submitted_at=row.submitted_at,
            guideline_version=row.guideline_version,
            app_version=row.app_version,
            pair_panel=row.pair_panel,
        )

    def _pseudonym(self, row: Row[*tuple[Any, ...]]) -> str:
        if row.person_id not in self._pseudonyms:
            self._pseudonyms[row.person_id] = pseudonym(self.study.id, row.person_id, row.role, row.token_hash)
        return self._pseudonyms[row.person_id]

    def _texts(self, story_ids: set[int]) -> dict[int, Row[Any]]:
        query = select(story, prompt.c.text.label("opening")).join(prompt, prompt.c.id == story.c.prompt_id)
        return {row.id: row for row in self.connection.execute(query.where(story.c.id.in_(story_ids)))}

    def _deducted(self, rating_ids: list[int]) -> dict[int, list[Row[Any]]]:
        query = select(deduction).where(deduction.c.rating_id.in_(rating_ids)).order_by(deduction.c.id)
        result: dict[int, list[Row[Any]]] = {}
        for row in self.connection.execute(query):
            result.setdefault(row.rating_id, []).append(row)
        return result

    def _values(self, rating_ids: list[int]) -> dict[int, dict[str, float]]:
        """What each rating says, by criterion in the scheme's order."""
        place = {name: number for number, name in enumerate(self.study.scheme.names)}
        result: dict[int, dict[str, float]] = {}
        rows = self.connection.execute(select(rating_value).where(rating_value.c.rating_id.in_(rating_ids)))
        for row in sorted(rows, key=lambda row: place.get(row.criterion, len(place))):
            result.setdefault(row.rating_id, {})[row.criterion] = row.value
        return result

    def _rating(
        self,
        row: Row[*tuple[Any, ...]],
        panel: _Panel,
        rated: Row[*tuple[Any, ...]],
        values: Mapping[str, float],
        deducted: Sequence[Row[*tuple[Any, ...]]],
    ) -> ExportedRating:
        held, scheme = panel.row, self.study.scheme
        points = {item.error_type: item.points for item in deducted}
        evidence = {item.error_type: item.spans for item in deducted if item.spans}
        return ExportedRating(
            study=self.study.name,
            scheme=self.study.scheme_key,
            demonstration=self.study.demonstration and held.state == "imported",
            prompt_id=held.prompt_id,
            prompt=rated.opening,
            story_id=rated.key,
            source=rated.source,
            system=rated.system,
            story=rated.text,
            annotator=held.annotator,
            panel=held.panel,
            position=(row.place or panel.places[row.story_id]) if held.state != "imported" else None,
            overall=values.get(OVERALL),
            criteria={name: value for name, value in values.items() if name != OVERALL},
            raters=row.raters,
            comment=row.comment,
            deductions=points,
            evidence=evidence,
            evidence_text={name: [rated.text[start:end] for start, end in spans] for name, spans in evidence.items()},
            implied=scheme.implied_rating(points) if scheme.deducts else None,
            asked_at=held.asked_at,
            state=held.state,
            valid=held.valid,
            reason=held.reason,
            overridden=held.overridden,
            payment=held.payment,
            payment_category=held.payment_category,
            payment_reason=held.payment_reason,
            appeal=held.appeal,
            started_at=held.started_at,
            saved_at=row.updated_at,
            submitted_at=held.submitted_at,
            guideline_version=held.guideline_version,
            app_version=held.app_version,
        )


def pseudonyms(connection: Connection, study_id: int, people: set[int]) -> dict[int, str]:
    """What exports of a study call these people."""
    rows = connection.execute(select(person.c.id, person.c.role, person.c.token_hash).where(person.c.id.in_(people)))
    return {row.id: pseudonym(study_id, row.id, row.role, row.token_hash) for row in rows}


def pseudonym(study_id: int, person_id: int, role: str, token_hash: str) -> str:
    """Who it was, told to nobody: a keyed hash, or for somebody who came with an import what the export called them."""
    earlier = token_hash.rsplit(":", 1)[-1]
    if token_hash.startswith(RESTORED) and is_pseudonym(earlier):
        return earlier
    return f"{role}-{secret.pseudonym(study_id, person_id)}"
