"""Where crowd platforms send people: `/join/TOKEN` of a study, with the platform's own parameters."""

import asyncio

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from core.errors import FabulaError, InputError, NotAllowed
from core.people import COOKIE, Role
from core.prolific import TOKEN, signed_ids
from core.recruitment import PROLIFIC, PROLIFIC_IDS, assignment_id, prolific_id, worker_id
from core.studies import Study
from db import people, recruitment
from routes.keys import key_set
from routes.links import admitted
from routes.worker_form import HEADERS, worker_form


async def join(request: Request) -> Response:
    """Let somebody in who comes from the study's platform, as the person that the platform's ids name."""
    try:
        found = await asyncio.to_thread(recruitment.joined, request.path_params["token"])
        if found is None:
            return PlainTextResponse("This study takes nobody by this address; check the link.", status_code=404)
        if request.method == "HEAD":  # somebody checks the link; nobody has come
            return Response(headers=HEADERS)
        viewer = await asyncio.to_thread(people.by_token, request.cookies.get(COOKIE, ""))
        if viewer is not None and viewer.may(Role.RESEARCHER):
            raise NotAllowed(
                "You run studies in this browser, and would be an annotator in it from now on; open this address in a "
                "private window."
            )
        if found.recruitment.platform == PROLIFIC:
            return await _from_prolific(request, found)
        return await _from_mturk(request, found)
    except InputError as error:
        return PlainTextResponse(str(error), status_code=400, headers=HEADERS)
    except NotAllowed as error:
        return PlainTextResponse(str(error), status_code=403, headers=HEADERS)
    except FabulaError as error:
        return PlainTextResponse(str(error), status_code=503, headers=HEADERS)


async def _from_prolific(request: Request, found: Study) -> Response:
    query = request.query_params
    if found.recruitment.secured:
        if not query.get(TOKEN):
            raise NotAllowed("This study is open to addresses that Prolific has signed; open it from Prolific.")
        given = await asyncio.to_thread(
            signed_ids, query[TOKEN], found.recruitment.audience, key_set(found.recruitment.keys_address).key
        )
        for name, value in zip(PROLIFIC_IDS, given, strict=True):
            if name in query and query[name].lower() != value:
                raise NotAllowed(f"{name} is not what the address was signed for; open the study from Prolific again.")
        person, _, submission = given
    else:
        person, _, submission = (prolific_id(name, query.get(name)) for name in PROLIFIC_IDS)
    token = await asyncio.to_thread(recruitment.admit, found.id, PROLIFIC, person, submission)
    return admitted(request, token)


async def _from_mturk(request: Request, found: Study) -> Response:
    given = request.query_params.get("workerId")
    assignment = assignment_id(request.query_params.get("assignmentId", ""))
    if given is None:
        return HTMLResponse(worker_form(assignment), headers=HEADERS)
    try:
        worker = worker_id(given)
    except InputError as error:
        return HTMLResponse(worker_form(assignment, str(error)), status_code=400, headers=HEADERS)
    token = await asyncio.to_thread(recruitment.admit, found.id, found.recruitment.platform, worker, assignment)
    return admitted(request, token)
