"""`/download/{study}/{format}`: a study as a zip, or its ratings as a sheet, to researchers, made while it is sent."""

import asyncio
import re
from collections.abc import AsyncIterator, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from core.errors import FabulaError, InputError, NotAllowed, NotFound
from core.formats.exports.package import zipped
from core.formats.exports.rating_sheet import SHEET
from core.people import Role
from db.studies import studies
from db.transfer import exports
from routes.admission.visitor import Visitor, visitor_of

HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
LONGEST_NAME = 80
LARGEST_ID = 2**31 - 1
"""What a database takes for a study's number."""
_UNSAFE = re.compile(r"[^\w. -]+|^[. ]+")


async def download(request: Request) -> Response:
    """The zip of a study, or its sheet; 403 and nothing for anybody who is not at least a researcher."""
    try:
        path, asked = request.path_params, request.query_params
        name, chunks = await asyncio.to_thread(_prepared, visitor_of(request), path["study"], path["format"], asked)
    except NotAllowed as error:
        return PlainTextResponse(str(error), status_code=403, headers=HEADERS)
    except NotFound as error:
        return PlainTextResponse(str(error), status_code=404, headers=HEADERS)
    except InputError as error:
        return PlainTextResponse(str(error), status_code=400, headers=HEADERS)
    except FabulaError as error:
        return PlainTextResponse(str(error), status_code=503, headers=HEADERS)
    headers = {**HEADERS, "Content-Disposition": disposition(name)}
    media_type = "text/csv" if path["format"] == SHEET else "application/zip"
    return StreamingResponse(_sent(chunks), media_type=media_type, headers=headers)


def _prepared(visitor: Visitor, study_id: int, kind: str, asked: Mapping[str, str]) -> tuple[str, Generator[bytes]]:
    """The file's name and its bytes to come; everything that can be refused is refused here."""
    if visitor.visit is None:
        raise NotAllowed("Downloads need a personal link; open yours first.")
    viewer = visitor.visit.person
    viewer.must_be(Role.RESEARCHER)
    if study_id > LARGEST_ID:
        raise NotFound("There is no such study.")
    if kind == SHEET:
        chunks = exports.sheet(viewer, study_id)
        return f"{studies.get(study_id).name}-ratings.csv", chunks
    margin = _margin(asked.get("margin"))
    files = exports.files(viewer, study_id, kind, target=asked.get("target"), margin=margin)
    of = f"{kind}-margin-{margin:g}" if margin else kind
    return f"{studies.get(study_id).name}-{of}.zip", zipped(files)


def _margin(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise InputError(f"A least margin is a number of points, not {text[:40]!r}.") from None


def disposition(name: str) -> str:
    """The header that names a download (RFC 6266): plain letters for old programs, the whole name for the others.

    What a file system or a header could take for something else is replaced by `_`.
    """
    stem, dot, suffix = name.rpartition(".")
    safe = _UNSAFE.sub("_", stem)[:LONGEST_NAME].strip() + dot + suffix
    plain = safe.encode("ascii", "replace").decode().replace("?", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(safe, safe='')}"


async def _sent(chunks: Generator[bytes]) -> AsyncIterator[bytes]:
    """The chunks as they are made, all in one thread: so that whoever goes away in the middle leaves no open cursor."""
    loop = asyncio.get_running_loop()
    thread = ThreadPoolExecutor(1)
    try:
        while chunk := await loop.run_in_executor(thread, next, chunks, b""):
            yield chunk
    finally:
        thread.submit(chunks.close)  # after the chunk that is being made
        thread.shutdown(wait=False)
