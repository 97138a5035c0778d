"""What the tests of test sets share: means from a few stories, and what every case must keep."""

from functools import lru_cache

from core.english.frames import frames
from core.english.knowledge import shared_wordnet
from core.english.relations import relations_of
from core.english.sentences import ParsedStory, Resources
from core.english.substitution import Vocabulary
from core.perturb.edits import Perturbed, apply
from core.perturb.techniques.commonsense import seen_in
from core.stories import sentences

STORIES = (
    "Nora had an old boat. She painted it because it looked sad. The boat was happy again. She never sold it.",
    "Tom wanted a dog. He went to the shelter, so he met many dogs. Then he found a cat. The cat chose Tom. "
    "When he came home, the cat slept on his bed.",
    "My mother cooked soup for dinner. We ate the soup and the bread. After we had eaten, she told us a story. "
    "I did not like the bread. It was unhappy bread.",
    "Ben bought a car before he could drive. He drove the car into a tree. His father was angry. The truck of "
    "his father was broken too. They both walked to work the next day.",
    "Anna read a book in the kitchen. Her brother broke the window with his ball. She was not angry. "
    "He bought a new window. They played with the ball, and they laughed.",
    "The dog chased the cat through the garden. The cat jumped over the wall. The puppies saw the cat and the dog. "
    "The bear laughed at them. Another bear saw a dog. They were asked to go home.",
)
PARAPHRASES = {
    "She never sold it.": "At no time did she give it away for money.",
    "Then he found a cat.": "A cat came.",
}


@lru_cache(maxsize=1)
def means() -> Resources:
    """As a test set of these stories has them."""
    knowledge = shared_wordnet()
    vocabulary = Vocabulary.of((name[a:b] for name in STORIES for a, b in sentences(name)), knowledge)
    return Resources(
        relations_of(knowledge, vocabulary),
        STORIES,
        vocabulary,
        frames(STORIES),
        seen_in(STORIES),
        PARAPHRASES,
        frozenset(STORIES[:1]),
    )


def split(text: str) -> list[str]:
    """Its sentences."""
    return [text[start:end] for start, end in sentences(text)]


def check(made: Perturbed, reading: ParsedStory) -> None:
    """Exactly the recorded edits turn one text into the other, and what is kept has not changed."""
    assert made.original == reading.text
    assert made.text != made.original
    assert apply(made.original, made.edits) == made.text
    text = made.original
    for step in made.steps:
        text = apply(text, step.edits)
    assert text == made.text
    kept = reading.sentences[reading.kept - 1].end if reading.kept and reading.sentences else 0
    assert made.text[:kept] == made.original[:kept]
    assert all(edit.start >= kept for edit in made.edits)
