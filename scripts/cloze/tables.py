"""Story Cloze as a study of endings: one file that `import mans` reads.

    python scripts/cloze/tables.py FILE.tsv OUT.json

FILE.tsv is Story Cloze's (Mostafazadeh et al. 2016): four sentences, two endings, and which is right. The four are the
prompt, the right ending is the human story, and two groups of endings stand as systems: `wrong`, written by people to
be wrong, and `another story's`, the right ending of a story drawn at random.
"""

import csv
import json
import random
import sys
from pathlib import Path
from typing import Any

SEED = 9


def records(path: Path) -> dict[str, Any]:
    """In OpenMEVA's form, by Story Cloze's id."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    right = [row[f"RandomFifthSentenceQuiz{row['AnswerRightEnding']}"] for row in rows]
    others = list(range(len(rows)))
    random.Random(SEED).shuffle(others)  # the next one in a random circle is never one's own
    following = {story: others[(place + 1) % len(others)] for place, story in enumerate(others)}
    return {
        row["InputStoryid"]: {
            "prompt": " ".join(row[f"InputSentence{i}"] for i in range(1, 5)),
            "gold_response": right[number],
            "gen": {
                "wrong": {"text": row[f"RandomFifthSentenceQuiz{3 - int(row['AnswerRightEnding'])}"], "score": []},
                "another story's": {"text": right[following[number]], "score": []},
            },
        }
        for number, row in enumerate(rows)
    }


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: python scripts/cloze/tables.py FILE.tsv OUT.json")
    made = records(Path(sys.argv[1]))
    Path(sys.argv[2]).write_text(json.dumps(made), encoding="utf-8")
