"""`make bench`: each bench runs Fabula and a named peer on the same work in one run and prints the ratio."""

from benchmarks import bleu, bootstrap, perplexity

for bench in (bleu, bootstrap, perplexity):
    print(bench.run(), flush=True)
