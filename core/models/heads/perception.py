"""The model of a Perception Score (Gu et al. 2020): how real a text is, and how sure the model is about a pair of
texts.

A critic f reads a text after its context. Of a generated text and a reference, P_generated = softmax(f(generated),
f(reference)): .5 where it cannot tell them apart (equations 6 and 7).
"""

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from core.models.devices.cpu import Dropout, drop_cheaply
from core.models.trunk import TunableTrunk, Window, pieces_of, read_states
from core.notices import notice

NARROW = 64
"""Of the confidence head's middle layer."""
_TINY = 1e-12
"""Added to squared norms, whose root has no gradient at 0."""


class Critic(nn.Module):
    """f over (context, text), and the confidence head over a pair, on a base that learns.

    It begins so that nothing is known: f is 0 for every text, which makes every P .5.
    """

    def __init__(self, base: TunableTrunk, dropout: float = 0.1) -> None:
        super().__init__()
        width = 2 * int(base.model.config.hidden_size)
        self.trunk = base
        self.base: nn.Module = base.model
        self.score = nn.Linear(width, 1)
        self.sure = nn.Sequential(nn.Linear(2 * width, NARROW), nn.GELU(), nn.Linear(NARROW, 1))
        self.dropout = Dropout(dropout)
        drop_cheaply(self.base)
        nn.init.zeros_(self.score.weight)
        nn.init.zeros_(self.score.bias)

    @property
    def device(self) -> str:
        """Where it is."""
        return self.score.weight.device.type

    def encode(self, contexts: Sequence[str], texts: Sequence[str]) -> list[list[int]]:
        """Ids of each context and text together, with the base's separator between them; an empty context leaves the
        text alone. Where they are longer than the base reads at once, the context loses its beginning, and a text that
        is too long by itself its end; of texts that lose something a notice tells.
        """
        layout, tokenizer = self.trunk.layout, self.trunk.tokenizer
        spaced = [
            f" {text}" if context and layout.causal else text for context, text in zip(contexts, texts, strict=True)
        ]
        pairs, cut = [], 0
        for before, own in zip(pieces_of(tokenizer, contexts), pieces_of(tokenizer, spaced), strict=True):
            cut += len(own) > layout.room
            own = own[: layout.room]
            room = layout.room - len(own) - len(layout.right)
            pairs.append([*before[-room:], *layout.right, *own] if before and room > 0 else own)
        if cut:
            notice(f"{cut:,} texts have more than the {layout.room} pieces that the base reads: their ends were cut.")
        return pairs

    def window(self, ids: Sequence[Sequence[int]]) -> Window:
        """Encoded texts as one batch, where the critic is."""
        return self.trunk.layout.batch(ids, self.device)

    def embeddings(self, window: Window) -> torch.Tensor:
        """The word embeddings of a batch (texts × pieces × d), of which the gradient penalty takes the gradient."""
        result: torch.Tensor = self.base.get_input_embeddings()(window.inputs["input_ids"])  # type: ignore[operator]
        return result

    def forward(self, embeddings: torch.Tensor, window: Window) -> tuple[torch.Tensor, torch.Tensor]:
        """f of each text (n), and what it was read as (n × 2d): the mean of its pieces, and what has seen all."""
        given = {name: tensor for name, tensor in window.inputs.items() if name != "input_ids"}
        read = Window({"inputs_embeds": embeddings, **given}, window.content, window.last)
        means, whole, _ = read_states(self.base, read, self.trunk.layers)
        pooled = self.dropout(torch.cat([means[:, 0], whole], 1).to(self.score.weight.dtype))
        return self.score(pooled)[:, 0], pooled

    def confidence(self, generated: torch.Tensor, references: torch.Tensor) -> torch.Tensor:
        """Logits of c (n), of pairs of texts as `forward` has read them (n × 2d each) (equation 10)."""
        logits: torch.Tensor = self.sure(torch.cat([generated, references], 1))[:, 0]
        return logits


def perception_loss(
    generated: torch.Tensor, references: torch.Tensor, confidence: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Means over pairs of L_t = -log(c P_reference + 1 - c) and L_c = -log c (equations 11 to 13).

    `generated`, `references`: f of each (n); `confidence`: logits of c (n).
    """
    certain = nn.functional.logsigmoid(confidence)
    unsure = nn.functional.logsigmoid(-confidence)
    right = nn.functional.logsigmoid(references - generated)
    # In logarithms, since P may be too small for a float: log(c P + (1 - c)).
    return -torch.logaddexp(certain + right, unsure).mean(), -certain.mean()


def penalised(critic: Critic, generated: Window, references: Window) -> tuple[torch.Tensor, ...]:
    """f and readings of both sides, as `forward` gives them, and the mean gradient penalty of these pairs (equation 5):
    (‖∇ (f(generated) - f(reference))‖ - 1)², over the word embeddings of both texts together.
    """
    # The penalty is differentiated once more, which the fused kernels of attention cannot be.
    with sdpa_kernel(SDPBackend.MATH), torch.enable_grad():
        begun = [critic.embeddings(window) for window in (generated, references)]
        begun = [tensor if tensor.requires_grad else tensor.detach().requires_grad_() for tensor in begun]
        (ours, read), (theirs, read_theirs) = (
            critic(tensor, window) for tensor, window in zip(begun, (generated, references), strict=True)
        )
        gradients = torch.autograd.grad((ours - theirs).sum(), begun, create_graph=True)
    squares = torch.stack([gradient.square().sum((1, 2)) for gradient in gradients]).sum(0)
    penalty = ((squares + _TINY).sqrt() - 1).square().mean()
    return ours, read, theirs, read_theirs, penalty
