"""Perception Score, A Learned Metric for Open-ended Text Generation Evaluation (Gu, Wu and Yu, 2020)."""

from core.published.tables import PublishedTable, grid

SOURCE = "Perception Score (2020)"

CORRELATIONS = PublishedTable(
    SOURCE,
    "Table 1",
    "Pearson's r over systems with the share of a system's texts that people find as good as the reference or better "
    "(Turing score M1).",
    ("R", "LMRC", "CIC", "LMRU"),
    grid("""
        BLEU-1                   | 0.195 0.386  0.504  0.119
        BLEU-2                   | 0.491 0.316  0.0933 0.0908
        BLEU-3                   | 0.432 -0.485 0.116  0.152
        BLEU-4                   | 0.355 -0.390 0.0523 0.173
        Perplexity               | 0.638 0.419  0.4948 0.128
        BERTScore (base)         | 0.290 0.454  -      -
        BERTScore (large)        | 0.282 0.474  -      -
        MoverScore (base)        | 0.313 0.467  -      -
        MoverScore (large)       | 0.328 0.487  -      -
        BLEURT (base)            | 0.513 0.467  -      -
        BLEURT (large)           | 0.529 0.491  -      -
        Perception Score (base)  | 0.671 0.488  0.563  0.231
        Perception Score (large) | 0.692 0.494  0.578  0.249
    """),
    "R: ROCStories; LMRC and LMRU: Large Movie Review, with and without a condition; CIC: COCO image captions.",
)

ABLATION = PublishedTable(
    SOURCE,
    "Table 2",
    "Pearson's r of Perception Score (base) with both of its uncertainties, and without the model's (m) or without the "
    "data's (c).",
    ("R", "CIC"),
    grid("""
        Perception Score (base) | 0.671 0.563
        w/o m                   | 0.653 0.551
        w/o c                   | 0.636 0.538
    """),
)

ENDINGS = PublishedTable(
    SOURCE,
    "Table 3",
    "Mean score of endings of the same ROC stories: by a model (MGE), by people (HWE), by people with other words "
    "than the reference (LDHWE), better ones (HWEBQ), and references spoilt by a small change (AE).",
    ("MGE", "HWE", "LDHWE", "HWEBQ", "AE"),
    grid("""
        BLEU-1           | 0.1551 0.1348 0.1406 0.1612 0.6816
        BLEU-2           | 0.0468 0.0359 0.0309 0.0514 0.5809
        BLEU-3           | 0.0142 0.0125 0.0104 0.0168 0.4411
        BLEU-4           | 0.0052 0.0054 0.0038 0.0074 0.3014
        BERTScore        | 0.4223 0.3631 0.3742 0.3974 0.7586
        MoverScore       | 0.2439 0.2220 0.2359 0.2510 0.5935
        BLEURT           | 0.4785 0.4847 0.4768 0.5007 0.6458
        Perception Score | 0.1115 0.4817 0.6001 0.7845 0.3650
    """),
    "BERTScore, MoverScore and BLEURT are rescaled to 0 to 1 there.",
)

DATASETS = PublishedTable(
    SOURCE,
    "Table 4",
    "Sizes of the datasets.",
    ("Train", "Dev", "Test"),
    grid("""
        ROCStories         | 98,162 1,871  1,871
        IMDB conditional   | 21,730 10,854 10,854
        COCO Image Caption | 10,000 -      10,000
        IMDB unconditional | 22,146 11,063 11,062
    """),
    "The paper's heads say tokens; the numbers are those of texts.",
)

TABLES = (CORRELATIONS, ABLATION, ENDINGS, DATASETS)
