"""The paired permutation test of two metrics' correlations with people, of all pairs of metrics at once.

`permute` is all that others need. Behind it: `sequential.py` draws the swaps and decides when a pair is done,
`ranks.py` has the differences of Spearman's and Kendall's after swaps, exactly, `tables.py` Kendall's where many scores
are equal, and `linearised.py` Spearman's of more stories than can be ranked anew. `docs/results/permutation.md` says
how it works.
"""

from core.statistics.permutation.sequential import ENOUGH, Permuted, permute

__all__ = ["ENOUGH", "Permuted", "permute"]
