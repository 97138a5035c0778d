"""`prolific`: draft a study there, publish it, send decisions, pay bonuses, have changes reported."""

from typing import Annotated, Any

import typer

from commands.terminal import JsonFile, StudyName, console, print_table, show
from core.annotation.studies import Study
from core.errors import InputError
from core.payments import money
from core.people import TERMINAL
from core.prolific import bonuses as bonus_payments
from core.prolific import review as reviews
from core.prolific import subscription
from core.prolific.client import Prolific, study_page
from core.prolific.draft import DEVICES, proposed
from core.prolific.settings import hook_secret
from db.annotation import recruitment
from db.people.owner import served_address
from db.prolific import bonuses, drafts, review
from db.studies import studies

app = typer.Typer(
    help="A study on Prolific, by the token in PROLIFIC_TOKEN: draft, publish, review, bonuses.", no_args_is_help=True
)
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be sent.")]


@app.command("draft")
def draft(
    study: StudyName,
    name: Annotated[str | None, typer.Option(help="The title that participants read.")] = None,
    description: Annotated[str | None, typer.Option(help="What participants read before they begin.")] = None,
    places: Annotated[int | None, typer.Option(help="How many participants; as many as are missing.")] = None,
    minutes: Annotated[int | None, typer.Option(help="How long one takes; by the pace so far.")] = None,
    device: Annotated[list[str] | None, typer.Option(help=f"{', '.join(DEVICES)}; all of them. Repeat it.")] = None,
    project: Annotated[str | None, typer.Option(help="The id of a project there; the account's first.")] = None,
    address: Annotated[
        str | None, typer.Option(help="Where the app is served; where it was last, if left out.")
    ] = None,
    another: Annotated[bool, typer.Option("--another", help="Although there is a draft already.")] = False,
    dry_run: DryRun = False,
    json_file: JsonFile = None,
) -> None:
    """Make a draft of the study on Prolific, which nobody sees until it is published."""
    chosen_study = studies.find(study)
    with Prolific() as prolific:
        changes = {
            "name": name,
            "description": description,
            "places": places,
            "minutes": minutes,
            "devices": tuple(device) if device else None,
            "project": project,
        }
        wanted = proposed(
            chosen_study, drafts.numbers(TERMINAL, chosen_study.id), _entry(chosen_study, address), changes
        )
        wanted.check(tried_out=prolific.settings.is_local)
        drafts.check_new(TERMINAL, chosen_study.id, again=another)
        result: dict[str, Any] = {"study": study, "draft": None, "page": None, "sent": wanted.body()}
        if not dry_run:
            made = prolific.create_study(wanted.body())
            drafts.keep(TERMINAL, chosen_study.id, made, again=another)
            result |= {"draft": made.id, "page": study_page(made.id)}

    def table() -> None:
        text = chosen_study.payment.text
        rows: list[list[Any]] = [
            ["title", wanted.name],
            ["description", wanted.description],
            ["address", wanted.address],
            ["places", wanted.places],
            ["minutes", wanted.minutes],
            ["reward", f"{text(wanted.reward)}, {text(wanted.hourly)} an hour"],
            ["all rewards", f"{text(wanted.rewards)}, and Prolific's fees"],
            ["devices", ", ".join(wanted.devices)],
            *([f"code of “{code.end}”", f"{code.code}: {code.action}"] for code in wanted.codes),
        ]
        print_table("Would be drafted" if dry_run else f"Drafted as {result['draft']}", ["what", "is"], rows)
        if not dry_run:
            console.print(f"{result['page']}\n`prolific publish` shows it to participants.", markup=False)

    show(result, json_file, table)


def _entry(study: Study, address: str | None) -> str:
    """The study's address for participants. Raises InputError where it has none yet."""
    token = recruitment.join_token(study.id)
    if not token:
        raise InputError("This study has no address for a platform yet; choose Prolific under Recruit on its page.")
    return study.recruitment.entry((address or served_address()).rstrip("/"), token)


@app.command("publish")
def publish(study: StudyName, yes: Yes = False, json_file: JsonFile = None) -> None:
    """Publish the draft: participants see it, and Prolific sets the money aside."""
    chosen_study = studies.find(study)
    number = drafts.draft_of(TERMINAL, chosen_study.id, to_publish=True)
    with Prolific() as prolific:
        remote = prolific.study(number)
        if not remote.is_draft:
            raise InputError(f"The study on Prolific is no draft any more: it is {remote.status.lower()}.")
        cost = prolific.cost(number)
        if not yes:
            typer.confirm(
                f"Publish {study} with {remote.places} places, for {money(cost.hundredths, cost.currency)} with fees "
                "and tax?",
                abort=True,
            )
        out = prolific.publish(number)
    drafts.published(TERMINAL, chosen_study.id, out)
    result = {
        "study": study,
        "draft": number,
        "status": out.status,
        "places": out.places,
        "cost": cost.hundredths / 100,
        "currency": cost.currency,
    }
    show(result, json_file, lambda: console.print(f"{study} is {out.status.lower()} on Prolific.", markup=False))


@app.command("places")
def places(
    study: StudyName,
    to: Annotated[int, typer.Option(help="How many participants in all.")],
    yes: Yes = False,
    json_file: JsonFile = None,
) -> None:
    """Have another number of places; of a published study it can only grow."""
    chosen_study = studies.find(study)
    number = drafts.draft_of(TERMINAL, chosen_study.id)
    with Prolific() as prolific:
        before = prolific.study(number)
        before.check_places(to)
        if not yes:
            typer.confirm(f"Have {to:,} places instead of {before.places:,}?", abort=True)
        after = prolific.set_places(number, to)
    drafts.places_changed(TERMINAL, chosen_study.id, after, before.places)
    result = {"study": study, "draft": number, "status": after.status, "places": after.places}
    show(result, json_file, lambda: console.print(f"{study} has {after.places:,} places on Prolific.", markup=False))


@app.command("review")
def review_(study: StudyName, yes: Yes = False, dry_run: DryRun = False, json_file: JsonFile = None) -> None:
    """Approve and reject submissions, as pay was decided in Fabula; what was sent before is not sent again."""
    chosen_study = studies.find(study)
    shown = review.to_send(TERMINAL, chosen_study.id)
    sending = reviews.Sending(())
    if shown and not dry_run:
        with Prolific() as prolific:
            if not yes:
                _print_decisions([[s.submission_id, s.decision, s.category, s.reason] for s in shown])
                typer.confirm(f"Send {len(shown):,} decisions to Prolific? They cannot be taken back.", abort=True)
            review.check_shown(TERMINAL, chosen_study.id, shown)
            sending = reviews.send(
                prolific, shown, lambda decision: review.keep(TERMINAL, chosen_study.id, decision), lambda _: None
            )
    done = {decision.submission.submission_id: decision for decision in sending.decisions}
    rows = [
        {
            "submission": submission.submission_id,
            "decision": submission.decision,
            "category": submission.category,
            "reason": submission.reason,
            "outcome": done[submission.submission_id].outcome if submission.submission_id in done else None,
            "remark": done[submission.submission_id].remark if submission.submission_id in done else "",
        }
        for submission in shown
    ]

    def table() -> None:
        if not shown:
            console.print("There is no decision that Prolific does not have.")
            return
        columns = ("submission", "decision", "category", "outcome", "remark")
        print_table("", list(columns), [[row[name] for name in columns] for row in rows])

    show({"study": study, "rows": rows, "stopped": sending.stopped}, json_file, table)
    if sending.stopped:
        raise InputError(f"{len(shown) - len(done):,} decisions are still to be sent: {sending.stopped}")


def _print_decisions(rows: list[list[Any]]) -> None:
    print_table("To be sent", ["submission", "decision", "category", "reason"], rows)


@app.command("bonus")
def bonus(
    study: StudyName,
    settle: Annotated[
        str | None,
        typer.Option(help="paid or unpaid: what you have seen on Prolific where it did not say whether it has paid."),
    ] = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    json_file: JsonFile = None,
) -> None:
    """Have Prolific pay the bonuses that are due to its participants."""
    chosen_study = studies.find(study)
    if settle is not None:
        if settle not in ("paid", "unpaid"):
            raise InputError(f"--settle is paid or unpaid, not {settle!r}.")
        bonuses.end(TERMINAL, chosen_study.id, paid=settle == "paid")
        show({"study": study, "settled": settle}, json_file, lambda: console.print(f"Kept: {settle}."))
        return
    due = bonuses.due(TERMINAL, chosen_study.id)
    text = chosen_study.payment.text
    rows = [{"submission": one.submission_id, "hundredths": one.hundredths} for one in due]
    result: dict[str, Any] = {"study": study, "currency": chosen_study.payment.currency, "rows": rows, "payment": None}

    def table() -> None:
        print_table("", ["submission", "bonus"], [[one.submission_id, text(one.hundredths)] for one in due])
        if paid := result["payment"]:
            console.print(f"Prolific pays {paid['number']:,} of them: {text(paid['hundredths'])}.", markup=False)

    if not due or dry_run:
        show(result, json_file, table if due else lambda: console.print("No bonus is due."))
        return
    with Prolific() as prolific:
        payment = bonus_payments.set_up(prolific, due)
        if not yes:
            typer.confirm(
                f"Pay {len(payment.bonuses):,} bonuses, {text(payment.amount)} in all? With fees and tax it takes "
                f"{money(payment.total, currency='')} from the account.",
                abort=True,
            )
        bonus_payments.pay(
            prolific,
            payment,
            lambda made: bonuses.begin(TERMINAL, chosen_study.id, made),
            lambda paid: bonuses.end(TERMINAL, chosen_study.id, paid=paid),
        )
    result["payment"] = {
        "id": payment.id,
        "number": len(payment.bonuses),
        "hundredths": payment.amount,
        "total": payment.total,
        "later": payment.later,
    }
    show(result, json_file, table)


@app.command("subscribe")
def subscribe(
    workspace: Annotated[str, typer.Option(help="The id of the workspace; the account's only one.")] = "",
    address: Annotated[
        str | None, typer.Option(help="Where the app is served; where it was last, if left out.")
    ] = None,
    new_secret: Annotated[
        bool, typer.Option("--new-secret", help="Make the workspace's secret, in the place of its old one.")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """Have Prolific report changes of submissions; with --new-secret print, once, the secret that it signs with."""
    with Prolific() as prolific:
        chosen = subscription.chosen_workspace(prolific, workspace)
        if new_secret:
            secret = prolific.make_secret(chosen)
            console.print("Start the server with this, then run `prolific subscribe`; it is shown once:", style="dim")
            print(f"PROLIFIC_WEBHOOK_SECRET={secret}")
            return
        if not hook_secret():
            raise InputError(
                "Reports need a secret that both know: `prolific subscribe --new-secret` makes it, and the server is "
                "started with it as PROLIFIC_WEBHOOK_SECRET."
            )
        made, new = subscription.subscribe(prolific, chosen, (address or served_address()).rstrip("/"))
    result = {"workspace": chosen, "subscription": made.id, "target": made.target, "new": new}
    words = "reports" if new else "reports already"
    show(result, json_file, lambda: console.print(f"Prolific {words} to {made.target}.", markup=False))
