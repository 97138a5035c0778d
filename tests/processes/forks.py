"""Processes forked from one that has imported what takes long, so that they start in milliseconds.

Not from the test's own process, whose threads and connections a fork would tear.
"""

import multiprocessing
import sys
import types
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from typing import Any
from unittest import mock

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    [
        "alembic.command",
        "cli",
        "core.models.runtime",
        "nltk.corpus",
        "pandas",
        "plotly.graph_objects",
        "psycopg",
        "pyarrow",
        "routes.table",
        "scipy.stats",
        "sqlalchemy.dialects.sqlite",
        "streamlit.web.cli",
        "streamlit.web.bootstrap",
        "streamlit.starlette",
        "transformers.models.bert.modeling_bert",
        "transformers.models.llama.modeling_llama",
        "typer._adapters",
        "uvicorn",
        "tests.db.crowd",
        "tests.pages.components",
        "tests.processes.frozen",
    ]
)


def forked(work: Callable[..., None], *args: Any, daemon: bool = False) -> BaseProcess:
    """A started process that calls `work`."""
    process = CONTEXT.Process(target=work, args=args, daemon=daemon)
    # A new process runs the main script again, and Streamlit's tests leave a page in its place.
    with mock.patch.dict(sys.modules, {"__main__": types.ModuleType("__main__")}):
        process.start()
    return process
