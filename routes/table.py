"""Every address that is not a page."""

from starlette.routing import Route

from routes.downloads import download
from routes.health import health
from routes.join import join
from routes.links import enter, leave
from routes.log import log
from routes.plotly import plotly

# A token's path holds any sign: else Streamlit would answer a mistyped link with the page of whoever one is already.
ROUTES = [
    Route("/enter/{token:path}", enter),
    Route("/leave", leave),
    Route("/join/{token:path}", join),
    Route("/download/{study:int}/{format}", download),
    Route("/log/{study:int}", log),
    Route("/plotly.js", plotly),
    Route("/health", health),
]
