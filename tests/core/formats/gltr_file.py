"""A small file of GLTR's."""

from typing import Any

from core.pieces import piece_of


def small(**changes: Any) -> dict[str, Any]:
    """A file of two tokens, the second a quotation mark's last two bytes; `changes` to its result."""
    result = {
        "bpe_strings": ["<|endoftext|>", "Hi", "Ġ" + piece_of("’".encode()[:1]), piece_of("’".encode()[1:])],
        "real_topk": [[3, 0.1], [0, 0.5], [120, 0.0]],
        "pred_topk": [[["A", 0.4], ["Ġ", 0.2]], [["Ġâ", 0.5], ["b", 0.1]], [["Ġc", 1.0], ["d", 0.0]]],
    }
    return {"request": {"project": "new", "text": "Hi ’"}, "result": {**result, **changes}}
