"""Make the demonstration study's stories: `stories.jsonl` from `prompts.json`.

The bundled language model continues each prompt under five decoding settings, and each is one "system" of the study.
`top-k-40` and `nucleus-0.9` sample at temperature 0.7, which a model of this size needs to keep to a story.
The human reference of each prompt is copied. On one machine, every run gives the same bytes.
"""

import json
import sys
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from core.models.catalogue import ModelRole, locate
from core.stories import Source, sentences

FOLDER = Path(__file__).resolve().parents[2] / "data" / "demonstration"
SEED = 11
SENTENCES = 4
FEWEST_TOKENS, MOST_TOKENS = 40, 150
ROLE = "You write short stories for children."
INSTRUCTION = (
    "Continue the story in four sentences. Do not repeat the opening; write only what happens next.\n\nOpening: "
)

SYSTEMS: dict[str, dict[str, Any]] = {
    "greedy": {"do_sample": False},
    "beam-4": {"do_sample": False, "num_beams": 4},
    "top-k-40": {"do_sample": True, "top_k": 40, "temperature": 0.7},
    "nucleus-0.9": {"do_sample": True, "top_k": 0, "top_p": 0.9, "temperature": 0.7},
    "hot-1.5": {"do_sample": True, "top_k": 50, "temperature": 1.5},
}


def cut(text: str) -> str:
    """The first sentences of `text` on one line, without one that breaks off (unless there is no other)."""
    pieces = [text[start:end] for start, end in sentences(text)]
    whole = [piece for piece in pieces if piece.rstrip("\"'”’)").endswith((".", "!", "?", "…"))]
    return " ".join((whole or pieces)[:SENTENCES])


def generate(model: Any, tokenizer: Any, prompt: str, settings: dict[str, Any], seed: int) -> str:
    """One continuation of `prompt`, cut to whole sentences."""
    chat = [{"role": "system", "content": ROLE}, {"role": "user", "content": INSTRUCTION + prompt}]
    asked = tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)
    ids = tokenizer(asked, add_special_tokens=False, return_tensors="pt")["input_ids"]
    torch.manual_seed(seed)
    with torch.inference_mode():
        output = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            min_new_tokens=FEWEST_TOKENS,
            max_new_tokens=MOST_TOKENS,
            **settings,
        )
    text = cut(tokenizer.decode(output[0, ids.shape[1] :], skip_special_tokens=True))
    if not text:
        raise RuntimeError(f"Nothing was generated for {prompt!r}; choose another seed.")
    return text


def main() -> None:
    """Write `stories.jsonl`: five systems' stories and the reference of every prompt."""
    torch.set_num_threads(1)  # the order of additions, and so the text, depends on the number of threads
    folder = locate(None, ModelRole.LANGUAGE).folder
    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    model: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    lines: list[dict[str, str]] = []
    prompts = json.loads((FOLDER / "prompts.json").read_text(encoding="utf-8"))
    for number, entry in enumerate(prompts):
        shared = {"prompt_id": entry["id"], "prompt": entry["prompt"]}
        for place, (system, settings) in enumerate(SYSTEMS.items()):
            seed = SEED + 100 * number + place
            text = generate(model, tokenizer, entry["prompt"], settings, seed)
            key = f"{entry['id']}-{system}"
            lines.append({"id": key, **shared, "system": system, "source": Source.SYSTEM.value, "text": text})
            print(f"{key}: {text}", flush=True)
        key = f"{entry['id']}-human"
        lines.append({"id": key, **shared, "system": "", "source": Source.HUMAN.value, "text": entry["reference"]})
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (FOLDER / "stories.jsonl").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
