"""`endpoint`: where a study's texts may be sent to be judged or read, and what that would cost."""

from typing import Annotated, Any

import typer

from commands.terminal import JsonFile, StudyName, console, pairs, print_table, show
from core.errors import InputError
from core.formats.plain_json import plain
from core.judges.backends.cost import Prices, estimate_stories
from core.judges.backends.endpoint import Endpoint
from core.judges.backends.key import KEY
from core.people import TERMINAL
from core.settings import described
from db.judges import consent
from db.scores import pair_verdicts, scores
from db.studies import studies

app = typer.Typer(
    help=f"Models on an OpenAI-compatible server, whose key is in {KEY}: who agreed to it, and what it costs.",
    no_args_is_help=True,
)
OFFERED = ("concurrency", "most_tokens", "requests_a_minute", "prompt_price", "reply_price", "cap", "patience", "start")
"""Settings besides address and model; how replies are drawn is an option of the judge's."""
Address = Annotated[
    str, typer.Option("--endpoint", metavar="URL", help="Base address, such as http://localhost:8000/v1.")
]

EndpointOption = Annotated[
    str | None,
    typer.Option(
        "--endpoint", metavar="URL", help="Judges and language models run on the server of this base address."
    ),
]
EndpointModel = Annotated[
    str | None, typer.Option("--endpoint-model", metavar="NAME", help="The model, as the endpoint calls it.")
]
EndpointSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--endpoint-setting", metavar="KEY=VALUE", help="concurrency, most_tokens, cap, start … of the endpoint."
    ),
]


def judge_settings(address: str | None, model: str | None, given: list[str] | None) -> dict[str, Any]:
    """What a run keeps of where its models are asked; nothing where that is this machine."""
    if address is None:
        if model or given:
            raise InputError("Name the endpoint's base address too, with --endpoint.")
        return {}
    settings: dict[str, Any] = {"address": address, "model": model or ""}
    kinds = {name: kind for name, (_, kind, _) in described(Endpoint).items() if name in OFFERED}
    for name, text in pairs(given, "--endpoint-setting").items():
        if name not in kinds:
            raise InputError(f"An endpoint has no setting {name!r}; there are {', '.join(OFFERED)}.")
        try:
            settings[name] = kinds[name](text)
        except ValueError:
            raise InputError(f"--endpoint-setting {name} is a number, not {text!r}.") from None
    return {"judge": {"endpoint": Endpoint.from_settings(settings).as_settings()}}


@app.command("allow")
def allow(study: StudyName, endpoint: Address, json_file: JsonFile = None) -> None:
    """Agree that the study's prompts and stories are sent to this address to be judged."""
    address = consent.give(TERMINAL, studies.find(study).id, endpoint)
    _say(study, address, True, f"Prompts and stories of {study} may be sent to {address} now.", json_file)


@app.command("withdraw")
def withdraw(study: StudyName, endpoint: Address, json_file: JsonFile = None) -> None:
    """Take that back: nothing more is sent there. What was replied is kept."""
    address = consent.withdraw(TERMINAL, studies.find(study).id, endpoint)
    _say(study, address, False, f"Nothing of {study} is sent to {address} any more.", json_file)


def _say(study: str, address: str, allowed: bool, sentence: str, json_file: str | None) -> None:
    result = {"study": study, "endpoint": address, "allowed": allowed}
    show(result, json_file, lambda: console.print(sentence, markup=False, soft_wrap=True))


@app.command("list")
def list_addresses(study: StudyName, json_file: JsonFile = None) -> None:
    """List the addresses that the study's texts may be sent to."""
    given = consent.given(TERMINAL, studies.find(study).id)
    rows = [{"endpoint": row.address, "by": row.by, "at": row.at.isoformat(timespec="seconds")} for row in given]

    def table() -> None:
        cells = [[row["endpoint"], "terminal" if row["by"] is None else row["by"], row["at"]] for row in rows]
        print_table("", ["endpoint", "agreed by person", "at (UTC)"], cells)

    show({"study": study, "rows": rows}, json_file, table)


@app.command("estimate")
def estimate(
    study: StudyName,
    times: Annotated[
        int, typer.Option(help="Requests a story, criteria times samples; of pairs, samples in either order.", min=1)
    ] = 1,
    instructions: Annotated[int, typer.Option(help="Characters of instructions and opening.", min=0)] = 3000,
    most_tokens: Annotated[int, typer.Option(help="The longest reply.", min=1)] = 1024,
    prompt_price: Annotated[float, typer.Option(help="Of a million tokens read.", min=0)] = 0.0,
    reply_price: Annotated[float, typer.Option(help="Of a million tokens written.", min=0)] = 0.0,
    json_file: JsonFile = None,
) -> None:
    """Say what judging all of the study's stories takes at most, of a study of pairs all pairs that people compared, in
    both orders. Nothing is sent.
    """
    found_study = studies.find(study)
    if found_study.scheme.unit.of_pairs:
        pairs_left = pair_verdicts.pending(found_study.id, None)
        what, number, shown = "pairs", len(pairs_left), 2 * len(pairs_left)
        characters = pair_verdicts.characters(pairs_left)
    else:
        (every,) = scores.count_pending(found_study.id, [[]], scores.sources(found_study.id))
        characters, number = every.characters, every.texts
        what, shown = "stories", number
    if not number:
        raise InputError(f"{study} has no {what} to judge.")
    found = estimate_stories(
        shown,
        characters,
        times=times,
        instructions=instructions,
        prices=Prices(prompt_price, reply_price),
        most_tokens=most_tokens,
    )
    result: dict[str, Any] = {"study": study, what: number, **plain(found)}

    def table() -> None:
        cost = "unknown without prices" if found.cost is None else f"{found.cost:,.2f} at most"
        rows = [
            [what, f"{number:,}"],
            ["requests", f"{found.requests:,}"],
            ["tokens read", f"about {found.prompt_tokens:,}"],
            ["tokens written", f"{found.reply_tokens:,} at most"],
            ["cost", cost],
        ]
        print_table("", ["what", "how much"], rows)

    show(result, json_file, table)
