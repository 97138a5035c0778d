"""Tables of stories: formats, columns, prompts and references."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core.errors import InputError
from core.formats.tables import RowFilter, Table, read_stories, read_table, stories_of, texts_of
from core.stories import LONGEST_STORY, Source, Story, StoryRecord
from tests.core.formats.stories.whole import repeats

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
QUOTED = (".csv", ".json", ".jsonl", ".parquet")
"""Formats that hold line breaks and quotation marks; TSV has no quoting."""
ROWS = [
    {"id": "a", "text": "It rained.", "prompt": "Outside", "system": "s2s", "reference": "We stayed in."},
    {"id": "b", "text": 'He said "go",\nand left.', "prompt": "Outside", "system": "gpt", "reference": "We stayed in."},
    {"id": "c", "text": "The dog\tran.", "prompt": "A dog", "system": "", "reference": "It came back."},
]


def write(folder: Path, suffix: str, rows: list[dict[str, Any]]) -> Path:
    file = folder / f"stories{suffix}"
    frame = pd.DataFrame(rows)
    match suffix:
        case ".json":
            file.write_text(json.dumps(rows), encoding="utf-8")
        case ".jsonl":
            file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        case ".parquet":
            frame.to_parquet(file)
        case _:
            frame.to_csv(file, index=False, sep="\t" if suffix == ".tsv" else ",")
    return file


def human(prompt: str, text: str) -> str:
    """The key of a reference: known by its text, so that another file may bring it again."""
    return f"{prompt}-human-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def refusal(file: Path, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_stories(file, **options)
    return str(caught.value)


def table(*rows: dict[str, Any]) -> Table:
    return Table("stories.csv", tuple(dict.fromkeys(key for row in rows for key in row)), rows)


@pytest.mark.parametrize("suffix", QUOTED)
def test_every_format_gives_the_same_stories(tmp_path: Path, suffix: str) -> None:
    corpus = read_stories(write(tmp_path, suffix, ROWS))
    assert (corpus.scheme, corpus.ratings, corpus.scores, corpus.notices) == ("", (), (), ())
    assert corpus.stories == (
        StoryRecord("a", "Outside", "Outside", "It rained.", Source.SYSTEM, "s2s"),
        StoryRecord("b", "Outside", "Outside", 'He said "go",\nand left.', Source.SYSTEM, "gpt"),
        StoryRecord("c", "A dog", "A dog", "The dog\tran.", Source.SYSTEM, ""),
        StoryRecord(human("Outside", "We stayed in."), "Outside", "Outside", "We stayed in.", Source.HUMAN),
        StoryRecord(human("A dog", "It came back."), "A dog", "A dog", "It came back.", Source.HUMAN),
    )


def test_a_text_has_a_story_a_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes(b'text\r\n\n  \nHe ran, "fast".\tShe too. \n')
    read = read_table(file)
    assert [read.where(index) for index in range(len(read.rows))] == ["mine.txt, line 1", "mine.txt, line 4"]
    assert read_stories(file).stories == (
        StoryRecord("mine-1", "mine-1", "", "text", Source.SYSTEM, ""),
        StoryRecord("mine-2", "mine-2", "", 'He ran, "fast".\tShe too.', Source.SYSTEM, ""),
    )


STRANGE = [
    "😀 👩‍👩‍👧 family",
    "ذهب الولد \u200fإلى المدرسة",
    "<script>alert(1)</script>",
    "<b>bold</b> &amp; &lt;",
    "$x$ and $$y$$",
    ":red[x] **bold** [a](b)",
    "=1+1",
    '@SUM(A1) "quoted", comma',
    "NA",
    "null",
    "1e5",
    "007",
    "two  spaces\nand lines",
    "e\u0301 é",
]


@pytest.mark.parametrize("suffix", QUOTED)
def test_texts_are_kept_exactly(tmp_path: Path, suffix: str) -> None:
    corpus = read_stories(write(tmp_path, suffix, [{"text": text, "prompt": text} for text in STRANGE]))
    assert [story.text for story in corpus.stories] == STRANGE
    assert [story.prompt for story in corpus.stories] == STRANGE


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".parquet"])
@pytest.mark.parametrize("name", ["sentences", "sections"])
def test_lists_of_sentences_are_joined(tmp_path: Path, suffix: str, name: str) -> None:
    rows: list[dict[str, Any]] = [{name: ["It rained. ", "We stayed in."]}, {name: []}]
    corpus = read_stories(write(tmp_path, suffix, rows))
    assert [story.text for story in corpus.stories] == ["It rained. We stayed in.", ""]
    assert corpus.notices == ("1 story is empty: metrics leave such stories undefined.",)


def test_the_default_columns_have_an_order() -> None:
    row = {"story": "4", "sections": "3", "sentences": "2", "text": "1"}
    for number, name in enumerate(("text", "sentences", "sections", "story"), start=1):
        assert stories_of(table(row)).stories[0].text == str(number)
        del row[name]


def test_mapping_chooses_columns() -> None:
    row = {"text": "wrong", "out": "Right.", "given": "A prompt.", "model": "gpt", "gold": "A human."}
    corpus = stories_of(table(row), {"text": "out", "prompt": "given", "system": "model", "reference": "gold"})
    assert corpus.stories[0] == StoryRecord("stories-1", "A prompt.", "A prompt.", "Right.", Source.SYSTEM, "gpt")
    assert corpus.stories[1].text == "A human."
    assert stories_of(table(row), {"prompt": "given"}).stories[0].text == "wrong"


def test_without_defaults_only_mapped_columns_count() -> None:
    records = stories_of(table({"text": "One.", "system": "gpt"}), {"text": "text"}, defaults=False).stories
    assert records == (StoryRecord("stories-1", "stories-1", "", "One."),)


def test_mapping_refusals() -> None:
    rows = table({"body": "One.", "prompt": "p"})
    for mapping, message in (
        (
            {},
            "stories.csv has no column for the story's text; say which one holds it. Its columns are: body, prompt.",
        ),
        ({"text": "story"}, "stories.csv has no column 'story'; its columns are: body, prompt."),
        ({"title": "body"}, "There is no field 'title' to map; there are text, prompt, system, reference, id"),
    ):
        with pytest.raises(InputError) as caught:
            stories_of(rows, mapping)
        assert str(caught.value).startswith(message)


def test_where_filters_rows() -> None:
    rows = table(*({"text": f"Story {i}.", "split": "test" if i % 2 else "train", "n": i} for i in range(5)))
    records = stories_of(rows, where=RowFilter((("split", " TEST"),))).stories
    assert [(story.key, story.text) for story in records] == [("stories-2", "Story 1."), ("stories-4", "Story 3.")]
    assert [
        s.text for s in stories_of(rows, where=RowFilter((("split", "train"), ("n", "2"), ("n", "9")))).stories
    ] == ["Story 2."]
    for where, message in (
        ((("fold", "1"),), "stories.csv has no column 'fold'; its columns are: text, split, n."),
        ((("split", "test"), ("n", "2"), ("n", "4")), "No row of stories.csv has split=test and n=2 or n=4."),
    ):
        with pytest.raises(InputError) as caught:
            stories_of(rows, where=RowFilter(where))
        assert str(caught.value) == message


def test_sources() -> None:
    rows = [{"text": "a", "source": s} for s in ("human", "System", "NEGATIVE", "")]
    assert [s.source for s in stories_of(table(*rows)).stories] == ["human", "system", "negative", "system"]
    with pytest.raises(
        InputError, match=r"^stories\.csv, row 2: a source is human, system or negative, not 'robot'\.$"
    ):
        stories_of(table(rows[0], {"text": "a", "source": "robot"}))


def test_references_become_human_stories_once() -> None:
    texts = ["one", "two", "one", "", "three"]
    rows = [{"text": f"Story {i}.", "prompt": "p", "reference": text} for i, text in enumerate(texts)]
    rows.append({"text": "Last.", "prompt": "q", "reference": "one"})
    human_stories = [s for s in stories_of(table(*rows)).stories if s.source is Source.HUMAN]
    assert [(s.key, s.prompt_key, s.text) for s in human_stories] == [
        (human("p", "one"), "p", "one"),
        (human("p", "two"), "p", "two"),
        (human("p", "three"), "p", "three"),
        (human("q", "one"), "q", "one"),
    ]


def test_a_long_prompt_may_have_two_references() -> None:
    rows = [{"text": f"Story {i}.", "prompt": "p" * 250, "reference": f"Reference {i}."} for i in range(2)]
    keys = [story.key for story in stories_of(table(*rows)).stories]
    assert len(set(keys)) == 4


def test_prompt_ids_hold_stories_together() -> None:
    rows = [{"text": "a", "prompt_id": "7", "prompt": "p"}, {"text": "b", "prompt_id": "8", "prompt": "p"}]
    assert [story.prompt_key for story in stories_of(table(*rows)).stories] == ["7", "8"]
    with pytest.raises(InputError, match=r"^stories\.csv, row 2: the prompt '7' has another text on an earlier row\.$"):
        stories_of(table(rows[0], {"text": "b", "prompt_id": "7", "prompt": "other"}))


def test_an_id_stands_once() -> None:
    with pytest.raises(InputError, match=r"row 3: the id 'a' stands on an earlier row too; every id must be unique\.$"):
        stories_of(table(*({"text": "x", "id": name} for name in "aba")))
    with pytest.raises(InputError, match="is needed for a reference; rename that row's id"):
        stories_of(table({"text": "x", "id": human("p", "r"), "prompt": "p", "reference": "r"}))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_missing_text_column_lists_the_columns(tmp_path: Path, suffix: str) -> None:
    message = refusal(write(tmp_path, suffix, [{"body": "One.", "title": "T"}]))
    assert message == (
        f"stories{suffix} has no column for the story's text; say which one holds it. Its columns are: body, title."
    )


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_limits_of_a_text(tmp_path: Path, suffix: str) -> None:
    words = " ".join(["word"] * 5000)
    longest = "a" * LONGEST_STORY
    records = read_stories(write(tmp_path, suffix, [{"text": words}, {"text": longest}])).stories
    assert [story.text for story in records] == [words, longest]
    place = {".json": "item 2", ".jsonl": "line 2", ".parquet": "row 2"}.get(suffix, "line 3")
    message = refusal(write(tmp_path, suffix, [{"text": "fine"}, {"text": longest + "a"}]))
    assert message.startswith(f"stories{suffix}, {place}: the text has 100,001 characters and the most is 100,000;")
    message = refusal(write(tmp_path, suffix, [{"text": "fine"}, {"text": "a\0b"}]))
    assert message == f"stories{suffix}, {place}: the text holds a NUL byte; remove it."


def test_texts_are_what_metrics_see() -> None:
    rows = table({"story": "One.", "prompt": "p", "reference": "r"}, {"story": "One.", "prompt": None, "reference": ""})
    assert texts_of(rows) == [Story("One.", "p", ("r",)), Story("One.")]
    assert texts_of(rows, {"text": "prompt"}) == [Story("p", "p", ("r",)), Story("")]


def test_a_table_names_its_rows(tmp_path: Path) -> None:
    result = read_table(write(tmp_path, ".jsonl", ROWS))
    assert (result.where(0), result.where(2)) == ("stories.jsonl, line 1", "stories.jsonl, line 3")
    assert result.columns == ("id", "text", "prompt", "system", "reference")


def test_a_csv_may_have_semicolons(tmp_path: Path) -> None:
    file = tmp_path / "stories.csv"
    file.write_text(
        '\ufeffid;text;system\r\na;"It rained; we stayed, of course.";gpt\r\nb;Dry, warm.;s2s\r\n', encoding="utf-8"
    )
    result = [(story.key, story.text, story.system) for story in read_stories(file).stories]
    assert result == [("a", "It rained; we stayed, of course.", "gpt"), ("b", "Dry, warm.", "s2s")]
    file.write_text("id,text;of a story\na,One.\n", encoding="utf-8")
    assert read_table(file).columns == ("id", "text;of a story")  # a comma in the first line separates
    file.write_text("text;note\nOne, two.;x\nThree.\n", encoding="utf-8")
    assert "line 3: 1 fields, but the first line names 2" in refusal(file)


def test_columns_are_joined() -> None:
    rows = table({"s1": "One. ", "s2": "", "s3": "Three."})
    assert stories_of(rows, {"text": "s1+s2+s3"}).stories[0].text == "One. Three."


def test_systems_may_be_people_or_negatives() -> None:
    rows = [{"text": f"By {name}.", "prompt": "p", "system": name} for name in ("human", "gpt", "corrupted")]
    plain = stories_of(table(*rows))
    assert plain.called_like_controls() == {"human": Source.HUMAN, "corrupted": Source.NEGATIVE}
    corpus = stories_of(table(*rows), sources=plain.called_like_controls())
    assert [(story.system, story.source) for story in corpus.stories] == [
        ("human", Source.HUMAN), ("gpt", Source.SYSTEM), ("corrupted", Source.NEGATIVE),
    ]  # fmt: skip
    assert corpus.called_like_controls() == {}
    marked = [row | {"source": "system"} for row in rows]
    assert {story.source for story in stories_of(table(*marked), sources={"human": Source.HUMAN}).stories} == {"system"}


def rated(**changed: str) -> list[dict[str, str]]:
    """Two raters of each of two stories."""
    return [{"prompt": "p", "text": text, "rater": rater, **changed} for text in "ab" for rater in "xy"]


def test_a_table_of_ratings_is_told_from_stories() -> None:
    columns = {"text": "text", "prompt": "prompt"}
    result = repeats(table(*rated()), columns)
    assert (result.rows, result.stories, result.of_ratings) == (4, 2, True)
    assert result.sentence == "This looks like a table of ratings: 4 rows, 2 different stories."
    few = [{"prompt": "p", "text": text} for text in "abcdefa"]
    result = repeats(table(*few), columns)
    assert (result.rows, result.stories, result.of_ratings) == (7, 6, False)
    same_id = [{"id": name, "prompt": "p", "text": name} for name in "abcdefa"]
    assert repeats(table(*same_id), columns | {"id": "id"}).of_ratings
    other_text = [{"id": "a", "prompt": "p", "text": name} for name in "ab"]
    assert not repeats(table(*other_text), columns | {"id": "id"}).of_ratings
    empty = [{"prompt": "p", "text": ""}] * 4
    assert not repeats(table(*empty), columns).of_ratings


def test_each_story_once() -> None:
    corpus = stories_of(table(*rated()), once=True)
    assert [(story.key, story.text) for story in corpus.stories] == [("stories-1", "a"), ("stories-3", "b")]
    assert corpus.notices == ("2 rows repeat a story of an earlier row; each story came in once.",)
    assert len(stories_of(table(*rated())).stories) == 4
    with pytest.raises(InputError, match="the id '1' stands on an earlier row too"):
        stories_of(table({"id": "1", "text": "a"}, {"id": "1", "text": "b"}), once=True)
