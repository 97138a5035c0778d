"""What reads an upload."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.formats.uploads import uploaded


def test_several_files_without_a_manifest_say_that_earlier_ones_are_still_there(tmp_path: Path) -> None:
    for name in ("ratings.csv", "ratings-2.csv"):
        (tmp_path / name).write_text("story_id,overall\na,1\n")
    with pytest.raises(
        InputError, match=r"by the × beside each\. A file that was uploaded before, even if it was refused"
    ):
        uploaded.export(tmp_path)
