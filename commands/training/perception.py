"""`train perception`: critics of a study's systems, and the Perception Scores that they give."""

from typing import Annotated, Any

import typer

from commands.jobs import run_here
from commands.json.perception import perception_report
from commands.terminal import JsonFile, StudyName, console, print_table, show
from core.checkpoints.kinds import Tuning
from core.errors import InputError
from core.people import TERMINAL
from core.settings import described
from core.stories import Source
from core.training.engine.recipe import Way
from core.training.perception.order import PerceptionOrder
from core.training.perception.scores import WAYS, PerceptionScore, perception_rows, reliability
from core.training.perception.settings import PENALISED, PerceptionPlan
from db.studies import story_texts, studies
from db.training import perceptions


def _option(kind: type, name: str, *flags: str) -> Any:
    """The option of a setting, with its bounds."""
    about = described(kind)[name][0]
    return typer.Option(*flags, help=about.help, min=about.least, max=about.most)


def perception(
    study: StudyName,
    system: Annotated[list[str] | None, typer.Option(help="A system; may be repeated. All, if left out.")] = None,
    conditional: Annotated[bool, _option(PerceptionPlan, "conditional")] = PerceptionPlan.conditional,
    references: Annotated[int, _option(PerceptionPlan, "references")] = PerceptionPlan.references,
    seeds: Annotated[int, _option(PerceptionPlan, "seeds")] = len(PerceptionPlan.seeds),
    epochs: Annotated[int, _option(PerceptionPlan, "epochs")] = PerceptionPlan.epochs,
    base: Annotated[str, _option(PerceptionOrder, "base")] = PerceptionOrder.base,
    tuning: Annotated[str, _option(PerceptionPlan, "tuning")] = PerceptionPlan.tuning.value,
    confidence: Annotated[float, _option(PerceptionPlan, "confidence")] = PerceptionPlan.confidence,
    penalty: Annotated[float, _option(PerceptionPlan, "penalty")] = PerceptionPlan.penalty,
    penalised: Annotated[Way, _option(PerceptionPlan, "penalised")] = Way.FABULA,
    passes: Annotated[int, _option(PerceptionPlan, "passes")] = PerceptionPlan.passes,
    words: Annotated[int, _option(PerceptionPlan, "words")] = PerceptionPlan.words,
    groups: Annotated[bool, _option(PerceptionOrder, "groups", "--groups")] = PerceptionOrder.groups,
    precision: Annotated[str, _option(PerceptionPlan, "precision")] = PerceptionPlan.precision,
    device: Annotated[str, _option(PerceptionOrder, "device")] = PerceptionOrder.device,
    json_file: JsonFile = None,
) -> None:
    """Train critics that tell a system's texts from references, and score the system by texts they have not seen."""
    chosen_study = studies.find(study)
    choices = described(PerceptionPlan)["tuning"][0].choices
    if tuning not in choices:
        raise InputError(f"--tuning is {' or '.join(choices)}, not {tuning!r}.")
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
