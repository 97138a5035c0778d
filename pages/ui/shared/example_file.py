"""What a file to upload looks like: an example to download, and a sentence."""

import streamlit as st

from core.formats.uploads.examples import Example

TAKEN = "A small file that is imported as it is"


def example_file(example: Example, about: str = "", part: str = "", hint: str = TAKEN) -> None:
    """The button, and beside it the sentence `about` (Markdown; nothing where the uploader says it all). `part`: tells
    one button from another of the same file; `hint`: what the button says of it.
    """
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.download_button(
            "Example file",
            example.content,
            file_name=example.name,
            mime="application/octet-stream",
            icon=":material/download:",
            on_click="ignore",
            help=hint,
            key=f"example-{example.name}{part}",
        )
        if about:
            st.caption(about)
