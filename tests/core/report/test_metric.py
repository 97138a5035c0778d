"""A metric's report: assembled from every analysis, for any state of a study."""

import html
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.systems.order import order_sentence
from core.analysis.systems.ranking import over_systems
from core.analysis.verdict.few_stories import DISAGREED
from core.analysis.verdict.graded import graded
from core.analysis.verdict.sentences import Basis
from core.errors import InputError
from core.figures.style import NO_END
from core.metrics import METRICS
from core.report.files.html import report_html
from core.report.metric import MetricReport, ReportBasis, column_number, metric_report
from core.report.sections.every import NO_CLAIM, sections
from core.scores import OWN_REFERENCE, ScoreColumn, ScoreTable
from core.statistics.intervals import Estimate
from tests.core.analysis.verdict.sentences import cites
from tests.core.report.metric import SETTING, random_table


def about(report: MetricReport) -> set[Basis]:
    return {sentence.about for sentence in report.verdict}


def test_everything_of_one_metric() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    assert report.name == "bleu"
    assert [correlation.metric for correlation in report.among] == ["bleu", "weak"]
    assert report.correlation is report.among[0]
    assert len(report.table.columns) == 1
    assert [part.name for part in report.systems] == ["system 0", "system 1", "system 2"]
    assert [part.name for part in report.errors] == ["repetition", "logic"]
    assert report.limits.one_rater is not None
    assert report.limits.ceiling is not None
    (drift,) = [section for section in sections(report) if section.about is Basis.DRIFT]
    assert drift.words.endswith("Grey lines are of all stories: one human rater dashed, the ceiling dotted.")
    unknown = replace(report, limits=replace(report.limits, ceiling=None))
    (drift,) = [section for section in sections(unknown) if section.about is Basis.DRIFT]
    assert drift.words.endswith("Grey lines are of all stories: one human rater dashed.")
    assert about(report) == {Basis.CORRELATION, Basis.PARTIAL, Basis.RANK, Basis.ERROR_TYPES, Basis.SYSTEMS,
                             Basis.DRIFT, Basis.DIFFERENCE}  # fmt: skip
    shown = sections(report)
    assert [section.about for section in shown] == [
        Basis.CORRELATION, Basis.ERROR_TYPES, Basis.SYSTEMS, Basis.DRIFT, Basis.DIFFERENCE,
    ]  # fmt: skip
    assert all(drawn.rows() for section in shown for drawn in section.figures)
    keys = [drawn.key for section in shown for drawn in section.figures]
    assert len(set(keys)) == len(keys)


def test_a_metric_that_was_trained_on_the_study_is_in_no_test_of_another() -> None:
    table = random_table()
    third = replace(table.columns[1], metric="third", signature="third|v1", values=table.columns[1].values[::-1].copy())
    table = replace(table, columns=(*table.columns, third))
    setting = replace(SETTING, learnt=frozenset({"third|v1"}))
    report = metric_report(table, "bleu", setting)
    assert [test.b for test in report.tests] == ["weak"]
    left_out = "third is in no test: it was trained on stories of this study."
    assert report.untested == left_out
    assert report.tests[0].p_holm == report.tests[0].permutation_p
    rank = " ".join(sentence.text for sentence in report.verdict if sentence.about is Basis.RANK)
    assert "By r it is number 1 of 2 metrics; " in rank
    assert rank.endswith(left_out)
    assert sections(report)[0].tables[-1].note == (
        "“Higher by” takes r with its sign, also where it is below 0. p = 0.000999 means at most that: it is the least "
        f"that 1,000 permutations can show. {left_out}"
    )
    own = metric_report(table, "third", setting)
    assert own.tests == ()
    assert sections(own)[0].tables[-1].note == left_out
    rank = [sentence.text for sentence in own.verdict if sentence.about is Basis.RANK]
    assert rank[0].endswith("no test says which of these differences are more than chance.")
    assert rank[1] == left_out


def test_a_difference_over_fewer_stories_than_the_correlations_is_explained() -> None:
    table = random_table()
    values = table.columns[1].values.copy()
    values[::4] = np.nan
    fewer = replace(table, columns=(table.columns[0], replace(table.columns[1], values=values)))
    said = "“Higher by” is over the stories that both metrics score"
    assert said in sections(metric_report(fewer, "bleu", SETTING))[0].tables[-1].note
    assert said not in sections(metric_report(table, "bleu", SETTING))[0].tables[-1].note


def test_a_rated_story_that_is_its_own_reference_is_counted_and_said() -> None:
    """Of three such stories one has no rating."""
    table = random_table()
    values, human = table.columns[0].values.copy(), table.human.copy()
    values[:3], human[2] = np.nan, np.nan
    own = replace(table.columns[0], values=values, reasons=dict.fromkeys(range(3), OWN_REFERENCE))
    report = metric_report(replace(table, human=human, columns=(own, table.columns[1])), "bleu", SETTING)
    sentence = next(
        verdict_sentence.text for verdict_sentence in report.verdict if verdict_sentence.about is Basis.SAMPLE
    )
    assert "119 rated stories 117 have a score; the other 2 are left out (2 because a story that is its own" in sentence


def test_what_degenerate_stories_alone_make_of_the_best_metric_is_read_first() -> None:
    table = random_table()
    circling = np.arange(120) % 6 == 0
    texts = tuple("It went on and on again. " * 9 if one else "a story" for one in circling)
    best = np.where(circling, table.human - 20, -table.human)  # low on those, which are rated low here
    human = np.where(circling, 1.0, table.human)
    bleu, weak = table.columns
    fooled = replace(table, texts=texts, human=human, columns=(replace(bleu, values=best), weak))
    words = "But without the 20 stories that repeat themselves, all by system 0, "

    def doubt(metric: str, of: ScoreTable, setting: ReportBasis = SETTING) -> list[str]:
        return [one.text for one in metric_report(of, metric, setting).verdict if one.text.startswith(words)]

    (sentence,) = doubt("bleu", fooled)
    assert sentence.startswith(f"{words}bleu has r −1.00 (−1.00 to −1.00), and weak comes first, ")
    assert html.escape(sentence, quote=False) in report_html(metric_report(fooled, "bleu", SETTING))
    assert doubt("weak", fooled) == []  # its r keeps its sign
    # a metric that learnt from these stories may not come first
    learnt = replace(SETTING, learnt=frozenset({weak.signature}))
    assert doubt("bleu", fooled, learnt) == [f"{words}bleu has r −1.00 (−1.00 to −1.00)."]
    assert doubt("bleu", table) == []


def test_what_a_few_stories_move_out_of_the_interval_is_said_beside_one_rater_and_within_systems() -> None:
    table = random_table()
    circling = np.arange(120) % 6 == 0
    texts = tuple("It went on and on again. " * 9 if one else "a story" for one in circling)
    human = np.where(circling, 1.0, table.human)
    values = np.where(circling, 3.5, table.human)
    bleu = replace(table.columns[0], values=values)
    report = metric_report(replace(table, texts=texts, human=human, columns=(bleu, table.columns[1])), "bleu", SETTING)
    verdict = [one.text for one in report.verdict]
    without = "; but without the 20 stories that repeat themselves its r is 1.00 and one human rater's 0."
    assert any("one human rater" in one and without in one for one in verdict)
    (degenerate,) = [one for one in verdict if one.startswith("Of 120 scored stories 20 repeat themselves")]
    assert "without them its r with people is 1.00, 95 % interval 1.00 to 1.00, instead of 0." in degenerate
    assert ", and 1.00 within systems, 95 % interval 1.00 to 1.00." in degenerate


def test_length_that_the_corrected_tests_cannot_tell_from_it_is_not_beaten() -> None:
    table, bleu = random_table(), random_table().columns[0]
    lengths = (10 * (table.human + np.random.default_rng(2).normal(0, 1.0, 120)) + 60).astype(int)
    texts = tuple(" ".join(f"w{word}" for word in range(length)) for length in lengths)
    length = ScoreColumn("length", "file:aaaaaaaaaaaa", lengths.astype(float), {})
    alike = tuple(
        ScoreColumn(f"m{i}", f"file:{i}aaaaaaaaaaa", bleu.values + np.random.default_rng(i).normal(0, 0.3, 120), {})
        for i in range(5)
    )
    for columns, words in (((bleu, length, *alike), "A test of these two alone"), ((bleu, length), "Length goes with")):
        report = metric_report(replace(table, texts=texts, columns=columns), "bleu", SETTING)
        assert [one.text for one in report.verdict if one.about is Basis.PARTIAL][-1].startswith(words)


def test_degenerate_stories_are_counted_with_what_the_metric_makes_of_them() -> None:
    table = random_table()
    circles = tuple("It went on and on again. " * 9 if i % 6 == 0 else text for i, text in enumerate(table.texts))
    report = metric_report(replace(table, texts=circles), "bleu", SETTING)
    (sentence,) = [
        verdict_sentence for verdict_sentence in report.verdict if verdict_sentence.about is Basis.DEGENERATE
    ]
    assert sentence.text.startswith(
        "Of 120 scored stories 20 repeat themselves, all by system 0: the metric rates them "
    )
    assert sentence.caution == report.check_up.fooled
    section = sections(report)[-1]
    assert section.about is Basis.DEGENERATE
    assert [row["n"] for row in section.tables[0].rows] == [120, 20, 100]
    assert "It went on" not in report_html(report)


def test_the_verdict_says_how_it_orders_systems_where_something_is_claimed() -> None:
    report = metric_report(random_table(), "bleu", SETTING)
    (sentence,) = [one for one in report.verdict if one.text.startswith("Over the ")]
    assert sentence.text == order_sentence("bleu", over_systems(random_table(), 0))
    assert cites(sentence)
    assert sentence.text.replace("'", "&#39;") in report_html(report)


def test_the_same_seed_gives_the_same_report() -> None:
    item, two = (metric_report(random_table(), "bleu", SETTING) for _ in range(2))
    assert item.verdict == two.verdict


def test_imported_scores_have_no_card_and_say_so() -> None:
    imported = metric_report(random_table(), "bleu", SETTING)
    assert imported.card is None
    assert imported.origin.startswith("Imported")
    assert imported.signature == "file:0123456789ab"
    ours = metric_report(random_table(signature="bleu|v:1"), "bleu", SETTING)
    assert ours.card == METRICS["bleu"].card


def test_own_metrics_are_named_as_such() -> None:
    table = random_table()
    own = ScoreColumn("mine", "mine|file:abc|v:1", table.columns[0].values, {})
    table = ScoreTable(table.keys, table.prompts, table.systems, table.texts, table.human, (own,), table.ratings)
    report = metric_report(table, "mine", SETTING)
    assert "user's own" in report.origin
    assert report.errors == ()


def test_a_metric_by_name_or_signature() -> None:
    table = random_table()
    double = ScoreColumn("bleu", "bleu|references:mean|v:1", table.columns[0].values, {})
    table = ScoreTable(table.keys, table.prompts, table.systems, table.texts, table.human, (*table.columns, double))
    assert column_number(table, "bleu") == 0
    assert column_number(table, "bleu[references=mean]") == 2
    assert column_number(table, "bleu|references:mean|v:1") == 2
    with pytest.raises(InputError, match=r"'other'; it has bleu, weak, bleu\[references=mean\]"):
        column_number(table, "other")
    with pytest.raises(InputError, match="no scores yet"):
        column_number(ScoreTable((), (), (), (), np.empty(0), ()), "bleu")


@pytest.mark.parametrize("stories", [0, 1, 2, 3, 12, 29])
def test_few_stories_claim_nothing(stories: int) -> None:
    report = metric_report(random_table(stories), "bleu", SETTING)
    assert about(report) - {Basis.AGREEMENT} == {Basis.CORRELATION, Basis.SAMPLE}
    assert sections(report)


@pytest.mark.parametrize("prompts", [1, 3, 9])
def test_few_prompts_claim_nothing(prompts: int) -> None:
    report = metric_report(random_table(prompts=prompts), "bleu", SETTING)
    assert about(report) == {Basis.CORRELATION, Basis.SAMPLE}
    first = report.verdict[0]
    assert "nothing is claimed" in first.text
    assert "interval" not in first.text
    assert {name for name, _ in first.numbers} == {"r", "n"}


def test_where_ratings_do_not_agree_intervals_describe_and_nothing_is_claimed() -> None:
    table = random_table()
    noise = np.random.default_rng(0).integers(1, 6, table.ratings.shape).astype(float)
    report = metric_report(replace(table, ratings=noise, human=noise.mean(1)), "bleu", SETTING)
    assert report.reliability.disagree
    parts = sections(report)
    assert all(section.words.startswith(NO_CLAIM) for section in parts)
    shown = [row for table in parts[0].tables for row in table.rows]
    ps = ("p", "p by prompt", "p, Holm", "p < 0.01")
    assert {row[name] for row in shown for name in ps if name in row} == {None, ""}
    assert DISAGREED in parts[0].words
    (first, *_) = parts[0].tables[0].rows
    r = report.correlation.correlation.pearson
    assert first["Correlation"] == Estimate(r.value, r.low, r.high)
    systems = next(section for section in parts if section.about is Basis.SYSTEMS)
    for section in (parts[0], systems):
        drawn = section.figures[0].figure.data
        assert all(end != NO_END for trace in drawn for end in trace.error_x.array)


@pytest.mark.parametrize("prompts", [9, 40])
def test_of_few_prompts_values_alone_are_shown_and_files_have_all(prompts: int) -> None:
    table = random_table(prompts=prompts)
    report = metric_report(replace(table, criteria={"plot": table.human, "style": table.human}), "bleu", SETTING)
    tables = {table.name: table for section in sections(report) for table in section.tables}
    for name in ("Coefficients", "With systems and length held equal", "Beside the other metrics", "By criterion"):
        shown, data = (
            [cell for row in rows for cell in row.values() if isinstance(cell, Estimate) and cell.value is not None]
            for rows in (tables[name].rows, tables[name].data)
        )
        assert [cell.value for cell in shown] == [cell.value for cell in data]
        assert {cell.low is None for cell in shown} == {prompts < 10}
        assert {cell.low is None for cell in data} == {False}
    beside = [row["p, Holm"] is None for row in tables["Beside the other metrics"].rows]
    assert beside == [True, prompts < 10]  # the first row is its own
    drawn = sections(report)[0].figures[0].figure.data
    assert all((end == NO_END) == (prompts < 10) for trace in drawn for end in trace.error_x.array)


def test_a_criterion_on_which_ratings_do_not_agree_has_no_p() -> None:
    table = random_table(prompts=40)
    table = replace(table, criteria={"plot": table.human, "style": table.human})
    report = metric_report(table, "bleu", replace(SETTING, disagreed=("style",)))
    (section,) = (section for section in sections(report) if section.about is Basis.CRITERIA)
    plot, style = section.tables[0].rows
    assert (plot["p by prompt"] is None, style["p by prompt"] is None) == (False, True)
    assert "No p stands where nothing may be claimed: on style nothing shows that the ratings agree" in section.words
    (said,) = (sentence.text for sentence in report.verdict if sentence.about is Basis.CRITERIA)
    assert "nothing can be said of style, as nothing shows that the ratings agree with one another" in said


def test_undefined_scores_and_ratings() -> None:
    table = random_table()
    constant = ScoreColumn("bleu", "file:1", np.ones(120), {})
    missing = ScoreColumn("gaps", "file:2", np.where(np.arange(120) % 2, np.nan, table.columns[0].values), {})
    unrated = np.full(120, np.nan)
    for human, equal in ((table.human, False), (unrated, False), (np.full(120, 3.0), True)):
        changed = ScoreTable(
            table.keys, table.prompts, table.systems, table.texts, human, (constant, missing),
            np.full((120, 5), 3.0) if equal else np.full((120, 5), np.nan),
        )  # fmt: skip
        for metric in ("bleu", "gaps"):
            report = metric_report(changed, metric, SETTING)
            assert sections(report)
            if report.correlation.correlation.undefined:
                assert report.correlation.correlation.undefined in report.verdict[0].text
    half = metric_report(
        ScoreTable(table.keys, table.prompts, table.systems, table.texts, table.human, (missing,), table.ratings),
        "gaps",
        SETTING,
    )
    assert "Of 120 rated stories 60 have a score" in " ".join(sentence.text for sentence in half.verdict)


def test_one_system_one_prompt() -> None:
    report = metric_report(random_table(systems=1, prompts=1), "bleu", SETTING)
    assert Basis.SYSTEMS not in about(report)
    assert "fewer than 10 prompts nothing is claimed" in report.verdict[0].text


def test_what_it_adds_to_people_where_stories_are_unrated() -> None:
    table = random_table()
    assert metric_report(table, "bleu", SETTING).together == ()
    unrated = np.arange(len(table.human)) % 40 >= 20  # of whole prompts
    part = replace(table, human=np.where(unrated, np.nan, table.human))
    report = metric_report(part, "bleu", SETTING)
    assert [row.mean.n_unrated for row in report.together] == [20, 20, 20]
    section = next(section for section in sections(report) if section.about is Basis.TOGETHER)
    assert "narrows the interval of 3 of 3 systems" in section.words
    assert [row["System"] for row in section.tables[0].rows] == ["system 0", "system 1", "system 2"]
    assert all(drawn.rows() for drawn in section.figures)
    assert report_html(report)


def test_of_means_the_single_ratings_behind_them_are_asked_for() -> None:
    table = random_table()
    texts = tuple("word " * int(number) for number in np.random.default_rng(3).integers(5, 50, len(table.keys)))
    means = np.full(len(table.keys), 3, dtype=np.intp)
    table = replace(table, texts=texts, ratings=np.empty((len(table.keys), 0)), averaged=means)
    report = metric_report(table, "bleu", SETTING)
    assert report.graded.advice == "What could make it stronger: the single ratings behind the means."
    own = graded(table, 0, report.correlation.correlation, one_rater=None, disagree=False, resamples=200)
    assert own.advice == report.graded.advice
    compared = metric_report(replace(table, compared=True), "bleu", SETTING)
    assert "single ratings" not in compared.graded.advice
