"""One load: so many annotators at once in the real app, and what the database holds of it afterwards."""

import json
import math
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, replace

from sqlalchemy import func, select

from benchmarks.pages.crowd import FORMS, Annotator, crowd, fill, planted
from benchmarks.pages.served import Served, cpu_of_all
from benchmarks.pages.stored import Stored
from benchmarks.pages.streamlit_client import LONGEST_WAIT
from benchmarks.pages.visits import Report, Work, options
from core.annotation.builtin import MANS
from core.annotation.panel import as_side
from core.annotation.scheme import Scheme, default_rules
from core.annotation.studies import Study
from core.home import ROOT
from core.people import TERMINAL, Person, Role
from core.stories import Corpus

WANTED = 5
HEADER = (
    "| form | database | processes | annotators | seconds | saves | saves/s | p50 | p95 | max | opening p95 | "
    "next panel p95 | errors | server CPU | database CPU | clients CPU | others' CPU | server memory | lost | double | "
    "ratings of a story or pair |\n" + "|---" * 21 + "|"
)


@dataclass(frozen=True)
class Load:
    """What a load came to. Times in seconds, processor times in cores while it lasted, memory in MB."""

    form: str
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
    """How many stories, or pairs, have how many counted ratings, once the study is full."""

    def __str__(self) -> str:
        """As a row of a Markdown table."""
        result = self.report
        ratings = ", ".join(f"{number}: {stories}" for number, stories in sorted(self.ratings.items()))
        cells = [
            self.form, self.database, self.processes, self.annotators, f"{self.seconds:.0f}", len(result.saves),
            f"{len(result.saves) / self.seconds:.1f}", *(f"{share(result.saves, q):.3f} s" for q in (0.5, 0.95, 1)),
            f"{share(result.opened, 0.95):.2f} s", f"{share(result.turned, 0.95):.2f} s", len(result.errors),
            *(f"{cores:.2f}" for cores in (self.server, self.storage, result.cpu / self.seconds, self.others)),
            f"{self.memory:.0f} MB", self.lost, self.double, ratings,
        ]  # fmt: skip
        return f"| {' | '.join(map(str, cells))} |"


def share(times: list[float], part: float) -> float:
    """The time that this part (0 to 1) of them do not exceed; 0 of none."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def enough(form: str, annotators: int, seconds: float, interval: float) -> int:
    """How many planted prompts keep so many annotators at work for so long."""
    asked = FORMS[form]
    each = 1 + seconds / interval / asked.answers
    least = 8 if asked.scheme.unit.several else max(8, math.ceil(each))  # nobody gets two stories of one prompt
    return max(least, round(annotators * each / WANTED / asked.assignments))


def open_planted(
    name: str, prompts: int, wanted: int = WANTED, scheme: Scheme = MANS
) -> tuple[Study, Corpus, dict[str, float]]:
    """An open study of planted stories, its corpus, and the quality of each text."""
    from db.annotation import settings
    from db.studies import studies
    from db.transfer import imports

    corpus, quality = planted(prompts)
    new_study = imports.import_corpora(TERMINAL, name, [corpus], scheme=scheme.key)
    settings.set_rules(TERMINAL, new_study.id, replace(default_rules(scheme), ratings_wanted=wanted))
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


def run(
    database: str,
    storage: Stored,
    annotators: int,
    seconds: float,
    interval: float,
    processes: int = 1,
    form: str = "mans",
) -> Load:
    """Serve an empty database that is migrated, set so many annotators to work, then have the study filled."""
    scheme, prompts = FORMS[form].scheme, enough(form, annotators, seconds, interval)
    study, _, quality = open_planted(f"{annotators} annotators", prompts, scheme=scheme)
    people = [(*invited(study, annotator), annotator) for annotator in crowd(annotators, annotators // 10)]
    work = Work("", [(token, annotator) for token, _, annotator in people], quality, seconds, interval, form=form)
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
    fill([(person, annotator) for _, person, annotator in people] + reserve, quality, scheme=scheme)
    others = max(0.0, busy / lasted - server - database_cpu - report.cpu / lasted)
    return Load(
        form,
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
        ratings_an_item(study.id),
    )


def lost(study_id: int, report: Report) -> int:
    """Acknowledged answers that are not stored as they were acknowledged last, nor as they were changed after that by a
    save whose answer never came.
    """
    from db.annotation.assignments import rated_at
    from db.engine import reading
    from db.schema import assignment, deduction, rating, rating_value
    from db.studies import studies

    scheme = studies.get(study_id).scheme
    with reading() as connection:
        rated = {
            token: (row.id, *rated_at(scheme.unit, row, shown)[:2])
            for row in connection.execute(select(assignment).where(assignment.c.study_id == study_id))
            for shown, (_, token) in enumerate(row.stories)
        }
        ratings = connection.execute(select(rating)).all()
        known = {(row.assignment_id, row.story_id, row.place): row.id for row in ratings}
        stored = {(row.rating_id, row.criterion): row.value for row in connection.execute(select(rating_value))}
        stored |= {(row.rating_id, row.error_type): row.points for row in connection.execute(select(deduction))}
    wrong = 0
    for token, given in report.acknowledged.items():
        for part, index in given.items():
            may_be = {index, report.unanswered.get(token, {}).get(part, index)}
            values = {options(scheme, part)[i] for i in may_be}
            if scheme.unit.of_pairs:
                values = {as_side(value) for value in values}
            wrong += stored.get((known.get(rated[token]), part)) not in values
    return wrong


def double(study_id: int, report: Report) -> int:
    """Saves in the log that no client made (one whose answer never came may be there rightly), panels that were handed
    in more than once, and stories or pairs with more counted ratings than are wanted.
    """
    from db.engine import reading
    from db.schema import event
    from db.studies import studies

    wanted = studies.get(study_id).rules.ratings_wanted
    with reading() as connection:
        kinds = [
            (row.kind, row.detail.get("assignment"))
            for row in connection.execute(select(event).where(event.c.study_id == study_id))
        ]
    over = sum(items for number, items in ratings_an_item(study_id).items() if number > wanted)
    saved = sum(kind == "answer saved" for kind, _ in kinds)
    handed_in = Counter(panel for kind, panel in kinds if kind == "panel submitted")
    return max(0, saved - len(report.saves) - report.in_vain) + sum(n - 1 for n in handed_in.values()) + over


def ratings_an_item(study_id: int) -> Counter[int]:
    """How many stories, controls included, or pairs of the study's panels have how many counted ratings."""
    from db.engine import reading
    from db.ratings.ratings import COUNTED
    from db.schema import assignment, pair, pair_panel, rating, story
    from db.studies import studies

    scheme = studies.get(study_id).scheme
    if scheme.unit.of_pairs:
        items = select(pair.c.pair_panel_id, pair.c.place).join(pair_panel).where(pair_panel.c.study_id == study_id)
        of_rating = (assignment.c.pair_panel_id, rating.c.place)
    else:
        items = select(story.c.id).where(story.c.study_id == study_id)
        if not scheme.controls:
            items = items.where(story.c.source.in_(scheme.sources))
        of_rating = (rating.c.story_id,)
    query = (
        select(*of_rating, func.count())
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .where(assignment.c.study_id == study_id, COUNTED)
        .group_by(*of_rating)
    )
    with reading() as connection:
        counted = {tuple(row[:-1]): row[-1] for row in connection.execute(query)}
        return Counter(counted.get(tuple(row), 0) for row in connection.execute(items))
