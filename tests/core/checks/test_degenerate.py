"""The quick check-up finds what the whole one finds."""

import pytest
from hypothesis import given

from core.checks import FindingKind, check_text
from core.checks.degenerate import degenerate
from tests.core.stories import TEXTS

CIRCLE = "He went home and slept. " * 9


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (CIRCLE, FindingKind.REPETITION),
        ("He went home and slept. Then it rained.", None),
        ("!!! ???", FindingKind.NOT_TEXT),
        ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", FindingKind.NOT_TEXT),
        (" ", None),
    ],
)
def test_what_is_degenerate(text: str, kind: FindingKind | None) -> None:
    assert degenerate(text) is kind


@given(TEXTS)
def test_it_agrees_with_the_whole_check_up(text: str) -> None:
    kinds = check_text(text, None).kinds & {FindingKind.REPETITION, FindingKind.NOT_TEXT}
    finding_kind = degenerate(text)
    assert (finding_kind in kinds) if text.strip() and kinds else finding_kind is None
