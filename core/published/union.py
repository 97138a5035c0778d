"""UNION: An Unreferenced Metric for Evaluating Open-ended Story Generation (Guan and Huang, EMNLP 2020)."""

SOURCE = "UNION (2020)"

TABLE_5: dict[str, dict[str, tuple[str, str, str]]] = {
    "roc": {
        "bleu": ("0.0299", "0.0320", "0.0231"),
        "moverscore": ("0.1538*", "0.1535*", "0.1093*"),
        "ruber_ref": ("0.0448", "0.0517", "0.0380"),
        "ppl": ("0.2464*", "0.2295*", "0.1650*"),
        "ruber_unref": ("0.1477*", "0.1434*", "0.1018*"),
        "dis": ("0.0406", "0.0633", "0.0456"),
        "union": ("0.3687*", "0.4599*", "0.3386*"),
        "union_recon": ("0.3101*", "0.4027*", "0.2927*"),
        "ruber": ("0.1412*", "0.1395*", "0.1015*"),
        "bleurt": ("0.2310*", "0.2353*", "0.1679*"),
    },
    "wp": {
        "bleu": ("0.1213", "0.0941", "0.0704"),
        "moverscore": ("0.1613", "0.1450", "0.1031"),
        "ruber_ref": ("0.1502", "0.1357", "0.0986"),
        "ppl": ("-0.0705", "-0.0479", "-0.0345"),
        "ruber_unref": ("0.1613", "0.1605", "0.1157"),
        "dis": ("0.0627", "-0.0234", "-0.0180"),
        "union": ("0.3663*", "0.4493*", "0.3293*"),
        "union_recon": ("0.3292*", "0.3786*", "0.2836*"),
        "ruber": ("0.1676", "0.1664", "0.1194"),
        "bleurt": ("0.2229*", "0.1602", "0.1180"),
    },
}
"""Corpus -> metric -> Pearson, Spearman, Kendall with human judgments, as printed: a star is p < 0.01."""

TABLE_2_SHARES = {
    "repeated plot": "0.441",
    "poor coherence": "0.562",
    "conflicting logic": "0.675",
    "chaotic scene": "0.504",
    "other": "0.129",
}
"""ROC: share of the stories not unanimously reasonable that got each error type."""

TABLE_2_COUNTS = {"1": "0.2336", "2": "0.3648", "3": "0.3465", "4": "0.0446"}
"""ROC, section 3.1: share of them with that many of the four types, "other" left out."""
