"""LaTeX tables: nothing in a cell is taken for a command."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.latex import escape_latex, latex_table
from core.statistics.intervals import Estimate

COMMANDS = (
    r"\\(textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|textasciigrave|ldots"
    r"|pm|times|cdot|leq|geq|alpha|Delta|rho|tau|ss|o|O|ae|AE|l|L)(?![A-Za-z])"
)
ACCENTS = r"""\\(?:[`'^~=."]|[uvHckr](?![A-Za-z]))"""


def stripped(latex: str) -> str:
    """What is left of escaped text once all that escaping writes is taken away."""
    left = re.sub(r"\\[{}_&%$#]", "", latex)
    left = re.sub(ACCENTS, "", re.sub(COMMANDS, "", left))
    return re.sub(r"\{\\[ij]\}", "", re.sub(r"\$(-|\^\{2\})?\$|\{\}", "", left))


@pytest.mark.slow
@given(st.text(st.sampled_from("ab\\{}_&%$#~^*[]<>|`-\"é–ρ\n\t\u200b漢²ßïİ'"), max_size=40) | st.text(max_size=40))
def test_escaped_text_holds_no_command_of_its_own(text: str) -> None:
    escaped = escape_latex(text)
    left = stripped(escaped)
    assert not set("\\&%$#_~^") & set(left), left
    depth = 0
    for sign in re.sub(r"\\[{}]", "", escaped):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    assert depth == 0
    assert not escaped.startswith(("[", "*"))  # an argument of the row's end before it
    assert "\n" not in escaped


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("fusion_one & 50%", r"fusion\_one \& 50\%"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("Müller, Çelik, Dvořák, naïve", r"M\"{u}ller, \c{C}elik, Dvo\v{r}\'{a}k, na\"{\i}ve"),
        ("Kendall's τ-b", r"Kendall's $\tau$-{}b"),
        ("漢字", "漢字"),
        ("a\n\tb\x00c", "a b c"),
        ("--", "-{}-{}"),
        ("-0.1 to -.2, 1-2 (-3)", r"$-$0.1 to $-$.2, 1-{}2 ($-$3)"),
    ],
)
def test_escaping(text: str, latex: str) -> None:
    assert escape_latex(text) == latex


def test_a_table() -> None:
    rows = [
        {"Metric": "union", "r": ".3687*", "Δ": Estimate(0.25, -0.1, 0.6), "n": 400},
        {"Metric": "[x] *", "r": "-0.0239", "Δ": Estimate(None, undefined="constant"), "n": None, "t": -0.00012},
    ]
    text = latex_table(rows, "100 % of UNION_ROC", "Table 5: UNION")
    assert text.splitlines() == [
        r"% Needs \usepackage{booktabs}.",
        r"\begin{table}[t]",
        r"\centering",
        r"\caption{100 \% of UNION\_ROC}",
        r"\label{tab:table-5-union}",
        r"\begin{tabular}{lrrrrr}",
        r"\toprule",
        r"Metric & r & $\Delta$ & 95\,\% of $\Delta$ & n & t \\",
        r"\midrule",
        r"union & .3687$^{*}$ & 0.250 & $-$0.100 to 0.600 & 400 & -- \\",
        r"{[}x{]} {*} & $-$0.0239 & -- & -- & -- & $-$0.00012 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def test_letters_that_pdflatex_does_not_set_are_announced() -> None:
    assert "LuaLaTeX" in latex_table([{"System": "漢字"}], "x", "x")
    assert "LuaLaTeX" not in latex_table([{"System": "é –"}], "x", "x")


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (2.5e-14, r"2.5$\times 10^{-14}$"),
        ("-2e-07*", r"$-$2$\times 10^{-7}$$^{*}$"),
        (float("nan"), "--"),
        (float("inf"), "--"),
        (True, "yes"),
        (-12, "$-$12"),
        (0.0, "0.000"),
        (-0.0, "0.000"),
        ("1٣", "1٣"),
    ],
)
def test_numbers(value: object, latex: str) -> None:
    assert rf"{latex} \\" in latex_table([{"a": value}], "x", "x").splitlines()


def test_a_column_that_is_empty_in_every_row_is_left_out() -> None:
    rows = [{"Metric": "a", "r": None, "Undefined": ""}, {"Metric": "b", "r": 0.5, "Undefined": ""}]
    assert r"Metric & r \\" in latex_table(rows, "c", "l")
    rows[0]["Undefined"] = "constant"
    assert r"Metric & r & Undefined \\" in latex_table(rows, "c", "l")


def test_no_rows_is_an_empty_table() -> None:
    assert r"\begin{tabular}{}" in latex_table([], "x", "")


def test_columns_without_a_number_are_set_left() -> None:
    assert r"{lr}" in latex_table([{"a": "x", "b": None}, {"a": "y", "b": 2.0}], "x", "x")


def test_a_wide_table_fits_the_page_and_signatures_stand_in_comments() -> None:
    evil = "bleu|v:1\n\\input{x}\u2028\\input{y}"
    row = {"Metric": "m\n%", **{f"c{number}": 0.5 for number in range(8)}, "Signature": evil, "Signature in b": None}
    lines = latex_table([row], "Metrics", "m").splitlines()
    comments = [line for line in lines if line.startswith("% ")]
    assert comments == [
        r"% Needs \usepackage{booktabs} and \usepackage{graphicx}.",
        r"% Signature of m %: bleu|v:1 \input{x} \input{y}",
        "% Signature in b of m %: --",
    ]
    assert not any("input" in line for line in lines if line not in comments)
    assert lines[3] == r"\begin{table*}[t]"
    assert lines[7] == r"\resizebox{\textwidth}{!}{%"
    assert lines[-2:] == [r"\end{tabular}}", r"\end{table*}"]
    narrow = latex_table([{"Metric": "m", "Signature": "s"}], "Metrics", "m")
    assert "resizebox" not in narrow
    assert r"\begin{table}[t]" in narrow
