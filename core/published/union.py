"""UNION: An Unreferenced Metric for Evaluating Open-ended Story Generation (Guan and Huang, EMNLP 2020)."""

from core.published.tables import PublishedTable, grid

SOURCE = "UNION (2020)"

SAMPLES = PublishedTable(
    SOURCE,
    "Table 1",
    "BLEU (B), MoverScore (M) and UNION (U) of three generated stories for one opening, the first two of them "
    "reasonable.",
    ("B", "M", "U"),
    grid("""
        Sample 1 | 0.29 0.49 1.00
        Sample 2 | 0.14 0.27 1.00
        Sample 3 | 0.20 0.35 0.00
    """),
    "The stories themselves are the paper's, and are not repeated here.",
)

SHARES = PublishedTable(
    SOURCE,
    "Table 2",
    "Share, in %, of the 381 ROC stories not unanimously reasonable that at least one of seven annotators gave each "
    "error type.",
    ("Repe", "Cohe", "Conf", "Chao", "Others"),
    grid("Prop (%) | 44.1 56.2 67.5 50.4 12.9"),
    "Repe: repeated plots; Cohe: poor coherence; Conf: conflicting logic; Chao: chaotic scenes.",
)

TYPES = PublishedTable(
    SOURCE,
    "section 3.1",
    "Share, in %, of those stories with one, two, three or all of the four error types, and the bound given for "
    "Spearman's correlation between any two types.",
    ("1", "2", "3", "4", "Spearman below"),
    grid("ROC | 23.36% 36.48% 34.65% 4.46% 0.15"),
    "From the running text, which gives no table. The type Others is left out.",
)

NEGATIVE = PublishedTable(
    SOURCE,
    "Table 3",
    "One human story beside the negative sample made of it, with a repeated bigram, a substituted keyword, two "
    "reordered sentences and an altered negation.",
    (),
    {},
    "A worked example without a number, so that there is nothing to compare. Fabula has the four techniques: see the "
    "Negatives page.",
)

STATISTICS = PublishedTable(
    SOURCE,
    "Table 4",
    "How many stories each metric learnt from and was validated on, and how many rated ones all were tested on.",
    ("ROC train", "ROC validate", "ROC test", "WP train", "WP validate", "WP test"),
    grid("""
        Perplexity  | 88,344 4,908 .   272,600 15,620 .
        DisScore    | 88,344 4,908 .   272,600 15,620 .
        RUBER_u     | 88,344 4,908 .   272,600 15,620 .
        UNION       | 88,344 4,908 .   272,600 15,620 .
        BLEURT      | 360    40    .   180     20     .
        All metrics | .      .     400 .       .      200
    """),
    "The numbers of the first four lines stand once there, for all of them. BLEURT's stories are generated ones with "
    "ratings. A last column, which metrics need negative samples (all but Perplexity and BLEURT), is left out.",
)

CORRELATIONS = PublishedTable(
    SOURCE,
    "Table 5",
    "Pearson's r, Spearman's ρ and Kendall's τ of ten metrics with the mean of seven votes, on 400 ROC and 200 WP "
    "stories; * is p < 0.01.",
    ("ROC r", "ROC ρ", "ROC τ", "WP r", "WP ρ", "WP τ"),
    grid("""
        BLEU         | 0.0299  0.0320  0.0231  0.1213  0.0941  0.0704
        MoverScore   | 0.1538* 0.1535* 0.1093* 0.1613  0.1450  0.1031
        RUBER_r-BERT | 0.0448  0.0517  0.0380  0.1502  0.1357  0.0986
        Perplexity   | 0.2464* 0.2295* 0.1650* -0.0705 -0.0479 -0.0345
        RUBER_u-BERT | 0.1477* 0.1434* 0.1018* 0.1613  0.1605  0.1157
        DisScore     | 0.0406  0.0633  0.0456  0.0627  -0.0234 -0.0180
        UNION        | 0.3687* 0.4599* 0.3386* 0.3663* 0.4493* 0.3293*
        UNION-Recon  | 0.3101* 0.4027* 0.2927* 0.3292* 0.3786* 0.2836*
        RUBER-BERT   | 0.1412* 0.1395* 0.1015* 0.1676  0.1664  0.1194
        BLEURT       | 0.2310* 0.2353* 0.1679* 0.2229* 0.1602  0.1180
    """),
    "Perplexity is negated, so that higher is better. UNION-Recon: without the reconstruction task.",
)

DATASET_DRIFT = PublishedTable(
    SOURCE,
    "Table 6",
    "Correlation of metrics trained on one corpus with votes on stories of the other; * is p < 0.01.",
    ("WP to ROC r", "WP to ROC ρ", "WP to ROC τ", "ROC to WP r", "ROC to WP ρ", "ROC to WP τ"),
    grid("""
        Perplexity   | -0.0015 0.0149  0.0101  0.0366  0.0198  0.0150
        RUBER_u-BERT | -0.0099 -0.0162 -0.0110 0.1392  0.1276  0.0912
        BLEURT       | 0.1326* 0.1137* 0.0828* 0.1560  0.1305  0.0941
        UNION        | 0.1986* 0.2501* 0.1755* 0.2872* 0.2935* 0.2142*
        UNION-Recon  | 0.1704* 0.2158* 0.1523* 0.2397* 0.2712* 0.1971*
    """),
    "WP to ROC: trained on WP, tested on ROC. Two stars of BLEURT do not follow from 400 stories: 0.1137* and 0.0828* "
    "have p of about .02.",
)

ABLATION = PublishedTable(
    SOURCE,
    "Table 7",
    "Pearson's r of UNION, and of UNION retrained without one way of making negative samples, on all ROC stories and "
    "on the unanimously reasonable ones with those of one error type (named by three of seven); the first row counts "
    "the stories.",
    ("All", "Reasonable", "Repe", "Cohe", "Conf", "Chao"),
    grid("""
        Stories            | 400    19 24     38     61     23
        UNION              | 0.3687 .  0.6943 0.5144 0.4571 0.6744
        -Repetition        | 0.3167 .  0.4743 0.5308 0.4316 0.6561
        -Substitution      | 0.3118 .  0.7034 0.4185 0.4468 0.5850
        -Reordering        | 0.2302 .  0.6546 0.5077 0.3507 0.5393
        -Negation Alteration | 0.3304 . 0.6665 0.4987 0.3946 0.5176
    """),
    "The relative changes in parentheses follow from these numbers and are left out.",
)

TABLES = (SAMPLES, SHARES, TYPES, NEGATIVE, STATISTICS, CORRELATIONS, DATASET_DRIFT, ABLATION)

METRICS = {
    "BLEU": "bleu",
    "MoverScore": "moverscore",
    "RUBER_r-BERT": "ruber_ref",
    "Perplexity": "ppl",
    "RUBER_u-BERT": "ruber_unref",
    "DisScore": "dis",
    "UNION": "union",
    "UNION-Recon": "union_recon",
    "RUBER-BERT": "ruber",
    "BLEURT": "bleurt",
}
"""A row's metric as the released score files name it."""

TRAINED = {
    "Perplexity": "perplexity-finetuned",
    "RUBER_u-BERT": "ruber-u-bert",
    "BLEURT": "bleurt-finetuned",
    "UNION": "union",
    "UNION-Recon": "union-no-recon",
}
"""A row's metric by the name of Fabula's, whose checkpoints name the corpora that they learnt from."""

ERROR_TYPES = {
    "Repe": "repeated plot",
    "Cohe": "poor coherence",
    "Conf": "conflicting logic",
    "Chao": "chaotic scene",
    "Others": "other",
}
"""A column's error type as the UNION scheme names it."""

TABLE_5: dict[str, dict[str, tuple[str, ...]]] = {
    corpus: {METRICS[row]: cells[begin : begin + 3] for row, cells in CORRELATIONS.rows.items()}
    for begin, corpus in ((0, "roc"), (3, "wp"))
}
"""Corpus -> metric -> Pearson, Spearman, Kendall of Table 5."""
