"""`make bench`: each bench runs Fabula and a named peer on the same work in one run and prints the ratio.

`make bench ONLY="perplexity tokens"` runs some of them.
"""

import logging
import sys
import warnings

from benchmarks import (
    bleu,
    bootstrap,
    bradley_terry,
    correlation,
    differences,
    drift,
    more,
    negatives,
    perception,
    perturb,
    rouge,
    significance,
    training,
)
from benchmarks.judges import endpoint, trial
from benchmarks.models import embedding, matrix_peak, perplexity, tokens
from benchmarks.pages import analysis_pages, annotators, exports, form, imports, monitor, storing, token_view
from benchmarks.timing import HEADER, peak

BENCHES = {
    "bleu": bleu,
    "rouge": rouge,
    "bootstrap": bootstrap,
    "drift": drift,
    "correlation": correlation,
    "significance": significance,
    "differences": differences,
    "bradley_terry": bradley_terry,
    "judges": trial,
    "more": more,
    "negatives": negatives,
    "perturb": perturb,
    "embedding": embedding,
    "perplexity": perplexity,
    "tokens": tokens,
    "judging": endpoint,
    "training": training,
    "perception": perception,
}

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)
chosen = sys.argv[1:] or [*BENCHES, "storing", "exports", "annotators"]
print(f"Measured peak: {peak('float32') / 1e9:,.0f} GFlop/s in float32, {peak('bfloat16') / 1e9:,.0f} in bfloat16.\n")
print(HEADER, flush=True)
for name in chosen:
    if name in BENCHES:
        for row in BENCHES[name].run():
            print(row, flush=True)
if "storing" in chosen:
    print(f"\n{storing.run()}", flush=True)
if "exports" in chosen:
    print(f"\n{exports.run()}", flush=True)
# The last ones only where they are named: three need a browser, two make a large study, one profiles.
for name, served in {
    "annotators": annotators,
    "imports": imports,
    "form": form,
    "monitor": monitor,
    "analysis_pages": analysis_pages,
    "token_view": token_view,
    "matrix_peak": matrix_peak,
}.items():
    if name in chosen:
        print()
        for line in served.run():
            print(line, flush=True)
