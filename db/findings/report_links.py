"""Links to reports: a metric's report as it was when its link was made, for anybody who has that, until it is ended."""

import gzip
import hmac
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, case, delete, func, insert, select

from core.errors import InputError, NotFound
from core.metrics.naming import is_among
from core.people import Person, Role, called
from core.report.link import CHANGES, ReportLink, Since, with_scores_gone
from core.stories import Source
from db.audit import inserted_id, now, record
from db.engine import reading, writing
from db.people import people
from db.people.secret import report_token
from db.ratings.ratings import COUNTED
from db.schema import assignment, event, person, rating, score_run, shared_report, signature, story, study, study_import
from db.studies import studies

_REMOVE_SCORES = ("scores deleted", "import taken back")
MOST = 100
"""Links of a study: each holds a page of some 500 KB."""
LARGEST_ID = 2**31 - 1
"""What a database takes for a link's number."""


def share(by: Person, study_id: int, metric: str, page: str) -> ReportLink:
    """Keep this report, a whole HTML page, and make the link that shows it.

    Raises NotAllowed for whoever does not run the study, NotFound, and InputError where it has too many.
    """
    by.must_be(Role.RESEARCHER)
    packed = gzip.compress(page.encode(), mtime=0)
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        number_of_links = connection.scalar(select(func.count()).where(shared_report.c.study_id == study_id)) or 0
        if number_of_links >= MOST:
            raise InputError(f"A study has at most {MOST} links to reports; end some of them first.")
        values = {"study_id": study_id, "person_id": by.id, "metric": metric, "made_at": now(), "page": packed}
        number = inserted_id(connection.execute(insert(shared_report).values(values)))
        record(connection, "report shared", by, study_id, link=number, metric=metric)
        row = connection.execute(_listed().where(shared_report.c.id == number)).one()
    return _link(row)


def links(by: Person, study_id: int) -> list[ReportLink]:
    """A study's links, the newest first. Raises NotAllowed."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        mine = _listed().where(shared_report.c.study_id == study_id).order_by(shared_report.c.id.desc())
        listed = [_link(row) for row in connection.execute(mine)]
        since = _since(connection, study_id, [(link.metric, link.made) for link in listed])
    return [replace(link, since=one) for link, one in zip(listed, since, strict=True)]


def end(by: Person, study_id: int, link_id: int) -> None:
    """Let a link show nothing any more, for good. Raises NotFound, NotAllowed."""
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        mine = shared_report.c.id == link_id, shared_report.c.study_id == study_id
        metric = connection.scalar(select(shared_report.c.metric).where(*mine))
        if metric is None:
            raise NotFound("This link was ended already.")
        connection.execute(delete(shared_report).where(*mine))
        record(connection, "report link ended", by, study_id, link=link_id, metric=metric)


def page(token: str) -> bytes | None:
    """The report that a link shows, packed by gzip, from what stands in its address; None where it shows none: it was
    ended, its study was deleted, or it is not whole.
    """
    number, _, key = token.partition("-")
    if not (number.isascii() and number.isdecimal() and len(number) < 11 and int(number) <= LARGEST_ID):
        return None
    with reading() as connection:
        mine = shared_report.c.id == int(number), study.c.deleted_at.is_(None)
        columns = shared_report.c.study_id, shared_report.c.metric, shared_report.c.made_at, shared_report.c.page
        row = connection.execute(select(*columns).join(study).where(*mine)).one_or_none()
        if row is None or not hmac.compare_digest(report_token(int(number), row.made_at).encode(), key.encode()):
            return None
        (gone,) = _gone(connection, row.study_id, [(row.metric, row.made_at)])
    if not gone:
        return bytes(row.page)
    return gzip.compress(with_scores_gone(gzip.decompress(row.page).decode(), row.metric, row.made_at).encode())


def _gone(connection: Connection, study_id: int, reports: Sequence[tuple[str, datetime]]) -> list[bool]:
    """Of each metric, as its report calls it, whether its scores were deleted since that time, or taken back."""
    mine, kinds = event.c.study_id == study_id, event.c.kind.in_(_REMOVE_SCORES)
    removed = connection.scalar(select(func.max(event.c.at)).where(mine, kinds))
    scored = select(signature.c.metric, signature.c.text).join(score_run).where(score_run.c.study_id == study_id)
    pairs = [(row.metric, row.text) for row in connection.execute(scored)]
    return [removed is not None and removed > made and not is_among(metric, pairs) for metric, made in reports]


def _since(connection: Connection, study_id: int, reports: Sequence[tuple[str, datetime]]) -> list[Since]:
    """What has become of the study since each of these reports, of which its metric and its time are given: by when
    things came, without a look at any page.
    """
    if not reports:
        return []
    times = [made for _, made in reports]
    mine, kinds = event.c.study_id == study_id, event.c.kind.in_(CHANGES)
    last = select(event.c.kind, func.max(event.c.at).label("at")).where(mine, kinds).group_by(event.c.kind)
    changed = {row.kind: row.at for row in connection.execute(last)}
    scored = connection.scalar(select(func.max(score_run.c.updated_at)).where(score_run.c.study_id == study_id))
    came = case((assignment.c.state == "imported", study_import.c.at), else_=assignment.c.submitted_at)
    counts = connection.execute(
        select(*(func.count().filter(came > time) for time in times))
        .select_from(assignment)
        .join(rating, rating.c.assignment_id == assignment.c.id)
        .join(story, story.c.id == rating.c.story_id)
        .outerjoin(study_import, study_import.c.id == assignment.c.import_id)
        .where(assignment.c.study_id == study_id, COUNTED, came > min(times), story.c.source == Source.SYSTEM)
    ).one()
    return [
        Since(
            number,
            frozenset(kind for kind, at in changed.items() if at > time),
            scored is not None and scored > time,
            gone,
        )
        for time, number, gone in zip(times, counts, _gone(connection, study_id, reports), strict=True)
    ]


def _listed() -> Select[Any]:
    columns = shared_report.c.id, shared_report.c.metric, shared_report.c.made_at, shared_report.c.person_id
    return select(*columns, person.c.name, person.c.role).outerjoin(person)


def _link(row: Row[*tuple[Any, ...]]) -> ReportLink:
    who = called(row.name, row.role, row.person_id) if row.role else ""
    return ReportLink(row.id, row.metric, row.made_at, who, report_token(row.id, row.made_at))
