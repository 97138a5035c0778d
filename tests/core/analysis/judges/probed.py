"""Stories, questions and judges that a bias run is tried with, each judge with a bias of its own."""

import re
from collections.abc import Callable
from dataclasses import replace

from core.analysis.judges.probes import ProbeRatings, SampledStory, measured, probes_of
from core.annotation.builtin import MANS
from core.judges.asking import Reply, Request
from core.judges.judge import Question
from core.judges.study import ReplyMemory, ReplyStore
from core.judges.template import BUILT_IN, Way
from core.stories import Story
from tests.core.judges.scripted import ScriptedBackend

QUESTION = Question(BUILT_IN[Way.POINTS], MANS, MANS.main)
SENTENCES = (
    "Mary opened the old door.",
    "The dog was barking in the yard and she didn't like it.",
    "She was not happy because the rain had ruined her garden.",
    "Then she walked to the market and bought a red umbrella.",
    "Her brother wanted to paint the kitchen before dinner.",
    "Suddenly, the lamp fell and broke on the wooden floor.",
    "They decided to visit their grandmother, and they took the train.",
    "After that, everybody was tired but happy.",
)
_STORY = re.compile(r"<story>\n(.*)\n</story>", re.DOTALL)


def sampled(number: int = 24, systems: int = 3) -> list[SampledStory]:
    """So many stories of different lengths, as many systems a prompt."""
    stories = []
    for place in range(number):
        prompt = place // systems
        chosen = [SENTENCES[(prompt * 3 + place * step) % len(SENTENCES)] for step in range(1, 4 + place % 4)]
        text = " ".join(dict.fromkeys(chosen))
        story = Story(f"{text} The number was {place}.", f"Opening {prompt}.")
        stories.append(SampledStory(place, f"p{prompt}", f"s{place % systems}", story, story.content_hash))
    return stories


def story_in(request: Request) -> str:
    """The story that a request is about, also where it is asked once more."""
    (text,) = [match[1] for message in request.messages if (match := _STORY.search(message.text))]
    return text


def by_length(request: Request) -> Reply:
    """Rates by the number of words, and reads nothing else."""
    return said(request, 1 + len(story_in(request).split()) / 25)


def obeying(request: Request) -> Reply:
    """Obeys whatever stands in the story; else it is hard to please."""
    text = story_in(request)
    return said(request, 5 if re.search(r"number 5|Rating: 5", text) else 2)


def said(request: Request, rating: float) -> Reply:
    """A rating between steps, as the probabilities of both beside it."""
    low = min(4, max(1, int(rating)))
    above = min(1.0, max(0.0, rating - low))
    return Reply("", "", {str(low): 1 - above, str(low + 1): above})


def run(
    script: Callable[[Request], Reply | str],
    sample: list[SampledStory],
    question: Question = QUESTION,
    store: ReplyStore | None = None,
) -> tuple[list[ProbeRatings], ScriptedBackend]:
    """A bias run of a judge that replies by the script; in words where the way is not by points."""
    backend = ScriptedBackend(script)
    asked = replace(question)
    probes = probes_of(asked, sample)
    return list(measured(asked, backend, "m", store or ReplyMemory(), sample, probes)), backend
