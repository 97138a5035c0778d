"""What an import brings of pairs: judgments of them, and the panels of the design that annotators had."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, select

from core.annotation.criterion import OVERALL
from core.annotation.pair_design import Pair, sides_of
from core.annotation.studies import Study
from core.formats.exports.beside_people import beside_people
from core.formats.exports.restored import Restored, RestoredPanel
from core.stories import Source
from db.schema import prompt, story
from db.studies import pair_panels


def paired(connection: Connection, loaded_study: Study, brought: Restored) -> Restored:
    """The judgments of pairs that a file brings for a study of pairs: of ratings of single stories, beside people's.

    Raises InputError for ratings that say nothing of any pair, and for a pair that the study's design cannot have.
    """
    beside = loaded_study.scheme.pairs is not None and loaded_study.scheme.pairs.against_human
    query = select(story.c.key, prompt.c.key.label("prompt_key")).join(prompt, prompt.c.id == story.c.prompt_id)
    mine = story.c.study_id == loaded_study.id, story.c.source == Source.HUMAN
    human = connection.execute(query.where(*mine).order_by(story.c.system, story.c.position)).all()
    keys = {row.key for row in human}
    for given in brought.ratings:
        if given.compared_with:
            if beside and (given.story_key in keys) is (given.compared_with in keys):
                what = f"{loaded_study.name!r} compares each system's story with a human one; this pair has not one."
                raise brought.sheet.problem(given.number, "b_id", what)
        elif not beside or brought.criteria != (OVERALL,):
            what = (
                f"{loaded_study.name!r} compares pairs of stories, and this is a rating of one; import it into another "
                "study, or a table of preferences into this one."
            )
            raise brought.sheet.problem(given.number, "story_id", what)
    if all(given.compared_with for given in brought.ratings):
        return brought
    return beside_people(brought, {row.prompt_key: row.key for row in reversed(human)})


def add_pair_panels(
    connection: Connection, loaded_study: Study, panels: Sequence[RestoredPanel], story_ids: Mapping[str, int]
) -> dict[int, int]:
    """The panels of the design that annotators of an exported study had, each as it was before its sides were
    exchanged for one of them; their ids by position. Those that nobody had are designed anew when the study is opened.
    """
    found: dict[int, list[Pair]] = {}
    for panel in panels:
        if panel.pair_panel is not None:
            shown = [story_ids[key] for key in panel.stories]
            pairs = [(shown[at], shown[at + 1]) for at in range(0, len(shown), 2)]
            found[panel.pair_panel] = [sides_of(pair, panel.order_row or 0) for pair in pairs]
    return pair_panels.restore(connection, loaded_study, found) if found else {}
