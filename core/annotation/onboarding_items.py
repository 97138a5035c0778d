"""The practice items that Fabula brings for each scheme.

The two machine texts of the likeliness items are stories of the demonstration study, which the bundled language model
wrote; the two human ones are long out of copyright and say where they are from.
"""

from core.annotation.builtin import SCHEMES
from core.annotation.onboarding import PracticeItem
from core.annotation.scheme import Scheme

_MANS_TYPES = ("repetitive plots", "unrelated events", "conflicting logic", "chaotic scenes")
_UNION_TYPES = ("repeated plot", "poor coherence", "conflicting logic", "chaotic scene")


def _all_but(types: tuple[str, ...], *kept: str) -> tuple[str, ...]:
    return tuple(name for name in types if name not in kept)


MANS_ITEMS = (
    PracticeItem(
        "Ines had saved for a year to buy the blue bicycle in the shop window.",
        (
            "On Saturday she counted her coins on the counter and was two short. The shopkeeper pushed the bicycle "
            "over to her all the same. She rode home the long way, and on Monday she brought him the two coins.",
        ),
        (4, 5),
        "This story follows from its opening, every sentence adds something, and it comes to an end. There is nothing "
        "to deduct for, so the overall rating is good or very good.",
        forbidden=_MANS_TYPES,
    ),
    PracticeItem(
        "Jonas heard a scratching noise behind the kitchen wall.",
        (
            "He put his ear to the wall and heard scratching. Then he listened again, and there was scratching. He "
            "called his sister and told her about the scratching. They listened and heard scratching.",
        ),
        (1, 2, 3),
        "The same event comes back four times and nothing is added: repetitive plots.",
        ("repetitive plots",),
        ("conflicting logic", "chaotic scenes"),
    ),
    PracticeItem(
        "The Novaks were late for their own wedding anniversary dinner.",
        (
            "Their taxi stood in a traffic jam by the river. A farmer in the mountains bought three new goats. The "
            "waiter had kept their table, and the soup was still warm.",
        ),
        (1, 2, 3),
        "The farmer and his goats have nothing to do with the dinner, before or after: unrelated events. The rest "
        "hangs together, so these are not chaotic scenes.",
        ("unrelated events",),
        ("repetitive plots", "chaotic scenes"),
    ),
    PracticeItem(
        "Amadou had never been on a boat before.",
        (
            "He was sick for the first hour and slept through the second. The captain asked him how he liked it. “It "
            "is just like on all my other voyages,” said Amadou, and he meant it.",
        ),
        (1, 2, 3),
        "The opening says that he had never been on a boat; his other voyages contradict it: conflicting logic. Here "
        "the contradiction is with the opening, so read that, too.",
        ("conflicting logic",),
        ("repetitive plots", "chaotic scenes"),
    ),
    PracticeItem(
        "Greta was repairing the old clock in the station hall.",
        (
            "The hall swam under the winter until the clock was seven spoons. They married the platform yesterday "
            "tomorrow, and Greta, who was also the soldier, became loud. So the bridge ate quietly in its hat.",
        ),
        (1,),
        "Nobody can follow this: places, people and times change without a thread. That is chaotic scenes, and the "
        "lowest rating. It is no single event that is unrelated, but all of it.",
        ("chaotic scenes",),
        ("repetitive plots",),
    ),
    PracticeItem(
        "Old Mr. Brandt watered his tomatoes every evening.",
        ("One day he fell ill. His neighbour watered them for him. When he was well again, he gave her a basketful.",),
        (3, 4, 5),
        "A plain story is not a faulty one. Nothing here repeats, wanders off or contradicts itself, so no points are "
        "deducted; how good it is as a whole, from fair to very good, is your own judgment.",
        forbidden=_MANS_TYPES,
    ),
)

UNION_ITEMS = (
    PracticeItem(
        "Selma found a wallet on the tram.",
        (
            "There was a card with a phone number in it. She called, and an old man answered in a trembling voice. An "
            "hour later he stood at her door with a cake.",
        ),
        (1,),
        "Each sentence follows from the one before: a reasonable story. It need not be exciting for that.",
    ),
    PracticeItem(
        "Viktor wanted to learn the violin.",
        (
            "He bought a violin. He went to the shop and bought a violin. The next day Viktor bought a violin and "
            "took it home. Then he went and bought a violin.",
        ),
        (0,),
        "He buys the violin again and again, and nothing else happens: a repeated plot.",
        ("repeated plot",),
        ("conflicting logic",),
    ),
    PracticeItem(
        "It was the first day of the school holidays.",
        (
            "Pia packed her bathing things. The committee put off the vote on the new bridge. In winter, wolves come "
            "down from the hills. Pia's brother blew up the rubber ring.",
        ),
        (0,),
        "The vote and the wolves belong neither to the opening nor to each other: poor coherence. Each sentence makes "
        "sense alone, which tells it from a chaotic scene.",
        ("poor coherence",),
        ("repeated plot",),
    ),
    PracticeItem(
        "Rosa lived alone on the top floor.",
        (
            "Every morning her husband brought her coffee to bed. She drank it at the window, looked down on the "
            "empty street and was glad of the company.",
        ),
        (0,),
        "One who lives alone has no husband who brings coffee each morning: conflicting logic. Openings count, too.",
        ("conflicting logic",),
        ("repeated plot", "chaotic scene"),
    ),
    PracticeItem(
        "The baker opened his shop at five.",
        (
            "The flour was his aunt and ran under the Wednesday. Then it was the sea that baked the soldier, and all "
            "the windows had already been eaten by his name.",
        ),
        (0,),
        "Nobody can say who does what, where or when: a chaotic scene.",
        ("chaotic scene",),
        ("repeated plot",),
    ),
    PracticeItem(
        "Leo built a raft from four barrels and a door.",
        ("He pushed it into the lake and climbed on. It carried him past the reeds. In the middle of the lake he",),
        (0,),
        "The story breaks off in the middle of a sentence. None of the named errors is that, so it is “other”.",
        ("other",),
        _all_but(_UNION_TYPES),
    ),
)

TURING_ITEMS = (
    PracticeItem(
        "Mina had practised her speech in front of the mirror for weeks.",
        (
            "When she stood on the stage, every word was gone. She told them about the mirror instead, and the whole "
            "hall laughed with her.",
            "The mirror was made of glass. Glass is made of sand. There is sand on many beaches, and some of them are "
            "long.",
        ),
        (-1,),
        "A goes on with Mina and her speech and comes to an end; B loses both after its first sentence. A is better.",
    ),
    PracticeItem(
        "The power went out just as the twins had put the pizza in the oven.",
        (
            "They ate the hot pizza out of the oven. The pizza was cold. The oven was on. They had no pizza and were "
            "glad that it was hot.",
            "They lit candles and waited an hour. Then they carried the pizza to the neighbours, who cook with gas, "
            "and stayed for supper.",
        ),
        (1,),
        "A contradicts itself, and the opening; B makes sense of the power cut. B is better.",
    ),
    PracticeItem(
        "Grandfather kept a locked box under his bed.",
        (
            "After his death we opened it. It was full of the letters that we had written to him as children.",
            "On his ninetieth birthday he gave us the key. Inside lay every drawing that we had ever made for him.",
        ),
        (0,),
        "Both go on from the opening, hold together and come to a fitting end. Where you find no clear difference, "
        "“equally good” is the right answer, not a way out.",
    ),
    PracticeItem(
        "Pavel missed the last bus home.",
        (
            "He walked along the country road and sang, so as not to be afraid. At midnight a milk cart took him the "
            "last few miles.",
            "He missed the last bus. The last bus was missed by him. So Pavel had missed the bus, which was the last.",
        ),
        (-1,),
        "B only says the opening again in other words; A moves on. A is better, though it is just as short.",
    ),
)

LIKELINESS_ITEMS = (
    PracticeItem(
        "",
        (
            "The cake was decorated with fruit and chocolate, and the cake was served. The family gathered around to "
            "eat it. The family continued to eat the cake, and the family decided to go to the bar. The family went "
            "to the bar, and the family talked about how they had always wanted to bake a cake.",
        ),
        (-1,),
        "A small language model wrote this. “The family” begins one clause after another, and at the bar they wish "
        "that they could do what they have just done: such a loop is a common sign.",
    ),
    PracticeItem(
        "",
        (
            "The Mole had been working very hard all the morning, spring-cleaning his little home. First with brooms, "
            "then with dusters; then on ladders and steps and chairs, with a brush and a pail of whitewash; till he "
            "had dust in his throat and eyes, and splashes of whitewash all over his black fur, and an aching back "
            "and weary arms.",
        ),
        (1,),
        "A person wrote this: Kenneth Grahame, “The Wind in the Willows”, 1908. One long sentence climbs from the "
        "brooms to the weary arms, and each detail is new and in its place.",
    ),
    PracticeItem(
        "",
        (
            "The postman was a man named Jack who had a special way of getting around. He was a man who loved animals "
            "and loved helping people. He had a special way of getting around that was very different from the way "
            "people did it. He had a special way of getting around that was very different from the way people did "
            "it.",
        ),
        (-1,),
        "A language model wrote this. It never says what the special way is, and then repeats a sentence word for "
        "word.",
    ),
    PracticeItem(
        "",
        (
            "I like work: it fascinates me. I can sit and look at it for hours. I love to keep it by me: the idea of "
            "getting rid of it nearly breaks my heart.",
        ),
        (1,),
        "A person wrote this: Jerome K. Jerome, “Three Men in a Boat”, 1889. The joke is set up and paid off on "
        "purpose. A machine might have copied it; from the text alone, a person is the better answer.",
    ),
    PracticeItem(
        "",
        ("It rained all day. We stayed in.",),
        (0,),
        "Two plain sentences give nothing to go by: anybody or anything might have written them. Then say that you "
        "cannot tell; that is better than a guess.",
    ),
)

_COIN = "Ruben found an old coin in the dough of the morning's bread."


def _of(criterion: str, prompt: str, text: str, accepted: tuple[int, ...], explanation: str) -> PracticeItem:
    return PracticeItem(prompt, (text,), accepted, explanation, criterion=criterion)


HANNA_ITEMS = (
    _of(
        "relevance",
        _COIN,
        "The storm had pulled the boat from its moorings, and the sisters rowed after it until their hands bled.",
        (1,),
        "There is no Ruben, no coin and no bread here. However good the story may be, it does not fit its prompt.",
    ),
    _of(
        "coherence",
        _COIN,
        "Ruben sold the coin. He put it in his pocket, and the train was a Tuesday. The bread ate in the harbour.",
        (1, 2),
        "He keeps what he has sold, a train is a day, and bread eats: nobody could retell this.",
    ),
    _of(
        "empathy",
        _COIN,
        "It had his father's initials on it. Ruben sat down on the flour sacks and could not get up again for an hour.",
        (4, 5),
        "We are not told that he mourns; what he does lets us feel it.",
    ),
    _of(
        "surprise",
        _COIN,
        "He looked at the coin, wiped it clean and put it in the till with the others.",
        (1, 2),
        "Nothing happens that could not have been expected.",
    ),
    _of(
        "engagement",
        _COIN,
        "On it was a date that was still to come: Friday. By noon three strangers had asked him whether he baked with "
        "butter, and none of them had bought bread.",
        (4, 5),
        "Why Friday, and who are they? A story that makes you ask is one that you want to read on.",
    ),
    _of(
        "complexity",
        _COIN,
        "He was pleased. He showed it to his wife. She was pleased too.",
        (1, 2),
        "Two people and one feeling: there is hardly anything to tell apart.",
    ),
)

NEXT_CHAPTER_ITEMS = (
    _of(
        "fluency",
        _COIN,
        "He take coin and goed at market for to sell him, but market closing was since hour.",
        (1, 2),
        "Nearly every word has a mistake, though one can guess what happens. Fluency is about the language alone.",
    ),
    _of(
        "coherence",
        _COIN,
        "He weighed it in his hand. Whales breathe air. The mayor's hat was made of felt.",
        (1,),
        "Each sentence is correct, and none has anything to do with the one before.",
    ),
    _of(
        "relatedness",
        _COIN,
        "He cleaned it with a cloth and asked the miller whose flour it was. The miller turned pale.",
        (4, 5),
        "Ruben, the coin and the flour are all still there.",
    ),
    _of(
        "logicality",
        _COIN,
        "He swallowed it whole, spent it on a horse an hour later, and rode home on the bread.",
        (1, 2),
        "A coin that was swallowed cannot be spent so soon, and nobody rides on bread.",
    ),
    _of(
        "interestingness",
        _COIN,
        "On its edge a name was scratched: his own, in his own hand. He had never seen it before.",
        (4, 5),
        "One wants to know how that can be.",
    ),
)

_ITEMS = {
    "mans": MANS_ITEMS,
    "union": UNION_ITEMS,
    "turing": TURING_ITEMS,
    "preferences": TURING_ITEMS,
    "likeliness": LIKELINESS_ITEMS,
    "hanna": HANNA_ITEMS,
    "nextchapter": NEXT_CHAPTER_ITEMS,
}


def built_in_items(scheme: Scheme) -> tuple[PracticeItem, ...]:
    """The items for a built-in scheme; none for a form of a study's own, which they might not fit."""
    return _ITEMS.get(scheme.key, ()) if scheme == SCHEMES.get(scheme.key) else ()
