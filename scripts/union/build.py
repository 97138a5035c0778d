"""Make the UNION checkpoints that Fabula brings along, in `data/checkpoints`.

    python scripts/union/build.py FOLDER [--only NAME …] [--stories N] [--tables FOLDER]

FOLDER holds `stories/rocstories.jsonl` (only rows without `overlaps` are used), `stories/writingprompts.txt`,
`stories/fairytales.jsonl`, `stories/aesop.json` and `cloze/cloze_val_spring2016.tsv`; and, for leaving out what people
have judged, `union-roc`, `union-wp` and `mans-roc`. The bundled language model stays as it is, and reads a story once.
No human judgment is looked at here; how the recipe was chosen, and what was known then, stands in
docs/results/union.md. `--stories`: of each corpus at most so many. `--tables`: only write the stories of each corpus as
a table, for `train union` and `ablation`.
"""

import csv
import json
import random
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.checkpoints.card import Figure
from core.checkpoints.checkpoint import Checkpoint, save
from core.checkpoints.kinds import Tuning
from core.checkpoints.overlap import fingerprints
from core.checkpoints.store import SHIPPED
from core.home import home
from core.metrics.trained.union_scorer import Scorer
from core.models.catalogue import ModelRole, locate
from core.stories import first_words, normalise, sentences
from core.training.engine.hidden_states import read_all
from core.training.union.settings import USUAL, UnionSettings
from core.training.union.train import train_union

SEED = 8
LAYERS = (16, 20)
ROC, PASSAGES = 8_000, 4
"""Stories of ROCStories, drawn; passages of a tale at most."""
PASSAGE_WORDS = 200
CHECKPOINTS = {
    "union": (("roc", "wp", "tales"), 0.01),
    "union-no-recon": (("roc", "wp", "tales"), 0.0),
    "union-roc": (("roc",), 0.01),
    "union-roc-no-recon": (("roc",), 0.0),
    "union-wp": (("wp",), 0.01),
    "union-wp-no-recon": (("wp",), 0.0),
}
"""Each with its corpora and the lambda of its reconstruction."""


def roc(folder: Path) -> Iterator[str]:
    """Stories of five sentences that share none with the judged sets."""
    with (folder / "stories" / "rocstories.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if not row["overlaps"]:
                yield " ".join(sentence.strip() for sentence in row["sentences"])


def writing_prompts(folder: Path) -> Iterator[str]:
    """Stories without their prompts, cut where UNION cut them."""
    with (folder / "stories" / "writingprompts.txt").open(encoding="utf-8") as lines:
        for line in lines:
            yield normalise(re.sub(r"</s>|<newline>", " ", line), "detokenised")


def tales(folder: Path) -> Iterator[str]:
    """Passages of fairy tales and fables, beginning where a section does."""
    with (folder / "stories" / "fairytales.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            sections = [" ".join(section.split()) for section in json.loads(line)["sections"]]
            for begin in list(range(0, len(sections), 3))[:PASSAGES]:
                yield " ".join(sections[begin : begin + 3])
    for fable in json.loads((folder / "stories" / "aesop.json").read_text(encoding="utf-8")):
        yield " ".join(str(fable["fable"]).split())


def judged(folder: Path) -> set[bytes]:
    """Fingerprints of the beginnings of what people have judged, and of the references beside it."""
    texts = []
    for name in ("union-roc", "union-wp"):
        for file in ("ant_data.txt", "reference.txt"):
            for line in (folder / name / file).read_text(encoding="utf-8").splitlines():
                texts += line.split("|||")
    for record in json.loads((folder / "mans-roc" / "mans_roc.json").read_text(encoding="utf-8")).values():
        texts += [f"{record['prompt']} {record['gold_response']}", record["gold_response"]]
        texts += [item["text"] for item in record["gen"].values()]
    return {row.tobytes() for text in texts for row in fingerprints([beginning(text)])}


def beginning(text: str) -> str:
    """The first 40 words, as they are compared: tokenised and cut differently, the same story still begins alike."""
    return " ".join(normalise(text, "detokenised").split()[:40])


def corpora(folder: Path, most: int | None) -> dict[str, list[str]]:
    """Stories by corpus, without what people have judged, without what is too short, in a random order."""
    seen = judged(folder)
    result = {}
    for name, stories, number in (("roc", roc, ROC), ("wp", writing_prompts, None), ("tales", tales, None)):
        kept = []
        for story in dict.fromkeys(stories(folder)):
            cut = first_words(story, PASSAGE_WORDS)
            if len(sentences(cut)) >= 4 and not any(row.tobytes() in seen for row in fingerprints([beginning(cut)])):
                kept.append(cut)
        random.Random(f"{SEED}/{name}").shuffle(kept)
        result[name] = kept[: most or number]
        print(f"{name}: {len(result[name]):,} of {len(kept):,} stories", flush=True)
    return result


def cloze(scorer: Scorer, folder: Path, readings: Path) -> Figure:
    """Story Cloze (Mostafazadeh et al. 2016): how often the right ending is above the wrong one.

    `readings`: kept ones of the scorer's base; a base that has learnt needs a folder of its own.
    """
    with (folder / "cloze" / "cloze_val_spring2016.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    texts = []
    for row in rows:
        begin = " ".join(row[f"InputSentence{i}"] for i in range(1, 5))
        right = int(row["AnswerRightEnding"])
        texts += [f"{begin} {row[f'RandomFifthSentenceQuiz{i}']}" for i in (right, 3 - right)]
    read = read_all(scorer.trunk, [scorer.prepared(text) for text in texts], readings)
    logits = np.array([scorer.logit(read.reading(i)) for i in range(len(read))])
    return proportion("Story Cloze, spring 2016 validation: right ending on top", logits[::2] > logits[1::2])


def proportion(what: str, right: Sequence[bool] | np.ndarray) -> Figure:
    """With Wilson's interval."""
    from core.statistics.intervals import wilson

    share = float(np.mean(right))
    low, high = wilson(share, len(right))
    return Figure(what, share, len(right), low, high)


def build(name: str, stories: dict[str, list[str]], folder: Path, precision: str) -> Checkpoint:
    """Train one, measure it, and put it into its place."""
    chosen, weight = CHECKPOINTS[name]
    plan = UnionSettings(
        layers=LAYERS,
        reconstruction=weight,
        precision=precision,
        loop=replace(USUAL[Tuning.FROZEN], seed=SEED, evaluate_every=200),
    )
    base = locate(None, ModelRole.BASE)
    work, readings = home() / "training" / name, home() / "training" / "readings"
    shutil.rmtree(work / "checkpoint", ignore_errors=True)
    printed = ""

    def say(what: str, done: int, whole: int) -> None:
        nonlocal printed
        now = f"{name}: {what.split(':')[0]} {10 * done // max(1, whole) * 10} %"
        if now != printed:
            printed = now
            print(now, flush=True)

    new_checkpoint, _ = train_union(
        name,
        {corpus: stories[corpus] for corpus in chosen},
        plan,
        base,
        work,
        say,
        overlap="Stories that begin like one of UNION's or MANS's judged stories or references were left out.",
        readings=readings,
    )
    endings = cloze(Scorer(new_checkpoint, base, precision=precision), folder, readings)
    card = replace(new_checkpoint.card, weights="", figures=(*new_checkpoint.card.figures, endings))
    shutil.rmtree(SHIPPED / name, ignore_errors=True)
    SHIPPED.mkdir(parents=True, exist_ok=True)
    texts = [story for corpus in chosen for story in stories[corpus]]
    kept = save(SHIPPED / name, card, new_checkpoint.weights(), texts)
    shutil.rmtree(work)
    for figure in kept.card.figures:
        print(f"  {figure.what}: {figure.value:.4f} (n = {figure.n:,})", flush=True)
    return kept


def write(stories: dict[str, list[str]], folder: Path) -> None:
    """A CSV a corpus, one column."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, some in stories.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["text"], *([story] for story in some)])


def main(
    folder: Path,
    only: Annotated[list[str] | None, typer.Option()] = None,
    stories: Annotated[int | None, typer.Option()] = None,
    precision: Annotated[str, typer.Option()] = "bfloat16",
    tables: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Train them one after another; what has been read is read once, also after an interruption."""
    result = corpora(folder, stories)
    if tables:
        write(result, tables)
        return
    for name in only or CHECKPOINTS:
        build(name, result, folder, precision)


if __name__ == "__main__":
    typer.run(main)
