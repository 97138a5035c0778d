"""A judge on this machine: a causal language model with its chat template, bundled, in a folder or from the hub.

Probabilities of the scale's answers come from one forward pass a batch. What all of its prompts begin with, the
instructions, is read once, and its keys and values serve every prompt.
"""

import copy
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import torch
from jinja2 import TemplateError
from transformers import LogitsProcessorList

from core.errors import ModelMissing
from core.judges.asking import Backend, Message, OnPart, OnReply, Reply, Request, unheard
from core.models.catalogue import ModelSource
from core.models.language import TOLERANCE, LanguageModel, logits_of, start_token
from core.models.network import by_tokens
from core.models.runtime import language_model

CACHE_A_BATCH = 4
"""How many times a batch's tokens the keys and values of its texts may be."""
SHORTEST_PREFIX = 16
"""Tokens; a shorter one is not worth its own pass."""
LIKE_ANY_DAY = "26 Jul 2024"
"""What templates that tell the date are told: a prompt must be the same tomorrow."""
Tokens = tuple[int, ...]


@dataclass(frozen=True)
class _Row:
    """A text to be read after the prefix, and the tokens whose log-probabilities as the next one are wanted."""

    ids: Tokens
    wanted: Tokens


@dataclass(frozen=True)
class _Prefix:
    """Tokens that prompts begin with, and the cache of their keys and values on a device."""

    ids: Tokens
    cache: Any
    device: str


NO_PREFIX = _Prefix((), None, "")


class LocalBackend(Backend):
    """A model that runs in this process. `temperature`: of replies in words, 0 for the likeliest word each time;
    `most_tokens`: of a reply in words.
    """

    def __init__(
        self,
        source: ModelSource,
        device: str = "auto",
        precision: str = "float32",
        *,
        temperature: float = 0.0,
        most_tokens: int = 400,
    ) -> None:
        self._source = source
        self._device = device
        self._precision = precision
        self._temperature = temperature
        self._most_tokens = most_tokens
        self._prefix = NO_PREFIX

    @property
    def model(self) -> str:
        """Name and revision."""
        return self._source.at_revision

    def ask(self, requests: Sequence[Request], on_reply: OnReply, on_part: OnPart = unheard) -> None:
        """Raises ModelMissing where it cannot be loaded, or is no model that can be asked."""
        network = language_model(self._source, self._device, self._precision)
        on_scale: list[tuple[Request, Tokens]] = []
        in_words: list[tuple[Request, Tokens]] = []
        for request in requests:
            ids = prompt_ids(network.tokenizer, request.messages)
            if len(ids) + 1 > network.window:
                problem = f"the prompt has {len(ids):,} tokens, and the model reads at most {network.window:,}"
                on_reply(Reply(request.key, problem=problem, prompt_tokens=len(ids)))
            else:
                (on_scale if request.scale else in_words).append((request, ids))
        for _, group in groupby(sorted(on_scale, key=_instructions), key=_instructions):
            self._read_scale(network, list(group), on_reply)
        lengths = [len(ids) + self._most_tokens for _, ids in in_words]
        for batch in by_tokens(lengths, network.budget * CACHE_A_BATCH):
            part = [in_words[place] for place in batch]
            for reply in network.run(lambda some: self._write(network, some, on_part), part):
                on_reply(reply)

    def _read_scale(self, network: LanguageModel, asked: Sequence[tuple[Request, Tokens]], on_reply: OnReply) -> None:
        """Probabilities of the answers, of prompts that share their instructions and their scale."""
        scale = asked[0][0].scale
        answers = answer_ids(network.tokenizer, asked[0][0].messages, scale)
        nodes = sorted({ids[:end] for ids in answers for end in range(len(ids))})
        wanted = {node: tuple(sorted({ids[len(node)] for ids in answers if _begins(ids, node)})) for node in nodes}
        prefix = self._shared(network, [ids for _, ids in asked])
        lengths = [max(len(ids) - len(prefix.ids), -(-len(ids) // CACHE_A_BATCH)) for _, ids in asked]
        for batch in by_tokens([length * len(nodes) for length in lengths], network.budget):
            part = [asked[place] for place in batch]
            rows = [_Row((*ids, *node)[len(prefix.ids) :], wanted[node]) for _, ids in part for node in nodes]
            read = network.run(lambda some: self._next(network, prefix, some), rows)
            for place, (request, ids) in enumerate(part):
                of_node = dict(zip(nodes, read[place * len(nodes) : (place + 1) * len(nodes)], strict=True))
                probabilities = _chained(answers, of_node)
                likeliest = max(range(len(scale)), key=lambda i: probabilities[i])
                told = dict(zip(scale, probabilities, strict=True))
                on_reply(Reply(request.key, scale[likeliest], told, prompt_tokens=len(ids), reply_tokens=1))

    def _shared(self, network: LanguageModel, prompts: Sequence[Tokens]) -> _Prefix:
        """The prefix that these prompts have in common, read once: kept for the next ones where it is theirs too."""
        kept = self._prefix
        if kept.ids and all(ids[: len(kept.ids)] == kept.ids for ids in prompts):
            return kept
        ids = common_prefix(prompts) if len(prompts) > 1 else ()
        if len(ids) < SHORTEST_PREFIX:
            return NO_PREFIX
        (self._prefix,) = network.run(lambda some: [_read(network, one) for one in some], [ids])
        row = _Row(prompts[0], tuple(range(min(8, len(network.tokenizer)))))
        (whole,) = network.run(lambda some: _next(network, NO_PREFIX, some), [row])
        rest = _Row(row.ids[len(ids) :], row.wanted)
        (parts,) = network.run(lambda some: self._next(network, self._prefix, some), [rest])
        if max(abs(whole[token] - parts[token]) for token in whole) > TOLERANCE[network.dtype] * 10:
            raise ModelMissing(f"{self.model} reads a text otherwise in two parts than at once: choose another model.")
        return self._prefix

    def _next(self, network: LanguageModel, prefix: _Prefix, rows: list[_Row]) -> list[dict[int, float]]:
        if prefix.ids and prefix.device != network.device:  # short of memory, the model has moved
            prefix = _read(network, prefix.ids)
        return _next(network, prefix, rows)

    def _write(self, network: LanguageModel, asked: list[tuple[Request, Tokens]], on_part: OnPart) -> list[Reply]:
        """Replies in words."""
        keys = [request.key for request, _ in asked]
        longest = max(len(ids) for _, ids in asked)
        pad = start_token(network.tokenizer)
        tokens = torch.full((len(asked), longest), pad, dtype=torch.long)
        mask = torch.zeros((len(asked), longest), dtype=torch.long)
        for row, (_, ids) in enumerate(asked):
            tokens[row, longest - len(ids) :] = torch.tensor(ids)
            mask[row, longest - len(ids) :] = 1
        ends, most = _ends(network), min(self._most_tokens, network.window - longest)
        written = network.model.generate(
            input_ids=tokens.to(network.device),
            attention_mask=mask.to(network.device),
            max_new_tokens=most,
            do_sample=False,
            pad_token_id=pad,
            eos_token_id=sorted(ends),
            logits_processor=LogitsProcessorList([*self._noise(keys), _Told(lambda part: on_part(keys, part), most)]),
        )[:, longest:].tolist()
        replies = []
        for (request, ids), row_ids in zip(asked, written, strict=True):
            end = next((place for place, token in enumerate(row_ids) if token in ends), len(row_ids))
            text = network.tokenizer.decode(row_ids[:end], skip_special_tokens=True).strip()
            replies.append(Reply(request.key, text, prompt_tokens=len(ids), reply_tokens=end))
        return replies

    def _noise(self, keys: Sequence[str]) -> list["_Gumbel"]:
        return [_Gumbel(self._temperature, keys)] if self._temperature else []


class _Gumbel:
    """Noise under which the likeliest token is a sample at a temperature. Each text has noise of its own, by its key:
    it does not matter what is written beside it.
    """

    def __init__(self, temperature: float, keys: Sequence[str]) -> None:
        self._temperature = temperature
        seeds = [int.from_bytes(hashlib.sha256(key.encode()).digest()[:7]) for key in keys]
        self._drawn = [torch.Generator().manual_seed(seed) for seed in seeds]

    def __call__(self, _ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`scores`: texts x vocabulary."""
        uniform = torch.stack([torch.rand(scores.shape[1], generator=one, dtype=torch.float64) for one in self._drawn])
        noise = -torch.log(-torch.log(uniform.clamp_(1e-300, 1 - 1e-16)))
        return scores / self._temperature + noise.to(scores)


class _Told:
    """Tells with each token how much of the `most` tokens of a reply is written."""

    def __init__(self, tell: Callable[[float], None], most: int) -> None:
        self._tell, self._most = tell, most
        self._written = 0

    def __call__(self, _ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """`scores`: texts x vocabulary, which stay as they are."""
        self._tell(self._written / self._most)
        self._written += 1
        return scores


def _instructions(asked: tuple[Request, Tokens]) -> tuple[Any, ...]:
    """What prompts share that go together: their scale, and all of their messages but the last."""
    request = asked[0]
    return request.scale, *((message.role, message.text) for message in request.messages[:-1])


def common_prefix(prompts: Sequence[Tokens]) -> Tokens:
    """The tokens that all begin with; each keeps one of its own at least."""
    low, high = min(prompts), max(prompts)
    most = min(len(ids) for ids in prompts) - 1
    end = next((place for place in range(most) if low[place] != high[place]), most)
    return low[:end]


def prompt_ids(tokenizer: Any, messages: Sequence[Message]) -> Tokens:
    """The tokens of a conversation up to where the model's answer begins."""
    return tuple(_tokens(tokenizer, prompt_text(tokenizer, messages)))


def answer_ids(tokenizer: Any, messages: Sequence[Message], scale: Sequence[str]) -> list[Tokens]:
    """The tokens of each answer as they stand behind the prompt. Raises ModelMissing where they run into it."""
    text = prompt_text(tokenizer, messages)
    before = _tokens(tokenizer, text)
    gap = "" if tokenizer.chat_template else " "
    result = []
    for answer in scale:
        ids = _tokens(tokenizer, text + gap + answer)
        if ids[: len(before)] != before or len(ids) == len(before):
            raise ModelMissing("This model's tokens do not keep a prompt and its answer apart: choose another model.")
        result.append(tuple(ids[len(before) :]))
    return result


def _tokens(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    return ids if tokenizer.chat_template else [start_token(tokenizer), *ids]


def prompt_text(tokenizer: Any, messages: Sequence[Message]) -> str:
    """The conversation as the model's chat template writes it, without the system's role where it has none; of a model
    without a template, the messages one below the other and `Answer:`.
    """
    given = [{"role": message.role, "content": _harmless(tokenizer, message.text)} for message in messages]
    if not tokenizer.chat_template:
        return "\n\n".join([*(message["content"] for message in given), "Answer:"])
    try:
        return _templated(tokenizer, given)
    except TemplateError as error:
        if given[0]["role"] != "system" or len(given) < 2:
            raise ModelMissing("This model's chat template cannot be used: choose another model.") from error
    first = {"role": "user", "content": f"{given[0]['content']}\n\n{given[1]['content']}"}
    try:
        return _templated(tokenizer, [first, *given[2:]])
    except TemplateError as error:
        raise ModelMissing("This model's chat template cannot be used: choose another model.") from error


def _templated(tokenizer: Any, given: list[dict[str, str]]) -> str:
    text: str = tokenizer.apply_chat_template(
        given, tokenize=False, add_generation_prompt=True, date_string=LIKE_ANY_DAY, enable_thinking=False
    )
    return text


def _harmless(tokenizer: Any, text: str) -> str:
    """The text without the model's own signs, such as that for the end of a message, which a story could hold."""
    for token in tokenizer.added_tokens_decoder.values():
        if token.special and len(token.content) > 1:
            text = text.replace(token.content, f"{token.content[0]} {token.content[1:]}")
    return text


def _ends(network: LanguageModel) -> set[int]:
    """The tokens that end a reply."""
    known = network.model.generation_config.eos_token_id
    listed = known if isinstance(known, list) else [known]
    return {int(token) for token in (*listed, network.tokenizer.eos_token_id) if token is not None}


def _read(network: LanguageModel, ids: Tokens) -> _Prefix:
    tokens = torch.tensor([ids], device=network.device)
    cache = network.model.base_model(input_ids=tokens, use_cache=True).past_key_values
    return _Prefix(ids, cache, network.device)


def _next(network: LanguageModel, prefix: _Prefix, rows: Sequence[_Row]) -> list[dict[int, float]]:
    """Log-probabilities of each row's wanted tokens as the one behind it, in float64."""
    longest = max(len(row.ids) for row in rows)
    tokens = torch.full((len(rows), longest), start_token(network.tokenizer), dtype=torch.long)
    for place, row in enumerate(rows):
        tokens[place, : len(row.ids)] = torch.tensor(row.ids)
    past = copy.deepcopy(prefix.cache)  # reading writes into it
    if past is not None:
        past.batch_repeat_interleave(len(rows))
    # No mask: padding stands on the right, where a causal model never looks.
    states = network.model.base_model(
        input_ids=tokens.to(network.device), past_key_values=past, use_cache=past is not None
    ).last_hidden_state
    last = torch.tensor([len(row.ids) - 1 for row in rows], device=states.device)
    logits = logits_of(network.model, states[torch.arange(len(rows), device=states.device), last])
    logs = logits.double().log_softmax(1).cpu()
    return [{token: float(logs[place, token]) for token in row.wanted} for place, row in enumerate(rows)]


def _chained(answers: Sequence[Tokens], of_node: dict[Tokens, dict[int, float]]) -> list[float]:
    """The probability of each answer: of its tokens one after the other, less that of longer answers that begin with
    it, as 10 does with 1.
    """
    chain = [
        float(torch.tensor([of_node[ids[:end]][ids[end]] for end in range(len(ids))], dtype=torch.float64).sum().exp())
        for ids in answers
    ]
    longest_first = sorted(range(len(answers)), key=lambda i: -len(answers[i]))
    own = list(chain)
    for place in longest_first:
        longer = [i for i, ids in enumerate(answers) if _begins(ids, answers[place])]
        own[place] = max(0.0, chain[place] - sum(own[i] for i in longer))
    return own


def _begins(ids: Tokens, node: Tokens) -> bool:
    """Whether a longer answer begins with these tokens."""
    return len(ids) > len(node) and ids[: len(node)] == node
