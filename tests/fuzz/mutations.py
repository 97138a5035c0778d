"""Damage: what transmission, other programs and hostile people do to a file."""

import random
import zipfile
from io import BytesIO

from tests.fuzz.importers import Files

TOKENS = (
    *(b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\n\n", b'"', b"'", b",", b"\t", b"\\u0000"),
    *(
        b"null",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"9" * 400,
        b"9" * 5_000,
        b"-1",
        b"0x10",
        b"1_000",
        b"true",
        b"{}",
        b"[]",
    ),
    *(
        b"[" * 2_000,
        b'{"a":' * 2_000,
        b"(" * 500,
        b"A" * 70_000,
        "\u202e\u0000😀".encode(),
        b"../../etc/passwd",
        b"=1+1",
    ),
)


def damaged(files: Files, dice: random.Random) -> Files:
    """The files with one to four wounds, in one of them as a rule; zips are wounded within, too."""
    result = dict(files)
    for _ in range(dice.choice((1, 1, 1, 2, 4))):
        name = dice.choice(sorted(result))
        if name.endswith(".zip") and dice.random() < 0.5:
            result[name] = _within(result[name], dice)
        else:
            result[name] = _wounded(result[name], dice)
    if len(result) > 1 and dice.random() < 0.1:
        del result[dice.choice(sorted(result))]
    return result


def _within(content: bytes, dice: random.Random) -> bytes:
    """A zip whose files are wounded, and which is whole itself."""
    try:
        with zipfile.ZipFile(BytesIO(content)) as archive:
            inside = {name: archive.read(name) for name in archive.namelist()}
    except Exception:  # it is broken already
        return _wounded(content, dice)
    if not inside:
        return _wounded(content, dice)
    out = BytesIO()
    victim = dice.choice(sorted(inside))
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in inside.items():
            archive.writestr(name, _wounded(data, dice) if name == victim else data)
    return out.getvalue()


def _wounded(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    until = min(len(data), at + dice.choice((1, 1, 2, 8, 64, 1_000)))
    match dice.randrange(9):
        case 0:  # bits
            changed = bytearray(data)
            for _ in range(dice.choice((1, 3, 20))):
                if changed:
                    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
            return bytes(changed)
        case 1:  # cut off
            return data[:at]
        case 2:  # a piece is gone
            return data[:at] + data[until:]
        case 3:  # a piece twice
            return data[:until] + data[at:]
        case 4 | 5:  # something is put in
            return data[:at] + dice.choice(TOKENS) + data[at:]
        case 6 | 7:  # something stands there instead
            return data[:at] + dice.choice(TOKENS) + data[until:]
        case _:  # two pieces change places
            other = dice.randrange(len(data) + 1)
            low, high = sorted((at, other))
            return data[high:] + data[low:high] + data[:low]
