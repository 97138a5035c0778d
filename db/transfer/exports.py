"""Exports a study's stories, panels and ratings, streamed from one state of the data."""

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import datetime

from core.annotation.scheme import CHECK
from core.annotation.studies import Study
from core.errors import InputError
from core.formats.corpora import CORPUS_FORMATS
from core.formats.exports.encoding import check_kind
from core.formats.exports.package import Exportable, Files, table_files, text_files
from core.formats.exports.preferences import WRITERS, judgments_in
from core.formats.exports.rating_sheet import rating_sheet
from core.formats.exports.rows import AnyRow, ExportedRating, ExportedStory
from core.formats.manifest import StudyHead
from core.people import Person, Role
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from db.audit import now
from db.engine import reading
from db.people import people
from db.ratings.ratings import imports_name_errors
from db.scores import tables
from db.studies import studies
from db.transfer.export_rows import Outgoing
from db.transfer.preference_rows import preference_rows
from db.version import APP_VERSION

COUNTED_STATES = ("submitted", "imported")


def files(
    by: Person,
    study_id: int,
    kind: str,
    when: datetime | None = None,
    target: str | None = None,
    margin: float | None = None,
) -> Files:
    """The files of an export and its manifest, made as they are read; see `core.formats.exports.package`.

    `target`: what preferences are made from, of a study that rates single stories; `margin`: see `preference_rows`.

    Raises NotAllowed, NotFound, or InputError for a format that there is not or cannot hold the study, before the first
    file; nobody who is not at least a researcher gets any.
    """
    moment = when or now()
    if kind in WRITERS:
        asked, rows = preference_rows(by, study_id, target, margin)
        texts = WRITERS[kind](rows)
        counts = {"preferences": {"judgments": judgments_in(texts)}}
        return text_files(texts, kind, _head(asked), counts, APP_VERSION, moment)
    other = CORPUS_FORMATS.get(kind)
    if other is not None and other.write is not None:
        study, corpus = stories_with_ratings(by, study_id)
        return text_files(other.write(corpus), kind, study, _numbers(corpus), APP_VERSION, moment)
    check_kind(kind)
    with opened(by, study_id):
        pass  # refuses now what it would refuse at the first byte

    def streamed() -> Files:
        with opened(by, study_id) as data:
            yield from table_files(data, kind, APP_VERSION, moment)

    return streamed()


def sheet(by: Person, study_id: int) -> Generator[bytes]:
    """The ratings that count as one CSV file; see `core.formats.exports.rating_sheet`.

    Raises NotAllowed, NotFound, or InputError for a study of pairs, before the first byte.
    """
    with opened(by, study_id) as asked:
        if asked.study.scheme.unit.of_pairs:
            raise InputError("A sheet holds ratings of single stories; export judgments of pairs as preferences.")
    imports_asked = imports_name_errors(study_id)

    def streamed() -> Generator[bytes]:
        with opened(by, study_id) as data:
            yield from rating_sheet(_counted_ratings(data), data.study.scheme, imports_asked=imports_asked)

    return streamed()


def _counted_ratings(data: Exportable) -> Iterator[ExportedRating]:
    """Those that count, of the stories that the study is about."""
    for row in data.tables["ratings"]:
        if isinstance(row, ExportedRating) and _counts(row) and row.source in data.study.scheme.sources:
            yield row


def ratings_of(by: Person, study_id: int) -> Iterator[ExportedRating]:
    """Every rating of a study, rejected and unfinished ones included, the oldest panel first."""
    with opened(by, study_id) as data:
        for row in data.tables["ratings"]:
            if isinstance(row, ExportedRating):
                yield row


@contextmanager
def opened(by: Person, study_id: int) -> Iterator[Exportable]:
    """The tables of a study as they are now, whatever is written meanwhile; raises NotAllowed, NotFound."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        study = studies.locked(connection, study_id, lock=False)
        source = Outgoing(connection, study)
        tables: dict[str, Iterator[AnyRow]] = {
            "stories": source.stories(),
            "panels": source.panels(),
            "ratings": source.ratings(),
            "scores": source.scores(),
        }
        yield Exportable(_head(study), tables)


def _head(study: Study) -> StudyHead:
    return StudyHead(
        name=study.name,
        scheme_key=study.scheme_key,
        form=study.form,
        rules=study.rules,
        state=study.state,
        guideline_version=study.guideline_version,
        raters_identified=study.raters_identified,
        demonstration=study.demonstration,
    )


def stories_with_ratings(by: Person, study_id: int) -> tuple[StudyHead, Corpus]:
    """A study's stories in order with the ratings of the systems' stories that count and every complete column of
    scores, for formats that hold no more.

    Who rated is not told: the ratings of a story are those of "rater 1", "rater 2", … in the order of their panels.
    """
    with opened(by, study_id) as data:
        stories = tuple(_record(row) for row in data.tables["stories"] if isinstance(row, ExportedStory))
        given: Counter[str] = Counter()
        ratings = []
        for row in data.tables["ratings"]:
            if isinstance(row, ExportedRating) and _counts(row) and row.source == Source.SYSTEM:
                if row.raters > 1:
                    raise InputError(
                        "This study has means of several raters, and the formats of MANS and UNION hold single "
                        "ratings; export it as csv, jsonl or parquet."
                    )
                if row.overall is None or set(row.criteria) - {CHECK}:
                    raise InputError(
                        "This study has ratings on several criteria, and the formats of MANS and UNION hold one "
                        "overall rating; export it as csv, jsonl or parquet."
                    )
                given[row.story_id] += 1
                rater = f"rater {given[row.story_id]}"
                ratings.append(RatingRecord(row.story_id, rater, row.overall, tuple(row.deductions.items())))
    table = tables.table(study_id)
    complete = [column for column in table.columns if column.scored == len(table.keys)]
    columns = tuple(
        ScoreRecord(column.metric, column.signature, dict(zip(table.keys, column.values.tolist(), strict=True)))
        for column in complete
    )
    return data.study, Corpus(data.study.scheme_key, stories, tuple(ratings), columns, raters_identified=False)


def _record(row: ExportedStory) -> StoryRecord:
    return StoryRecord(row.story_id, row.prompt_id, row.prompt, row.story, Source(row.source), row.system)


def _counts(row: ExportedRating) -> bool:
    return bool(row.valid) and row.state in COUNTED_STATES


def _numbers(corpus: Corpus) -> dict[str, dict[str, int]]:
    """What the formats of other programs hold of it: no control stories, and every rating a counted one."""
    sources = Counter(str(story.source) for story in corpus.stories if story.source is not Source.NEGATIVE)
    return {"stories": dict(sorted(sources.items())), "ratings": {"valid": len(corpus.ratings)}}
