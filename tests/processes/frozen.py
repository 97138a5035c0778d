"""Imported last in the process that others are forked from: what it holds by then stays with it.

The collectors of garbage of those others need not go through it again and again, nor so get copies of it.
"""

import gc

gc.collect()
gc.freeze()
