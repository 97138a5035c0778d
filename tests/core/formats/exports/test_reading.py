"""Exports read back, and exports that something happened to."""

import csv
import io
import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import zips
from core.formats.exports.encoding import encoded
from core.formats.exports.package import table_files, write_file, zipped
from core.formats.exports.reading import read_export
from core.formats.exports.rows import TABLES, AnyRow, ExportedStory
from core.formats.manifest import NAME
from core.stories import Source, StoryRecord
from tests.core.formats.exports.conftest import (
    ANN,
    HEAD,
    MARKED,
    PANELS,
    RATINGS,
    SCORES,
    STORIES,
    WHEN,
    exportable,
    folder_of,
    panel,
    rated,
)


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_export(path)
    return str(caught.value)


def test_everything_comes_back(tmp_path: Path, kind: str) -> None:
    restored = read_export(folder_of(tmp_path / "out", kind))
    assert restored.manifest is not None
    assert restored.manifest.study == HEAD
    assert restored.stories == tuple(
        StoryRecord(s.story_id, s.prompt_id, s.prompt, s.story, Source(s.source), s.system) for s in STORIES
    )
    for restored_panel, sent in zip(restored.panels, PANELS, strict=True):
        for name in ("annotator", "state", "valid", "reason", "overridden", "payment", "appeal", "asked_at"):
            assert getattr(restored_panel, name) == getattr(sent, name), name
        assert (restored_panel.started_at, restored_panel.submitted_at) == (sent.started_at, sent.submitted_at)
        assert (list(restored_panel.stories), restored_panel.prompt_key, restored_panel.order_row) == (
            sent.stories,
            sent.prompt_id,
            sent.order_row,
        )
    assert [item.person for item in restored.panels] == [True, True, False, True]
    assert [rating.overall for rating in restored.ratings] == [row.overall for row in RATINGS]
    assert [rating.panel for rating in restored.ratings] == [0, 0, 0, 1, 2, 3]
    assert (restored.ratings[1].deductions, restored.ratings[1].evidence) == (MARKED["deductions"], MARKED["evidence"])
    assert all(rating.saved_at == WHEN for rating in restored.ratings)
    assert restored.notices == ("1 story is empty: metrics leave such stories undefined.",)


def test_folder_zip_and_any_file_beside_the_manifest_are_the_same(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path / "out", kind)
    packed = tmp_path / "out.zip"
    write_file(zipped(table_files(exportable(), kind, "0.1.0", WHEN)), packed)
    nested = tmp_path / "nested.zip"
    with zipfile.ZipFile(nested, "w") as archive:
        for file in folder.iterdir():
            archive.write(file, f"my folder/{file.name}")
        archive.writestr("__MACOSX/my folder/._manifest.json", "x")
    whole = read_export(folder)
    for path in (packed, nested, folder / NAME, folder / f"ratings.{kind}"):
        restored = read_export(path)
        assert (restored.manifest, restored.stories, restored.panels, restored.ratings) == (
            whole.manifest,
            whole.stories,
            whole.panels,
            whole.ratings,
        )


def test_scores_are_read_as_they_were_written(tmp_path: Path, kind: str) -> None:
    folder = folder_of(tmp_path / "out", kind)
    assert [
        (score.story_key, score.metric, score.signature, score.value, score.reason)
        for score in read_export(folder).scores
    ] == [
        (
            exported_score.story_id,
            exported_score.metric,
            exported_score.signature,
            exported_score.value,
            exported_score.reason,
        )
        for exported_score in SCORES
    ]
    twice = folder_of(tmp_path / "twice", kind, scores=[SCORES[0], SCORES[0]])
    assert "has a score of bleu further up" in refusal(twice)
    strange = folder_of(tmp_path / "strange", kind, scores=[replace(SCORES[0], story_id="p9/x")])
    assert "there is no story 'p9/x' in this export" in refusal(strange)
    empty = folder_of(tmp_path / "empty", kind, scores=[replace(SCORES[0], value=None)])
    assert "a score has a value, or else a reason" in refusal(empty)


def test_an_export_from_before_there_were_scores_in_it_is_read(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "out", "csv")
    (folder / "scores.csv").unlink()
    data = json.loads((folder / NAME).read_text(encoding="utf-8"))
    del data["files"]["scores.csv"], data["counts"]["scores"]
    (folder / NAME).write_text(json.dumps(data), encoding="utf-8")
    restored = read_export(folder)
    assert restored.scores == ()
    assert len(restored.ratings) == len(RATINGS)


@pytest.mark.slow
def test_progress_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [rated(panel(number, f"annotator-{number:016x}", ["p1/a"]), STORIES[0], 3.0) for number in range(1, 10_001)]
    panels = [panel(number, f"annotator-{number:016x}", ["p1/a"]) for number in range(1, 10_001)]
    heard: list[tuple[int, int, str]] = []
    read_export(folder_of(tmp_path / "out", "csv", panels=panels, ratings=many), lambda *word: heard.append(word))
    assert heard == [(5_000, 10_000, "Reading"), (10_000, 10_000, "Reading")]


@pytest.mark.parametrize("table", ["stories", "panels", "ratings", "scores"])
def test_a_changed_file_is_refused(tmp_path: Path, kind: str, table: str) -> None:
    folder = folder_of(tmp_path / "out", kind)
    file = folder / f"{table}.{kind}"
    content = file.read_bytes()
    file.write_bytes(content.replace(b"p1", b"p3").replace(b"bleu", b"blue"))
    assert f"{table}.{kind} is not the file that was exported" in refusal(folder)
    file.write_bytes(content[: len(content) // 2])
    assert f"{table}.{kind} has" in refusal(folder)
    assert "it was cut or changed" in refusal(folder)
    file.unlink()
    assert f"{table}.{kind} is missing" in refusal(folder)


def test_counts_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "out", "csv")
    data = json.loads((folder / NAME).read_text(encoding="utf-8"))
    data["counts"]["ratings"]["open"] = 4
    (folder / NAME).write_text(json.dumps(data), encoding="utf-8")
    assert refusal(folder) == "ratings.csv has 6 rows, but manifest.json counts 9 (6)."
    del data["files"]["panels.csv"]
    (folder / NAME).write_text(json.dumps(data), encoding="utf-8")
    assert "names no file panels.csv" in refusal(folder)


def test_what_is_no_export(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert refusal(tmp_path / "empty") == (
        "empty holds no manifest.json; give the folder or the zip that the export made."
    )
    assert "There is no file or folder" in refusal(tmp_path / "nothing")
    for name, content, words in (
        ("text.zip", b"text", "is damaged, or no zip"),
        ("empty.zip", b"", "is damaged, or no zip"),
        ("picture.png", b"\x89PNG", "ratings are read from .csv, .tsv, .jsonl, .json and .parquet"),
        (NAME, b"{", "this is not JSON"),
        (NAME, b"[]", "not the manifest of an export"),
        (NAME, b"\xff", "not UTF-8"),
    ):
        (tmp_path / name).write_bytes(content)
        assert words in refusal(tmp_path / name), name
    (tmp_path / NAME).write_bytes(b" " * 5_000_001)
    assert "too long" in refusal(tmp_path)


def test_a_cut_or_foreign_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = b"".join(zipped(table_files(exportable(), "csv", "0.1.0", WHEN)))
    path = tmp_path / "out.zip"
    path.write_bytes(whole[:-40])
    assert "is damaged" in refusal(path)
    path.write_bytes(whole[:100] + bytes([whole[100] ^ 255]) + whole[101:])
    assert "is damaged" in refusal(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ratings.csv", "story_id,overall\n")
    assert "out.zip holds no manifest.json" in refusal(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../manifest.json", "{}")
    assert "not the manifest" in refusal(path)
    assert not (tmp_path.parent / NAME).exists()
    monkeypatch.setattr(zips, "LARGEST", 1_000)
    path.write_bytes(whole)
    assert "unpacks to more than" in refusal(path)


def test_an_export_in_another_programs_format_says_how_to_import_it(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "out", "csv")
    text = (folder / NAME).read_text(encoding="utf-8").replace('"format": "csv"', '"format": "union"')
    (folder / NAME).write_text(text, encoding="utf-8")
    assert "import it as union" in refusal(folder)


BAD = [
    ("ratings", {"overall": 9.0}, "line {}, column 'overall': A rating of 9 is outside the scale 1 to 5."),
    ("ratings", {"overall": 2.5}, "line {}, column 'overall': A rating of 2.5 is outside"),
    ("ratings", {"deductions": {"spelling": 1}}, "line {}, column 'deductions': There is no error type 'spelling'"),
    ("ratings", {"deductions": {"chaotic scenes": 1}}, "line {}, column 'deductions': 1 points for chaotic scenes"),
    ("ratings", {**MARKED, "evidence": {"chaotic scenes": [[0, 99]]}}, "column 'evidence': the passage from 0 to 99"),
    ("ratings", {**MARKED, "evidence": {"chaotic scenes": [[3, 3]]}}, "column 'evidence': the passage from 3 to 3"),
    ("ratings", {**MARKED, "evidence": {"chaotic scenes": [[-1, 3]]}}, "column 'evidence': the passage from -1 to 3"),
    ("ratings", {**MARKED, "evidence": {"repetitive plots": [[0, 1]]}}, "evidence of 'repetitive plots', which is not"),
    ("ratings", {**MARKED, "evidence": {"chaotic scenes": [[0.5, 1]]}}, "column 'evidence': expected an object"),
    ("ratings", {**MARKED, "evidence_text": {"unrelated events": ["they", "😀"]}}, "evidence_text does not say what"),
    ("ratings", {"story_id": "p9"}, "line {}, column 'story_id': the story 'p9' is not in panel 1."),
    ("ratings", {"story_id": "p1/n"}, "line {}, column 'story_id': panel 1 rates 'p1/n' twice."),
    ("ratings", {"panel": 77}, "line {}, column 'panel': there is no panel 77 in this export."),
    ("panels", {"state": "done"}, "line {}, column 'state': a state is open, submitted"),
    ("panels", {"valid": None}, "line {}, column 'valid': True or False of what was handed in"),
    ("panels", {"payment": "late"}, "line {}, column 'payment': a payment is due, paid, withheld or nothing"),
    ("panels", {"stories": ["p1/a", "p2/a"]}, "line {}, column 'stories': the story 'p2/a' belongs to another prompt."),
    ("panels", {"stories": ["p1/a", "p1/a"]}, "line {}, column 'stories': a panel has at least one story, and each"),
    ("panels", {"stories": []}, "line {}, column 'stories': a panel has at least one story, and each"),
    ("panels", {"stories": ["x"]}, "line {}, column 'stories': there is no story 'x' in this export."),
    ("panels", {"story_id": "x"}, "line {}, column 'story_id': there is no story 'x' in this export."),
    ("panels", {"annotator": ANN}, "line {}, column 'annotator': annotator-0123456789abcdef has this prompt"),
    ("panels", {"panel": 1}, "line {}, column 'panel': the number is missing, or stands on an earlier line too."),
    ("panels", {"guideline_version": "x" * 41}, "line {}, column 'guideline_version': there are more than 40"),
    ("stories", {"story_id": "p1/a"}, "line {}, column 'story_id': the id 'p1/a' stands on an earlier line too."),
    ("stories", {"prompt": "It snowed."}, "line {}, column 'prompt': the prompt 'p1' has another text further up."),
    ("stories", {"source": "dog"}, "line {}, column 'source': a source is human, system or negative, not 'dog'."),
    ("stories", {"system": "x" * 201}, "line {}, column 'system': an id or name has at most 200 characters."),
]  # fmt: skip


@pytest.mark.parametrize(("table", "change", "words"), BAD, ids=lambda value: str(value)[:40])
def test_a_row_that_cannot_be_is_named_by_file_line_and_column(
    tmp_path: Path, table: str, change: dict[str, object], words: str
) -> None:
    """With a manifest that fits: somebody made the export wrong."""
    rows: dict[str, list[AnyRow]] = {
        "stories": list(STORIES),
        "panels": list(PANELS),
        "ratings": list(RATINGS),
        "scores": list(SCORES),
    }
    # The second of the ratings (its story spans two lines), the second of the panels, the second of the stories.
    bad = {"ratings": 1, "panels": 1, "stories": 1}[table]
    rows[table][bad] = replace(rows[table][bad], **change)  # type: ignore[type-var]
    sentence = refusal(folder_of(tmp_path / "out", "jsonl", **rows))
    assert sentence.startswith(f"{table}.jsonl, line {bad + 1}, column")
    assert words.format(bad + 1) in sentence


def one_bad_line(line: list[str], names: list[str]) -> list[str]:
    line[names.index("overall")] = "three"
    return line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (one_bad_line, "column 'overall': 'three' is not a number."),
        (lambda line, names: line[:-1], "fields, but the first line names"),
        (
            lambda line, names: [cell.replace("p1/a", "p1\0a") for cell in line],
            "column 'story_id': the text holds a NUL",
        ),
    ],
)
def test_one_bad_line_among_20_000(
    tmp_path: Path, spoil: Callable[[list[str], list[str]], list[str]], words: str
) -> None:
    """The line is named although the hash is wrong too, and both are said."""
    number = 20_000
    rows = (
        replace(RATINGS[0], panel=i, annotator=f"annotator-{i:016x}", story=STORIES[0].story, story_id="p1/a")
        for i in range(1, number + 1)
    )
    panels = [panel(i, f"annotator-{i:016x}", ["p1/a"]) for i in range(1, number + 1)]
    folder = folder_of(tmp_path / "out", "csv", panels=panels, ratings=[])
    text = b"".join(encoded(rows, TABLES["ratings"], "csv")).decode()
    lines = list(csv.reader(io.StringIO(text, newline="")))
    place = 17_777
    lines[place] = spoil(lines[place], lines[0])
    with (folder / "ratings.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(lines)
    sentence = refusal(folder)
    assert "it was cut or changed" in sentence
    # Each story holds a line break, and a spreadsheet counts its row as one all the same.
    assert f"ratings.csv, line {place + 1}, column" in sentence or f"ratings.csv, line {place + 1}: " in sentence
    assert words in sentence


def test_too_long_and_strange_cells(tmp_path: Path) -> None:
    def one(**change: str) -> Path:
        (tmp_path / "ratings.jsonl").write_text(
            json.dumps({"story_id": "a", "overall": 3, **change}) + "\n", encoding="utf-8"
        )
        return tmp_path / "ratings.jsonl"

    assert "line 1, column 'story': the text has 100,001 characters" in refusal(one(story="x" * 100_001))
    assert "line 1, column 'reason': the text holds a NUL byte" in refusal(one(reason="a\0b"))
    assert "line 1, column 'story': the text holds half of a character" in refusal(one(story="\ud800"))
    assert "line 1, column 'deductions': 'maybe' is not JSON." in refusal(one(deductions="maybe"))
    assert "line 1, column 'saved_at': 'soon' is not a time" in refusal(one(saved_at="soon"))
    assert "line 1, column 'valid': 'perhaps' is neither True nor False." in refusal(one(valid="perhaps"))
    assert "line 1, column 'position': '1.5' is not a whole number." in refusal(one(position="1.5"))
    assert "line 1, column 'overall': 'nan' is not" in refusal(one(overall="nan")).replace("nan is", "'nan' is")


def test_equal_exports_have_equal_hashes(tmp_path: Path, kind: str) -> None:
    first, second = folder_of(tmp_path / "1", kind), folder_of(tmp_path / "2", kind)
    assert (first / NAME).read_bytes() == (second / NAME).read_bytes()
    later = replace(PANELS[0], started_at=WHEN + timedelta(microseconds=1))
    third = folder_of(tmp_path / "3", kind, panels=[later, *PANELS[1:]])
    assert (first / NAME).read_bytes() != (third / NAME).read_bytes()


def test_an_export_of_nothing_comes_back(tmp_path: Path, kind: str) -> None:
    restored = read_export(folder_of(tmp_path / "out", kind, stories=[], panels=[], ratings=[], scores=[]))
    assert (restored.stories, restored.panels, restored.ratings) == ((), (), ())
    shutil.rmtree(tmp_path / "out")
    only: list[AnyRow] = [ExportedStory("p", "Go.", "s", "system", "a", "One.")]
    restored = read_export(folder_of(tmp_path / "out", kind, stories=only, panels=[], ratings=[], scores=[]))
    assert len(restored.stories) == 1
