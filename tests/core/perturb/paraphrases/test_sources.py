"""Paraphrases: files as OpenMEVA's and others, real translation there and back, and what is good enough."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.english.knowledge import shared_wordnet
from core.errors import InputError, ModelMissing
from core.models.catalogue import ModelRole, locate
from core.perturb.paraphrases.similarity import PARAPHRASE, bleu_1, similar
from core.perturb.paraphrases.sources import MOST_OVERLAP, PairsFile, Paraphrases, Translated, accepted, in_style
from core.perturb.test_sets.aspects import Aspect, Change
from core.perturb.test_sets.generation import resources_for
from core.stories import StoryRecord
from tests.core.models.tiny_translator import teach
from tests.core.perturb.aspects import STORIES, split

BT = [
    {
        "he was overweight as well .": {"score": 0.57, "trans": "he was overweight , too ."},
        "[MALE] did n ' t go .": {"score": 0.5, "trans": "[MALE] stayed at home ."},
    },
    {"then he ran .": {"score": 0.5, "trans": "he ran then."}, "it rained .": {"trans": " "}},
]


def written(folder: Path, content: object, name: str = "story_bt.json") -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("he was overweight as well .", "he was overweight , too ."),
        (" he was overweight as well .\n", "he was overweight , too ."),
        ("He was overweight as well .", "He was overweight , too ."),
        ("He was overweight as well.", "He was overweight, too."),
        ("HE WAS OVERWEIGHT AS WELL.", "He was overweight, too."),
        ("he was overweight  as well.", "he was overweight, too."),
        ("[MALE] did n ' t go .", "[MALE] stayed at home ."),
        ("[MALE] didn't go.", "[MALE] stayed at home."),
        ("then he ran .", "he ran then ."),
        ("Then he ran.", "He ran then."),
    ],
)
def test_a_sentence_is_found_however_it_is_written(tmp_path: Path, asked: str, expected: str) -> None:
    pairs = PairsFile(written(tmp_path, BT))
    assert pairs.of([asked]) == {asked: expected}


def test_what_is_not_there_is_left_out(tmp_path: Path) -> None:
    counted: list[int] = []
    sentences = ["she wept .", "then he ran .", "it rained .", "", "then he ran ."]
    assert PairsFile(written(tmp_path, BT)).of(sentences, counted.append) == {"then he ran .": "he ran then ."}
    assert sum(counted) == 5


def test_one_object_and_lines(tmp_path: Path) -> None:
    pairs_file = PairsFile(written(tmp_path, BT[0], "one.json"))
    assert pairs_file.of(["He was overweight as well."]) == {"He was overweight as well.": "He was overweight, too."}
    rows = [{"sentence": "Polish it.", "paraphrase": "Make it shine."}, {"sentence": "polish it.", "paraphrase": "B."}]
    text = "\ufeff" + "\r\n\n".join(map(json.dumps, [*rows, rows[0] | {"paraphrase": "Again."}]))
    lines = PairsFile(written(tmp_path, text, "pairs.JSONL"))
    result = lines.of(["Polish it.", "polish it.", "POLISH IT ."])
    assert result == {"Polish it.": "Make it shine.", "polish it.": "b.", "POLISH IT .": "Make it shine ."}
    assert lines.name == f"pairs.JSONL@{hashlib.sha256(text[1:].encode()).hexdigest()[:12]}"
    assert pairs_file.name != PairsFile(written(tmp_path, BT, "one.json")).name, "the same name, other pairs"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "{", r"a.json, line 1: this is not JSON"),
        ("a.json", "5", r"a.json, entry 1: this is no object of sentences and their paraphrases"),
        ("a.json", "[{}, []]", r"a.json, entry 2: this is no object"),
        ("a.json", '[{"he ran": {"score": 1}}]', r"a.json, entry 1, 'he ran': there is no text under 'trans'"),
        ("a.json", '[{"he ran": "she"}]', r"a.json, entry 1, 'he ran': there is no text under 'trans'"),
        ("a.json", '{"he ran": {"trans": "a\\u0000"}}', r"a.json, entry 1, 'he ran': the text holds a NUL byte"),
        ("a.json", "[]", r"a.json holds no pair of a sentence and its paraphrase"),
        ("a.jsonl", '{"sentence": "a"}', r"a.jsonl, line 1: there is no text under 'paraphrase'"),
        ("a.jsonl", '\n["a"]', r"a.jsonl, line 2: there is no text under 'sentence'"),
        ("a.jsonl", '{"sentence": "a", "paraphrase": "b"}\n{', r"a.jsonl, line 2: this is not JSON"),
        ("a.jsonl", "", r"The file a.jsonl is empty"),
    ],
)
def test_a_wrong_file_says_where(tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        PairsFile(written(tmp_path, content, name))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        PairsFile(str(tmp_path / "none.json"))
    with pytest.raises(InputError, match="cannot be read"):
        PairsFile(tmp_path)


@pytest.mark.parametrize(
    ("sentence", "paraphrase", "expected"),
    [
        ("She ran home.", "then , she ran .", "Then, she ran."),
        ("she ran home .", "Then, Tom ran: away!", "then , tom ran : away !"),
        ("she met [FEMALE] .", "[FEMALE] met Her.", "[FEMALE] met her ."),
        ("She met Tom , too .", "she met Tom at 5 p.m.", "She met Tom at 5 p.m."),
        ("She met Tom .", "Tom met her", "Tom met her"),
        ("i ran", "I ran.", "i ran."),
        ("", "A.", "a."),
    ],
)
def test_a_paraphrase_is_written_as_its_sentence(sentence: str, paraphrase: str, expected: str) -> None:
    assert in_style(sentence, paraphrase) == expected
    assert in_style(sentence, expected) == expected


TEXTS = st.text("abiBI5 .,!?;'[]", max_size=30)


@given(TEXTS, TEXTS)
def test_a_style_is_of_capitals_and_spaces_alone(sentence: str, paraphrase: str) -> None:
    assert _letters(in_style(sentence, paraphrase)) == _letters(paraphrase)


def _letters(text: str) -> str:
    return "".join(text.split()).lower()


def test_the_real_file(shared: Path) -> None:
    path = shared / "lexicon" / "story_bt.json"
    pairs = PairsFile(path)
    assert pairs.name == f"story_bt.json@{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    sentences = [sentence for story in json.loads(path.read_text(encoding="utf-8")) for sentence in story]
    assert set(pairs.of(sentences)) == set(sentences)
    assert pairs.of(["He was out jogging one morning."]) == {
        "He was out jogging one morning.": "One morning he went out jogging."
    }
    # Eight are alike enough, and all of them in too many of the same words.
    assert sum(similar(list(pairs.of(sentences).items())) > PARAPHRASE) == 9
    assert accepted(pairs, sentences) == {}


class Given:
    """Paraphrases that a test made up."""

    name = "given"

    def __init__(self, pairs: dict[str, str]) -> None:
        self.pairs = pairs

    def of(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> dict[str, str]:
        if done:
            done(len(sentences))
        return {sentence: self.pairs[sentence] for sentence in sentences if sentence in self.pairs}


def test_accepted_means_the_same_in_other_words() -> None:
    source: Paraphrases = Given(
        {
            "He hired an attorney.": "He employed a lawyer.",
            "I filled it with the sodas.": "I put music into the world and enjoy it.",
            "She ran home.": "she ran  home .",
            "She wept bitterly.": "She wept very bitterly.",
            "...": "?!",
            "It rained.": "!",
        }
    )
    counted: list[int] = []
    sentences = ["He hired an attorney.", *source.of(["She ran home.", "...", "It rained."]), "It is not there."]
    sentences += ["I filled it with the sodas.", "She wept bitterly."]
    paraphrases = accepted(source, sentences, counted.append)
    assert sum(counted) == len(sentences)
    assert list(paraphrases) == ["He hired an attorney."]
    paraphrase = paraphrases["He hired an attorney."]
    assert paraphrase.text == "He employed a lawyer."
    assert paraphrase.bleu_1 == bleu_1(paraphrase.text, "He hired an attorney.") < MOST_OVERLAP
    assert paraphrase.similarity == pytest.approx(similar([(paraphrase.text, "He hired an attorney.")])[0], abs=1e-6)
    assert paraphrase.similarity > PARAPHRASE
    assert accepted(source, []) == accepted(Given({}), sentences) == {}


def test_similarity_is_read_on_the_device_that_was_ordered() -> None:
    source = Given({"He hired an attorney.": "He employed a lawyer."})
    assert list(accepted(source, list(source.pairs), device="cpu")) == list(source.pairs)
    with pytest.raises(InputError, match="nowhere"):
        accepted(source, list(source.pairs), device="nowhere")
    records = [StoryRecord("a", "a", "", "It was late. He hired an attorney.")]
    with pytest.raises(InputError, match="nowhere"):
        resources_for(records, [Change.PARAPHRASES], shared_wordnet(), 0, paraphrases=source, device="nowhere")


def test_who_waits_is_told_what_is_counted() -> None:
    told: list[tuple[str, int, int]] = []
    records = [StoryRecord(f"{i}", f"{i}", "", text) for i, text in enumerate(STORIES)]
    wanted, free = [Aspect.SEMANTIC_REPETITION, Aspect.RELATEDNESS], sum(len(split(text)) - 1 for text in STORIES)
    paraphrases = Given({})
    resources_for(
        records, wanted, shared_wordnet(), 0, paraphrases=paraphrases, on_progress=lambda *step: told.append(step)
    )
    ends = {what: number for what, done, number in told if done == number and number}
    stories = len(STORIES)
    assert ends == {
        "counting words": stories, "paraphrasing sentences": free, "looking for weakly related stories": stories,
    }  # fmt: skip


ENGLISH = ("He hired an attorney.", "She ran home.", "The child was very glad.")
GERMAN = ("Er nahm einen Anwalt.", "Sie lief heim.", "Das Kind war sehr froh.")
AGAIN = ("He employed a lawyer.", "She ran home.", "The kid was happy.")


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("translators")
    text = teach(folder / "there", list(zip(ENGLISH, GERMAN, strict=True)))
    return text, teach(folder / "back", list(zip(GERMAN, AGAIN, strict=True)), pieces=True)


@pytest.mark.slow
@pytest.mark.parametrize("beams", [1, 4])
def test_there_and_back(both: tuple[str, str], beams: int) -> None:
    """One model of whole words, whose marks stand apart, and one as OPUS's are."""
    source = Translated(*both, device="cpu", beams=beams)
    counted: list[int] = []
    sentences = [*ENGLISH, ENGLISH[0], "he hired an attorney .", ""]
    result = source.of(sentences, counted.append)
    assert result == {**dict(zip(ENGLISH, AGAIN, strict=True)), "he hired an attorney .": "he employed a lawyer ."}
    assert sum(counted) == len(sentences)
    assert list(accepted(source, sentences)) == [ENGLISH[0], ENGLISH[2], "he hired an attorney ."]
    revisions = [locate(folder, ModelRole.TRANSLATION).at_revision for folder in both]
    assert source.name == f"{revisions[0]} then {revisions[1]}, beams {beams}"
    assert source.of([]) == {}


def test_models_that_are_none(both: tuple[str, str], tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="holds no model"):
        Translated(both[0], str(tmp_path))
    with pytest.raises(ModelMissing, match="download a translation model"):
        Translated("", both[1])
    with pytest.raises(InputError, match="has 1 or 4 beams, not 0"):
        Translated(*both, beams=0)
