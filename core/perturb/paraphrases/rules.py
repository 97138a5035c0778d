"""Paraphrases by rules, without a translation model: other wordings, and clauses in the other order.

A table of wordings has the predicates, phrases and synonyms; clauses change places, and the passive voice comes in, by
rule. What comes out is kept where the classifier of grammaticality accepts it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.english.clauses import plain
from core.english.knowledge import inflected, lemma_of
from core.english.negation import NEGATIONS
from core.english.sentences import QUOTES, is_word, lowered, raised
from core.english.substitution import in_place
from core.english.wordings import Span, Wordings, phrase, shipped
from core.english.words import Word, words
from core.models.acceptability.probability import acceptability
from core.models.acceptability.weights import ACCEPTED, revision
from core.perturb.paraphrases.similarity import bleu_1
from core.perturb.paraphrases.sources import MOST_OVERLAP, in_style
from core.stories import normalise

TRIES = 12
"""Orders in which the wordings of a sentence are tried, one after another until enough is new."""
JUDGED = 3
"""Different paraphrases of a sentence whose grammaticality is judged; the best is kept."""
_TURNED = {"when", "while", "because", "since", "after", "before", "although", "though", "if", "once"}
"""Connectives that may open a sentence, and join two clauses as well."""
_NO_PASSIVE = {
    *("have", "get", "be", "do", "go", "like", "want", "love", "need", "become", "let", "leave", "lack", "fit", "cost"),
    *("enter", "reach", "walk", "enjoy", "hate", "exit", "join", "marry", "say", "tell", "ask", "give", "show", "wait"),
}
_CLAUSES = ("PRP", "DT", "PRP$", "NNP", "NNS", "EX")
"""What a clause that is moved begins with: not "college and", of "after college and his first job"."""
_FEWEST = 4
"""Words of a sentence that are paraphrased at all."""
_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Replacement:
    """Some of a sentence, and what it says in other words."""

    start: int
    end: int
    new: str


class RuleParaphrases:
    """Fabula's own paraphrases; the same sentence has the same one always."""

    def __init__(self, device: str = "auto", table: Wordings | None = None) -> None:
        """`table`: other wordings than those that come along. Raises ModelMissing."""
        self._table = table or shipped()
        self._device = device
        self.name = f"{self._table.name}, acceptability@{revision()}"

    def of(self, sentences: Sequence[str], done: Callable[[int], None] | None = None) -> dict[str, str]:
        """In the sentence's own style. None for what somebody says, and where too little can be said otherwise."""
        result: dict[str, str] = {}
        for first in range(0, len(sentences), _AT_ONCE):
            part = sentences[first : first + _AT_ONCE]
            result |= self._best({sentence: self.proposals(sentence) for sentence in part})
            if done:
                done(len(part))
        return result

    def _best(self, proposed: dict[str, list[str]]) -> dict[str, str]:
        asked = [(sentence, text) for sentence, texts in proposed.items() for text in texts]
        likely = acceptability([text for _, text in asked], self._device).tolist()
        result: dict[str, tuple[float, str]] = {}
        for (sentence, name), probability in zip(asked, likely, strict=True):
            if probability >= max(ACCEPTED, result.get(sentence, (0.0, ""))[0]):
                result[sentence] = (probability, name)
        return {sentence: text for sentence, (_, text) in result.items()}

    def proposals(self, sentence: str) -> list[str]:
        """At most `JUDGED` paraphrases of different words, as few of them new as are needed."""
        text = " ".join(normalise(sentence, "detokenised").split())
        if QUOTES.search(text) or len(text.split()) < _FEWEST:
            return []
        rng = random.Random(sentence)
        result: dict[str, None] = {}
        bases = [(base, list(pieces(base, self._table))) for base in (text, *dict.fromkeys(turned(text)))]
        for number in range(TRIES):
            variant = _drawn(*bases[number % len(bases)], text, rng)
            if variant and _says_as_much(text, variant):
                result[in_style(sentence, variant)] = None
            if len(result) == JUDGED:
                break
        return list(result)


def _drawn(base: str, replacements: Sequence[Replacement], text: str, rng: random.Random) -> str | None:
    """One after another of the sentence's wordings, until enough is new; None where it never is."""
    chosen: list[Replacement] = []
    for piece in rng.sample(replacements, len(replacements)):
        if all(piece.end <= replacement.start or replacement.end <= piece.start for replacement in chosen):
            chosen.append(piece)
            sentence = _put_in(base, chosen)
            if bleu_1(sentence, text) < MOST_OVERLAP:
                return sentence
    return None


def pieces(text: str, table: Wordings) -> Iterator[Replacement]:
    """All that can be said otherwise in a text, by the table."""
    body = _body(words(text))
    for span in table.spans(body):
        yield _piece(text, body, span)


def turned(text: str) -> Iterator[str]:
    """The same with its clauses the other way round ("when A, B"; "B when A"), or in the passive voice."""
    tagged = words(text)
    body = _body(tagged)
    if not body:
        return
    rest = text[body[-1].end :]
    for place, word in enumerate(body):
        before, after = body[:place], body[place + 1 :]
        if before and word.lower in _TURNED and plain(before) and plain(after) and _names_first(after, before):
            sentence, reason = text[: before[-1].end], text[word.start : body[-1].end]
            yield f"{raised(reason, text)}, {lowered(sentence, body[0])}{rest}"
    comma = next((place for place, word in enumerate(body) if word.text == ","), 0)
    first, second = body[:comma], body[comma + 1 :]
    if first and first[0].lower in _TURNED and plain(first[1:]) and plain(second) and _names_first(second, first[1:]):
        sentence, reason = text[second[0].start : second[-1].end], text[first[0].start : first[-1].end]
        yield f"{raised(sentence, text)} {lowered(reason, first[0])}{rest}"
    if (passive := _passive(text, body)) is not None:
        yield f"{passive}{rest}"


def _names_first(first: Sequence[Word], second: Sequence[Word]) -> bool:
    """Whether nobody is spoken of by a pronoun before the name: "when he slept, Tom snored"."""
    named = any(word.tag.startswith("NN") for word in second)
    return first[0].tag in _CLAUSES and not (
        named and first[0].tag == "PRP" and first[0].lower not in ("i", "we", "you")
    )


def _passive(text: str, body: Sequence[Word]) -> str | None:
    """ "Tom painted the fence" as "the fence was painted by Tom", where the sentence is no more than that."""
    tags = [word.tag for word in body]
    verb = phrase(body, tags, 0)
    if not verb or body[0].tag == "PRP" or verb + 2 > len(body) or tags[verb] not in ("VBD", "VBN"):
        return None
    lemma = lemma_of(body[verb].text, "v")
    thing = phrase(body, tags, verb + 1)
    if thing != len(body) or body[verb + 1].lower not in ("the", "a", "an") or lemma in _NO_PASSIVE:
        return None
    was = "were" if tags[-1] in ("NNS", "NNPS") else "was"
    done = text[body[verb + 1].start : body[-1].end]
    doer = lowered(text[body[0].start : body[verb - 1].end], body[0])
    return f"{raised(done, text)} {was} {inflected(lemma, 'VBN')} by {doer}"


def _body(tagged: Sequence[Word]) -> Sequence[Word]:
    last = len(tagged)
    while last and not any(c.isalnum() for c in tagged[last - 1].text):
        last -= 1
    return tagged[:last]


def _piece(text: str, body: Sequence[Word], span: Span) -> Replacement:
    """The span in the text, a capital where there was one, and the article before it put right."""
    first, last = body[span.start], body[span.stop - 1]
    new = " ".join(span.new)
    if first.text[:1].isupper() and (span.start == 0 or first.tag.startswith("NNP")) and first.lower != "i":
        new = new[:1].upper() + new[1:]
    whole = Word(text[first.start : last.end], first.start, last.end, first.tag)
    return Replacement(*in_place(0, text, whole, new))


def _put_in(text: str, chosen: Sequence[Replacement]) -> str:
    parts, reached = [], 0
    for replacement in sorted(chosen, key=lambda item: item.start):
        parts += [text[reached : replacement.start], replacement.new]
        reached = replacement.end
    return normalise(" ".join("".join([*parts, text[reached:]]).split()), "detokenised").replace(" ,", ",")


def _says_as_much(text: str, paraphrase: str) -> bool:
    """Whether it denies as often, and has the same names and numbers; and says no word twice in a row."""
    ours, theirs = words(text), words(paraphrase)
    lines = [word.lower for word in theirs]
    return (
        sum(word.lower in NEGATIONS for word in ours) == sum(word.lower in NEGATIONS for word in theirs)
        and _kept(ours) == _kept(theirs)
        and not any(name == other for name, other in pairwise(lines))
    )


def _kept(words: Sequence[Word]) -> list[str]:
    """Names, placeholders and numbers in figures."""
    return sorted(
        word.text
        for place, word in enumerate(words)
        if any(c.isdigit() for c in word.text)
        or word.text.startswith("[")
        or (word.text[:1].isupper() and (place > 0 or not is_word(word.lower)) and word.text != "I")
    )
