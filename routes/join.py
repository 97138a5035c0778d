"""Where crowd platforms send people: `/join/TOKEN` of a study, with the platform's own parameters."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from core.annotation.studies import Study
from core.errors import FabulaError, InputError, NotAllowed, StorageError
from core.languages.words import sentence as sentence_of
from core.people import Role
from core.prolific.signed_addresses import TOKEN, signed_ids
from core.recruitment import PROLIFIC, PROLIFIC_IDS, allowed_key_sets, assignment_id, prolific_id, worker_id
from core.serving.deployment import accepts_unsigned
from core.serving.sessions import OpenedBy
from db.annotation import recruitment
from routes.admission.deployed import in_public
from routes.admission.rates import Rate
from routes.admission.visitor import visitor_of
from routes.keys import key_set
from routes.links import WRONG_LINKS, admitted
from routes.text.frame import HEADERS, refusal, too_often
from routes.text.language import english, spoken
from routes.text.worker_form import worker_form

NEWCOMERS = Rate(burst=10, per_second=1 / 20)
"""People whom nobody has seen before, with ids that nobody has signed, from one address."""


async def join(request: Request) -> Response:
    """Let somebody in who comes from the study's platform, as the person that the platform's ids name."""
    network = visitor_of(request).network
    words = spoken(request)
    if not WRONG_LINKS.allows(network):
        return too_often(WRONG_LINKS.wait(network), words)
    try:
        study = await asyncio.to_thread(recruitment.joined, request.path_params["token"])
        visit = visitor_of(request).visit
        here = visit.person if visit else None
        if study is None:
            WRONG_LINKS.spend(network)
            words = words if here is None else english()  # who is known here may run studies
            heading, sentence = words.text("arrival.no_link"), words.text("arrival.no_link_platform")
            return refusal(heading, sentence, 404, here, words)
        words = spoken(request, study)
        if request.method == "HEAD":  # somebody checks the link; nobody has come
            return Response(headers=HEADERS)
        if here is not None and here.may(Role.RESEARCHER):
            raise NotAllowed(
                "You run studies in this browser, and would be an annotator in it from now on; open this address in a "
                "private window."
            )
        if not study.recruitment.signed and in_public() and not accepts_unsigned():
            raise NotAllowed(
                "This study takes signed addresses only, as this server is open to the internet; tell the people who "
                "run it."
            )
        if study.recruitment.platform == PROLIFIC:
            return await _from_prolific(request, study)
        return await _from_mturk(request, study)
    except InputError as error:
        return refusal(words.text("arrival.no_address"), sentence_of(words, error), 400, words=words)
    except NotAllowed as error:
        return refusal(words.text("arrival.no_way_in"), sentence_of(words, error), 403, words=words)
    except FabulaError as error:
        return refusal(words.text("arrival.not_now"), sentence_of(words, error), 503, words=words)


async def _from_prolific(request: Request, loaded_study: Study) -> Response:
    query = request.query_params
    signed = loaded_study.recruitment.secured
    if signed:
        if not query.get(TOKEN):
            raise NotAllowed("This study is open to addresses that Prolific has signed; open it from Prolific.")
        if loaded_study.recruitment.keys_address not in allowed_key_sets():
            raise StorageError("The keys that this study's addresses are checked with are not allowed on this server.")
        given = await asyncio.to_thread(
            signed_ids,
            query[TOKEN],
            loaded_study.recruitment.audience,
            key_set(loaded_study.recruitment.keys_address).key,
        )
        for name, value in zip(PROLIFIC_IDS, given, strict=True):
            if name in query and query[name].lower() != value:
                raise NotAllowed(f"{name} is not what the address was signed for; open the study from Prolific again.")
        person, _, submission = given
    else:
        person, _, submission = (prolific_id(name, query.get(name)) for name in PROLIFIC_IDS)
    return await _let_in(request, loaded_study, person, submission, signed=signed)


async def _from_mturk(request: Request, loaded_study: Study) -> Response:
    given = request.query_params.get("workerId")
    assignment = assignment_id(request.query_params.get("assignmentId", ""))
    words = spoken(request, loaded_study)
    if given is None:
        return worker_form(words, assignment)
    try:
        worker = worker_id(given)
    except InputError:
        return worker_form(words, assignment, words.text("arrival.worker_wrong"))
    return await _let_in(request, loaded_study, worker, assignment, signed=False)


async def _let_in(request: Request, study: Study, crowd_id: str, submission: str, *, signed: bool) -> Response:
    """Begin a session; of those whose ids nobody has signed, only so many new ones from an address."""
    visitor = visitor_of(request)
    platform = study.recruitment.platform
    new = not signed and not await asyncio.to_thread(recruitment.is_known, study.id, platform, crowd_id)
    if new and not NEWCOMERS.spend(visitor.network):
        return too_often(NEWCOMERS.wait(visitor.network), spoken(request, study))
    here = visitor.visit.person if visitor.visit else None
    who = await asyncio.to_thread(recruitment.admit, study.id, platform, crowd_id, submission, here, signed=signed)
    return await admitted(request, who, OpenedBy.PLATFORM)
