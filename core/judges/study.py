"""What a judge is given of a study: the form that people answer, the study's templates, rated stories as examples, and
where replies are kept.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from core.annotation.builtin import MANS, SCHEMES
from core.annotation.criterion import PREFERENCE, Criterion
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.judges.asking import Reply, Request
from core.judges.prompt import Shot
from core.judges.template import Template


class ReplyStore(Protocol):
    """Where replies are kept, so that nothing is asked twice."""

    def find(self, keys: Sequence[str]) -> Mapping[str, Reply]:
        """Those of these questions that were asked before."""

    def keep(self, model: str, request: Request, reply: Reply) -> None:
        """Keep one as soon as it is there."""


class ReplyMemory:
    """Replies of this process, for texts that belong to no study."""

    def __init__(self) -> None:
        self._kept: dict[str, Reply] = {}

    def find(self, keys: Sequence[str]) -> Mapping[str, Reply]:
        """Those of these questions that were asked before."""
        return {key: self._kept[key] for key in keys if key in self._kept}

    def keep(self, model: str, request: Request, reply: Reply) -> None:
        """Keep one."""
        self._kept[request.key] = reply


@dataclass(frozen=True)
class RepliesOf:
    """Keeps replies about changed texts with the stories that these are made of, so that they stay and go with them.

    `hashes`: a story's content hash by that of what is asked.
    """

    store: ReplyStore
    hashes: Mapping[str, str]

    def find(self, keys: Sequence[str]) -> Mapping[str, Reply]:
        """Those of these questions that were asked before."""
        return self.store.find(keys)

    def keep(self, model: str, request: Request, reply: Reply) -> None:
        """Keep one."""
        own = self.hashes.get(request.content_hash, request.content_hash)
        self.store.keep(model, replace(request, content_hash=own), reply)


@dataclass(frozen=True)
class JudgedStudy:
    """Of stories that belong to no study, people are taken to answer MANS's form: an overall rating from 1 to 5.

    `rated`: the stories that people have rated, in import order, with their mean ratings by criterion.
    """

    scheme: Scheme = MANS
    templates: tuple[Template, ...] = ()
    rated: Callable[[], Iterable[Shot]] = tuple
    replies: ReplyStore = field(default_factory=ReplyMemory, compare=False)

    def criterion(self, name: str) -> Criterion:
        """The criterion of this name, "" for the main one: as the study asks it, else as one of Fabula's forms does;
        and of a study of pairs, which asks it of no story alone, MANS's overall rating as the main one.

        Raises InputError naming those there are.
        """
        schemes = (self.scheme, *SCHEMES.values())
        wanted = name.strip().casefold()
        offered: dict[str, Criterion] = {}
        for criterion in (criterion for scheme in schemes for criterion in (scheme.main, *scheme.criteria)):
            if criterion.name != PREFERENCE:
                offered.setdefault(criterion.name.casefold(), criterion)
        if not wanted:
            return next(iter(offered.values()))
        if wanted in offered:
            return offered[wanted]
        raise InputError(
            f"There is no criterion {name[:60]!r} to judge: neither does the study ask for it, nor has any of Fabula's "
            f"forms a question for it; there are {', '.join(criterion.name for criterion in offered.values())}."
        )

    @property
    def preference(self) -> Criterion:
        """What people are asked about two stories. Raises InputError where they are asked about single ones."""
        if not self.scheme.unit.of_pairs:
            raise InputError(
                "A judge of pairs is asked about two stories that people compared, and here stories stand alone: make "
                "pairs of a study's ratings with `export --format preferences`, import them as a study of their own "
                "with `import preferences` and judge that, or judge single stories by points."
            )
        return self.scheme.main

    def form(self, criterion: Criterion) -> Scheme:
        """The form that the criterion stands on; with nothing else where that is not the study's own."""
        for scheme in (self.scheme, *SCHEMES.values()):
            if criterion in scheme.criteria:
                return scheme if scheme is self.scheme else scheme.asking(criterion)
        return MANS
