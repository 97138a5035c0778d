"""Why a published number cannot be had from the released data, or differs from it: a sentence per cell, as data.

Each was read against its table in the paper, the authors' repositories and the data; `Why` says what kind it is.
"""

from dataclasses import dataclass
from enum import StrEnum

from core.published import naturalness, openmeva, openmeva_words, perception, union
from core.published.tables import PublishedTable


class Why(StrEnum):
    """NOT_RELEASED: the texts, ratings or scores behind the cell were not made public. DOES_NOT_FOLLOW: they were, and
    give another number. OTHER_MODEL: the paper's model, checkpoint or tool is not the one here. NOT_YET: it can be had,
    by importing, scoring or training something, or Fabula does not count it.
    """

    NOT_RELEASED = "not released"
    DOES_NOT_FOLLOW = "does not follow"
    OTHER_MODEL = "other model"
    NOT_YET = "not yet"


@dataclass(frozen=True)
class Reason:
    """`rows`, `columns`: the cells it is about, by a part of their labels; all of them where empty."""

    table: str
    kind: Why
    why: str
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def holds(self, table: PublishedTable, row: str, column: str) -> bool:
        """Whether it is about this cell."""
        return (
            self.table == table.name
            and (not self.rows or any(name in row for name in self.rows))
            and (not self.columns or any(name in column for name in self.columns))
        )


_TRAINED = (
    "The authors trained this metric, and released no scores of it for these stories: train Fabula's, or import scores "
    "under the name in brackets, to compare."
)
_EMBEDDED = (
    "No scores of this metric were released for these stories: Fabula computes it in a study, with an encoder of its "
    "own."
)
_PERTURBED = (
    "The perturbed stories were linked, the metrics' scores on them were not: import the stories as a test set and run "
    "Capability, which shows these numbers beside its own."
)
_COUNTED = (
    "The perturbed stories were linked: the Test sets page counts them once they are imported, a study does not hold "
    "them."
)
_CROSS = (
    "No scores of metrics trained on the other corpus were released. The cell fills where the study has scores by a "
    "checkpoint whose card names that corpus alone: “Score with every trained metric” on the Drift page, or the "
    "command drift dataset --trained."
)
_TURING = "Neither the systems' texts nor the Turing judgments were released."
_TSUMM = "The authors trained this system themselves, and released none of its summaries."
_BSUMM = (
    "Bsumm is the abstractive BERT summarizer of Liu and Lapata, whose outputs are public (presumm_out_abs); GPT-2 and "
    "BERT large, which read them, do not come with Fabula. The guide's page on naturalness has the command that uses "
    "both, and what the bundled model finds."
)

REASONS = (
    Reason(
        union.SAMPLES.name,
        Why.DOES_NOT_FOLLOW,
        "Fabula's BLEU of the printed sentences is .26, .01 and .11: how the paper's is smoothed it does not say.",
        columns=("B",),
    ),
    Reason(
        union.SAMPLES.name,
        Why.OTHER_MODEL,
        "MoverScore by BERT and the authors' UNION: neither model comes with Fabula, and the samples are not among the "
        "released stories.",
    ),
    Reason(
        union.TYPES.name,
        Why.DOES_NOT_FOLLOW,
        "Among the unreasonable stories, which the sentence is about, repetition and conflicting logic correlate with "
        "-.184 (p = .0003), repetition and chaotic scenes with -.166. Over all 400 stories the sentence holds: the "
        "largest is -.118 (p = .018).",
        columns=("Spearman",),
    ),
    Reason(
        union.STATISTICS.name,
        Why.NOT_RELEASED,
        "These further rated stories, on which BLEURT was trained, are not among the released files.",
        rows=("BLEURT",),
        columns=("train", "validate"),
    ),
    Reason(
        union.STATISTICS.name,
        Why.NOT_YET,
        "The corpora were linked in full, cut into training, validation and test: count the lines of their files. A "
        "study holds the rated stories alone.",
        columns=("train", "validate"),
    ),
    Reason(
        union.ABLATION.name,
        Why.DOES_NOT_FOLLOW,
        "The printed correlation does not follow from the released scores and votes, though the sizes of the sets and "
        "the correlation over all 400 stories do.",
        rows=("UNION",),
        columns=("Repe", "Cohe", "Conf", "Chao"),
    ),
    Reason(
        union.ABLATION.name,
        Why.NOT_RELEASED,
        "Neither scores nor checkpoints of UNION retrained without one technique were released; Ablation retrains "
        "Fabula's without each.",
        rows=("-",),
    ),
    Reason(union.DATASET_DRIFT.name, Why.NOT_RELEASED, _CROSS),
    Reason(
        openmeva.BY_ERROR_TYPE.name,
        Why.NOT_RELEASED,
        "The error types of MANS were not released, only the ratings.",
        columns=("Rept", "Unrel", "Conf", "Chao"),
    ),
    Reason(openmeva.BY_ERROR_TYPE.name, Why.NOT_RELEASED, _TRAINED, rows=("PPL (F)", "RU-BERT", "UNION", "RUBER-BERT")),
    Reason(
        openmeva.CORRELATIONS.name,
        Why.DOES_NOT_FOLLOW,
        "METEOR depends on its version and its lists of words, and the paper names none: the scores that were released "
        "for these stories give .0543, the metric here another number again.",
        rows=("METEOR",),
    ),
    Reason(
        openmeva.CORRELATIONS.name,
        Why.OTHER_MODEL,
        "Perplexity depends on the model file, and on whether the opening is read along; the released scores (fwppl) "
        "give the printed number to all its digits.",
        rows=("PPL (P)",),
        columns=("ROC",),
    ),
    Reason(
        openmeva.CORRELATIONS.name,
        Why.NOT_RELEASED,
        _EMBEDDED,
        rows=("Greedy", "Vector", "MoverScore", "RR-BERT"),
    ),
    Reason(
        openmeva.CORRELATIONS.name,
        Why.NOT_RELEASED,
        _TRAINED,
        rows=("PPL (F)", "RU-BERT", "UNION", "RUBER", "BLEURT"),
    ),
    Reason(openmeva.BY_SYSTEM.name, Why.NOT_RELEASED, _TRAINED),
    Reason(openmeva.DATASET_DRIFT.name, Why.NOT_RELEASED, _CROSS, columns=("ROC to WP", "WP to ROC")),
    Reason(openmeva.DATASET_DRIFT.name, Why.NOT_RELEASED, _TRAINED),
    Reason(
        openmeva.STATISTICS.name,
        Why.OTHER_MODEL,
        "Counted with spaCy's tokenizer, which Fabula does not use: its own parts some words otherwise.",
        rows=("tokens",),
    ),
    Reason(openmeva.DISCRIMINATION.name, Why.NOT_YET, _COUNTED, rows=("coherent",)),
    Reason(openmeva.DISCRIMINATION.name, Why.NOT_RELEASED, _PERTURBED),
    Reason(openmeva.INVARIANCE.name, Why.NOT_YET, _COUNTED, rows=("stories",)),
    Reason(openmeva.INVARIANCE.name, Why.NOT_RELEASED, _PERTURBED),
    Reason(openmeva.DIFFERENCE.name, Why.NOT_RELEASED, _TRAINED, rows=("RUBER-BERT", "PPL (F)", "UNION")),
    Reason(
        openmeva_words.WORDS.name,
        Why.NOT_YET,
        "The paper prints a part of its negated words. Fabula knows such words by a short list and by WordNet's "
        "opposites with a negating prefix, so that there is no number to compare.",
        rows=("in all",),
    ),
    Reason(
        openmeva_words.WORDS.name,
        Why.NOT_YET,
        'WordNet\'s opposite of "disable" is "enable", so that Fabula sees no negating prefix in it.',
        rows=("Negated",),
    ),
    Reason(
        openmeva_words.PRONOUNS.name,
        Why.NOT_YET,
        'Fabula has one line for "you", as the two differ in this word alone; it reads "yourselves", and puts it '
        "nowhere.",
        rows=("you, several",),
    ),
    Reason(
        openmeva_words.PARAPHRASES.name,
        Why.OTHER_MODEL,
        "MoverScore by BERT, which does not come with Fabula: by default its paraphrases are judged with the bundled "
        "encoder.",
        columns=("M",),
    ),
    Reason(
        openmeva_words.PARAPHRASES.name,
        Why.NOT_YET,
        "The sentences are the paper's, and Fabula holds no copy: typed in, examples 1 to 4 give the printed BLEU-1.",
        rows=("Example 1", "Example 2", "Example 3", "Example 4"),
        columns=("B",),
    ),
    Reason(
        openmeva_words.PARAPHRASES.name,
        Why.DOES_NOT_FOLLOW,
        "The two sentences have the same words in another order: their BLEU-1 is 1, or .78 where a capital makes "
        "another word.",
        rows=("Example 5",),
        columns=("B",),
    ),
    Reason(
        openmeva_words.GRAMMAR.name,
        Why.OTHER_MODEL,
        "TextAttack's BERT, fine-tuned on CoLA, which does not come with Fabula; the texts are the paper's.",
    ),
    Reason(
        openmeva_words.DISCRIMINATION_LENGTHS.name,
        Why.NOT_YET,
        "The stories were linked: the Test sets page has these means for cases that are imported or made, by Fabula's "
        "own count of words.",
    ),
    Reason(
        openmeva_words.INVARIANCE_LENGTHS.name,
        Why.NOT_YET,
        "The stories were linked: the Test sets page has these means for cases that are imported or made, by Fabula's "
        "own count of words.",
    ),
    Reason(perception.CORRELATIONS.name, Why.NOT_RELEASED, _TURING),
    Reason(perception.ABLATION.name, Why.NOT_RELEASED, _TURING),
    Reason(perception.ENDINGS.name, Why.NOT_RELEASED, "The written endings were not released."),
    Reason(
        perception.DATASETS.name,
        Why.NOT_YET,
        "The training part is all of ROCStories, which is given on request: count the lines of its files. A study does "
        "not hold it.",
        rows=("ROCStories",),
        columns=("Train",),
    ),
    Reason(
        perception.DATASETS.name,
        Why.NOT_YET,
        "1,871 are the contexts of Story Cloze's validation and of its test set of spring 2016, which are given on "
        "request: reproduce perception --data counts them where the folder has them. A study does not hold them.",
        rows=("ROCStories",),
    ),
    Reason(
        perception.DATASETS.name,
        Why.NOT_RELEASED,
        "The corpora are public, the authors' choice from them is not.",
    ),
    Reason(
        naturalness.DIFFERENCES.name,
        Why.DOES_NOT_FOLLOW,
        "The printed 42.79 % and 29.46 % do not follow from the printed means: .051 of .089 is 57.3 %, .080 of .264 is "
        "30.3 %.",
        rows=("Bsumm",),
        columns=("relative",),
    ),
    Reason(
        naturalness.FRACTIONS.name,
        Why.OTHER_MODEL,
        "The references are those of CNN/DailyMail's test articles, and public; GPT-2 and BERT large, which read them, "
        "do not come with Fabula.",
        columns=("reference",),
    ),
    Reason(naturalness.FRACTIONS.name, Why.NOT_RELEASED, _TSUMM, rows=("Tsumm",)),
    Reason(naturalness.DIFFERENCES.name, Why.NOT_RELEASED, _TSUMM, rows=("Tsumm",)),
    Reason(naturalness.FRACTIONS.name, Why.OTHER_MODEL, _BSUMM, rows=("Bsumm",)),
    Reason(naturalness.DIFFERENCES.name, Why.OTHER_MODEL, _BSUMM, rows=("Bsumm",)),
)


def reason(table: PublishedTable, row: str, column: str) -> Reason | None:
    """The first that is about the cell."""
    return next((item for item in REASONS if item.holds(table, row, column)), None)
