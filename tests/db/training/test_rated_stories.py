"""What is learnt from a study: the systems' rated stories, with mean rating and references, and nothing rejected."""

import json
from pathlib import Path

from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, Source, StoryRecord
from db.training import rated_stories
from db.transfer import imports, rating_imports
from tests.db.conftest import make_annotator, make_study
from tests.db.ratings.judged_stories import hand_in


def test_rated_stories_with_their_references(database: str) -> None:
    stories = (
        StoryRecord("a", "p", "It rained.", "Tom ran.", Source.SYSTEM, "one"),
        StoryRecord("h", "p", "It rained.", "Tom stayed.", Source.HUMAN),
        StoryRecord("b", "q", "It snowed.", "Ann ran.", Source.SYSTEM, "two"),
        StoryRecord("c", "q", "It snowed.", "Ann stood.", Source.SYSTEM, "one"),
        StoryRecord("i", "p", "It rained.", "Tom slept.", Source.HUMAN),
    )
    ratings = [
        RatingRecord("a", "x", 2),
        RatingRecord("a", "y", 5),
        RatingRecord("b", "x", 1),
        RatingRecord("h", "x", 5),
    ]
    study = imports.import_corpora(TERMINAL, "some", [Corpus("mans", stories, tuple(ratings))])
    story, two = rated_stories.judged_texts(TERMINAL, study.id)
    assert (story.prompt, story.text, story.references, story.system) == (
        "It rained.", "Tom ran.", ("Tom stayed.", "Tom slept."), "one",
    )  # fmt: skip
    assert (story.judgment, two.judgment, two.references) == (3.5, 1.0, ())


def test_rejected_panels_teach_nothing(database: str) -> None:
    study = make_study(prompts=1, wanted=1)
    hand_in(make_annotator(study, "careless"), human=1)
    assert rated_stories.judged_texts(TERMINAL, study.id) == []
    hand_in(make_annotator(study, "careful"))
    stories = rated_stories.judged_texts(TERMINAL, study.id)
    assert sorted(story.system for story in stories) == ["five", "four", "one", "three", "two"]
    assert all(len(story.references) == 1 for story in stories)


def test_the_target_says_which_ratings_teach(database: str, tmp_path: Path) -> None:
    rows = [{"story": "One.", "prompt": "P.", "system": "s", "coherence": 2, "empathy": 5, "annotator": "a"}]
    path = tmp_path / "ratings.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    study = rating_imports.import_ratings(TERMINAL, "criteria", read_export(path))
    learnt = {
        target: rated_stories.judged_texts(TERMINAL, study.id, target)[0].judgment
        for target in ("", "coherence", "empathy", "mean:coherence,empathy")
    }
    assert learnt == {"": 2, "coherence": 2, "empathy": 5, "mean:coherence,empathy": 3.5}
