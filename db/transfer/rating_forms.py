"""Which form a study has with the ratings of a file: its own, or theirs where it has asked nobody anything yet."""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection, select

from core.annotation.builtin import MANS, SCHEMES, with_prompts
from core.annotation.builtin_criteria import CRITERIA, scheme_for
from core.annotation.criterion import PREFERENCE
from core.annotation.scheme import CHECK, Scheme
from core.annotation.studies import Study, StudyState
from core.errors import InputError
from core.formats.exports.preferences import TABLE
from core.formats.exports.restored import Restored
from core.people import Person, Role
from db.annotation import settings
from db.engine import reading
from db.people import people
from db.schema import assignment, prompt
from db.studies import studies


def form_with(by: Person, study_id: int, brought: Restored) -> Scheme:
    """The form that a study would have with these ratings, as long as nobody changes it or begins to rate. Raises
    InputError where it takes none of them.
    """
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
        return form_for(connection, studies.locked(connection, study_id, lock=False), brought, {}, new=False)


def form_for(
    connection: Connection, loaded_study: Study, brought: Restored, questions: Mapping[str, str], *, new: bool
) -> Scheme:
    """The same, of a study that the caller's transaction holds. `new`: it is made for these ratings; `questions`: what
    people were asked, where the form is the ratings' own.
    """
    form = _asking(connection, loaded_study, brought, questions, new=new)
    fits = brought.scheme_key in ("", form.key)
    if not fits and not (brought.scheme_key == TABLE and form.unit.of_pairs):
        raise InputError(
            f"The study {loaded_study.name!r} uses the {form.title} scheme, but this file is of the scheme "
            f"{brought.scheme_key!r}; import it into a study of its own."
        )
    if loaded_study.state is StudyState.OPEN:
        raise InputError(
            f"The study {loaded_study.name!r} is open for annotation; close it before you add ratings to it."
        )
    if brought.manifest is None:
        form = _on_scale(connection, loaded_study, form, brought)
    elif not has_prompts(connection, loaded_study):
        return brought.manifest.study.scheme
    elif brought.manifest.study.scheme != form:
        raise InputError(
            f"The study {loaded_study.name!r} has another form than this export; import it into a new study."
        )
    if form != loaded_study.scheme:
        settings.check_form(loaded_study, form)
    return form


def scheme_of(brought: Restored) -> str:
    """The scheme that a new study begins with: the file's; where it names none, MANS for deductions, else one that asks
    no more than the file tells.
    """
    if brought.scheme_key:
        return brought.scheme_key
    return MANS.key if any(given.deductions for given in brought.ratings) else CRITERIA.key


def has_prompts(connection: Connection, loaded_study: Study) -> bool:
    """Whether there is anything to rate."""
    return connection.scalar(select(prompt.c.id).where(prompt.c.study_id == loaded_study.id).limit(1)) is not None


def _asking(
    connection: Connection, loaded_study: Study, brought: Restored, questions: Mapping[str, str], *, new: bool
) -> Scheme:
    """A form that asks what the ratings of a file are on, and where the study is `new` nothing else, unless the file
    names its scheme; another than the study's only where nobody has been asked anything.
    """
    form = loaded_study.scheme
    wanted = [name for name in brought.criteria if name != CHECK]
    if brought.manifest is not None or wanted == [PREFERENCE] or form.unit.of_pairs:
        return form  # of pairs it is a scheme of its own, which a study has or has not
    known = {name.casefold() for name in form.names}
    missing = [name for name in wanted if name.casefold() not in known]
    asks_more = new and not brought.scheme_key and (len(wanted) < len(known) or bool(questions))
    if not (missing or asks_more):
        return form
    if _has_asked(connection, loaded_study):
        raise InputError(
            f"People have been asked for {', '.join(form.names)} in the study {loaded_study.name!r}, so its form can "
            f"no longer change, and it does not ask for {', '.join(missing)[:200]}, which this file has ratings of. "
            f"{_elsewhere(brought)}"
        )
    scheme = scheme_for(wanted, brought.scale).in_words(questions)
    if has_prompts(connection, loaded_study):  # whose kind the study knows
        scheme = with_prompts(scheme, form.prompt_kind)
    if brought.scheme_key not in ("", scheme.key):
        scheme = replace(SCHEMES[brought.scheme_key], criteria=scheme.criteria)
    return scheme


def _on_scale(connection: Connection, loaded_study: Study, form: Scheme, brought: Restored) -> Scheme:
    """The form on the scale that the ratings come on, where one was named; nobody may have rated on another."""
    scale = brought.scale
    ends = {(criterion.lowest, criterion.highest) for criterion in form.criteria}
    if form.unit.of_pairs and scale and scale[-1][0] <= form.highest:
        return form  # a file names the strengths that it has, not all that were asked for
    if not scale or ends == {(scale[0][0], scale[-1][0])}:
        return form
    if _has_asked(connection, loaded_study):
        raise InputError(
            f"The study {loaded_study.name!r} has ratings on a scale of {form.lowest} to {form.highest}, and these are "
            f"on a scale of {scale[0][0]} to {scale[-1][0]}. {_elsewhere(brought)}"
        )
    return form.with_scale(scale)


def _has_asked(connection: Connection, loaded_study: Study) -> bool:
    """Whether anybody has answered its form, or is about to."""
    query = select(assignment.c.id).where(assignment.c.study_id == loaded_study.id)
    return connection.scalar(query.limit(1)) is not None


def _elsewhere(brought: Restored) -> str:
    """Where ratings go that a study cannot take: they need their stories there."""
    if brought.stories:
        return "Import the file into a study of its own."
    return "Import the stories once more as a study of their own, and these ratings into that."
