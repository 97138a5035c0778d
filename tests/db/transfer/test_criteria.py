"""Studies of several criteria: out and in again, into a study that fits, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.annotation.builtin import HANNA, with_prompts
from core.annotation.criterion import OVERALL, Criterion
from core.annotation.scheme import CHECK
from core.annotation.studies import Study
from core.annotation.target import Target
from core.annotation.unit import PromptKind
from core.errors import InputError, NotAllowed
from core.formats.exports.choice import ColumnChoice
from core.formats.exports.package import write_folder
from core.formats.exports.reading import read_export
from core.formats.exports.restored import Restored
from core.people import TERMINAL, Person
from db.annotation import assignments, onboarding, panel_submission, settings
from db.monitor import panels, personal_data
from db.people import people
from db.ratings import ratings
from db.scores import tables
from db.studies import past_imports, studies
from db.transfer import exports, imports, rating_forms, rating_imports, take_back
from tests.db.annotation.onboarding import PRACTICE
from tests.db.conftest import make_annotator, small_corpus

FORM = replace(
    HANNA,
    comments=True,
    closing_question="Anything else?",
    check=Criterion(CHECK, "Choose 2 here.", ((1, "1"), (2, "2")), "nominal"),
    check_answer=2,
)


@pytest.fixture
def worked(database: str) -> tuple[Study, Person]:
    """A study in which somebody has rated a story on six criteria, with a reason, and said something at the end."""
    study = studies.create(TERMINAL, "six", "hanna")
    settings.set_form(TERMINAL, study.id, FORM)
    imports.import_corpora(TERMINAL, study.name, [small_corpus(2)])
    studies.open_study(TERMINAL, study.id)
    who = make_annotator(study)
    panel = assignments.turn(who, claim=True).panel
    assert panel is not None
    for number, name in enumerate((*HANNA.names, CHECK)):
        ratings.save_value(who, panel.token, 2 if name == CHECK else 1 + number % 5, name)
    ratings.save_comment(who, panel.token, "  It is funny.  ")
    panel_submission.submit(who, panel.token)
    people.answer_closing(who, "Good night.")
    return studies.get(study.id), who


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_out_and_in_again_is_equal(worked: tuple[Study, Person], tmp_path: Path, kind: str) -> None:
    study, _ = worked
    write_folder(exports.files(TERMINAL, study.id, kind), tmp_path / "1")
    restored = read_export(tmp_path / "1")
    (rating,) = restored.ratings
    assert (rating.comment, rating.values[CHECK], rating.overall) == ("It is funny.", 2, None)
    again = rating_imports.import_ratings(TERMINAL, "again", restored)
    assert again.scheme == FORM
    write_folder(exports.files(TERMINAL, again.id, kind), tmp_path / "2")
    (other,) = read_export(tmp_path / "2").ratings
    assert replace(other, number=0) == replace(rating, number=0)
    for name in HANNA.names:
        target = Target((name,))
        ours, theirs = (tables.table(number, target=target).human for number in (study.id, again.id))
        assert str(ours.tolist()) == str(theirs.tolist())
    with pytest.raises(InputError, match="several criteria, and the formats of MANS and UNION"):
        exports.files(TERMINAL, study.id, "mans")


def test_their_words_go_when_a_person_is_erased(worked: tuple[Study, Person]) -> None:
    study, who = worked
    assert who.id is not None
    known = personal_data.exported(TERMINAL, who.id)
    assert (known["person"]["closing_comment"], known["panels"][0]["answers"][0]["comment"]) == (
        "Good night.",
        "It is funny.",
    )
    personal_data.erase(TERMINAL, who.id, keep_ratings=True)
    (row,) = exports.ratings_of(TERMINAL, study.id)
    assert (row.comment, row.criteria["empathy"]) == ("", 3)
    assert panels.stories_of(1)[0].comment == ""


def test_what_the_form_does_not_take_is_refused(worked: tuple[Study, Person]) -> None:
    study, who = worked
    panel = assignments.turn(who, claim=True).panel
    assert panel is not None
    with pytest.raises(InputError, match="at most 2,000 characters; this one has 10,000,000"):
        ratings.save_comment(who, panel.token, "x" * 10_000_000)
    with pytest.raises(InputError, match="A rating of empathy of 6 is outside the scale 1 to 5"):
        ratings.save_value(who, panel.token, 6, "empathy")
    with pytest.raises(InputError, match="no criterion 'wit' here"):
        ratings.save_value(who, panel.token, 3, "wit")
    with pytest.raises(InputError, match="form can no longer change"):
        settings.set_form(TERMINAL, study.id, HANNA)
    with pytest.raises(InputError, match="7 answers are still missing"):
        panel_submission.submit(who, panel.token)


def test_no_reason_where_none_is_asked_for(database: str) -> None:
    study = imports.import_corpora(TERMINAL, "mans", [small_corpus()])
    studies.open_study(TERMINAL, study.id)
    who = make_annotator(study)
    panel = assignments.turn(who, claim=True).panel
    assert panel is not None
    with pytest.raises(NotAllowed, match="does not ask for reasons"):
        ratings.save_comment(who, panel.token, "why")


def test_ratings_find_a_study_that_asks_for_them_or_make_it(database: str, tmp_path: Path) -> None:
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,wit,coherence\n0-one,3,4\n0-two,2,5\n")
    choice = ColumnChoice(criteria=(("wit", "wit"), ("coherence", "coherence")))
    imports.import_corpora(TERMINAL, "stories first", [small_corpus()])
    study = rating_imports.import_ratings(TERMINAL, "stories first", read_export(file, choice=choice))
    assert (study.scheme_key, study.scheme.names) == ("criteria", ("wit", "coherence"))
    file.write_text("story_id,mood\n0-one,3\n")
    refused = r"asked for wit, coherence in the study .* does not ask for mood, .* Import the stories once more"
    with pytest.raises(InputError, match=refused):
        rating_imports.import_ratings(
            TERMINAL, "stories first", read_export(file, choice=ColumnChoice(criteria=(("mood", "mood"),)))
        )
    file.write_text("story_id,wit\n0-one,7\n")
    off = read_export(file, choice=ColumnChoice(criteria=(("wit", "wit"),)))
    with pytest.raises(InputError, match="line 2, column 'wit': A rating of wit of 7 is outside the scale 1 to 5"):
        rating_imports.import_ratings(TERMINAL, "stories first", off)


def overall_ratings(folder: Path) -> Restored:
    file = folder / "theirs.csv"
    file.write_text("story_id,overall\n0-one,3\n")
    return read_export(file)


def test_a_form_that_has_asked_nobody_becomes_the_ratings_until_they_are_taken_back(
    database: str, tmp_path: Path
) -> None:
    study = studies.create(TERMINAL, "six", "hanna")
    settings.set_form(TERMINAL, study.id, FORM)
    imports.import_corpora(TERMINAL, study.name, [small_corpus()])
    wanted = rating_forms.form_with(TERMINAL, study.id, overall_ratings(tmp_path))
    assert studies.get(study.id).scheme == FORM  # looking changes nothing
    after = rating_imports.import_ratings(TERMINAL, "six", overall_ratings(tmp_path))
    assert after.scheme == wanted
    assert (wanted.key, wanted.names, wanted.prompt_kind) == ("criteria", (OVERALL,), FORM.prompt_kind)
    take_back.take_back(TERMINAL, study.id, past_imports.listed(TERMINAL, study.id)[0].id)
    assert studies.get(study.id).scheme == FORM


def test_what_the_prompts_are_outlasts_the_form(database: str, tmp_path: Path) -> None:
    """Whoever brought the stories said that their prompts are tasks; ratings say nothing of it."""
    study = imports.import_corpora(TERMINAL, "tasks", [small_corpus()])
    settings.set_form(TERMINAL, study.id, with_prompts(study.scheme, PromptKind.TASK))
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,coherence,engagement\n0-one,3,4\n")
    after = rating_imports.import_ratings(TERMINAL, "tasks", read_export(file), questions={"coherence": "Is it whole?"})
    assert (after.scheme.names, after.scheme.prompt_kind) == (("coherence", "engagement"), PromptKind.TASK)
    assert after.scheme.question == "Is it whole?"


def test_who_has_begun_keeps_the_form(database: str, tmp_path: Path) -> None:
    """However early: a panel in hand, while nothing is answered."""
    study = imports.import_corpora(TERMINAL, "six", [small_corpus()], scheme="hanna")
    studies.open_study(TERMINAL, study.id)
    with pytest.raises(InputError, match="is open for annotation"):
        rating_forms.form_with(TERMINAL, study.id, overall_ratings(tmp_path))
    panel = assignments.turn(make_annotator(study), claim=True).panel
    assert panel is not None
    studies.close_study(TERMINAL, study.id)
    refused = r"asked for relevance, .* does not ask for overall"
    with pytest.raises(InputError, match=refused):
        rating_forms.form_with(TERMINAL, study.id, overall_ratings(tmp_path))
    with pytest.raises(InputError, match=refused):
        rating_imports.import_ratings(TERMINAL, "six", overall_ratings(tmp_path))
    assert studies.get(study.id).scheme == HANNA


def test_a_practice_that_does_not_fit_keeps_the_form(database: str, tmp_path: Path) -> None:
    study = imports.import_corpora(TERMINAL, "mans", [small_corpus()])
    onboarding.set_practice(TERMINAL, study.id, PRACTICE)
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,coherence\n0-one,3\n")
    with pytest.raises(InputError, match="practice does not fit this form; switch it off first"):
        rating_forms.form_with(TERMINAL, study.id, read_export(file))


def test_criteria_are_called_as_the_form_calls_them(database: str, tmp_path: Path) -> None:
    imports.import_corpora(TERMINAL, "six", [small_corpus()], scheme="hanna")
    file = tmp_path / "theirs.csv"
    file.write_text("story_id,Rel\n0-one,3\n")
    study = rating_imports.import_ratings(
        TERMINAL, "six", read_export(file, choice=ColumnChoice(criteria=(("RELEVANCE", "Rel"),)))
    )
    assert tables.table(study.id, target=Target(("relevance",))).rated == 1


def test_the_file_of_ratings_of_an_export_alone(worked: tuple[Study, Person], tmp_path: Path) -> None:
    """It comes into a new study, without the attention check that such a study does not have."""
    study, _ = worked
    write_folder(exports.files(TERMINAL, study.id, "csv"), tmp_path / "out")
    alone = (tmp_path / "out" / "ratings.csv").rename(tmp_path / "alone.csv")
    again = rating_imports.import_ratings(TERMINAL, "again", read_export(alone))
    assert again.scheme == HANNA
    (row,) = exports.ratings_of(TERMINAL, again.id)
    assert tuple(row.criteria) == HANNA.names


def test_an_attention_check_is_no_criterion(database: str, tmp_path: Path) -> None:
    study = studies.create(TERMINAL, "mans", "mans")
    form = replace(study.scheme, check=FORM.check, check_answer=2)
    settings.set_form(TERMINAL, study.id, form)
    imports.import_corpora(TERMINAL, study.name, [small_corpus(1)])
    studies.open_study(TERMINAL, study.id)
    who = make_annotator(study)
    panel = assignments.turn(who, claim=True).panel
    assert panel is not None
    for place, shown in enumerate(panel.stories):
        ratings.save_value(who, shown.token, 3)
        if place == len(panel.stories) // 2:
            ratings.save_value(who, shown.token, 1, CHECK)
    panel_submission.submit(who, panel.token)
    assert exports.files(TERMINAL, study.id, "mans")
    own = replace(form, check=None, criteria=(*form.criteria, replace(HANNA.main, name="Attention check")))
    fresh = studies.create(TERMINAL, "fresh", "mans")
    with pytest.raises(InputError, match="that has a field of its own"):
        settings.set_form(TERMINAL, fresh.id, own)
