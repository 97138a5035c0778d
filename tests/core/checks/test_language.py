import pytest

from core.checks.language import _identifier, language, name_of
from core.checks.languages import NAMES


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The old man walked down to the harbour, but his boat was gone.", "English"),
        ("Der alte Mann ging zum Hafen hinunter, aber sein Boot war weg.", "German"),
        ("Le vieil homme descendit au port, mais son bateau avait disparu.", "French"),
        ("Старик спустился в гавань, но его лодки там уже не было.", "Russian"),
        ("老人走到港口去找他的船，可是船已经不在那里了，他很伤心。", "Chinese"),
        ("おじいさんは港へ歩いて行きましたが、船はもうありませんでした。", "Japanese"),
        ("[MALE] was walking to the harbour . he didn ' t find his boat .", "English"),
    ],
)
def test_the_language_of_a_text(text: str, name: str) -> None:
    result = language(text)
    assert result.name == name
    assert 0.5 < result.probability <= 1


@pytest.mark.parametrize("text", ["", "hi", "ok then", "12345 67890 " * 20, "?!" * 100])
def test_a_short_text_is_not_guessed_at(text: str) -> None:
    assert language(text).name == "unknown"


def test_a_text_in_another_language_is_found_with_both_names() -> None:
    result = language("Der alte Mann ging zum Hafen hinunter, aber sein Boot war weg.")
    assert [finding.sentence for finding in result.findings("en")] == ["The text is in German, not in English."]
    assert result.findings("de") == result.findings(None) == ()


def test_every_language_that_the_classifier_knows_has_a_name() -> None:
    labels = set(_identifier().labels)
    assert labels - {"zxx"} == set(NAMES)
    assert len(set(NAMES.values())) == len(NAMES)
    assert name_of("qqq") == "qqq"
