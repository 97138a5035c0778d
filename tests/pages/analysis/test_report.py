"""The page of a metric's report: empty, by a link, with names that want to be markup."""

from dataclasses import replace

import numpy as np

from core.annotation.studies import Study
from core.people import TERMINAL
from core.stories import RatingRecord, ScoreRecord
from db.studies import studies
from db.transfer import imports
from tests.db.conftest import SYSTEMS, small_corpus
from tests.pages.conftest import Open
from tests.pages.test_pages import words

HOSTILE = "**bold** <b>x</b> :material/home: [l](http://x) $y$"
PROMPTS = 12


def rated_study(name: str = "small", metrics: tuple[str, ...] = ("good", "weak")) -> Study:
    """Sixty stories of five systems with three ratings each, and metrics, each worse than the one before."""
    rng = np.random.default_rng(3)
    keys = [f"{p}-{system}" for p in range(PROMPTS) for system in SYSTEMS]
    quality = rng.uniform(1, 5, len(keys))
    given = np.clip(np.round(quality[:, None] + rng.normal(0, 0.5, (len(keys), 3))), 1, 5)
    ratings = tuple(
        RatingRecord(key, f"r{rater}", float(value)) for key, row in zip(keys, given, strict=True)
        for rater, value in enumerate(row)
    )  # fmt: skip
    columns = [(quality + rng.normal(0, 0.3 + 5 * number, len(keys))).tolist() for number in range(len(metrics))]
    scores = tuple(
        ScoreRecord(metric, f"file:{metric}", dict(zip(keys, column, strict=True)))
        for metric, column in zip(metrics, columns, strict=True)
    )
    corpus = replace(small_corpus(PROMPTS), scheme="mans", ratings=ratings, scores=scores)
    return imports.import_corpora(TERMINAL, name, [corpus])


def test_what_to_do_next(open_page: Open, owner: str) -> None:
    assert "There is no study yet" in words(open_page("report", owner))
    studies.create(TERMINAL, "bare")
    assert "This study has no scores yet" in words(open_page("report", owner))


def test_every_part_is_there(open_page: Open, owner: str) -> None:
    rated_study(HOSTILE)
    page = open_page("report", owner)
    assert not page.exception
    said = words(page)
    for part in ("Verdict", "Its scores rise with human judgments", "Imported", "By system", "Quality drift",
                 "Differences between sets"):  # fmt: skip
        assert part in said, part
    page.selectbox(key="metric").set_value("weak").run()
    assert not page.exception
    assert "number 2 of 2 metrics" in words(page)


def test_another_study_may_lack_the_metric(open_page: Open, owner: str) -> None:
    other = rated_study("b", metrics=("another",))
    rated_study("a")
    page = open_page("report", owner)
    page.selectbox(key="metric").set_value("weak").run()
    page.selectbox(key="study_box").set_value(other.id).run()
    assert not page.exception
    assert page.selectbox(key="metric").value == "another"
