"""Every address that is not a page, and the layer before them and the pages."""

from starlette.middleware import Middleware
from starlette.routing import Route

from core.prolific.subscription import HOOK
from core.report.link import SHARED
from routes.admission import Admission
from routes.downloads import download
from routes.health import health
from routes.hooks import from_prolific
from routes.join import join
from routes.links import enter, leave
from routes.log import log
from routes.page_style import PageStyle
from routes.plotly import plotly
from routes.shared import shared
from routes.sign_in import sign_in

# A token's path holds any sign: else Streamlit would answer a mistyped link with the page of whoever one is already.
ROUTES = [
    Route("/enter/{token:path}", enter, methods=["GET", "POST"]),
    Route(SHARED + "{token:path}", shared),
    Route("/leave", leave, methods=["GET", "POST"]),
    Route("/sign-in", sign_in),
    Route("/join/{token:path}", join),
    Route(HOOK, from_prolific, methods=["POST"]),
    Route("/download/{study:int}/{format}", download),
    Route("/log/{study:int}", log),
    Route("/plotly.js", plotly),
    Route("/health", health),
]
MIDDLEWARE = [Middleware(Admission), Middleware(PageStyle)]
