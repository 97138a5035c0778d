"""Outputs of several systems with people's scores of some of them, as one file that `import mans` reads.

    python scripts/systems/tables.py FOLDER OUT.json

FOLDER holds a `SYSTEM.txt` a system and `human.txt`, each line `context|||story`, and `human_crowdsource_*.json` and
`human_inhouse_*.json`: five aspects, 1 to 5, of some contexts. A story's two ratings are the means of the five by the
crowd and in the house. A rated text that is not the file's own stands in the place of that.
"""

import json
import sys
from pathlib import Path
from statistics import fmean
from typing import Any


def lines(path: Path) -> dict[str, str]:
    """Texts by their context."""
    pairs = (line.split("|||", 1) for line in path.read_text(encoding="utf-8").splitlines())
    return {context.strip(): text.strip() for context, text in pairs}


def records(folder: Path) -> dict[str, Any]:
    """In OpenMEVA's form, by the number of the context."""
    texts = {path.stem: lines(path) for path in sorted(folder.glob("*.txt"))}
    human = texts.pop("human")
    by_name = {name.casefold(): name for name in texts}
    result = {
        context: {
            "prompt": context,
            "gold_response": reference,
            "gen": {name: {"text": text[context], "score": []} for name, text in texts.items() if context in text},
        }
        for context, reference in human.items()
    }
    for path in sorted(folder.glob("human_*.json")):
        for load in json.loads(path.read_text(encoding="utf-8")):
            gen = result[load["condition"].strip()]["gen"]
            for rated in load["generations"]:
                message = gen[by_name[rated["model"].casefold()]]
                message["text"] = rated["story"].strip()
                message["score"].append(round(fmean(rated["scores"].values()), 4))
    return {str(number): item for number, item in enumerate(result.values())}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: python scripts/systems/tables.py FOLDER OUT.json")
    made = records(Path(sys.argv[1]))
    Path(sys.argv[2]).write_text(json.dumps(made), encoding="utf-8")
