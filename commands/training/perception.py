"""`train perception`: critics of a study's systems, and the Perception Scores that they give."""

from typing import Annotated

import typer

from commands.jobs import run_here
from commands.json.perception import perception_report
from commands.terminal import JsonFile, StudyName, console, print_table, show
from core.checkpoints.kinds import Tuning
from core.errors import InputError
from core.models.catalogue import MINILM
from core.people import TERMINAL
from core.stories import Source
from core.training.engine.recipe import Way
from core.training.perception.order import PerceptionOrder
from core.training.perception.scores import WAYS, PerceptionScore, perception_rows, reliability
from core.training.perception.settings import EPOCHS, PENALISED, SEEDS, PerceptionPlan
from db.studies import story_texts, studies
from db.training import perceptions


def perception(
    study: StudyName,
    system: Annotated[list[str] | None, typer.Option(help="A system; may be repeated. All, if left out.")] = None,
    conditional: Annotated[
        bool, typer.Option(help="Texts after their contexts, or alone beside any reference.")
    ] = True,
    references: Annotated[int, typer.Option(min=1, help="Without contexts: references a text.")] = 4,
    seeds: Annotated[int, typer.Option(min=1, max=100, help="Critics a system, averaged.")] = SEEDS,
    epochs: Annotated[int, typer.Option(min=1, max=1000, help="How often a critic sees a pair.")] = EPOCHS,
    base: Annotated[
        str, typer.Option(help="What a critic stands on: a bundled model, a folder or a hub name.")
    ] = MINILM,
    tuning: Annotated[str, typer.Option(help="What of the base learns: adapter, or full.")] = Tuning.ADAPTER.value,
    confidence: Annotated[float, typer.Option(min=0.0, help="The paper's lambda, of -log c.")] = 0.5,
    penalty: Annotated[
        float, typer.Option(min=0.0, help="The paper's beta, of the gradient penalty; 0 for none.")
    ] = 0.1,
    penalised: Annotated[
        Way, typer.Option(help="The gradient penalty is taken on four pairs of a batch (fabula), or on all (paper).")
    ] = Way.FABULA,
    passes: Annotated[int, typer.Option(min=2, max=1000, help="With dropout, whose variance makes m.")] = 10,
    words: Annotated[int, typer.Option(min=0, help="Texts are cut within so many words; 0 for never.")] = 200,
    groups: Annotated[bool, typer.Option("--groups", help="Critics also judge the other systems' texts.")] = False,
    precision: Annotated[str, typer.Option(help="float32, or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    json_file: JsonFile = None,
) -> None:
    """Train critics that tell a system's texts from references, and score the system by texts they have not seen."""
    chosen_study = studies.find(study)
    if tuning not in (Tuning.ADAPTER, Tuning.FULL):
        raise InputError(f"--tuning is adapter or full, not {tuning!r}.")
    plan = PerceptionPlan(
        conditional=conditional,
        references=references,
        words=words,
        tuning=Tuning(tuning),
        confidence=confidence,
        penalty=penalty,
        penalised=PENALISED[penalised],
        passes=passes,
        seeds=tuple(range(seeds)),
        epochs=epochs,
        precision=precision,
    )
    plan.recipe(0)  # what is wrong must not leave a job behind
    records, _ = perceptions.records(TERMINAL, chosen_study.id)
    every = sorted({record.system for record in records if record.source is Source.SYSTEM})
    systems = tuple(dict.fromkeys(system or every))
    order = PerceptionOrder(chosen_study.id, story_texts.version(chosen_study.id), systems, base, device, groups, plan)
    perceptions.check(TERMINAL, order)
    result = run_here("perception", chosen_study.id, order.as_json())
    trained = perceptions.trained(TERMINAL, result["perception"])

    def table() -> None:
        rows = perception_rows(trained)
        lines = [
            [
                row["paper"].system,
                row["paper"].n,
                *(row[name].score.value for name in WAYS),
                _ends(row),
                row["paper"].spread,
            ]
            for row in rows
        ]
        columns = ["system", "tested", *WAYS, "95 % interval of paper", "spread of seeds"]
        print_table("Perception Scores: .5 is as good as the references", columns, lines)
        bins = [
            [
                reliability_bin.confidence,
                reliability_bin.right,
                f"{reliability_bin.low:.3f} … {reliability_bin.high:.3f}",
                reliability_bin.n,
            ]
            for reliability_bin in reliability(trained)
        ]
        print_table("Is a critic as right as it is sure?", ["mean c", "share right", "95 % interval", "pairs"], bins)
        for name, count in result["left_out"].items():
            console.print(f"{name}: {count:,} texts without a reference, or empty, were left out.", markup=False)
        for text in result["notices"]:
            console.print(text, markup=False)
        number = result["perception"]
        console.print(
            f"`systems --study {chosen_study.name} --training {number}` sets them beside people.", markup=False
        )

    show(perception_report(chosen_study.name, result["perception"], trained), json_file, table)


def _ends(row: dict[str, PerceptionScore]) -> str:
    return row["paper"].score.ends_text(".4f", to=" … ")
