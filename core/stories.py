"""Prompts and stories, and how their text is cleaned before anything else sees it."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from json.encoder import encode_basestring

from core.names import PLACEHOLDER, names

LONGEST_STORY = 100_000
"""Characters. A novel chapter fits; a file read with the wrong separator does not."""
NAMELESS = "unknown"
"""What the stories that name no system are summarised under."""


class Source(StrEnum):
    """Who wrote a story: a person, a generator, or Fabula's own perturbation (a control in MANS panels)."""

    HUMAN = "human"
    SYSTEM = "system"
    NEGATIVE = "negative"


_CALLED = {
    Source.HUMAN: {
        *("human", "humans", "people", "person", "writer", "writers", "author", "authors"),
        *("reference", "references", "ref", "gold", "golden", "truth"),
    },
    Source.NEGATIVE: {
        *("negative", "negatives", "neg", "corrupted", "corruption", "perturbed", "perturbation", "damaged"),
        "distractor",
    },
}
_BESIDE = {
    *("a", "the", "by", "of", "standard", "response", "written", "story", "stories", "text", "texts", "sample"),
    *("samples", "control", "ground", "original"),
}
_WORD = re.compile(r"[^\W_]+")


def source_called(system: str) -> Source:
    """What a system is by its name: `human-written` and `gold_response` are people, `negative sample` is a control.

    Every word of the name must say so or be a word beside it, so that a model called `human-gpt` stays a system.
    """
    words = set(_WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", system).casefold()))
    for source, called in _CALLED.items():
        if words & called and words <= called | _BESIDE:
            return source
    return Source.SYSTEM


@dataclass(frozen=True, slots=True)
class Story:
    """What a metric sees: a story, the prompt it continues and the human stories of the same prompt."""

    text: str
    prompt: str = ""
    references: tuple[str, ...] = ()

    @property
    def content_hash(self) -> str:
        """SHA-256 of prompt, text and references: scores are kept under it, so that no text is scored twice."""
        return content_hash(self.prompt, self.text, written_references(self.references))


def digest(prompt: str, system: str, text: str) -> str:
    """What a story without an id is known by: 12 hexadecimal digits of all that tells it from others."""
    return hashlib.sha256(f"{prompt}\0{system}\0{text}".encode()).hexdigest()[:12]


def name_of(prompt: str, system: str, text: str) -> str:
    """The id that a story without one gets: the same from a file of stories and from one of ratings."""
    return f"story-{digest(prompt, system, text)}"


def written_references(references: Sequence[str]) -> str:
    """Human stories as `content_hash` takes them: the same for all stories of a prompt, so it is worth keeping."""
    return "".join(f", {encode_basestring(text)}" for text in sorted(references))


def content_hash(prompt: str, text: str, references: str) -> str:
    """`Story.content_hash`, of the JSON list of prompt, text and `written_references`."""
    written = f"[{encode_basestring(prompt)}, {encode_basestring(text)}{references}]"
    return hashlib.sha256(written.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoryRecord:
    """One story of a file. `key` is unique in a study; stories of one prompt share `prompt_key`."""

    key: str
    prompt_key: str
    prompt: str
    text: str
    source: Source = Source.SYSTEM
    system: str = ""


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """One rating of a file. `deductions` are (error type, points, or 0 where the scheme takes none)."""

    story_key: str
    rater: str
    overall: float
    deductions: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class ScoreRecord:
    """One metric's scores from a file, by story key; `signature` names the file's contents, `file:HASH`."""

    metric: str
    signature: str
    values: dict[str, float]


@dataclass(frozen=True)
class Corpus:
    """Everything one import brings. `scheme` is "" for stories without ratings, which suit any;
    `raters_identified` is False where the file hides who rated what.
    """

    scheme: str
    stories: tuple[StoryRecord, ...]
    ratings: tuple[RatingRecord, ...] = ()
    scores: tuple[ScoreRecord, ...] = ()
    raters_identified: bool = False
    notices: tuple[str, ...] = field(default=())

    def called_like_controls(self) -> dict[str, Source]:
        """The systems whose names say that they are people or negative stories, in the file's order."""
        sources = {story.system: source_called(story.system) for story in self.stories if story.source is Source.SYSTEM}
        return {system: source for system, source in sources.items() if source is not Source.SYSTEM}


_CLOSERS = "[\"'”’»)\\]]*+"
# Possessive, and a run is read to its end even where it ends no sentence, as in "3.5": the empty group then marks it. A
# story of 100,000 full stops must not take minutes. One class in front lets the search skip all other letters.
_SENTENCE_END = re.compile(
    rf"[.!?…؟。！？\n](?:(?<=[.!?…؟])[.!?…؟]*+{_CLOSERS}(?:(?=\s|$)|())|(?<=[。！？])[。！？]*+{_CLOSERS}|(?<=\n)\n*+)"
)
_ABBREVIATION = re.compile(r"(?:\b(?i:mr|mrs|ms|dr|st|prof|jr|sr|vs|etc|e\.g|i\.e)|\b[A-HJ-Z])\.$")
_LONGEST_ABBREVIATION = 12
_LETTER = re.compile(r"[^\W_]")


def sentences(text: str) -> list[tuple[int, int]]:
    """Code-point offsets (start, end) of the sentences of `text`, without the white space between them.

    Works on tokenised text ("he ran .") as on ordinary text; an abbreviation's full stop ends nothing.
    """
    spans: list[tuple[int, int]] = []
    start, size = 0, len(text)
    ends = [match.end() for match in _SENTENCE_END.finditer(text) if match.lastindex is None]
    ends.append(size)
    for end in ends:
        # Five letters before the stop are no abbreviation: most words need no look at the pattern.
        if end < size and text[end - 1] in ".\n" and (end - 6 < start or not text[end - 6 : end - 1].isalpha()):
            before = text[max(start, end - _LONGEST_ABBREVIATION) : end]
            if _ABBREVIATION.search(before):
                continue
        left, right = start, end
        start = end
        while left < right and text[left].isspace():
            left += 1
        while left < right and text[right - 1].isspace():
            right -= 1
        if left == right:
            continue
        if text[left].isalnum() or not spans or _LETTER.search(text, left, right):
            spans.append((left, right))
        else:
            spans[-1] = (spans[-1][0], right)  # a stray mark belongs to the sentence before it
    return spans


def word_count(text: str) -> int:
    """The number of words, as white space separates them."""
    return len(text.split())


def first_words(text: str, words: int) -> str:
    """`text` cut at the last sentence end within its first `words` words, or in mid-sentence where the first
    sentence is longer; a text that is short enough comes back unchanged.
    """
    starts = [m.end() for _, m in zip(range(words), re.finditer(r"\S+", text), strict=False)]
    if not starts or not text[starts[-1] :].strip():
        return text
    ends = [end for _, end in sentences(text) if end <= starts[-1]]
    return text[: ends[-1]] if ends else text[: starts[-1]]


DELEXICALISED = "delexicalised"
NORMALISATIONS = ("raw", "detokenised", "named", "recased", DELEXICALISED)
_PLACEHOLDERS = {"[MALE]": "Tom", "[FEMALE]": "Anna", "[NEUTRAL]": "Alex"}
_GLUED_LEFT = re.compile(r"\s+([.,!?;:%)\]}…])")
_GLUED_RIGHT = re.compile(r"([(\[{$])\s+")
_CONTRACTION = re.compile(r"\b(\w+)\s+n\s?['’]\s?t\b", re.IGNORECASE)
_CLITIC = re.compile(r"(?<=[\w\]])\s+['’]\s?(s|re|ve|ll|d|m)\b(?!['’])", re.IGNORECASE)
_BACKQUOTES = re.compile(r"``\s*([^`]*?)\s*''")
_SENTENCE_START = re.compile(r"(^|[.!?]\s+)([a-z])")


def normalise(text: str, how: str = "raw") -> str:
    """Return `text` as a metric with this normalisation sees it.

    `raw` changes nothing. `detokenised` undoes ROCStories' tokenisation ("did n ' t ." -> "didn't.") and starts
    sentences and "i" with a capital. `named` also fills the placeholders `[MALE] [FEMALE] [NEUTRAL]` with a name.
    `recased` then lower-cases all but the beginnings of sentences and "I": for stories of which some have lost their
    capitals. `delexicalised` is `recased` with names as placeholders (`core.names`) instead of placeholders as names.
    The choice moves correlations by 0.03 to 0.05, so it is part of every metric's signature.

    Raises InputError where the user's own lists of names cannot be read.
    """
    if how == "raw":
        return text
    if how not in NORMALISATIONS:
        raise ValueError(f"unknown normalisation {how!r}; there are {', '.join(NORMALISATIONS)}")
    if how in ("named", "recased"):
        for placeholder, name in _PLACEHOLDERS.items():
            text = text.replace(placeholder, name)
    if how == DELEXICALISED:
        text = names().masked(text)
    if how in ("recased", DELEXICALISED):
        text = text.lower()
    text = _BACKQUOTES.sub(r'"\1"', " ".join(text.split()))
    text = _CONTRACTION.sub(r"\1n't", text).strip()
    text = _CLITIC.sub(r"'\1", text)
    text = _GLUED_RIGHT.sub(r"\1", _GLUED_LEFT.sub(r"\1", text))
    text = re.sub(r"\bi\b(?!\.\w)", "I", text)
    text = _SENTENCE_START.sub(lambda m: m.group(1) + m.group(2).upper(), text)
    return PLACEHOLDER.sub(lambda m: m.group().upper(), text) if how == DELEXICALISED else text


def as_read(text: str, normalisation: str, words: int) -> str:
    """`text` as a trained metric reads it: normalised, and cut at a sentence's end within so many words (0: never)."""
    written = normalise(text, normalisation)
    return first_words(written, words) if words else written


def read_as(how: str) -> str:
    """A normalisation as signatures name it: `delexicalised` with the hash of its lists of names. Raises InputError as
    `normalise` does.
    """
    return f"{how}:{names().digest}" if how == DELEXICALISED else how


def begins_with_prompt(prompt: str, text: str) -> bool:
    """Whether the text repeats its prompt at its beginning, and not within a word: a prompt "I" does not begin "It"."""
    prompt, text = prompt.strip(), text.strip()
    rest = text[len(prompt) :]
    return text.startswith(prompt) and not (prompt[-1:].isalnum() and rest[:1].isalnum())


def whole_story(prompt: str, text: str) -> str:
    """The prompt and what was made of it; the text alone where it begins with the prompt."""
    prompt, text = prompt.strip(), text.strip()
    return text if begins_with_prompt(prompt, text) else f"{prompt} {text}"


def without_prompt(prompt: str, text: str) -> str:
    """What was made of the prompt: the text, or its rest where it begins with the prompt."""
    prompt, text = prompt.strip(), text.strip()
    return text[len(prompt) :].strip() if begins_with_prompt(prompt, text) else text


def distinct_texts(texts: Sequence[str]) -> list[str]:
    """Those that count: each once, without empty ones."""
    return [text for text in dict.fromkeys(texts) if text.strip()]


def group_of(source: str, system: str) -> str:
    """What a story is summarised under; a system that is called like a control keeps apart from it."""
    if source != Source.SYSTEM:
        return source
    return f"system {system}" if system in set(Source) else system or NAMELESS


@dataclass(frozen=True, slots=True)
class ListedStory:
    """A study's story to choose: its id, its key, what it is summarised under, and how its text begins; its prompt,
    where it was chosen.
    """

    id: int
    key: str
    group: str
    opening: str
    prompt: str = ""
