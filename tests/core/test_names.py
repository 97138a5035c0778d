"""Names as placeholders, with the lists that come along and with the user's own."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.metrics import build
from core.metrics.base import Settings
from core.names import PLACEHOLDER, SHIPPED, names
from core.stories import normalise, read_as


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Tom met Amy's dog. He told Kelly.", "[MALE] met [FEMALE]'s dog. He told [NEUTRAL]."),
        ("tom met amy ' s dog . he told kelly .", "[MALE] met [FEMALE]'s dog. He told [NEUTRAL]."),
        ("[MALE] met [FEMALE] ' s dog . he told [NEUTRAL] .", "[MALE] met [FEMALE]'s dog. He told [NEUTRAL]."),
        ("[male] met [Female] .", "[MALE] met [FEMALE]."),
        ("Will I see Will in May? I hope so.", "Will I see [MALE] in [FEMALE]? I hope so."),
        ("She said, “Grace will sing,” and thanked Grace.", "She said, “grace will sing,” and thanked [FEMALE]."),
        ("WILL MET TOM.", "Will met [MALE]."),
        ("A tomcat and a samurai.", "A tomcat and a samurai."),
        ("", ""),
    ],
)
def test_a_story_reads_alike_with_names_or_placeholders(text: str, masked: str) -> None:
    assert normalise(text, "delexicalised") == masked
    assert normalise(masked, "delexicalised") == masked


@given(st.lists(st.sampled_from(["Tom", "amy", "[NEUTRAL]", "the", "Dog", "ran", ".", ",", "I"]), max_size=12))
def test_nothing_but_names_changes(words: list[str]) -> None:
    """With the clear names as placeholders already, the result is the same; without any it is `recased`."""
    text = " ".join(words)
    filled = text.replace("Tom", "[MALE]").replace("amy", "[FEMALE]")
    assert normalise(text, "delexicalised") == normalise(filled, "delexicalised")
    plain = " ".join(word for word in words if word not in ("Tom", "amy", "[NEUTRAL]"))
    assert normalise(plain, "delexicalised") == normalise(plain, "recased")


def test_the_lists_that_come_along() -> None:
    lists = {name: (SHIPPED / f"{name}.txt").read_text().split() for name in ("male", "female", "neutral", "words")}
    assert {name: len(result) for name, result in lists.items()} == {
        "male": 1054,
        "female": 3962,
        "neutral": 147,
        "words": 445,
    }
    people = lists["male"] + lists["female"] + lists["neutral"]
    assert len(set(people)) == len(people)
    assert set(lists["words"]) < set(people)


def test_lists_of_ones_own_take_their_place_and_change_the_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = names().digest
    assert (
        f"|normalisation:delexicalised:{ours}|"
        in build("bleu", Settings(options={"normalisation": "delexicalised"})).signature
    )
    assert "|normalisation:raw|" in build("bleu").signature
    monkeypatch.setenv("FABULA_HOME", str(tmp_path))
    folder = tmp_path / "names"
    folder.mkdir()
    (folder / "male.txt").write_text("Zorg\nWynn\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"has no female\.txt: put a file of names there"):
        normalise("Zorg ran.", "delexicalised")
    (folder / "female.txt").write_text("Wynn\nElva\n", encoding="utf-8")
    assert normalise("Zorg, elva, Wynn and Tom ran.", "delexicalised") == "[MALE], [FEMALE], [NEUTRAL] and tom ran."
    assert read_as("delexicalised") != f"delexicalised:{ours}"
    (folder / "female.txt").write_text("Elva\nMary Ann\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"Line 2 of .*female\.txt is not one name: 'mary ann'"):
        names()


def test_placeholders_are_found_in_any_case() -> None:
    assert PLACEHOLDER.findall("[male] [Neutral] [x]") == ["[male]", "[Neutral]"]
