"""What several tests of difference share."""


def cells(page: object) -> str:
    return "\n".join(frame.value.to_csv() for frame in page.dataframe)  # type: ignore[attr-defined]
