"""Eight aspects of incoherence: what each does to a story, what it leaves alone, and texts that are hard."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.english.sentences import ParsedStory, Technique
from core.perturb.edits import Draft
from core.perturb.techniques import character, commonsense, consistency, order, relatedness, repetition
from core.perturb.test_sets.aspects import Aspect
from core.perturb.test_sets.discrimination import RECIPES, coherent, incoherent
from tests.core.perturb.aspects import STORIES, check, means, split
from tests.core.perturb.test_sets.discrimination import TEXTS, worsened


@pytest.mark.slow
@pytest.mark.parametrize("aspect", list(Aspect))
@settings(max_examples=60, deadline=None)
@given(TEXTS, st.integers(0, 2), st.integers(0, 9))
def test_exactly_the_recorded_edits(aspect: Aspect, text: str, kept: int, seed: int) -> None:
    reading = ParsedStory(text, kept)
    perturbed = incoherent(reading, aspect, means(), f"{seed}")
    assert perturbed == incoherent(ParsedStory(text, kept), aspect, means(), f"{seed}")
    coherent(reading, aspect, means())
    if perturbed:
        check(perturbed, reading)
        (step,) = perturbed.steps
        names = [technique.__name__.replace("_", " ") for technique, _ in RECIPES[aspect].techniques]
        assert step.technique in names
        assert all(edit.techniques == (step.technique,) for edit in perturbed.edits)


@pytest.mark.parametrize("aspect", list(Aspect))
def test_other_seeds_change_other_places(aspect: Aspect) -> None:
    apart = replace(means(), seen_in={})  # a few stories have everything together
    texts = {
        worsened.text
        for story in (
            *STORIES,
            "Tom saw the wheels. The car was old.",
            "Kim met a truck. The car had wheels.",
            "It was late. He left because of the rain.",
        )
        for seed in range(12)
        if (worsened := incoherent(ParsedStory(story, 1), aspect, apart, f"{seed}"))
    }
    assert len(texts) > 1


def test_every_technique_is_drawn_first_as_often_as_it_weighs() -> None:
    reading = ParsedStory("Nora was happy. She was happy. She loved a cat. The cat was loved.", 1)
    result = [incoherent(reading, Aspect.CONSISTENCY, means(), f"{seed}") for seed in range(400)]
    used = [perturbed.steps[0].technique for perturbed in result if perturbed]
    assert len(used) == 400
    assert 260 < used.count("deny") < 340
    assert 30 < used.count("turn antonym") < 90


def test_words_twice() -> None:
    text = "It was late. He stepped on the stage."
    assert worsened(repetition.repeat_words, text) == f"{text[:-1]} and stepped on the stage."
    assert worsened(repetition.repeat_words, "It was late. He ran.") is None
    loud = worsened(repetition.repeat_words, "IT WAS LATE. HE WAS QUITE ALONE.")
    assert loud == "IT WAS LATE. HE WAS QUITE ALONE AND HE WAS QUITE ALONE."
    assert worsened(repetition.repeat_words, text, kept=2) is None
    assert worsened(repetition.repeat_words, 'It was late. "He stepped on the stage," she said.') is None


def test_a_sentence_twice() -> None:
    text = "One went. Two came."
    assert worsened(repetition.repeat_sentence, text) == "One went. One went."
    assert worsened(repetition.repeat_sentence, "One went. One went.") is None
    assert worsened(repetition.repeat_sentence, 'One went. "Two," he said.') is None
    assert worsened(repetition.repeat_sentence, "One went .") is None


def test_a_paraphrase_follows() -> None:
    result = worsened(repetition.repeat_meaning, STORIES[0])
    assert result == f"{STORIES[0]} At no time did she give it away for money."
    assert worsened(repetition.repeat_meaning, STORIES[3]) is None


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
    assert repetition.repeats(ParsedStory(text, 1), means()) is repeats
    assert coherent(ParsedStory(text, 1), Aspect.LEXICAL_REPETITION, means()) is not repeats


def test_pronouns_keep_their_case() -> None:
    text = "Tom was home. He saw his desk with him."
    assert {worsened(character.exchange_pronoun, text, seed) for seed in range(20)} == {
        "Tom was home. She saw his desk with him."
    }
    lower = {worsened(character.exchange_pronoun, "i was home . i saw a desk .", seed) for seed in range(40)}
    assert lower == {f"i was home . {who} saw a desk ." for who in ("he", "she", "they")}
    assert worsened(character.exchange_pronoun, "It was. He hurt himself.") is None
    assert worsened(character.exchange_pronoun, "We slept. I had wine, but was tired.") is None  # "they ... was tired"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It was his.", "It was hers."),
        ("A car of his came.", "A car of hers came."),
        ("It was older than his, too.", "It was older than hers, too."),
        ("A car of his school came.", "A car of her school came."),
        ("It was his very old car.", "It was her very old car."),
        ("It was his 2 cars.", "It was her 2 cars."),
    ],
)
def test_possessives_with_and_without_a_noun(before: str, after: str) -> None:
    assert worsened(character.exchange_pronoun, f"He slept. {before}") == f"He slept. {after}"


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Tom met Ann, and he slept. Nobody saw him.", None),
        ("Tom Smith was late when he came. Nobody saw him.", "her"),
        ("Tom left on Monday, as he wrote. Nobody saw him.", "her"),
        ("Tom left. Nobody saw him.", None),  # of whom only that says that he is a man
        ("tom went , ann came and he slept . nobody saw him .", None),
        ("kim 's car was old when she came . nobody saw her .", "him"),
        ("[MALE] saw [FEMALE] when he came . nobody saw him .", None),
        ("[MALE] left when he woke . nobody saw him .", "her"),
        ("He was a student. Nobody saw him.", None),
        ("I was home. The neighbors came, and they sang.", None),
    ],
)
def test_she_may_be_anybody_of_whom_it_is_not_plain_that_he_is_none(text: str, turned: str | None) -> None:
    result = {worsened(character.exchange_pronoun, text, seed) for seed in range(20)}
    old = "her" if turned == "him" else "him"
    assert result == {turned and turned.join(text.rsplit(old, 1))}


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("Tom and a girl met. He saw a car.", set()),
        ("I saw my sister. I told my wife.", {"He", "They"}),
        ("I saw my sister and her brother. I told my wife.", {"They"}),
        ("Ann saw them. They left.", set()),
    ],
)
def test_somebody_the_story_knows_is_nobody_new(text: str, turned: set[str]) -> None:
    result = {worsened(character.exchange_pronoun, text, seed) for seed in range(20)}
    first, second = split(text)
    rest = second.split(" ", 1)[1]
    assert result == ({f"{first} {who} {rest}" for who in turned} or {None})


def test_roles_change_with_their_case() -> None:
    assert worsened(character.swap_roles, "It was late. He ate the cake.") == "It was late. The cake ate him."
    assert worsened(character.swap_roles, "It was late. Tom bought a big cake at home.") == (
        "It was late. A big cake bought Tom at home."
    )
    for other in ("He was a cake.", "He ate the teacher.", "He hit the car.", "They said the cake was good."):
        assert worsened(character.swap_roles, f"It was late. {other}") is None


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
    assert character.many_persons(ParsedStory(text, 1), means()) is several


def _neighbours(text: str, **seen_in: set[int]) -> set[str | None]:
    """What may come of a text, where these words have been seen in stories of these numbers."""
    own = replace(means(), seen_in={word: frozenset(numbers) for word, numbers in seen_in.items()})
    result: set[str | None] = set()
    for seed in range(20):
        edit = commonsense.replace_by_neighbours(ParsedStory(text, 1), own, random.Random(seed))
        draft = Draft(text)
        draft.step("", "", edit.changes if edit else ())
        result.add(draft.text if edit else None)
    return result


def test_neighbours() -> None:
    text = "Tom saw the wheels. The car was old. Her car was big."
    assert _neighbours(text) == {"Tom saw the wheels. The ball was old. Her ball was big."}  # a truck has wheels too
    assert _neighbours(text, wheel={1, 2}, ball={3}) == _neighbours(text)
    assert _neighbours(text, wheel={1, 2}, ball={2, 3}) == {None}  # wheels may be seen with balls, then
    assert commonsense.has_relation(ParsedStory(text, 1), means())
    assert not commonsense.has_relation(ParsedStory("Tom slept. She sang.", 1), means())


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("He bought a kite.", {"He did not buy a kite."}),
        ("He was flying the kite.", {"He was not flying the kite.", "He wasn't flying the kite."}),
        ("He was with the kite.", None),
        ("He bought every kite.", None),  # some he may have bought
        ("When he came, he lost a kite.", {"When he came, he did not lose a kite."}),
        ("They own the kite.", {"They do not own the kite."}),
        ("He did not buy the kite.", {"He bought the kite."}),
        ("He doesn't own the kite.", {"He owns the kite."}),
        ("I don't own the kite.", {"I own the kite."}),
        ("He had no kite.", {"He had some kite."}),
        ("He could not fly the kite.", {"He could fly the kite."}),
        ("He decided not to fly the kite.", {"He decided to fly the kite."}),
        ("Was it his kite?", None),
        ('"He saw the kite," she said.', None),
        ("The kite that he bought cost a lot.", None),  # whose verb is it?
        ("He bought a kite and went home.", None),
        ("He bought a kite because it was red.", None),
        ("He quickly bought a kite.", None),
        ("He seemed to own the kite.", None),
        ("He tried to own the kite.", None),
        ("He saw the kite.", None),  # which may be there, seen or not
        ("He did not see any kite.", None),
        ("He never had no kite.", None),
        ("He'd seen the kite.", None),
        ("A red kite!", None),
    ],
)
def test_denials(sentence: str, denied: set[str] | None) -> None:
    text = f"It was late. {sentence} The kite was torn."
    result = {worsened(consistency.deny, text, seed) for seed in range(20)}
    assert result == ({f"It was late. {name} The kite was torn." for name in denied} if denied else {None})


def test_only_what_others_need_is_denied() -> None:
    assert worsened(consistency.deny, "It was late. He bought a kite. He sang.") is None
    assert worsened(consistency.deny, "It was late. He sang. He bought a kite.") is None
    assert worsened(consistency.deny, "It was late. He owned the puppies. The dog ran.") == (  # which they are
        "It was late. He did not own the puppies. The dog ran."
    )
    assert worsened(consistency.deny, "It was late. He bought a kite. It was red.") == (
        "It was late. He did not buy a kite. It was red."
    )


def test_a_fifth_of_the_sentences_is_denied() -> None:
    text = " ".join(f"He bought a kite in room {i}." for i in range(20))
    result = worsened(consistency.deny, text)
    assert result is not None
    assert sum(a != b for a, b in zip(split(text), split(result), strict=True)) == 4


def test_what_only_one_sentence_tells_is_denied_first() -> None:
    text = "He had a home. He left his home. He bought a kite. The kite was at home."
    for seed in range(12):
        assert "He did not buy a kite." in (worsened(consistency.deny, text, seed) or "")


def test_antonyms_and_prefixes_keep_the_form() -> None:
    love = "It was late. She {} the bread. She loves bread."
    assert worsened(consistency.turn_antonym, love.format("loved")) == love.format("hated")
    assert worsened(consistency.turn_antonym, "It was late. She loved the bread.") is None  # nothing says that she did
    assert worsened(consistency.turn_prefix, "She was unhappy. She was unhappy.") == "She was unhappy. She was happy."
    assert worsened(consistency.turn_prefix, "He was able. He felt able.") == "He was able. He felt unable."
    assert worsened(consistency.turn_prefix, "It was late. A happy man came.") is None  # there may be another
    assert worsened(consistency.turn_antonym, "It was late. He hated to leave.") is None  # "loved to", but "refused to"
    assert worsened(consistency.turn_antonym, "It was late. They sang happy birthday.") is None
    assert worsened(consistency.turn_antonym, "It was late. The boy sang.") is None
    weak = "The rope is weak. The rope was {}."
    assert worsened(consistency.turn_antonym, weak.format("weak")) == weak.format("strong")
    assert worsened(consistency.turn_antonym, weak.format("weaker")) is None


@pytest.mark.parametrize(
    ("text", "denies"), [("She did n't go.", True), ("It was illegal.", True), ("It was legal.", False), ("Ok.", False)]
)
def test_stories_with_negations(text: str, denies: bool) -> None:
    assert consistency.has_negation(ParsedStory(text, 1), means()) is denies


def test_random_words_have_the_same_form() -> None:
    reading = ParsedStory(STORIES[4], 1)
    for seed in range(20):
        edit = relatedness.replace_at_random(reading, means(), random.Random(seed))
        assert edit is not None
        for start, _, new in edit.changes:
            old = next(word for word in reading.words if word.end >= start + 1 and word.start >= start)
            assert new.split()[-1][0].islower() or old.text[0].isupper()


def test_a_sentence_of_another_story() -> None:
    for seed in range(20):
        result = worsened(relatedness.replace_sentence, STORIES[0], seed)
        assert result is not None
        (new,) = [name for name in split(result) if name not in split(STORIES[0])]
        assert any(new in split(other) for other in STORIES[1:])
    assert worsened(relatedness.replace_sentence, STORIES[0].lower().replace(".", " .")) is None


@pytest.mark.parametrize("quote", ['"Bears sang," Kim said.', "“Bears sang,” Kim said.", "'Bears sang,' Kim said."])
def test_speech_is_not_lent(quote: str) -> None:
    lent = replace(means(), lenders=(f"{quote} The bears ran.",))
    result = {relatedness.replace_sentence(ParsedStory(STORIES[0], 1), lent, random.Random(seed)) for seed in range(20)}
    assert {change[2] for edit in result if edit for change in edit.changes} == {"The bears ran."}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He was late because he slept.", "He slept because he was late."),
        ("He was hungry, so he left.", "He left, so he was hungry."),
        ("Because it rained, they stayed.", "Because they stayed, it rained."),
        ("I was tired because Tom left.", "Tom left because I was tired."),
        ("She left because the man was there!", "The man was there because she left!"),
    ],
)
def test_causes_swapped(before: str, after: str) -> None:
    assert worsened(order.swap_causes, f"It was late. {before}") == f"It was late. {after}"


@pytest.mark.parametrize(
    "text",
    [
        "He was late because of the rain.", "It was so good.", "He ran so fast.", '"I left because he sang," she said.',
        "He sang so that she slept.", "He was glad because, as he said, it rained.",
        "This is because he left.", "He was sad because he lost.", "He thought he won because he slept.",
        "The man left because she sang.", "He moved so he could see.",
    ],
)  # fmt: skip
def test_what_is_no_cause_of_a_clause_stays(text: str) -> None:
    assert worsened(order.swap_causes, f"It was late. {text}") is None


def test_sentences_around_an_opening() -> None:
    text = "It was late. The sky was clear. So Tom went out."
    assert worsened(order.swap_causes, text) == "It was late. Tom went out. So the sky was clear."
    assert worsened(order.swap_causes, text, kept=2) is None
    text = "It was late. Tom was home. Then, Ann left."
    assert worsened(order.swap_times, text) == "It was late. Ann left. Then, Tom was home."
    assert worsened(order.swap_times, "It was late. Tom was home. Then, he left.") is None  # who is he?
    assert worsened(order.swap_times, "Tom was late. Tom was home. Then, he left.") is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He ate before he slept.", "He slept before he ate."),
        ("After he came, he slept.", "After he slept, he came."),
        ("Once Tom came, they left.", "Once they left, Tom came."),
    ],
)
def test_times_swapped(before: str, after: str) -> None:
    assert worsened(order.swap_times, f"It was late. {before}") == f"It was late. {after}"


def test_last_things_come_first_only_where_nothing_follows() -> None:
    assert worsened(order.oppose_times, "It was late. Finally he slept. Eventually he left.") == (
        "It was late. Finally he slept. At first he left."
    )
    assert worsened(order.oppose_times, "It was late. Finally he slept. He left.") is None


def test_next_may_belong_to_a_noun() -> None:
    assert worsened(order.swap_times, "It was late. He slept. Next time he came.") is None


def test_what_happens_at_the_same_time_has_no_order() -> None:
    assert worsened(order.swap_times, "It was late. He slept when she came.") is None


@pytest.mark.parametrize(
    ("technique", "before", "after"),
    [
        (order.oppose_times, "He ate after a nap.", None),  # that is another technique's
        (order.oppose_times, "He sang for two hours.", "He sang for a second."),
        (order.oppose_times, "He sang all day.", "He sang for a second."),
        (order.oppose_times, "He sang all day long.", None),
        (order.oppose_times, "He sang every day.", "He sang only once."),
        (order.oppose_times, "Every day he sang.", None),
        (order.oppose_times, "The next day he left.", "The previous day he left."),
        (order.oppose_times, "Two days later he left.", "Two days earlier he left."),
        (order.oppose_times, "FINALLY HE LEFT.", "AT FIRST HE LEFT."),
        (order.oppose_times, "They lived there long ago.", None),
        (order.oppose_times, "He was at the end of the street.", None),
        (order.oppose_times, "He was in the end zone.", None),
        (order.oppose_times, "He slept at the end of the first day.", "He slept at the beginning of the first day."),
        (order.oppose_times, "It was love at first sight.", None),
        (order.oppose_times, "Still, he left.", None),
        (order.oppose_times, "He called right away.", "He called years later."),
        (order.oppose_times, "Last night he sang.", "Tomorrow night he sang."),
        (order.oppose_times, "As soon as he came, he sang.", "Long before he came, he sang."),
        (order.oppose_times, "Immediately he left.", "Years later, he left."),
        (order.oppose_times, "He left immediately.", None),
        (order.oppose_times, "This morning is cold.", None),
        (order.oppose_times, "He will sing next week.", "He will sing last week."),
        (order.oppose_times, "He sang all next day.", None),
        (order.oppose_times, "Last week he sang.", "Next week he sang."),
        (order.oppose_times, "Today he sang.", "Tomorrow he sang."),
        (order.oppose_times, "Today he is sad.", None),
        (order.oppose_times, "He has been sad lately.", None),
        (order.oppose_causes, "It was because he sang.", None),
        (order.oppose_causes, "The test results were bad.", None),
        (order.oppose_causes, "It caused him to sing.", None),
        (order.oppose_causes, "He left because of the dog.", "He left despite the dog."),
        (order.oppose_causes, "He ran because she sang.", "He ran so she sang."),
        (order.oppose_causes, "He was glad because she sang.", None),
        (order.oppose_causes, "He was hungry, so he left.", None),
        (order.oppose_causes, "The reason was clear.", "The result was clear."),
        (order.oppose_causes, "So he left.", None),
        (order.oppose_causes, "He wanted tea. So he left.", "He wanted tea. In spite of that, he left."),
        (order.oppose_causes, "He needed tea. So, he left.", "He needed tea. In spite of that, he left."),
        (order.oppose_causes, "he was tired . so he left .", "he was tired . in spite of that , he left ."),
        (order.oppose_causes, "He did not want tea. So he left.", None),
        (order.oppose_causes, "He was so glad.", None),
    ],
)
def test_opposites(technique: Technique, before: str, after: str | None) -> None:
    result = worsened(technique, f"It was late. {before}")
    assert result == (after and f"It was late. {after}")


def test_times_that_fit_either_way_come_last() -> None:
    text = "It was late. He waited until she sang. The next day he came. He always sang."
    for seed in range(12):
        assert "The previous day he came." in (worsened(order.oppose_times, text, seed) or "")
    assert (
        worsened(order.oppose_times, "It was late. He left until she sang.") == "It was late. He left after she sang."
    )


@pytest.mark.parametrize(
    ("text", "causes", "times"),
    [
        ("He left because it rained.", True, False), ("He was so glad.", False, False),
        ("It rained, so he left.", True, False), ("He left yesterday.", False, True), ("He left.", False, False),
    ],
)  # fmt: skip
def test_stories_of_causes_and_times(text: str, causes: bool, times: bool) -> None:
    reading = ParsedStory(text, 1)
    assert (order.has_causes(reading, means()), order.has_times(reading, means())) == (causes, times)
