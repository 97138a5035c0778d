"""What several tests of untrusted names share."""

from streamlit.testing.v1 import AppTest

MARKUP = r"**b** <i>x</i> $y$ :red[z] [l](u) \input{a}_%"


def read_as_markdown(page: AppTest) -> list[str]:
    kinds = (page.title, page.header, page.markdown, page.caption, page.info, page.error, page.warning)
    return [str(element.value) for kind in kinds for element in kind]
