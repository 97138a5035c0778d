"""A metric of the user's own, from a Python file; every way in which it can be wrong is one sentence."""

import hashlib
import os
import re
import sys
from pathlib import Path

import pytest

from core.errors import FabulaError, InputError
from core.metrics import METRICS, build, find
from core.metrics.batches import score_batch
from core.metrics.bleu import Bleu
from core.metrics.custom import described, is_of_own, is_own, load, offered
from core.stories import Story
from tests.core.metrics.custom import GOOD


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GOOD, encoding="utf-8")
    return path


def named(path: Path, metric: str = "Length") -> str:
    return f"{path}:{metric}"


def refused(path: Path, content: str, metric: str = "Length") -> str:
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        find(named(path, metric))
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    return sentence


def test_a_good_one_works_as_any_other(file: Path) -> None:
    metric = build(named(file))
    assert metric.score([Story("four"), Story("")]).values[0] == 4
    assert re.fullmatch(r"my-length\|file:[0-9a-f]{12}\|unit:characters\|v:2", metric.signature)
    assert find(named(file)) is find(named(file)), "loaded once"


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("mine.py:Length", True),
        ("/some/folder with spaces/mine.py:My_Metric2", True),
        (r"C:\mine.py:Length", True),
        ("bleu", False),
        ("mine.py", False),
        ("mine.py:", False),
        ("mine.py:2Length", False),
        ("mine.py:a.b", False),
        (".py:Length", False),
        ("mine.txt:Length", False),
    ],
)
def test_which_names_are_files(name: str, own: bool) -> None:
    assert is_own(name) is own


def test_a_name_that_names_no_file() -> None:
    with pytest.raises(InputError, match=r"^'bleu' does not name a metric of your own; write path\.py:Class\.$"):
        load("bleu")


def test_a_missing_file(tmp_path: Path) -> None:
    path = tmp_path / "missing.py"
    with pytest.raises(InputError, match=rf"^There is no metric file {re.escape(str(path))}\.$"):
        find(named(path))
    path.mkdir()
    with pytest.raises(InputError, match=rf"^The metric file {re.escape(str(path))} cannot be read: Is a directory\.$"):
        find(named(path))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("class Length(:\n", "SyntaxError"),
        ("import no_such_module_anywhere\n", "ModuleNotFoundError"),
        ("raise ValueError('not today')\n", "ValueError: not today"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
        ("x = '\0'\n", "SyntaxError"),
    ],
)
def test_a_file_that_does_not_run(file: Path, content: str, kind: str) -> None:
    before = set(sys.modules)
    assert f"does not run: {kind}" in refused(file, content)
    assert not any(name.startswith("fabula_own") for name in set(sys.modules) - before)


def test_bytes_that_are_no_text(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(InputError, match="does not run: SyntaxError"):
        find(named(file))


@pytest.mark.parametrize("content", ["", "Length = 3\n", "class Length:\n    pass\n", "def Length():\n    pass\n"])
def test_no_such_class(file: Path, content: str) -> None:
    assert "has no class Length that is derived from core.metrics.base.Metric" in refused(file, content)


def test_a_class_that_the_file_imports_is_not_its_own(file: Path) -> None:
    """Or the file's hash would stick to the metric that everything else uses, and change its signature."""
    before = Bleu().signature
    assert "has no class Bleu" in refused(file, "from core.metrics.bleu import Bleu\n", "Bleu")
    assert Bleu.file_hash == ""
    assert Bleu().signature == before
    assert "has no class Metric" in refused(file, "from core.metrics.base import Metric\n", "Metric")


def test_the_classes_that_a_file_has_are_named(file: Path) -> None:
    content = "from core.metrics.base import Metric\nclass Other(Metric):\n    pass\n"
    assert refused(file, content).endswith("derived from core.metrics.base.Metric. It has Other.")


@pytest.mark.parametrize("name", ["My-Length", "my_length", "my length", "-my", "", "x" * 62, "é", "a|b", "a\\n"])
def test_a_bad_name(file: Path, name: str) -> None:
    sentence = refused(file, GOOD.replace('name = "my-length"', f'name = "{name}"'))
    assert sentence == "The metric class Length needs a name of small letters, digits and hyphens."


@pytest.mark.parametrize(
    ("line", "instead", "words"),
    [
        ('name = "my-length"', "", "needs a name"),
        ('name = "my-length"', "name = 3", "needs a name"),
        ("kind = Kind.UNREFERENCED", "", "needs a kind: one of Kind.REFERENCED, Kind.UNREFERENCED, Kind.HYBRID"),
        ("kind = Kind.UNREFERENCED", "kind = 'unreferenced'", "needs a kind"),
        ("needs = frozenset()", "", "needs a frozenset of Need as its needs"),
        ("needs = frozenset()", "needs = {}", "needs a frozenset of Need as its needs"),
        ("needs = frozenset()", "needs = frozenset({'prompt'})", "needs a frozenset of Need as its needs"),
        ('card = Card("length", "none", "all else")', "", "needs a card: what it measures"),
        ('card = Card("length", "none", "all else")', "card = 'length'", "needs a card: what it measures"),
        ("def score(", "def scores(", "needs a method score"),
    ],
)
def test_what_a_class_lacks(file: Path, line: str, instead: str, words: str) -> None:
    assert line in GOOD
    sentence = refused(file, GOOD.replace(line, instead))
    assert sentence.startswith("The metric class Length ")
    assert words in sentence


def test_a_changed_file_is_another_metric(file: Path) -> None:
    before = build(named(file))
    file.write_text(GOOD + "\n", encoding="utf-8")
    assert build(named(file)).signature != before.signature
    file.write_text(GOOD, encoding="utf-8")
    assert build(named(file)).signature == before.signature


def test_a_change_of_the_same_size_in_the_same_second_is_seen(file: Path) -> None:
    """Python's own bytecode would not tell them apart; and nothing is written beside the user's file."""
    before = build(named(file)).score([Story("four")]).values[0]
    state = file.stat()
    file.write_text(GOOD.replace("1.0 *", "2.0 *"), encoding="utf-8")
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert file.stat().st_size == state.st_size
    assert build(named(file)).score([Story("four")]).values[0] == 2 * before
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_a_metric_may_be_moved(file: Path, tmp_path: Path) -> None:
    """What it is called depends on what is in the file, not on where it lies."""
    other = tmp_path / "elsewhere" / "renamed.py"
    other.parent.mkdir()
    other.write_bytes(file.read_bytes())
    assert build(named(other)).signature == build(named(file)).signature


@pytest.mark.parametrize("taken", ["bleu", "perplexity"])
def test_a_registered_name_is_taken(file: Path, taken: str) -> None:
    sentence = refused(file, GOOD.replace('name = "my-length"', f'name = "{taken}"'))
    assert sentence == f"Fabula has a metric {taken!r} already: give the class Length another name."
    assert METRICS[taken].file_hash == ""


def test_a_file_in_the_home_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(file.parent))
    assert build("~/mine.py:Length").signature == build(named(file)).signature


def test_a_registered_metric_names_those_there_are() -> None:
    with pytest.raises(InputError, match=r"^There is no metric 'blue'; there are bleu, sacrebleu, .*, judge\.$"):
        find("blue")


def test_where_it_breaks_is_said(file: Path) -> None:
    file.write_text(GOOD.replace("return ", "1 / 0\n        return ", 1), encoding="utf-8")
    line = file.read_text(encoding="utf-8").splitlines().index("        1 / 0") + 1
    with pytest.raises(
        FabulaError, match=rf"every story: ZeroDivisionError: division by zero \(line {line} of mine.py\)"
    ):
        score_batch(build(named(file)), [Story("one"), Story("two")])


def test_the_folders_files_are_offered_and_none_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FABULA_HOME", str(tmp_path))
    assert offered() == {}
    (tmp_path / "metrics").mkdir()
    ran = tmp_path / "ran"
    files = {
        "good.py": f"open({str(ran)!r}, 'w')\n{GOOD}",
        "annotated.py": "class Other(Length):\n    name: str = 'other'\n",
        "counted.py": "class Counted(Length):\n    name = 'length-' + str(1)\n",
        "helper.py": "def score(): ...",
        "half.py": "class Half(",
        "notes.txt": GOOD,
    }
    for name, content in files.items():
        (tmp_path / "metrics" / name).write_text(content, encoding="utf-8")
    assert offered() == {
        "annotated.py": {"Other": "other"},
        "counted.py": {"Counted": "Counted"},
        "good.py": {"Length": "my-length"},
        "half.py": {},
        "helper.py": {},
    }
    assert not ran.exists()


def test_what_it_measures_is_read_and_not_run(file: Path, tmp_path: Path) -> None:
    signature = build(named(file)).signature
    assert is_of_own(signature)
    assert not is_of_own("file:scores.csv|words")
    assert not is_of_own("bleu|v:1")
    assert described(signature, [named(file)]) == "length"
    assert described(signature, ["bleu", named(tmp_path / "gone.py")]) is None
    for card, said in (
        ("Card('a', 'none', 'all else')", "a"),
        ("Card(paper='none', measures='a' 'b', blind_spots='')", "ab"),
        ("Card(str(1), 'none', 'all else')", ""),
    ):
        file.write_text(GOOD.replace('Card("length", "none", "all else")', card), encoding="utf-8")
        assert described(signature, [named(file)]) is None  # it is another file now
        assert described(build(named(file)).signature, [named(file)]) == said
    file.write_text("raise SystemExit\n" + GOOD, encoding="utf-8")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    assert described(f"my-length|file:{digest}|v:2", [named(file)]) == "length"
