"""Which column of somebody's table of stories holds what: told from the columns' names, and where a name may mean
several things, from what is in it.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from core.errors import InputError
from core.stories import Source

DEFAULTS = {
    "text": (
        *("text", "sentences", "sections", "story", "continuation", "generation", "generated", "generated_text"),
        *("generated_story", "story_text", "output", "completion", "response"),
    ),
    "prompt": (
        *("prompt", "writing_prompt", "writing_task", "story_prompt", "prompt_text", "source_prompt"),
        *("opening", "context", "leading_context", "beginning", "premise", "condition", "instruction", "input"),
    ),
    "system": (
        *("system", "model", "generator", "system_name", "model_name"),
        *("generated_by", "written_by", "author", "writer", "method", "llm"),
    ),
    "reference": (
        *("reference", "gold_response", "human_reference", "ground_truth", "gold", "human"),
        *(
            f"{who}_{what}"
            for who in ("human", "reference", "gold")
            for what in ("story", "continuation", "text", "ending", "completion")
        ),
    ),
    "id": ("id", "story_id", "input_story_id"),
    "prompt_id": ("prompt_id", "opening_id", "context_id"),
    "source": ("source",),
}
"""Field of a story -> the column names it is looked for under; capitals, blanks and signs in them do not matter."""
UNSURE = ("output", "response", "input", "gold", "human", "method", "llm")
"""Names of columns that hold texts in one file and numbers in the next."""
_SURE = {field: names[:1] for field, names in DEFAULTS.items()} | {
    "text": ("text", "sentences", "sections"),
    "prompt": ("prompt", "writing_prompt", "writing_task", "story_prompt", "prompt_text", "source_prompt"),
    "system": ("system", "model"),
}
"""The names that win over all others, in this order. Of the rest there must be one alone."""
_ONE_A_SENTENCE = {"text": "sentence", "prompt": "inputsentence"}
"""How columns with a sentence each begin, as in ROCStories (`sentence1` …) and Story Cloze (`InputSentence1` …)."""
_SIGNS = re.compile(r"[\W_]+")
_OF_A_BATCH = re.compile(r"(?:Input|Answer)\.(?=\w)")
"""What MTurk puts before the columns that a batch was made of, and before what its workers filled in."""
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_SCALE = re.compile(
    r"[\W_]*[(\[]\s*(-?\d{1,3})\s*(?:-|–|−|to|\.\.)\s*(\d{1,3})\s*[)\]]\s*$"
    r"|[\s_]+(-?\d{1,3})(?:-|–|−|_?to_?|\s+to\s+)(\d{1,3})\s*$",
    re.I,
)
"""How the name of a column of ratings ends that says on which scale they are."""
_OF_MEANS = re.compile(
    r"^(?:mean|average|avg)[\s_.-]+(?=[^\W_])"
    r"|[\s_.,-]+(?:mean|average|avg)\.?\s*$"
    r"|[\s_]*[(\[]\s*(?:mean|average|avg)\.?\s*[)\]]\s*$",
    re.I,
)
"""How the name of a column begins or ends that says that its ratings are means."""
ITEMS = ("item", "item_id", "stimulus", "stimulus_id")
"""Names of columns that hold a story's id in one file, and its prompt's in the next."""
NUMBERS = ("nr", "number", "index", "story_nr", "story_no", "story_number")
"""Names of columns that number stories in one file, and rows in the next."""
_SAY_WHO = frozenset(
    (
        *("ann", "annot", "annotator", "rater", "worker", "turker", "coder", "person", "participant", "subject"),
        *("respondent", "evaluator", "assessor", "expert", "judge", "rating", "score"),
    )
)
"""What numbered columns are called that are merely several raters', beside a letter, as in `r1`."""
_OF_PEOPLE = frozenset(("human", "people", "person", "expert", "crowd", "annotator", "rater", "worker"))
_JUDGE = re.compile(
    r"(?:(?:chat)?gpt|claude|llama|gemini|gemma|mistral|mixtral|qwen|deepseek|prometheus|llms?|geval)(?:\d\w*)?"
)
_METRIC = re.compile(
    r"(?:(?:sacre)?bleu|bleurt|rouge|meteor|chrf|(?:bert|bart|mover|gpt)score|bert|ruber|union|unieval|ctrleval|comet"
    r"|perplexity|ppl|metric)(?:\d\w*|l|lsum)?"
)
"""Words in the name of a column that say that a model as a judge, or a metric, has given its numbers."""
AND = "+"
"""Between the names of columns that are joined into one field."""


def parts_of(column: str, columns: Sequence[str]) -> tuple[str, ...]:
    """The columns that `a+b` joins; a column that is called so itself is one."""
    return (column,) if column in columns else tuple(part.strip() for part in column.split(AND))


def without_scale(column: str) -> str:
    """What a column of ratings is called without its scale: "Coherence (1-5)" and "coherence_1to5" without the end."""
    return column if scale_in(column) is None else _SCALE.sub("", column)


def without_mean(column: str) -> str:
    """What a column of ratings is called without its scale and without a word for means: "Coherence (mean)",
    "avg_coherence" and "coherence mean (1-5)" without these.
    """
    return without_scale(_OF_MEANS.sub("", without_scale(column), count=1)) or column


def scale_in(column: str) -> tuple[int, int] | None:
    """The lowest and highest rating that a column's name says; None where it says no scale."""
    match = _SCALE.search(column)
    if match is None or not match.start():
        return None
    low, high = (int(end) for end in match.groups() if end is not None)
    return (low, high) if low < high else None


def of_one_story(items: Iterable[tuple[str, str]]) -> bool:
    """Whether each item, of pairs of an item and the text of its story, is of one text."""
    seen: dict[str, int] = {}
    return all(seen.setdefault(item, hash(text)) == hash(text) for item, text in items)


def check_column(column: str, columns: Sequence[str], file: str) -> None:
    """Raise InputError, naming the columns there are, for one that a table lacks."""
    for part in parts_of(column, columns):
        if part not in columns:
            known = ", ".join(columns)[:300] or "none"
            raise InputError(f"{file} has no column {part!r}; its columns are: {known}.")


def series_of(columns: Sequence[str]) -> dict[str, str]:
    """What numbered columns are called without their numbers -> all of them joined: `sentence1` to `sentence5`."""
    numbered: dict[str, dict[int, str]] = {}
    for column in columns:
        if match := re.fullmatch(r"(.*?)([1-9]\d?)", plain(column)):
            numbered.setdefault(match[1], {})[int(match[2])] = column
    whole = {stem: parts for stem, parts in numbered.items() if len(parts) > 1 and max(parts) == len(parts)}
    return {stem: AND.join(parts[number] for number in sorted(parts)) for stem, parts in whole.items()}


def guess_columns(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], mapping: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Field -> column, for the fields that `mapping` leaves out; `rows` are gone through as often as it takes. What
    could be one column as well as another is left out too: to ask is better than to read a reference as a system's
    story.
    """
    mapping = mapping or {}
    series = series_of(columns)
    taken = {part for column in mapping.values() for part in parts_of(column, columns)}
    result: dict[str, str] = {}
    for field in DEFAULTS.keys() - mapping.keys():
        named = dict(_named(field, columns))
        sure = next((named[name] for name in _SURE[field] if name in named), None)
        if sure is not None:
            if field != "source" or _holds_sources(rows, sure):
                result[field] = sure
            continue
        others = [column for name, column in named.items() if _may_be(field, name, column, rows)]
        others = [column for column in dict.fromkeys(others) if column not in taken]
        joined = series.get(_ONE_A_SENTENCE.get(field, ""))
        if joined is not None and not taken & set(parts_of(joined, columns)):
            others.append(joined)
        if len(others) == 1:
            result[field] = others[0]
    text = mapping.get("text") or result.get("text")
    if text is not None and "id" not in {**mapping, **result} and (item := item_column(columns, taken)):
        parts = parts_of(text, columns)
        if of_one_story((str(row.get(item)), str([row.get(part) for part in parts])) for row in rows):
            result["id"] = item
    return {field: result[field] for field in DEFAULTS if field in result}


def plain(name: str) -> str:
    """A column's name without capitals, blanks, signs and what MTurk puts before it."""
    return _SIGNS.sub("", _bare(name).casefold())


def words_of(name: str) -> list[str]:
    """The words of a column's name, in small letters: those of `humanRating` are two."""
    return [word for word in _SIGNS.split(_HUMPS.sub(" ", _bare(name)).casefold()) if word]


def called_like_judge(column: str) -> bool:
    """Whether a column's name says that a model has judged, as `gpt4_judge` does; so does a `judge` of a name, but not
    one of a number, or who is said to be a person.
    """
    words = words_of(column)
    named_judge = words[-1:] == ["judge"] and len(words) > 1 and _OF_PEOPLE.isdisjoint(words)
    return named_judge or any(map(_JUDGE.fullmatch, words))


def called_like_machine(column: str) -> bool:
    """Whether a column's name says that its numbers are such a judge's or a metric's, as `rouge_l` does."""
    return called_like_judge(column) or any(map(_METRIC.fullmatch, words_of(column)))


def merely_of_raters(words: Iterable[str]) -> bool:
    """Whether words that several raters' columns share name no criterion: they say who rates, or are a letter."""
    return all(word in _SAY_WHO or len(word) == 1 for word in words)


def _bare(name: str) -> str:
    return name[match.end() :] if (match := _OF_A_BATCH.match(name)) else name


def _named(field: str, columns: Sequence[str]) -> list[tuple[str, str]]:
    """(usual name, column) of the columns that are called so, an exact match first."""
    called: dict[str, str] = {}
    for column in columns:
        called.setdefault(plain(column), column)
    results = [(name, name if name in columns else called.get(plain(name), "")) for name in DEFAULTS[field]]
    return [(name, column) for name, column in results if column]


def item_column(columns: Sequence[str], taken: Collection[str] = (), names: Sequence[str] = ITEMS) -> str:
    """The column that is called like one of items, or by another of these `names`; "" for none."""
    called = {plain(column): column for column in reversed(columns) if column not in taken}
    return next((called[plain(name)] for name in names if plain(name) in called), "")


def _may_be(field: str, name: str, column: str, rows: Iterable[Mapping[str, Any]]) -> bool:
    """Whether what is in a column goes with its name: `human` may be people's mean rating, `response` an answer."""
    return name not in UNSURE or any(is_wording(row.get(column)) for row in rows)


def is_wording(value: Any) -> bool:
    """Whether a cell holds words, and not a number or nothing."""
    if isinstance(value, list):
        return any(is_wording(part) for part in value)
    return isinstance(value, str) and value.casefold() != "nan" and any(sign.isalpha() for sign in value)


def _holds_sources(rows: Iterable[Mapping[str, Any]], column: str) -> bool:
    """Whether a column called `source` says who wrote a story; elsewhere that is a web address, or a book."""
    sources, empty = frozenset(Source), True
    for row in rows:
        value = str(row.get(column) or "").strip().lower()
        if value in sources:
            return True
        empty = empty and not value
    return empty
