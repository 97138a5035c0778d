"""A rated study of three systems that are worse and better, with metrics that more or less follow."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.annotation.studies import Study
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.studies import studies
from db.transfer import imports, rating_imports

SYSTEMS = ("low", "middle", "high")


def rated_study(
    prompts: int = 20,
    systems: Sequence[str] = SYSTEMS,
    metrics: Sequence[str] = ("all",),
    scheme: str = "mans",
    name: str = "rated",
    unrated: int = 0,
) -> Study:
    """Three ratings a story, but for those of the last `unrated` prompts.

    Of the metrics, `half` turns the scores of half the prompts round and has no others, `flat` is constant, and every
    other follows the ratings with noise, `coarse` in whole numbers.
    """
    rng = np.random.default_rng(0)
    stories, ratings = [], []
    values: dict[str, dict[str, float]] = {name: {} for name in metrics}
    for p in range(prompts):
        for place, system in enumerate(systems):
            key = f"{p}-{place}"
            stories.append(StoryRecord(key, str(p), f"Opening {p}.", f"Story {key} is told.", Source.SYSTEM, system))
            given = rng.integers(place + 1, place + 4, 3) if scheme == "mans" else rng.integers(-1, 2, 3)
            if p < prompts - unrated:
                ratings += [RatingRecord(key, f"rater {i}", float(value)) for i, value in enumerate(given)]
            score = float(given.mean() + rng.normal())
            for metric, own in values.items():
                if metric != "half" or p < prompts // 2:
                    own[key] = {"flat": 1.0, "half": -score, "coarse": float(round(score))}.get(metric, score)
    scores = tuple(ScoreRecord(name, f"file:{i:012x}", own) for i, (name, own) in enumerate(values.items()))
    if scheme == "turing":
        return beside_people(name, stories, ratings, scores)
    return imports.import_corpora(TERMINAL, name, [Corpus(scheme, tuple(stories), tuple(ratings), scores)])


def beside_people(
    name: str, stories: Sequence[StoryRecord], ratings: Sequence[RatingRecord], scores: tuple[ScoreRecord, ...] = ()
) -> Study:
    """A Turing study of systems' stories, a human one for each prompt, and ratings from a file that say how each
    compares with that: -1 worse, 0 as good, 1 better.
    """
    prompts = {story.prompt_key: story.prompt for story in stories}
    human = [StoryRecord(f"{key}-h", key, opening, f"Human {key}.", Source.HUMAN) for key, opening in prompts.items()]
    study = studies.create(TERMINAL, name, "turing")
    imports.import_corpora(TERMINAL, name, [Corpus("", (*stories, *human), (), scores)])
    rows = [f"{rating.rater},{rating.story_key},{rating.overall}" for rating in ratings]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        file.write_text("\n".join(["annotator,story_id,overall", *rows]), encoding="utf-8")
        return rating_imports.import_ratings(TERMINAL, study.name, read_export(file))


def unlike_ratings(
    name: str = "s", metrics: Sequence[str] = ("m",), *, opposed: bool = False, stories_rated: int = 40
) -> Study:
    """Stories whose three raters each say what chance says, or, where they are `opposed`, far from one another;
    the first metric follows their mean all the same, and any other the first rater.
    """
    rng = np.random.default_rng(11)
    given = rng.integers(1, 6, (stories_rated, 3)).astype(float)
    if opposed:
        given = np.array([rng.permutation([1.0, 3, 4 + number % 2]) for number in range(stories_rated)])
    keys = [str(number) for number in range(stories_rated)]
    stories = tuple(
        StoryRecord(key, f"p{int(key) // 4}", "Opening.", f"Story {key} is told.", Source.SYSTEM, SYSTEMS[int(key) % 3])
        for key in keys
    )
    ratings = tuple(
        RatingRecord(key, f"rater {i}", value) for key, row in zip(keys, given.tolist(), strict=True)
        for i, value in enumerate(row)
    )  # fmt: skip
    scores = tuple(
        ScoreRecord(metric, f"file:{place}", dict(zip(keys, values.tolist(), strict=True)))
        for place, metric in enumerate(metrics)
        for values in [given[:, 0] if place else given.mean(1)]
    )
    return imports.import_corpora(TERMINAL, name, [Corpus("mans", stories, ratings, scores)])
