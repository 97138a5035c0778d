"""What a training costs, said before: sizes, times and bytes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.checkpoints import tensors
from core.checkpoints.kinds import RANK, Tuning
from core.durations import Expected, ShownSpeed
from core.errors import InputError
from core.models.catalogue import MINILM, ModelRole, locate
from core.models.heads.union import UnionHead
from core.models.heads.union_published import PublishedUnion
from core.models.shape import check_layers, shape_of
from core.models.trunk import TunableTrunk
from core.training.engine.cost import LOADING, parts, seconds
from core.training.engine.recipe import Way
from core.training.engine.stories import StorySet, save_upload
from core.training.registry import settings_from
from core.training.union.estimate import check_sizes, size_of
from core.training.union.settings import UnionSettings, checkpoint_bytes

ORDER = UnionSettings("x", (StorySet("s", upload="u"),), base=MINILM, layers=(2, 3), epochs=3)
STORY = "It rained all day. The dog slept."


def test_sizes_are_of_different_stories_that_can_be_made_worse() -> None:
    size = size_of([STORY, STORY, "One sentence.", "", "It ran. " * 200], 10)
    assert (size.stories, size.pairs, size.characters) == (4, 2, len(STORY) + 60)
    assert size_of(["It ran. " * 200], 0).characters == 1600
    with pytest.raises(InputError, match="s: UNION is trained on 10 stories at least"):
        check_sizes({"s": size})
    with pytest.raises(InputError, match="Choose stories to train on"):
        check_sizes({})


def test_times_are_at_the_speeds_that_were_shown() -> None:
    work = ORDER.works(1000, 20)
    assert [item.characters for item in work] == [1000, 2000, 6000]
    assert seconds(work, {}).most is None
    assert seconds(work, {}).least > LOADING
    shown = {item.key: ShownSpeed(100.0, 50.0, 100.0) for item in work}
    assert seconds(work, shown) == Expected(90.0, 180.0 + LOADING)
    said = parts(work, {work[0].key: ShownSpeed(100.0, 50.0, 100.0)})
    assert said.startswith("Of that, about 10 s making negatives, 0 s reading stories (once, whatever the epochs), ")
    assert parts(replace(ORDER, epochs=300).works(1000, 20), {}).endswith(", 10 s training, 15 s loading the base.")
    longer = ORDER.works(50_000, 20)
    guessed = re.findall(r"([0-9]+) s ", parts(longer, {}))
    assert sum(map(int, guessed)) == pytest.approx(seconds(longer, {}).least, abs=2)
    assert parts(work, shown).endswith(", up to 15 s loading the base.")
    assert parts(work[:1], {}) == ""
    others = (replace(ORDER, precision="bfloat16"), replace(ORDER, reconstruction=0.0), replace(ORDER, base=""))
    assert all(seconds(other.works(1000, 20), shown).most is None for other in others)
    assert [item.phase for item in replace(ORDER, tuning=Tuning.FULL).works(1000, 20)] == ["negatives", "training"]


@pytest.mark.parametrize("tuning", list(Tuning))
def test_bytes_are_about_those_of_the_file(tmp_path: Path, tuning: Tuning) -> None:
    source = locate(MINILM, ModelRole.BASE)
    shape = shape_of(source)
    weights = dict(UnionHead(2, shape.width).state_dict())
    if tuning is not Tuning.FROZEN:
        base = TunableTrunk(source, (2, 3), RANK if tuning is Tuning.ADAPTER else 0)
        weights |= {f"base.{name}": tensor for name, tensor in base.learnt().items()}
    halves = {name: (weight.half() if weight.ndim > 1 else weight).contiguous() for name, weight in weights.items()}
    tensors.write(tmp_path / "file", halves)
    told = checkpoint_bytes(replace(ORDER, tuning=tuning), shape, (2, 3), 0)
    assert told == pytest.approx((tmp_path / "file").stat().st_size, rel=0.05)


def test_the_papers_recipe_counts_steps_of_ten_texts() -> None:
    paper = replace(ORDER, recipe=Way.PAPER, steps=100)
    work = paper.works(1000, 25)
    assert [item.phase for item in work] == ["negatives", "training"]
    assert work[1].characters == 40_000  # 1,000 texts of 40 characters each
    assert "recipe" not in ORDER.as_json()  # as those of before there was a choice
    assert settings_from(paper.as_json()) == paper


@pytest.mark.parametrize("weight", [0.1, 0.0])
def test_bytes_of_the_papers_recipe(tmp_path: Path, weight: float) -> None:
    source = locate(MINILM, ModelRole.BASE)
    shape = shape_of(source)
    weights = dict(PublishedUnion(shape.width, shape.vocabulary if weight else 0).state_dict())
    weights |= {f"base.{name}": tensor for name, tensor in TunableTrunk(source, (6,), 0).learnt().items()}
    halves = {name: (item.half() if item.ndim > 1 else item).contiguous() for name, item in weights.items()}
    tensors.write(tmp_path / "file", halves)
    told = checkpoint_bytes(replace(ORDER, recipe=Way.PAPER, reconstruction=weight), shape, (6,), 0)
    assert told == pytest.approx((tmp_path / "file").stat().st_size, rel=0.05)


def test_layers_are_checked_without_loading() -> None:
    source = locate(MINILM, ModelRole.BASE)
    check_layers(source, (1, 6))
    for wrong in (0, 7):
        with pytest.raises(InputError, match=f"has the layers 1 to 6; there is no layer {wrong}"):
            check_layers(source, (wrong, 3))


def test_an_order_comes_back_equal_and_has_a_folder_of_its_own(home: Path) -> None:
    assert settings_from(ORDER.as_json()) == ORDER
    assert ORDER.folder == replace(ORDER).folder != replace(ORDER, seed=1).folder
    save_upload(ORDER.folder, [STORY])
    ORDER.discard()
    ORDER.discard()
    assert not ORDER.folder.exists()
