"""Make the demonstration study's damaged stories: `negatives.jsonl`, those that opening the study would make, so that
it is loaded without WordNet.

    .venv/bin/python scripts/demonstration/negatives.py
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.perturb.negatives.controls import make_negatives
from core.stories import Source
from db.transfer.demonstration import NAME, NEGATIVES, demonstration


def rows() -> list[dict[str, str]]:
    """A damaged story of each prompt, as a row of a table of stories."""
    human, systems = (
        [(story.prompt_key, story.text) for story in demonstration().stories if story.source is source]
        for source in (Source.HUMAN, Source.SYSTEM)
    )
    prompts = {story.prompt_key: story.prompt for story in demonstration().stories}
    texts = make_negatives(list(prompts), human, systems, NAME)
    return [
        {
            "id": f"{key}-negative",
            "prompt_id": key,
            "prompt": prompts[key],
            "system": "",
            "source": Source.NEGATIVE.value,
            "text": text,
        }
        for key, text in texts.items()
    ]


if __name__ == "__main__":
    lines = [json.dumps(row, ensure_ascii=False) for row in rows()]
    NEGATIVES.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
