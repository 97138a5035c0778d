"""Where other servers report to: Prolific, what becomes of submissions. Signed, or not read at all."""

import asyncio
import logging
import time

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from core.errors import FabulaError
from core.prolific.hooks import SIGNATURE, TIMESTAMP, is_genuine, report_from
from core.prolific.settings import hook_secret
from db.prolific import reports

LARGEST = 16 * 2**10
"""Bytes of a report; the admission layer refuses more that are announced."""
_LOG = logging.getLogger("fabula.hooks")


async def from_prolific(request: Request) -> Response:
    """Take a report. Every one that is signed is answered alike, whether or not anything here has to do with it; one
    that cannot be kept just now is refused, so that Prolific sends it again.
    """
    secret = hook_secret()
    if not secret:
        return PlainTextResponse("Not found.", 404)
    body = await _body(request)
    if body is None:
        return PlainTextResponse("Too large.", 413)
    headers = request.headers
    if not is_genuine(secret, headers.get(SIGNATURE, ""), headers.get(TIMESTAMP, ""), body, time.time()):
        return PlainTextResponse("Not signed, or not just now.", 401)
    report = report_from(body)
    if report is not None:
        try:
            await asyncio.to_thread(reports.take, report)
        except FabulaError:
            _LOG.exception("A report of Prolific's could not be kept")
            return PlainTextResponse("Not just now.", 503)
    return PlainTextResponse("Thank you.")


async def _body(request: Request) -> bytes | None:
    """The request's body; None where it is larger than a report, or breaks off."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST:
                return None
    except ClientDisconnect:
        return None
    return body
