"""`import stories`: tables read by the given options, a bar while they come in, and a summary of how they were read."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from commands.studies.import_bar import import_bar
from commands.terminal import console
from core.annotation.studies import Study
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.formats.stories.blocks import Message, brought, stories_from
from core.formats.stories.choice import StoryChoice
from core.formats.stories.lacking import Lacking
from core.formats.stories.survey import StorySurvey
from core.formats.uploads.apart import streamed_apart
from core.people import TERMINAL
from core.stories import Source
from db.transfer import story_imports

SMALL = 2 * 2**20
"""Bytes of a file that is read sooner than a second process has begun, which takes a second."""


def import_stories(
    paths: Sequence[Path], study: str, choice: StoryChoice, scheme: str | None, prompts: PromptKind | None
) -> tuple[Study, list[str]]:
    """Look all tables through, then store them; the study, and what to know of how they were read."""
    with ExitStack() as stack:
        bar = stack.enter_context(import_bar())
        tables = [brought(_messages(stack, path, choice), partial(bar.looked, path.name)) for path in paths]
        surveys = [table.survey for table in tables]
        for survey in surveys:
            _check(survey, choice)
        _check_systems(surveys, choice)
        warn(lacking for survey in surveys for lacking in survey.lacking)
        loaded_study = story_imports.import_tables(
            TERMINAL, study, tables, scheme=scheme, prompts=prompts, on_progress=bar.stored
        )
    return loaded_study, [notice for survey in surveys for notice in _notices(survey, choice)]


def warn(of_files: Iterable[Lacking]) -> None:
    """Say what the stories lack, before they are stored."""
    for lacking in of_files:
        column = shlex.quote(lacking.unused[0]) if len(lacking.unused) == 1 else "COLUMN"
        way = f"import the file into a new study with --map {lacking.field}={column}"
        console.print(f"Warning: {lacking.sentence(way)}", markup=False, soft_wrap=True)


def _messages(stack: ExitStack, path: Path, choice: StoryChoice) -> Iterator[Message]:
    """A large file is read by a second process, while this one stores."""
    if not path.is_file() or path.stat().st_size < SMALL:
        return stories_from(path, choice)
    return stack.enter_context(streamed_apart(partial(stories_from, choice=choice), path.absolute(), limited=False))


def _check(survey: StorySurvey, choice: StoryChoice) -> None:
    """Raise InputError for a table of ratings, and for one that cannot come in."""
    if survey.repeats.of_ratings and not choice.once:
        raise InputError(
            f"{survey.name}: {survey.repeats.sentence} "
            "Import it with `import ratings`, or take each story once with --once."
        )
    if survey.problem:
        raise InputError(survey.problem)


def _check_systems(surveys: Sequence[StorySurvey], choice: StoryChoice) -> None:
    """Raise InputError where a system was named that no file has; "" is that of stories which have none."""
    systems = sorted({system for survey in surveys for _, system in survey.systems})
    for name, _ in choice.sources:
        if name not in systems:
            known = ", ".join(filter(None, systems))[:300] or "none; name their column with --map system=COLUMN"
            raise InputError(f"There is no system {name!r} in the file; there are: {known}.")


def _notices(survey: StorySurvey, choice: StoryChoice) -> list[str]:
    """What to know of how a table was read."""
    read = ", ".join(f"{field} from {column}" for field, column in survey.columns.items())
    left = ", ".join(survey.unread)[:300]
    notices = [
        *survey.notices,
        *_called_like_controls(survey),
        f"{survey.name}: {read}{f'; not read: {left}' if left else ''}.",
    ]
    repeated = survey.repeats.rows - survey.repeats.stories
    if repeated and not choice.once:
        notices.append(
            f"{repeated:,} rows of {survey.name} repeat prompt, system and text of an "
            "earlier row, and came in as stories of their own; with --once each story comes in once."
        )
    return notices


def _called_like_controls(survey: StorySurvey) -> list[str]:
    """One sentence per system whose name says that its stories may be controls."""
    hints = {
        Source.HUMAN: "If people wrote them, they are human references, by which MANS panels are judged",
        Source.NEGATIVE: "If they were made bad on purpose, they are negative stories, by which MANS panels are judged",
    }
    return [
        f"{survey.systems[Source.SYSTEM, name]:,} stories are of a system called {name!r} and came in like any other "
        f"system's. {hints[source]}: import into a new study with --{source}-system {shlex.quote(name)}."
        for name, source in survey.called_like_controls().items()
    ]
