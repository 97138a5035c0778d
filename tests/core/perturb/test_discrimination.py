"""Eight aspects of incoherence: what each does to a story, what it leaves alone, and texts that are hard."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.perturb import character, commonsense, consistency, order, relatedness, repetition
from core.perturb.aspects import Aspect
from core.perturb.discrimination import RECIPES, coherent, incoherent
from core.perturb.reading import Reading, Technique
from tests.core.perturb.aspects import STORIES, check, means, split

PIECES = st.sampled_from(
    [
        "“Go away!” she said.", "I did n't go .", "HE NEVER CAME BACK.", "[MALE] was 12, so [FEMALE] left at 9:30.",
        "No.", "Then", "…", "because", "He ate the cake before she came.", "Él no quiso comer.", "\n", "它很大。", "",
        "She and she and she and she went.", "Was it late?", "It's, well, fine!!", "after all", "the the the the",
        "When he slept, she sang.", "Because it rained, they stayed.", "My dog's ball, my ball.", "'Tis so", ". . .",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map(" ".join), st.sampled_from(STORIES), st.text(max_size=200))


def made(technique: Technique, text: str, seed: int = 0, kept: int = 1) -> str | None:
    """The changed text, as a reader would write it down."""
    reading = Reading(text, kept)
    found = technique(reading, means(), random.Random(seed))
    if found is None:
        return None
    for start, end, new in sorted(found.changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize("aspect", list(Aspect))
@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(0, 2), st.integers(0, 9))
def test_exactly_the_recorded_edits(aspect: Aspect, text: str, kept: int, seed: int) -> None:
    reading = Reading(text, kept)
    found = incoherent(reading, aspect, means(), f"{seed}")
    assert found == incoherent(Reading(text, kept), aspect, means(), f"{seed}")
    coherent(reading, aspect, means())
    if found:
        check(found, reading)
        (step,) = found.steps
        names = [technique.__name__.replace("_", " ") for technique, _ in RECIPES[aspect].techniques]
        assert step.technique in names
        assert all(edit.techniques == (step.technique,) for edit in found.edits)


@pytest.mark.parametrize("aspect", list(Aspect))
def test_other_seeds_change_other_places(aspect: Aspect) -> None:
    texts = {
        made.text
        for story in (*STORIES, "Tom saw the puppies. The dog ran home.")
        for seed in range(12)
        if (made := incoherent(Reading(story, 1), aspect, means(), f"{seed}"))
    }
    assert len(texts) > 1


def test_every_technique_is_drawn_first_as_often_as_it_weighs() -> None:
    reading = Reading(STORIES[0], 1)
    found = [incoherent(reading, Aspect.CONSISTENCY, means(), f"{seed}") for seed in range(400)]
    used = [made.steps[0].technique for made in found if made]
    assert len(used) == 400
    assert 160 < used.count("deny") < 240
    assert 60 < used.count("turn antonym") < 140


def test_words_twice() -> None:
    text = "It was late. He stepped on the stage."
    assert made(repetition.repeat_words, text) == f"{text[:-1]} and stepped on the stage."
    assert made(repetition.repeat_words, "It was late. He ran.") is None
    loud = made(repetition.repeat_words, "IT WAS LATE. HE WAS QUITE ALONE.")
    assert loud == "IT WAS LATE. HE WAS QUITE ALONE AND HE WAS QUITE ALONE."
    assert made(repetition.repeat_words, text, kept=2) is None
    assert made(repetition.repeat_words, 'It was late. "He stepped on the stage," she said.') is None


def test_a_sentence_twice() -> None:
    text = "One went. Two came."
    assert made(repetition.repeat_sentence, text) == "One went. One went."
    assert made(repetition.repeat_sentence, "One went. One went.") is None
    assert made(repetition.repeat_sentence, 'One went. "Two," he said.') is None
    assert made(repetition.repeat_sentence, "One went .") is None


def test_a_paraphrase_follows() -> None:
    found = made(repetition.repeat_meaning, STORIES[0])
    assert found == f"{STORIES[0]} At no time did she give it away for money."
    assert made(repetition.repeat_meaning, STORIES[3]) is None


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("He came. She left.", False),
        ("He came. She left. He came.", True),
        ("He went to the sea and went to the sea.", True),
        ("He went to the sea went to the sea.", True),
        ("He went to the sea, then he went to the sea again.", False),
    ],
)
def test_stories_that_repeat_themselves_are_not_coherent(text: str, repeats: bool) -> None:
    assert repetition.repeats(Reading(text, 1), means()) is repeats
    assert coherent(Reading(text, 1), Aspect.LEXICAL_REPETITION, means()) is not repeats


def test_pronouns_keep_their_case() -> None:
    text = "Tom was home. He saw his dog with him."
    found = {made(character.exchange_pronoun, text, seed) for seed in range(40)}
    assert found <= {f"Tom was home. {who} saw his dog with him." for who in ("She", "I", "We")}
    assert len(found) == 3
    assert made(character.exchange_pronoun, "It was late. I was there.") in (None,)
    lower = {made(character.exchange_pronoun, "tom was home . he saw a dog .", seed) for seed in range(40)}
    assert "tom was home . i saw a dog ." in lower
    assert made(character.exchange_pronoun, "It was. He hurt himself.") is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It was his.", "It was {mine}."),
        ("A friend of his came.", "A friend of {mine} came."),
        ("It was older than his, too.", "It was older than {mine}, too."),
        ("A friend of his brother came.", "A friend of {my} brother came."),
        ("It was his very old car.", "It was {my} very old car."),
        ("It was his 2 dogs.", "It was {my} 2 dogs."),
    ],
)
def test_possessives_with_and_without_a_noun(before: str, after: str) -> None:
    forms = [{"mine": alone, "my": possessive} for _, _, possessive, alone, _ in character.PERSONS]
    expected = {f"Tom slept. {after.format(**forms[row])}" for row in (0, 1, 4)}  # I, we, she
    assert {made(character.exchange_pronoun, f"Tom slept. {before}", seed) for seed in range(40)} == expected


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Tom met Ann. Nobody saw {him}.", {"me", "us"}),
        ("Tom Smith was late. Nobody saw {him}.", {"me", "us", "her"}),
        ("Tom left on Monday. Nobody saw {him}.", {"me", "us", "her"}),
        ("tom met ann . nobody saw {him} .", {"me", "us"}),
        ("[MALE] met [FEMALE] . nobody saw {him} .", {"me", "us"}),
        ("[MALE] left . nobody saw {him} .", {"me", "us", "her"}),
    ],
)
def test_she_may_be_any_of_several_names(text: str, turned: set[str]) -> None:
    found = {made(character.exchange_pronoun, text.format(him="him"), seed) for seed in range(40)}
    assert found == {text.format(him=new) for new in turned}


def test_somebody_the_story_knows_is_nobody_new() -> None:
    text = "Tom and a girl met. He saw a dog."
    assert {made(character.exchange_pronoun, text, seed) for seed in range(40)} == {
        "Tom and a girl met. I saw a dog.",
        "Tom and a girl met. We saw a dog.",
    }


def test_roles_change_with_their_case() -> None:
    assert made(character.swap_roles, "It was late. He ate the cake.") == "It was late. The cake ate him."
    assert made(character.swap_roles, "It was late. Tom bought a big cake at home.") == (
        "It was late. A big cake bought Tom at home."
    )
    for other in ("He was a cake.", "He ate the teacher.", "He hit the car.", "They said the cake was good."):
        assert made(character.swap_roles, f"It was late. {other}") is None


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("She saw him and me.", True),
        ("She saw him.", False),
        ("The cake was eaten.", True),
        ("He was not there.", False),
    ],
)
def test_stories_of_several_persons(text: str, several: bool) -> None:
    assert character.many_persons(Reading(text, 1), means()) is several


def test_neighbours() -> None:
    text = "Tom saw the puppies. The dog ran home. Her dogs were big."
    found = {made(commonsense.replace_by_neighbours, text, seed) for seed in range(20)}
    assert found <= {f"Tom saw the puppies. The {one} ran home. Her {one}s were big." for one in ("cat", "bear")}
    assert len(found) == 2
    assert commonsense.has_relation(Reading(text, 1), means())
    assert not commonsense.has_relation(Reading("Tom slept. She sang.", 1), means())


def test_denials() -> None:
    assert made(consistency.deny, "It was late. He was not there. She sang.", 1) in (
        "It was late. He was there. She sang.",
        "It was late. He was there. She sang.",
    )
    assert made(consistency.deny, "It was late. Was he there?") is None


def test_a_fifth_of_the_sentences_is_denied() -> None:
    text = " ".join(f"He was in room {i}." for i in range(20))
    found = made(consistency.deny, text)
    assert found is not None
    assert sum(a != b for a, b in zip(split(text), split(found), strict=True)) == 4


def test_what_is_taken_up_again_is_denied_first() -> None:
    text = "It was late. He went home. He bought a kite. The kite flew away. He cried."
    for seed in range(12):
        found = made(consistency.deny, text, seed)
        assert found is not None
        assert "He did not buy a kite" in found or "He didn't buy a kite" in found


def test_antonyms_and_prefixes_keep_the_form() -> None:
    assert made(consistency.turn_antonym, "It was late. She loved the bread.") == "It was late. She hated the bread."
    assert made(consistency.turn_prefix, "It was late. She was unhappy.") == "It was late. She was happy."
    assert made(consistency.turn_prefix, "It was late. An able man.") == "It was late. An unable man."
    assert made(consistency.turn_antonym, "It was late. They sang happy birthday.") is None
    assert made(consistency.turn_antonym, "It was late. The boy sang.") is None
    assert made(consistency.turn_antonym, "It was late. The rope was weak.") == "It was late. The rope was strong."
    assert made(consistency.turn_antonym, "It was late. The rope was weaker.") is None


@pytest.mark.parametrize(
    ("text", "denies"), [("She did n't go.", True), ("It was illegal.", True), ("It was legal.", False), ("Ok.", False)]
)
def test_stories_with_negations(text: str, denies: bool) -> None:
    assert consistency.has_negation(Reading(text, 1), means()) is denies


def test_random_words_have_the_same_form() -> None:
    reading = Reading(STORIES[4], 1)
    for seed in range(20):
        found = relatedness.replace_at_random(reading, means(), random.Random(seed))
        assert found is not None
        for start, _, new in found.changes:
            old = next(word for word in reading.words if word.end >= start + 1 and word.start >= start)
            assert new.split()[-1][0].islower() or old.text[0].isupper()


def test_a_sentence_of_another_story() -> None:
    for seed in range(20):
        found = made(relatedness.replace_sentence, STORIES[0], seed)
        assert found is not None
        (new,) = [one for one in split(found) if one not in split(STORIES[0])]
        assert any(new in split(other) for other in STORIES[1:])
    assert made(relatedness.replace_sentence, STORIES[0].lower().replace(".", " .")) is None


@pytest.mark.parametrize("quote", ['"Bears sang," Kim said.', "“Bears sang,” Kim said.", "'Bears sang,' Kim said."])
def test_speech_is_not_lent(quote: str) -> None:
    lent = replace(means(), lenders=(f"{quote} Bears ran.",))
    found = {relatedness.replace_sentence(Reading(STORIES[0], 1), lent, random.Random(seed)) for seed in range(20)}
    assert {change[2] for one in found if one for change in one.changes} == {"Bears ran."}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He was sad because he lost.", "He lost because he was sad."),
        ("Tom was sad because he lost.", "He lost because Tom was sad."),
        ("He was hungry, so he left.", "He left, so he was hungry."),
        ("Because it rained, they stayed.", "Because they stayed, it rained."),
        ("I was tired because Tom left.", "Tom left because I was tired."),
        ("The man left because she sang!", "She sang because the man left!"),
    ],
)
def test_causes_swapped(before: str, after: str) -> None:
    assert made(order.swap_causes, f"It was late. {before}") == f"It was late. {after}"


@pytest.mark.parametrize(
    "text",
    [
        "He was late because of the rain.", "It was so good.", "He ran so fast.", '"I left because he sang," she said.',
        "He sang so that she slept.", "He was glad because, as he said, it rained.",
        "This is because he left.",
    ],
)  # fmt: skip
def test_what_is_no_cause_of_a_clause_stays(text: str) -> None:
    assert made(order.swap_causes, f"It was late. {text}") is None


def test_sentences_around_an_opening() -> None:
    text = "It was late. The sky was clear. So he saw the moon."
    assert made(order.swap_causes, text) == "It was late. He saw the moon. So the sky was clear."
    assert made(order.swap_causes, text, kept=2) is None
    text = "It was late. Tom was home. Then, he left."
    assert made(order.swap_times, text) == "It was late. He left. Then, Tom was home."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He ate before he slept.", "He slept before he ate."),
        ("After he came, he slept.", "After he slept, he came."),
        ("When Tom came, they ate.", "When they ate, Tom came."),
        ("They waited until she came.", "She came until they waited."),
    ],
)
def test_times_swapped(before: str, after: str) -> None:
    assert made(order.swap_times, f"It was late. {before}") == f"It was late. {after}"


def test_what_goes_on_while_something_happens_has_no_order() -> None:
    assert made(order.swap_times, "It was late. He was eating when she came.") is None


@pytest.mark.parametrize(
    ("technique", "before", "after"),
    [
        (order.oppose_times, "He ate after a nap.", "He ate before a nap."),
        (order.oppose_times, "He ate after school.", None),
        (order.oppose_times, "The next day he left.", "The previous day he left."),
        (order.oppose_times, "Two days later he left.", "Two days earlier he left."),
        (order.oppose_times, "FINALLY HE LEFT.", "AT FIRST HE LEFT."),
        (order.oppose_times, "He looked after the dog.", None),
        (order.oppose_times, "He came after all.", None),
        (order.oppose_times, "She had never left.", None),
        (order.oppose_times, "They lived there long ago.", None),
        (order.oppose_times, "Soon after, he left.", None),
        (order.oppose_times, "They were happy ever after.", None),
        (order.oppose_times, "He was never ever sad.", None),
        (order.oppose_times, "He never saw it again.", None),
        (order.oppose_times, "He was at the end of the street.", None),
        (order.oppose_times, "He was in the end zone.", None),
        (order.oppose_times, "He slept at the end of the first day.", "He slept at the beginning of the first day."),
        (order.oppose_times, "It was love at first sight.", None),
        (order.oppose_times, "He wrote day after day.", None),
        (order.oppose_times, "He left after a few days.", None),
        (order.oppose_times, "After a while, he left.", "From the start, he left."),
        (order.oppose_times, "Still, he left.", None),
        (order.oppose_times, "He was still not there.", None),
        (order.oppose_times, "He had a previous job.", None),
        (order.oppose_times, "He will sing next week.", "He will sing last week."),
        (order.oppose_times, "He sang all next day.", None),
        (order.oppose_times, "Last week he sang.", "Next week he sang."),
        (order.oppose_times, "Today he sang.", "Tomorrow he sang."),
        (order.oppose_times, "Today he is sad.", None),
        (order.oppose_times, "He saw the dog again.", "He saw the dog for the first time."),
        (order.oppose_times, "He has been sad lately.", None),
        (order.oppose_causes, "It was because he sang.", None),
        (order.oppose_causes, "The test results were bad.", None),
        (order.oppose_causes, "It caused him to sing.", None),
        (order.oppose_causes, "They made sure he sang.", "They could not be sure he sang."),
        (order.oppose_causes, "He left because of the dog.", "He left despite the dog."),
        (order.oppose_causes, "He was glad because she sang.", "He was glad so she sang."),
        (order.oppose_causes, "He was hungry, so he left.", None),
        (order.oppose_causes, "The reason was clear.", "The result was clear."),
        (order.oppose_causes, "So he left.", "In spite of that, he left."),
        (order.oppose_causes, "So, he left.", "In spite of that, he left."),
        (order.oppose_causes, "so he left .", "in spite of that , he left ."),
        (order.oppose_causes, "He was so glad.", None),
    ],
)
def test_opposites(technique: Technique, before: str, after: str | None) -> None:
    found = made(technique, f"It was late. {before}")
    assert found == (after and f"It was late. {after}")


def test_times_that_fit_either_way_come_last() -> None:
    text = "It was late. He left after she sang. The next day he came. He always sang."
    for seed in range(12):
        assert "The previous day he came." in (made(order.oppose_times, text, seed) or "")
    assert made(order.oppose_times, "It was late. He left after she sang.") == "It was late. He left before she sang."


@pytest.mark.parametrize(
    ("text", "causes", "times"),
    [
        ("He left because it rained.", True, False), ("He was so glad.", False, False),
        ("It rained, so he left.", True, False), ("He left yesterday.", False, True), ("He left.", False, False),
    ],
)  # fmt: skip
def test_stories_of_causes_and_times(text: str, causes: bool, times: bool) -> None:
    reading = Reading(text, 1)
    assert (order.has_causes(reading, means()), order.has_times(reading, means())) == (causes, times)
