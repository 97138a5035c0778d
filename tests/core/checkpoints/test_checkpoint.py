"""Checkpoints on the disk: written whole, read after every check, and what each check says."""

import contextlib
import hashlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from core.checkpoints.card import card_from, check_name, markdown, read_card
from core.checkpoints.checkpoint import CARD, WEIGHTS, load, overlap, save
from core.checkpoints.overlap import count_known, fingerprints
from core.checkpoints.store import checkpoints_folder, forget, keep
from core.errors import FabulaError, InputError, ModelMissing, StorageError
from tests.core.training.made_checkpoint import CARD as MADE
from tests.core.training.made_checkpoint import TEXTS, made_checkpoint


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    saved = made_checkpoint(tmp_path / "a")
    assert sorted(file.name for file in (tmp_path / "a").iterdir()) == [CARD, WEIGHTS]
    assert [file.name for file in tmp_path.iterdir()] == ["a"]
    checkpoint = load(tmp_path / "a")
    assert checkpoint == saved
    assert checkpoint.card.weights == hashlib.sha256((tmp_path / "a" / WEIGHTS).read_bytes()).hexdigest()
    assert {name: (weight.dtype, weight.tolist()) for name, weight in checkpoint.weights().items()} == {
        "head.weight": (torch.float32, [[1.0] * 3] * 2),
        "head.bias": (torch.bfloat16, [0.0, 1.0]),
    }
    text = (tmp_path / "a" / CARD).read_text(encoding="utf-8")
    assert read_card(text, "here") == checkpoint.card
    assert "Nora" not in text
    with pytest.raises(InputError, match=r"There is a .*a already"):
        made_checkpoint(tmp_path / "a")


def test_stories_that_were_trained_on_are_known_again(tmp_path: Path) -> None:
    checkpoint = made_checkpoint(tmp_path / "a")
    assert (
        overlap(checkpoint, ["it rained , the DOG ran", "It rained.", "que 17 doors", "¿QUÉ? 17 doors", "", "..."]) == 2
    )
    assert overlap(checkpoint, [TEXTS[1]] * 3) == 3
    silent = save(tmp_path / "b", MADE, {"w": torch.zeros(1)})
    assert overlap(silent, TEXTS) is None
    assert list(silent.weights()) == ["w"]


@given(st.lists(st.text()), st.lists(st.text()))
def test_known_are_those_with_the_same_letters(seen: list[str], asked: list[str]) -> None:
    def letters(text: str) -> str:
        return "".join(c for c in text.casefold() if c.isalnum())

    before = {letters(text) for text in seen} - {""}
    kept = fingerprints(seen)
    assert kept.shape == (len(before), 8)
    assert kept.tolist() == sorted(kept.tolist())
    assert count_known(kept, asked) == sum(letters(text) in before for text in asked)


def test_a_card_reads_well(tmp_path: Path) -> None:
    text = markdown(made_checkpoint(tmp_path / "a", name="a <b> | `c`").card)
    assert text.startswith("# a \\<b\\> \\| \\`c\\`\n")
    assert "| stories \\| of ours | 3 | ab12 |" in text
    assert "| accuracy, held out | 0.8125 | 0.7500 to 0.8750 | 160 |" in text
    assert "| Pearson's r | -0.2500 | – | 40 |" in text
    assert "| epochs | 2 |" in text
    assert "was not looked at" in text


def rewrite(folder: Path, **changes: Any) -> None:
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    (folder / CARD).write_text(json.dumps({**card, **changes}), encoding="utf-8")


def rehash(folder: Path) -> None:
    rewrite(folder, weights=hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest())


def store(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    save_file(tensors, folder / WEIGHTS)
    rehash(folder)


def flip(folder: Path) -> None:
    content = bytearray((folder / WEIGHTS).read_bytes())
    content[-1] ^= 1
    (folder / WEIGHTS).write_bytes(content)


def shorten(folder: Path) -> None:
    (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-1])
    rehash(folder)


def pickled(folder: Path, **options: Any) -> None:
    torch.save({"w": torch.zeros(1)}, folder / WEIGHTS, **options)
    rehash(folder)


SPOILT: list[tuple[Callable[[Path], object], type[FabulaError], str]] = [
    (lambda f: (f / WEIGHTS).unlink(), ModelMissing, "it has no weights.safetensors"),
    (lambda f: (f / CARD).unlink(), ModelMissing, "it has no card.json"),
    (lambda f: (f / "model.pkl").write_bytes(b""), InputError, "holds 'model.pkl': a checkpoint is"),
    (flip, InputError, "not the file that its card speaks of"),
    (shorten, InputError, "no safetensors file that can be read"),
    (pickled, InputError, "is a pickle, which may run any program"),
    (lambda f: pickled(f, _use_new_zipfile_serialization=False), InputError, "is a pickle"),
    (lambda f: store(f, {"training_texts": torch.zeros(2, 8, dtype=torch.uint8)}), InputError, "holds no weights"),
    (lambda f: store(f, {"w": torch.zeros(1), "training_texts": torch.zeros(2, 8)}), InputError, "is damaged: what"),
    (lambda f: (f / CARD).write_text("{"), InputError, "card.json is no JSON"),
    (lambda f: (f / CARD).write_text("[" * 10**5), InputError, "card.json is no JSON"),
    (lambda f: (f / CARD).write_text("[]"), InputError, "holds no JSON object"),
    (lambda f: (f / CARD).write_bytes(b"\xff\xfe"), InputError, "card.json cannot be read"),
    (lambda f: (f / CARD).write_text(" " * 2**20 + "{}"), InputError, "larger than any card"),
    (lambda f: rewrite(f, format=2), InputError, "has the format 2, but this Fabula knows 1: update it"),
    (lambda f: rewrite(f, licence="x"), InputError, "'licence' is missing, or too much"),
    (lambda f: rewrite(f, kind="../union"), InputError, "a part of the card is not what it should be"),
    (lambda f: rewrite(f, name="a\nb"), InputError, "not what it should be"),
    (lambda f: rewrite(f, name="x" * 101), InputError, "not what it should be"),
    (lambda f: rewrite(f, created="2026-01-01"), InputError, "has no time zone"),
    (lambda f: rewrite(f, data=[{"name": "x", "size": -1, "hash": ""}]), InputError, "not what it should be"),
    (lambda f: rewrite(f, data=[{"name": "x"}]), InputError, "not what it should be"),
    (lambda f: rewrite(f, figures=[{**vars_of_figure(), "value": "1"}]), InputError, "not what it should be"),
    (lambda f: rewrite(f, figures=[{**vars_of_figure(), "value": float("nan")}]), InputError, "not what it should be"),
    (lambda f: rewrite(f, recipe=[]), InputError, "not what it should be"),
    (lambda f: rewrite(f, options={"x": float("inf")}), InputError, "not what it should be"),
    (lambda f: rewrite(f, weights="abc"), InputError, "not what it should be"),
]


def vars_of_figure() -> dict[str, Any]:
    return {"what": "x", "value": 1.0, "n": 1, "low": None, "high": None}


@pytest.mark.parametrize("number", range(len(SPOILT)))
def test_what_is_spoilt_is_said_in_one_sentence(tmp_path: Path, number: int) -> None:
    made_checkpoint(tmp_path / "a")
    spoil, kind, words = SPOILT[number]
    spoil(tmp_path / "a")
    with pytest.raises(kind, match=words) as refused:
        load(tmp_path / "a")
    assert "\n" not in str(refused.value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_card_is_an_error_of_another_kind(found: Any) -> None:
    for part in MADE.as_json():
        changed = {**MADE.as_json(), "weights": "0" * 64, part: found}
        with contextlib.suppress(InputError):
            card_from(changed, "here")


def test_names() -> None:
    assert check_name("  été 7 ") == "été 7"
    for bad in ("", "  ", "x" * 101, "a\0", "a\nb"):
        with pytest.raises(InputError, match="1 to 100 characters"):
            check_name(bad)


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("a small disk can be mounted by root only")
    try:
        with pytest.raises(StorageError, match=r"The disk that holds .* is full"):
            save(disk / "a", MADE, {"w": torch.zeros(10**5)})
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_shelf_keeps_a_copy_and_mends_a_damaged_one(home: Path, tmp_path: Path) -> None:
    checkpoint = made_checkpoint(tmp_path / "a")
    place = keep(checkpoint)
    assert place == checkpoint.card.weights[:12]
    assert load(checkpoints_folder() / place).card == checkpoint.card
    assert checkpoints_folder() == home / "checkpoints"
    flip(checkpoints_folder() / place)
    (checkpoints_folder() / place / "more").write_text("")
    assert keep(checkpoint) == place
    assert load_file(checkpoints_folder() / place / WEIGHTS).keys() == load_file(tmp_path / "a" / WEIGHTS).keys()
    assert [file.name for file in checkpoints_folder().iterdir()] == [place]
    forget(place)
    forget(place)
    assert list(checkpoints_folder().iterdir()) == []
