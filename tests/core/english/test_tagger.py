"""The tagger gives NLTK's tags, and says where it is missing."""

import pickle
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tag.perceptron import PerceptronTagger

from core.english import tagger as module
from core.english.tagger import Tagger, tagger
from core.english.wordnet import bundle
from core.english.words import words
from core.errors import ModelMissing
from core.stories import sentences
from db.transfer.demonstration import demonstration


@pytest.fixture(scope="module")
def theirs() -> PerceptronTagger:
    """NLTK's own, of the bundle."""
    made, folder = PerceptronTagger(load=False), bundle()
    assert folder is not None
    made.model.weights, made.tagdict, made.classes = pickle.loads((folder / module._BUNDLED).read_bytes())
    made.model.classes = made.classes
    return made


@pytest.fixture(scope="module")
def ours(theirs: PerceptronTagger) -> Tagger:
    """The same weights."""
    return Tagger(theirs)


def test_nltk_s_tags_of_stories(ours: Tagger, theirs: PerceptronTagger) -> None:
    texts = [story.text for story in demonstration().stories[:40]]
    for part in [text[start:end] for text in texts for start, end in sentences(text)]:
        tokens = [word.text for word in words(part)]
        assert ours.tags(tokens) == [tag for _, tag in theirs.tag(tokens)]


TOKENS = st.one_of(
    st.sampled_from(["the", "old", "Run", "1999", "12", "well-known", "-", "n't", "zzx", "HOME"]), st.text(max_size=6)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(TOKENS, max_size=8))
def test_nltk_s_tags_of_anything(ours: Tagger, theirs: PerceptronTagger, tokens: list[str]) -> None:
    assert ours.tags(tokens) == [tag for _, tag in theirs.tag(tokens)]


def test_no_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise LookupError

    known = tagger.__wrapped__
    monkeypatch.setattr("nltk.tag.perceptron.PerceptronTagger.load_from_json", missing)
    monkeypatch.setattr(module, "bundle", lambda: None)
    with pytest.raises(ModelMissing, match="run `make setup`"):
        known()


def test_the_bundle_s_tagger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is read as it was pickled: weights, words with one tag, tags."""

    def missing(*_: object, **__: object) -> None:
        raise LookupError

    file = tmp_path / module._BUNDLED
    file.parent.mkdir(parents=True)
    file.write_bytes(pickle.dumps(({"i word cat": {"VB": 2.0, "NN": 1.0}}, {"dog": "NN"}, {"NN", "VB"})))
    monkeypatch.setattr("nltk.tag.perceptron.PerceptronTagger.load_from_json", missing)
    monkeypatch.setattr(module, "bundle", lambda: tmp_path)
    assert tagger.__wrapped__().tags(["dog", "cat"]) == ["NN", "VB"]


class _Program:
    def __reduce__(self) -> tuple[object, ...]:
        return print, ("run",)


def test_a_file_of_the_tagger_that_could_run_something_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    plain = {"weights": {"i word the": {"DT": 1.5}}, "classes": {"DT", "NN"}}
    assert module._PlainData(BytesIO(pickle.dumps(plain, protocol=2))).load() == plain
    for hostile in (_Program(), {"DT": _Program()}):
        with pytest.raises(pickle.UnpicklingError, match="plain data"):
            module._PlainData(BytesIO(pickle.dumps(hostile))).load()
    assert capsys.readouterr().out == ""
