"""What a study's owner sets: quality rules, a form, the consent text, completion codes."""

import re
from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection, select, update

from core.annotation.builtin import SCHEMES, with_prompts
from core.annotation.onboarding import Practice
from core.annotation.panel import End
from core.annotation.scheme import QualityRules, Scheme, default_rules
from core.annotation.studies import Study, StudyState
from core.annotation.unit import PromptKind
from core.errors import InputError
from core.people import Person, Role
from db.annotation import pauses, slots
from db.audit import record
from db.engine import writing
from db.people import people
from db.schema import assignment, person, study
from db.studies import studies

LONGEST_CONSENT = 20_000
_CODE = re.compile(r"[A-Za-z0-9_-]{1,60}")


def set_rules(by: Person, study_id: int, rules: QualityRules) -> None:
    """Change a study's quality rules: they judge the panels submitted from now on (see `panels.rejudge`). Who is
    paused, and who no longer, is settled at once.

    Where more ratings are wanted than before, valid work in surplus counts first.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        store_rules(connection, by, study_id, rules)


def store_rules(connection: Connection, by: Person, study_id: int, rules: QualityRules) -> Study:
    """What `set_rules` does, within a transaction of whoever has looked at the rights; the study as it is then."""
    before = studies.locked(connection, study_id)
    rules.check(before.scheme)
    connection.execute(update(study).where(study.c.id == study_id).values(rules=rules.as_dict()))
    after = studies.locked(connection, study_id)
    slots.promote_all(connection, after)
    pauses.settle(connection, after)
    record(connection, "rules changed", by, study_id, before=before.rules.as_dict(), after=rules.as_dict())
    return after


def set_form(by: Person, study_id: int, form: Scheme) -> None:
    """Give a study its own question, scale and error types, and the quality rules that fit them.

    Raises InputError once anybody has rated: answers to two forms cannot be one study.
    """
    by.must_be(Role.RESEARCHER)
    with writing() as connection:
        people.check(connection, by, study_id)
        store_form(connection, by, study_id, form)


def store_form(connection: Connection, by: Person, study_id: int, form: Scheme) -> None:
    """What `set_form` does, within a transaction of whoever has looked at the rights."""
    study_row = studies.locked(connection, study_id)
    if form.key != study_row.scheme_key:
        raise InputError(f"The form of a study under the {study_row.scheme.title} scheme keeps that scheme.")
    replace_scheme(connection, by, study_id, form)


def with_prompts_of(connection: Connection, by: Person, study_row: Study, kind: PromptKind | None) -> Study:
    """The study with a form that says that its prompts are of this kind, None for what it says; as `store_form`."""
    if kind in (None, study_row.scheme.prompt_kind):
        return study_row
    store_form(connection, by, study_row.id, with_prompts(study_row.scheme, kind))
    return studies.locked(connection, study_row.id)


def replace_scheme(connection: Connection, by: Person, study_id: int, form: Scheme) -> None:
    """Give a study another form, of its scheme or of another; as `store_form` in all else."""
    study_row = studies.locked(connection, study_id)
    if connection.scalar(select(assignment.c.id).where(assignment.c.study_id == study_id).limit(1)) is not None:
        raise InputError("This study has ratings or panels in hand; its form can no longer change. Make a new one.")
    check_form(study_row, form)
    rules = _fitting(study_row.rules, form).as_dict()
    version = str(int(study_row.guideline_version) + 1)
    connection.execute(
        update(study)
        .where(study.c.id == study_id)
        .values(
            scheme=form.key,
            form=None if form == SCHEMES[form.key] else form.as_dict(),
            rules=rules,
            guideline_version=version,
        )
    )
    record(connection, "form changed", by, study_id, form=form.as_dict(), guideline_version=version)


def check_form(study_row: Study, form: Scheme) -> None:
    """Raise InputError where a study cannot have this form, whether or not anybody has rated."""
    present = study_row.scheme
    designed = form.unit.of_pairs and (form.pairs, form.controls) != (present.pairs, present.controls)
    if study_row.state is StudyState.OPEN and designed:
        raise InputError(
            "The panels of pairs were set together when the study was opened. Close it, change the form, and open it "
            "again."
        )
    if study_row.practice is not None:
        _check_practice(study_row.practice, form)
    form.check_own()


def _fitting(rules: QualityRules, form: Scheme) -> QualityRules:
    """The rules with thresholds that fit the form, judged by the criteria that it still has on such a scale."""
    usual = default_rules(form)
    changed = replace(rules, human_least=usual.human_least, negative_most=usual.negative_most)
    fits = [name for name in rules.judged_on if name in form.names and form.criterion(name).steps == form.judging.steps]
    return replace(changed, judged_on=tuple(fits))


def _check_practice(practice: Practice, form: Scheme) -> None:
    try:
        practice.check(form)
    except InputError as error:
        raise InputError(f"The practice does not fit this form; switch it off first. {error}") from None


def set_ends(by: Person, study_id: int, consent: str, codes: Mapping[str, str]) -> None:
    """Set what annotators agree to before they begin ("" for nothing) and the completion code of every end.

    Raises InputError for a code that is missing, used twice or not of letters, digits, - and _.
    """
    by.must_be(Role.RESEARCHER)
    if len(consent) > LONGEST_CONSENT or "\0" in consent:
        raise InputError(f"The consent text has at most {LONGEST_CONSENT:,} characters and no NUL byte.")
    wanted = {str(end): codes.get(end, "").strip() for end in End}
    for end, code in wanted.items():
        if not _CODE.fullmatch(code):
            raise InputError(f"The code for “{end}” has 1 to 60 letters, digits, - or _.")
    if len(set(wanted.values())) < len(wanted):
        raise InputError("Two ends have the same code: nobody could tell them apart. Give each its own.")
    with writing() as connection:
        people.check(connection, by, study_id)
        before = studies.locked(connection, study_id)
        connection.execute(update(study).where(study.c.id == study_id).values(consent=consent.strip(), codes=wanted))
        if consent.strip() != before.consent:  # what was agreed to was another text
            connection.execute(update(person).where(person.c.study_id == study_id).values(consent=""))
        record(
            connection,
            "ends changed",
            by,
            study_id,
            before={"consent": before.consent, "codes": dict(before.codes)},
            after={"consent": consent.strip(), "codes": wanted},
        )
