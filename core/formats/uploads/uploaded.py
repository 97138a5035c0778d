"""What reads an upload: a folder with the files that somebody has sent, in every format that Fabula takes."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from core.annotation.scheme import Scheme
from core.errors import InputError
from core.formats.autos import read_packed_autos
from core.formats.corpora import CORPUS_FORMATS
from core.formats.corpora.judges import JudgeChoice, JudgesBrought, read_judges
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.decoding import names_of
from core.formats.exports.overview import FileOverview
from core.formats.exports.overview import overview as overview_of_file
from core.formats.exports.parts import RestoredPart, parts_of
from core.formats.exports.preferences import read_preferences
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.formats.gltr import read_gltr
from core.formats.manifest import NAME
from core.formats.mturk import Batch, read_batch
from core.formats.perturbed import read_cases
from core.formats.scores import Brought, MetricColumn, read_score_table, read_scores
from core.formats.stories.blocks import Message, stories_from, survey_of
from core.formats.stories.choice import StoryChoice
from core.formats.stories.overview import TableOverview, overview
from core.formats.stories.survey import StorySurvey
from core.formats.tables import RowFilter, Table, read_table
from core.perturb.cases import Case
from core.stories import Corpus
from core.tokens import TokenTable


def table(folder: Path) -> Table:
    """The only file there, as a table."""
    return read_table(next(folder.iterdir()))


def story_table(folder: Path) -> TableOverview:
    """The only file there, as a table of stories whose columns nobody has chosen yet."""
    return overview(next(folder.iterdir()))


def story_survey(folder: Path, choice: StoryChoice) -> StorySurvey:
    """What the only file there holds as a table of stories."""
    return survey_of(next(folder.iterdir()), choice)


def stories(folder: Path, choice: StoryChoice) -> Iterator[Message]:
    """The stories of the only file there, block by block."""
    return stories_from(next(folder.iterdir()), choice)


def corpus(folder: Path, name: str) -> Corpus:
    """An upload in the format of another program that is called so."""
    return CORPUS_FORMATS[name].uploaded(folder)


def gltr(folder: Path) -> TokenTable:
    """The only file there, as GLTR's."""
    return read_gltr(next(folder.iterdir()))


def export(folder: Path) -> Restored:
    """An export's zip or files, or one file of ratings."""
    files = list(folder.iterdir())
    if len(files) == 1:
        return read_export(files[0])
    if not (folder / NAME).is_file():
        raise InputError(
            f"Several files make an export only with its {NAME}: add it, or take all files away but one of ratings, by "
            "the × beside each. A file that was uploaded before, even if it was refused, stays in the list until then."
        )
    return read_export(folder)


def export_parts(folder: Path) -> Iterator[RestoredPart]:
    """The same, part by part."""
    return parts_of(export(folder))


def file_overview(folder: Path) -> FileOverview:
    """The only file there, as it is before anybody says what its columns hold."""
    return overview_of_file(next(folder.iterdir()))


def all_names(folder: Path) -> list[str]:
    """The names of the columns of the only file there, with those that the first of its lines lack."""
    return names_of(next(folder.iterdir()), None)


def ratings(folder: Path, choice: ColumnChoice) -> Restored:
    """The only file there as ratings, by these columns and rows and on this scale."""
    return read_export(next(folder.iterdir()), choice=choice)


def ratings_parts(folder: Path, choice: ColumnChoice) -> Iterator[RestoredPart]:
    """The same, part by part."""
    return parts_of(ratings(folder, choice))


def preferences(folder: Path, mapping: Mapping[str, str], where: RowFilter) -> Restored:
    """The only file there as preferences, by these columns and rows."""
    return read_preferences(next(folder.iterdir()), mapping, where)


def score_table(folder: Path) -> Table:
    """The only file there, as a table of scores."""
    return read_score_table(next(folder.iterdir()))


def scores(
    folder: Path,
    wanted: Sequence[MetricColumn],
    keys: Sequence[str],
    identity: str | None,
    people: Collection[str] = (),
) -> Brought:
    """The scores of the only file there, for stories with these keys; `people`: keys whose rows are left out."""
    return read_scores(next(folder.iterdir()), wanted, keys, id_column=identity, people=people)


def judges(
    folder: Path, scheme: Scheme, keys: Sequence[str], others: Sequence[str], choice: JudgeChoice
) -> JudgesBrought:
    """The judges' ratings of the only file there, for stories with these keys; `others`: keys whose rows are left
    out.
    """
    return read_judges(next(folder.iterdir()), scheme, keys, others=others, choice=choice)


def batch(folder: Path) -> Batch:
    """The only file there, as the results of a batch on MTurk."""
    return read_batch(next(folder.iterdir()).read_bytes())


def tests(folder: Path) -> tuple[Case, ...]:
    """The only file there, as a test set: OpenMEVA's folder as a zip, or JSONL."""
    file = next(folder.iterdir())
    return read_packed_autos(file) if file.suffix.lower() == ".zip" else read_cases(file)
