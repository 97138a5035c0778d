"""WordNet: where it is found, what it knows, and what is said where it is missing."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nltk.data
import pytest

from core.english import wordnet as wordnet_module
from core.english.wordnet import wordnet, wordnet_version
from core.errors import ModelMissing

ROOT = Path(__file__).resolve().parents[3]
EMPTY = ("index.sense", "cntlist.rev", "data.verb", "data.adv", "index.verb", "index.adv", "index.adj")
LICENCE = "  1 WordNet 9.9 Copyright nobody\n"


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """WordNet is looked for anew, in NLTK's places as they were, and again after the test."""

    def forget() -> None:
        if wordnet_module._reader.cache_info().currsize:
            for file in wordnet()._data_file_map.values():
                file.close()
        for cached in (wordnet_module._reader, wordnet_module._version, wordnet_module._root):
            cached.cache_clear()

    monkeypatch.setattr(nltk.data, "path", list(nltk.data.path))
    forget()
    yield
    forget()


def tiny_wordnet(folder: Path) -> Path:
    """A WordNet of one sense with two words."""
    folder.mkdir(parents=True, mode=0o755)
    gloss = f"{len(LICENCE):08d} 05 n 02 zorb 0 blick 0 000 | a thing\n"
    files = {
        **dict.fromkeys((*EMPTY, "adj.exc", "adv.exc", "noun.exc", "verb.exc"), ""),
        "lexnames": "".join(f"{i:02d}\tname{i}\t1\n" for i in range(6)),
        "data.adj": LICENCE,
        "data.noun": LICENCE + gloss,
        "index.noun": "".join(f"{word} n 1 0 1 0 {len(LICENCE):08d}\n" for word in ("blick", "zorb")),
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
        (folder / name).chmod(0o644)
    return folder


def synonyms(word: str) -> set[str]:
    return {lemma.name() for synset in wordnet().synsets(word) for lemma in synset.lemmas()}


def test_the_bundled_wordnet_knows_english() -> None:
    assert wordnet_version() == "3.0" == wordnet().get_version()
    assert "automobile" in synonyms("cars")
    assert wordnet().synsets("zzzzqx") == []
    assert wordnet() is wordnet()
    assert "canine.n.02" in {above.name() for above in wordnet().synset("dog.n.01").hypernyms()}


@pytest.mark.slow
@pytest.mark.usefixtures("anew")
def test_the_same_as_nltk_s_own_reader() -> None:
    """What is left out of the reader serves other languages only."""
    version = wordnet_version()  # makes the bundle known to NLTK
    theirs = nltk.corpus.wordnet
    assert theirs.get_version() == version
    for word in ("dog", "ran", "better", "quickly", "glasses", "New_York", "é"):
        assert [s.name() for s in wordnet().synsets(word)] == [s.name() for s in theirs.synsets(word)]
        assert [s.lemma_names() for s in wordnet().synsets(word)] == [s.lemma_names() for s in theirs.synsets(word)]


@pytest.mark.usefixtures("anew")
def test_a_wordnet_of_one_s_own_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_wordnet(tmp_path / "corpora" / "wordnet")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    assert wordnet_version() == "9.9"
    assert synonyms("zorb") == synonyms("blicks") == {"zorb", "blick"}
    assert synonyms("dog") == set()
    assert nltk.data.path == [str(tmp_path)]


@pytest.mark.usefixtures("anew")
def test_a_zipped_wordnet_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = tiny_wordnet(tmp_path / "made")
    (tmp_path / "corpora").mkdir(mode=0o755)
    archive = tmp_path / "corpora" / "wordnet.zip"
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr("wordnet/", "")
        for file in files.iterdir():
            written.write(file, f"wordnet/{file.name}")
    archive.chmod(0o644)
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    assert wordnet_version() == "9.9"
    assert synonyms("zorb") == {"zorb", "blick"}


@pytest.mark.usefixtures("anew")
def test_the_bundle_stands_last_and_once_among_nltk_s_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", ["/nowhere"])
    for _ in range(2):
        assert wordnet_version() == "3.0"
        wordnet_module._version.cache_clear()
        wordnet_module._root.cache_clear()
    assert nltk.data.path == ["/nowhere", str(wordnet_module.bundle())]


@pytest.mark.usefixtures("anew")
def test_no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(wordnet_module, "BUNDLE", "no_such_package")
    for ask in (wordnet, wordnet_version):
        with pytest.raises(ModelMissing, match=r"^WordNet is not there: run `make setup`"):
            ask()


@pytest.mark.usefixtures("anew")
def test_a_bundle_without_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [])
    monkeypatch.setattr(wordnet_module, "bundle", lambda: tmp_path)
    with pytest.raises(ModelMissing, match=r"NLTK does not read the WordNet in .*: it is incomplete, or other people"):
        wordnet()


@pytest.mark.usefixtures("anew")
def test_a_damaged_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_wordnet(tmp_path / "corpora" / "wordnet")
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    (folder / "data.adj").write_text("no licence\n", encoding="utf-8")
    with pytest.raises(ModelMissing, match="does not name its version"):
        wordnet_version()
    (folder / "data.adj").unlink()
    for ask in (wordnet, wordnet_version):
        with pytest.raises(
            ModelMissing, match=r"The WordNet in .* cannot be read \(.*data\.adj.*\); remove or replace"
        ):
            ask()


@pytest.mark.slow
@pytest.mark.usefixtures("anew")
def test_threads_read_it_at_once() -> None:
    """NLTK's reader seeks in one open file; two threads without a lock would read each other's lines."""
    words = ["dog", "run", "set", "take", "good", "cut", "line", "break", "fast", "head", "light", "point"] * 4
    with ThreadPoolExecutor(8) as pool:
        result = list(pool.map(synonyms, words))
    assert result == [synonyms(word) for word in words]
    assert min(map(len, result)) > 5


def test_importing_what_uses_it_stays_light() -> None:
    code = (
        "import sys, core.metrics.meteor, core.metrics.rouge, core.metrics.bleu, core.english.wordnet;"
        "print({'nltk', 'sacrebleu'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
