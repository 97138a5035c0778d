"""Some of a study's stories by systems, from all over it."""

from core.people import TERMINAL
from core.stories import Corpus, Source
from db.studies import story_texts
from db.transfer import imports
from tests.db.conftest import small_corpus


def test_up_to_so_many_from_all_over_the_study(database: str) -> None:
    corpus = small_corpus(4)
    study = imports.import_corpora(TERMINAL, "small", [corpus])
    texts = [story.text for story in corpus.stories if story.source is Source.SYSTEM]
    assert story_texts.spread(study.id, 100) == texts
    assert story_texts.spread(study.id, 4) == texts[::5]
    assert story_texts.spread(imports.import_corpora(TERMINAL, "by people", [_people(corpus)]).id, 4) == []


def _people(corpus: Corpus) -> Corpus:
    return Corpus("", tuple(story for story in corpus.stories if story.source is Source.HUMAN))
