"""A study whose raters are known, with judges: one that copies people's mean, one that guesses, one that counts words,
and one that is also a system and favours its own stories.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.annotation.studies import Study
from core.formats.corpora.judges import read_judges
from core.formats.exports.reading import read_export
from core.people import TERMINAL
from core.stories import ScoreRecord
from db.scores import scores
from db.transfer import rating_imports

CRITERIA = ("coherence", "empathy")
SYSTEMS = ("low", "partial", "high")
JUDGES = ("copy/1", "copy/2", "guess", "words", "partial")


def judged_study(prompts: int = 20, raters: int = 4, name: str = "judged") -> Study:
    """A story of each system a prompt, `raters` known people for each, two criteria, and the judges above: `copy/1` is
    the mean of people, `copy/2` that plus a little, `partial` adds a point to its own system's stories.
    """
    rng = np.random.default_rng(0)
    ratings, judged = ["annotator,story_id,prompt_id,prompt,system,story,coherence,empathy"], []
    for prompt in range(prompts):
        for place, system in enumerate(SYSTEMS):
            key, words = f"{prompt}-{place}", int(rng.integers(5, 40))
            text = " ".join(["word"] * words) + "."
            worth = place + 1 + rng.normal(0, 0.7, 2) + 0.02 * words
            given = np.clip(np.rint(worth + rng.normal(0, 0.8, (raters, 2))), 1, 5)
            for rater, (coherence, empathy) in enumerate(given.astype(int)):
                ratings.append(f"P{rater},{key},{prompt},Opening {prompt}.,{system},{text},{coherence},{empathy}")
            mean = given.mean(0)
            own = np.clip(mean + rng.normal(0, 0.3, 2) + (system == "partial"), 1, 5)
            said = {
                "copy,1": mean,
                "copy,2": np.clip(mean + rng.normal(0, 0.1, 2), 1, 5),
                "guess,": rng.integers(1, 6, 2),
                "words,": np.full(2, 1 + words / 10),
                "partial,": own,
            }
            judged += [f"{key},{judge},{a},{b}" for judge, (a, b) in said.items()]
    return _brought(name, ratings, ["story_id,judge,variant,coherence,empathy", *judged])


def unlike_on_coherence(name: str = "unlike") -> Study:
    """Of 60 stories people rate empathy alike, and coherence as chance has it; `copy` is their mean on both, and the
    metric `m` twice that on empathy.
    """
    rng = np.random.default_rng(1)
    ratings, judged, scored = ["annotator,story_id,prompt_id,prompt,system,story,coherence,empathy"], [], {}
    for number in range(60):
        key, system, text = str(number), SYSTEMS[number % 3], f"Story {number} is told."
        chance, worth = rng.integers(1, 6, 3), rng.integers(1, 6)
        alike = np.clip(worth + rng.integers(0, 2, 3), 1, 5)
        for rater, (coherence, empathy) in enumerate(zip(chance, alike, strict=True)):
            ratings.append(f"P{rater},{key},{number // 3},Opening {number // 3}.,{system},{text},{coherence},{empathy}")
        judged.append(f"{key},copy,{chance.mean()},{alike.mean()}")
        scored[key] = 2 * float(alike.mean())
    study = _brought(name, ratings, ["story_id,judge,coherence,empathy", *judged])
    scores.import_scores(TERMINAL, study.id, ScoreRecord("m", "file:m", scored))
    return study


def judged_on_empathy_alone(name: str = "half judged") -> Study:
    """People rate two criteria of 20 stories, and the judge `copy` one."""
    ratings = ["annotator,story_id,prompt_id,prompt,system,story,coherence,empathy"]
    for number in range(20):
        story = f"{number},{number // 2},Opening {number // 2}.,{SYSTEMS[number % 2]},Story {number} is told."
        ratings += [f"P{rater},{story},{1 + number % 5},{1 + number % 4}" for rater in range(2)]
    judged = [f"{number},copy,{1 + number % 3}" for number in range(20)]
    return _brought(name, ratings, ["story_id,judge,empathy", *judged])


def _brought(name: str, ratings: Sequence[str], judged: Sequence[str]) -> Study:
    """A study of these lines of ratings, and of judges' ratings."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "ratings.csv"
        file.write_text("\n".join(ratings), encoding="utf-8")
        study = rating_imports.import_ratings(TERMINAL, name, read_export(file))
        file.write_text("\n".join(judged), encoding="utf-8")
        brought = read_judges(file, study.scheme, scores.story_keys(study.id))
    scores.import_scores(TERMINAL, study.id, *brought.records)
    return study
