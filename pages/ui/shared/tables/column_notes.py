"""Help for columns that many tables have: shown under the question marks of their headings."""

NOTES = {
    "n": "Stories with a score and a rating",
    "Signature": "Names the metric, its options, model and version: all that its numbers depend on",
    "Undefined": "Why figures of the row are missing",
}
