from pathlib import Path

import pytest

from core.errors import InputError
from core.streams.inputs import find, opened
from tests.core.streams.s3_server import GOOD_KEY, serving


def names(addresses: list[str]) -> list[str]:
    return [file.name for file in find(addresses)]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in ("b.jsonl", "a.csv", "notes.md", "_SUCCESS", ".hidden.csv", "2024/c.parquet", "2025/d.jsonl"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("{}\n")
    return tmp_path


def test_a_file_a_folder_and_a_pattern(tree: Path) -> None:
    assert names([str(tree / "b.jsonl")]) == ["b.jsonl"]
    assert names([str(tree)]) == ["c.parquet", "d.jsonl", "a.csv", "b.jsonl"]
    assert names([f"{tree}/*.csv"]) == ["a.csv"]
    assert names([f"{tree}/202?/*"]) == ["c.parquet", "d.jsonl"]
    assert names([f"{tree}/**/*.jsonl"]) == ["d.jsonl", "b.jsonl"]
    assert names([str(tree / "b.jsonl"), f"{tree}/*.jsonl", str(tree / "a.csv")]) == ["b.jsonl", "a.csv"]


def test_plain_texts_are_read_where_they_are_named(tree: Path) -> None:
    for name in ("e.txt", "2024/f.TXT"):
        (tree / name).write_text("It rained.\n")
    assert names([str(tree / "e.txt")]) == ["e.txt"]
    assert names([f"{tree}/*.txt"]) == ["e.txt"]
    assert names([f"{tree}/2024/*.TXT"]) == ["f.TXT"]
    assert names([str(tree)]) == ["c.parquet", "d.jsonl", "a.csv", "b.jsonl"]  # they may be anybody's notes
    assert names([f"{tree}/2024/*"]) == ["c.parquet"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("nothing.csv", "There is no file"),
        ("*.tsv", "There is no file"),
        ("notes.md", "files ending in .md are not known"),
        ("empty", "There is no file"),
        ("a**.csv", "is no pattern"),
    ],
)
def test_what_means_no_file_is_said(tree: Path, address: str, said: str) -> None:
    (tree / "empty").mkdir()
    with pytest.raises(InputError, match=said):
        find([f"{tree}/{address}"])


def test_a_question_mark_in_a_name_on_disk(tmp_path: Path) -> None:
    (tmp_path / "why?.csv").write_text("text\nx\n")
    assert names([str(tmp_path / "why?.csv")]) == ["why?.csv"]


@pytest.fixture
def bucket(tree: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", GOOD_KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return tree.name


def test_addresses_of_s3(tree: Path, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tree.parent) as options:
        assert names([f"s3://{bucket}/b.jsonl?{options}"]) == ["b.jsonl"]
        assert names([f"s3://{bucket}?{options}"]) == ["c.parquet", "d.jsonl", "a.csv", "b.jsonl"]
        assert names([f"s3://{bucket}/202?/*.jsonl?{options}"]) == ["d.jsonl"]
        assert names([f"s3://{bucket}/**/*.jsonl?{options}"]) == ["d.jsonl", "b.jsonl"]
        (file,) = find([f"s3://{bucket}/b.jsonl?{options}"])
        with opened(file) as stream:
            assert stream.read() == b"{}\n"
        for address, said in (
            (f"s3://{bucket}/nothing.csv", "There is no file"),
            ("s3://no-such-bucket/x.csv", "There is no"),
        ):
            with pytest.raises(InputError, match=said):
                find([f"{address}?{options}"])
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "WRONGKEY")
        with pytest.raises(InputError, match="may not be read with these keys"):
            find([f"s3://{bucket}/2024?{options}"])


@pytest.mark.slow
def test_s3_that_does_not_answer(bucket: str) -> None:
    with pytest.raises(InputError, match="cannot be reached"):
        find([f"s3://{bucket}/b.jsonl?scheme=http&endpoint_override=127.0.0.1:9&region=us-east-1"])


def test_addresses_that_are_none(bucket: str) -> None:
    for address, said in (
        ("~nobody-of-that-name/x.csv", "names no file"),
        ("s3://*/x.csv", "names no bucket"),
        (f"s3://{bucket}/x.csv?foo=bar", "is no address of S3"),
    ):
        with pytest.raises(InputError, match=said):
            find([address])


def test_a_link_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "blob").write_text("text\nx\n")
    (tmp_path / "s.csv").symlink_to(tmp_path / "blob")
    (file,) = find([str(tmp_path / "s.csv")])
    assert (file.name, file.suffix) == ("s.csv", ".csv")


def test_what_a_run_writes_is_not_read(tree: Path) -> None:
    out = tree / "2024"
    assert [file.name for file in find([str(tree)], [out, tree / "a.csv"])] == ["d.jsonl", "b.jsonl"]
    assert [file.name for file in find([f"{tree}/**/*"], [out])] == ["d.jsonl", "a.csv", "b.jsonl"]
