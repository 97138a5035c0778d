"""One load: so many annotators at once in the real app, and what the database holds of it afterwards."""

import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass

from sqlalchemy import func, select

from benchmarks.pages.crowd import Annotator, crowd, fill, planted
from benchmarks.pages.served import Served, cpu_of_all
from benchmarks.pages.stored import Stored
from benchmarks.pages.streamlit_client import LONGEST_WAIT
from benchmarks.pages.visits import Report, Work
from core.annotation.builtin import MANS
from core.annotation.scheme import QualityRules
from core.annotation.studies import Study
from core.home import ROOT
from core.people import TERMINAL, Person, Role
from core.stories import Corpus

WANTED = 5
SAVES_A_PANEL = 15
HEADER = (
    "| database | processes | annotators | seconds | saves | saves/s | p50 | p95 | max | opening p95 | "
    "next panel p95 | errors | server CPU | database CPU | clients CPU | others' CPU | server memory | lost | double | "
    "ratings a story |\n" + "|---" * 20 + "|"
)


@dataclass(frozen=True)
class Load:
    """What a load came to. Times in seconds, processor times in cores while it lasted, memory in MB."""

    database: str
    processes: int
    annotators: int
    report: Report
    seconds: float
    server: float
    storage: float
    others: float
    memory: float
    lost: int
    """Acknowledged answers that the database does not hold as acknowledged last."""
    double: int
    """Answers stored or logged more often than they were given."""
    ratings: Counter[int]
    """How many stories have how many counted ratings, once the study is full."""

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        result = self.report
        ratings = ", ".join(f"{number}: {stories}" for number, stories in sorted(self.ratings.items()))
        cells = [
            self.database, self.processes, self.annotators, f"{self.seconds:.0f}", len(result.saves),
            f"{len(result.saves) / self.seconds:.1f}", *(f"{share(result.saves, q):.3f} s" for q in (0.5, 0.95, 1)),
            f"{share(result.opened, 0.95):.2f} s", f"{share(result.turned, 0.95):.2f} s", len(result.errors),
            *(f"{cores:.2f}" for cores in (self.server, self.storage, result.cpu / self.seconds, self.others)),
            f"{self.memory:.0f} MB", self.lost, self.double, ratings,
        ]  # fmt: skip
        return f"| {' | '.join(map(str, cells))} |"


def share(times: list[float], part: float) -> float:
    """The time that this part (0 to 1) of them do not exceed; 0 of none."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def open_planted(name: str, prompts: int, wanted: int = WANTED) -> tuple[Study, Corpus, dict[str, float]]:
    """An open study of planted stories, its corpus, and the quality of each text."""
    from db.annotation import settings
    from db.studies import studies
    from db.transfer import imports

    corpus, quality = planted(prompts)
    new_study = imports.import_corpora(TERMINAL, name, [corpus])
    settings.set_rules(TERMINAL, new_study.id, QualityRules(ratings_wanted=wanted))
    studies.open_study(TERMINAL, new_study.id)
    return studies.get(new_study.id), corpus, quality


def invited(study: Study, annotator: Annotator) -> tuple[str, Person]:
    """The token of an annotator's own link, and who they are."""
    from db.people import people

    token = people.invite(TERMINAL, Role.ANNOTATOR, name=f"annotator {annotator.seed}", study_id=study.id)
    person = people.by_token(token)
    if person is None:
        raise RuntimeError("The link just made does not work.")
    return token, person


def visit(work: Work) -> Report:
    """Do the work in a process of its own; raises RuntimeError with what it said if that fails."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.pages.visits"],
        cwd=ROOT,
        input=json.dumps(asdict(work)),
        capture_output=True,
        text=True,
        timeout=work.seconds + LONGEST_WAIT,
    )
    if done.returncode:
        raise RuntimeError(f"The annotators failed:\n{done.stderr}")
    return Report(**json.loads(done.stdout))


def run(database: str, storage: Stored, annotators: int, seconds: float, interval: float, processes: int = 1) -> Load:
    """Serve an empty database that is migrated, set so many annotators to work, then have the study filled."""
    panels = annotators * (1 + seconds / interval / SAVES_A_PANEL)
    study, _, quality = open_planted(f"{annotators} annotators", max(8, round(panels / WANTED)))
    people = [(*invited(study, annotator), annotator) for annotator in crowd(annotators, annotators // 10)]
    work = Work("", [(token, annotator) for token, _, annotator in people], quality, seconds, interval)
    with Served(storage.home, processes) as app:
        before = app.cpu(), storage.cpu(), cpu_of_all(), time.monotonic()
        report = visit(Work(**{**vars(work), "address": app.address}))
        lasted = time.monotonic() - before[3]
        server, database_cpu, memory = (
            (app.cpu() - before[0]) / lasted,
            (storage.cpu() - before[1]) / lasted,
            app.memory(),
        )
        busy = cpu_of_all() - before[2]
    spent = report.ended_at - report.begun_at
    missing, extra = lost(study.id, report), double(study.id, report)
    reserve = [(invited(study, annotator)[1], annotator) for annotator in crowd(2 * WANTED, seed=1)]
    fill([(person, annotator) for _, person, annotator in people] + reserve, quality)
    others = max(0.0, busy / lasted - server - database_cpu - report.cpu / lasted)
    return Load(
        database,
        processes,
        annotators,
        report,
        spent,
        server,
        database_cpu,
        others,
        memory,
        missing,
        extra,
        ratings_a_story(study.id),
    )


def lost(study_id: int, report: Report) -> int:
    """Acknowledged answers that are not stored as they were acknowledged last, nor as they were changed after that by a
    save whose answer never came.
    """
    from db.engine import reading
    from db.schema import assignment, deduction, rating, rating_value

    with reading() as connection:
        stories = {
            token: (row.id, story_id)
            for row in connection.execute(select(assignment).where(assignment.c.study_id == study_id))
            for story_id, token in row.stories
        }
        rows = connection.execute(select(rating, rating_value.c.value).outerjoin(rating_value))
        overall = {(row.assignment_id, row.story_id): (row.id, row.value) for row in rows}
        deducted = {(row.rating_id, row.error_type): row.points for row in connection.execute(select(deduction))}
    wrong = 0
    for token, given in report.acknowledged.items():
        rating_id, stored = overall.get(stories[token], (None, None))
        for part, index in given.items():
            may_be = {index, report.unanswered.get(token, {}).get(part, index)}
            if part == "overall":
                wrong += stored not in {MANS.scale[i][0] for i in may_be}
            else:
                points = deducted.get((rating_id, part))
                wrong += points not in {MANS.error_type(part).points[i] for i in may_be}
    return wrong


def double(study_id: int, report: Report) -> int:
    """Saves in the log that no client made (one whose answer never came may be there rightly), panels that were handed
    in more than once, and units with more counted panels than are wanted.
    """
    from db.engine import reading
    from db.ratings.ratings import COUNTED
    from db.schema import assignment, event, rating
    from db.studies import studies

    wanted = studies.get(study_id).rules.ratings_wanted
    with reading() as connection:
        kinds = [
            (row.kind, row.detail.get("assignment"))
            for row in connection.execute(select(event).where(event.c.study_id == study_id))
        ]
        counted = (
            select(func.count())
            .select_from(rating.join(assignment, assignment.c.id == rating.c.assignment_id))
            .where(assignment.c.study_id == study_id, COUNTED)
            .group_by(rating.c.story_id)
        )
        over = sum(number > wanted for number in connection.scalars(counted))
    saved = sum(kind == "answer saved" for kind, _ in kinds)
    handed_in = Counter(panel for kind, panel in kinds if kind == "panel submitted")
    return max(0, saved - len(report.saves) - report.in_vain) + sum(n - 1 for n in handed_in.values()) + over


def ratings_a_story(study_id: int) -> Counter[int]:
    """How many stories, controls included, have how many counted ratings."""
    from db.engine import reading
    from db.ratings.ratings import COUNTED
    from db.schema import assignment, rating, story

    with reading() as connection:
        stories = connection.scalars(select(story.c.id).where(story.c.study_id == study_id)).all()
        query = (
            select(rating.c.story_id, func.count())
            .join(assignment, assignment.c.id == rating.c.assignment_id)
            .where(assignment.c.study_id == study_id, COUNTED)
            .group_by(rating.c.story_id)
        )
        counted = {row[0]: row[1] for row in connection.execute(query)}
    return Counter(counted.get(story_id, 0) for story_id in stories)
