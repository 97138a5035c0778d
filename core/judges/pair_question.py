"""A judge of pairs at work: each two stories are shown in both orders, and what it says twice is what it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.annotation.criterion import Criterion
from core.errors import InputError
from core.judges.answers import LEAST_MASS, NO_MASS
from core.judges.asking import Backend, Message, Reply, Request
from core.judges.judge import digest, keyed, once_more, readings, too_few_read
from core.judges.pair import StoryPair, Verdict, choices, is_letter, read_choice
from core.judges.prompt import pair_messages
from core.judges.study import ReplyStore
from core.judges.template import Template

Leaning = tuple[float, float, float]
"""How much of an answer says that the pair's first story is better, that both are equal, that the second is: together
1.
"""


@dataclass(frozen=True)
class PairQuestion:
    """All that a judge is asked of every two stories alike; `samples`: replies in either order."""

    template: Template
    criterion: Criterion
    samples: int = 1
    temperature: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        if self.samples > 1 and not self.temperature:
            raise InputError("Several samples of a reply differ at a temperature above 0 only; give one, such as 0.7.")

    @property
    def prompt_hash(self) -> str:
        """Of the whole prompt but the stories: the template with the form's wording."""
        shown = StoryPair("{opening}", "{first}", "{second}")
        said = [[message.role, message.text] for message in self.messages(shown)]
        return digest([self.template.way, said])[:12]

    def messages(self, pair: StoryPair) -> tuple[Message, ...]:
        """What is asked about two stories, in this order."""
        return pair_messages(self.template, self.criterion, pair)

    def request(self, model: str, pair: StoryPair, sample: int = 0) -> Request:
        """One question about two stories in this order. `model`: all that says where the answer comes from."""
        scale = tuple(choices(self.criterion)) if self.samples == 1 else ()
        asked = Request("", self.messages(pair), scale, sample, pair.first_hash, pair.second_hash)
        return keyed(asked, model, self.temperature, self.seed)

    def requests(self, model: str, item: StoryPair) -> list[Request]:
        """Both orders, all samples of the one before those of the other."""
        return [self.request(model, shown, n) for shown in (item, item.swapped) for n in range(self.samples)]

    def again(self, model: str, request: Request, reply: Reply, reason: str) -> Request:
        """The question once more, after a reply that could not be read."""
        wanted = f"Answer with one of the letters {', '.join(choices(self.criterion))} and nothing else."
        asked = replace(request, messages=once_more(request, reply, reason, wanted))
        return keyed(asked, model, self.temperature, self.seed)

    def reading(self, place: int, reply: Reply, item: StoryPair) -> Leaning | str:
        """What the reply to one of `requests` says of the pair, or why it says nothing."""
        said = reply.problem or self.read(reply)
        if isinstance(said, str) or place < self.samples:
            return said
        second, equal, first = said  # the pair's second story was shown first
        return first, equal, second

    def read(self, reply: Reply) -> Leaning | str:
        """What a reply says of the two stories as they were shown: the probabilities of the letters where it is one of
        them and they are told, else its words.
        """
        letters = {letter: value for letter, (value, _) in choices(self.criterion).items()}
        weights = [0.0, 0.0, 0.0]
        if reply.probabilities and (not reply.text.strip() or is_letter(reply.text, self.criterion)):
            for letter, value in letters.items():
                weights[value + 1] = float(reply.probabilities.get(letter, 0.0))
            whole = sum(weights)
            if not whole >= LEAST_MASS:
                return NO_MASS
            return weights[0] / whole, weights[1] / whole, weights[2] / whole
        said = read_choice(reply.text, self.criterion)
        if isinstance(said, str):
            return said
        weights[said + 1] = 1.0
        return weights[0], weights[1], weights[2]


def judge_pairs(
    question: PairQuestion,
    backend: Backend,
    model: str,
    store: ReplyStore,
    pairs: Sequence[StoryPair],
    on_progress: Callable[[float], None] | None = None,
) -> list[Verdict]:
    """What the judge says of each pair in both orders; of several samples half must be readable in either.

    As `judge` otherwise: what was replied before is not asked again, a reply that cannot be read is asked for once
    more, and FabulaError is raised where nothing can be asked.
    """
    read = readings(question, backend, model, store, pairs, on_progress)
    return [_verdict(part[: question.samples], part[question.samples :]) for part in read]


def _verdict(forward: Sequence[Leaning | str], backward: Sequence[Leaning | str]) -> Verdict:
    there, back = _likeliest(forward), _likeliest(backward)
    reason = next((said for said in (there, back) if isinstance(said, str)), "")
    return Verdict(None if isinstance(there, str) else there, None if isinstance(back, str) else back, reason)


def _likeliest(samples: Sequence[Leaning | str]) -> int | str:
    """The answer that most speaks for; where two are as likely, neither story is preferred."""
    given = [sample for sample in samples if not isinstance(sample, str)]
    if reason := too_few_read(samples):
        return reason
    first, equal, second = (sum(sample[place] for sample in given) for place in range(3))
    if equal >= max(first, second) or first == second:
        return 0
    return -1 if first > second else 1
