"""What the paper's thresholds on MoverScore are for the bundled encoder: prints the figures behind the constants.

    python scripts/paraphrases/calibrate.py STORY_BT ROCSTORIES

OpenMEVA (2021) takes a paraphrase whose MoverScore with its sentence is over .4 (appendix B.1), and calls the sentences
of a story weakly related where none has one of .1 with another (footnote 4): 563 of 4,909 test stories of ROC. Another
encoder puts the same pairs elsewhere. Here is the line from the paper's numbers to ours on all pairs whose MoverScore
is in print: the examples of Table 14, and OpenMEVA's `story_bt.json` (STORY_BT). For .1 there is also the value under
which as large a share of ROC stories falls (ROCSTORIES: JSON lines with `sentences`).
"""

import json
import random
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.metrics.base import Settings
from core.metrics.moverscore import MoverScore, MoverScoreBigrams, MoverScoreUnigrams
from core.perturb.paraphrases.similarity import PARAPHRASE, UNRELATED, bleu_1, weakly_related

TABLE_14 = (
    ("I filled it with the sodas.", "I put music into the world and enjoy it.", 0.05, 0.40),
    ("He went several more miles out of his way.", "He has made kilometers more.", 0.16, 0.26),
    (
        "She screamed loudly to attract the attention of her audience.",
        "She yelled out loud for the attention of the public.",
        0.42,
        0.45,
    ),
    ("He hired an attorney.", "He employed a lawyer.", 0.57, 0.40),
    ("She watched a video of the play later.", "Later she watched a video of the play.", 0.75, 0.89),
)
"""Sentence, paraphrase, MoverScore and BLEU-1 (OpenMEVA 2021, ACL Anthology, CC BY 4.0)."""
PAPERS_PARAPHRASE, PAPERS_UNRELATED = 0.4, 0.1
PAPERS_SHARE = 563 / 4909
SENTENCES, STORIES, SEED = 5, 2000, 7
THE_SAME = 0.999
"""What is at least this in the paper's encoder are the same words, which are 1 in every encoder."""


def printed(path: Path) -> list[tuple[str, str, float]]:
    """Sentence, paraphrase and the MoverScore in print."""
    kept = [pair for story in json.loads(path.read_text(encoding="utf-8")) for pair in story.items()]
    result = [(sentence, item["trans"], float(item["score"])) for sentence, item in kept]
    return [(sentence, paraphrase, score) for sentence, paraphrase, score, _ in TABLE_14] + result


def stories(path: Path) -> list[list[str]]:
    """A seeded sample of the stories of five sentences."""
    lines = path.read_text(encoding="utf-8").splitlines()
    whole = [result for line in lines if len(result := json.loads(line)["sentences"]) == SENTENCES]
    return random.Random(SEED).sample(whole, min(STORIES, len(whole)))


def scores(kind: type[MoverScore], pairs: list[tuple[str, str]]) -> NDArray[np.float64]:
    """Ours; NaN where a sentence has no word."""
    metric = kind(Settings(options={"idf": "no", "form": "one-minus"}))
    result = metric.compare(pairs, lambda _: None)
    return np.array([np.nan if isinstance(value, str) else value for value in result])


def line(theirs: NDArray[np.float64], ours: NDArray[np.float64]) -> str:
    """Least squares of ours on theirs, and where the thresholds come out, also with any one pair left out."""
    wanted = [PAPERS_PARAPHRASE, PAPERS_UNRELATED]
    slope, start = np.polyfit(theirs, ours, 1)
    without = [np.polyval(np.polyfit(np.delete(theirs, i), np.delete(ours, i), 1), wanted) for i in range(len(theirs))]
    low, high = np.min(without, axis=0), np.max(without, axis=0)
    r, rho = np.corrcoef(theirs, ours)[0, 1], spearmanr(theirs, ours).statistic
    places = [f"{w} -> {start + slope * w:.3f} ({a:.3f} to {b:.3f})" for w, a, b in zip(wanted, low, high, strict=True)]
    return (
        f"n = {len(theirs)}, r = {r:.3f}, rho = {rho:.3f}, ours = {start:.3f} + {slope:.3f} theirs; {'; '.join(places)}"
    )


def main(story_bt: Path, rocstories: Path) -> None:
    """Print everything for single words and for phrases of two."""
    for sentence, paraphrase, _, bleu in TABLE_14:
        print(f"BLEU-1 {bleu:.2f} in print, {bleu_1(paraphrase, sentence):.2f} ours: {paraphrase}")
    known, sample = printed(story_bt), stories(rocstories)
    theirs = np.array([score for *_, score in known])
    different = theirs < THE_SAME
    within = [pair for story in sample for pair in combinations(story, 2)]
    for kind in (MoverScoreUnigrams, MoverScoreBigrams):
        ours = scores(kind, [(paraphrase, sentence) for sentence, paraphrase, _ in known])
        print(f"\n{kind.name}\nall pairs: {line(theirs, ours)}")
        print(f"of different words: {line(theirs[different], ours[different])}")
        for (sentence, paraphrase, score), item in sorted(zip(known, ours, strict=True), key=lambda row: row[0][2]):
            print(f"  {score:.3f} {item:6.3f}  {sentence} | {paraphrase}")
        most = np.nanmax(scores(kind, within).reshape(len(sample), -1), axis=1)
        print(f"{PAPERS_SHARE:.1%} of {len(sample)} stories are under {np.quantile(most, PAPERS_SHARE):.3f}")
        print(f"  and under {PAPERS_UNRELATED} as it is: {(most < PAPERS_UNRELATED).mean():.1%}")
    share = np.mean(weakly_related(sample, UNRELATED))
    print(f"\nPARAPHRASE = {PARAPHRASE}, UNRELATED = {UNRELATED}: {share:.1%} of the stories are weakly related")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Name two files: python scripts/paraphrases/calibrate.py STORY_BT ROCSTORIES")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
