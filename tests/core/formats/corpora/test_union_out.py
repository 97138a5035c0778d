"""UNION's annotation folder: what is written, and what it cannot hold."""

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.formats.corpora.union import read_union, union_files
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord


def written(corpus: Corpus, folder: Path) -> Path:
    for name, text in union_files(corpus).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="")
    return folder


def without_signatures(corpus: Corpus) -> Corpus:
    """Files are known by their bytes, and a number can be written in more than one way."""
    return replace(corpus, scores=tuple(replace(score, signature="") for score in corpus.scores))


def test_what_was_read_is_written_and_read_again(union_folder: Path, tmp_path: Path) -> None:
    corpus = read_union(union_folder)
    again = read_union(written(corpus, tmp_path / "again"))
    assert without_signatures(again) == without_signatures(corpus)
    for name in ("ant_data.txt", "reference_ipt.txt", "reference_opt.txt"):
        assert (tmp_path / "again" / name).read_bytes() == (union_folder / name).read_bytes()


def test_the_zip_of_an_export_is_read_as_its_folder(union_folder: Path, tmp_path: Path) -> None:
    corpus = read_union(union_folder)
    packed = tmp_path / "study-union.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in union_files(corpus).items():
            archive.writestr(f"study/{name}", text)
    assert without_signatures(read_union(packed)) == without_signatures(corpus)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("other.txt", "x")
    with pytest.raises(InputError, match=r"study-union.zip holds no ant_data.txt"):
        read_union(packed)


@pytest.mark.parametrize("name", ["union-roc", "union-wp"])
def test_the_released_folders_come_back_equal(shared: Path, tmp_path: Path, name: str) -> None:
    """Prompts that no story is of are not imported, so that ids may be others; the rest is the same."""

    def told(corpus: Corpus) -> object:
        stories = [(story.prompt, story.text, story.source) for story in corpus.stories]
        return stories, corpus.ratings, {score.metric: list(score.values.values()) for score in corpus.scores}

    corpus = read_union(shared / name)
    assert told(read_union(written(corpus, tmp_path))) == told(corpus)


def study(**change: str) -> Corpus:
    """A prompt with its human story, one of a system, and three votes."""
    story = {"key": "s", "prompt_key": "p", "prompt": "Go.", "text": "One.", **change}
    human = StoryRecord("h", "p", story["prompt"], "They went.", Source.HUMAN)
    votes = (
        RatingRecord("s", "rater 1", 1.0),
        RatingRecord("s", "rater 2", 0.0, (("repeated plot", 0),)),
        RatingRecord("s", "rater 3", 0.0),
    )
    return Corpus("union", (human, StoryRecord(**story)), votes)  # type: ignore[arg-type]


LINES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\ufeff"), max_size=12).map(str.strip)


@given(LINES.filter(bool), LINES | st.text("|| a", max_size=9).map(str.strip))
def test_any_line_comes_back(tmp_path_factory: pytest.TempPathFactory, prompt: str, text: str) -> None:
    corpus = study(prompt=prompt, text=text)
    back = read_union(written(corpus, tmp_path_factory.mktemp("union")))
    assert [(story.prompt, story.text) for story in back.stories] == [(prompt, "They went."), (prompt, text)]
    assert [(vote.overall, vote.deductions) for vote in back.ratings] == [
        (vote.overall, vote.deductions) for vote in corpus.ratings
    ]


def test_scores_keep_their_names_and_signs(tmp_path: Path) -> None:
    scores = tuple(
        ScoreRecord(name, f"v:{place}", {"s": value})
        for place, (name, value) in enumerate(
            [("ppl", -20.5), ("bleu", 0.1), ("x_score", 3e-17), ("two", 1.0), ("two", 2.0), ("../up", 1.0), (".x", 1.0)]
        )
    )
    back = read_union(written(replace(study(), scores=scores), tmp_path))
    assert {score.metric: list(score.values.values()) for score in back.scores} == {
        "ppl": [-20.5],
        "bleu": [0.1],
        "x_score": [3e-17],
    }
    assert not (tmp_path.parent / "up.txt").exists()


SAME = study()


@pytest.mark.parametrize(
    ("corpus", "words"),
    [
        (replace(SAME, scheme="mans"), "votes of the UNION scheme"),
        (study(text="One.\nTwo."), "the story of 's' is not"),
        (study(text=" One."), "the story of 's' is not"),
        (study(text="\ufeffOne."), "the story of 's' is not"),
        (replace(SAME, stories=SAME.stories[1:]), "needs a human story of every prompt; 'p' has none"),
        (
            replace(SAME, stories=(*SAME.stories, StoryRecord("h2", "p", "Go.", "x", Source.HUMAN))),
            "one human story a prompt; 'p' has more",
        ),
        (replace(SAME, stories=(*SAME.stories, StoryRecord("t", "p", "Go.", "x"))), "'t' has 0, the first story 3"),
        (replace(SAME, ratings=()), "'s' has 0"),
        (replace(SAME, ratings=(RatingRecord("s", "r", 2.0),)), "votes of 0 and 1, not 2"),
        (replace(SAME, ratings=(RatingRecord("s", "r", 0.0, (("other", 0), ("dull", 0))),)), "one error type a vote"),
        (replace(SAME, ratings=(RatingRecord("s", "r", 0.0, (("dull", 0),)),)), "no place for 'dull'"),
        (replace(SAME, ratings=(RatingRecord("s", "r", 1.0, (("other", 0),)),)), "no place for 'other'"),
        (study(prompt=""), "its file reference_ipt.txt would be empty"),
        (replace(SAME, stories=SAME.stories[:1], ratings=()), "its file ant_data.txt would be empty"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_the_format_cannot_hold_is_refused(corpus: Corpus, words: str) -> None:
    with pytest.raises(InputError, match="UNION format") as caught:
        union_files(corpus)
    assert words in str(caught.value)
