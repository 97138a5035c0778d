"""Statistics of texts: tokens one by one, averages by hand, and OpenMEVA's Table 10."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.judgments.texts import _TOKEN, Lengths, StudyText, Texts, text_statistics, tokens
from core.formats.corpora.mans import read_mans
from core.formats.corpora.union import read_union
from core.stories import Corpus, Source, sentences


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 0),
        (" \n", 0),
        ("She ran.", 3),
        ("did n't", 2),
        ("didn't DIDN'T can’t", 6),
        ("she's they'll I'd we’ve", 8),
        ("o'clock O'Brien", 2),
        ("[FEMALE] 's [MALE]'s", 4),
        ("[laughs]", 3),
        ("sister-in-law", 5),
        ("10,000 at 7:30, 2-3", 7),
        ("Wait... -- no", 4),
        ("``quoted''", 3),
        ("naïve e\u0301te\u0301", 2),
        ("सुंदर घर", 2),
        ("👍🏽!", 3),
    ],
)
def test_tokens(text: str, number: int) -> None:
    assert tokens(text) == number


def test_a_long_run_of_anything_is_quick() -> None:
    for text in ("a" * 100_000, "'" * 100_000, "a'" * 50_000, "n't" * 30_000, "1," * 50_000, "[A" * 50_000):
        tokens(text)


@given(st.text(st.sampled_from("nN't’s[]ABab _-.,:`019\né!"), max_size=40))
def test_ascii_is_counted_as_all_texts_are(text: str) -> None:
    assert tokens(text) == len(_TOKEN.findall(text))


def test_averages_by_hand() -> None:
    texts = text_statistics(
        {"p": "One two.", "q": "One two three.", "r": ""},
        [
            StudyText("p", "gpt", Source.SYSTEM, tokens("a b c."), 1),
            StudyText("q", "gpt", Source.SYSTEM, tokens("a b c. d."), 2),
            StudyText("p", "s2s", Source.SYSTEM, tokens("a."), 1),
            StudyText("p", "human", Source.HUMAN, tokens("a b."), 1),
            StudyText("p", "negative", Source.NEGATIVE, tokens("x"), 1),
        ],
    )
    assert (texts.prompts, texts.stories, texts.stories_a_prompt) == (3, 3, 1.5)
    assert (texts.prompt_tokens, texts.reference_tokens, texts.story_tokens) == (3.5, 3, 4)
    assert list(texts.by_system) == ["gpt", "human", "negative", "s2s"]
    assert texts.by_system["gpt"] == Lengths(2, 5, pytest.approx(2**0.5), 4, 6, 1.5)
    assert texts.by_system["s2s"] == Lengths(1, 2, None, 2, 2, 1)
    assert texts.all == Lengths(3, 4, 2, 2, 6, pytest.approx(4 / 3))


def test_nothing_to_count() -> None:
    assert text_statistics({}, []) == Texts(0, 0, None, None, None, None, None, {})
    only_human = text_statistics({"p": " "}, [StudyText("p", "human", Source.HUMAN, tokens(""), 0)])
    assert (only_human.prompt_tokens, only_human.reference_tokens, only_human.story_tokens) == (None, 0, None)


def counted(corpus: Corpus) -> Texts:
    """The statistics of an import."""
    return text_statistics(
        {story.prompt_key: story.prompt for story in corpus.stories},
        [
            StudyText(
                story.prompt_key,
                story.system or story.source,
                story.source,
                tokens(story.text),
                len(sentences(story.text)),
            )
            for story in corpus.stories
        ],
    )


def test_table_10_of_openmeva(shared: Path) -> None:
    """Counts to the digit; averages of tokens within 0.1 % of those that spaCy gave the paper."""
    texts = counted(read_mans(shared / "mans-roc" / "mans_roc.json"))
    assert (texts.prompts, texts.stories_a_prompt, texts.stories) == (200, 5, 1000)
    assert texts.prompt_tokens == pytest.approx(9.26, rel=1e-3)
    assert texts.reference_tokens == pytest.approx(39.54, rel=1e-3)
    assert texts.story_tokens == pytest.approx(39.38, rel=1e-3)
    # Four of a story's five sentences are the continuation that is rated.
    assert texts.all is not None
    assert texts.all.sentences == pytest.approx(4, abs=0.01)


def test_texts_of_another_study(shared: Path) -> None:
    texts = counted(read_union(shared / "union-roc"))
    assert (texts.prompts, texts.stories) == (400, 400)
    assert texts.story_tokens is not None
    assert 20 < texts.story_tokens < 60
