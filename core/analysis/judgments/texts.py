"""Statistics of a study's texts: OpenMEVA's Table 10 (2021, appendix A.3) for any study.

The paper counts spaCy's tokens. These are close: words, numbers and marks stand alone, clitics ("do" "n't", "she" "'s")
and the parts of a hyphenated word apart, and a name's placeholder, [FEMALE], is one token. On the released MANS-ROC
that gives averages within 0.1 % of the printed ones.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import regex

from core.arrays import Ints
from core.stories import Source

_CLITIC = r"['’](?:s|re|ve|ll|d|m)\b"
_TOKEN = regex.compile(
    r"(?-i:\[[A-Z]+\])"  # a placeholder
    r"|\d+(?:[.,:]\d+)+"  # 10,000 and 7:30
    r"|\w+?(?=n['’]t\b)|n['’]t\b"  # do n't
    rf"|{_CLITIC}"
    rf"|\w+(?:(?!{_CLITIC})['’]\w+)*"  # a word, o'clock
    r"|\.{2,}|-{2,}|`+|'{2,}"  # ... and --
    r"|[^\w\s]",
    regex.IGNORECASE,
)

_OF_ASCII = re.compile(rf"[^\W\d]\w*+(?!')|{_TOKEN.pattern}", re.IGNORECASE)
"""The same by Python's own module, which is quicker, and knows fewer letters than there are outside of ASCII. A word
without an apostrophe behind it comes first: nothing parts it.
"""


def tokens(text: str) -> int:
    """The number of tokens of a text; in scripts without spaces between words each run of letters is one."""
    return len((_OF_ASCII if text.isascii() else _TOKEN).findall(text))


@dataclass(frozen=True, slots=True)
class StudyText:
    """A story as far as its length goes. `group`: its system, or its source where no system wrote it; `tokens`,
    `sentences`: how many it has.
    """

    prompt: str
    group: str
    source: Source
    tokens: int
    sentences: int


@dataclass(frozen=True)
class Lengths:
    """`n` stories: mean tokens and sentences per story; `sd`, `shortest`, `longest` are of the tokens.

    `sd` is the sample's, None for a single story.
    """

    n: int
    tokens: float
    sd: float | None
    shortest: int
    longest: int
    sentences: float


@dataclass(frozen=True)
class Texts:
    """Table 10. `prompts`: how many there are; `stories`: those of systems; `stories_a_prompt`: of the prompts that
    have any, on average. `prompt_tokens`, `reference_tokens`, `story_tokens`: averages, None where there is no such
    text; references are the human stories. `by_system`: every system, and the human and negative stories; `all`: the
    systems' stories together.
    """

    prompts: int
    stories: int
    stories_a_prompt: float | None
    prompt_tokens: float | None
    reference_tokens: float | None
    story_tokens: float | None
    all: Lengths | None
    by_system: Mapping[str, Lengths]


def text_statistics(prompts: Mapping[str, str], stories: Iterable[StudyText]) -> Texts:
    """Count the texts of a study: `prompts` by key, and all its stories. A prompt without any text has no tokens, and
    is left out of the average.
    """
    rows = list(stories)
    counted = np.array([row.tokens for row in rows], dtype=np.intp)
    written = np.array([row.sentences for row in rows], dtype=np.intp)
    groups: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        groups.setdefault(row.group, []).append(number)
    generated = [number for number, row in enumerate(rows) if row.source is Source.SYSTEM]
    human = [number for number, row in enumerate(rows) if row.source is Source.HUMAN]
    continued = {rows[number].prompt for number in generated}
    openings = [tokens(text) for text in prompts.values() if text.strip()]
    return Texts(
        prompts=len(prompts),
        stories=len(generated),
        stories_a_prompt=len(generated) / len(continued) if continued else None,
        prompt_tokens=float(np.mean(openings)) if openings else None,
        reference_tokens=float(counted[human].mean()) if human else None,
        story_tokens=float(counted[generated].mean()) if generated else None,
        all=_lengths(counted, written, generated) if generated else None,
        by_system={name: _lengths(counted, written, mine) for name, mine in sorted(groups.items())},
    )


def _lengths(counted: Ints, written: Ints, mine: Sequence[int]) -> Lengths:
    own = counted[mine]
    return Lengths(
        n=len(own),
        tokens=float(own.mean()),
        sd=float(own.std(ddof=1)) if len(own) > 1 else None,
        shortest=int(own.min()),
        longest=int(own.max()),
        sentences=float(written[mine].mean()),
    )
