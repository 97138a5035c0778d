"""Statistics of a study's texts: OpenMEVA's Table 10, and the lengths of every system's stories."""

from functools import partial

import streamlit as st

from core.analysis.judgments.judgments import Judgments
from core.analysis.judgments.texts import Lengths, Texts
from pages.ui.shared.stories.wanted_stories import want_system
from pages.ui.shared.tables.result_table import table


def text_tables(texts: Texts, judged: Judgments) -> None:
    """Table 10, then a row a system with length and quality; `judged`: for the quality."""
    averages = (texts.prompt_tokens, texts.reference_tokens, texts.story_tokens)
    table(
        "Texts",
        [
            {
                "Prompts": texts.prompts,
                "Stories a prompt": texts.stories_a_prompt,
                "Stories": texts.stories,
                **dict(zip(("Prompt tokens", "Reference tokens", "Story tokens"), averages, strict=True)),
            }
        ],
        dict.fromkeys(("Stories a prompt", "Prompt tokens", "Reference tokens", "Story tokens"), "%.2f"),
    )
    st.caption(
        "As OpenMEVA's Table 10: stories are those of systems, references the human ones, tokens are averages a text. "
        "The paper counts spaCy's tokens; here words, numbers and marks count, “don't” and “she's” as two, and the "
        "parts of hyphenated words, which comes within 0.1 % of it on the paper's own data."
    )
    names = [*texts.by_system, ""]
    rows = [_row(name, lengths, judged) for name, lengths in texts.by_system.items()]
    if texts.all is not None and len(rows) > 1:
        quality = _quality(judged, judged.box.mean, judged.box.sd) if judged.box else {}
        rows.append(_lengths("all systems", texts.all) | quality)
    table(
        "Texts by system",
        rows,
        {"Tokens": "%.2f", "SD of tokens": "%.2f", "Sentences": "%.2f"},
        on_row=partial(want_system, names),
    )
    of = "shares of comparisons won" if judged.compared else "mean ratings"
    st.caption(
        f"Tokens and sentences of a story, on average. Mean and SD are of the stories' {of}. Press a row "
        "for the system's stories."
    )


def _row(name: str, lengths: Lengths, judged: Judgments) -> dict[str, object]:
    quality = judged.by_system.get(name)
    rated = _quality(judged, quality.mean, quality.sd) if quality else {}
    return _lengths(name, lengths) | rated


def _quality(judged: Judgments, mean: float, sd: float | None) -> dict[str, object]:
    return {judged.judgment.capitalize(): mean, "SD of shares won" if judged.compared else "SD of ratings": sd}


def _lengths(name: str, lengths: Lengths) -> dict[str, object]:
    return {
        "System": name,
        "Stories": lengths.n,
        "Tokens": lengths.tokens,
        "SD of tokens": lengths.sd,
        "Shortest": lengths.shortest,
        "Longest": lengths.longest,
        "Sentences": lengths.sentences,
    }
