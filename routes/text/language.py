"""The language of a page of text that annotators read: their study's, else their browser's."""

from starlette.requests import HTTPConnection

from core.annotation.studies import Study
from core.languages.words import ENGLISH, Words, accepted, languages, preferred


def english() -> Words:
    """What pages of text say to those who run studies."""
    return languages()[ENGLISH]


def spoken(request: HTTPConnection, study: Study | None = None) -> Words:
    """The language in which somebody who sends this request is answered, where they may be an annotator."""
    wanted = [study.rules.language] if study is not None and study.rules.language else []
    return preferred(wanted or accepted(request.headers.get("accept-language", "")), languages())
