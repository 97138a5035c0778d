"""The templates of a study's own: a name has versions, and a version never changes."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Row, func, insert, select

from core.judges.template import Template, Way
from core.people import Person, Role
from db.audit import now, record
from db.engine import reading, writing
from db.people import people
from db.schema import judge_template
from db.studies import studies


def save(by: Person, study_id: int, template: Template) -> Template:
    """Keep a template as the next version of its name; the newest one itself where nothing was changed.

    Raises InputError where no story could be judged by it.
    """
    by.must_be(Role.RESEARCHER)
    template.check()
    with writing() as connection:
        people.check(connection, by, study_id)
        studies.locked(connection, study_id)
        same_name = (judge_template.c.study_id == study_id) & (judge_template.c.name == template.name)
        newest = connection.scalar(select(func.max(judge_template.c.version)).where(same_name))
        if newest is not None:
            row = connection.execute(select(judge_template).where(same_name, judge_template.c.version == newest)).one()
            if _template(row).text_hash == template.text_hash:
                return _template(row)
        values = {"name": template.name, "version": (newest or 0) + 1, "way": template.way, "parts": template.parts()}
        connection.execute(insert(judge_template).values(study_id=study_id, created_at=now(), **values))
        record(connection, "judge template saved", by, study_id, name=template.name, version=values["version"])
        return replace(template, version=(newest or 0) + 1)


def templates(study_id: int) -> list[Template]:
    """A study's own templates, by name, the newest version first."""
    query = select(judge_template).where(judge_template.c.study_id == study_id)
    with reading() as connection:
        rows = connection.execute(query.order_by(judge_template.c.name, judge_template.c.version.desc()))
        return [_template(row) for row in rows]


def _template(row: Row[Any]) -> Template:
    return Template(row.name, Way(row.way), row.parts["system"], row.parts["user"], row.version)
