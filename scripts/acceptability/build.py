"""Make the acceptability classifiers: their weights and their card.

    python scripts/acceptability/build.py FOLDER [--first encoder|language-model|figures]

FOLDER holds the raw files of CoLA (Warstadt et al. 2019; `in_domain_train.tsv`, `in_domain_dev.tsv` and
`out_of_domain_dev.tsv`, as nyu-mll/CoLA-baselines has them). Adapters in the bundled encoder and a head over its states
first learn to tell acceptable sentences of the training file from the same with one word moved, lost, doubled or in
another form, then CoLA's own labels. Adapters in the upper layers of the bundled language model and another head learn
the same. A thousand sentences of the training file are held out, and all choices were made on sentences of that file.
`--first` leaves what comes before it as it is.
"""

import hashlib
import json
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch import nn

from core.arrays import Floats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.models.acceptability import language as lm
from core.models.acceptability.encoder import ADAPTERS, HEAD, RANK, Head
from core.models.acceptability.probability import acceptability, acceptability_by_lm
from core.models.acceptability.weights import CARD, LANGUAGE_SECTION, LANGUAGE_WEIGHTS, WEIGHTS, card, measure
from core.models.adapter import EVERY_OF_BERT, EVERY_OF_LLAMA, adapt
from core.models.catalogue import BUNDLED, MINILM, SMOLLM2, ModelRole, ModelSource, locate
from core.models.layers import drop_layers_above
from core.models.network import load_pretrained, nothing_runs, positions_of
from core.models.trunk import InputLayout

TRAIN, IN_DOMAIN, OUT_OF_DOMAIN = "in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv"
SEED = 7
HELD_OUT = 1000
DAMAGED_EPOCHS = 1
ROUNDS, EPOCHS, RATE = 2, 4, 8e-4
"""The encoder's: damaged copies of each acceptable sentence, passes over CoLA's labels, learning rate."""
LM_ROUNDS, LM_EPOCHS, LM_RATE = 1, 3, 5e-4
"""The language model's, which takes longer to learn."""
THREADS, LM_THREADS = 1, 2
"""The order of additions, and so the weights, depends on them."""
DRAWS = 2_000
"""Of the bootstrap over sentences that gives the figures' intervals."""
BATCH, DROPOUT, DECAY, WARM_UP = 32, 0.2, 0.02, 0.06
ALIKE = (
    "a an the some any this these that those",
    "in on at of to for with by from about",
    "is are was were be been being am",
    "has have had having",
    "do does did done",
    "who whom which what that where when why",
    "he him his himself",
    "she her hers herself",
    "they them their themselves",
    "I me my myself",
    "we us our ourselves",
    "and but or than as if",
)
FORMS = {word.lower(): group.split() for group in ALIKE for word in group.split()}

Ids = list[list[int]]
Fits, Changed = Callable[[str], bool], Callable[[str, random.Random], str]


def read(path: Path) -> tuple[list[str], NDArray[np.bool_]]:
    """Sentences, and whether each is acceptable."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return [row[3] for row in rows], np.array([row[1] == "1" for row in rows])


def damaged(sentence: str, rng: random.Random) -> str:
    """The sentence with one word swapped, moved, lost, doubled, inflected or exchanged for one of its kind."""
    words = sentence.split()
    i, j = rng.randrange(len(words)), rng.randrange(len(words))
    match rng.choice(["swap", "move", "lose", "double", "inflect", "inflect", "exchange", "exchange", "exchange"]):
        case "swap":
            words[i], words[i - 1] = words[i - 1], words[i]
        case "move":
            words.insert(j, words.pop(i))
        case "lose":
            del words[i]
        case "double":
            words.insert(j, words[i])
        case "inflect":
            words = _at_one(words, rng, lambda w: w.isalpha() and len(w) > 3 and w.lower() not in FORMS, _inflected)
        case "exchange":
            words = _at_one(words, rng, lambda w: w.lower() in FORMS, lambda w, r: r.choice(FORMS[w.lower()]))
    return " ".join(words)


def _at_one(words: list[str], rng: random.Random, fits: Fits, changed: Changed) -> list[str]:
    places = [i for i, word in enumerate(words) if fits(word)]
    if not places:
        return words
    i = rng.choice(places)
    return [*words[:i], changed(words[i], rng), *words[i + 1 :]]


def _inflected(word: str, rng: random.Random) -> str:
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending):
            return word[: -len(ending)] + rng.choice([other for other in ("", "s", "ed", "ing") if other != ending])
    return word + rng.choice(["s", "ed", "ing"])


class Learner(nn.Module):
    """The encoder with its adapters, frozen but for these, and the head."""

    def __init__(self, source: ModelSource) -> None:
        super().__init__()
        with nothing_runs():
            self.encoder, self.tokenizer = load_pretrained(ModelRole.ENCODER, source, torch.float32)
        adapt(self.encoder, RANK, EVERY_OF_BERT)
        self.head = Head(DROPOUT)

    def ids(self, sentences: list[str]) -> Ids:
        """Of the pieces, special ones included."""
        result: Ids = self.tokenizer(sentences, truncation=True)["input_ids"]
        return result

    def forward(self, part: Ids) -> torch.Tensor:
        """Logits. The encoder computes in bfloat16, the head in float32."""
        tokens = torch.zeros(len(part), max(map(len, part)), dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for row, ids in enumerate(part):
            tokens[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        with torch.autocast("cpu", torch.bfloat16):
            result = self.encoder(input_ids=tokens, attention_mask=mask, output_hidden_states=True).hidden_states
        states = torch.stack(result, dim=2).float()
        logits: torch.Tensor = self.head([state[: len(ids)] for state, ids in zip(states, part, strict=True)])
        return logits

    def learnt(self) -> dict[str, torch.Tensor]:
        """As `kept_as` names it."""
        return kept_as(self.encoder, self.head)


class LanguageLearner(nn.Module):
    """The lower layers of the language model with their adapters, frozen but for these, and the head."""

    def __init__(self, source: ModelSource) -> None:
        super().__init__()
        with nothing_runs():
            self.model, self.tokenizer = load_pretrained(ModelRole.BASE, source, torch.bfloat16)
        drop_layers_above(self.model, max(lm.LAYERS))
        self.model.set_attn_implementation("eager")  # the gradient of the fused attention takes longer on the CPU
        adapt(self.model, lm.RANK, EVERY_OF_LLAMA, lm.LOWEST)
        self.layout = InputLayout.of(self.tokenizer, True, positions_of(self.model.config, self.tokenizer))
        self.head = lm.LanguageHead(DROPOUT)

    def ids(self, sentences: list[str]) -> Ids:
        """Of the tokens, the line's end included."""
        return lm.lines(self.tokenizer, sentences, self.layout.room)

    def forward(self, part: Ids) -> torch.Tensor:
        """Logits. The language model computes in bfloat16, the head in float32."""
        logits: torch.Tensor = self.head(lm.states_of(self.model, self.layout, part, "cpu"))
        return logits

    def learnt(self) -> dict[str, torch.Tensor]:
        """As `kept_as` names it."""
        return kept_as(self.model, self.head)


def kept_as(model: nn.Module, head: nn.Module) -> dict[str, torch.Tensor]:
    """What a model's adapters and its head have learnt, in half precision, under the names that they are kept by."""
    adapters = {ADAPTERS + name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    own = {HEAD + name: item for name, item in head.state_dict().items()}
    return {name: item.detach().half().contiguous() for name, item in (adapters | own).items()}


def train(
    learner: Learner | LanguageLearner,
    sentences: list[str],
    labels: NDArray[np.bool_],
    epochs: int,
    rate: float,
    rng: random.Random,
) -> None:
    """AdamW with warm-up and linear decay; a batch holds sentences of about one length."""
    learning = [parameter for parameter in learner.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=rate, weight_decay=DECAY)
    ids = learner.ids(sentences)
    steps = epochs * math.ceil(len(ids) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, step / (WARM_UP * steps + 1)) * max(0.0, 1 - step / steps)
    )
    wanted = torch.tensor(labels, dtype=torch.float32)
    learner.train()
    for epoch in range(epochs):
        total = 0.0
        for batch in _batches([len(part) for part in ids], rng):
            loss = nn.functional.binary_cross_entropy_with_logits(learner([ids[i] for i in batch]), wanted[batch])
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(learning, 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item() * len(batch)
        print(f"epoch {epoch + 1} of {epochs}: loss {total / len(ids):.3f}", flush=True)
    learner.eval()


def _batches(lengths: list[int], rng: random.Random) -> list[list[int]]:
    order = list(range(len(lengths)))
    rng.shuffle(order)
    batches = []
    for start in range(0, len(order), 16 * BATCH):
        part = sorted(order[start : start + 16 * BATCH], key=lambda i: lengths[i])
        batches += [part[i : i + BATCH] for i in range(0, len(part), BATCH)]
    rng.shuffle(batches)
    return batches


Labelled = tuple[list[str], NDArray[np.bool_]]
"""Sentences, and whether each is acceptable."""


class Part(StrEnum):
    """What is made, in this order."""

    ENCODER = "encoder"
    LANGUAGE_MODEL = "language-model"
    FIGURES = "figures"


def taught(
    learner: Learner | LanguageLearner,
    train_file: Labelled,
    kept: Sequence[int],
    rng: random.Random,
    *,
    rounds: int,
    epochs: int,
    rate: float,
) -> int:
    """Let it learn from the sentences that are kept for it, damaged ones first; how many of these there were."""
    sentences, labels = train_file
    copies = [damaged(sentences[i], rng) for _ in range(rounds) for i in kept if labels[i] and " " in sentences[i]]
    known = set(sentences)
    copies = [copy for copy in copies if copy not in known]
    mine, mine_labels = [sentences[i] for i in kept], labels[kept]
    print(f"{len(mine)} sentences, {len(copies)} damaged ones", flush=True)
    both = np.concatenate([mine_labels, np.zeros(len(copies), bool)])
    train(learner, mine + copies, both, DAMAGED_EPOCHS, rate, rng)
    train(learner, mine, mine_labels, epochs, rate, rng)
    return len(copies)


def train_encoder(folder: Path, train_file: Labelled, kept: Sequence[int], rng: random.Random) -> None:
    """Write the encoder's weights (float16), and the card as far as it is known."""
    source = locate(MINILM, ModelRole.ENCODER)
    learner = Learner(source)
    copies = taught(learner, train_file, kept, rng, rounds=ROUNDS, epochs=EPOCHS, rate=RATE)
    save_file(learner.learnt(), WEIGHTS)
    write(
        {
            "what": "P(acceptable) of an English sentence: adapters in the encoder, and a head over the states of all "
            "its layers",
            "encoder": f"{source.name}@{source.revision}",
            "weights": stored(WEIGHTS),
            "parameters": sum(weight.numel() for weight in learner.learnt().values()),
            "data": {
                "name": "CoLA, raw files (Warstadt et al. 2019), from nyu-mll/CoLA-baselines, MIT",
                "sha256": {
                    f: hashlib.sha256((folder / f).read_bytes()).hexdigest() for f in (TRAIN, IN_DOMAIN, OUT_OF_DOMAIN)
                },
                "trained_on": len(kept),
                "damaged_copies": copies,
            },
            "recipe": recipe(RANK, EPOCHS, RATE),
            "beside": "the BERT classifier of AUTOS (OpenMEVA 2021): accuracy 0.829",
        }
    )


def train_language_model(train_file: Labelled, kept: Sequence[int]) -> None:
    """Write what the language model learns (float16), and the card's section as far as it is known."""
    torch.set_num_threads(LM_THREADS)
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    learner = LanguageLearner(locate(SMOLLM2, ModelRole.BASE))
    copies = taught(learner, train_file, kept, rng, rounds=LM_ROUNDS, epochs=LM_EPOCHS, rate=LM_RATE)
    save_file(learner.learnt(), LANGUAGE_WEIGHTS)
    section = {
        "what": "P(acceptable) of an English sentence: adapters in the upper layers of the bundled language model, and "
        "a head over the states behind four of them",
        "language_model": BUNDLED[SMOLLM2].at_revision,
        "weights": stored(LANGUAGE_WEIGHTS),
        "parameters": sum(weight.numel() for weight in learner.learnt().values()),
        "damaged_copies": copies,
        "recipe": recipe(lm.RANK, LM_EPOCHS, LM_RATE) | {"adapters_from_layer": lm.LOWEST, "threads": LM_THREADS},
    }
    write(card() | {LANGUAGE_SECTION: section})


def stored(file: Path) -> dict[str, str]:
    """What a card says of a file of weights."""
    return {"sha256": hashlib.sha256(file.read_bytes()).hexdigest(), "dtype": "float16"}


def recipe(rank: int, epochs: int, rate: float) -> dict[str, Any]:
    """What a card says of a training."""
    return {
        "command": "python scripts/acceptability/build.py FOLDER",
        "seed": SEED,
        "rank": rank,
        "epochs": {"damaged": DAMAGED_EPOCHS, "labels": epochs},
        "learning_rate": rate,
        "batch": BATCH,
        "dropout": DROPOUT,
        "weight_decay": DECAY,
    }


def figures(acceptable: NDArray[np.bool_], probabilities: Floats) -> dict[str, Any]:
    """Accuracy and Matthews correlation, each with its 95 % interval."""
    rng = np.random.default_rng(SEED)
    draws = (rng.integers(0, len(acceptable), len(acceptable)) for _ in range(DRAWS))
    drawn = [measure(acceptable[draw], probabilities[draw]) for draw in draws]
    intervals = {
        f"{name}_95": np.percentile([getattr(probe_quality, name) for probe_quality in drawn], [2.5, 97.5]).tolist()
        for name in ("accuracy", "mcc")
    }
    return asdict(measure(acceptable, probabilities)) | intervals


def tell(files: dict[str, Labelled]) -> None:
    """Write the figures of both classifiers into the card."""
    both = {
        name: {part: figures(acceptable, classify(sentences, "cpu")) for part, (sentences, acceptable) in files.items()}
        for name, classify in (("encoder", acceptability), ("language model", acceptability_by_lm))
    }
    known: Any = card()
    write(
        known
        | {"figures": both["encoder"], LANGUAGE_SECTION: known[LANGUAGE_SECTION] | {"figures": both["language model"]}}
    )
    print(json.dumps(both, indent=2))


def write(content: dict[str, Any]) -> None:
    """The card."""
    CARD.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8", newline="\n")


def main(folder: Path, first: Annotated[Part, typer.Option()] = Part.ENCODER) -> None:
    """Train and measure; write the weights (float16) and the card."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    sentences, labels = read(folder / TRAIN)
    order = rng.sample(range(len(sentences)), len(sentences))
    held_out, kept = order[:HELD_OUT], order[HELD_OUT:]
    if first is Part.ENCODER:
        train_encoder(folder, (sentences, labels), kept, rng)
    if first is not Part.FIGURES:
        train_language_model((sentences, labels), kept)
    tell(
        {
            "held_out": ([sentences[i] for i in held_out], labels[held_out]),
            "in_domain": read(folder / IN_DOMAIN),
            "out_of_domain": read(folder / OUT_OF_DOMAIN),
        }
    )


if __name__ == "__main__":
    typer.run(main)
