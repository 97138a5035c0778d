"""Plain text with a story a line and no columns, cut at line ends."""

from core.errors import InputError
from core.formats.tables import STORY_A_LINE
from core.streams.inputs import InputFile
from core.streams.json_lines import decoded, line_cuts, lines_of
from core.streams.partition import Aside, Layout, Partition, RawRows


def cut(file: InputFile, rows: int) -> Layout:
    """Partitions of so many lines. Raises InputError for a line that is too long."""
    return Layout(STORY_A_LINE, line_cuts(file, rows))


def read(partition: Partition) -> RawRows:
    """The lines of a partition that hold more than blanks."""
    numbers, rows, aside = [], [], []
    for number, line in lines_of(partition):
        try:
            text = decoded(line, partition.file.name, number).removesuffix("\r")
        except InputError as error:
            aside.append(Aside(number, str(error)))
            continue
        if text.strip():
            numbers.append(number)
            rows.append(dict.fromkeys(STORY_A_LINE, text))
    return RawRows(tuple(numbers), tuple(rows), tuple(aside))
