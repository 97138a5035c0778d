"""The paper's mix against a slow, obvious version of what UNION's section 3.2 and its authors' code describe: every
outcome with its probability, and many draws of ours beside them.
"""

import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import pytest
from scipy.stats import chisquare

from core.english.knowledge import shared_wordnet
from core.english.negation import flip_as_published
from core.english.substitution import keywords
from core.english.tagger import tagger
from core.english.wordnet import wordnet
from core.perturb.edits import Perturbed
from core.perturb.negatives.sampler import Mix, MixName, Sampler, Technique, denied, doubled, overwritten, places
from core.stories import sentences

SURE = 0.001
"""A fixed seed draws one sample: what has this probability by chance is called wrong."""
STORY = "Nora had an old boat. She was happy. The red dog ran home. Tom sold his big house. They never came back."
OTHERS = [
    "Anna found a key. It opened a small door. Nobody knew the room. A cat slept inside.",
    "Ben cooked soup. His sister ate it quickly. He was glad.",
]
SHORT = "Go on. One two. Three four five. Six."


def of(technique: Technique, **ways: float) -> Sampler:
    mix = Mix({technique: 1.0}, (1.0,), name=MixName.PAPER, **ways)
    return Sampler([STORY, *OTHERS], shared_wordnet(), mix)


def made_of(by: Sampler, number: int, story: str = STORY) -> list[Perturbed]:
    result = [by.negative(story, str(seed)) for seed in range(number)]
    assert all(result)
    return [perturbed for perturbed in result if perturbed]


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


def as_often(observed: Sequence[Hashable], expected: Mapping[Any, float]) -> None:
    """Nothing that the slow version does not know, and everything as often."""
    there, whole = Counter(observed), sum(expected.values())
    assert set(there) <= set(expected)
    keys = list(expected)
    rates = [expected[key] / whole * len(observed) for key in keys]
    assert len(keys) == 1 or chisquare([there[key] for key in keys], rates).pvalue > SURE


def every(draw: Callable[[random.Random], Hashable], number: int = 6_000) -> list[Hashable]:
    rng = random.Random(11)
    return [draw(rng) for _ in range(number)]


@pytest.mark.parametrize("n", [2, 3, 5, 6])
def test_a_sentence_over_half_of_the_story(n: int) -> None:
    """Of 1 + n/2 drawn sentences, none of them the first, the earliest stands over the others."""
    size = min(1 + n // 2, n - 1)
    slow: Counter[Hashable] = Counter()
    for drawn in combinations(range(n - 1), size):
        slow[(drawn[0], drawn[1:]) if size > 1 else None] += 1
    made = [overwritten(n - 1, n, random.Random(seed)) for seed in range(6_000)]
    as_often([part and (part[0], tuple(part[1])) for part in made], slow)


def test_the_repeated_sentence_in_a_story() -> None:
    for perturbed in made_of(of(Technique.REPETITION, repeat_sentence=1.0), 60):
        before, after = split(perturbed.original), split(perturbed.text)
        changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        assert len(changed) == 5 // 2
        (again,) = {after[i] for i in changed}
        assert 0 < before.index(again) < min(changed)


def test_seven_of_ten_repetitions_are_of_sentences() -> None:
    ways = [perturbed.steps[0].way for perturbed in made_of(of(Technique.REPETITION), 500)]
    as_often([way.endswith("phrases twice") for way in ways], {True: 3, False: 7})


def test_phrases_are_doubled_half_as_often_as_there_are_sentences() -> None:
    """Each time a sentence, a size of one to four words and a beginning are drawn anew, all evenly."""
    there = [["One", "two"], ["Three", "four", "five"], ["Six"]]
    once: Counter[str] = Counter()
    for words, size in product(there, range(1, 5)):
        many = min(size, len(words))
        starts = range(len(words) - many + 1)
        for start in starts:
            once[" ".join(words[start : start + many])] += 12 // len(starts)  # divides by 1, 2 and 3
    slow: Counter[Hashable] = Counter()
    for (a, often), (b, again) in product(once.items(), repeat=2):
        slow[tuple(sorted((a, b)))] += often * again
    free = sentences(SHORT)[1:]
    as_often(every(lambda rng: tuple(sorted(new.strip() for *_, new in doubled(SHORT, free, 2, rng)))), slow)
    for perturbed in made_of(of(Technique.REPETITION, repeat_sentence=0.0), 60):
        (step,) = perturbed.steps
        assert len(step.edits) == 5 // 2
        for edit in step.edits:
            assert edit.before == ""
            assert perturbed.original[: edit.start].endswith(edit.after.removeprefix(" "))


def test_one_to_all_but_the_first_sentence_drawn_evenly() -> None:
    """For substitution and for negation: the number evenly, then the sentences."""
    slow: Counter[Hashable] = Counter()
    for many in range(1, 5):
        ways = list(combinations(range(4), many))
        for way in ways:
            slow[way] += 12 // len(ways)  # 4, 6, 4 and 1 of them
    as_often(every(lambda rng: tuple(places(4, rng))), slow)
    assert places(0, random.Random(1)) == []


def test_sentences_of_one_other_story() -> None:
    """Each of the sentences drawn becomes any sentence of the same story, the first too, and some may come twice."""
    changed = made_of(of(Technique.SUBSTITUTION, substitute_sentences=1.0), 900)
    whole = [item for item in changed if "sentence" in item.steps[0].way]
    lent = {part: other for other in OTHERS for part in split(other)}
    numbers, first = [], []
    for perturbed in whole:
        after = split(perturbed.text)
        new = [i for i, (a, b) in enumerate(zip(split(perturbed.original), after, strict=True)) if a != b]
        assert 0 not in new
        assert len({lent[after[i]] for i in new}) == 1
        numbers.append(len(new))
        first.append(after[new[0]])
    as_often(numbers, Counter([1, 2, 3, 4]))
    as_often(first, {part: 1 / len(split(other)) for part, other in lent.items()})
    assert any(len(set(split(item.text))) < 5 for item in whole)


def test_one_to_fifteen_percent_of_the_keywords() -> None:
    """The number drawn evenly, then the keywords; an opposite stands there as the lexicon has it."""
    story = "It began. " + "The old man saw a big red dog near his small house. She loved the quiet girl. " * 4
    count = sum(len(keywords(part, shared_wordnet())) for part in split(story)[1:])
    most = int(0.15 * count)
    assert most >= 5
    changed = made_of(of(Technique.SUBSTITUTION, substitute_sentences=0.0), 600, story)
    as_often([len(perturbed.steps[0].edits) for perturbed in changed], Counter(range(1, most + 1)))
    news = {edit.after for perturbed in changed for edit in perturbed.edits if edit.before == "loved"}
    assert "hate" in news
    assert "hated" not in news
    assert all(len(edit.before.split()) == 1 for perturbed in changed for edit in perturbed.edits)  # no article follows


def test_half_of_the_substitutions_are_of_sentences() -> None:
    changed = made_of(of(Technique.SUBSTITUTION), 500)
    share = 0.5 * 2 / 3  # a third of the draws of another story find the story itself, and take words
    as_often(["sentence" in perturbed.steps[0].way for perturbed in changed], {True: share, False: 1 - share})


DELETED = {
    "no", "not", "n't", "none", "never", "nobody", "nothing", "nowhere", "neither", "hardly", "scarcely", "barely",
    "seldom", "cannot",
}  # fmt: skip
BEFORE = {
    "would", "will", "can", "could", "may", "might", "shall", "should", "do", "does", "did", "am", "is", "are", "was",
    "were", "be", "been",
}  # fmt: skip
SPELT = {"can": "ca", "will": "wo"}
NO_SHORT = {"am", "may", "shall", "be", "been"}


def slowly_denied(sentence: str) -> set[str | None]:
    """All that the description lets become of a tokenised sentence, with n't written apart."""
    tokens = sentence.split()
    for i, token in enumerate(tokens):
        if token in DELETED:
            return {" ".join(tokens[:i] + tokens[i + 1 :])}
    for i, token in enumerate(tokens):
        if token in BEFORE:
            both = {(token, "not")} | ({(SPELT.get(token, token), "n't")} if token not in NO_SHORT else set())
            return {" ".join([*tokens[:i], *new, *tokens[i + 1 :]]) for new in both}
    for i, (token, tag) in enumerate(zip(tokens, tagger().tags(tokens), strict=True)):
        rest = " ".join(tokens[i + 1 :])
        begin = " ".join(tokens[:i])
        if tag in ("VB", "VBP"):
            return {f"{begin} do {no} {token} {rest}".strip() for no in ("not", "n't")}
        if tag in ("VBD", "VBZ"):
            do = "did" if tag == "VBD" else "does"
            return {f"{begin} {do} {no} {wordnet().morphy(token, 'v')} {rest}".strip() for no in ("not", "n't")}
        if tag in ("VBG", "VBN"):
            return {f"{begin} not {token} {rest}".strip()}
    return {None}


@pytest.mark.parametrize(
    "sentence",
    [
        "he was glad .", "she can go .", "they will come .", "i am ill .", "we may win .", "he did his homework .",
        "she never came .", "nobody came .", "he has no money .", "she did n't go .", "i cannot see .", "he had gone .",
        "he ran home .", "she runs fast .", "they run .", "he wanted to leave .", "running home he fell .",
        "seen from here it was small .", "the red house .", "she may not come .", "it could have been worse .",
    ],
)  # fmt: skip
def test_rules_of_negation(sentence: str) -> None:
    rng = random.Random(3)
    made: set[str | None] = set()
    for _ in range(40):
        change = flip_as_published(sentence, rng)
        made.add(change and sentence[: change[0]] + change[2] + sentence[change[1] :])
    assert {name and name.strip() for name in made} == slowly_denied(sentence)


@pytest.mark.parametrize(
    ("sentence", "becomes"),
    [
        ("He's here.", {"He's not here."}),
        ("She can't go.", {"She can go."}),
        ("I won't.", {"I will."}),
        ("Never go there.", {"Go there."}),
        ("He ran.", {"He did not run.", "He didn't run."}),
        ("THE DOG RAN.", {"THE DOG DID NOT RUN.", "THE DOG DIDN'T RUN."}),
        ("Tom's old dog.", {None}),
        ("No!", {None}),
    ],
)
def test_negation_as_english_spells_it(sentence: str, becomes: set[str | None]) -> None:
    made = {flip_as_published(sentence, random.Random(seed)) for seed in range(20)}
    assert {part and sentence[: part[0]] + part[2] + sentence[part[1] :] for part in made} == becomes


def test_one_to_all_but_the_first_sentence_are_negated() -> None:
    changed = made_of(of(Technique.NEGATION), 800)
    slow: Counter[Hashable] = Counter()
    for many in range(1, 5):
        ways = list(combinations(range(1, 5), many))
        for way in ways:
            slow[way] += 12 // len(ways)
    result = []
    for perturbed in changed:
        pairs = list(zip(split(perturbed.original), split(perturbed.text), strict=True))
        result.append(tuple(i for i, (a, b) in enumerate(pairs) if a != b))
        assert perturbed.steps[0].way == f"in {len(result[-1])} sentence" + ("s" if len(result[-1]) > 1 else "")
    as_often(result, slow)


def test_sentences_without_a_verb_are_not_negated() -> None:
    text = "It began. The red house. She ran."
    for seed in range(30):
        changes = denied(text, sentences(text)[1:], random.Random(seed))
        assert all(text[start:end] == "ran" for start, end, _ in changes)
        assert len(changes) == 1
    assert denied("Go. The house.", sentences("Go. The house.")[1:], random.Random(1)) == []
