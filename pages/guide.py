"""The guide, inside the app: each page of Fabula leads to its chapter."""

import streamlit as st

from core.formats.guide import FIRST, Picture, chapter, chapters
from core.people import Role
from pages.ui.components.scrolled import scrolled
from pages.ui.guide.chapters import ADDRESS
from pages.ui.shared.sidebar import ELSEWHERE
from pages.ui.shared.text import notice
from pages.ui.shared.viewer import require

require(Role.RESEARCHER)

asked = st.query_params.get("chapter", FIRST)
if asked not in chapters():
    notice(f"The guide has no chapter {asked[:60]}; this is its first page.")
    asked = FIRST
scrolled(f"{st.session_state.get(ELSEWHERE, 0)}/{asked}")  # else it opens as far down as the page before was read
if asked != FIRST:
    st.page_link("guide.py", label="All of the guide", icon=":material/menu_book:", query_params={"chapter": FIRST})
with st.container(width=860):
    for part in chapter(asked, ADDRESS):
        if isinstance(part, Picture):
            st.image(str(part.path), caption=part.alt)
        else:
            st.markdown(part)
