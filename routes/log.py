"""The log of a study as a file, sent as it is read: it may be long."""

import asyncio
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from core.errors import FabulaError, NotAllowed, NotFound
from core.people import Person, Role
from core.trail import as_lines
from db.studies import event_log, studies
from routes.admission.visitor import Visitor, visitor_of
from routes.downloads import HEADERS, LARGEST_ID, disposition

BATCH = 500
"""Lines sent at once."""


async def log(request: Request) -> Response:
    """JSONL, one entry per line, the oldest first; for the people who run studies."""
    study_id: int = request.path_params["study"]
    try:
        viewer = await asyncio.to_thread(_checked, visitor_of(request), study_id)
    except NotAllowed as error:
        return PlainTextResponse(str(error), status_code=403, headers=HEADERS)
    except NotFound as error:
        return PlainTextResponse(str(error), status_code=404, headers=HEADERS)
    except FabulaError as error:
        return PlainTextResponse(str(error), status_code=503, headers=HEADERS)
    headers = {**HEADERS, "Content-Disposition": disposition(f"log-{study_id}.jsonl")}
    return StreamingResponse(_lines(viewer, study_id), media_type="application/jsonl", headers=headers)


def _checked(visitor: Visitor, study_id: int) -> Person:
    if visitor.visit is None:
        raise NotAllowed("The log needs a personal link; open yours first.")
    viewer = visitor.visit.person
    viewer.must_be(Role.RESEARCHER)
    if study_id > LARGEST_ID:
        raise NotFound("There is no such study.")
    studies.get(study_id)
    return viewer


def _lines(viewer: Person, study_id: int) -> Iterator[str]:
    batch: list[str] = []
    for line in as_lines(event_log.exported(viewer, study_id)):
        batch.append(line)
        if len(batch) == BATCH:
            yield "".join(batch)
            batch.clear()
    yield "".join(batch)
