"""Tables read row by row bring what tables read whole do, and are refused for the same reasons."""

import csv
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.formats.scores import MetricColumn
from core.formats.stories import blocks
from core.formats.stories.blocks import StoryBlock, stories_from, survey_of
from core.formats.stories.choice import StoryChoice
from core.formats.stories.overview import overview
from core.formats.stories.survey import StorySurvey
from core.formats.tables import RowFilter, choose_columns, read_table, select_rows, stories_of
from core.home import ROOT
from core.stories import Source, Story, StoryRecord, name_of, sentences
from tests.core.formats.stories.whole import repeats, scores_beside

Rows = Sequence[dict[str, str]]
COLUMNS = ("id", "prompt_id", "prompt", "system", "source", "text", "reference", "taste")
TABLES = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.sampled_from(["", "a", "b", "c", "d", "p-human-1"]),
            "prompt_id": st.sampled_from(["", "p", "q"]),
            "prompt": st.sampled_from(["", "One day.", "Once."]),
            "system": st.sampled_from(["", "gpt", "human", "negative"]),
            "source": st.sampled_from(["", "", "", "human", "System"]),
            "text": st.sampled_from(["", "He ran.", "She sat. They left.", " 3.5 miles ", "Ünïcode …"]),
            "reference": st.sampled_from(["", "", "A person's.", "Another's"]),
            "taste": st.sampled_from(["0.5", "-1", "2"]),
        }
    ),
    min_size=1,
    max_size=8,
)


def written(path: Path, rows: Rows) -> Path:
    """The rows in the format of the path's suffix."""
    suffix = path.suffix
    columns = list(rows[0])
    if suffix in (".csv", ".tsv"):
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, columns, delimiter="\t" if suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif suffix == ".json":
        path.write_text(json.dumps(rows))
    else:
        pd.DataFrame(rows).to_parquet(path, row_group_size=5_000)
    return path


def whole(path: Path, choice: StoryChoice) -> tuple[list[StoryRecord], tuple[str, ...], list[dict[str, float]]]:
    """What the readers of whole tables make of it."""
    table = select_rows(read_table(path), RowFilter(choice.rows))
    chosen = choose_columns(table, dict(choice.columns))
    corpus = stories_of(table, chosen, defaults=False, sources=dict(choice.sources), once=choice.once)
    keys = {story.key for story in corpus.stories if story.source is not Source.HUMAN}
    scores = scores_beside(path, table, chosen, choice.scores, keys)
    names = names_by_place(path, corpus.stories)
    records = [renamed(record, names) for record in corpus.stories]
    return records, corpus.notices, [{names.get(key, key): n for key, n in s.values.items()} for s in scores]


def names_by_place(path: Path, records: Sequence[StoryRecord]) -> dict[str, str]:
    """What stories without ids are called instead of their places, by these."""
    names, seen = {}, Counter[str]()
    for record in records:
        if re.fullmatch(rf"{path.stem}-\d+", record.key):
            name = name_of(record.prompt, record.system, record.text)
            seen[name] += 1
            names[record.key] = name if seen[name] == 1 else f"{name}-{seen[name]}"
    return names


def renamed(record: StoryRecord, names: Mapping[str, str]) -> StoryRecord:
    prompt_key = names.get(record.prompt_key, record.prompt_key)
    key = names.get(record.key, record.key)
    if key.startswith(f"{record.prompt_key}-human-"):
        key = key.replace(record.prompt_key, prompt_key, 1)
    return replace(record, key=key, prompt_key=prompt_key)


def streamed(path: Path, choice: StoryChoice) -> tuple[StorySurvey, list[StoryBlock]]:
    """What row by row comes of it; raises InputError where that is to be said."""
    messages = list(stories_from(path, choice))
    (survey,) = (message for message in messages if isinstance(message, StorySurvey))
    if survey.problem:
        raise InputError(survey.problem)
    return survey, [message for message in messages if isinstance(message, StoryBlock)]


def together(parts: Sequence[StoryBlock], name: str) -> list[str]:
    return list(chain.from_iterable(getattr(part, name) for part in parts))


def check_equal(path: Path, choice: StoryChoice) -> None:
    """Both ways end alike: in the same stories, or in the same refusal."""
    refused = ""
    try:
        records, notices, scores = whole(path, choice)
    except InputError as error:
        refused = str(error)
    if refused:
        with pytest.raises(InputError) as refusal:
            streamed(path, choice)
        assert str(refusal.value) == refused
        return
    survey, parts = streamed(path, choice)
    found = zip(
        *(together(parts, name) for name in ("keys", "prompt_keys", "prompts", "texts", "sources", "systems")),
        strict=True,
    )
    assert [StoryRecord(*row[:4], Source(row[4]), row[5]) for row in found] == records
    assert survey.total == len(records)
    assert survey.notices == notices
    assert together(parts, "sentences") == [json.dumps(sentences(record.text)) for record in records]
    people: dict[str, list[str]] = {}
    for record in records:
        if record.source is Source.HUMAN:
            people.setdefault(record.prompt_key, []).append(record.text)
    hashes = [Story(r.text, r.prompt, tuple(people.get(r.prompt_key, ()))).content_hash for r in records]
    assert together(parts, "hashes") == hashes
    for place, values in enumerate(scores):
        given_scores = chain.from_iterable(part.scores[place] for part in parts)
        kept = zip(together(parts, "keys"), given_scores, strict=True)
        assert {key: value for key, value in kept if value == value} == values


@given(rows=TABLES, once=st.booleans(), people=st.booleans(), scored=st.booleans())
def test_rows_come_to_what_the_whole_table_does(
    tmp_path_factory: pytest.TempPathFactory, rows: Rows, once: bool, people: bool, scored: bool
) -> None:
    path = written(tmp_path_factory.mktemp("tables") / "theirs.csv", rows)
    choice = StoryChoice(
        sources=(("human", Source.HUMAN), ("negative", Source.NEGATIVE)) if people else (),
        scores=(MetricColumn("liked", "taste", negate=people),) if scored else (),
        once=once,
    )
    check_equal(path, choice)
    table = read_table(path)
    assert survey_of(path, choice).repeats == repeats(table, choose_columns(table, {}))


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "jsonl", "parquet"])
@pytest.mark.parametrize("size", [2, 5_000])
def test_every_format(tmp_path: Path, suffix: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", size)
    rows = [
        {
            **dict.fromkeys(COLUMNS, ""),
            "id": str(number),
            "prompt": f"Day {number // 3}.",
            "system": f"s{number % 3}",
            "text": f'He said "{number}",\nand left.',
            "reference": "A person's." if number % 3 == 0 else "",
        }
        for number in range(9)
    ]
    path = written(tmp_path / f"theirs.{suffix}", rows)
    check_equal(path, StoryChoice())
    check_equal(path, StoryChoice(rows=(("system", "s1"),)))
    check_equal(path, StoryChoice(rows=(("system", "nobody"),)))
    check_equal(path, StoryChoice(columns=(("text", "system+text"),)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.csv", b" \n "),
        ("a.csv", b"PK\x03\x04 and more"),
        ("a.csv", b"text\nOne.\n\xff\xfe\n"),
        ("a.csv", b"text,text\na,b\n"),
        ("a.csv", b"text\n"),
        ("a.csv", b"text,id\na\n"),
        ("a.csv", b'text\n"a\n'),
        ("a.csv", b"text\na\0b\n"),
        ("a.csv", b"words\na\n"),
        ("a.csv", b"text;id\na;1\nb;1\n"),
        ("a.csv", b"text,source\na,robot\n"),
        ("a.csv", b"id,text\n1,a\n1,b\n2," + b"x" * 100_001 + b"\n"),
        ("a.csv", b"id,text\n" + b"x" * 201 + b",a\n"),
        ("a.csv", b"id,text,prompt_id,prompt\n1,a,p,One.\n2,b,p,Two.\n"),
        ("a.tsv", b'text\tid\nsay "a"\t1\n'),
        ("a.jsonl", b'{"text": "a"}\n\n'),
        ("a.jsonl", b'{"text": "a"}\n[1]\n'),
        ("a.jsonl", b'{"text": {"a": 1}}\n'),
        ("a.jsonl", b'{"text": "\\ud800"}\n'),
        ("a.jsonl", b'{"story": "a"}\r\n{"story": "b", "prompt": ["p", "q"]}\r\n'),
        ("a.jsonl", b'{"id": 1, "text": "a"}\n{"id": 1.5, "text": null}\n'),
        ("a.json", b"{}"),
        ("a.json", b'[{"text": "a"}, 1]'),
        ("a.xlsx", b"x"),
        ("a.parquet", b"x"),
        ("a.txt", b'\xef\xbb\xbfOne.\r\n\n  \nTwo, "three".\tFour.\x0cFive.'),
        ("a.txt", b"One.\n\nT\0wo.\n"),
        ("a.txt", b"One.\n\nOne.\nTwo.\n"),
        ("a.txt", b"fine\nna\xefve\n"),
        ("a.txt", b" \n\n"),
    ],
)
def test_the_same_sentence_for_what_cannot_be_used(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    check_equal(path, StoryChoice())
    check_equal(tmp_path / f"not-there-{name}", StoryChoice())


def test_columns_and_scores_that_are_not_there(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", [dict.fromkeys(COLUMNS, "x")])
    for choice in (
        StoryChoice(columns=(("text", "words"),)),
        StoryChoice(columns=(("words", "text"),)),
        StoryChoice(rows=(("words", "x"),)),
        StoryChoice(scores=(MetricColumn("words"),)),
        StoryChoice(scores=(MetricColumn("taste"),)),
        StoryChoice(scores=(MetricColumn("taste"), MetricColumn("taste"))),
        StoryChoice(scores=(MetricColumn(" "),)),
    ):
        check_equal(path, choice)


SOME = "id,system,source,text,taste\na,one,system,He ran.,0.5\nb,one,system,He sat.,\nc,,human,She left.,\n"


def test_a_story_whose_cell_is_empty_has_no_score(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(SOME, encoding="utf-8")
    assert overview(path).scores("id", ()) == ["taste"]
    choice = StoryChoice(scores=(MetricColumn("liked", "taste", negate=True),))
    survey = survey_of(path, choice)
    assert survey.problem == ""
    assert survey.notices == ("1 of 2 stories have a score of liked; its other cells are empty.",)
    (block,) = [message for message in stories_from(path, choice) if isinstance(message, StoryBlock)]
    assert block.scores == [pytest.approx([-0.5, float("nan"), float("nan")], nan_ok=True)]


@pytest.mark.parametrize(
    ("text", "problem", "offered"),
    [
        (SOME.replace("0.5", ""), "a.csv: the column 'taste' has no score of a system's story.", []),
        (SOME.replace("0.5", "n/a"), "a.csv, line 2: 'n/a' is not a number.", []),
        (SOME.replace("0.5", "").replace("left.,", "left.,1"), "the column 'taste' has no score of a", ["taste"]),
    ],
)
def test_a_column_without_a_score_of_a_system_s_story_is_none(
    tmp_path: Path, text: str, problem: str, offered: list[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    assert overview(path).scores("id", ()) == offered
    assert problem in survey_of(path, StoryChoice(scores=(MetricColumn("taste"),))).problem


def test_a_reference_that_needs_a_story_s_id(tmp_path: Path) -> None:
    first = {"id": "1", "prompt_id": "p", "text": "a", "reference": "By a person."}
    needed = stories_of(read_table(written(tmp_path / "a.csv", [first]))).stories[1].key
    check_equal(written(tmp_path / "b.csv", [first, {**first, "id": needed, "text": "b"}]), StoryChoice())


PEAK = """
import sys
from pathlib import Path
from core.formats.stories.blocks import StoryBlock, stories_from
from core.formats.stories.choice import StoryChoice
found = stories_from(Path(sys.argv[1]), StoryChoice())
stories = sum(len(message) for message in found if isinstance(message, StoryBlock))
# Not `ru_maxrss`, which begins with what the parent takes.
print(stories, next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nothing says what a process has taken")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, suffix: str) -> None:
    """Four times as many rows, 15 MB more of text: what the process takes grows by hashes alone."""
    peaks = []
    for size in (10_000, 40_000):
        rows = [
            {"id": str(n), "prompt": f"Day {n // 10}.", "text": f"He said {n}. " + "She went on and on. " * 25}
            for n in range(size)
        ]
        path = written(tmp_path / f"{size}.{suffix}", rows)
        words = [sys.executable, "-W", "ignore", "-c", PEAK, str(path)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True)
        stories, peak = done.stdout.split()
        assert int(stories) == size
        peaks.append(int(peak) / 1024)
    assert peaks[1] - peaks[0] < 32  # as tables of dictionaries they took four times as much


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "json", "parquet"])
@pytest.mark.parametrize("once", [False, True])
def test_rows_with_an_empty_story_are_left_out_and_named(tmp_path: Path, suffix: str, once: bool) -> None:
    rows = [{"system": "gpt", "text": text} for text in ("He ran.", "", "She sat.", "  ", "He ran.")]
    path = written(tmp_path / f"t.{suffix}", rows)
    places = {"csv": "lines 3 and 5", "jsonl": "lines 2 and 4", "json": "items 2 and 4"}.get(suffix, "rows 2 and 4")
    found = survey_of(path, StoryChoice(once=once)).empty
    assert (found.number, found.named, found.left_out) == (2, places, False)
    left = survey_of(path, StoryChoice(once=once, without_empty=True))
    assert left.notices[0] == f"2 rows left out, as the story is empty: {places}."
    assert left.stories == {Source.SYSTEM: 2 if once else 3}
    messages = stories_from(path, StoryChoice(once=once, without_empty=True))
    (block,) = [message for message in messages if isinstance(message, StoryBlock)]
    assert block.texts == ["He ran.", "She sat.", *([] if once else ["He ran."])]
    first, second = (name_of("", "gpt", text) for text in ("He ran.", "She sat."))
    assert block.keys == [first, second, *([] if once else [f"{first}-2"])]


def test_a_table_of_nothing_but_empty_stories_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", [{"system": "gpt", "text": ""}] * 7)
    assert survey_of(path, StoryChoice()).empty.named == "lines 2, 3, 4, 5, 6 and 2 more"
    problem = survey_of(path, StoryChoice(without_empty=True)).problem
    assert problem == "Every story of t.csv is empty: nothing is left to import."


def test_names_come_in_as_placeholders_where_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,system,prompt,text,reference\ntom,anna,Tom ran.,then sarah sat .,Tom hid.\n", encoding="utf-8")
    (block,) = [part for part in stories_from(path, StoryChoice(masked=True)) if isinstance(part, StoryBlock)]
    assert (block.keys[0], block.systems[0]) == ("tom", "anna")
    assert block.prompts == ["[MALE] ran."] * 2
    assert block.texts == ["then [FEMALE] sat .", "[MALE] hid."]
    (block,) = [part for part in stories_from(path, StoryChoice()) if isinstance(part, StoryBlock)]
    assert block.texts == ["then sarah sat .", "Tom hid."]
