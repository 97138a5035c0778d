"""What visitors take of the server's memory while they are there, and what is left when they have gone.

`python -m benchmarks.pages.sessions --visitors 1000`: annotators with a panel open, a hundred at once, in waves.
"""

import argparse
import asyncio
import time

from benchmarks.pages import load
from benchmarks.pages.crowd import crowd
from benchmarks.pages.served import Served
from benchmarks.pages.stored import stored
from benchmarks.pages.streamlit_client import Session
from benchmarks.pages.visits import BEGIN

AT_ONCE = 100
FORGOTTEN = 5.0
"""Seconds after the last one has gone, in which the server lets their sessions go."""


async def _wave(app: Served, tokens: list[str]) -> float:
    """Let all of them come, begin a panel and leave again; the server's memory while they were there, in MB."""
    sessions = [Session(app.address, token) for token in tokens]
    for session in sessions:
        await session.__aenter__()
        await session.open("/annotate")
        for button in [e for e in session.elements() if e.kind == "button" and e.text in BEGIN]:
            await session.press(button)
    result = app.memory()
    for session in sessions:
        await session.__aexit__()
    return result


def run(visitors: int = 1_000) -> str:
    """Memory before anybody comes, with a hundred there, and after each wave."""
    with stored("sqlite") as storage:
        study, _, _ = load.open_planted("sessions", prompts=visitors // load.WANTED + 1)
        people = [load.invited(study, annotator)[0] for annotator in crowd(visitors)]
        with Served(storage.home) as app:
            time.sleep(FORGOTTEN)
            begun = app.memory()
            there, after = [], []
            for first in range(0, visitors, AT_ONCE):
                there.append(asyncio.run(_wave(app, people[first : first + AT_ONCE])))
                time.sleep(FORGOTTEN)
                after.append(app.memory())
    return (
        f"Before anybody came {begun:.0f} MB; with {AT_ONCE} annotators there {there[0]:.0f} MB, of the last wave "
        f"{there[-1]:.0f} MB; after each hundred had gone, MB: {' '.join(f'{mb:.0f}' for mb in after)}."
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=1_000)
    print(run(parser.parse_args().visitors))
