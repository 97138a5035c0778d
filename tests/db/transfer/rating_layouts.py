"""Files of ratings in every layout, and all that an import of them leaves in the database."""

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
from sqlalchemy import Connection, Select, select

from core.formats.exports.choice import ColumnChoice
from core.formats.exports.encoding import encoded
from core.formats.exports.package import write_file
from core.formats.exports.reading import read_export
from core.formats.exports.rows import TABLES
from core.formats.scores import MetricColumn
from core.people import TERMINAL
from db.engine import reading
from db.schema import (
    assignment,
    deduction,
    person,
    prompt,
    rating,
    rating_value,
    score,
    signature,
    story,
    study,
)
from db.transfer import imports, rating_imports
from tests.core.formats.exports.conftest import RATINGS, folder_of
from tests.db.conftest import small_corpus

HANNA = ("relevance", "coherence", "empathy", "surprise", "engagement", "complexity")
Rows = list[dict[str, Any]]


def write(path: Path, rows: Rows) -> Path:
    """The rows as a file of its suffix."""
    if path.suffix == ".csv":
        names = list(dict.fromkeys(name for row in rows for name in row))
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, names)
            writer.writeheader()
            writer.writerows(rows)
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def told(place: int, prompt_id: int, *, human: bool = False) -> dict[str, Any]:
    """A story as its ratings repeat it."""
    return {
        "story_id": f"s{place}",
        "prompt": f"Day {prompt_id}.",
        "system": "human" if human else f"m{place % 3}",
        "story": f"He said {place}. Mr. Fox left! Day {prompt_id}.",
    }


def with_texts(annotators: tuple[str, ...] = (), references: bool = True) -> Rows:
    """A row a rating, the stories' texts in each, references beside some of them."""
    rng = random.Random(1)
    rows = []
    for rater in range(3):
        for place in rng.sample(range(12), 12):
            row = told(place, place // 4, human=place % 4 == 3)
            if annotators:
                row["annotator"] = annotators[rater]
            if references:
                row["reference"] = ["", f"By me {place // 4}.", f"By {place}.", told(3, 0)["story"]][place % 4]
            rows.append({**row, "overall": rng.randint(1, 5)})
    return rows


def without_texts() -> Rows:
    """Ratings of the stories of `small_corpus`, by named people and by nobody known, some in panels of two."""
    rng = random.Random(2)
    texts = {record.key: record.text for record in small_corpus().stories}
    keys = [f"{number}-{name}" for number in (0, 1) for name in ("one", "two", "three", "human")]
    rows: Rows = []
    for who in ("Ann", "Bo", "", ""):
        for place, key in enumerate(rng.sample(keys, len(keys))):
            row = {"story_id": key, "annotator": who, "overall": rng.randint(1, 5), "position": (place * 5) % 8}
            if who == "Ann":
                row |= {"deductions": {"chaotic scenes": 2}, "evidence": {"chaotic scenes": [[0, 3], [4, 9]]}}
                row["evidence_text"] = {"chaotic scenes": [texts[key][:3], texts[key][4:9]]}
            if who == "Bo":
                row |= {"panel": f"HIT-{place % 2}", "comment": f"no {place}", "saved_at": "2026-01-02T03:04:05+00:00"}
            rows.append(row)
    return rows


def handed_in() -> Rows:
    """Ratings of another program's panels of one story, which were handed in and judged."""
    return [
        {"story_id": f"{p}-two", "annotator": who, "panel": f"{who}{p}", "overall": 1, "state": "submitted"}
        | {"valid": who == "Ann", "reason": "" if who == "Ann" else "too fast", "scheme": "union"}
        | {"started_at": "2026-01-02T03:04:05", "submitted_at": "2026-01-02T03:09:05", "prompt_id": str(p)}
        for who in ("Ann", "Bo")
        for p in (0, 1)
    ]


def hanna_long() -> Rows:
    """A row a rating on six criteria."""
    rng = random.Random(3)
    return [
        {**told(place, place // 4), **{name: rng.randint(1, 5) for name in HANNA}}
        for place in range(8)
        for _ in range(3)
    ]


def hanna_wide() -> Rows:
    """A row a story, a column a criterion and rater."""
    rng = random.Random(4)
    columns = [f"{name}_{rater}" for name in HANNA for rater in (1, 2, 3)]
    return [{**told(place, place // 4), **{column: rng.randint(1, 5) for column in columns}} for place in range(6)]


def nested() -> Rows:
    """An object a story, with a list of its ratings."""
    rng = random.Random(5)
    return [
        {**told(place, place // 4), "ratings": [{name: rng.randint(1, 5) for name in HANNA} for _ in range(3)]}
        for place in range(6)
    ]


def means() -> Rows:
    """Means of five raters."""
    rng = random.Random(6)
    return [
        {**told(place, place // 4), "overall": rng.randint(5, 25) / 5, "raters": 5, "bleu": place / 7}
        for place in range(9)
    ]


def _ours(folder: Path, kind: str) -> Path:
    path = folder / f"ratings.{kind}"
    write_file(encoded([row for row in RATINGS if row.story], TABLES["ratings"], kind), path)
    return path


def _second(rows: Rows) -> Rows:
    """Some of the same stories by others, and new ones of the same prompts."""
    again = [{**row, "annotator": f"{row['annotator']}2"} for row in rows[::2]]
    return again + [
        {**told(place, place // 10), "annotator": "Di", "overall": 2, "reference": f"New {place}."}
        for place in (20, 21, 22)
    ]


def _named() -> Rows:
    return with_texts(("Ann", "Bo", "Cy"))


Made = tuple[Path, ColumnChoice]
"""A file, and how it is read."""
LAYOUTS: dict[str, Callable[[Path], list[list[Made]]]] = {
    "texts": lambda f: [[(write(f / "a.csv", with_texts()), ColumnChoice(scale="1-5"))]],
    "named": lambda f: [
        [(write(f / "a.jsonl", _named()), ColumnChoice())],
        [(write(f / "b.jsonl", _second(_named())), ColumnChoice())],
    ],
    "two files": lambda f: [
        [
            (write(f / "a.jsonl", with_texts(("A", "B", "C"))[:12]), ColumnChoice(scale="0-5")),
            (write(f / "b.csv", with_texts(("A", "B", "C"))[12:]), ColumnChoice(scale="0-5")),
        ]
    ],
    "without texts": lambda f: [[(write(f / "a.jsonl", without_texts()), ColumnChoice())]],
    "handed in": lambda f: [[(write(f / "a.csv", handed_in()), ColumnChoice())]],
    "long": lambda f: [[(write(f / "a.csv", hanna_long()), ColumnChoice())]],
    "long with scores": lambda f: [
        [(write(f / "a.parquet", hanna_long()), ColumnChoice(scores=(MetricColumn("surprise", "surprise"),)))]
    ],
    "wide": lambda f: [[(write(f / "a.csv", hanna_wide()), ColumnChoice())]],
    "nested lines": lambda f: [[(write(f / "a.jsonl", nested()), ColumnChoice())]],
    "nested list": lambda f: [[(write(f / "a.json", nested()), ColumnChoice())]],
    "means": lambda f: [
        [(write(f / "a.jsonl", means()), ColumnChoice(scores=(MetricColumn("bleu", "bleu", negate=True),)))]
    ],
    "ours alone, csv": lambda f: [[(_ours(f, "csv"), ColumnChoice())]],
    "ours alone, jsonl": lambda f: [[(_ours(f, "jsonl"), ColumnChoice())]],
    "ours, csv": lambda f: [[(folder_of(f / "out", "csv"), ColumnChoice())]],
    "ours, jsonl": lambda f: [[(folder_of(f / "out", "jsonl"), ColumnChoice())]],
}
"""By name: the imports, one after the other, each of its files."""
_OF_A_STORY = ("position", "source", "system", "text", "sentences", "content_hash")
WITH_STORIES = {"without texts": "mans", "handed in": "union"}
"""Those whose stories are in the study before, and its scheme."""


def imported(layout: str, folder: Path) -> dict[str, Any]:
    """Import a layout into a study of its name; what there is then."""
    if layout in WITH_STORIES:
        imports.import_corpora(TERMINAL, layout, [small_corpus()], scheme=WITH_STORIES[layout])
    notices = []
    for files in LAYOUTS[layout](folder):
        several = [read_export(path, choice=choice) for path, choice in files]
        rating_imports.import_ratings(TERMINAL, layout, *several)
        notices += [notice for brought in several for notice in brought.notices]
    return {"notices": notices, **stored(layout)}


def stored(name: str) -> dict[str, Any]:
    """All that a study has, but for ids and the time of the import."""
    with reading() as connection:
        head = connection.execute(select(study).where(study.c.name == name)).one()
        keys = {row.id: row.key for row in connection.execute(select(story).where(story.c.study_id == head.id))}
        prompts = connection.execute(
            select(prompt.c.id, prompt.c.key, prompt.c.position, prompt.c.text)
            .where(prompt.c.study_id == head.id)
            .order_by(prompt.c.id)
        ).all()
        of_prompt = {row.id: row.key for row in prompts}
        stories = connection.execute(select(story).where(story.c.study_id == head.id).order_by(story.c.id))
        return {
            "study": [head.scheme, head.form and head.form["criteria"], head.rules, head.raters_identified],
            "prompts": [list(row[1:]) for row in prompts],
            "stories": [
                [row.key, of_prompt[row.prompt_id], *(getattr(row, name) for name in _OF_A_STORY)] for row in stories
            ],
            "panels": _panels(connection, head.id, of_prompt, keys),
            "ratings": _ratings(connection, head.id, keys),
            "scores": _scores(connection, keys),
        }


def _times(row: Any, *names: str) -> list[str | None]:
    """Times that the file says; those of the import are of this year's."""
    return [
        str(moment) if moment and moment.isoformat() < "2026-01-03" else moment and "now"
        for moment in (getattr(row, name) for name in names)
    ]


def _panels(connection: Connection, study_id: int, of_prompt: dict[int, str], keys: dict[int, str]) -> list[Any]:
    query: Select[Any] = (
        select(assignment, person.c.name)
        .outerjoin(person, person.c.id == assignment.c.person_id)
        .where(assignment.c.study_id == study_id)
        .order_by(assignment.c.id)
    )
    plain = ("state", "valid", "reason", "order_row", "overridden", "payment", "payment_category", "payment_reason")
    return [
        [of_prompt[row.prompt_id], row.name, row.rater, [[keys[number], token] for number, token in row.stories]]
        + [keys.get(row.story_id)]
        + [getattr(row, name) for name in (*plain, "appeal", "guideline_version")]
        + _times(row, "asked_at", "started_at", "submitted_at")
        for row in connection.execute(query)
    ]


def _ratings(connection: Connection, study_id: int, keys: dict[int, str]) -> list[Any]:
    query = (
        select(rating, rating_value.c.criterion, rating_value.c.value)
        .join(assignment, assignment.c.id == rating.c.assignment_id)
        .join(rating_value, rating_value.c.rating_id == rating.c.id)
        .where(assignment.c.study_id == study_id)
        .order_by(rating.c.id, rating_value.c.criterion)
    )
    panels = connection.scalars(
        select(assignment.c.id).where(assignment.c.study_id == study_id).order_by(assignment.c.id)
    ).all()
    rows: dict[int, list[Any]] = {}
    for row in connection.execute(query):
        head = [panels.index(row.assignment_id), keys[row.story_id], row.raters, row.comment, row.place]
        rows.setdefault(row.id, [*head, *_times(row, "updated_at"), {}, []])[6][row.criterion] = row.value
    for row in connection.execute(select(deduction).order_by(deduction.c.id)):
        if row.rating_id in rows:
            rows[row.rating_id][7].append([row.error_type, row.points, row.spans])
    return list(rows.values())


def _scores(connection: Connection, keys: dict[int, str]) -> list[Any]:
    by_hash = dict(connection.execute(select(story.c.content_hash, story.c.key).where(story.c.id.in_(keys))).all())
    query = select(signature.c.metric, score).join(signature, signature.c.id == score.c.signature_id)
    return sorted(
        [row.metric, keys.get(row.story_id) or by_hash.get(row.content_hash), row.value, row.reason]
        for row in connection.execute(query)
    )
