"""OpenMEVA's tables that hold no results: its aspects, points, words, examples, and the lengths of its test sets."""

from core.published.tables import PublishedTable, grid

SOURCE = "OpenMEVA (2021)"
COLUMNS_LOST = (
    "The text this was read from gives the cells column by column; each was placed by its position in that order."
)

DISCRIMINATION_ASPECTS = PublishedTable(
    SOURCE,
    "Table 1",
    "The eight aspects of the discrimination test, with how coherent stories are chosen, incoherent ones made, and an "
    "example of each.",
    ("Aspect",),
    {
        name: (name.lower(),)
        for name in (
            *("Lexical repetition", "Semantic repetition", "Character behavior", "Common sense"),
            *("Consistency", "Relatedness", "Causal relationship", "Temporal relationship"),
        )
    },
    "Compared is whether Fabula has test cases of the aspect. How far its techniques are the paper's is a page of its "
    "own in the guide, To the letter.",
)

INVARIANCE_ASPECTS = PublishedTable(
    SOURCE,
    "Table 2",
    "The five changes of wording of the invariance test, with an example of each.",
    ("Aspect",),
    {name: (name.lower(),) for name in ("Synonyms", "Paraphrases", "Punctuation", "Contraction", "Typos")},
    "Compared is whether Fabula has test cases of the change.",
)

DEDUCTIONS = PublishedTable(
    SOURCE,
    "Table 8",
    "The points that annotators deduct for each type of error, with example stories for one opening.",
    ("Points",),
    {
        "repetitive plots": ("-1, -2",),
        "unrelated events": ("-1, -2",),
        "conflicting logic": ("-1, -2",),
        "chaotic scenes": ("-2",),
    },
    "Compared are the points of Fabula's MANS scheme. The example stories are not repeated here.",
)

ALPHAS = PublishedTable(
    SOURCE,
    "Table 9",
    "How Krippendorff's alpha is read.",
    ("Interpretation",),
    {
        "below 0.67": ("not good",),
        "0.67 to 0.8": ("tentative",),
        "above 0.8": ("good",),
    },
    "A definition: compared is whether Fabula reads an alpha the same way (Judgments page). The middle line allows "
    "tentative conclusions.",
)

WORDS = PublishedTable(
    SOURCE,
    "Table 12",
    "Words by which stories of the aspects consistency, causal and temporal relationship are known and changed.",
    ("conjunction, preposition, adverb", "noun, verb, adjective"),
    {
        "Negated": (
            "no, not, never, neither, hardly, unlikely, rarely, seldom, impatiently, uncertainly",
            "none, nobody, nothing, disable, disagree, disappear, illegal, inability, inactive, unhappy, unfortunately",
        ),
        "Negated, in all": ("215", "164"),
        "Causality-related": (
            "so, because, since, therefore, why",
            "cause, reason, result, effect, purpose, aim, sake, consequence, causal",
        ),
        "Time-related": (
            "after, before, previously, simultaneously, currently, meanwhile, then, now, ever, again, once, anytime, "
            "when, while, never, always, usually, often, sometimes, early, lately, already, forever, ago, yesterday, "
            "today, tomorrow",
            "ending, beginning, previous, simultaneous, current, temporary, contemporary, temporal, second, minute, "
            "hour, day, month, year, century, past, future, present, delay, night, evening, morning, afternoon, noon",
        ),
    },
    "Compared is whether Fabula takes each word for one of its kind, by its own techniques or, of cause and time, by "
    "--techniques paper alone: simultaneous, contemporary, temporal. The paper lists some of its negated words and "
    "says how many there are. Two words stand twice there, and once here: usually, morning.",
)

PRONOUNS = PublishedTable(
    SOURCE,
    "Table 13",
    "Personal pronouns: a line is a type of person, a column a form. A pronoun changes into one of its own column.",
    ("subject", "object", "possessive adjective", "possessive noun", "reflexive"),
    grid("""
        I             | i    me   my    mine   myself
        we            | we   us   our   ours   ourselves
        you, one      | you  you  your  yours  yourself
        you, several  | you  you  your  yours  yourselves
        he            | he   him  his   his    himself
        she           | she  her  her   hers   herself
        it            | it   it   its   its    itself
        they          | they them their theirs themselves
    """),
    "Compared is whether Fabula has the pronoun in this place. " + COLUMNS_LOST,
)

PARAPHRASES = PublishedTable(
    SOURCE,
    "Table 14",
    "Five sentences and their paraphrases by back translation: MoverScore (M) and BLEU-1 (B) of each with its "
    "original. "
    "Paraphrases with M above 0.4 and B below 0.6 are used: the third and the fourth.",
    ("M", "B"),
    grid("""
        Example 1 | 0.05 0.40
        Example 2 | 0.16 0.26
        Example 3 | 0.42 0.45
        Example 4 | 0.57 0.40
        Example 5 | 0.75 0.89
    """),
    "The sentences are the paper's, and are not repeated here. " + COLUMNS_LOST,
)

GRAMMAR = PublishedTable(
    SOURCE,
    "Table 15",
    "Five texts and the score (1 is best) that the grammaticality classifier gives each: three with errors of grammar, "
    "two that only make no sense.",
    ("S",),
    grid("""
        Case 1 | 0.07
        Case 2 | 0.20
        Case 3 | 0.41
        Case 4 | 0.66
        Case 5 | 0.95
    """),
    "The texts are the paper's, and are not repeated here.",
)

DISCRIMINATION_LENGTHS = PublishedTable(
    SOURCE,
    "Table 16",
    "Average tokens of the inputs and stories of the discrimination test set.",
    ("coherent input", "coherent story", "incoherent input", "incoherent story"),
    grid("""
        ROC | 8.76  39.28  8.88  40.39
        WP  | 30.02 235.83 30.28 228.04
    """),
    COLUMNS_LOST,
)

INVARIANCE_LENGTHS = PublishedTable(
    SOURCE,
    "Table 17",
    "Average tokens of the inputs and stories of the invariance test set, of human stories and of incoherent ones.",
    ("human input", "human story", "incoherent input", "incoherent story"),
    grid("""
        ROC | 9.03  40.66  9.23  40.57
        WP  | 29.65 211.19 29.60 234.40
    """),
    COLUMNS_LOST,
)
