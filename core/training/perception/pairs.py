"""One system's outputs paired with references, and which contexts are trained on, held out, and tested on."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from core.checkpoints.overlap import plain
from core.errors import InputError
from core.stories import Source, StoryRecord, without_prompt
from core.training.perception.settings import FEWEST, PerceptionPlan


@dataclass(frozen=True, slots=True)
class Generated:
    """A system's text, of a context; `key` is its story's, `context` the key of its prompt."""

    key: str
    context: str
    prompt: str
    text: str
    references: tuple[str, ...]


@dataclass(frozen=True)
class SystemPairs:
    """A system's texts with their references by what they are for; no context is in two of the three, and nothing that
    is tested on is a copy of what is learnt from.
    """

    system: str
    trained: tuple[Generated, ...]
    held_out: tuple[Generated, ...]
    tested: tuple[Generated, ...]
    left_out: int
    """Texts without a reference, or empty."""

    @property
    def hash(self) -> str:
        """SHA-256 of all texts, and of what each is for."""
        digest = hashlib.sha256()
        for some in (self.trained, self.held_out, self.tested):
            for generated in some:
                digest.update(
                    "\0".join([generated.prompt, generated.text, *generated.references]).encode(
                        "utf-8", "surrogatepass"
                    )
                )
            digest.update(b"\1")
        return digest.hexdigest()


def pairs_of(
    system: str, records: Sequence[StoryRecord], plan: PerceptionPlan, rated: Collection[str] = ()
) -> SystemPairs:
    """One system's texts among a study's stories. `rated`: keys of prompts that people have rated, tested on first.

    Which prompts are tested on depends on the study alone, not on the system or a seed; but for a system to which that
    would leave too little to learn from or to be tested with. Raises InputError in one sentence.
    """
    texts = [record for record in records if record.source is Source.SYSTEM and record.system == system]
    if not texts:
        raise InputError(f"There is no story of a system {system!r}: choose another one.")
    human = _human(records, plan)
    readable = [(record, _text(record, plan)) for record in texts if record.prompt_key in human or not plan.conditional]
    fit = [(record, text) for record, text in readable if text]
    contexts = {record.prompt_key for record, _ in fit}
    if len(contexts) < FEWEST or len(human) < FEWEST:
        raise InputError(_too_few(system, len(texts), len(contexts), len(human), plan.conditional))
    parts, sides = _split(records, human, plan, rated)
    if not _fair(Counter(parts[context] for context in contexts), plan):
        parts = _parts(contexts, plan, rated)
    groups: tuple[list[Generated], list[Generated], list[Generated]] = ([], [], [])
    for story_record, text in fit:
        part = parts[story_record.prompt_key]
        if plan.conditional:
            beside = human[story_record.prompt_key]
        else:  # of the same part, so that no test sees a reference of the training
            beside = _drawn(
                story_record.key, [other for key in human if sides[key] == part for other in human[key]], plan
            )
        prompt = plan.prepared(story_record.prompt) if plan.conditional else ""
        groups[part].append(Generated(story_record.key, story_record.prompt_key, prompt, text, tuple(beside)))
    tested = tuple(groups[2])
    trained, held_out = (_unseen(some, tested) for some in groups[:2])
    if not (trained and held_out and tested):
        raise InputError(
            f"Of the texts of the system {system!r} too few are left, as copies of what is tested on are not learnt "
            "from. Import more."
        )
    return SystemPairs(system, trained, held_out, tested, len(texts) - len(fit))


def others(pairs: SystemPairs, records: Sequence[StoryRecord], plan: PerceptionPlan) -> dict[str, list[Generated]]:
    """By group the other systems' texts of the contexts that this one is tested on, beside the same references."""
    by_context = {item.context: item for item in pairs.tested}
    result: dict[str, list[Generated]] = {}
    for record in records:
        beside = by_context.get(record.prompt_key)
        if (
            beside
            and record.source is Source.SYSTEM
            and record.system != pairs.system
            and (text := _text(record, plan))
        ):
            generated = Generated(record.key, record.prompt_key, beside.prompt, text, beside.references)
            result.setdefault(record.system, []).append(generated)
    return result


def _text(record: StoryRecord, plan: PerceptionPlan) -> str:
    """A story without its prompt, which some write out again: that would tell a critic who wrote it."""
    return plan.prepared(without_prompt(record.prompt, record.text))


def _human(records: Sequence[StoryRecord], plan: PerceptionPlan) -> dict[str, list[str]]:
    """Different human stories by the key of their prompt."""
    result: dict[str, list[str]] = {}
    for record in records:
        if record.source is Source.HUMAN and (text := _text(record, plan)):
            some = result.setdefault(record.prompt_key, [])
            if text not in some:
                some.append(text)
    if not result:
        raise InputError("A Perception Score compares with human stories, and this study has none: import some.")
    return result


def _split(
    records: Sequence[StoryRecord], human: Collection[str], plan: PerceptionPlan, rated: Collection[str]
) -> tuple[dict[str, int], dict[str, int]]:
    """The part of each prompt of systems' texts, and of each prompt of human ones."""
    if plan.conditional:
        parts = _parts(human, plan, rated)
        return parts, parts
    generated = {record.prompt_key for record in records if record.source is Source.SYSTEM}
    return _parts(generated, plan, rated), _parts(human, plan, ())


def _fair(counts: Mapping[int, int], plan: PerceptionPlan) -> bool:
    """Whether a system with so many prompts in each part can be trained and tested; `_parts` alone sees to it only for
    systems with all prompts.
    """
    tested = counts.get(2, 0) / sum(counts.values())
    return counts.get(0, 0) > 0 and counts.get(1, 0) > 0 and plan.test / 2 <= tested <= 1 / 2


def _unseen(pairs: Sequence[Generated], tested: Sequence[Generated]) -> tuple[Generated, ...]:
    """Those to learn from: a copy of what is tested on, after the same prompt, would be known by heart."""
    seen = {_unit(generated.prompt, text) for generated in tested for text in (generated.text, *generated.references)}
    results = []
    for pair in pairs:
        references = tuple(text for text in pair.references if _unit(pair.prompt, text) not in seen)
        if references and _unit(pair.prompt, pair.text) not in seen:
            results.append(replace(pair, references=references))
    return tuple(results)


def _unit(prompt: str, text: str) -> tuple[str, str]:
    return plain(prompt), plain(text)


def tested_of(prompts: int, rated: int, plan: PerceptionPlan) -> int:
    """How many of so many prompts are tested on, of which people have rated so many."""
    return min(max(round(plan.test * prompts), 2, rated), prompts // 2)


def _parts(keys: Collection[str], plan: PerceptionPlan, rated: Collection[str]) -> dict[str, int]:
    """Which prompts are trained on (0), held out (1) and tested on (2), by a hash of their keys."""
    known = set(keys) & set(rated)
    order = sorted(keys, key=lambda key: (key not in known, _number(key)))
    tested = tested_of(len(order), len(known), plan)
    rest = sorted(order[tested:], key=lambda key: _number(f"held {key}"))
    held = max(1, round(plan.held_out * len(rest)))
    return dict.fromkeys(order[:tested], 2) | dict.fromkeys(rest[:held], 1) | dict.fromkeys(rest[held:], 0)


def _drawn(key: str, texts: Sequence[str], plan: PerceptionPlan) -> list[str]:
    different = list(dict.fromkeys(texts))
    return random.Random(key).sample(different, min(plan.references, len(different)))


def _number(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _too_few(system: str, texts: int, contexts: int, human: int, conditional: bool) -> str:
    """The sentence for a system with so many texts of so many prompts, beside human stories of so many prompts."""
    if conditional:
        why = f"of its {texts:,} stories the prompts of {contexts:,} have a human story"
        other = ", or compare without contexts" if min(texts, human) >= FEWEST else ""
    else:
        why, other = f"it has stories of {contexts:,} prompts beside human ones of {human:,}", ""
    return (
        f"The system {system!r} has too few texts for a Perception Score, which takes {FEWEST} prompts at least: "
        f"{why}. Import more{other}."
    )
