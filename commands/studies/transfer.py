"""Commands that bring data in and out: import, export, scores import."""

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from commands.studies.asked_questions import OPTION, asked_questions
from commands.studies.judge_import import import_judges
from commands.studies.story_tables import import_stories, warn
from commands.terminal import Pairs, StudyName, TargetName, Where, console, pairs, row_filter
from core.annotation.past_imports import SCORES, Origin, asks_now
from core.annotation.studies import Study
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.formats.corpora import CORPUS_FORMATS
from core.formats.corpora.judges import JudgeChoice
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.chosen_rows import APPROVED, STATUS, rejected_sentence
from core.formats.exports.encoding import encoded
from core.formats.exports.package import write_file, write_folder, zipped
from core.formats.exports.preferences import WRITERS, judgments_in, read_preferences
from core.formats.exports.rating_sheet import SHEET
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.formats.exports.rows import TABLES, ExportedRating
from core.formats.scores import MetricColumn, parse_wanted, read_score_table, read_scores
from core.formats.stories.choice import StoryChoice
from core.formats.uploads.score_columns import offered_scores
from core.metrics.run import SCORED
from core.people import TERMINAL
from core.stories import Source
from db.scores import scores as stored_scores
from db.studies import studies
from db.transfer import exports, imports, rating_imports
from db.transfer.preference_rows import preference_rows

RATINGS = ("ratings", "fabula")
PREFERENCES = "preferences"
"""The formats whose columns, rows and scale may be said."""
JUDGES = "judges"
IMPORTS = f"{', '.join([*CORPUS_FORMATS, 'stories', 'ratings', PREFERENCES, JUDGES])} or fabula"
"""The formats of `import`, in words."""
_OTHERS = sorted([SHEET, *WRITERS, *(entry.name for entry in CORPUS_FORMATS.values() if entry.write)])
EXPORTS = f"csv, jsonl, parquet, {', '.join(_OTHERS[:-1])} or {_OTHERS[-1]}"


def import_(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help=f"{IMPORTS}.")],
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files or folders of that format.")],
    study: StudyName,
    mapping: Pairs = None,
    where: Where = None,
    scheme: Annotated[
        str | None,
        typer.Option(help="Scheme of a new study: mans (where nothing is said), union, turing, likeliness, hanna, …"),
    ] = None,
    prompts: Annotated[
        PromptKind | None,
        typer.Option(
            help="What the prompts are: how the stories begin, or the task that they were written for; else what the "
            "study's form says.",
            show_default=False,
        ),
    ] = None,
    scale: Annotated[str | None, typer.Option(help="The scale that a file of ratings is on, such as 0-5.")] = None,
    human_system: Annotated[
        list[str] | None,
        typer.Option(
            help='A system that is people: its stories are the human references; "" for stories without a system.'
        ),
    ] = None,
    negative_system: Annotated[
        list[str] | None, typer.Option(help="A system whose stories are negative ones, controls that should be bad.")
    ] = None,
    scores: Annotated[
        list[str] | None,
        typer.Option(help="Scores beside the stories: NAME, NAME=COLUMN, or NAME=-COLUMN (lower is better)."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Take each story once, where rows repeat it.")] = False,
    without_empty: Annotated[
        bool, typer.Option("--without-empty", help="Leave out the rows whose story is empty, which are named.")
    ] = False,
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            help="Of ratings and judges: NAME=COLUMN, NAME=COLUMN+COLUMN with a column a rater; else by name."
        ),
    ] = None,
    raters: Annotated[
        int, typer.Option(min=0, help="Of ratings that are means: of how many raters.", show_default=False)
    ] = 0,
    same_raters: Annotated[
        bool | None,
        typer.Option(
            "--same-raters/--other-raters",
            help="Of ratings with a column a rater: each column is the same person in every row, or may be others; "
            "else by their names: anna and ben are the same, rater1 and rater2 may be others.",
            show_default=False,
        ),
    ] = None,
    question: Annotated[
        list[str] | None,
        typer.Option(
            OPTION,
            metavar="CRITERION=TEXT",
            help="Of ratings that make a new study: what people were asked on a criterion, overall where they have but "
            "one rating; else Fabula's words. Judges are asked the same.",
        ),
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Of judges: their column, or the name of the only one; else found by name.")
    ] = "",
    variant: Annotated[str, typer.Option(help="Of judges: the column of the variant of their prompt.")] = "",
    story: Annotated[str, typer.Option(help="Of judges: the column of the stories' ids.")] = "",
    mean: Annotated[
        bool, typer.Option("--mean", help="Of judges: also each one's mean over the variants of its prompt.")
    ] = False,
) -> None:
    """Import stories, with their ratings and scores where the format has them; makes the study if it is missing. Judges
    are ratings by language models of the stories of a study that is there.
    """
    if kind not in (*CORPUS_FORMATS, "stories", *RATINGS, PREFERENCES, JUDGES):
        raise InputError(f"There is no import format {kind!r}; choose {IMPORTS}.")
    if kind != JUDGES and (judge or variant or story or mean):
        raise InputError("--judge, --variant, --story and --mean are for judges (import judges).")
    if kind in CORPUS_FORMATS and (mapping or where):
        raise InputError(f"--map and --where are for stories and ratings; the {kind} format has fixed fields.")
    if kind != "stories" and scheme:
        raise InputError(f"--scheme is for stories; the {kind} format brings its own.")
    if kind != "stories" and (human_system or negative_system or once):
        raise InputError("--human-system, --negative-system and --once are for stories.")
    if kind not in ("stories", "ratings", PREFERENCES) and prompts:
        raise InputError("--prompts is for stories, ratings and preferences.")
    if kind not in ("stories", "ratings") and (scores or without_empty):
        raise InputError("--scores and --without-empty are for stories and ratings.")
    if kind not in (*RATINGS, JUDGES) and criterion:
        raise InputError("--criterion is for ratings and judges (import ratings, import judges).")
    if kind not in RATINGS and (scale or raters or same_raters is not None):
        raise InputError("--scale, --raters and --same-raters or --other-raters are for ratings (import ratings).")
    if kind != "ratings" and question:
        raise InputError(f"{OPTION} is for ratings (import ratings).")
    columns, rows = pairs(mapping, "--map"), row_filter(where)
    wanted = tuple(parse_wanted(name) for name in scores or [])
    if kind == JUDGES:
        if columns or rows:
            raise InputError("--map and --where are for stories and ratings; judges have --judge, --variant, --story.")
        of_criteria = tuple(pairs(criterion, "--criterion").items())
        import_judges(paths, study, JudgeChoice(judge, variant, story, mean, of_criteria))
        return
    if kind == "fabula" and len(paths) > 1:
        raise InputError("Give one export at a time: its folder or its zip. Files of ratings are for import ratings.")
    if kind == PREFERENCES:
        several = [read_preferences(path, columns, rows) for path in paths]
        _warn_rejected(several)
        loaded_study = rating_imports.import_ratings(TERMINAL, study, *several, prompts=prompts)
        notices: Sequence[str] = [text for brought in several for text in brought.said]
    elif kind == "stories":
        sources = dict.fromkeys(human_system or [], Source.HUMAN)
        sources |= dict.fromkeys(negative_system or [], Source.NEGATIVE)
        of_systems = tuple(sources.items())
        story_choice = StoryChoice(tuple(columns.items()), rows.rows, of_systems, wanted, once, without_empty)
        loaded_study, notices = import_stories(paths, study, story_choice, scheme, prompts)
    elif kind in RATINGS:
        choice = ColumnChoice(
            tuple(columns.items()),
            rows.rows,
            scale or "",
            criteria=_criteria(kind, criterion, columns),
            raters=raters,
            expected=_criteria_of(study),
            scores=wanted,
            same_raters=same_raters,
            without_empty=without_empty,
        )
        loaded_study, notices = _import_export(paths, study, choice, prompts, question)
    else:
        loaded_study, notices = _import_corpora(kind, paths, study, scheme)
    _say_imported(loaded_study, notices)


def _say_imported(loaded_study: Study, notices: Sequence[str]) -> None:
    """What the study holds now, and what to know of how it was read."""
    summary = next(s for s in studies.summaries(TERMINAL) if s.study.id == loaded_study.id)
    judged = "judgments of pairs" if loaded_study.scheme.unit.of_pairs else "ratings"
    console.print(
        f"{loaded_study.name}: {summary.stories:,} stories, {summary.references:,} references, "
        f"{summary.ratings:,} {judged}, scores of {summary.scored_by}.",
        markup=False,
    )
    for notice in dict.fromkeys(notices):
        console.print(f"Note: {notice}", markup=False, soft_wrap=True)


def _import_corpora(kind: str, paths: Sequence[Path], study: str, scheme: str | None) -> tuple[Study, Sequence[str]]:
    """Files or folders of a format of another program."""
    entry = CORPUS_FORMATS[kind]
    corpora = [entry.read(path) for path in paths]
    origin = _origin(entry.label, paths)
    loaded_study = imports.import_corpora(TERMINAL, study, corpora, scheme=scheme, origin=origin)
    return loaded_study, [notice for corpus in corpora for notice in corpus.notices]


def _origin(kind: str, paths: Sequence[Path]) -> Origin:
    return Origin(kind, tuple(path.absolute().name for path in paths))


def _import_export(
    paths: list[Path], study: str, choice: ColumnChoice, prompts: PromptKind | None, question: list[str] | None
) -> tuple[Study, Sequence[str]]:
    """An export that Fabula made, or files of ratings, with a bar while they are long."""
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("Reading", total=None)

        def tell(done: int, total: int, what: str) -> None:
            progress.update(bar, completed=done, total=total or None, description=what)

        several = [read_export(path, tell, choice) for path in paths]
        warn(lacking for brought in several for lacking in brought.lacking)
        _warn_rejected(several)
        questions = asked_questions(question, study, several[0], new=not choice.expected)
        loaded_study = rating_imports.import_ratings(
            TERMINAL, study, *several, prompts=prompts, questions=questions, on_progress=tell
        )
        changed = asks_now(choice.expected or loaded_study.scheme.names, loaded_study.scheme.names)
        return loaded_study, [*(message for brought in several for message in brought.said), *filter(None, [changed])]


def _warn_rejected(several: Sequence[Restored]) -> None:
    """Say, before it is stored, where work comes in that was rejected on MTurk."""
    for brought in several:
        way = f"leave them out with --where {STATUS}={APPROVED}"
        if sentence := rejected_sentence(brought.rejected, way):
            console.print(f"Warning: {brought.sheet.path.name}: {sentence}", markup=False, soft_wrap=True)


def _criteria(kind: str, named: list[str] | None, columns: dict[str, str]) -> tuple[tuple[str, str], ...] | None:
    """The criteria that were named; None to look for some, which an export and who names the rating does not want."""
    if named is None:
        return () if kind == "fabula" or "overall" in columns else None
    return tuple(pairs(named, "--criterion").items())


def _criteria_of(name: str) -> tuple[str, ...]:
    """What the study of this name asks for, nothing where there is none yet."""
    known = (summary.study for summary in studies.summaries(TERMINAL) if summary.study.name == name.strip())
    return next((study.scheme.names for study in known), ())


def export(
    study: StudyName,
    out: Annotated[Path, typer.Option(help="A folder or .zip for everything, or one file; - for stdout.")],
    format_: Annotated[str, typer.Option("--format", help=f"{EXPORTS}.")] = "csv",
    target: TargetName = None,
    margin: Annotated[
        float | None,
        typer.Option(
            "--margin",
            metavar="POINTS",
            help="Of preferences made from mean ratings: only pairs whose means are at least so many points apart; "
            "else every pair.",
        ),
    ] = None,
) -> None:
    """Export a study: stories, panels, ratings and scores with a manifest, or the ratings alone into one file. As a
    sheet: the ratings that count, a column a criterion. As preferences, or as chosen and rejected stories, also one
    that rates single stories: by their means on the target.
    """
    chosen_study = studies.find(study)
    if (target is not None or margin is not None) and format_ not in WRITERS:
        raise InputError(f"--target and --margin are for the formats {' and '.join(WRITERS)}.")
    if format_ == SHEET:
        _export_sheet(chosen_study, out)
        return
    files = exports.files(TERMINAL, chosen_study.id, format_, target=target, margin=margin)
    if out.suffix == ".zip":
        write_file(zipped(files), out)
        console.print(f"{chosen_study.name} written to {out}.", markup=False)
    elif str(out) != "-" and (out.is_dir() or not out.suffix):
        write_folder(files, out)
        console.print(f"{chosen_study.name} written to the folder {out}.", markup=False)
    else:
        _export_one(chosen_study, format_, out, target, margin)


def _export_sheet(chosen_study: Study, out: Path) -> None:
    if out.is_dir() or out.suffix == ".zip":
        raise InputError("A sheet is one CSV file; give --out a file, such as ratings.csv.")
    _written(out, exports.sheet(TERMINAL, chosen_study.id))
    if str(out) != "-":
        console.print(f"The ratings of {chosen_study.name} written to {out}.", markup=False)


def _export_one(loaded_study: Study, format_: str, out: Path, target: str | None, margin: float | None) -> None:
    """What of a format fits into one file: the ratings."""
    if format_ in WRITERS:
        _, judged = preference_rows(TERMINAL, loaded_study.id, target, margin)
        texts = WRITERS[format_](judged)
        _written(out, iter([text.encode() for text in texts.values()]))
        if str(out) != "-":
            console.print(f"{judgments_in(texts):,} judgments written to {out}.", markup=False)
        return
    other = CORPUS_FORMATS.get(format_)
    if other is not None and other.marker:
        raise InputError(f"The {other.title} format is a folder of files; give --out a folder or a .zip.")
    number = 0

    def rows() -> Iterator[ExportedRating]:
        nonlocal number
        for row in exports.ratings_of(TERMINAL, loaded_study.id):
            number += 1
            yield row

    if other is not None and other.write is not None:
        _, corpus = exports.stories_with_ratings(TERMINAL, loaded_study.id)
        number = len(corpus.ratings)
        chunks: Iterator[bytes] = iter([text.encode() for text in other.write(corpus).values()])
    else:
        chunks = encoded(rows(), TABLES["ratings"], format_)
    _written(out, chunks)
    if str(out) != "-":
        console.print(f"{number:,} ratings written to {out}.", markup=False)


def _written(out: Path, chunks: Iterator[bytes]) -> None:
    """Into a file, or to stdout, where nothing else goes then."""
    if str(out) != "-":
        write_file(chunks, out)
        return
    sys.stdout.flush()
    sys.stdout.buffer.writelines(chunks)
    sys.stdout.buffer.flush()


def import_scores(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table of scores, or one number per line.")],
    study: StudyName,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            help="NAME, NAME=COLUMN, or NAME=-COLUMN (lower is better); else every column of numbers but people's "
            "ratings."
        ),
    ] = None,
    negate: Annotated[bool, typer.Option(help="For scores that are lower for better stories.")] = False,
    replace: Annotated[bool, typer.Option("--replace", help="Replace imported scores of the same name.")] = False,
    mapping: Annotated[list[str] | None, typer.Option("--map", help="id=COLUMN and score=COLUMN.")] = None,
    people: Annotated[
        bool,
        typer.Option(
            "--people",
            help="Keep scores of people's stories too, where the study compares with them: of metrics "
            "that read a story alone, without a reference.",
        ),
    ] = False,
) -> None:
    """Import metrics' scores: one number per line in the stories' order, a table with their ids, or OpenMEVA's file."""
    chosen_study = studies.find(study)
    columns = pairs(mapping, "--map")
    unknown = set(columns) - {"id", "score"}
    if unknown:
        raise InputError(f"--map takes id=COLUMN and score=COLUMN here, not {', '.join(sorted(unknown))}.")
    wanted = _wanted(file, metric, negate, columns)
    sources = stored_scores.sources(chosen_study.id)
    if people and Source.HUMAN not in sources:
        raise InputError(
            f"{study} does not compare with people's stories: scores of them are of no use; omit --people."
        )
    keys = stored_scores.story_keys(chosen_study.id, sources if people else SCORED)
    human = frozenset(stored_scores.story_keys(chosen_study.id, (Source.HUMAN,))).difference(keys)
    brought = read_scores(file, wanted, keys, id_column=columns.get("id"), people=human)
    stored_scores.import_scores(
        TERMINAL, chosen_study.id, *brought.records, replace=replace, origin=_origin(SCORES, [file])
    )
    for column in brought.records:
        console.print(f"{len(column.values):,} scores of {column.metric} imported as {column.signature}.", markup=False)
    for notice in brought.notices:
        console.print(notice, markup=False)
    if brought.left_out:
        console.print(f"Left out as rows of no story of {study}: {brought.left_out:,}.", markup=False)
    if brought.of_people:
        to_keep = (
            f"Left out as rows of people's stories: {brought.of_people:,}. They say nothing where a metric has "
            "compared these with themselves; --people keeps them for metrics that read a story alone."
        )
        console.print(to_keep if Source.HUMAN in sources else brought.unscored_people, soft_wrap=True)


def _wanted(file: Path, metric: list[str] | None, negate: bool, columns: dict[str, str]) -> list[MetricColumn]:
    """The metrics that were asked for; of a table every numeric column where none was."""
    if metric:
        wanted = [parse_wanted(name, negate=negate) for name in metric]
        if "score" in columns:
            if len(wanted) > 1 or wanted[0].column:
                raise InputError("--map score=COLUMN is for one metric; name columns as --metric NAME=COLUMN.")
            wanted = [dataclasses.replace(wanted[0], column=columns["score"])]
        return wanted
    if file.suffix.lower() == ".txt":
        raise InputError(f"{file.name} holds one number per line: give the metric's name with --metric.")
    offered = offered_scores(read_score_table(file), columns.get("id"))
    if not offered.usual:
        why = "".join(f" {sentence}" for sentence in offered.refused)
        raise InputError(f"{file.name} has no column of scores; name one as --metric NAME=COLUMN.{why}")
    people = f"{', '.join(offered.people)}, which look like people's ratings; --metric takes them all the same."
    for sentence in (*offered.refused, *([people] if offered.people else [])):
        console.print(f"Left out: {sentence}", markup=False, soft_wrap=True)
    return [MetricColumn(column, column, negate) for column in offered.usual]
