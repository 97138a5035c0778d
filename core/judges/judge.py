"""A judge at work: what it is asked about each story, what is asked again, and the score that its replies give."""

import hashlib
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import numpy as np

from core.annotation.criterion import Criterion
from core.annotation.scheme import Scheme
from core.errors import InputError
from core.judges.answers import expected_score, read_criteria, read_deductions, read_number
from core.judges.asking import AGAIN, Backend, Message, OnPart, Reply, Request
from core.judges.asking_progress import AskingProgress
from core.judges.prompt import Shot, messages
from core.judges.study import ReplyStore
from core.judges.template import Template, Way
from core.stories import Story

MOST_SHOTS = 8
SHOWN_AGAIN = 1_000
"""Characters of an unreadable reply that the judge is shown when it is asked again."""
TOKENS_OF_REPLY = {Way.POINTS: 16, Way.CRITERIA: 160, Way.DEDUCTIONS: 400, Way.PAIRS: 16}
"""How long a reply in words may become: a rating, a number for each criterion, errors with their quotes, a letter."""
Item = TypeVar("Item", contravariant=True)
Said = TypeVar("Said", covariant=True)


class Asked(Protocol[Item, Said]):
    """What a judge is asked about each item, a story or a pair of them, and what its replies say."""

    def requests(self, model: str, item: Item) -> list[Request]:
        """All questions about one item; `model`: all that says where the answers come from."""

    def again(self, model: str, request: Request, reply: Reply, reason: str) -> Request:
        """A question once more, after a reply that could not be read."""

    def reading(self, place: int, reply: Reply, item: Item) -> Said | str:
        """What the reply to one of `requests` says, or why it says nothing."""


@dataclass(frozen=True)
class Question:
    """All that a judge is asked of every story alike. `shots`: rated stories of different prompts, one more than are
    shown, so that none is of the prompt that is judged. `times`: how often all of this has been asked before, so that
    its samples are new ones.
    """

    template: Template
    scheme: Scheme
    criterion: Criterion
    shots: tuple[Shot, ...] = ()
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0
    times: int = 0

    def __post_init__(self) -> None:
        if self.samples > 1 and not self.temperature:
            raise InputError("Several samples of a reply differ at a temperature above 0 only; give one, such as 0.7.")
        way = self.template.way
        if way is Way.DEDUCTIONS and (self.criterion != self.scheme.main or not self.scheme.deducts):
            raise InputError(
                f"Deductions are asked where a form's error types take points, and of its main criterion; of "
                f"{self.criterion.name} here, judge by points."
            )
        if self.shots and way is Way.DEDUCTIONS:
            raise InputError("Rated stories as examples go with points and criteria, not with deductions.")
        if self.shots and "{rated}" not in self.template.system + self.template.user:
            raise InputError(f"The template {self.template.title!r} shows no rated stories: it has no {{rated}}.")

    @property
    def prompt_hash(self) -> str:
        """Of the whole prompt but the story: the template with the form's wording, and the examples."""
        said = [
            [message.role, message.text]
            for message in messages(
                self.template, self.scheme, self.criterion, self.shots, Story("{story}", "{opening}")
            )
        ]
        return digest([self.template.way, said])[:12]

    def messages(self, story: Story) -> tuple[Message, ...]:
        """What is asked about a story."""
        shown = [shot for shot in self.shots if shot.prompt.strip() != story.prompt.strip()][: len(self.shots) - 1]
        return messages(self.template, self.scheme, self.criterion, shown, story)

    def request(self, model: str, story: Story, sample: int = 0) -> Request:
        """One question about a story. `model`: all that says where the answer comes from."""
        graded = self.template.way is Way.POINTS and self.samples == 1
        scale = tuple(map(str, self.criterion.steps)) if graded else ()
        asked = Request("", self.messages(story), scale, sample, story.content_hash)
        return keyed(asked, model, self.temperature, self.seed)

    def requests(self, model: str, item: Story) -> list[Request]:
        """Every sample."""
        first = self.times * self.samples
        return [self.request(model, item, sample) for sample in range(first, first + self.samples)]

    def again(self, model: str, request: Request, reply: Reply, reason: str) -> Request:
        """The question once more, after a reply that could not be read."""
        asked = replace(request, messages=once_more(request, reply, reason, self._wanted))
        return keyed(asked, model, self.temperature, self.seed)

    def reading(self, place: int, reply: Reply, item: Story) -> float | str:
        """The score that the reply to a sample gives, or why there is none."""
        return reply.problem or self.read(reply, item)

    @property
    def _wanted(self) -> str:
        if self.template.way is Way.POINTS:
            return f"Answer with one of the numbers {', '.join(map(str, self.criterion.steps))} and nothing else."
        return "Answer with one whole JSON object as described and nothing else."

    def read(self, reply: Reply, story: Story) -> float | str:
        """The score that a reply gives, or why none can be read."""
        if self.template.way is Way.CRITERIA:
            return read_criteria(reply.text, [self.criterion])[self.criterion.name]
        if self.template.way is Way.DEDUCTIONS:
            found = read_deductions(reply.text, self.scheme, story.text)
            return found if isinstance(found, str) else found.implied
        if reply.probabilities:
            return expected_score(reply.probabilities, self.criterion)
        return read_number(reply.text, self.criterion)


def draw_shots(rated: Iterable[Shot], criteria: Sequence[str], number: int, *, seed: int) -> tuple[Shot, ...]:
    """So many rated stories and one to spare, each of another prompt; only those rated on all of these criteria.

    Raises InputError where there are too few prompts.
    """
    by_prompt: dict[str, list[Shot]] = {}
    for shot in rated:
        if set(criteria) <= set(shot.ratings):
            by_prompt.setdefault(shot.prompt.strip(), []).append(shot)
    if len(by_prompt) < number + 1:
        raise InputError(
            f"To show a judge {number} rated stories of other openings, stories of {number + 1} openings must be rated "
            f"on {', '.join(criteria)}; there are {len(by_prompt)}."
        )
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(by_prompt))[: number + 1]
    groups = list(by_prompt.values())
    return tuple(groups[place][rng.integers(len(groups[place]))] for place in chosen)


def judge(
    question: Question,
    backend: Backend,
    model: str,
    store: ReplyStore,
    stories: Sequence[Story],
    on_progress: Callable[[float], None] | None = None,
) -> list[float | str]:
    """A score or a reason for each story, in order: the mean over the samples, of which half must be readable.

    What was replied before is not asked again; a reply that cannot be read is asked for once more. `model`: as
    `Question.request` takes it. Raises FabulaError where nothing can be asked.
    """
    return [_mean(values) for values in readings(question, backend, model, store, stories, on_progress)]


def readings(
    question: Asked[Item, Said],
    backend: Backend,
    model: str,
    store: ReplyStore,
    items: Sequence[Item],
    on_progress: Callable[[float], None] | None = None,
) -> list[list[Said | str]]:
    """Of each item in order what each of its requests came to, the unreadable ones asked for once more. `on_progress`
    is told how much more of all items is done, parts of an item too.
    """
    requests = [question.requests(model, item) for item in items]
    asked_for = {
        request.key: (place, item)
        for part, item in zip(requests, items, strict=True)
        for place, request in enumerate(part)
    }
    asking, progress = _Asking(backend, model, store), AskingProgress(requests, on_progress)

    def replied(key: str) -> None:
        place, item = asked_for[key]
        reply = asking.replies[key]
        progress.replied(key, final=bool(reply.problem) or not isinstance(question.reading(place, reply, item), str))

    asking.ask([request for part in requests for request in part], replied, progress.writing)
    read = [
        [question.reading(place, asking.replies[request.key], item) for place, request in enumerate(part)]
        for part, item in zip(requests, items, strict=True)
    ]
    repeated: dict[tuple[int, int], Request] = {}
    for number, part in enumerate(requests):
        for place, request in enumerate(part):
            reply, value = asking.replies[request.key], read[number][place]
            if isinstance(value, str) and not reply.problem:
                repeated[number, place] = question.again(model, request, reply, value)
    progress.ask_again({again.key: requests[number][place].key for (number, place), again in repeated.items()})
    asking.ask(list(repeated.values()), lambda key: progress.replied(key, final=True), progress.writing)
    for (number, place), request in repeated.items():
        read[number][place] = question.reading(place, asking.replies[request.key], items[number])
    return read


class _Asking:
    """Questions that go to a backend unless their replies are kept."""

    def __init__(self, backend: Backend, model: str, store: ReplyStore) -> None:
        self._backend = backend
        self._model = model
        self._store = store
        self.replies: dict[str, Reply] = {}

    def ask(self, requests: Sequence[Request], on_reply: Callable[[str], None], on_part: OnPart) -> None:
        """Ask each different question once; `on_reply` receives the key of each as soon as its reply is there. A
        problem that was kept is no reply.
        """
        todo = {request.key: request for request in requests}
        kept = self._store.find(list(todo))
        self.replies |= {key: reply for key, reply in kept.items() if not reply.problem}
        left = {key: request for key, request in todo.items() if key not in self.replies}
        for key in todo.keys() - left.keys():
            on_reply(key)

        def keep(reply: Reply) -> None:
            self.replies[reply.key] = reply
            self._store.keep(self._model, left[reply.key], reply)
            on_reply(reply.key)

        if left:
            self._backend.ask(list(left.values()), keep, on_part)


def _mean(values: Sequence[float | str]) -> float | str:
    if reason := too_few_read(values):
        return reason
    numbers = [value for value in values if not isinstance(value, str)]
    return math.fsum(numbers) / len(numbers)


def too_few_read(samples: Sequence[object]) -> str:
    """Why samples say nothing, of which those that could not be read are reasons; "" where half could be."""
    reasons = [value for value in samples if isinstance(value, str)]
    if len(reasons) < len(samples) and 2 * len(reasons) <= len(samples):
        return ""
    reason = next((reason for reason in reasons if reason.endswith(AGAIN)), reasons[0])
    return reason if len(samples) == 1 else f"{len(reasons)} of {len(samples)} samples: {reason}"


def once_more(request: Request, reply: Reply, reason: str, wanted: str) -> tuple[Message, ...]:
    """A question with the reply that could not be read, why, and what is wanted."""
    return (
        *request.messages,
        Message("assistant", reply.text[:SHOWN_AGAIN]),
        Message("user", f"That cannot be read: {reason}. {wanted}"),
    )


def keyed(request: Request, model: str, temperature: float, seed: int) -> Request:
    """The request under the key that says all that its reply depends on."""
    return replace(request, key=digest([model, temperature, seed, request.sample, request.request_hash]))


def digest(parts: object) -> str:
    """SHA-256 of anything that JSON can hold."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()
