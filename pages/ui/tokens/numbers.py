"""The numbers of the texts, their figures, and the files that they can be saved as."""

import math
from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from core.arrays import Bools, Ints
from core.figures.tokens.levels import level_names
from core.figures.tokens.picture import picture
from core.figures.tokens.statistics import bucket_shares, entropies, fractions
from core.formats.gltr import gltr_json, tokens_csv
from core.metrics.perplexity import Perplexity
from core.models.tokens.usual import OF_PEOPLE, SAMPLED, STORIES, UsualNumbers, comparable
from core.tokens import TokenSummary, TokenTable, summarise
from pages.ui.shared.tables.downloads import chart, table_with_downloads
from pages.ui.tokens.picture import text_picture

NOTES = {
    "Tokens": "What the model reads a text as: words and pieces of words. Every number here is over all of them.",
    "Words": "Runs of signs between white space.",
    "Fp": "Mean fraction: a token's probability over that of the likeliest one, from 0 to 1. The higher, the more the "
    "text is what the model itself would write. Repeated and ungrammatical text fools it.",
    "Perplexity": "How many tokens the model wavers between, on average: e to the mean negative log-probability. Low: "
    "the text holds no surprise for it. None where a probability is 0, as in files that round. The metric perplexity "
    f"scores the {Perplexity.card.number}, so that higher is better there.",
    "Mean entropy": "How unsure the model was before each token: mean entropy of its ten likeliest ones, in nats, 0 to "
    "2.30.",
}


def numbers(tables: Mapping[str, TokenTable], ranks: tuple[int, ...]) -> None:
    """A few numbers for each text, each explained under its question mark, with the model they are of."""
    st.header("Numbers")
    bucket_names = [name.capitalize() for name in level_names(ranks)]
    notes = NOTES | dict.fromkeys(bucket_names, "The share of the tokens in this bucket.")
    rows = []
    for name, table in tables.items():
        token_summary = summarise(table, ranks)
        with st.container(border=True):
            if len(tables) > 1:
                st.text(name)
            _metrics(token_summary, bucket_names, notes)
            if token_summary.perplexity is not None:
                st.caption(_as_scored(token_summary.perplexity))
            st.text(f"Model: {table.model} ({table.mode}).")
        rows.append(
            {
                "Text": name,
                "Model": table.model,
                "Mode": str(table.mode),
                "Tokens": token_summary.tokens,
                "Words": token_summary.words,
            }
            | {"Fp": token_summary.fp, "Perplexity": token_summary.perplexity, "Mean entropy": token_summary.entropy}
            | dict(zip(bucket_names, token_summary.shares or [None] * len(bucket_names), strict=True))
        )
    if any(map(comparable, tables.values())):
        st.caption(
            f"To compare, by the bundled model, of stories of about five sentences: {_usual(OF_PEOPLE)}, in the "
            f"{STORIES} of the demonstration that people wrote; {_usual(SAMPLED)}, in the {STORIES} that the model "
            "wrote itself by nucleus sampling. Other kinds of text have other numbers."
        )
    with st.expander("As a table, to save", icon=":material/table:"):
        formats = {"Perplexity": "%.2f", "Tokens": "%d", "Words": "%d"}
        table_with_downloads(rows, "Token statistics", formats=formats, notes=notes)


def _metrics(token_summary: TokenSummary, bucket_names: Sequence[str], notes: Mapping[str, str]) -> None:
    written = {
        "Tokens": f"{token_summary.tokens:,}",
        "Fp": _number(token_summary.fp, 3),
        "Perplexity": _number(token_summary.perplexity, 1),
        "Mean entropy": _number(token_summary.entropy, 2),
    }
    written |= {
        name: f"{100 * share:.1f} %" for name, share in zip(bucket_names, token_summary.shares or (), strict=False)
    }
    with st.container(horizontal=True, gap="small"):
        for name, value in written.items():
            st.metric(name, value, help=notes[name], width="content")


def _usual(of: UsualNumbers) -> str:
    (least, most), (lowest, highest), (low, high) = of.likely, of.fp, of.perplexity
    return (
        f"{100 * least:.0f} to {100 * most:.0f} % of the tokens in the top 10, Fp {lowest:.2f} to {highest:.2f}, "
        f"perplexity {low:g} to {high:g}"
    )


def _as_scored(perplexity: float) -> str:
    """The perplexity as the metric of that name scores it."""
    score = f"{-math.log(perplexity):.2f}".replace("-", "−")
    return (
        f"Perplexity {perplexity:,.1f} as a score is {score}, the {Perplexity.card.number}, so that higher is better: "
        "the mean log-probability of a token. The metric *perplexity* takes it of the story after its prompt."
    )


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def figures(tables: Mapping[str, TokenTable], ranks: tuple[int, ...]) -> None:
    """Histograms of the buckets, the fractions and the entropies."""
    st.header("Histograms")
    drawn = (
        ("token-buckets", bucket_shares(tables, ranks), "Share of the tokens in each bucket of rank"),
        ("token-fraction", fractions(tables), "Fraction of each token"),
        ("token-entropy", entropies(tables), "Entropy of the ten likeliest tokens"),
    )
    columns = st.columns(2)
    for place, (key, figure, alt) in enumerate(drawn):
        with columns[place % 2]:
            chart(figure, key=key, alt=alt)


def files(
    tables: Mapping[str, TokenTable], levels: Sequence[Ints], marks: Sequence[Bools], legend: Sequence[str]
) -> None:
    """Offer each text as GLTR's JSON, as CSV, and as a picture."""
    st.header("Save")
    for number, (name, table) in enumerate(tables.items()):
        if len(tables) > 1:
            st.text(name)
        file = "tokens" if len(tables) == 1 else f"tokens-{number + 1}"
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            st.download_button(
                "GLTR JSON",
                partial(gltr_json, table),
                file_name=f"{file}.json",
                mime="application/json",
                key=f"gltr-json-{number}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                help="As GLTR writes it, which GLTR and this page read",
            )
            st.download_button(
                "CSV",
                partial(tokens_csv, table),
                file_name=f"{file}.csv",
                mime="text/csv",
                key=f"tokens-csv-{number}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
                help="One row per token, unrounded",
            )
            drawing = partial(picture, table, levels[number], legend, f"{name}, {table.model}", marks[number])
            text_picture(drawing, file, f"picture-{number}")
