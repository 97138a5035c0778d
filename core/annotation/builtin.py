"""The schemes that come with Fabula: those of the four papers, and those of several criteria.

MANS: OpenMEVA (2021) section 3.1 and appendix A.2. UNION: UNION (2020) section 4.2. Turing: Perception Score (2020),
after the Turing score M1. Human likeliness: Cano and Bojar (2020), the h, m and u scores of their section 3.1.
"""

from dataclasses import replace

from core.annotation.builtin_criteria import CRITERIA, HANNA, NEXT_CHAPTER
from core.annotation.criterion import OVERALL, PREFERENCE, Criterion
from core.annotation.pair_design import PairRules
from core.annotation.scheme import ErrorType, Scheme
from core.annotation.unit import PromptKind, Unit
from core.errors import InputError
from core.stories import Source

MANS = Scheme(
    key="mans",
    title="MANS",
    criteria=(
        Criterion(
            OVERALL,
            "How good is this story as a whole?",
            ((1, "Very poor"), (2, "Poor"), (3, "Fair"), (4, "Good"), (5, "Very good")),
            "interval",
        ),
    ),
    error_types=(
        ErrorType(
            "repetitive plots",
            (1, 2),
            "The same event or sentence comes back without adding anything.",
            "Nora opened the shop. She opened the shop again. Then Nora opened the shop.",
            "The shop is opened three times and nothing else happens. −1 for one event, −2 for most of the story.",
        ),
        ErrorType(
            "unrelated events",
            (1, 2),
            "What happens has nothing to do with the opening, or not even with what is told before and after it.",
            "Nora opened the shop at nine. A volcano on another planet went quiet. She sold two loaves.",
            "The volcano has nothing to do with the opening, nor with what stands around it, so it is −2. −1 where the "
            "events hang together and have only left the opening behind.",
        ),
        ErrorType(
            "conflicting logic",
            (1, 2),
            "Two parts contradict each other, or an effect does not follow from its cause.",
            "Nora had never learned to read. She spent the whole evening reading the newspaper.",
            "She cannot read and yet she reads. −1 for a slip, −2 where the story hangs on it.",
        ),
        ErrorType(
            "chaotic scenes",
            (2,),
            "The story as a whole cannot be followed: places, people and times change without a thread.",
            "The shop was the sea and he was Monday. They ate her in the train of two winters before the bread.",
            "Nobody could retell this: who, where and when change with every word. The whole fails, so it is −2.",
        ),
    ),
    unit=Unit.PANEL,
    controls=True,
)

UNION = Scheme(
    key="union",
    title="UNION",
    criteria=(Criterion(OVERALL, "Is this a reasonable story?", ((0, "Unreasonable"), (1, "Reasonable")), "nominal"),),
    error_types=(
        ErrorType(
            "repeated plot",
            (),
            "The same plot comes back.",
            "Omar washed the car. Then he washed the car. In the evening he washed the car.",
            "One event, told three times.",
        ),
        ErrorType(
            "poor coherence",
            (),
            "Sentences do not belong together or to the opening.",
            "Omar washed the car. The princess signed the treaty. He poured out the bucket.",
            "The princess and her treaty belong to another story.",
        ),
        ErrorType(
            "conflicting logic",
            (),
            "Causes and effects, or facts, contradict each other.",
            "Omar washed the car until it was dirty, so he was proud of how it shone.",
            "Washing makes a car clean, and a dirty one does not shine.",
        ),
        ErrorType(
            "chaotic scene",
            (),
            "The whole cannot be followed.",
            "The bucket drove him last tomorrow and under the car they were all the rain's uncle.",
            "No sentence can be pictured: who does what, and when?",
        ),
        ErrorType(
            "other",
            (),
            "Any other reason.",
            "The story stops in the middle of a word.",
            "None of the reasons above fits.",
        ),
    ),
    unit=Unit.STORY,
    reasons_for=(0,),
    catch_all="other",
    wanted=7,
)

TURING = Scheme(
    key="turing",
    title="Turing",
    criteria=(
        Criterion(
            PREFERENCE,
            "Which of the two goes on better?",
            ((-1, "A is better"), (0, "Equally good"), (1, "B is better")),
            "ordinal",
        ),
    ),
    error_types=(),
    unit=Unit.PAIRS,
    controls=True,
    pairs=PairRules(against_human=True),
)

LIKELINESS = Scheme(
    key="likeliness",
    title="Human likeliness",
    criteria=(
        Criterion(
            OVERALL, "Who wrote this text?", ((-1, "A machine"), (0, "I cannot tell"), (1, "A human")), "nominal"
        ),
    ),
    error_types=(),
    unit=Unit.STORY,
    sources=(Source.SYSTEM, Source.HUMAN),
    shows_prompt=False,
    shares=(("h", (1,)), ("m", (-1,)), ("u", (0,))),
)

PREFERENCES = Scheme(
    key="preferences",
    title="Preferences",
    criteria=(
        Criterion(
            PREFERENCE,
            "Which of the two stories is better?",
            ((-1, "A is better"), (0, "About equal"), (1, "B is better")),
            "ordinal",
        ),
    ),
    error_types=(),
    unit=Unit.PAIRS,
    controls=True,
    wanted=3,
    pairs=PairRules(),
)

_ALL = (MANS, UNION, TURING, LIKELINESS, HANNA, NEXT_CHAPTER, CRITERIA, PREFERENCES)
SCHEMES = {scheme.key: scheme for scheme in _ALL}


_OF_TASKS = {
    "What happens has nothing to do with the opening, or not even with what is told before and after it.": (
        "What happens has nothing to do with the prompt, or not even with what is told before and after it."
    ),
    "The volcano has nothing to do with the opening, nor with what stands around it, so it is −2. −1 where the "
    "events hang together and have only left the opening behind.": (
        "The volcano has nothing to do with the prompt, nor with what stands around it, so it is −2. −1 where the "
        "events hang together and have only left the prompt behind."
    ),
    "Sentences do not belong together or to the opening.": "Sentences do not belong together or to the prompt.",
}
"""What built-in error types say of openings -> what they say of tasks."""


def with_prompts(scheme: Scheme, kind: PromptKind) -> Scheme:
    """The scheme with prompts of this kind, and what its built-in error types say of them to match."""
    words = _OF_TASKS if kind is PromptKind.TASK else {task: opening for opening, task in _OF_TASKS.items()}
    types = tuple(
        replace(error, description=words.get(error.description, error.description), why=words.get(error.why, error.why))
        for error in scheme.error_types
    )
    return replace(scheme, prompt_kind=kind, error_types=types)


def offered(key: str) -> str:
    """What the scheme of a new study is called where it is chosen, and what it asks."""
    scheme = SCHEMES[key]
    own = " to begin with; change them under Form and rules" if key == CRITERIA.key else ""
    return f"{scheme.title}: {scheme.summary}{own}"


def scheme_of(key: str) -> Scheme:
    """The scheme of this key; raises InputError naming those there are."""
    if key not in SCHEMES:
        raise InputError(f"There is no annotation scheme {key!r}; there are {', '.join(SCHEMES)}.")
    return SCHEMES[key]
