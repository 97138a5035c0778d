"""Tests of what annotators see need no server of their own."""

import pytest

from tests.browser.conftest import Server


@pytest.fixture
def server(standing: Server) -> Server:
    """The one that stands, with an empty database."""
    return standing
