"""OpenMEVA's test sets: read with their originals, written and read again, and lines that are wrong named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, StorageError
from core.formats.autos import autos_files, read_autos, write_autos
from core.formats.perturbed import read_cases, write_cases
from core.perturb.cases import Case, Of
from core.perturb.edits import Perturbed, apply
from core.perturb.test_sets.aspects import Aspect, Change
from tests.core.formats.autos import changed_case, fields_of, kept_case

STORIES = ["the dog ran . it was glad .", "the cat slept . it was cold .", "rain fell . all went home ."]
INPUTS = ["a dog was out .", "a cat was in .", "it was late ."]


def put(folder: Path, **files: list[str]) -> Path:
    """Files by name, `D_…` of the discrimination test, `I_…` of the other, `T_…` beside them."""
    places = {"D": "discrimination_test/", "I": "invariance_test/", "T": ""}
    for name, lines in files.items():
        place, _, rest = name.partition("_")
        path = folder / f"{places[place]}{rest}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def human(folder: Path) -> Path:
    return put(folder, T_roc_test_ipt=INPUTS, T_roc_test_opt=STORIES)


def test_a_discrimination_test(tmp_path: Path) -> None:
    folder = put(
        human(tmp_path),
        D_roc_cause=[f"0|||{INPUTS[0]}|||{STORIES[0]}"],
        D_roc_cause_perturb=[
            f"1|||{INPUTS[1]}|||the cat slept . it was not cold .|||type_add_neg",
            f"2|||{INPUTS[2]}|||rain fell . home all went .|||type_swap:home all",
        ],
    )
    first, second, third = read_autos(folder)
    assert fields_of(first) == (Aspect.CAUSAL, 1, "roc-0", Of.HUMAN, INPUTS[0], STORIES[0])
    assert first.perturbed == Perturbed(STORIES[0], STORIES[0], (), ())
    assert fields_of(second)[:4] == (Aspect.CAUSAL, 0, "roc-1", Of.HUMAN)
    assert second.perturbed.original == STORIES[1]
    (edit,) = second.perturbed.edits
    assert (edit.start, edit.before, edit.after, edit.techniques) == (22, "", " not", ("type_add_neg",))
    assert [step.technique for step in third.perturbed.steps] == ["type_swap:home all"]
    assert apply(STORIES[2], third.perturbed.edits) == "rain fell . home all went ."


def test_the_released_layout_and_the_papers_name(tmp_path: Path) -> None:
    """One level up lie the stories of both corpora; `coherence` is what the paper calls relatedness."""
    put(human(tmp_path), **{"T_roc/discrimination_test/roc_coherence_perturb": []})
    for name in ("coherence", "relatedness"):
        path = tmp_path / "roc" / "discrimination_test" / f"roc_{name}_perturb.txt"
        path.write_text(f"0|||{INPUTS[0]}|||the dog sang .|||x\n", encoding="utf-8")
    cases = read_autos(tmp_path / "roc")
    assert [case.aspect for case in cases] == [Aspect.RELATEDNESS] * 2
    assert len({case.id for case in cases}) == 2


def test_without_human_stories_the_coherent_line_is_the_original(tmp_path: Path) -> None:
    put(
        tmp_path,
        D_roc_time=[f"7|||{INPUTS[0]}|||{STORIES[0]}"],
        D_roc_time_perturb=[f"7|||{INPUTS[0]}|||it was glad . the dog ran .|||swap"],
    )
    assert [case.perturbed.original for case in read_autos(tmp_path)] == [STORIES[0]] * 2
    put(tmp_path, D_roc_time_perturb=[f"8|||{INPUTS[0]}|||it was glad .|||swap"])
    with pytest.raises(InputError, match=r"line 1: .* roc_time.txt has no story 8 and roc_test_opt.txt, which .* is"):
        read_autos(tmp_path)


def test_an_invariance_test_of_both_kinds(tmp_path: Path) -> None:
    folder = put(
        human(tmp_path),
        I_roc_typos_perturb=[f"2|||{INPUTS[2]}|||rain fell . all wnet home .|||swap"],
        I_roc_negative_sample=[
            f"1|||{INPUTS[1]}|||the cat slept . the cat slept .|||repeat",
            f"0|||{INPUTS[0]}|||the dog ran . it was sad .|||antonym",
        ],
        I_roc_negative_sample_typos_perturb=[
            f"1|||{INPUTS[0]}|||the dog rna . it was sad .|||swap",
            f"1|||{INPUTS[0]}|||the dgo ran . it was sad .|||swap",
        ],
    )
    cases = read_autos(folder)
    sad = (Change.TYPOS, 1, "roc-0", Of.INCOHERENT, INPUTS[0], "the dog ran . it was sad .")
    assert [fields_of(case) for case in cases] == [
        sad,
        (*sad[:1], 0, *sad[2:5], "the dog rna . it was sad ."),
        (*sad[:1], 0, *sad[2:5], "the dgo ran . it was sad ."),
        (Change.TYPOS, 1, "roc-2", Of.HUMAN, INPUTS[2], STORIES[2]),
        (Change.TYPOS, 0, "roc-2", Of.HUMAN, INPUTS[2], "rain fell . all wnet home ."),
    ]
    path = tmp_path / "cases.jsonl"
    write_cases(cases, path)
    assert read_cases(path) == cases


def test_originals_are_lowered_where_the_test_is(tmp_path: Path) -> None:
    """OpenMEVA lower-cases WritingPrompts before it changes it, and leaves its stories as they were."""
    put(
        tmp_path,
        T_wp_test_ipt=["[ WP ] A Dog"],
        T_wp_test_opt=["The dog ran . It was glad ."],
        I_wp_contraction_perturb=["0|||[ wp ] a dog|||the dog ran . it's glad .|||contract"],
    )
    original, changed = read_autos(tmp_path)
    assert original.perturbed.text == "the dog ran . it was glad ."
    assert [(edit.before, edit.after) for edit in changed.perturbed.edits] == [(" was", "'s")]


def test_lines_that_are_wrong(tmp_path: Path) -> None:
    def refused(line: str, name: str = "D_roc_time_perturb") -> str:
        with pytest.raises(InputError) as error:
            read_autos(put(human(tmp_path / "one"), **{name: [line]}))
        return str(error.value)

    assert refused("1|||a") == "roc_time_perturb.txt, line 1: expected `id|||input|||story|||type`, found 2 part(s)."
    assert "found 5 part(s)" in refused("1|||a|||b|||c|||d")
    assert "line 1: the id 'x' is not a whole number" in refused("x|||a|||b|||c")
    assert "line 1: there is no story 9 in roc_test_opt.txt (0 to 2)" in refused("9|||a|||b|||c")
    assert "NUL" in refused("1|||a|||b\0|||c")
    put(tmp_path / "two", D_roc_time=["1|||a|||b"], I_roc_typos_perturb=["1|||a|||b|||c"])
    with pytest.raises(InputError, match=r"roc_test_opt.txt is neither in .*two nor one level up"):
        read_autos(tmp_path / "two")
    put(tmp_path / "three", I_roc_negative_sample_typos_perturb=["1|||a|||b|||c"])
    with pytest.raises(InputError, match=r"There is no file .*roc_negative_sample.txt"):
        read_autos(tmp_path / "three")
    put(human(tmp_path / "four"), T_roc_test_ipt=["a"], D_roc_time_perturb=["1|||a|||b|||c"])
    with pytest.raises(InputError, match=r"roc_test_ipt.txt has 1 lines, but roc_test_opt.txt has 3"):
        read_autos(tmp_path / "four")
    (tmp_path / "five" / "discrimination_test").mkdir(parents=True)
    with pytest.raises(InputError, match="holds no test of OpenMEVA's"):
        read_autos(tmp_path / "five")


STORY = "It was late. The dog ran.\nAll was well."


def test_what_is_written(tmp_path: Path) -> None:
    cases = [
        kept_case(STORY, Aspect.TEMPORAL, key="a"),
        changed_case(STORY, Aspect.TEMPORAL, key="a", start=13),
        changed_case("They went. Home", Aspect.RELATEDNESS, key="b", prompt="They went.", start=11),
        changed_case("It was late. Bad.", Change.TYPOS, key="a", of=Of.INCOHERENT, start=13),
        changed_case(STORY, Change.TYPOS, key="a"),
    ]
    write_autos(cases, tmp_path / "new", "roc")
    result = {str(path.relative_to(tmp_path / "new")): path.read_text() for path in (tmp_path / "new").rglob("*.txt")}
    assert result == {
        "discrimination_test/roc_time.txt": "0|||It was late.|||The dog ran. All was well.\n",
        "discrimination_test/roc_time_perturb.txt": ("0|||It was late.|||so The dog ran. All was well.|||insertion\n"),
        "discrimination_test/roc_coherence_perturb.txt": "1|||They went.|||so Home|||insertion\n",
        "invariance_test/roc_negative_sample.txt": "0|||It was late.|||Bad.|||incoherent\n",
        "invariance_test/roc_negative_sample_typos_perturb.txt": "0|||It was late.|||so Bad.|||insertion\n",
        "invariance_test/roc_typos_perturb.txt": "0|||so It was late.|||The dog ran. All was well.|||insertion\n",
        "roc_test_ipt.txt": "It was late.\nThey went.\n",
        "roc_test_opt.txt": "The dog ran. All was well.\nHome\n",
    }
    repeated = Perturbed("Home", "They went. Home", (), ())
    (line,) = autos_files([Case("b", Aspect.CAUSAL, 0, "They went.", repeated)], "wp")[
        "discrimination_test/wp_cause_perturb.txt"
    ].splitlines()
    assert line == "0|||They went.|||They went. Home|||"  # the original does not begin with it: it was put in
    last = read_autos(tmp_path / "new")[-1]  # its input was changed: there is no prompt that both begin with
    assert (last.prompt, last.perturbed.text) == ("", "so It was late. The dog ran. All was well.")
    assert [(edit.start, edit.after) for edit in last.perturbed.edits] == [(0, "so It")]


WORDS = st.lists(st.sampled_from(["so", "It was late.", "Ran!", "über", "日本。", "a", "\n"]), min_size=1, max_size=8)
MADE = st.tuples(
    st.sampled_from([*Aspect, *Change]), st.sampled_from("abc"), st.booleans(), st.sampled_from(["", "He left."])
)


@given(st.lists(MADE, min_size=1, max_size=8), st.lists(WORDS, min_size=6, max_size=6))
def test_what_was_written_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, made: list[tuple[str, str, bool, str]], texts: list[list[str]]
) -> None:
    """Aspect, label, source, kind of original, and the story with its prompt; invariance with its originals."""
    prompts = {key: prompt for _, key, _, prompt in made}
    stories = {
        (key, of): " ".join(words).strip() or "So."
        for (key, of), words in zip([(key, of) for key in "abc" for of in Of], texts, strict=True)
    }
    cases: dict[tuple[str, int, str, str], Case] = {}
    for aspect, key, bad, _ in made:
        of = Of.INCOHERENT if bad and aspect in list(Change) else Of.HUMAN
        for make in (kept_case, changed_case):
            case = make(stories[key, of], aspect, key=key, prompt=prompts[key], of=of)
            cases[aspect, case.label, key, of] = case
    folder = tmp_path_factory.mktemp("autos") / "new"
    write_autos(list(cases.values()), folder, "my-corpus_2")
    numbers = {source: f"my-corpus_2-{place}" for place, source in enumerate(dict.fromkeys(k[2] for k in cases))}

    def whole(case: Case) -> tuple[object, ...]:
        return case.aspect, case.label, case.of, f"{case.prompt} {case.perturbed.text}".split()

    result = read_autos(folder)
    wanted = [(*whole(case), numbers[case.source]) for case in cases.values()]
    assert sorted(map(str, wanted)) == sorted(str((*whole(case), case.source)) for case in result)
    for case in result:
        assert apply(case.perturbed.original, case.perturbed.edits) == case.perturbed.text


def test_what_the_format_cannot_hold(tmp_path: Path) -> None:
    def refused(*cases: Case) -> str:
        with pytest.raises(InputError) as error:
            autos_files(cases, "roc")
        return str(error.value)

    assert "no place for the aspect 'rhyme'; it has lexical repetition, " in refused(kept_case(STORY, "rhyme"))
    assert "The case 'h' of causal: OpenMEVA's format parts its fields" in refused(
        kept_case("A. b ||| c", Aspect.CAUSAL)
    )
    assert "parts its fields" in refused(kept_case("A. b |", Aspect.CAUSAL))
    assert "human stories only" in refused(kept_case(STORY, Aspect.CAUSAL, of=Of.INCOHERENT))
    assert "another original of 'h' came before" in refused(
        kept_case(STORY, Aspect.CAUSAL), changed_case("Other. One.", Aspect.TEMPORAL)
    )
    with pytest.raises(InputError, match="A corpus is named by letters"):
        write_autos([kept_case(STORY, Aspect.CAUSAL)], tmp_path / "new", "a/b")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    with pytest.raises(InputError, match="is there already"):
        write_autos([kept_case(STORY, Aspect.CAUSAL)], tmp_path / "full", "roc")
    with pytest.raises(StorageError):
        write_autos([kept_case(STORY, Aspect.CAUSAL)], tmp_path / "full" / "x" / "new", "roc")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["x"]
    (tmp_path / "empty").mkdir()
    write_autos([kept_case(STORY, Aspect.CAUSAL)], tmp_path / "empty", "roc")
    assert len(read_autos(tmp_path / "empty")) == 1
