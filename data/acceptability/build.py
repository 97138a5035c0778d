"""Make the acceptability classifier: `weights.safetensors` and its card, in this folder.

    python data/acceptability/build.py FOLDER [--weigh]

FOLDER holds the raw files of CoLA (Warstadt et al. 2019; `in_domain_train.tsv`, `in_domain_dev.tsv` and
`out_of_domain_dev.tsv`, as nyu-mll/CoLA-baselines has them). Adapters in all linear layers of the bundled encoder and a
head over its states first learn to tell acceptable sentences of the training file from the same with one word moved,
lost, doubled or in another form, then CoLA's own labels. A thousand sentences of the training file are held out, and
all choices were made on sentences of that file. On these thousand a logistic regression learns to weigh the
classifier's logit beside what the bundled language model says of the tokens; `--weigh` fits that alone, to the weights
that are there.
"""

import hashlib
import json
import math
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from scipy.special import expit
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.models.acceptability import ADAPTERS, HEAD, RANK, GrammarEncoder, Head, logits, part
from core.models.adapter import EVERY_OF_BERT, adapt
from core.models.catalogue import BUNDLED, MINILM, SMOLLM2, ModelSource, Role, locate
from core.models.network import load_pretrained, nothing_runs
from core.perturb.acceptability import CARD, WEIGHTS, Measured, card, measure
from core.perturb.acceptability_lm import FEATURES, SECTION, Weighing, read_features
from core.tokens import Floats

TRAIN, IN_DOMAIN, OUT_OF_DOMAIN = "in_domain_train.tsv", "in_domain_dev.tsv", "out_of_domain_dev.tsv"
SEED = 7
HELD_OUT = 1000
ROUNDS = 2
"""Damaged copies of each acceptable sentence."""
DAMAGED_EPOCHS, EPOCHS = 1, 4
RATE = 8e-4
FOLDS, PENALTY = 10, 1.0
"""Of the weighing: cross-validation, and the weight of half the squared coefficients beside the sum of the losses."""
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
            self.encoder, self.tokenizer = load_pretrained(Role.ENCODER, source, torch.float32)
        adapt(self.encoder, RANK, EVERY_OF_BERT)
        self.head = Head(DROPOUT)

    def ids(self, sentences: list[str]) -> Ids:
        """Of the pieces, special ones included."""
        found: Ids = self.tokenizer(sentences, truncation=True)["input_ids"]
        return found

    def forward(self, part: Ids) -> torch.Tensor:
        """Logits. The encoder computes in bfloat16, the head in float32."""
        tokens = torch.zeros(len(part), max(map(len, part)), dtype=torch.long)
        mask = torch.zeros_like(tokens)
        for row, ids in enumerate(part):
            tokens[row, : len(ids)] = torch.tensor(ids)
            mask[row, : len(ids)] = 1
        with torch.autocast("cpu", torch.bfloat16):
            found = self.encoder(input_ids=tokens, attention_mask=mask, output_hidden_states=True).hidden_states
        states = torch.stack(found, dim=2).float()
        logits: torch.Tensor = self.head([one[: len(ids)] for one, ids in zip(states, part, strict=True)])
        return logits

    def learnt(self) -> dict[str, torch.Tensor]:
        """Adapters and head, in half precision, under the names that they are kept by."""
        adapters = {ADAPTERS + name: one for name, one in self.encoder.named_parameters() if one.requires_grad}
        head = {HEAD + name: one for name, one in self.head.state_dict().items()}
        return {name: one.detach().half().contiguous() for name, one in (adapters | head).items()}


def train(learner: Learner, sentences: list[str], labels: NDArray[np.bool_], epochs: int, rng: random.Random) -> None:
    """AdamW with warm-up and linear decay; a batch holds sentences of about one length."""
    learning = [one for one in learner.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(learning, lr=RATE, weight_decay=DECAY)
    ids = learner.ids(sentences)
    steps = epochs * math.ceil(len(ids) / BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, step / (WARM_UP * steps + 1)) * max(0.0, 1 - step / steps)
    )
    wanted = torch.tensor(labels, dtype=torch.float32)
    learner.train()
    for epoch in range(epochs):
        total = 0.0
        for batch in _batches([len(one) for one in ids], rng):
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


def measured(source: ModelSource, weights: dict[str, torch.Tensor], sentences: Labelled) -> Measured:
    """Accuracy and Matthews correlation of weights that are not shipped yet; it draws from torch's generator."""
    texts, labels = sentences
    kept = {name: weight.float() for name, weight in weights.items()}
    head = Head()
    head.load_state_dict(part(kept, HEAD))
    encoder = GrammarEncoder(source, part(kept, ADAPTERS))
    return measure(labels, expit(logits(encoder, head.eval(), texts)))


def train_encoder(
    folder: Path, train_file: Labelled, kept: Sequence[int], held_out: Labelled, rng: random.Random
) -> None:
    """Train on the sentences that are kept for it, write the weights (float16), and the card as far as it is known."""
    source = locate(MINILM, Role.ENCODER)
    sentences, labels = train_file
    copies = [damaged(sentences[i], rng) for _ in range(ROUNDS) for i in kept if labels[i] and " " in sentences[i]]
    known = set(sentences)
    copies = [copy for copy in copies if copy not in known]
    mine, mine_labels = [sentences[i] for i in kept], labels[kept]
    print(f"{len(mine)} sentences, {len(copies)} damaged ones", flush=True)
    learner = Learner(source)
    train(learner, mine + copies, np.concatenate([mine_labels, np.zeros(len(copies), bool)]), DAMAGED_EPOCHS, rng)
    print("held out, after the damaged ones:", measured(source, learner.learnt(), held_out), flush=True)
    train(learner, mine, mine_labels, EPOCHS, rng)
    weights = learner.learnt()
    save_file(weights, WEIGHTS)
    write(
        {
            "what": "P(acceptable) of an English sentence: adapters in the encoder, and a head over the states of all "
            "its layers",
            "encoder": f"{source.name}@{source.revision}",
            "weights": {"sha256": hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(), "dtype": "float16"},
            "parameters": sum(weight.numel() for weight in weights.values()),
            "data": {
                "name": "CoLA, raw files (Warstadt et al. 2019), from nyu-mll/CoLA-baselines, MIT",
                "sha256": {
                    f: hashlib.sha256((folder / f).read_bytes()).hexdigest() for f in (TRAIN, IN_DOMAIN, OUT_OF_DOMAIN)
                },
                "trained_on": len(kept),
                "damaged_copies": len(copies),
            },
            "recipe": {
                "command": "python data/acceptability/build.py FOLDER",
                "seed": SEED,
                "rank": RANK,
                "epochs": {"damaged": DAMAGED_EPOCHS, "labels": EPOCHS},
                "learning_rate": RATE,
                "batch": BATCH,
                "dropout": DROPOUT,
                "weight_decay": DECAY,
            },
            "beside": "the BERT classifier of AUTOS (OpenMEVA 2021): accuracy 0.829",
        }
    )


def fitted(rows: Floats, acceptable: NDArray[np.bool_]) -> Weighing:
    """The logistic regression of least penalised loss, by Newton's method."""
    mean, deviation = rows.mean(0), rows.std(0)
    design = np.hstack([(rows - mean) / deviation, np.ones((len(rows), 1))])
    penalty = PENALTY * np.diag([*np.ones(rows.shape[1]), 0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(30):
        found = expit(design @ weights)
        curvature = (design * (found * (1 - found))[:, None]).T @ design + penalty
        weights -= np.linalg.solve(curvature, design.T @ (found - acceptable) + penalty @ weights)
    *each, intercept = weights.tolist()
    return Weighing(tuple(mean.tolist()), tuple(deviation.tolist()), tuple(each), intercept)


def cross_validated(rows: Floats, acceptable: NDArray[np.bool_]) -> Floats:
    """P(acceptable) of each sentence by a weighing that was fitted without it."""
    fold = np.random.default_rng(SEED).permutation(len(rows)) % FOLDS
    found = np.zeros(len(rows))
    for one in range(FOLDS):
        found[fold == one] = fitted(rows[fold != one], acceptable[fold != one]).probabilities(rows[fold == one])
    return found


def figures(acceptable: NDArray[np.bool_], probabilities: Floats) -> dict[str, Any]:
    """Accuracy and Matthews correlation, each with its 95 % interval."""
    rng = np.random.default_rng(SEED)
    draws = (rng.integers(0, len(acceptable), len(acceptable)) for _ in range(DRAWS))
    drawn = [measure(acceptable[one], probabilities[one]) for one in draws]
    intervals = {
        f"{name}_95": np.percentile([getattr(one, name) for one in drawn], [2.5, 97.5]).tolist()
        for name in ("accuracy", "mcc")
    }
    return asdict(measure(acceptable, probabilities)) | intervals


def weigh(files: dict[str, Labelled]) -> None:
    """Fit the weighing on the held-out sentences; write it, and the figures of both, into the card."""
    rows = {name: read_features(sentences) for name, (sentences, _) in files.items()}
    labels = {name: acceptable for name, (_, acceptable) in files.items()}
    weighing = fitted(rows["held_out"], labels["held_out"])
    together = {name: weighing.probabilities(some) for name, some in rows.items()}
    together["held_out"] = cross_validated(rows["held_out"], labels["held_out"])
    columns = zip(weighing.mean, weighing.deviation, weighing.weights, strict=True)
    section = {
        "what": "P(acceptable) by a logistic regression over the classifier's logit and what the bundled language "
        "model says of the tokens",
        "language_model": BUNDLED[SMOLLM2].at_revision,
        "fitted_on": f"the {len(rows['held_out']):,} held-out sentences; their own figures below are cross-validated "
        f"in {FOLDS} folds",
        "penalty": PENALTY,
        "coefficients": {
            name: {"mean": mean, "deviation": deviation, "weight": weight}
            for name, (mean, deviation, weight) in zip(FEATURES, columns, strict=True)
        },
        "intercept": weighing.intercept,
        "figures": {name: figures(labels[name], found) for name, found in together.items()},
    }
    own = {name: figures(labels[name], expit(some[:, 0])) for name, some in rows.items()}
    write(card() | {"figures": own, SECTION: section})
    print(json.dumps({"encoder": own, "with the language model": section["figures"]}, indent=2))


def write(content: dict[str, Any]) -> None:
    """The card."""
    CARD.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8", newline="\n")


def main(folder: Path, weigh_only: bool) -> None:
    """Train, weigh and measure; write the weights (float16) and the card."""
    torch.set_num_threads(1)  # the order of additions, and so the weights, depends on the number of threads
    torch.manual_seed(SEED)
    rng = random.Random(SEED)
    sentences, labels = read(folder / TRAIN)
    order = rng.sample(range(len(sentences)), len(sentences))
    held_out, kept = order[:HELD_OUT], order[HELD_OUT:]
    theirs = [sentences[i] for i in held_out], labels[held_out]
    if not weigh_only:
        train_encoder(folder, (sentences, labels), kept, theirs, rng)
    weigh(
        {
            "held_out": theirs,
            "in_domain": read(folder / IN_DOMAIN),
            "out_of_domain": read(folder / OUT_OF_DOMAIN),
        }
    )


if __name__ == "__main__":
    given = sys.argv[1:]
    if len(given) not in (1, 2) or given[1:] not in ([], ["--weigh"]):
        sys.exit("Name the folder with CoLA's files: python data/acceptability/build.py FOLDER [--weigh]")
    main(Path(given[0]), weigh_only="--weigh" in given)
