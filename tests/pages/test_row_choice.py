"""The list of a table's rows does what a press does, for who uses no pointer."""

from streamlit.testing.v1 import AppTest


def press_rows() -> None:
    import streamlit as st

    from pages.ui.shared.tables.downloads import pressable_table, table_with_downloads

    def note(*what: object) -> None:
        st.session_state["noted"] = what

    rows = [{"Metric": "bleu", "n": 3, "95 % of n": "2 to 4"}, {"Metric": "words", "n": 4, "95 % of n": "3 to 5"}]
    table_with_downloads(rows, "By rows", on_row=note)
    table_with_downloads(rows, "By cells", on_cell=note)
    people = [{"Number": 7, "Prompt": "A cake."}, {"Number": 8, "Prompt": ""}]
    pressable_table(people, "ticked", note, alt="Panels", on_ticked=note)


def test_rows_cells_and_ticks() -> None:
    page = AppTest.from_function(press_rows).run()
    rows, cells = page.selectbox
    assert (rows.label, rows.options, rows.value) == ("By rows: choose a row", ["bleu", "words"], None)
    rows.select("words").run()
    assert page.session_state["noted"] == (1,)
    assert page.selectbox[0].value is None  # so that it can be chosen again
    assert cells.options == ["bleu, n", "words, n"]
    page.selectbox[1].select("bleu, n").run()
    assert page.session_state["noted"] == (0, "n")
    (ticked,) = page.multiselect
    assert (ticked.label, ticked.options) == ("Panels: choose rows", ["7, A cake.", "8"])
    ticked.select("8").run()
    assert page.session_state["noted"] == ([1],)
    page.multiselect[0].set_value([]).run()
    assert page.session_state["noted"] == ([],)
