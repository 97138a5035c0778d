from core.checks import FindingKind, check_corpus, check_text


def test_an_ordinary_text_has_nothing_to_report() -> None:
    checked = check_text("The old man walked down to the harbour. His boat was gone, and so was his dog.")
    assert checked.findings == ()
    assert checked.words == 17
    assert checked.language.name == "English"


def test_a_corpus_expects_the_language_of_most_texts() -> None:
    german = "Der alte Mann ging zum Hafen hinunter, aber sein Boot war nicht mehr da."
    english = "The old man walked down to the harbour, but his boat was gone."
    assert [check.kinds for check in check_corpus([german, german, english])] == [
        frozenset(),
        frozenset(),
        frozenset({FindingKind.LANGUAGE}),
    ]
