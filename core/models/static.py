"""Static embeddings: the vector of a token before the model has seen its context."""

from collections.abc import Sequence

import torch

from core.models.network import Network
from core.models.trunk import pieces_of


def embedded(network: Network, texts: Sequence[str]) -> list[torch.Tensor]:
    """The input embeddings of each text's pieces (p × d), float32, on the CPU, without special pieces."""
    table: torch.Tensor = network.model.get_input_embeddings().weight

    def look_up(batch: list[list[int]]) -> list[torch.Tensor]:
        return [table[torch.tensor(ids, dtype=torch.long, device=table.device)].float().cpu() for ids in batch]

    return network.run(look_up, pieces_of(network.tokenizer, texts))
