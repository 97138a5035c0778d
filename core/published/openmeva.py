"""OpenMEVA: A Benchmark for Evaluating Open-ended Story Generation Metrics (Guan et al., ACL 2021)."""

SOURCE = "OpenMEVA (2021)"

TABLE_11_ROC = {
    "bleu": "-0.0239",
    "rouge-l": "0.0188",
    "meteor": "0.0155",
    "bertscore-p": "0.1538*",
    "bertscore-r": "0.0838*",
    "bertscore-f1": "0.1271*",
    "ppl (P)": "0.2547*",
}
"""Metric -> Pearson with human judgments on MANS-ROC, as printed (a star is p < 0.01), as far as scores are public."""

RELEASED = {
    "rouge-l": ("rougel-f", 1),
    "meteor": ("meteor", 1),
    "bertscore-p": ("bertscore-p", 1),
    "bertscore-r": ("bertscore-r", 1),
    "bertscore-f1": ("bertscore-f", 1),
    "ppl (P)": ("fwppl", -1),
}
"""Row of Table 11 -> name in the released score file, and the sign that makes higher better."""

ALPHA_ROC = "0.77"
"""Appendix A.3: Krippendorff's alpha (interval) of the five ratings."""

REASONABLE_ROC = "46"
"""Table 3: stories with a mean rating above 4."""
