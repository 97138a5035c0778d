"""Links to reports: they show what they were made of, to whoever has them, until they are ended."""

import gzip
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from core.errors import InputError, NotAllowed, NotFound
from core.people import TERMINAL, Role
from core.report.link import CHANGES
from core.stories import ScoreRecord, Source
from db.engine import reading
from db.findings import report_links
from db.monitor import panels, personal_data
from db.people import people
from db.rating_values import CHANGE_JUDGMENTS
from db.schema import shared_report
from db.scores import deletion, scores
from db.studies import event_log, lifecycle
from tests.db.annotation.pauses import hand_in
from tests.db.conftest import make_annotator, make_study, small_corpus

PAGE = "<h1>What is known of “bleu”</h1>"
pytestmark = pytest.mark.both_databases


def token_of(link: report_links.ReportLink) -> str:
    return link.address.rpartition("/")[2]


def test_it_shows_the_page_until_it_is_ended(database: str) -> None:
    study = make_study()
    first = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    second = report_links.share(TERMINAL, study.id, "union", "another")
    assert report_links.links(TERMINAL, study.id) == [second, first]
    shown = report_links.page(token_of(first))
    assert shown is not None
    assert gzip.decompress(shown).decode() == PAGE
    report_links.end(TERMINAL, study.id, first.id)
    assert report_links.page(token_of(first)) is None
    assert report_links.page(token_of(second)) is not None
    assert report_links.links(TERMINAL, study.id) == [second]
    with pytest.raises(NotFound, match="ended already"):
        report_links.end(TERMINAL, study.id, first.id)
    kinds = [entry.kind for entry in event_log.exported(TERMINAL, study.id)]
    assert kinds[-3:] == ["report shared", "report shared", "report link ended"]


@pytest.mark.parametrize(
    "wrong",
    [
        *("", "-", "1", "1-", "{id}-x", "{id}-é", "0{id}-{key}x"),
        *("{other}-{key}", "-{id}-{key}", "²-{key}", "9999999999-{key}", "99999999999999999999-{key}"),
    ],
)
def test_what_is_no_link_shows_nothing(database: str, wrong: str) -> None:
    link = report_links.share(TERMINAL, make_study().id, "bleu", PAGE)
    assert report_links.page(wrong.format(id=link.id, other=link.id + 1, key=link.token)) is None


def test_each_says_what_has_become_of_the_study_since(database: str) -> None:
    study = make_study(prompts=4, wanted=2)
    hand_in(make_annotator(study, "early"), True)
    first = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    hand_in(make_annotator(study, "late"), True, False)
    second = report_links.share(TERMINAL, study.id, "bleu", PAGE)

    def since() -> dict[int, str]:
        return {link.id: link.since.sentence for link in report_links.links(TERMINAL, study.id)}

    as_then, lasting = (
        "It shows the study as it was then. Since then",
        "It is up to date: neither ratings nor scores came since.",
    )
    rated = len([story for story in small_corpus(1).stories if story.source is Source.SYSTEM])
    assert since() == {first.id: f"{as_then} {rated} valid ratings came.", second.id: lasting}
    keys = [story.key for story in small_corpus(4).stories]
    scores.import_scores(TERMINAL, study.id, ScoreRecord("bleu", "file:bleu", dict.fromkeys(keys, 1.0)))
    assert since()[first.id] == f"{as_then} {rated} valid ratings and scores came."
    assert since()[second.id] == f"{as_then} scores came."
    panels.rejudge(TERMINAL, study.id, replace(study.rules, human_least=1))
    assert since()[second.id] == f"{as_then} scores came; panels were judged again; surplus panels were counted."
    scores.import_scores(TERMINAL, study.id, ScoreRecord("other", "file:other", dict.fromkeys(keys, 1.0)))
    third = report_links.share(TERMINAL, study.id, "other", PAGE)
    deletion.remove(TERMINAL, study.id, "file:bleu")
    assert since()[third.id] == f"{as_then} scores were deleted."


def test_every_event_after_which_analyses_are_made_anew_is_named_or_counted() -> None:
    assert CHANGES.keys() == set(CHANGE_JUDGMENTS) - {"panel submitted", "imported"}


def test_that_the_scores_of_its_metric_are_gone_is_said_where_it_leads(database: str) -> None:
    study = make_study(prompts=4)
    keys = [story.key for story in small_corpus(4).stories]
    for name in ("bleu", "<b>"):
        scores.import_scores(TERMINAL, study.id, ScoreRecord(name, f"file:{name}", dict.fromkeys(keys, 1.0)))
    links = [report_links.share(TERMINAL, study.id, name, f"<body>\n{PAGE}") for name in ("bleu", "<b>")]

    def said() -> list[tuple[bool, str]]:
        since = {link.id: link.since.gone for link in report_links.links(TERMINAL, study.id)}
        return [(since[link.id], gzip.decompress(report_links.page(token_of(link)) or b"").decode()) for link in links]

    assert said() == [(False, f"<body>\n{PAGE}")] * 2
    deletion.remove(TERMINAL, study.id, "file:<b>")
    kept, (gone, page) = said()
    assert kept == (False, f"<body>\n{PAGE}")
    assert gone
    assert page.startswith('<body>\n<p class="demonstration" role="alert">The scores of &lt;b&gt; were deleted')
    assert page.endswith(PAGE)
    scores.import_scores(TERMINAL, study.id, ScoreRecord("<b>", "file:<b>", dict.fromkeys(keys, 1.0)))
    assert said()[1] == (False, f"<body>\n{PAGE}")  # they are there again


def test_an_ended_link_never_shows_a_later_report(database: str) -> None:
    study = make_study()
    ended = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    report_links.end(TERMINAL, study.id, ended.id)
    later = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    assert later.id != ended.id
    assert report_links.page(f"{later.id}-{ended.token}") is None


def test_a_study_that_is_deleted_takes_its_links_along(database: str) -> None:
    study = make_study()
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    lifecycle.discard(TERMINAL, study.id)
    assert report_links.page(token_of(link)) is None
    lifecycle.restore(TERMINAL, study.id)
    assert report_links.page(token_of(link)) is not None
    lifecycle.discard(TERMINAL, study.id)
    lifecycle.erase(TERMINAL, study.id)
    with reading() as connection:
        assert connection.scalar(select(func.count()).select_from(shared_report)) == 0


def test_they_are_for_who_runs_the_study(database: str) -> None:
    study, other = make_study(), make_study("other")
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    stranger = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae", runs=[other.id]))
    assert stranger is not None
    for person in (stranger, make_annotator(study)):
        with pytest.raises(NotAllowed):
            report_links.share(person, study.id, "bleu", PAGE)
        with pytest.raises(NotAllowed):
            report_links.links(person, study.id)
        with pytest.raises(NotAllowed):
            report_links.end(person, study.id, link.id)
    with pytest.raises(NotFound):
        report_links.end(stranger, other.id, link.id)


def test_who_made_one_is_named_and_finds_it_among_their_data(database: str) -> None:
    study = make_study()
    rae = people.by_token(people.invite(TERMINAL, Role.RESEARCHER, name="Rae", runs=[study.id]))
    assert rae is not None
    link = report_links.share(rae, study.id, "bleu", PAGE)
    assert link.by.startswith("Rae (")
    assert report_links.links(TERMINAL, study.id) == [link]
    (theirs,) = personal_data.exported(TERMINAL, rae.id or 0)["reports shown by a link"]
    assert theirs == {"study_id": study.id, "metric": "bleu", "made_at": link.made.isoformat()}


def test_a_study_has_so_many(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_links, "MOST", 1)
    study = make_study()
    report_links.share(TERMINAL, study.id, "bleu", PAGE)
    with pytest.raises(InputError, match="at most 1 links to reports; end some"):
        report_links.share(TERMINAL, study.id, "bleu", PAGE)
