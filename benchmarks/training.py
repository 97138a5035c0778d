"""Our training loop against Transformers' Trainer: the bundled encoder with a head, the same batches and precision."""

import logging
import random
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn

from benchmarks.corpus import SENTENCES
from benchmarks.timing import Row, compare, devices
from core.models.catalogue import MINILM, ModelRole, locate
from core.training.engine.loop import train
from core.training.engine.recipe import Criterion, Recipe
from core.training.engine.task import Losses

STORIES, SIZE, STEPS = 96, 16, 6
RATE, WARM_UP = 5e-5, 0.1
Columns = dict[str, torch.Tensor]


def batches() -> tuple[list[Columns], int]:
    """Made stories, half of them in another order of sentences, by length; and how many tokens a run reads."""
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(locate(MINILM, ModelRole.ENCODER).folder)
    rng = random.Random(0)
    texts = [" ".join(rng.choices(SENTENCES, k=rng.randint(3, 9))) for _ in range(STORIES)]
    texts.sort(key=len)
    made: list[Columns] = []
    for start in range(0, len(texts), SIZE):
        part = texts[start : start + SIZE]
        columns = dict(tokenizer(part, padding=True, return_tensors="pt"))
        made.append({**columns, "labels": torch.tensor([rng.randrange(2) for _ in part])})
    rng.shuffle(made)
    return made, sum(int(tensors["attention_mask"].sum()) for tensors in made[:STEPS])


def classifier() -> nn.Module:
    """The same weights each time."""
    from transformers import AutoModelForSequenceClassification

    torch.manual_seed(0)
    new_module: nn.Module = AutoModelForSequenceClassification.from_pretrained(
        locate(MINILM, ModelRole.ENCODER).folder, num_labels=2, dtype="float32"
    )
    return new_module


class Classifying:
    """The task of our side."""

    data_hash = "made stories"
    chosen_by = Criterion("none", higher=False)

    def __init__(self, module: nn.Module, ready: list[Columns], device: str) -> None:
        self.module, self.ready, self.device = module, ready, device

    def batches(self, epoch: int, seed: int) -> Sequence[Columns]:
        """In the order that the peer has too."""
        return self.ready

    def loss(self, batch: Columns) -> Losses:
        """The model's own."""
        result = self.module(**{name: column.to(self.device) for name, column in batch.items()})
        return Losses(result.loss, len(batch["labels"]))

    def evaluate(self) -> Mapping[str, float]:
        """Nothing, on either side."""
        return {"none": 0.0}


def _theirs(module: nn.Module, ready: list[Columns], precision: str, device: str, folder: str) -> None:
    from transformers import PrinterCallback, Trainer, TrainingArguments

    class Whole(torch.utils.data.Dataset[Columns]):
        """One batch per item."""

        def __len__(self) -> int:
            return len(ready)

        def __getitem__(self, index: int) -> Columns:
            return ready[index]

    class InOrder(Trainer):  # type: ignore[misc]
        """Takes the batches as they are."""

        def get_train_dataloader(self) -> Any:
            loader: Any = torch.utils.data.DataLoader(Whole(), batch_size=None, shuffle=False)
            return self.accelerator.prepare(loader)

    arguments = TrainingArguments(
        output_dir=folder,
        max_steps=STEPS,
        learning_rate=RATE,
        warmup_steps=round(WARM_UP * STEPS),
        weight_decay=0.01,
        max_grad_norm=1.0,
        bf16=precision == "bfloat16",
        use_cpu=device == "cpu",
        save_strategy="no",
        logging_strategy="no",
        report_to=[],
        disable_tqdm=True,
        seed=0,
    )
    trainer = InOrder(model=module, args=arguments, train_dataset=Whole())
    trainer.remove_callback(PrinterCallback)
    trainer.train()


def run() -> list[Row]:
    """In both precisions, on each device there is."""
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()
    logging.disable(logging.WARNING)
    ready, tokens = batches()
    rows = []
    for device in devices():
        for precision in ("float32", "bfloat16"):
            modules = [classifier().to(device) for _ in range(2)]

            def ours(precision: str = precision, device: str = device, module: nn.Module = modules[0]) -> None:
                recipe = Recipe(steps=STEPS, learning_rate=RATE, warm_up=WARM_UP, precision=precision)
                with tempfile.TemporaryDirectory() as folder:
                    train(Classifying(module, ready, device), recipe, Path(folder), device=device)

            def theirs(precision: str = precision, device: str = device, module: nn.Module = modules[1]) -> None:
                with tempfile.TemporaryDirectory() as folder:
                    _theirs(module, ready, precision, device, folder)

            rows.append(
                compare(
                    f"training MiniLM with a head, {STEPS} steps of {SIZE} ({precision})",
                    f"Transformers' Trainer ({precision})",
                    ours,
                    theirs,
                    rounds=3,
                    units=tokens,
                    unit="tokens",
                    precision=precision,
                    remark="ours saves its state at the end, the peer nothing",
                    device=device,
                )
            )
    return rows
