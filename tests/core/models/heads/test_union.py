"""UNION's heads and losses against the same written out, story by story."""

import math

import pytest
import torch

from core.models.heads.union import UnionHead, classification_loss, reconstruction_loss
from core.models.shape import NARROW

WIDTH, LAYERS, STORIES, VOCABULARY = 6, 2, 4, 11


@pytest.fixture
def head() -> UnionHead:
    torch.manual_seed(1)
    union_head = UnionHead(LAYERS, WIDTH, dropout=0.0)
    torch.nn.init.normal_(union_head.score.weight)
    union_head.centre(torch.randn(20, (LAYERS + 1) * WIDTH) * 3 + 1, torch.randn(50, WIDTH) * 2 - 1)
    return union_head


def batch() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    torch.manual_seed(2)
    content = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], dtype=torch.bool)
    return torch.randn(STORIES, LAYERS, WIDTH), torch.randn(STORIES, WIDTH), torch.randn(STORIES, 5, WIDTH), content


def test_the_score_is_that_of_the_formula(head: UnionHead) -> None:
    layers, whole, pieces, content = batch()
    logits, narrow = head(layers, whole, pieces, content)
    for i in range(STORIES):
        features = torch.cat([layers[i, 0], layers[i, 1], whole[i]])
        features = (features - head.features_mean) / head.features_deviation
        own = [
            torch.nn.functional.gelu(head.narrow((piece - head.pieces_mean) / head.pieces_deviation))
            for piece in pieces[i][content[i]]
        ]
        mean = sum(own) / len(own) if own else torch.zeros(NARROW)
        highest = torch.stack(own).max(0).values if own else torch.zeros(NARROW)
        assert logits[i].item() == pytest.approx(head.score(torch.cat([features, mean, highest])).item(), abs=1e-4)
        for tensor, other in zip(own, narrow[i], strict=False):
            assert torch.allclose(tensor, other, atol=1e-5)


def test_padding_changes_nothing(head: UnionHead) -> None:
    layers, whole, pieces, content = batch()
    wider = torch.cat([pieces, torch.full((STORIES, 3, WIDTH), 1e4)], 1)
    more = torch.cat([content, torch.zeros(STORIES, 3, dtype=torch.bool)], 1)
    assert torch.allclose(head(layers, whole, pieces, content)[0], head(layers, whole, wider, more)[0], atol=1e-4)


def test_an_untrained_head_knows_nothing() -> None:
    logits, _ = UnionHead(LAYERS, WIDTH)(*batch())
    assert torch.equal(logits, torch.zeros(STORIES))


def test_constants_bring_the_training_stories_to_mean_0_and_deviation_1() -> None:
    union_head = UnionHead(LAYERS, WIDTH)
    rows, pieces = torch.randn(9, (LAYERS + 1) * WIDTH) * 5 + 2, torch.ones(7, WIDTH)
    union_head.centre(rows, pieces)
    tensor = (rows - union_head.features_mean) / union_head.features_deviation
    assert torch.allclose(tensor.mean(0), torch.zeros(()), atol=1e-5)
    assert torch.allclose(tensor.std(0, correction=0), torch.ones(()), atol=1e-5)
    assert torch.isfinite((pieces - union_head.pieces_mean) / union_head.pieces_deviation).all()  # all equal


def test_classification_is_equation_3() -> None:
    logits, human = torch.tensor([2.0, -1.0, 0.5]), torch.tensor([True, False, False])
    by_hand = [
        -math.log(1 / (1 + math.exp(-z))) if y else -math.log(1 - 1 / (1 + math.exp(-z)))
        for z, y in zip(logits.tolist(), human.tolist(), strict=True)
    ]
    assert classification_loss(logits, human).item() == pytest.approx(sum(by_hand) / 3, abs=1e-6)


def test_reconstruction_is_equation_5_position_by_position(head: UnionHead) -> None:
    _, _, _, content = batch()
    narrow = torch.randn(STORIES, 5, NARROW)
    embeddings = torch.randn(VOCABULARY, WIDTH)
    targets = [torch.tensor([3, 1, 4]), torch.tensor([1, 5, 9, 2]), torch.tensor([], dtype=torch.long),
               torch.tensor([6, 5])]  # fmt: skip
    means = []
    for i in range(STORIES):
        own = int(content[i].sum())
        losses = []
        for position in range(min(own, len(targets[i]))):
            state = head.rebuild(narrow[i, position])
            scores = [math.exp((state @ embeddings[word]).item()) for word in range(VOCABULARY)]
            losses.append(-math.log(scores[int(targets[i][position])] / sum(scores)))
        if losses:
            means.append(sum(losses) / len(losses))
    assert len(means) == 2  # one story has no original, one no pieces
    tensor = reconstruction_loss(head, narrow, content, targets, embeddings)
    assert tensor.item() == pytest.approx(sum(means) / 2, abs=1e-4)


def test_a_smaller_vocabulary_is_a_softmax_over_it_alone(head: UnionHead) -> None:
    _, _, _, content = batch()
    narrow, embeddings = torch.randn(STORIES, 5, NARROW), torch.randn(VOCABULARY, WIDTH)
    targets = [torch.tensor([3, 1]), torch.tensor([1]), torch.tensor([3]), torch.tensor([3])]
    vocabulary = torch.tensor([1, 3, 8])
    own = reconstruction_loss(head, narrow, content, targets, embeddings, vocabulary)
    small = reconstruction_loss(
        head, narrow, content, [torch.searchsorted(vocabulary, target) for target in targets], embeddings[vocabulary]
    )
    assert own.item() == pytest.approx(small.item(), abs=1e-6)
    assert own.item() < reconstruction_loss(head, narrow, content, targets, embeddings).item()


def test_drawn_positions_stand_for_all_of_them(head: UnionHead) -> None:
    """Each position comes equally often, so that the mean over draws is the loss over all."""
    _, _, _, content = batch()
    narrow, embeddings = torch.randn(STORIES, 5, NARROW), torch.randn(VOCABULARY, WIDTH)
    targets = [torch.tensor([3, 1, 4, 8]), torch.tensor([1, 2]), torch.tensor([3]), torch.tensor([3])]
    given = (head, narrow, content, targets, embeddings, None)
    whole = reconstruction_loss(*given)
    assert reconstruction_loss(*given, 4).item() == whole.item()
    drawn = torch.tensor([reconstruction_loss(*given, 1).item() for _ in range(800)])
    assert drawn.std() > 0
    assert drawn.mean().item() == pytest.approx(whole.item(), abs=4 * drawn.std().item() / 800**0.5)


def test_nothing_to_rebuild_is_a_loss_of_0_with_a_gradient(head: UnionHead) -> None:
    narrow = torch.randn(1, 2, NARROW, requires_grad=True)
    none = torch.zeros(1, 2, dtype=torch.bool)
    loss = reconstruction_loss(head, narrow, none, [torch.tensor([1])], torch.randn(VOCABULARY, WIDTH))
    loss.backward()
    assert loss.item() == 0
