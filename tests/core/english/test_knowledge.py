"""What is known about words: WordNet, ConceptNet's dump and its antonyms, base forms and inflections."""

import gzip
from pathlib import Path

import pytest

from core.english.knowledge import ConceptNet, inflected, lemma_of, pos_of, shared_wordnet
from core.errors import InputError

ANTONYMS = """fit|||/r/Antonym|||overweight unfit
fit|||/r/NotHasProperty|||
fit|||/r/NotDesires|||flabby
walk|||/r/RelatedTo|||street
"""
ASSERTIONS = [
    "/a/[/r/Antonym/,/c/en/hot/a/,/c/en/cold/]\t/r/Antonym\t/c/en/hot/a\t/c/en/cold\t{}",
    "/a/[/r/NotCapableOf/,/c/en/fish/,/c/en/walk/]\t/r/NotCapableOf\t/c/en/fish\t/c/en/walk/v/wn/motion\t{}",
    "/a/[/r/IsA/,/c/en/dog/,/c/en/animal/]\t/r/IsA\t/c/en/dog\t/c/en/animal\t{}",
    "/a/[/r/IsA/,/c/en/hot_dog/,/c/en/food/]\t/r/IsA\t/c/en/hot_dog\t/c/en/food\t{}",
    "/a/[/r/Antonym/,/c/fr/chaud/,/c/fr/froid/]\t/r/Antonym\t/c/fr/chaud\t/c/fr/froid\t{}",
]


def test_wordnet() -> None:
    known = shared_wordnet()
    assert known.name == "wordnet-3.0"
    assert known.knows("dog", "n")
    assert not known.knows("dog", "r")
    assert not known.knows("zzzzqx", "n")
    assert known.antonyms("buy", "v") == ("sell",)
    assert known.antonyms("old", "a") == ("young",)
    assert known.antonyms("table", "n") == ()
    assert not any("_" in other for word in ("up", "well", "front") for other in known.antonyms(word, "r"))
    assert shared_wordnet() is known


def test_the_antonyms_form(tmp_path: Path) -> None:
    file = tmp_path / "conceptnet_antonym.txt"
    file.write_text("\ufeff" + ANTONYMS + "\n", encoding="utf-8")
    concept_net = ConceptNet(file)
    assert concept_net.antonyms("fit", "a") == ("overweight", "unfit", "flabby")
    assert concept_net.antonyms("walk", "v") == ()
    assert concept_net.knows("street", "n")
    assert concept_net.knows("walk", "v")
    assert not concept_net.knows("dog", "n")
    assert not concept_net.knows("", "n")
    assert concept_net.name.startswith("conceptnet_antonym.txt@")


def test_the_triples_form(tmp_path: Path) -> None:
    file = tmp_path / "triples.txt"
    file.write_text("dog /r/RelatedTo cat\ndog /r/FormOf dogs\ndog /r/Antonym cat\ndog /r/AtLocation kennel\n")
    concept_net = ConceptNet(file)
    assert concept_net.related("dog") == {"cat": "Antonym", "kennel": "AtLocation"}
    assert concept_net.related("cat") == {}
    assert concept_net.antonyms("dog", "n") == ("cat",)


@pytest.mark.parametrize("name", ["assertions.csv", "assertions.csv.gz"])
def test_the_dump(tmp_path: Path, name: str) -> None:
    file, text = tmp_path / name, "\n".join(ASSERTIONS) + "\n"
    if name.endswith(".gz"):
        file.write_bytes(gzip.compress(text.encode()))
    else:
        file.write_text(text, encoding="utf-8")
    concept_net = ConceptNet(str(file))
    assert concept_net.antonyms("hot", "a") == ("cold",)
    assert concept_net.antonyms("fish", "n") == ("walk",)
    assert concept_net.antonyms("dog", "n") == ()
    assert concept_net.knows("animal", "n")
    assert not concept_net.knows("chaud", "n")
    assert not concept_net.knows("hot_dog", "n")
    assert not concept_net.knows("food", "n")


def test_its_name_is_of_what_it_says(tmp_path: Path) -> None:
    names = set()
    for i, text in enumerate((ANTONYMS, ANTONYMS + "\n", ANTONYMS.replace("flabby", "weak"))):
        file = tmp_path / str(i) / "a.txt"
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        names.add(ConceptNet(file).name)
    assert len(names) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"fit|||/r/Antonym|||unfit\nfit unfit\n", r"a\.txt, line 2: `word\|\|\|/r/Relation\|\|\|words`"),
        ("a.txt", b"dog /r/IsA animal\ndog animal\n", r"a\.txt, line 2: .* or `word /r/Relation word` is wanted here"),
        ("a.csv", b"hot,cold\n", r"a\.csv, line 1: this is no line of ConceptNet's assertions"),
        ("a.txt", b"", "relates no words: give ConceptNet's assertions, or a part of them"),
        ("a.txt", b"fit|||/r/Antonym|||\n", "relates no words"),
        ("a.csv", ASSERTIONS[3].encode(), "relates no words"),
        ("a.txt", b"\xff\xfe", r"a\.txt cannot be read"),
        ("a.csv.gz", b"no gzip at all", r"a\.csv\.gz cannot be read"),
        ("a.csv.gz", gzip.compress(ASSERTIONS[0].encode() * 99, mtime=0)[:-20], r"a\.csv\.gz cannot be read"),
        ("a.csv.gz", gzip.compress(b"x" * 999, mtime=0)[:10] + b"\xff" * 30, r"a\.csv\.gz cannot be read"),
    ],
)
def test_wrong_files(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=said):
        ConceptNet(file)


def test_no_file(tmp_path: Path) -> None:
    for missing in (tmp_path / "none.txt", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            ConceptNet(missing)


def test_the_file_of_union_s_authors(shared: Path) -> None:
    concept_net = ConceptNet(shared / "lexicon" / "conceptnet_antonym.txt")
    assert concept_net.antonyms("fit", "a")[:4] == ("overweight", "unhealthy", "unfit", "lazy")
    assert concept_net.knows("chair", "n")


@pytest.fixture
def authors(tmp_path: Path) -> Path:
    """A folder with both files, as UNION's authors have them."""
    folder = tmp_path / "authors"
    folder.mkdir()
    (folder / "conceptnet_antonym.txt").write_text(ANTONYMS, encoding="utf-8")
    lines = ["garden|||12", "ice|||cream|||7", "fit|||3", "so called|||1", ""]
    (folder / "conceptnet_entity.csv").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_all_entities_are_known_and_not_only_those_with_opposites(authors: Path) -> None:
    alone, whole = ConceptNet(authors / "conceptnet_antonym.txt"), ConceptNet(authors)
    assert whole.knows("garden", "n")
    assert not alone.knows("garden", "n")
    assert not any(whole.knows(word, "n") for word in ("ice", "ice cream", "so called", "", "7"))
    assert whole.antonyms("garden", "n") == ()
    assert whole.antonyms("fit", "a") == alone.antonyms("fit", "a")
    assert whole.name.startswith("authors@")
    assert whole.name.partition("@")[2] != alone.name.partition("@")[2]
    (authors / "conceptnet_entity.csv").write_text("house|||1", encoding="utf-8")
    assert ConceptNet(authors).name != whole.name


def test_a_folder_that_is_not_whole(authors: Path) -> None:
    (authors / "conceptnet_entity.csv").write_text("garden|||1\nhouse\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"conceptnet_entity\.csv, line 2: `word\|\|\|"):
        ConceptNet(authors)
    (authors / "conceptnet_entity.csv").unlink()
    with pytest.raises(InputError, match=r"folder .* cannot be read .*conceptnet_entity\.csv"):
        ConceptNet(authors)


@pytest.mark.parametrize(
    ("word", "tag", "pos"),
    [
        ("dogs", "NNS", "n"), ("ran", "VBD", "v"), ("older", "JJR", "a"), ("soon", "RB", "r"), ("Tom", "NNP", ""),
        ("Was", "VBD", ""), ("not", "RB", ""), ("n't", "RB", ""), ("up", "RP", ""), ("the", "DT", ""),
        ("12", "NN", ""), ("12th", "JJ", "a"),
    ],
)  # fmt: skip
def test_keywords_are_content_words(word: str, tag: str, pos: str) -> None:
    assert pos_of(word, tag) == pos


def test_base_forms_and_back() -> None:
    forms = [("Sold", "v", "VBD"), ("women", "n", "NNS"), ("went", "v", "VBD"), ("going", "v", "VBG")]
    assert [lemma_of(word, pos) for word, pos, _ in forms] == ["sell", "woman", "go", "go"]
    for word, pos, tag in forms:
        assert inflected(lemma_of(word, pos), tag) == word.lower()
    assert inflected("bad", "JJS") == "worst"
    assert inflected("young", "JJ") == "young"
    assert lemma_of("blorked", "v") in ("blork", "blorked")
