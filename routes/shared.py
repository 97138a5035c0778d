"""`/shared/TOKEN`: a metric's report, to whoever has its link."""

import asyncio
import gzip

from starlette.requests import Request
from starlette.responses import Response

from core.errors import FabulaError
from db.findings import report_links
from routes.admission.visitor import visitor_of
from routes.links import WRONG_LINKS
from routes.text.frame import refusal, too_often

HEADERS = {
    # The page itself allows its own scripts alone, by their hashes. In a sandbox it has nothing of this server's.
    "Content-Security-Policy": "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
    "Vary": "Accept-Encoding",
}


async def shared(request: Request) -> Response:
    """The report as it was when the link was made; one sentence where the link shows none."""
    visitor = visitor_of(request)
    if not WRONG_LINKS.allows(visitor.network):
        return too_often(WRONG_LINKS.wait(visitor.network))
    try:
        packed = await asyncio.to_thread(report_links.page, request.path_params["token"])
    except FabulaError as error:
        return refusal("This does not work just now", str(error), 503)
    if packed is None:
        WRONG_LINKS.spend(visitor.network)
        sentence = "It was ended, or its address is not whole. Ask whoever sent it for another one."
        return refusal("This link shows no report", sentence, 404)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers={**HEADERS, "Content-Encoding": "gzip"}, media_type="text/html")
    return Response(gzip.decompress(packed), headers=HEADERS, media_type="text/html")
