"""Does a metric live on length? Its Pearson's r with people, and what is left of it at equal numbers of words.

    python scripts/union/length.py STUDY METRIC [METRIC …]

The scores are those that are stored; words are those of prompt and story. The outcome stands in docs/results/union.md.
"""

import sys
from pathlib import Path

import numpy as np
import typer
from scipy import stats

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.people import TERMINAL
from core.stories import whole_story
from db.scores import tables
from db.studies import story_texts, studies


def main(study: str, metrics: list[str]) -> None:
    """Print one line per stored column of the metrics."""
    loaded_study = studies.find(study)
    table = tables.table(loaded_study.id)
    prompts, _ = story_texts.of_study(TERMINAL, loaded_study.id)
    words = [len(whole_story(prompts[key], text).split()) for text, key in zip(table.texts, table.prompts, strict=True)]
    print(f"{study}: {min(words)} to {max(words)} words, {np.mean(words):.0f} on average")
    for column in table.columns:
        if column.metric in metrics:
            known = np.isfinite(column.values) & np.isfinite(table.human)
            score, people, length = column.values[known], table.human[known], np.array(words)[known]
            whole, ours, theirs = (
                stats.pearsonr(*pair)[0] for pair in ((score, people), (score, length), (people, length))
            )
            left = (whole - ours * theirs) / np.sqrt((1 - ours**2) * (1 - theirs**2))
            print(column.signature)
            print(f"  r {whole:.4f}; with words {ours:.3f} (people's {theirs:.3f}); at equal words {left:.4f}")


if __name__ == "__main__":
    typer.run(main)
