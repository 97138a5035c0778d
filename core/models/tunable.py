"""A causal language model of which a part is trained: frozen weights, with adapters in its attention."""

from collections.abc import Sequence

import torch

from core.models.adapter import adapt
from core.models.catalogue import ModelRole, ModelSource
from core.models.language import logits_of, start_token
from core.models.network import DTYPES, load_pretrained, nothing_runs, positions_of

LONGEST = 1024
"""Pieces of a text that are learnt from: what attention remembers for its gradient grows with their square."""


class TunableLanguageModel:
    """`rank` is that of the adapters, `precision` that of the frozen weights and of what is computed; what learns is
    float32.
    """

    def __init__(self, source: ModelSource, rank: int, precision: str = "float32") -> None:
        """Raises ModelMissing where that is no causal model, or takes no adapters."""
        self.signature = f"{source.at_revision} {rank} {precision}"
        self.dtype = DTYPES[precision]
        with nothing_runs():
            self.model, self.tokenizer = load_pretrained(ModelRole.LANGUAGE, source, self.dtype)
        # The gradient of the fused attention takes longer than all the rest on the CPU (docs/methods/perplexity.md).
        self.model.set_attn_implementation("eager")
        adapt(self.model, rank)
        self.start = start_token(self.tokenizer)
        self.room = min(LONGEST, positions_of(self.model.config, self.tokenizer)) - 1

    @property
    def device(self) -> str:
        """Where the model is."""
        result: str = self.model.device.type
        return result

    def nll(self, texts: Sequence[Sequence[int]]) -> tuple[torch.Tensor, int]:
        """The sum over all pieces of minus the log-likelihood (nats) of each given those before, and their number.

        `texts`: ids of at most `room` pieces each, without the one that begins a text, which is put before them.
        """
        longest = max(map(len, texts)) + 1
        tokens = torch.full((len(texts), longest), self.start, dtype=torch.long)
        scored = torch.zeros((len(texts), longest), dtype=torch.bool)
        for row, ids in enumerate(texts):
            tokens[row, 1 : 1 + len(ids)] = torch.tensor(ids, dtype=torch.long)
            scored[row, 1 : 1 + len(ids)] = True
        tokens, scored = tokens.to(self.device), scored.to(self.device)
        with torch.autocast(self.device, self.dtype, self.dtype != torch.float32):
            # No mask: padding stands on the right, where a causal model never looks, and is not learnt.
            hidden = self.model.base_model(input_ids=tokens, use_cache=False).last_hidden_state
            logits = logits_of(self.model, hidden[:, :-1][scored[:, 1:]])
        targets = tokens[:, 1:][scored[:, 1:]]
        return torch.nn.functional.cross_entropy(logits, targets, reduction="sum"), len(targets)

    def learnt(self) -> dict[str, torch.Tensor]:
        """The weights that learn, by name."""
        return {name: item.detach() for name, item in self.model.named_parameters() if item.requires_grad}
