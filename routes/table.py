"""Every address that is not a page."""

from starlette.routing import Route

from routes.health import health
from routes.join import join
from routes.links import enter

ROUTES = [Route("/enter/{token}", enter), Route("/join/{token}", join), Route("/health", health)]
