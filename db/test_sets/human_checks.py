"""Human checks of test sets: a sample of cases becomes a study, and its ratings say how valid they are."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from core.analysis.capability.validity import AspectValidity, validity
from core.annotation.builtin import UNION
from core.annotation.scheme import default_rules
from core.annotation.studies import Study
from core.errors import InputError
from core.people import Person, Role
from core.perturb.cases import Case
from core.perturb.test_sets.human_check import FORM, corpus, sample
from db.annotation.settings import store_form, store_rules
from db.engine import reading, writing
from db.people import people
from db.ratings import ratings
from db.schema import study
from db.transfer.imports import store_corpora


def create(by: Person, name: str, cases: Sequence[Case], number: int, seed: int) -> Study:
    """A study of at most `number` of these cases, in draft, whose form asks whether a story makes sense and whether its
    English is good.

    Raises InputError where there is a study of this name, or nothing to choose from.
    """
    by.must_be(Role.RESEARCHER)
    chosen = corpus(sample(cases, number, seed))
    name = name.strip()
    taken = InputError(f"There is a study named {name!r} already: a human check is a study of its own.")
    try:
        with writing() as connection:
            people.check(connection, by)
            if connection.scalar(select(study.c.id).where(study.c.name == name)) is not None:
                raise taken
            new_study = store_corpora(connection, by, name, [chosen], UNION.key)
            store_form(connection, by, new_study.id, FORM)
            return store_rules(connection, by, new_study.id, default_rules(FORM))
    except IntegrityError:  # somebody else took the name at this moment
        raise taken from None


def aspect_results(by: Person, study_id: int) -> tuple[AspectValidity, ...]:
    """What people have said so far, by aspect. Raises InputError where it is no human check, or nobody has rated."""
    by.must_be(Role.RESEARCHER)
    with reading() as connection:
        people.check(connection, by, study_id)
    return validity(ratings.judged_stories(study_id))
