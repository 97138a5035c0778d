"""The command `wording`: the wordings of judges that were tried on the development half, and two of them compared."""

from typing import Annotated, Any

import typer

from commands.json.judges import wordings_report
from commands.terminal import JsonFile, Seed, StudyName, TargetName, console, print_sentences, print_table, show
from core.analysis.judges.wordings import Wording, compare_wordings, wordings
from core.analysis.judgments.reliability import reliability
from core.analysis.significance.tests import PairTest, settings
from core.analysis.verdict.few_stories import DISAGREED, pair_if_claimed, prompts_of_half, wordings_if_claimed
from core.annotation.target import target_of
from core.errors import InputError
from core.judges.halves import Half
from core.statistics.intervals import Estimate
from db.scores import tables
from db.studies import halves, studies


def wording(
    study: StudyName,
    target: TargetName = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="NEW OLD", help="Two of them, by template (mine.2) or judge: the paired test."),
    ] = None,
    coefficient: Annotated[str, typer.Option(help="Of the test: pearson, spearman or kendall.")] = "pearson",
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap draws of whole prompts; 0 for none.")] = 1000,
    seed: Seed = 0,
    json_file: JsonFile = None,
) -> None:
    """The wordings that a study's judges were tried in on the development half of its prompts, how far each agrees with
    people there, and whether one of two agrees more.
    """
    found = studies.find(study)
    if found.scheme.unit.of_pairs:
        raise InputError(f"{found.name!r} asks which of two stories is better; a judge rates single ones.")
    chosen = target_of(found.scheme, target)
    table = tables.table(found.id, target=chosen)
    held_out = halves.prompts(found.id, Half.HELD_OUT)
    tried = wordings(table, chosen.criteria, held_out, seed=seed, resamples=resamples)
    if not tried.rows:
        raise InputError(
            f"No judge has been asked about {chosen.title} on the development half of {found.name!r}: run one with "
            "`score --metric judge`, one of your own wording with `--half development`."
        )
    pair = None
    if compare:
        new, old = (tried.named(name) for name in compare)
        if new is old:
            raise InputError(f"{compare[0]} and {compare[1]} are one wording: name two.")
        asked = settings(coefficient, 2, resamples=resamples, seed=seed)
        pair = compare_wordings(table, new, old, held_out, asked)
    sizes = {half.value: len(halves.prompts(found.id, half)) for half in Half}

    def printed() -> None:
        drawn, too_few = wordings_if_claimed(tried.rows, table, held_out)
        agreed = not reliability(table, seed=seed).disagree
        if found.demonstration:
            console.print("These ratings are demonstration data.")
        print_table(
            f"{chosen.title}: agreement with people on the development half",
            ["wording", "way", "model", "n", "Pearson's r", "Spearman's rho", "held out", "judge"],
            [_line(row) for row in drawn],
        )
        print_sentences([f"{tried.tried.text}, on {sizes[Half.DEVELOPMENT]:,} of {sum(sizes.values()):,} prompts."])
        if pair:
            of_both = prompts_of_half(table, held_out, *(tried.named(name) for name in compare or ()))
            print_sentences([_sentence(pair_if_claimed(pair, of_both, agreed=agreed), coefficient)])
        print_sentences([why for why in ("" if agreed else DISAGREED, too_few) if why])

    show(wordings_report(found, chosen, tried, pair, sizes, coefficient, seed, resamples), json_file, printed)


def _line(row: Wording) -> list[Any]:
    of = row.correlation
    cells = [of.undefined or cell.text(to=" … ") for cell in (of.pearson, of.spearman)]
    return [row.asked.template, row.asked.way, row.asked.model, of.n, *cells, row.held_out, row.judge.name]


def _sentence(pair: PairTest, coefficient: str) -> str:
    if pair.difference is None:
        return f"{pair.a} and {pair.b} cannot be compared: {pair.undefined}."
    difference = Estimate(pair.difference, pair.low, pair.high).text(to=" … ")
    p = "" if pair.permutation_p is None else f", permutation p {pair.permutation_p:.4f}"
    williams = "" if pair.williams_p is None else f", Williams' p {pair.williams_p:.4f}"
    why = f" ({pair.undefined})" if pair.undefined else ""
    return f"{pair.a} less {pair.b}, {coefficient}, over {pair.n:,} stories: {difference}{p}{williams}{why}."
