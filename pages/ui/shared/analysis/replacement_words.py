"""May a judge replace a person? How pages that lead to this verdict call it, and what it takes."""

TRIAL = "May it replace a person?"
"""The tab of the Judges page."""
SAME_PERSON = "Each column is the same person in every row"
"""What the Import page asks of columns of raters."""
HANGS_ON_IT = (
    f"without it no judge can be tried against a person later (*{TRIAL}*), and it cannot be set once the ratings are in"
)
"""What is lost where that is not ticked, to stand after a colon."""
NEEDED = (
    "It needs known annotators: ratings by personal links, a column of annotators in the import, or, where true, "
    f"*{SAME_PERSON}* ticked there."
)
"""Said where nobody knows who rated."""
