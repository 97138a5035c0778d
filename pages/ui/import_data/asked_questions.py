"""What people were asked, of a form that a file of ratings makes: the file does not say it, and judges are asked the
same.
"""

from collections.abc import Sequence

import streamlit as st

from core.annotation.builtin_criteria import scheme_for
from core.annotation.criterion import LONGEST_WORDING, OVERALL
from pages.ui.shared.text import escaped

WHY = (
    "The file does not say what people were asked, so questions in Fabula's words are filled in. If you know how "
    "people were asked, write it as they read it; if you do not, leave them. The ratings stay as they are either way: "
    "judges are asked these questions, and reports say that people may have been asked in other words."
)
FOR_GOOD = "They stay as they are once the ratings are in."
OTHER_SCHEME = "For another scheme make the study first and import into it."


def ask_questions(
    names: Sequence[str], scale: tuple[tuple[int, str], ...], upload: str, *, new: bool
) -> dict[str, str]:
    """Criterion -> its question, as the viewer has worded it; `upload`: the file's id; `new`: the study is. Fabula's
    words stand there.
    """
    usual = {criterion.name: criterion.question for criterion in scheme_for(names, scale).criteria}
    st.caption(WHY)
    several = f"What people were asked: {len(usual)} questions, filled in"
    with st.container() if len(usual) == 1 else st.expander(several, icon=":material/quiz:"):
        worded = {
            name: st.text_input(
                "What people were asked" if name == OVERALL else f"On {escaped(name)}",
                question,
                max_chars=LONGEST_WORDING,
                key=f"asked-{name}-{question}-{upload}",  # another scale may have another question
            ).strip()
            for name, question in usual.items()
        }
    st.caption(f"{FOR_GOOD} {OTHER_SCHEME}" if new else FOR_GOOD)
    return {name: worded[name] or question for name, question in usual.items()}
