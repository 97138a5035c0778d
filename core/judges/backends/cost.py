"""What judging at an endpoint costs: estimated before, counted while it runs, and never above a cap."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.judges.asking import Reply, Request

CHARACTERS_A_TOKEN = 4
"""Of English, by most tokenizers; other languages have fewer."""
PER = 1_000_000
"""Tokens that a price is for."""


@dataclass(frozen=True)
class Prices:
    """Of a million tokens read and a million written, in whatever currency the endpoint bills."""

    prompt: float = 0.0
    reply: float = 0.0

    def of(self, prompt_tokens: float, reply_tokens: float) -> float:
        """What so many tokens cost."""
        return (prompt_tokens * self.prompt + reply_tokens * self.reply) / PER


@dataclass(frozen=True)
class Estimate:
    """What a run will take at most. `reply_tokens`: if every reply is as long as it may be; `cost`: None where no
    prices are given.
    """

    requests: int
    prompt_tokens: int
    reply_tokens: int
    cost: float | None


@dataclass(frozen=True)
class Spent:
    """What a run has taken so far: usable replies and others that were answered, tokens, and their cost."""

    replies: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    cost: float = 0.0

    def with_reply(self, reply: Reply, prices: Prices) -> "Spent":
        """And this one."""
        return Spent(
            self.replies + 1,
            self.prompt_tokens + reply.prompt_tokens,
            self.reply_tokens + reply.reply_tokens,
            self.cost + prices.of(reply.prompt_tokens, reply.reply_tokens),
        )


def tokens_of(characters: int) -> int:
    """About how many tokens so many characters are, where nobody has counted them."""
    return -(-characters // CHARACTERS_A_TOKEN)


def characters_of(request: Request) -> int:
    """Characters that a request has to read."""
    return sum(len(message.text) for message in request.messages)


def estimate(requests: Sequence[Request], prices: Prices, most_tokens: int) -> Estimate:
    """What asking all of these would take; `most_tokens`: of a reply."""
    prompt_tokens = sum(tokens_of(characters_of(request)) for request in requests)
    return _estimate(len(requests), prompt_tokens, prices, most_tokens)


def estimate_stories(
    stories: int, characters: int, *, times: int, instructions: int, prices: Prices, most_tokens: int
) -> Estimate:
    """What judging so many stories would take, of so many characters together, each `times` with instructions of so
    many characters.
    """
    prompt_tokens = tokens_of(times * (characters + stories * instructions))
    return _estimate(times * stories, prompt_tokens, prices, most_tokens)


def _estimate(requests: int, prompt_tokens: int, prices: Prices, most_tokens: int) -> Estimate:
    reply_tokens = requests * most_tokens
    cost = prices.of(prompt_tokens, reply_tokens) if prices.prompt or prices.reply else None
    return Estimate(requests, prompt_tokens, reply_tokens, cost)


class Meter:
    """Counts a run's cost, and keeps what is under way within a cap; 0 for none."""

    def __init__(self, prices: Prices, cap: float, most_tokens: int) -> None:
        self._prices = prices
        self._cap = cap
        self._most_tokens = most_tokens
        self._a_character = 1 / CHARACTERS_A_TOKEN
        self._reserved: dict[str, float] = {}
        self.spent = Spent()

    @property
    def is_waiting_for_replies(self) -> bool:
        """Whether something is under way that may turn out cheaper than was reserved for it."""
        return bool(self._reserved)

    def price_at_most(self, request: Request) -> float:
        """What a request can cost: its prompt at the most tokens a character that were ever counted here, and the
        longest reply.
        """
        return self._prices.of(characters_of(request) * self._a_character, self._most_tokens)

    def reserve(self, request: Request) -> bool:
        """Set aside what a request can cost; False where the cap does not allow it now."""
        price = self.price_at_most(request)
        if self._cap and self.spent.cost + sum(self._reserved.values()) + price > self._cap:
            return False
        self._reserved[request.key] = price
        return True

    def cap_reached(self, request: Request) -> str:
        """Why a request is not asked any more."""
        return (
            f"The cap of {self._cap:,.2f} is reached: {self.spent.replies:,} replies have cost {self.spent.cost:,.2f}, "
            f"and the next may cost {self.price_at_most(request):,.4f}. Raise the cap to go on."
        )

    def settle(self, request: Request, reply: Reply | None) -> None:
        """Count what a request has cost, if there is a reply, in the place of what was set aside."""
        self._reserved.pop(request.key, None)
        if reply is None:
            return
        self.spent = self.spent.with_reply(reply, self._prices)
        if characters := characters_of(request):
            self._a_character = max(self._a_character, reply.prompt_tokens / characters)
