"""`/plotly.js`: the library that draws charts, for pages that save one as a file. Read from disk: nothing goes out."""

from importlib.resources import files

from starlette.requests import Request
from starlette.responses import FileResponse, Response

HEADERS = {"Cache-Control": "public, max-age=604800", "X-Content-Type-Options": "nosniff"}


async def plotly(request: Request) -> Response:
    """The script that comes with Plotly for Python; public, as it holds nothing of anybody's."""
    del request
    path = str(files("plotly") / "package_data" / "plotly.min.js")
    return FileResponse(path, media_type="text/javascript", headers=HEADERS)
