"""UNION's annotation folder: what is read from it."""

import hashlib
from pathlib import Path

import pytest

from core.formats.corpora.union import read_union
from core.stories import RatingRecord, Source, StoryRecord


def change(folder: Path, name: str, old: str, new: str) -> None:
    """Replace `old`, which must be there, in one file of the folder."""
    file = folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8", newline="")


def test_stories_and_references(union_folder: Path) -> None:
    corpus = read_union(union_folder)
    assert corpus.scheme == "union"
    assert not corpus.raters_identified
    assert corpus.notices == ()
    assert corpus.stories == (
        StoryRecord("0-human", "0", "it rained .", "we stayed in .", Source.HUMAN),
        StoryRecord("line-1", "0", "it rained .", "we got wet . we got wet ."),
        StoryRecord("1-human", "1", "the dog ran .", "it came back .", Source.HUMAN),
        StoryRecord("line-2", "1", "the dog ran .", "it barked ."),
        StoryRecord("line-3", "0", "it rained .", "the sun was a door ."),
    )


def test_votes_with_their_error_types(union_folder: Path) -> None:
    """A code beside a vote of 1 is dropped: line 2 has one."""
    ratings = read_union(union_folder).ratings
    assert len(ratings) == 9
    assert ratings[:6] == (
        RatingRecord("line-1", "rater 1", 0.0, (("repeated plot", 0),)),
        RatingRecord("line-1", "rater 2", 0.0, (("conflicting logic", 0),)),
        RatingRecord("line-1", "rater 3", 1.0),
        RatingRecord("line-2", "rater 1", 1.0),
        RatingRecord("line-2", "rater 2", 1.0),
        RatingRecord("line-2", "rater 3", 1.0),
    )
    assert [r.deductions[0][0] for r in ratings[6:]] == ["chaotic scene", "other", "poor coherence"]


def test_without_the_file_of_codes_there_are_no_types(union_folder: Path) -> None:
    (union_folder / "ant_data_all.txt").unlink()
    ratings = read_union(union_folder).ratings
    assert [r.overall for r in ratings] == [0, 0, 1, 1, 1, 1, 0, 0, 0]
    assert all(r.deductions == () for r in ratings)


def test_a_file_of_codes_that_repeats_the_votes_has_no_types(union_folder: Path) -> None:
    """WritingPrompts was released so; a vote of 1 is no code of 1."""
    (union_folder / "ant_data_all.txt").write_bytes((union_folder / "ant_data.txt").read_bytes())
    ratings = read_union(union_folder).ratings
    assert [r.overall for r in ratings] == [0, 0, 1, 1, 1, 1, 0, 0, 0]
    assert all(r.deductions == () for r in ratings)


def test_scores(union_folder: Path) -> None:
    scores = {record.metric: record for record in read_union(union_folder).scores}
    assert set(scores) == {"bleu", "ruber", "ppl"}
    assert scores["bleu"].values == {"line-1": 0.1, "line-2": 0.2, "line-3": 0.3}
    assert scores["ruber"].values == {"line-1": 1.0, "line-2": -2.0, "line-3": 0.3}
    assert scores["ppl"].values == {"line-1": -20.5, "line-2": -30.0, "line-3": -40.0}


def test_a_score_is_signed_with_its_file(union_folder: Path) -> None:
    scores = {record.metric: record.signature for record in read_union(union_folder).scores}
    digest = hashlib.sha256(b"0.1\n0.2\n0.3\n").hexdigest()[:12]
    assert scores["bleu"] == f"file:{digest}"
    assert scores["ppl"].startswith("file:")
    assert scores["ppl"].endswith("|negated")
    change(union_folder, "metric_output/bleu.txt", "0.3", "0.4")
    assert {r.metric: r.signature for r in read_union(union_folder).scores}["bleu"] != f"file:{digest}"


def test_a_folder_without_scores(union_folder: Path) -> None:
    for file in (union_folder / "metric_output").iterdir():
        file.unlink()
    (union_folder / "metric_output").rmdir()
    assert read_union(union_folder).scores == ()


def test_windows_line_ends_and_byte_order_mark(union_folder: Path) -> None:
    expected = read_union(union_folder)
    for file in (*union_folder.glob("*_*.txt"), *union_folder.glob("metric_output/*.txt")):
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    corpus = read_union(union_folder)
    assert (corpus.stories, corpus.ratings) == (expected.stories, expected.ratings)
    assert [record.values for record in corpus.scores] == [record.values for record in expected.scores]


def test_only_a_line_feed_ends_a_line(union_folder: Path) -> None:
    change(union_folder, "ant_data.txt", "it barked .", "it\u2028barked\x0b.\x85")
    assert read_union(union_folder).stories[3].text == "it\u2028barked\x0b."


def test_a_story_may_hold_the_separator(union_folder: Path) -> None:
    change(union_folder, "ant_data.txt", "it barked .", "it barked ||| loud .")
    assert read_union(union_folder).stories[3].text == "it barked ||| loud ."


@pytest.mark.parametrize(
    ("prompt", "line", "story"),
    [
        ("the dog ran .", "the dog ran . it barked .", "it barked ."),
        ("the dog ran .", "the dog ran .it barked .", "it barked ."),
        ("the dog ran .", "the dog  ran . it barked .", "it barked ."),
        ("the dog ran .", "a cat sat . it barked .", "a cat sat . it barked ."),
        ("the dog ran .", "the dog ran", "the dog ran"),
        ("the dog ran .", "the dog ran .", ""),
        ("the dog’s tail .", "the dogâ€™s tail . it barked .", "it barked ."),
        ("the dogâ€™s tail .", "the dog s tail . it barked .", "it barked ."),
        ("naïve dog .", "na\ufffd\ufffdve dog . it barked .", "it barked ."),
        pytest.param("naïve dog .", "na\ufffdve dog .", ""),
    ],
)
def test_the_prompt_is_taken_off_its_story(union_folder: Path, prompt: str, line: str, story: str) -> None:
    """Even where one of the two holds broken characters."""
    change(union_folder, "reference_ipt.txt", "the dog ran .", prompt)
    change(union_folder, "ant_data.txt", "the dog ran . it barked .", line)
    record = read_union(union_folder).stories[3]
    assert (record.prompt, record.text) == (prompt, story)


def test_an_empty_story_is_data_with_a_notice(union_folder: Path) -> None:
    change(union_folder, "ant_data.txt", "the dog ran . it barked .", "the dog ran .")
    assert read_union(union_folder).notices == ("1 story is empty: metrics leave such stories undefined.",)
    change(union_folder, "ant_data.txt", "it rained . the sun was a door .", "")
    assert read_union(union_folder).notices == ("2 stories are empty: metrics leave such stories undefined.",)


def test_the_released_folders(shared: Path) -> None:
    for name, stories, typed in (("union-roc", 400, True), ("union-wp", 200, False)):
        corpus = read_union(shared / name)
        records = [story for story in corpus.stories if story.source is Source.SYSTEM]
        assert len(records) == stories
        assert len(corpus.ratings) == 7 * stories
        assert any(r.deductions for r in corpus.ratings) is typed
        assert len(corpus.scores) == 10
        assert not any(story.text.startswith(story.prompt) for story in records)
