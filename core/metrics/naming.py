"""What a metric is called in a study: its plain name with the usual settings, else its name with what differs.

`union` is always the checkpoint and the options that `score` takes where nothing is said; `union[union-wp]` is the same
metric with another checkpoint, `bleu[references=mean]` with another option. A name is made of the signature alone, so
that it never changes because something else was scored. Scores from a file have the plain name too, unless the study
has computed ones under it: then they are `bleu[file]`, a name that always finds them.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from core.annotation.builtin import PREFERENCES
from core.checkpoints.checkpoint import CARD
from core.checkpoints.store import SHIPPED, checkpoints_folder
from core.errors import FabulaError, InputError
from core.judges.study import JudgedStudy
from core.metrics import family_of, registered
from core.metrics.base import PRECISIONS, Settings
from core.metrics.blend import Blend
from core.scores import IMPORTED

Pair = tuple[str, str]
"""A metric's registered name and a signature."""
FILE = "file"
_CHECKPOINT = re.compile(r"\|checkpoint:([0-9a-f]{12})(?=\||$)")
_FROM_FILE = re.compile(r"(?:^[^|]*\||^)file:([0-9a-f]{6})[0-9a-f]{6}(?=\||$)")
_PARTS = re.compile(r"\|parts:\((.*)\)\|v:[0-9]+$")


@dataclass(frozen=True)
class _Known:
    """A checkpoint as its card names it, and how its texts are read."""

    name: str
    options: Mapping[str, Any]


def negated_number(metric: str, signature: str) -> str:
    """`minus Fp`: what a score is where Fabula computes it and it is minus what the metric's name says; "" else."""
    kind = None if signature.startswith(IMPORTED) else registered(metric)
    return kind.card.number if kind is not None and kind.card.negated else ""


def unique_names(pairs: Sequence[Pair]) -> list[str]:
    """What each is called, all different; of different signatures with the same settings, such as two files of one
    metric, each carries a piece of the file's hash, which is in the signature; where that tells nothing, of the
    signature's own.
    """
    names = [_name(metric, label(metric, signature)) for metric, signature in pairs]
    computed = {name for name, (_, text) in zip(names, pairs, strict=True) if not text.startswith(IMPORTED)}
    names = [
        _name(metric, FILE) if text.startswith(IMPORTED) and name in computed else name
        for name, (metric, text) in zip(names, pairs, strict=True)
    ]
    double = {name for name, times in Counter(names).items() if times > 1}
    different = len({text for name, (_, text) in zip(names, pairs, strict=True) if name in double}) > 1
    files = Counter((name, _file(text)) for name, (_, text) in zip(names, pairs, strict=True))
    taken: Counter[str] = Counter()
    unique = []
    for name, (metric, text) in zip(names, pairs, strict=True):
        taken[name] += 1
        # The same signature twice is no study's: it is numbered.
        told = file if (file := _file(text)) and files[name, file] == 1 else _hash(text)
        piece = "" if name not in double else told if different else str(taken[name]) if taken[name] > 1 else ""
        own = name.removeprefix(metric).strip("[]")
        unique.append(_name(metric, ", ".join(filter(None, (own, piece)))))
    return unique


def place_of(wanted: str, pairs: Sequence[Pair]) -> int:
    """The place of what is called so, or has this signature.

    Raises InputError naming what there is: a plain name never stands for other settings than the usual ones.
    """
    names = unique_names(pairs)
    for called in (names, [signature for _, signature in pairs]):
        if wanted in called:
            return called.index(wanted)
    imported = [place for place, (metric, text) in enumerate(pairs) if text.startswith(IMPORTED)
                and wanted == _name(metric, FILE)]  # fmt: skip
    if len(imported) == 1:
        return imported[0]
    same = [place for place, (metric, _) in enumerate(pairs) if metric == wanted]
    if len(same) == 1 and not _usual(wanted):
        return same[0]  # it has no usual settings: a model or a checkpoint has to be named
    if same:
        part = ", ".join(names[place] for place in same)
        raise InputError(
            f"{wanted!r} is the metric with its usual settings, of which the study has no scores; it has {part}: "
            "name one of these."
        )
    raise InputError(
        f"The study has no scores of {wanted!r}; it has {', '.join(names)}."
        if names
        else "The study has no scores yet; run a metric or import some."
    )


def is_among(wanted: str, pairs: Sequence[Pair]) -> bool:
    """Whether one of these is called so, or was while another stood beside it that would have had the same name."""
    try:
        place_of(wanted, pairs)
    except InputError:
        pieces = [(metric, piece) for metric, text in pairs for piece in (_file(text), _hash(text)) if piece]
        return any(wanted.startswith(f"{metric}[") and wanted.endswith(f"{piece}]") for metric, piece in pieces)
    return True


def parse_name(name: str) -> tuple[str, dict[str, str]]:
    """The metric and the options that a name asks for: `union[union-wp]` a checkpoint, `bleu[references=mean]` another
    setting; nothing but the metric for a name without brackets. Raises InputError for what no option gives.
    """
    metric, bracket, inside = name.partition("[")
    kind = registered(metric)
    if not bracket or kind is None:
        return name, {}
    options: dict[str, str] = {}
    for part in inside.removesuffix("]").split(","):
        key, separator, value = part.strip().partition("=")
        if not separator:
            key, value = "checkpoint", key
        wrong = not value or key not in kind.options or key in options
        if wrong or (key == "checkpoint" and value in PRECISIONS):
            raise InputError(
                f"{name!r} does not say how to score: in brackets stand a checkpoint, where {metric} has one, or "
                "OPTION=VALUE, each once. Precision and model are options of the run."
            )
        options[key] = value
    return metric, options


def label(metric: str, signature: str) -> str:
    """What sets a signature apart from the metric's usual settings, in words; "" where nothing does."""
    kind = registered(metric)
    if signature.startswith(IMPORTED) or kind is None:
        return ""
    if issubclass(kind, Blend):
        return _label_of_blend(kind, signature)
    usual, special = _usual(metric), []
    parts = _parts(signature)
    if match := _CHECKPOINT.search(signature):
        if usual.get("checkpoint") != match[1]:
            known = _checkpoints().get(match[1])
            special.append(known.name if known else match[1])
            usual = usual | {"model": parts.get("model", "")} | (_read(known) if known else {})
        parts.pop("checkpoint")
    for key, value in {**parts, **kind.unsaid(parts)}.items():
        if key == "v":
            special += [f"v{value}"] if value != str(kind.version) else []
        elif value != usual.get(key, value if key != "model" else "") and value.split("@")[0] != usual.get(key):
            special.append(_said(key, value, usual.get(key, "")))
    return ", ".join(special)


def _said(key: str, value: str, usual: str) -> str:
    """A setting as a name says it: models, engines and precisions speak for themselves."""
    if key == "model":
        name = value.split("@")[0].rsplit("/", 1)[-1]
        return value if name == usual.split("@")[0] else name
    return value if key in ("engine", "dtype") else f"{key}={value}"


def _label_of_blend(kind: type[Blend], signature: str) -> str:
    head = signature.split("|parts:", 1)[0]
    usual = f"how:{kind.options['how'].values[0]}"
    special = [part.removeprefix("how:") for part in head.split("|")[1:] if part.startswith("how:") and part != usual]
    inside = _PARTS.search(signature)
    for part in inside[1].split("),(") if inside else ():
        name = part.split("|", 1)[0]
        special += [f"{name} {own}"] if (own := label(name, part)) else []
    return ", ".join(special)


def _name(metric: str, label: str) -> str:
    return f"{metric}[{label}]" if label else metric


def _hash(signature: str) -> str:
    return hashlib.sha256(signature.encode()).hexdigest()[:6]


def _file(signature: str) -> str:
    """How the hash of the file begins that the metric, or its scores, came from; "" where it is none."""
    match = _FROM_FILE.search(signature)
    return match[1] if match else ""


def _parts(signature: str) -> dict[str, str]:
    """The settings of a signature by key; idf tables are of a study's references, and a judge's prompt has its form's
    wording, which say nothing of the settings.
    """
    pairs = (part.partition(":") for part in signature.split("|")[1:])
    return {
        key: value.split("@")[0] if key in ("idf", "template") else value
        for key, separator, value in pairs
        if separator
    }


@lru_cache(maxsize=64)
def _usual(metric: str) -> dict[str, str]:
    """The settings of a metric where nothing is said; empty where a model or a checkpoint has to be named."""
    kind = registered(family_of(metric))  # a criterion may be a study's own
    if kind is None:
        return {}
    try:
        usual = _parts(kind(Settings(corpus=tuple, judged=JudgedStudy(PREFERENCES))).signature)
    except FabulaError:
        return {}
    return usual | {"engine": "", "dtype": PRECISIONS[0]}


def _read(known: _Known) -> dict[str, str]:
    """How a checkpoint reads its texts where nothing is said."""
    options = {"normalisation": "normalisation", "first_words": "words"}
    return {key: str(known.options.get(trained) or "all") for key, trained in options.items()}


def _checkpoints() -> Mapping[str, _Known]:
    """Those that come along or are kept here, by the beginning of their weights' hash."""
    own = checkpoints_folder()
    return _shipped() | _cards(tuple(sorted(own.iterdir())) if own.is_dir() else ())


@lru_cache(maxsize=1)
def _shipped() -> dict[str, _Known]:
    return _cards(tuple(sorted(SHIPPED.iterdir())))


@lru_cache(maxsize=8)
def _cards(folders: tuple[Any, ...]) -> dict[str, _Known]:
    """Return the cards of these folders by hash; a folder without a card that can be read names nothing."""
    result = {}
    for folder in folders:
        if (file := folder / CARD).is_file():
            card = json.loads(file.read_text(encoding="utf-8"))
            result[str(card["weights"])[:12]] = _Known(str(card["name"]), card.get("options", {}))
    return result
