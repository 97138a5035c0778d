"""A tokenizer's pieces in readable form."""

import re
from functools import cache
from typing import Any

from core.pieces import bytes_of, readable

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


class Pieces:
    """What the ids of a tokenizer stand for. Byte-level pieces are bytes; SentencePiece's `▁` is a space; BERT's
    `##` stays, since it tells a word's end from a word.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._added = {int(i): str(token) for i, token in tokenizer.added_tokens_decoder.items()}
        decoder = tokenizer.backend_tokenizer.decoder
        kind = decoder.__getstate__().decode() if decoder is not None else ""
        self.byte_level = '"ByteLevel"' in kind
        self._spaces = '"Metaspace"' in kind or "▁" in kind
        self.text = cache(self._text)

    def bytes_of(self, token: int) -> bytes:
        """The bytes of a byte-level tokenizer's token."""
        added = self._added.get(token)
        return bytes_of(str(self._tokenizer.convert_ids_to_tokens(token))) if added is None else added.encode()

    def _text(self, token: int) -> str:
        if token in self._added:
            return self._added[token]
        piece = self._tokenizer.convert_ids_to_tokens(token) if token < len(self._tokenizer) else None
        if piece is None:  # a head may have more rows than the tokenizer has pieces
            return f"[{token}]"
        if self.byte_level:
            return readable(self.bytes_of(token))
        if match := _BYTE.fullmatch(piece):
            return readable(bytes.fromhex(match[1]))
        return str(piece).replace("▁", " ") if self._spaces else str(piece)
