"""UNION's annotation folder (thu-coai/UNION): stories, seven votes each, error types, references and metric scores.

`ant_data.txt`: `reference id ||| story ||| seven 0/1 votes`. `ant_data_all.txt` (optional): the same with error codes.
`reference_ipt.txt` and `reference_opt.txt`: the prompts and human continuations that the ids (from 0) point into.
`metric_output/NAME.txt` (optional): one score per line, in the order of `ant_data.txt`.
"""

import hashlib
import re
from collections import Counter
from pathlib import Path

from core.annotation.builtin import UNION
from core.errors import InputError
from core.formats.cells import parse_number
from core.formats.zips import unpacked
from core.stories import Corpus, RatingRecord, ScoreRecord, Source, StoryRecord
from core.text_files import check_text, empty_notice, read_lines

SEPARATOR = "|||"
TYPE_OF_CODE = {code: error.name for code, error in enumerate(UNION.error_types, start=1)}
NEGATED = {"ppl"}
"""Scores that are lower for better stories."""


def read_union(folder: Path) -> Corpus:
    """Read the whole folder, or a zip of it; raises InputError naming the file and the line of what it refuses."""
    if folder.suffix.lower() == ".zip" and folder.is_file():
        with unpacked(folder, "ant_data.txt", "UNION's annotation folder, or the zip of its export") as inside:
            return read_union(inside)
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; give UNION's annotation folder, the one with ant_data.txt.")
    rows = _read_votes(folder / "ant_data.txt")
    prompts, continuations = _read_references(folder)
    codes = _read_error_codes(folder / "ant_data_all.txt", rows)
    stories: dict[str, StoryRecord] = {}
    ratings: list[RatingRecord] = []
    keys = []
    for number, (reference, text, votes) in enumerate(rows, start=1):
        where = f"ant_data.txt, line {number}"
        if not 0 <= reference < len(prompts):
            raise InputError(f"{where}: reference {reference} is not in reference_ipt.txt (0 to {len(prompts) - 1}).")
        prompt_key, prompt = str(reference), prompts[reference]
        human = StoryRecord(f"{prompt_key}-human", prompt_key, prompt, continuations[reference], Source.HUMAN)
        stories.setdefault(human.key, human)
        key = f"line-{number}"
        keys.append(key)
        stories[key] = StoryRecord(key, prompt_key, prompt, _without_prompt(check_text(text, where), prompt))
        for rater, vote in enumerate(votes):
            code = codes[number - 1][rater] if codes else 0
            types = ((TYPE_OF_CODE[code], 0),) if code else ()
            ratings.append(RatingRecord(key, f"rater {rater + 1}", float(vote), types))
    scores = tuple(_read_scores(file, keys) for file in sorted((folder / "metric_output").glob("*.txt")))
    notices = empty_notice([s.text for s in stories.values()])
    return Corpus("union", tuple(stories.values()), tuple(ratings), scores, raters_identified=False, notices=notices)


def union_files(corpus: Corpus) -> dict[str, str]:
    """The stories, votes, error types and scores of a study as the texts of such a folder by file name, which
    `read_union` reads back equal.

    The format has no place for annotators and rejected votes: these stay out. Scores of a name that no file can have,
    or that another column has too, are left out. Raises InputError for what it cannot hold.
    """
    if corpus.scheme != "union":
        raise InputError("The UNION format holds votes of the UNION scheme; export this study as CSV.")
    humans: dict[str, StoryRecord] = {}
    for story in corpus.stories:
        for what, text in (("prompt", story.prompt), ("story", story.text)):
            if text != text.strip() or "\n" in text or text.startswith("\ufeff"):
                raise InputError(
                    f"The UNION format holds a text on one line without spaces around it, which the {what} of "
                    f"{story.key[:60]!r} is not."
                )
        if story.source is Source.HUMAN and humans.setdefault(story.prompt_key, story) is not story:
            raise InputError(f"The UNION format holds one human story a prompt; {story.prompt_key[:60]!r} has more.")
    prompts = list(dict.fromkeys(story.prompt_key for story in corpus.stories))
    for key in prompts:
        if key not in humans:
            raise InputError(f"The UNION format needs a human story of every prompt; {key[:60]!r} has none.")
    lines = {
        "reference_ipt.txt": [humans[key].prompt for key in prompts],
        "reference_opt.txt": [humans[key].text for key in prompts],
        **_vote_lines(corpus, {key: place for place, key in enumerate(prompts)}),
    }
    texts = {name: "".join(f"{line}\n" for line in of_file) for name, of_file in lines.items()}
    for name, text in texts.items():
        if not text.strip():
            raise InputError(f"The UNION format cannot hold this study: its file {name} would be empty.")
    return texts | _score_files(corpus.scores)


def _vote_lines(corpus: Corpus, places: dict[str, int]) -> dict[str, list[str]]:
    given: dict[str, list[RatingRecord]] = {}
    for rating in corpus.ratings:
        given.setdefault(rating.story_key, []).append(rating)
    votes, codes, most = [], [], 0
    for story in corpus.stories:
        if story.source is Source.SYSTEM:
            ratings = given.get(story.key, [])
            most = most or len(ratings)
            if len(ratings) != most or not ratings:
                raise InputError(
                    f"The UNION format holds equally many votes of every story; {story.key[:60]!r} has "
                    f"{len(ratings)}, the first story {most}."
                )
            head = f"{places[story.prompt_key]} {SEPARATOR} {f'{story.prompt} {story.text}'.strip()} {SEPARATOR}"
            votes.append(f"{head} {' '.join(_vote(rating) for rating in ratings)}")
            codes.append(f"{head} {' '.join(_code(rating) for rating in ratings)}")
    result = {"ant_data.txt": votes}
    return {**result, "ant_data_all.txt": codes} if any(r.deductions for r in corpus.ratings) else result


def _vote(rating: RatingRecord) -> str:
    if rating.overall not in (0, 1):
        raise InputError(f"The UNION format holds votes of 0 and 1, not {rating.overall:g}; export it as CSV.")
    return str(int(rating.overall))


def _code(rating: RatingRecord) -> str:
    """The code of a vote's error type; the file has room for one."""
    if len(rating.deductions) > 1:
        raise InputError(
            f"The UNION format holds one error type a vote; one of {rating.story_key[:60]!r} has "
            f"{len(rating.deductions)}. Export the study as CSV."
        )
    for name, _ in rating.deductions:
        code = next((code for code, known in TYPE_OF_CODE.items() if known == name), None)
        if code is None or rating.overall:
            raise InputError(f"The UNION format has no place for {name[:60]!r} with this vote; export it as CSV.")
        return str(code)
    return "0"


def _score_files(scores: tuple[ScoreRecord, ...]) -> dict[str, str]:
    files: dict[str, str] = {}
    names = Counter(score.metric for score in scores)
    for score in scores:
        if names[score.metric] == 1 and _FILE_NAME.fullmatch(score.metric):
            # The reader drops one `_score` from the end of a name, and negates some.
            suffix = "_score" if score.metric.endswith("_score") else ""
            sign = -1.0 if score.metric in NEGATED else 1.0
            lines = "".join(f"{sign * value!r}\n" for value in score.values.values())
            files[f"metric_output/{score.metric}{suffix}.txt"] = lines
    return files


def _split(line: str, where: str) -> tuple[int, str, list[int]]:
    parts = line.split(SEPARATOR)
    if len(parts) < 3:
        raise InputError(f"{where}: expected `reference id ||| story ||| votes`, found {len(parts)} part(s).")
    reference, story, votes = parts[0].strip(), SEPARATOR.join(parts[1:-1]).strip(), parts[-1].split()
    if not reference.isdecimal() or len(reference) > 9:
        raise InputError(f"{where}: the reference id {reference[:20]!r} is not a whole number.")
    if not votes or not all(vote.isdecimal() and len(vote) <= 9 for vote in votes):
        raise InputError(f"{where}: the votes {parts[-1].strip()[:40]!r} are not whole numbers.")
    return int(reference), story, [int(vote) for vote in votes]


def _read_votes(path: Path) -> list[tuple[int, str, list[int]]]:
    rows: list[tuple[int, str, list[int]]] = []
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path.name}, line {number}"
        row = _split(line, where)
        for vote in row[2]:
            if vote not in (0, 1):
                raise InputError(f"{where}: a vote is 0 or 1, not {vote}.")
        if rows and len(row[2]) != len(rows[0][2]):
            raise InputError(f"{where}: {len(row[2])} votes, but line 1 has {len(rows[0][2])}.")
        rows.append(row)
    return rows


def _read_error_codes(path: Path, rows: list[tuple[int, str, list[int]]]) -> list[list[int]]:
    """A code a vote, or nothing where the file is missing or merely repeats the votes."""
    if not path.is_file():
        return []
    codes = []
    for number, line in enumerate(read_lines(path), start=1):
        where = f"{path.name}, line {number}"
        reference, _, given = _split(line, where)
        if number > len(rows) or reference != rows[number - 1][0] or len(given) != len(rows[number - 1][2]):
            raise InputError(f"{where}: this line does not belong to the same line of ant_data.txt.")
        for code in given:
            if code and code not in TYPE_OF_CODE:
                raise InputError(f"{where}: an error code is 0 to {max(TYPE_OF_CODE)}, not {code}.")
        codes.append(given)
    if len(codes) != len(rows):
        raise InputError(f"{path.name} has {len(codes)} lines but ant_data.txt has {len(rows)}.")
    if codes == [votes for _, _, votes in rows]:
        return []
    # A code belongs to a vote of 0; the judgment itself always comes from ant_data.txt.
    return [
        [0 if vote else code for code, vote in zip(c, row[2], strict=True)] for c, row in zip(codes, rows, strict=True)
    ]


def _read_references(folder: Path) -> tuple[list[str], list[str]]:
    prompts = [line.strip() for line in read_lines(folder / "reference_ipt.txt")]
    continuations = [line.strip() for line in read_lines(folder / "reference_opt.txt")]
    if len(prompts) != len(continuations):
        raise InputError(
            f"reference_ipt.txt has {len(prompts)} lines but reference_opt.txt has {len(continuations)}; "
            "each prompt needs its continuation on the same line."
        )
    for name, texts in (("reference_ipt.txt", prompts), ("reference_opt.txt", continuations)):
        for number, text in enumerate(texts, start=1):
            check_text(text, f"{name}, line {number}")
    return prompts, continuations


_FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}")
_NOT_ASCII = re.compile(r"[^\x21-\x7e]+")


def _without_prompt(text: str, prompt: str) -> str:
    """The story after its prompt: the file repeats the prompt, in WritingPrompts sometimes with broken characters."""
    if text.startswith(prompt):
        return text[len(prompt) :].strip()
    wanted = _NOT_ASCII.sub("", prompt)
    matched = 0
    for position, character in enumerate(text):
        if matched == len(wanted):
            return text[position:].strip()
        if not _NOT_ASCII.match(character):
            if character != wanted[matched]:
                return text
            matched += 1
    return "" if matched == len(wanted) else text


def _read_scores(path: Path, keys: list[str]) -> ScoreRecord:
    name = path.stem.removesuffix("_score")
    lines = read_lines(path)
    if len(lines) != len(keys):
        raise InputError(f"{path.name} has {len(lines)} scores but ant_data.txt has {len(keys)} stories.")
    sign = -1.0 if name in NEGATED else 1.0
    values = [sign * parse_number(line, f"{path.name}, line {n}") for n, line in enumerate(lines, start=1)]
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return ScoreRecord(name, f"file:{digest}" + ("|negated" if sign < 0 else ""), dict(zip(keys, values, strict=True)))
