"""What the commands say before a change and after it, compared word for word.

    python scripts/compare_outputs.py write OLD.json --cli OLD/cli.py --data ../shared/data --home NEW-FOLDER
    python scripts/compare_outputs.py compare OLD.json --cli cli.py --data ../shared/data --home NEW-FOLDER

run the same commands over two corpora whose figures were published, the demonstration, and metrics that learn from a
few stories, with one version or another. `compare` prints every place that differs and ends with status 1 where there
is one. With `--kept HOME`, which an older version filled, the same is asked of its database and checkpoints. Left out
is what differs between two runs of one version: seconds, times and folders.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEFT_OUT = {"seconds", "created", "trained", "at", "folder", "versions", "path", "out", "rate", "last_seen"}
LEFT_OUT |= {"started_at", "saved_at", "submitted_at"}
TEXT = "Tom lost his hat. He looked for it all day. In the end his hat was on his head."
LOAD = """
from importlib import import_module
from importlib.util import find_spec
from core.people import TERMINAL
from db.migrate import migrate
migrate()
place = "db.transfer.demonstration" if find_spec("db.transfer") else "db.demonstration"
import_module(place).load_demonstration(TERMINAL)
"""
STUDIES = ("union-roc", "mans-roc", "Demonstration")
JUDGED = ["--study", "Demonstration"]
Commands = Iterator[tuple[str, list[str]]]


def corpora(data: Path) -> Commands:
    yield "import union", ["import", "union", str(data / "union-roc"), "--study", "union-roc"]
    yield "import mans", ["import", "mans", str(data / "mans-roc/mans_roc.json"), "--study", "mans-roc"]
    for paper in ("union", "mans", "perception", "naturalness"):
        yield f"reproduce {paper}", ["reproduce", paper, "--data", str(data), "-"]
    yield "gltr import", ["gltr", "import", str(data / "gltr/woodchuck.json"), "-"]


def analyses(study: str) -> Commands:
    """What is asked of every study, after its stories have scores of quick metrics."""
    metrics = [word for name in ("bleu", "rouge-l", "meteor") for word in ("--metric", name)]
    draws = ["--resamples", "100", "-"]
    commands = {
        "score": ["score", *metrics, "-"],
        "judgments": ["judgments", "-"],
        **{f"correlate {by}": ["correlate", "--by", by, *draws] for by in ("system", "error", "prompt", "equal")},
        "compare": ["compare", "--permutations", "200", "-"],
        "systems": ["systems", *draws],
        "drift quality": ["drift", "quality", "--draws", "50", "-"],
        "drift system": ["drift", "system", *draws],
        "differences": ["differences", "-"],
    }
    for name, (*words, last) in commands.items():
        yield f"{name} {study}", [*words, "--study", study, last]


def trainings(out: Path) -> Commands:
    """Metrics that learn a little, and what they then say."""
    stories = ["--stories", str(out / "few.jsonl"), "--overlap-allowed"]
    short = ["--epochs", "1"]
    options = {
        "union": [*stories, *short],
        "ruber": [*stories, "--embeddings", "words", *short],
        "language-model": [*stories, "--words", "30", *short],
        "discriminator": ["--study", "mans-roc", "--folds", "2", *short],
        "bleurt": [*JUDGED, "--folds", "2"],
    }
    for kind, words in options.items():
        folder = str(out / f"tiny-{kind}")
        yield f"train {kind}", ["train", kind, *words, "--out", folder, "--device", "cpu", "-"]
        yield f"checkpoints import {kind}", ["checkpoints", "import", folder]
    few = ["--study", "mans-roc", "--system", "gpt", "--seeds", "1", "--words", "40", *short]
    yield "train perception", ["train", "perception", *few, "--device", "cpu", "-"]


def trained() -> Commands:
    """What trained metrics say of the demonstration's stories: asked of older databases and checkpoints too."""
    yield "checkpoints", ["checkpoints", "list", "-"]
    names = [
        "union[tiny-union]",
        "ruber-u[tiny-ruber]",
        "disscore[tiny-discriminator]",
        "bleurt-finetuned[tiny-bleurt]",
    ]
    for name in [*names, "perplexity-finetuned[tiny-language-model]", "union", "perplexity", "bertscore-f1"]:
        yield f"score {name}", ["score", *JUDGED, "--metric", name, "--device", "cpu", "-"]
    yield "correlate trained", ["correlate", *JUDGED, "--resamples", "50", "-"]
    yield "explain", ["explain", "union", "--text", TEXT, "--checkpoint", "tiny-union", "-"]
    yield "systems with perception", ["systems", "--study", "mans-roc", "--resamples", "50", "-"]


def texts(out: Path) -> Commands:
    """Test sets, token statistics and naturalness."""
    for kind in ("negatives", "discrimination", "invariance"):
        words = ["--in", str(out / "few.jsonl"), "--out", str(out / f"{kind}.jsonl")]
        yield f"perturb {kind}", ["perturb", kind, *words, "-"]
    tests = [word for kind in ("discrimination", "invariance") for word in ("--tests", str(out / f"{kind}.jsonl"))]
    metrics = ["--metric", "union", "--option", "union.checkpoint=tiny-union", "--metric", "perplexity"]
    yield "capability", ["capability", *tests, *metrics, "--resamples", "50", "-"]
    yield "tokens", ["tokens", str(out / "text.txt"), "-"]
    both = ["--human", str(out / "few.jsonl"), "--machine", str(out / "machine.jsonl"), "--first", "20"]
    yield "naturalness", ["naturalness", *both, "--resamples", "50", "-"]


def lists(out: Path) -> Commands:
    for name in ("metrics", "models", "studies"):
        yield name, [name, "-"]
    yield "people", ["people", "list", "-"]
    for study in STUDIES:
        yield f"export {study}", ["export", "--study", study, "--format", "jsonl", "--out", str(out / f"{study}.jsonl")]


def all_commands(data: Path, out: Path) -> Commands:
    yield from corpora(data)
    for study in STUDIES:
        yield from analyses(study)
    for some in (trainings(out), trained(), texts(out), lists(out)):
        yield from some


def prepare(cli: Path, data: Path, out: Path) -> None:
    """The demonstration's study, and small files for the commands to read."""
    out.mkdir(parents=True)
    subprocess.run([sys.executable, "-c", LOAD], cwd=cli.parent, env=environment(out / "home"), check=True)
    lines = (data / "stories/rocstories.jsonl").read_text(encoding="utf-8").splitlines()[:48]
    (out / "few.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(cli.parent / "data/demonstration/stories.jsonl", out / "machine.jsonl")
    (out / "text.txt").write_text(TEXT, encoding="utf-8")


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "FABULA_HOME": str(home), "COLUMNS": "160", "CUDA_VISIBLE_DEVICES": ""}


def printed(cli: Path, words: list[str], home: Path) -> Any:
    """The object that a command prints, or its lines; what it wrote to a file as well."""
    asked = [*words[:-1], "--json", "-"] if words[-1] == "-" else words
    done = subprocess.run(
        [sys.executable, str(cli), *asked], cwd=cli.parent, env=environment(home), capture_output=True, text=True
    )
    if done.returncode:
        return {"exit": done.returncode, "stderr": done.stderr.replace(str(home.parent), "")}
    printed = json.loads(done.stdout) if words[-1] == "-" else done.stdout.replace(str(home.parent), "").splitlines()
    written = Path(words[words.index("--out") + 1]) if "--out" in words else home
    lines = written.read_text(encoding="utf-8").splitlines() if written.is_file() else []
    return without_times({"printed": printed, "written": [json.loads(line) for line in lines]})


def without_times(value: Any) -> Any:
    """A command's object without what differs between two runs of one version."""
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key not in LEFT_OUT}
    return [without_times(inner) for inner in value] if isinstance(value, list) else value


def differences(old: Any, new: Any, where: str) -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict) and list(old) == list(new):
        for key in old:
            yield from differences(old[key], new[key], f"{where}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for place, (item, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(item, other, f"{where}[{place}]")
    elif old != new:
        yield f"{where}: {str(old)[:300]} -> {str(new)[:300]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("write", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--cli", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--kept", type=Path)
    asked = parser.parse_args()
    cli, data, out = asked.cli.resolve(), asked.data.resolve(), asked.home.resolve()
    if asked.kept:
        shutil.copytree(asked.kept, out)
        commands = list(trained())
    else:
        prepare(cli, data, out)
        commands = list(all_commands(data, out))
    result = {}
    for name, words in commands:
        result[name] = printed(cli, words, out / "home")
        print(name, "exit 2" if "exit" in result[name] else "", file=sys.stderr, flush=True)
    if asked.what == "write":
        asked.file.write_text(json.dumps(result, indent=1), encoding="utf-8")
        return 0
    old = without_times(json.loads(asked.file.read_text(encoding="utf-8")))
    lines = [line for name in result for line in differences(old.get(name), json.loads(json.dumps(result[name])), name)]
    print("\n".join(lines) if lines else f"{len(result)} commands say the same.")
    return bool(lines)


if __name__ == "__main__":
    raise SystemExit(main())
