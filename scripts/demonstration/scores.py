"""Score the demonstration study's stories: `scores.json` and the judge's `replies.json`, which come with them, so that
there is something to find.

    .venv/bin/python scripts/demonstration/scores.py

runs the metrics and the bundled judge in a database of its own, as `score` does. On another machine the last bits may
differ.
"""

import json
import os
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

METRICS = (
    *("bleu", "rouge-1", "rouge-l", "meteor", "bertscore-f1", "greedy-matching"),
    *("perplexity", "acceptability", "words", "judge:overall"),
)


def main() -> None:
    """Write the scores by metric and story, and what the judge replied about each."""
    from commands.metrics.scoring import run_settings, score_study
    from core.people import TERMINAL
    from db.judges.replies import replies_for
    from db.migrate import migrate
    from db.scores import tables
    from db.transfer.demonstration import REPLIES, SCORES, judge_requests, load_demonstration

    migrate()
    SCORES.write_text("[]\n", encoding="utf-8")
    REPLIES.write_text("{}\n", encoding="utf-8")
    study = load_demonstration(TERMINAL)
    score_study(study, run_settings(list(METRICS), None, None, device="cpu"))
    table = tables.table(study.id)
    rows = [
        {
            "metric": column.metric,
            "signature": column.signature,
            "values": dict(zip(table.keys, column.values.tolist(), strict=True)),
        }
        for column in table.columns
    ]
    SCORES.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8", newline="\n")
    (signature,) = (column.signature for column in table.columns if column.metric == "judge:overall")
    _, requests = judge_requests(study.id, signature)
    given = replies_for([request.key for request in requests.values()])
    replies = {key: asdict(given[request.key]) for key, request in requests.items()}
    for reply in replies.values():
        del reply["key"]
    REPLIES.write_text(json.dumps({signature: replies}, indent=1) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="fabula-demonstration-") as folder:
        os.environ["FABULA_HOME"] = folder
        main()
