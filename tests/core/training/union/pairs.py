"""What several tests of pairs share."""

from core.english.knowledge import shared_wordnet
from core.perturb.negatives.sampler import Sampler

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
STORIES = [f"{name} went out. It was cold. {name} saw a big dog. The dog ran home. {name} slept." for name in NAMES]


def sampler() -> Sampler:
    return Sampler(STORIES, shared_wordnet())
