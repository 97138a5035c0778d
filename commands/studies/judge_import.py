"""`import judges`: ratings that language models gave elsewhere."""

from pathlib import Path

from commands.terminal import console
from core.annotation.past_imports import JUDGES, Origin
from core.errors import InputError
from core.formats.corpora.judges import JudgeChoice, JudgesBrought, read_judges
from core.people import TERMINAL
from core.stories import Source
from db.scores import scores
from db.studies import studies


def import_judges(paths: list[Path], study: str, choice: JudgeChoice) -> None:
    """Import a file of judges' ratings into a study, as scores; of every file or of none."""
    chosen_study = studies.find(study)
    keys = scores.story_keys(chosen_study.id, scores.sources(chosen_study.id))
    every = scores.story_keys(chosen_study.id, tuple(Source))
    several = [read_judges(path, chosen_study.scheme, keys, others=every, choice=choice) for path in paths]
    _check_once(several)
    records = (record for brought in several for record in brought.records)
    origin = Origin(JUDGES, tuple(path.name for path in paths))
    scores.import_scores(TERMINAL, chosen_study.id, *records, origin=origin)
    for brought in several:
        number = sum(len(record.values) for record in brought.records)
        console.print(
            f"{chosen_study.name}: {number:,} ratings by {', '.join(brought.judges)} of {', '.join(brought.criteria)}.",
            markup=False,
            soft_wrap=True,
        )
    for notice in dict.fromkeys(notice for brought in several for notice in brought.notices):
        console.print(f"Note: {notice}", markup=False, soft_wrap=True)


def _check_once(several: list[JudgesBrought]) -> None:
    names = [record.metric for brought in several for record in brought.records]
    double = next((name for name in names if names.count(name) > 1), None)
    if double is not None:
        raise InputError(f"Two of these files have {double}; give one of the judges another name with --judge.")
