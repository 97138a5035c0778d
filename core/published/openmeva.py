"""OpenMEVA: A Benchmark for Evaluating Open-ended Story Generation Metrics (Guan et al., ACL 2021)."""

from core.published import openmeva_words as words
from core.published.tables import PublishedTable, grid

SOURCE = words.SOURCE
COLUMNS_LOST = words.COLUMNS_LOST

BY_ERROR_TYPE = PublishedTable(
    SOURCE,
    "Table 3",
    "Pearson's r of seven metrics with the mean of five ratings over all MANS stories, and with 1 for reasonable and 0 "
    "for unreasonable over the reasonable stories with those of one error type; the first row counts the stories; "
    "* is p < 0.01.",
    (
        *("ROC reasonable", "ROC overall", "ROC Rept", "ROC Unrel", "ROC Conf", "ROC Chao"),
        *("WP reasonable", "WP overall", "WP Rept", "WP Unrel", "WP Conf", "WP Chao"),
    ),
    grid("""
        Stories      | 46 1,000 22      319     39     87      35 1,000  23     330     83      24
        BLEU         | . -0.0239 0.0520 0.0192  0.1134 0.0156  . -0.0537 0.1188 -0.0421 -0.0875 -0.1451
        BERTScore-F1 | . 0.1271* 0.1396 0.1240  0.0626 0.2283* . 0.0329  0.1198 0.0446  0.0189  0.0634
        PPL (P)      | . 0.2547* -0.1075 0.1105 0.1354 0.5248* . 0.3033* 0.0219 0.1853* 0.2188  0.4428*
        PPL (F)      | . 0.2817* 0.2152 0.1380* 0.2643 0.5910* . 0.2952* 0.0179 0.1720* 0.1917  0.3182*
        RU-BERT      | . 0.0830* 0.1160 0.0877  0.1103 0.1774  . 0.1666* 0.0936 0.0793  0.0162  0.0077
        UNION        | . 0.4119* 0.4517* 0.2000* 0.2107 0.4695* . 0.3256* 0.3283 0.1738* 0.1914 0.3967*
        RUBER-BERT   | . 0.1434* 0.0813 0.1453* 0.1173 0.1723  . 0.2116* 0.0716 0.1132  0.0721  0.1493
    """),
    "PPL is negated perplexity by GPT-2, (P) pretrained or (F) fine-tuned. "
    + COLUMNS_LOST
    + " The last six cells of RUBER-BERT stand behind all others there, taken to be from left to right. The star of "
    "PPL (F) at WP Chao does not follow: 0.3182 of 59 stories has p = .014.",
)

BY_SYSTEM = PublishedTable(
    SOURCE,
    "Table 4",
    "Pearson's r with the mean rating on each system's 200 stories apart; * is p < 0.01.",
    ("S2S", "P&W", "Fusion", "GPT-2", "KG-G"),
    grid("""
        ROC PPL (F) | 0.14  0.22  0.12 0.14  0.25*
        ROC RU-BERT | -0.02 -0.08 0.04 0.12  0.06
        ROC UNION   | 0.12  0.28* 0.10 0.15* 0.32*
        WP PPL (F)  | 0.11  0.15  0.05 0.12  0.13
        WP RU-BERT  | 0.18* 0.08  0.14 0.07  0.02
        WP UNION    | 0.09  0.02  0.15 0.04  0.15*
    """),
    "S2S: Seq2Seq; P&W: Plan&Write; KG-G: knowledge-enhanced GPT-2. "
    + COLUMNS_LOST
    + " Some stars do not follow from 200 stories: 0.15* has a p of about .03, and 0.22 without a star one of .002.",
)

DATASET_DRIFT = PublishedTable(
    SOURCE,
    "Table 5",
    "Pearson's r with the mean rating of metrics trained on one corpus, tested on it and on the other; * is p < 0.01.",
    ("ROC to ROC", "ROC to WP", "WP to ROC", "WP to WP"),
    grid("""
        PPL (F) | 0.2817* 0.2423* 0.2470* 0.2952*
        RU-BERT | 0.0830* 0.0379  0.0891* 0.1666*
        UNION   | 0.4119* 0.2287* 0.2128* 0.3256*
    """),
    "ROC to WP: trained on ROC, tested on WP. " + COLUMNS_LOST,
)

DISCRIMINATION = PublishedTable(
    SOURCE,
    "Table 6",
    "Pearson's r with 1 for coherent human stories and 0 for perturbed ones, by kind of incoherence; the first rows "
    "count both; * is p < 0.01.",
    (
        *("Lexical repetition", "Semantic repetition", "Character behavior", "Common sense"),
        *("Consistency", "Relatedness", "Causal relationship", "Temporal relationship"),
    ),
    grid("""
        ROC coherent   | 4,736 4,736 1,022 1,921 455 563 476 2,376
        ROC incoherent | 4,049 3,243 266 448 3,666 3,570 410 1,799
        ROC PPL (P)    | -0.1886* -0.0719* 0.2547* 0.4246* 0.1357* 0.0744* 0.1002* 0.1759*
        ROC PPL (F)    | 0.0287*  0.2315*  0.3595* 0.3976* 0.1630* 0.1458  0.1568* 0.2007
        ROC RU-BERT    | 0.0121   0.0543*  0.0671* 0.0478* 0.0194* 0.0764* -0.0075 0.0135*
        ROC UNION      | 0.5454*  0.5631*  0.3191* 0.3965* 0.1676* 0.2045* 0.1425* 0.1769*
        WP coherent    | 9,922 9,922 3,911 2,052 2,914 497 4,552 9,408
        WP incoherent  | 9,022 8,381 173 235 6,239 851 3,057 7,092
        WP PPL (P)     | -0.0886* -0.0461* 0.2077* 0.4782* 0.2575* 0.1328* 0.0355* 0.0763*
        WP PPL (F)     | -0.0467* 0.0986*  0.2783* 0.4871* 0.3420* 0.2297* 0.1597* 0.1788*
        WP RU-BERT     | 0.0098   0.0108   -0.0299 -0.0183 0.0137  0.0054  -0.0143 0.0042
        WP UNION       | 0.2302*  0.2150*  0.3044* 0.3940* 0.3661* 0.2107* 0.0514* 0.0459*
    """),
    COLUMNS_LOST + " Some stars do not follow from r and the counts (0.0135* of 4,175 stories has p = .38).",
)

INVARIANCE = PublishedTable(
    SOURCE,
    "Table 7",
    "Pearson's r with 1 for a story and 0 for the same story perturbed, which nothing but its wording should change: "
    "smaller is more robust. Human: human stories perturbed; Dis: incoherent ones; the first rows count them; "
    "* is p < 0.01.",
    (
        *("Synonym Human", "Synonym Dis", "Paraphrase Human", "Paraphrase Dis", "Punctuation Human"),
        *("Punctuation Dis", "Contraction Human", "Contraction Dis", "Typo Human", "Typo Dis"),
    ),
    grid("""
        ROC stories | 3,777 2,395 3,174 2,194 574 171 1,602 1,208 4,755 4,763
        ROC PPL (P) | 0.3162* 0.2515* 0.1450* 0.0916* 0.0922* 0.0856  -0.0557 -0.0522* 0.4124* 0.2616*
        ROC PPL (F) | 0.3309* 0.2521* 0.2742* 0.2022* 0.1475* 0.0996  0.0504  0.0331*  0.4540* 0.2973*
        ROC RU-BERT | 0.0307* 0.0290* 0.0255  0.0263  0.0052  -0.0140 0.0064  0.0071   -0.0112 0.0042
        ROC UNION   | 0.2187* 0.1169* 0.1112* 0.0399* 0.0818* 0.1375* 0.0275  0.0251   0.6021* 0.4606*
        WP stories  | 6,961 35,90 7,881 2,576 4,535 2,287 8,731 4,522 15,073 15,082
        WP PPL (P)  | 0.2174* 0.1822* 0.0910* 0.0617* 0.2690*  0.2178*  -0.0222* -0.0157 0.3983* 0.3885*
        WP PPL (F)  | 0.2964* 0.1747* 0.2273* 0.1020* 0.3822*  0.2515*  0.0851*  0.0682* 0.4603* 0.4043*
        WP RU-BERT  | -0.0013 0.0004  0.0000  0.0000  -0.0256* -0.0308* -0.0012  -0.0043 0.0133  0.0154*
        WP UNION    | 0.1077* 0.0843* 0.0389* 0.0292* 0.2182*  0.2224*  0.0185*  0.0173* 0.3812* 0.3208*
    """),
    COLUMNS_LOST + " Two columns stand out of order there, Punctuation Dis and Typo Dis of ROC: their places were "
    "inferred, and this table should be checked against the printed paper before it is quoted. "
    "The count 35,90 is printed so; 3,590 is meant. Some stars do not follow from r and the counts (0.0173* of 9,044 "
    "stories has p = .10).",
)

STATISTICS = PublishedTable(
    SOURCE,
    "Table 10",
    "What MANS holds; tokens are spaCy's.",
    ("ROC", "WP"),
    grid("""
        Unique inputs                 | 200   200
        Generated stories (per input) | 5     5
        Generated stories (in all)    | 1,000 1,000
        Average input tokens          | 9.26  22.09
        Average reference tokens      | 39.54 238.51
        Average story tokens          | 39.38 232.51
    """),
)

AGREEMENT = PublishedTable(
    SOURCE,
    "appendix A.3",
    "Krippendorff's alpha of the five ratings a story.",
    ("ROC", "WP"),
    grid("alpha | 0.77 0.71"),
    "From the running text. The level is not named; the interval one gives the number.",
)

CORRELATIONS = PublishedTable(
    SOURCE,
    "Table 11",
    "Pearson's r of eighteen metrics with the mean of five ratings over MANS' 1,000 stories a corpus; * is p < 0.01.",
    ("ROC", "WP"),
    grid("""
        BLEU            | -0.0239 -0.0537
        ROUGE-L         | 0.0188  -0.0107
        METEOR          | 0.0155  -0.0079
        Greedy Matching | 0.1892* -0.0510
        Vector Average  | 0.1840* -0.0429
        Vector Extrema  | 0.1021* -0.0241
        BERTScore-P     | 0.1538* 0.0857*
        BERTScore-R     | 0.0838* -0.0215
        BERTScore-F1    | 0.1271* 0.0329
        MoverScore      | 0.1294* -0.0586
        RR-BERT         | 0.0808* 0.1567*
        PPL (P)         | 0.2547* 0.3033*
        PPL (F)         | 0.2817* 0.2952*
        RU-BERT         | 0.0830* 0.1666*
        UNION           | 0.4119* 0.3256*
        RUBER           | 0.0119  -0.0527
        RUBER-BERT      | 0.1434* 0.2116*
        BLEURT          | 0.3163* 0.1738*
    """),
    COLUMNS_LOST + " The star of RR-BERT on ROC does not follow: 0.0808 of 1,000 stories has p = .0106.",
)

DIFFERENCE = PublishedTable(
    SOURCE,
    "Figure 2",
    "R squared between differences in human judgment and in metric score of sets of 200 stories, over the pairs right "
    "of zero.",
    ("ROC", "WP"),
    grid("""
        BERTScore-F1 | 0.31 0.26
        RUBER-BERT   | 0.51 0.48
        PPL (F)      | 0.76 0.58
        UNION        | 0.92 0.63
    """),
    "Printed in the panels of the figure. The sets are made of stories sorted by rating, and most ratings are tied: a "
    "number agrees here if it lies within 95 % of 300 orders of tied stories.",
)

TABLES = (
    *(words.DISCRIMINATION_ASPECTS, words.INVARIANCE_ASPECTS, BY_ERROR_TYPE, DIFFERENCE, BY_SYSTEM, DATASET_DRIFT),
    *(DISCRIMINATION, INVARIANCE, words.DEDUCTIONS, words.ALPHAS, STATISTICS, AGREEMENT, CORRELATIONS),
    *(
        words.WORDS,
        words.PRONOUNS,
        words.PARAPHRASES,
        words.GRAMMAR,
        words.DISCRIMINATION_LENGTHS,
        words.INVARIANCE_LENGTHS,
    ),
)

SYSTEMS = {"S2S": "s2s", "P&W": "plan_write", "Fusion": "fusion", "GPT-2": "gpt", "KG-G": "gpt_kg"}
"""A column's system as the released file names it."""

ERROR_TYPES = {
    "Rept": "repetitive plots",
    "Unrel": "unrelated events",
    "Conf": "conflicting logic",
    "Chao": "chaotic scenes",
}
"""A column's error type as the MANS scheme names it."""

METRICS = {
    "BLEU": ("bleu", "sentence_bleu"),
    "ROUGE-L": ("rouge-l", "rougel-f"),
    "METEOR": ("meteor",),
    "Greedy Matching": ("greedy-matching",),
    "Vector Average": ("vector-average",),
    "Vector Extrema": ("vector-extrema",),
    "BERTScore-P": ("bertscore-p",),
    "BERTScore-R": ("bertscore-r",),
    "BERTScore-F1": ("bertscore-f1", "bertscore-f"),
    "MoverScore": ("moverscore-1", "moverscore-2", "moverscore"),
    "RR-BERT": ("ruber-r-bert",),
    "PPL (P)": ("perplexity-exp", "fwppl", "perplexity"),
    "PPL (F)": ("perplexity-finetuned",),
    "RU-BERT": ("ruber-u-bert",),
    "UNION": ("union",),
    "RUBER": ("ruber",),
    "RUBER-BERT": ("ruber-bert",),
    "BLEURT": ("bleurt-finetuned", "bleurt"),
}
"""A row's metric under the names that a study may hold it by, the best match first."""

RELEASED = {
    "meteor": ("meteor", 1),
    "bertscore-p": ("bertscore-p", 1),
    "bertscore-r": ("bertscore-r", 1),
    "bertscore-f1": ("bertscore-f", 1),
    "ppl (P)": ("fwppl", -1),
}
"""Row of Table 11 as `reproduce` names it -> name in the released file, and the sign that makes higher better; BLEU and
ROUGE-L, which it holds as well, are computed anew."""

TABLE_11_ROC = {
    name: CORRELATIONS.rows[row][0]
    for name, row in (
        *(("bleu", "BLEU"), ("rouge-l", "ROUGE-L"), ("meteor", "METEOR"), ("bertscore-p", "BERTScore-P")),
        *(("bertscore-r", "BERTScore-R"), ("bertscore-f1", "BERTScore-F1"), ("ppl (P)", "PPL (P)")),
    )
}
"""Metric -> Pearson of Table 11 on MANS-ROC, as far as scores are public."""
