"""Untrusted text in a place that reads Markdown."""

import re

import pytest

from pages.ui.shared.text import escaped

LINKS = re.compile(r"https?://|www\.|[-.\w+]+@[-\w]+\.[-\w]+", re.IGNORECASE)
"""What readers of GitHub's Markdown make links of, once backslashes are gone."""


@pytest.mark.parametrize(
    "name", ["https://a.org/x?y=1", "see HTTP://a.org", "(www.a.org)", "a WWW.a.org", "me@a.org", "x.y+z@a-b.co.uk"]
)
def test_no_address_becomes_a_link(name: str) -> None:
    assert LINKS.search(name)
    read = re.sub(r"\\(.)", r"\1", escaped(f"A {name} study"))
    assert not LINKS.search(read)
    assert read.replace("\N{WORD JOINER}", "") == f"A {name} study"


@pytest.mark.parametrize("name", ["gpt-4o:coherence", "http or www", "judge@2", "judge[way=points]@float32"])
def test_other_names_get_no_unseen_sign(name: str) -> None:
    assert re.sub(r"\\(.)", r"\1", escaped(name)) == name
