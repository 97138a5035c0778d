"""OpenMEVA's folder as a zip: out and in, and zips that are wrong, damaged or hostile."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import autos
from core.formats.autos import corpus_of, pack_autos, read_packed_autos
from core.perturb.cases import Case, Of
from core.perturb.test_sets.aspects import Aspect, Change
from tests.core.formats.autos import changed_case, fields_of, kept_case

STORY = "The dog ran. It was glad."
CASES = (
    kept_case(STORY, Aspect.CAUSAL, prompt="Once."),
    changed_case(STORY, Aspect.CAUSAL, prompt="Once."),
    kept_case(STORY, Change.TYPOS, prompt="Once."),
    changed_case(STORY, Change.TYPOS, prompt="Once."),
)
LINE = "0|||once|||the dog ran .|||x\n"


def zipped(path: Path, files: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def refused(path: Path) -> str:
    with pytest.raises(InputError) as error:
        read_packed_autos(path)
    assert "/tmp" not in str(error.value)
    return str(error.value)


def test_out_and_in_and_the_same_bytes(tmp_path: Path) -> None:
    packed = pack_autos(CASES, "mine")
    assert pack_autos(CASES, "mine") == packed
    path = tmp_path / "any name.zip"
    path.write_bytes(packed)
    result = read_packed_autos(path)

    def comparable(cases: tuple[Case, ...]) -> set[tuple[object, ...]]:
        return {(*fields_of(replace(case, story="s")), case.perturbed.original) for case in cases}

    assert comparable(result) == comparable(CASES)
    assert {case.source for case in result} == {"mine-0"}
    assert all(case.of is Of.HUMAN for case in result)


def test_what_the_format_cannot_hold_is_said() -> None:
    with pytest.raises(InputError, match="no place for the aspect 'my own'"):
        pack_autos([changed_case(STORY, "my own")], "mine")


def test_a_corpus_is_named_after_a_set() -> None:
    assert corpus_of("My set: 1/2 (time)") == "my-set-1-2-time"
    assert corpus_of("../..") == "stories"
    assert corpus_of("roc_negative_sample") == "roc-negative-sample"
    assert len(corpus_of("x" * 200)) == 60


def test_zips_as_people_make_them(tmp_path: Path) -> None:
    there = {
        "roc/discrimination_test/roc_cause.txt": LINE,
        "roc/discrimination_test/notes.pdf": "x",
        "roc/README.txt": "x",
        "__MACOSX/roc/discrimination_test/._roc_cause.txt": "\0",
    }
    assert len(read_packed_autos(zipped(tmp_path / "a.zip", there))) == 1
    bare = {"invariance_test\\roc_typos_perturb.txt": LINE, "roc_test_opt.txt": "the dog ran .\n"}
    assert len(read_packed_autos(zipped(tmp_path / "b.zip", bare))) == 2
    above = {f"data/{name}": text for name, text in there.items()} | {"data/roc_test_opt.txt": "a dog ran .\n"}
    above["data/roc/invariance_test/roc_typos_perturb.txt"] = LINE
    assert len(read_packed_autos(zipped(tmp_path / "c.zip", above))) == 3


def test_zips_that_are_wrong(tmp_path: Path) -> None:
    several = {f"{name}/discrimination_test/{name}_cause.txt": LINE for name in ("roc", "wp")}
    assert refused(zipped(tmp_path / "s.zip", several)) == (
        "s.zip holds tests of several corpora (roc, wp): give one at a time."
    )
    assert refused(zipped(tmp_path / "n.zip", {"a.txt": "x"})).startswith("n.zip holds no test of OpenMEVA's: zip")
    assert "holds no test" in refused(zipped(tmp_path / "e.zip", {"discrimination_test/a.txt": "x"}))
    broken = {"roc/discrimination_test/roc_cause_perturb.txt": "0|||a\n"}
    assert "roc_cause_perturb.txt, line 1: expected" in refused(zipped(tmp_path / "l.zip", broken))
    lonely = {"roc/invariance_test/roc_negative_sample_typos_perturb.txt": LINE}
    assert "roc_negative_sample.txt" in refused(zipped(tmp_path / "m.zip", lonely))
    (tmp_path / "d.zip").write_bytes(pack_autos(CASES, "mine")[:-40])
    assert "d.zip is damaged" in refused(tmp_path / "d.zip")
    (tmp_path / "t.zip").write_text("no zip", encoding="utf-8")
    assert "t.zip is damaged, or no zip" in refused(tmp_path / "t.zip")
    both = {"discrimination_test/a.txt": "x", "discrimination_test/a.txt/b.txt": "x"}
    assert "damaged" in refused(zipped(tmp_path / "f.zip", both))
    odd = zipped(tmp_path / "...zip", {"a.txt": "x"})
    assert "holds no test" in refused(odd)


def test_nothing_lands_outside_and_nothing_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "out.txt"
    names = [f"../../../../../../../..{target}", str(target), "discrimination_test/../../../../out.txt"]
    good = {"discrimination_test/roc_cause.txt": LINE}
    assert len(read_packed_autos(zipped(tmp_path / "a.zip", dict.fromkeys(names, "x") | good))) == 1
    assert not target.exists()
    many = {f"discrimination_test/{i}.txt": "" for i in range(1_001)}
    assert "holds 1,001 texts" in refused(zipped(tmp_path / "m.zip", many))
    monkeypatch.setattr(autos, "LARGEST", 2**20)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("discrimination_test/roc_cause.txt", "x" * (2**21))
    (tmp_path / "b.zip").write_bytes(buffer.getvalue())
    assert len(buffer.getvalue()) < 10_000
    assert refused(tmp_path / "b.zip") == "b.zip unpacks to more than 1 MB; no test set does."
