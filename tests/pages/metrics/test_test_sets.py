"""The Test sets page: what it asks and refuses, runs, imports, tables, cases one at a time, hostile texts."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import worker
from core.formats.autos import read_packed_autos
from core.formats.perturbed import cases_jsonl
from core.jobs import JobState
from core.models.acceptability.weights import LANGUAGE_WEIGHTS, revision
from core.people import TERMINAL, Role
from core.perturb.cases import Case, Of
from core.perturb.edits import Draft, Perturbed
from core.perturb.test_sets.aspects import Aspect, Change, Test
from core.perturb.test_sets.generation import TestSetSettings, settings_from
from core.perturb.test_sets.test_set import description_of_file
from db.jobs import jobs
from db.people import people
from db.studies import studies
from db.test_sets import test_sets
from db.transfer.demonstration import load_demonstration
from pages.ui.test_sets.generation_settings import ChosenResources
from tests.pages.conftest import Open
from tests.pages.metrics.sets import button, imported, on_tab
from tests.pages.pages import words
from tests.pages.untrusted_names import MARKUP, read_as_markdown

MAKE, IMPORT, SETS, BROWSE = "Make", "Import", "Sets", "Browse"
STORY = "It was late. The old man slept. His dog ran home."


def pair(key: str, aspect: str, acceptable: float | None = None, text: str = STORY, way: str = "a way") -> list[Case]:
    draft = Draft(text)
    draft.step("swap roles", way, [(0, 2, "He")])
    good = Case(key, aspect, 1, "Once.", Perturbed(text, text, (), ()))
    return [good, Case(key, aspect, 0, "Once.", draft.done(), acceptable=acceptable)]


CASES = [*pair("p1", Aspect.CAUSAL, 0.9), *pair("p2", Aspect.CAUSAL, 0.2), *pair("p3", Aspect.TEMPORAL)]


def kept(cases: list[Case] = CASES, name: str = "mine") -> int:
    return test_sets.add(TERMINAL, name, cases, description_of_file(cases, "cases.jsonl").as_json())


def inline(page: AppTest) -> str:
    """The one text with its edits: [-gone-] and [+new+]."""
    (shown,) = page.main.get("bidi_component")
    marks = {"same": "{}", "gone": "[-{}-]", "new": "[+{}+]"}
    return "".join(marks[piece["kind"]].format(piece["text"]) for piece in json.loads(shown.proto.json)["pieces"])


def test_what_is_missing_is_said(open_page: Open, owner: str) -> None:
    page = open_page("test_sets", owner)
    assert page.selectbox(key="tests-study").options == ["Fabula's demonstration"]
    assert "All 14 stories. Give the set a name, and it can begin." in words(page)
    assert "No run yet" in words(page)
    button(page, "Make the test set").click().run()
    assert "A test set needs a name" in words(page)
    assert "No run yet" in words(page)
    for tab in (SETS, BROWSE):
        assert "There is no test set yet. Make one" in words(on_tab(page, tab))
    button(page, "Import a test set").click().run()
    assert "JSONL as" in words(page)
    studies.create(TERMINAL, "empty")
    page = open_page("test_sets", owner)
    assert "This study has no stories yet: import some, or take Fabula's own." in words(page)
    assert [item.proto.label for item in page.get("page_link")].count("Import") == 1
    page.selectbox(key="tests-study").select(0).run()
    assert "All 14 stories" in words(page)


def test_what_is_chosen_is_what_is_made(open_page: Open, owner: str) -> None:
    study = imported()
    page = open_page("test_sets", owner)
    assert "Words and their relations come from WordNet; Fabula's classifier judges" in words(page)
    page.pills(key="tests-aspects-discrimination").set_value([]).run()
    assert "Choose at least one aspect" in words(page)
    page.pills(key="tests-aspects-discrimination").set_value(["causal", "temporal"]).run()
    page.number_input(key="tests-most").set_value(5).run()
    assert "5 of 6 stories" in words(page)
    page.number_input(key="tests-seed").set_value(7).run()
    page.selectbox(key="tests-filter").set_value("none").run()
    assert "nobody judges how grammatical they are" in words(page)
    assert "first removes the faults that these metrics see" not in words(page)
    page.selectbox(key="tests-filter").set_value("language-model").run()
    assert "Fabula's language model, taught what is acceptable, judges" in words(page)
    assert "perplexity, Fp and UNION read with: it first removes the faults that these metrics see" in words(page)
    page.text_input(key="tests-name").set_value("  small   set ").run()
    button(page, "Make the test set").click().run()
    (job,) = jobs.of_kind("test set")
    assert job.study_id == study
    assert settings_from(job.settings) == TestSetSettings(
        Test.DISCRIMINATION, (Aspect.CAUSAL, Aspect.TEMPORAL), 5, 7, filter="language-model"
    )
    assert {name: job.settings[name] for name in ("name", "study", "group")} == {
        "name": "small set", "study": "mine", "group": "human",
    }  # fmt: skip
    assert page.text_input(key="tests-name").value == ""
    assert "small set: discrimination, of mine\nWaiting for its turn" in words(page)
    page.text_input(key="tests-name").set_value("small set").run()
    button(page, "Make the test set").click().run()
    assert "A test set named 'small set' is being made: choose another name." in words(page)

    assert worker.run_job(jobs.claim("test") or job).state is JobState.DONE
    page = open_page("test_sets", owner)
    (test_set,) = test_sets.listed(TERMINAL)
    assert f"{test_set.cases:,} cases of 5 stories." in words(page)
    page.text_input(key="tests-name").set_value("small set").run()
    button(page, "Make the test set").click().run()
    assert "There is a test set named 'small set' already: choose another name." in words(page)
    (link,) = [item.proto for item in page.get("page_link") if item.proto.label == "Run metrics on it"]
    assert (link.page, link.query_string) == ("capability", "sets=small+set&look=Run+metrics")
    button(page, "What it holds").click().run()
    assert "of 5 stories of mine (human); seed 7.\nMade with: techniques ours, lexicon wordnet" in words(page)
    assert f"filter language-model@{revision(LANGUAGE_WEIGHTS)}" in words(page)
    assert list(page.dataframe[0].value["Aspect"]) == ["causal", "temporal"]
    test_sets.remove(TERMINAL, test_set.id)
    assert "There is no test set yet" in words(page.run())


def test_stories_of_others_are_said_to_be(open_page: Open, owner: str) -> None:
    imported()
    page = open_page("test_sets", owner)
    page.selectbox(key="written-by").select("gpt").run()
    assert "these are by others" in words(page)
    assert "The one story" in words(page)
    page.segmented_control(key="tests-kind").set_value(Test.INVARIANCE).run()
    assert "a metric should hardly move" in words(page)
    assert list(page.pills(key="tests-aspects-invariance").value) == list(Change)


def test_files_and_models_of_the_server_are_for_owners(
    open_page: Open, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("test_sets", owner)
    page.text_input(key="tests-lexicon").set_value(" /data/conceptnet.csv ").run()
    assert "come from ConceptNet, /data/conceptnet.csv;" in words(page)
    page.segmented_control(key="tests-paraphrases").set_value("Two translation models").run()
    page.text_input(key="tests-there").set_value("en-de").run()
    page.text_input(key="tests-back").set_value("de-en").run()
    page.text_input(key="tests-name").set_value("all").run()
    button(page, "Make the test set").click().run()
    order = settings_from(jobs.of_kind("test set")[0].settings)
    assert order.knowledge == "/data/conceptnet.csv"
    assert (order.translation, order.paraphrases) == (("en-de", "de-en"), "")
    page.segmented_control(key="tests-paraphrases").set_value("A file").run()
    page.text_input(key="tests-paraphrase-file").set_value("/data/bt.json").run()
    page.text_input(key="tests-name").set_value("file").run()
    button(page, "Make the test set").click().run()
    order = settings_from(jobs.of_kind("test set")[0].settings)
    assert (order.translation, order.paraphrases) == (("", ""), "/data/bt.json")

    other = open_page("test_sets", people.invite(TERMINAL, Role.RESEARCHER))
    assert not [item for item in other.text_input if item.key in ("tests-lexicon", "tests-there")]
    assert "are files and models on the server, which owners name" in words(other)
    assert other.selectbox(key="tests-filter").options == ["shipped", "language-model", "none"]
    other.text_input(key="tests-name").set_value("sly").run()
    for means in (
        ChosenResources(knowledge="/etc/passwd"),
        ChosenResources(filter="a/b"),
        ChosenResources(paraphrases="/x"),
        ChosenResources(translation=("a", "b")),
    ):
        monkeypatch.setattr("pages.ui.test_sets.form.choose_means", lambda _viewer, means=means: means)
        button(other.run(), "Make the test set").click().run()
        assert len(other.error) == 1
    assert len(jobs.of_kind("test set")) == 2


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    return page.file_uploader[0].set_value((name, content, "application/octet-stream")).run()


def test_a_set_is_imported_once_and_whole(open_page: Open, owner: str) -> None:
    page = on_tab(open_page("test_sets", owner), IMPORT)
    upload(page, "my tests.jsonl", cases_jsonl(CASES).encode())
    assert "**6 cases** of 3 human stories, in 2 aspects: causal, temporal." in words(page)
    name = next(item for item in page.text_input if item.label == "Name of the set")
    assert name.value == "my tests"
    button(page, "Import the test set").click().run()
    (test_set,) = test_sets.listed(TERMINAL)
    assert "Imported 6 cases as 'my tests'." in words(page)
    assert "from my tests.jsonl: cases of 3 human stories.\n6 cases count, 0 are struck out." in words(page)
    assert [case.case for case in test_sets.cases(TERMINAL, test_set.id)] == CASES
    upload(on_tab(page, IMPORT), "my tests.jsonl", cases_jsonl(CASES).encode())
    button(page, "Import the test set").click().run()
    assert "There is a test set named 'my tests' already: choose another name." in words(page)
    assert len(test_sets.listed(TERMINAL)) == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.jsonl", b"{}", "a.jsonl, line 1: the label is 1"),
        ("a.jsonl", b"", "a.jsonl"),
        ("a.jsonl", b"\xff\xfe", "a.jsonl"),
        ("a.zip", b"no zip", "a.zip is damaged, or no zip"),
        ("a.zip", None, "a.zip holds no test of OpenMEVA's"),
    ],
    ids=["field", "empty", "bytes", "damaged", "other"],
)
def test_files_that_are_wrong(open_page: Open, owner: str, name: str, content: bytes | None, said: str) -> None:
    if content is None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr("a.txt", "x")
        content = buffer.getvalue()
    page = upload(on_tab(open_page("test_sets", owner), IMPORT), name, content)
    assert len(page.error) == 1
    assert said in words(page)
    assert "/tmp" not in words(page)
    assert "Import the test set" not in [item.label for item in page.button]


def test_a_set_its_tables_and_its_end(open_page: Open, owner: str) -> None:
    number, other = kept(), kept([*pair("p1", "my own")], "strange")
    test_sets.strike(TERMINAL, number, test_sets.cases(TERMINAL, number)[1].id, True)
    page = open_page("", owner)
    page.query_params["tests"] = str(number)
    page.switch_page("test_sets.py").run()
    on_tab(page, SETS)
    assert page.selectbox(key="tests-box").value == number
    table, paper, lengths = (frame.value for frame in page.dataframe)
    assert list(table["Aspect"]) == ["causal", "temporal"]
    assert list(table["Incoherent"]) == [1, 1]
    assert list(table["Struck out"]) == [1, 0]
    assert list(table["Per story"]) == pytest.approx([1 / 3, 1 / 3])
    assert table["Pass the filter"][0] == 0
    assert table["Pass the filter"].isna()[1]
    assert list(paper["ROC incoherent"]) == [410, 1799]
    assert list(lengths["Of"]) == ["coherent", "incoherent"]
    button(page, "Make the zip").click().run()
    assert "Download the zip" in [item.proto.label for item in page.get("download_button")]

    page.selectbox(key="tests-box").select(other).run()
    assert len(page.dataframe) == 2  # nothing of the paper's
    assert "Download the zip" not in [item.proto.label for item in page.get("download_button")]
    button(page, "Make the zip").click().run()
    assert "OpenMEVA's format has no place for the aspect 'my own'" in words(page)
    assert button(page, "Delete this test set").disabled
    page.checkbox(key=f"tests-sure-{other}").check().run()
    button(page, "Delete this test set").click().run()
    assert "The test set 'strange' is deleted." in words(page)
    assert [test_set.id for test_set in test_sets.listed(TERMINAL)] == [number]
    assert page.selectbox(key="tests-box").value == number


def test_a_set_of_both_tests_has_a_table_of_either(open_page: Open, owner: str) -> None:
    good, bad = pair("p2", Change.TYPOS)
    worse = [
        Case("p2/causal", case.aspect, case.label, case.prompt, case.perturbed, "p2", Of.INCOHERENT) for case in (bad,)
    ]
    kept([*pair("p1", Aspect.CAUSAL), good, bad, *worse])
    page = on_tab(open_page("test_sets", owner), SETS)
    assert not page.exception
    wrong, worded, six, seven, _ = (frame.value for frame in page.dataframe)
    assert (list(wrong["Aspect"]), list(wrong["Coherent"]), list(wrong["Incoherent"])) == (["causal"], [1], [1])
    assert "Of" not in wrong
    assert list(zip(worded["Aspect"], worded["Of"], worded["Originals"], worded["Changed"], strict=True)) == [
        ("typos", "human stories", 1, 1),
        ("typos", "incoherent ones", 0, 1),
    ]
    assert list(six["ROC incoherent"]) == [410]
    assert list(seven["Of"]) == ["human stories", "incoherent ones"]
    assert "ROC stories" in seven
    assert "OpenMEVA's Table 6" in words(page)
    assert "(discrimination and invariance, " in page.selectbox(key="tests-box").options[0]
    assert "OpenMEVA's Table 7" in words(page)


def test_what_a_run_counts(open_page: Open, owner: str) -> None:
    settings = {"name": "mine", "test": "discrimination"}
    job = jobs.add(TERMINAL, "test set", None, settings, runner="t")
    for message, unit in (
        ("Counting words", "stories"),
        ("Relating sentences", "stories"),
        ("Paraphrasing sentences", "sentences"),
        ("Making cases", "stories"),
        ("Judging grammaticality", "sentences"),
    ):
        jobs.beat(job.id, done=3, total=9, message=message)
        assert [item.proto.text for item in open_page("test_sets", owner).get("progress")] == [f"33%: 3 of 9 {unit}"]


def test_a_set_made_here_says_what_is_missing(open_page: Open, owner: str) -> None:
    about = {"stories": 3, "aspects": ["causal", "temporal"], "unavailable": {"semantic repetition": "none *named*"}}
    test_sets.add(TERMINAL, "mine", pair("p1", Aspect.CAUSAL), {**about, "left_out": {"it is empty": 2}})
    sentence = words(on_tab(open_page("test_sets", owner), SETS))
    assert "of 3 stories of Fabula's demonstration; seed 0." in sentence
    assert "semantic repetition: none; none *named*." in sentence
    assert "temporal: nothing in these stories could be changed." in sentence
    assert "2 left out: it is empty." in sentence


def test_cases_one_after_another_and_struck_out(open_page: Open, owner: str) -> None:
    number = kept()
    page = on_tab(open_page("test_sets", owner), BROWSE)
    assert inline(page) == "[-It-][+He+] was late. The old man slept. His dog ran home."
    assert "**Causal**, changed, of a human story. Id p1, story p1." in words(page)
    assert "- **Swap roles**: a way" in words(page)
    assert "0.90; it passes the filter" in words(page)
    assert "1 of 3" in words(page)
    button(page, "Previous").click().run()
    assert "3 of 3" in words(page)
    assert "P(acceptable): not judged" in words(page)
    button(page, "Next").click().run()
    button(page, "Next").click().run()
    assert "it does not pass the filter" in words(page)
    button(page, "Strike out").click().run()
    assert "2 of 3" in words(page)
    assert button(page, "Take in again")
    assert [case.struck for case in test_sets.cases(TERMINAL, number)].count(True) == 1
    page.selectbox(key="tests-showing").select("struck").run()
    assert "1 of 1" in words(page)
    button(page, "Take in again").click().run()
    assert "There is no such case" in words(page)
    assert test_sets.listed(TERMINAL)[0].struck == 0
    for showing, count in (("passing", 2), ("failing", 1), ("unchanged", 3)):
        page.selectbox(key="tests-showing").select(showing).run()
        assert f"1 of {count}" in words(page)
    assert "unchanged, stands for a good story" in words(page)
    page.selectbox(key="tests-showing").select("changed").run()
    page.selectbox(key="tests-aspect").select("temporal").run()
    assert "1 of 1" in words(page)
    page.text_input(key="tests-words").set_value("nothing like it").run()
    assert "There is no such case" in words(page)
    page.text_input(key="tests-words").set_value("OLD MAN").run()
    assert "1 of 1" in words(page)
    page.segmented_control(key="tests-view").set_value("Side by side").run()
    (shown,) = page.main.get("bidi_component")
    assert {"before", "after"} == json.loads(shown.proto.json).keys()


def test_the_address_names_set_and_case(open_page: Open, owner: str) -> None:
    number, other = kept(), kept(pair("q1", Aspect.CAUSAL), "newer")
    third = test_sets.cases(TERMINAL, number)[3].id
    page = open_page("", owner)
    page.query_params["tests"], page.query_params["case"] = str(number), str(third)
    page.switch_page("test_sets.py").run()
    on_tab(page, BROWSE)
    assert "Id p2" in words(page)
    for wrong in ("999", "<b>x</b>", "٣", "9" * 5000):
        page = open_page("", owner)
        page.query_params["tests"], page.query_params["case"] = wrong, wrong
        page.switch_page("test_sets.py").run()
        on_tab(page, BROWSE)
        assert f"There is no test set {wrong[:60]} here, or it was deleted; this is newer." in words(page)
        assert page.selectbox(key="tests-box").value == other
        assert "Id q1" in words(page)
        assert "There is no test set" not in words(page.run())


def test_a_case_that_is_gone_is_a_sentence(open_page: Open, owner: str) -> None:
    number = kept()
    page = on_tab(open_page("test_sets", owner), BROWSE)
    test_sets.remove(TERMINAL, number)
    kept(name="another")
    button(page, "Strike out").click().run()
    assert "This test set is not there any more; choose another." in words(page)
    assert test_sets.listed(TERMINAL)[0].struck == 0


def test_texts_that_want_to_be_markup(open_page: Open, owner: str) -> None:
    case = pair(f"k {MARKUP}", f"aspect {MARKUP}", 0.5, f"It was {MARKUP} late. So it was.", f"way {MARKUP}")
    cases = [*case, Case("i", "typos", 1, MARKUP, case[0].perturbed, MARKUP, Of.INCOHERENT)]
    about = {**description_of_file(cases, f"{MARKUP}.jsonl").as_json(), "unavailable": {MARKUP: MARKUP}}
    test_sets.add(TERMINAL, f"set {MARKUP}", cases, about)
    page = on_tab(open_page("test_sets", owner), SETS)
    button(page, "Make the zip").click().run()
    seen = read_as_markdown(page)
    page = on_tab(page, BROWSE)
    assert MARKUP in inline(page)
    seen += read_as_markdown(page)
    page.selectbox(key="tests-showing").select("unchanged").run()
    seen += read_as_markdown(page)
    upload(on_tab(page, IMPORT), f"{MARKUP}.jsonl".replace("/", ""), cases_jsonl(cases).encode())
    seen += read_as_markdown(page)
    for sentence in seen:
        assert MARKUP not in sentence
        assert "<i>" not in sentence


def test_the_zip_comes_back(open_page: Open, owner: str, tmp_path: Path) -> None:
    load_demonstration(TERMINAL)
    study = studies.find("Demonstration").id
    order = TestSetSettings(Test.INVARIANCE, (Change.TYPOS, Change.CONTRACTION), filter="none")
    settings = {**order.settings(), "name": "The demo's", "study": "Demonstration", "group": "human"}
    assert worker.run_job(jobs.add(TERMINAL, "test set", study, settings, runner="t")).state is JobState.DONE
    (test_set,) = test_sets.listed(TERMINAL)
    page = on_tab(open_page("test_sets", owner), SETS)
    button(page, "Make the zip").click().run()
    from pages.ui.test_sets.kept_set import _zip

    file = tmp_path / "the-demo-s.zip"
    file.write_bytes(_zip(test_set.id, test_sets.version(TERMINAL, test_set.id), "the-demo-s", TERMINAL))
    texts = {case.perturbed.text for case in read_packed_autos(file)}
    assert texts == {case.case.perturbed.text for case in test_sets.cases(TERMINAL, test_set.id)}
    upload(on_tab(page, IMPORT), file.name, file.read_bytes())
    button(page, "Import the test set").click().run()
    assert {kept_set.name for kept_set in test_sets.listed(TERMINAL)} == {"The demo's", "the-demo-s"}
