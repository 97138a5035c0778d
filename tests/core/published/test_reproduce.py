"""The papers' numbers from the released data."""

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest

from core.analysis.judgments.judged_story import Rating
from core.errors import InputError
from core.metrics.bleu import Bleu
from core.published import union
from core.published.catalogue import TABLES
from core.published.comparison import CellState
from core.published.reasons import Why
from core.published.reproduce import (
    PAPERS,
    Reproduced,
    judged_stories,
    reproduce,
    reproduce_mans,
    reproduce_union,
    summary_lines,
)
from core.stories import Corpus, RatingRecord, StoryRecord


def copied(source: Path, folder: Path) -> Path:
    """A copy that may be changed, of a folder that may not."""
    target = folder / source.name
    for file in source.rglob("*"):
        if file.is_file():
            (target / file.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target / file.relative_to(source))
    return target


def of_union(folder: Path) -> list[Reproduced]:
    """The cells that UNION's files give."""
    return [row for row in reproduce_union(folder) if row.ours is not None]


def of_mans(folder: Path) -> list[Reproduced]:
    """The cells that MANS' files give, not what Fabula has without them."""
    return [row for row in reproduce_mans(folder) if row.ours is not None and row.table not in OWN]


OWN = {f"OpenMEVA (2021) Table {number}" for number in (1, 2, 8, 9, 12, 13)}


def test_union_is_reproduced_to_the_last_digit(shared: Path) -> None:
    """All of Tables 2 and 5; what does not follow from the released scores has a reason."""
    every = reproduce_union(shared)
    rows = [row for row in every if row.ours is not None]
    assert Counter(row.table for row in rows) == {
        "UNION (2020) Table 5": 60,
        "UNION (2020) Table 2": 5,
        "UNION (2020) section 3.1": 5,
        "UNION (2020) Table 4": 2,
        "UNION (2020) Table 7": 11,
    }
    assert len(every) == sum(bool(cell) for table in union.TABLES for cells in table.rows.values() for cell in cells)
    cells = {(row.table.removeprefix("UNION (2020) "), row.row, row.column): row for row in rows}
    apart = {key: row for key, row in cells.items() if not row.agrees}
    assert set(apart) == {
        ("section 3.1", "between error types", "largest spearman"),
        *(("Table 7", "union", name) for name in union.ERROR_TYPES.values() if name != "other"),
    }
    assert all(row.reason for row in apart.values())
    assert {row.kind for row in apart.values()} == {Why.DOES_NOT_FOLLOW}
    assert not any(row.reason for key, row in cells.items() if key not in apart)
    best = cells["Table 5", "union", "roc pearson"]
    assert best.published == 0.3687
    assert best.ours == pytest.approx(0.3687, abs=5e-5)
    assert best.ours != best.published
    assert cells["Table 5", "ppl", "wp kendall"].published == -0.0345
    share = cells["Table 2", "repeated plot", "share"]
    assert (share.published, share.ours) == (0.441, pytest.approx(0.4409, abs=5e-5))


def test_union_by_error_type(shared: Path) -> None:
    """The sets of section 4.5, and what the released scores give on them beside what is printed."""
    rows = {(row.row, row.column): row for row in reproduce_union(shared) if row.table.endswith("Table 7")}
    sizes = {column: row.ours for (name, column), row in rows.items() if name == "stories"}
    assert all(row.kind is Why.NOT_RELEASED for (name, _), row in rows.items() if name.startswith("-"))
    assert list(sizes.values()) == [400, 19, 24, 38, 61, 23]
    ours = [row.ours for (name, _), row in rows.items() if name == "union"]
    assert ours == pytest.approx([0.3687, 0.5564, 0.4441, 0.3862, 0.6208], abs=5e-5)
    assert [row.published for (name, _), row in rows.items() if name == "union"] == [
        *(0.3687, 0.6943, 0.5144, 0.4571, 0.6744)
    ]


def test_union_error_types_among_each_other(shared: Path) -> None:
    row = next(row for row in reproduce_union(shared) if row.column == "largest spearman")
    assert row.ours == pytest.approx(-0.184, abs=5e-4)
    assert "-.184 (p = .0003)" in row.reason


def test_one_folder_gives_its_own_rows(shared: Path) -> None:
    assert len(of_union(shared / "union-roc")) == 52
    wp = of_union(shared / "union-wp")
    assert len(wp) == 31
    assert {row.column for row in wp} == {"wp pearson", "wp spearman", "wp kendall", "wp test"}


def test_a_copy_under_another_name_is_known_by_its_size(shared: Path, tmp_path: Path) -> None:
    for name, number, agreeing in (("union-roc", 52, 47), ("union-wp", 31, 31)):
        folder = copied(shared / name, tmp_path).rename(tmp_path / f"annotations {number}")
        rows = of_union(folder)
        assert len(rows) == number
        assert sum(row.agrees for row in rows) == agreeing


@pytest.mark.parametrize("name", ["processed", "wp of others", "union-roc"])
def test_stories_are_known_by_their_number_before_their_folder(shared: Path, tmp_path: Path, name: str) -> None:
    """`processed` has `roc` in it, and is no folder of ROC's for that."""
    wp = of_union(copied(shared / "union-wp", tmp_path).rename(tmp_path / name))
    assert len(wp) == sum(row.agrees for row in wp) == 31


def test_another_number_of_stories_goes_by_the_folder(shared: Path, tmp_path: Path) -> None:
    """Five votes a story, or half of the stories: only a name says which table they belong beside."""
    folder = copied(shared / "union-wp", tmp_path)
    for file in (folder / "ant_data.txt", folder / "ant_data_all.txt"):
        lines = file.read_text(encoding="utf-8").splitlines()
        file.write_text("".join(f"{line.rsplit(' ', 2)[0]}\n" for line in lines), encoding="utf-8")
    rows = of_union(folder)
    assert {row.column.split()[0] for row in rows} == {"wp"}
    assert sum(not row.agrees for row in rows) > 0
    with pytest.raises(InputError, match="holds 200 stories; the released sets are 400 of ROC and 200 of WP"):
        reproduce_union(folder.rename(tmp_path / "others"))


@pytest.mark.slow
def test_rows_say_what_they_are_made_of(shared: Path) -> None:
    """Stories and the scores' signature; a computed metric has its own."""
    first = next(row for row in of_union(shared / "union-wp") if row.table.endswith("Table 5"))
    assert (first.n, first.signature[:5]) == (200, "file:")
    rows = {(row.table[-8:], row.row): row for row in of_mans(shared)}
    assert (rows["Table 11", "bleu (computed)"].n, rows["Table 11", "ppl (P) (released scores)"].n) == (1000, 1000)
    assert rows["Table 11", "bleu (computed)"].signature == Bleu().signature
    assert rows["Table 11", "ppl (P) (released scores)"].signature.endswith("|negated")
    assert rows["Table 10", "unique inputs"].signature == ""


def test_another_vote_gives_other_numbers(shared: Path, tmp_path: Path) -> None:
    """The numbers come from the files: one story's seven votes turned round show in every row of Table 5."""
    folder = copied(shared / "union-roc", tmp_path)
    before = {(row.table, row.row, row.column): row for row in of_union(folder)}
    file = folder / "ant_data.txt"
    lines = file.read_text(encoding="utf-8").split("\n")
    story, _, votes = lines[0].rpartition("|||")
    assert votes.split() == ["0"] * 7
    lines[0] = f"{story}||| 1 1 1 1 1 1 1"
    file.write_text("\n".join(lines), encoding="utf-8", newline="")
    after = {(row.table, row.row, row.column): row for row in of_union(folder)}
    table_5 = [key for key, row in before.items() if row.table.endswith("Table 5")]
    assert len(table_5) == 30
    assert all(after[key].ours != before[key].ours for key in table_5)
    assert all(after[key].published == before[key].published for key in table_5)
    assert sum(not after[key].agrees for key in table_5) > 20


def test_a_missing_star_disagrees(shared: Path, tmp_path: Path) -> None:
    """Scores of noise: no row of that metric agrees, the others still do."""
    folder = copied(shared / "union-roc", tmp_path)
    (folder / "metric_output" / "union.txt").write_text("".join(f"{i * 7919 % 400}\n" for i in range(400)))
    rows = [row for row in of_union(folder) if row.table.endswith("Table 5")]
    assert {row.row for row in rows if not row.agrees} == {"union"}


def test_mans_is_reproduced_but_for_meteor(shared: Path) -> None:
    """The released METEOR scores are of another version than the paper's."""
    rows = of_mans(shared)
    assert Counter(row.table.removeprefix("OpenMEVA (2021) ") for row in rows) == {
        "Table 11": 7,
        "appendix A.3": 1,
        "Table 3": 5,
        "Table 10": 6,
        "Figure 2": 1,
    }
    assert [row.row for row in rows if not row.agrees] == [
        *("average reference tokens", "average story tokens", "meteor (released scores)"),
    ]
    figure = next(row for row in rows if row.table.endswith("Figure 2"))
    assert (figure.row, figure.published) == ("bertscore-f1 (released scores)", 0.31)
    assert (figure.low, figure.ours, figure.high) == (
        pytest.approx(0.252, abs=0.02), pytest.approx(0.320, abs=0.01), pytest.approx(0.390, abs=0.02),
    )  # fmt: skip
    assert [bool(row.reason) for row in rows] == [not row.agrees for row in rows]
    assert rows == of_mans(shared / "mans-roc")
    numbers = {row.row: row.ours for row in rows}
    assert numbers["bleu (computed)"] == pytest.approx(-0.0239, abs=5e-5)
    assert numbers["rouge-l (computed)"] == pytest.approx(0.0188, abs=5e-5)  # our own, and called so
    assert numbers["alpha (interval)"] == pytest.approx(0.77, abs=5e-3)
    assert numbers["reasonable stories"] == 46
    assert numbers["unique inputs"] == 200


def test_another_rating_gives_other_numbers(shared: Path, tmp_path: Path) -> None:
    folder = copied(shared / "mans-roc", tmp_path)
    file = folder / "mans_roc.json"
    data = json.loads(file.read_text(encoding="utf-8"))
    for entry in list(data.values())[:20]:
        entry["gen"]["s2s"]["score"] = [5, 5, 5, 5, 5]
    file.write_text(json.dumps(data), encoding="utf-8")
    rows = {row.row: row for row in of_mans(tmp_path)}
    assert not rows["bleu (computed)"].agrees
    assert not rows["reasonable stories"].agrees
    assert (rows["reasonable stories"].ours or 0) >= 60


@pytest.mark.slow
def test_mans_of_the_other_corpus_goes_beside_its_own_columns(shared: Path, tmp_path: Path) -> None:
    """Without a file of scores BLEU alone is compared, with one whatever it holds."""
    folder = tmp_path / "mans-wp"
    folder.mkdir()
    shutil.copyfile(shared / "mans-roc" / "mans_roc.json", folder / "mans_wp.json")
    rows = of_mans(tmp_path)
    assert {(row.row, row.column, row.published) for row in rows if row.table.endswith("Table 11")} == {
        ("bleu (computed)", "wp pearson", -0.0537),
        ("rouge-l (computed)", "wp pearson", -0.0107),
    }
    assert next(row for row in rows if row.row == "reasonable stories").published == 35
    shutil.copyfile(shared / "mans-roc" / "openmeva_roc_metric_scores.json", folder / "openmeva_wp_metric_scores.json")
    assert len(of_mans(tmp_path)) == 20
    shutil.copytree(shared / "mans-roc", tmp_path / "mans-roc")
    assert len(of_mans(tmp_path)) == 40


@pytest.mark.parametrize("reproduce", [reproduce_union, reproduce_mans])
def test_a_folder_that_is_not_there(reproduce: object, tmp_path: Path) -> None:
    assert callable(reproduce)
    with pytest.raises(InputError, match=r"none is not a folder\."):
        reproduce(tmp_path / "none")


def test_a_folder_without_the_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no ant_data\.txt, nor do its folders union-roc and union-wp\."):
        reproduce_union(tmp_path)
    with pytest.raises(InputError, match=r"holds no mans_roc\.json and no mans_wp\.json, nor do its folders"):
        of_mans(tmp_path)


def test_a_folder_without_the_scores(union_folder: Path) -> None:
    with pytest.raises(InputError, match=r"metric_output/moverscore\.txt is missing: Table 5 cannot be computed"):
        reproduce_union(union_folder)


def mans_folder(folder: Path, released: str | None) -> Path:
    gen = {"s2s": {"text": "we got wet .", "score": [1, 2]}}
    data = {"7": {"prompt": "it rained .", "gold_response": "we stayed in .", "gen": gen}}
    (folder / "mans_roc.json").write_text(json.dumps(data), encoding="utf-8")
    if released is not None:
        (folder / "openmeva_roc_metric_scores.json").write_text(released, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("released", "message"),
    [
        (None, r"There is no file .*openmeva_roc_metric_scores\.json"),
        ("{", r"openmeva_roc_metric_scores\.json is not the released score file: JSONDecodeError"),
        ("3", r"openmeva_roc_metric_scores\.json is not the released score file: TypeError"),
        ('[{"gen": {"s2s": {"score": {}}}}]', "is not the released score file: KeyError 'doc_id'"),
        ('[{"doc_id": 7, "gen": {"s2s": {}}}]', "is not the released score file: KeyError 'score'"),
        ('[{"doc_id": 7, "gen": []}]', "is not the released score file: AttributeError"),
        pytest.param(
            '[{"doc_id": 7, "gen": {"s2s": {"score": 3}}}]',
            "is not the released score file",
        ),
    ],
)
def test_bad_released_scores(tmp_path: Path, released: str | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        reproduce_mans(mans_folder(tmp_path, released))


def test_a_study_too_small_agrees_with_nothing_but_is_no_error(tmp_path: Path) -> None:
    rows = reproduce_mans(mans_folder(tmp_path, '[{"doc_id": "7", "gen": {"s2s": {"score": {"meteor": 1}}}}]'))
    bleu = next(row for row in rows if row.table.endswith("Table 11") and row.row == "BLEU" and "roc" in row.column)
    assert (bleu.published, bleu.ours, bleu.agrees, bleu.n, bleu.kind) == (-0.0239, None, False, 1, Why.NOT_YET)
    assert bleu.reason == "Undefined: only 1 story has both a score and a rating; 3 are needed."
    assert not any(row.agrees for row in rows if row.table not in OWN)
    assert all(row.reason for row in rows if not row.agrees)


@pytest.mark.slow
def test_every_table_of_the_papers_is_listed(shared: Path) -> None:
    """Each cell that is printed once: agreeing, differing, or with a reason of one of four kinds."""
    rows = reproduce("all", shared)
    tables = summary_lines("all", rows)
    assert [item.table for item in tables] == [table.name for table in TABLES]
    for counted, table in zip(tables, TABLES, strict=True):
        printed = sum(bool(cell.strip("-")) for cells in table.rows.values() for cell in cells)
        assert counted.cells == printed
        assert counted.agrees + counted.differs + sum(counted.reasons.values()) == counted.cells
    for row in rows:
        assert bool(row.reason) == (row.kind is not None) == (not row.agrees), row
        assert row.agrees <= (row.ours is not None)
    assert sum(row.agrees for row in rows) == 161 + 2_592


@pytest.mark.slow
def test_hanna_is_reproduced_whole(shared: Path, tmp_path: Path) -> None:
    rows = reproduce("hanna", shared / "hanna")
    assert len(rows) == sum(row.agrees for row in rows) == 2_592
    assert {row.column for row in rows if row.row == "BLEU"} >= {"prompt coherence pearson", "system empathy kendall"}
    with pytest.raises(InputError, match=r"holds no hanna\.jsonl"):
        reproduce("hanna", tmp_path)


def test_papers_whose_data_was_not_released_need_no_folder() -> None:
    for name in ("perception", "naturalness"):
        rows = reproduce(name)
        assert {row.table for row in rows} == {table.name for table in PAPERS[name] if table.rows}
        assert all(row.reason and row.ours is None for row in rows)
    with pytest.raises(InputError, match="reproduce mans takes --data"):
        reproduce("mans")
    with pytest.raises(InputError, match="choose union, mans, perception, naturalness, hanna or all"):
        reproduce("gltr")


def test_judged_stories_keep_the_order_of_the_ratings() -> None:
    stories = tuple(
        StoryRecord(key, f"p{key}", "", "text", system=system) for key, system in (("1", "gpt"), ("2", ""), ("3", "x"))
    )
    ratings = (RatingRecord("2", "r", 1.0, (("other", 0),)), RatingRecord("1", "r", 0.0), RatingRecord("2", "s", 0.0))
    result = judged_stories(Corpus("union", stories, ratings))
    assert list(result) == ["2", "1"]
    assert (result["2"].prompt, result["2"].group, result["1"].group) == ("p2", "unknown", "gpt")
    assert result["2"].ratings == (Rating(1.0, frozenset({"other"})), Rating(0.0))


def test_lengths_of_prompts_and_references_are_counted(shared: Path) -> None:
    """Table 10 whole, of ROC: inputs agree, though the tokenizer is another; WP's are another file's."""
    rows = {(row.row, row.column): row for row in reproduce_mans(shared) if row.table.endswith("Table 10")}
    inputs, references = rows["average input tokens", "roc"], rows["average reference tokens", "roc"]
    assert (round(inputs.ours or 0, 2), inputs.agrees, inputs.reason) == (9.26, True, "")
    assert (round(references.ours or 0, 2), references.kind) == (39.51, Why.OTHER_MODEL)
    assert rows["average input tokens", "wp"].kind is Why.NOT_YET


def test_sizes_are_counted_where_the_files_are(tmp_path: Path) -> None:
    """Perception Score's Table 4: lines below the head, in the folder or in its folder cloze; 1,871 are printed."""
    (tmp_path / "cloze").mkdir()
    for name, stories in (("cloze_val_spring2016.tsv", 1871), ("cloze_test_spring2016.tsv", 5)):
        (tmp_path / "cloze" / name).write_text("head\n" + "a\tstory\n" * stories + "\n", encoding="utf-8")
    cells = {row.column: row for row in reproduce("perception", tmp_path) if row.row == "ROCStories"}
    assert (cells["Dev"].ours, cells["Dev"].agrees, cells["Dev"].reason) == (1871, True, "")
    assert (cells["Test"].ours, cells["Test"].state, bool(cells["Test"].reason)) == (5, CellState.DIFFERS, True)
    assert (cells["Train"].ours, cells["Train"].kind) == (None, Why.NOT_YET)
    without = {row.column: row for row in reproduce("perception") if row.row == "ROCStories"}
    assert "reproduce perception --data" in without["Dev"].reason
