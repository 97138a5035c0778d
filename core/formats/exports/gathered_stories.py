"""The stories that stand beside ratings, each once, and the references beside these."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.formats.exports.decoding import Sheet
from core.formats.tables import prompt_key_of, reference_of
from core.scratch.hash_table import HashTable
from core.scratch.spool import Spool
from core.stories import Source, StoryRecord
from core.text_files import empty_sentence


@dataclass(frozen=True, slots=True)
class _Reference:
    """A reference, and the line that it first stands on."""

    number: int
    prompt_key: str
    prompt: str
    text: str


class GatheredStories:
    """Stories as rows arrive: of each that is known a hash of its id and one of what it says."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._stories, self._beside = Spool(StoryRecord), Spool(_Reference)
        self._said, self._prompts = HashTable(), HashTable()
        self._references, self._human = HashTable(), HashTable()
        self._empty = self._loose = 0

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Keep the story's text where the file has it, and say which prompt it belongs to."""
        row["prompt_id"] = row.get("prompt_id") or ""
        if not row.get("story"):
            self._loose += bool(row.get("reference"))
            return
        prompt = row.get("prompt") or ""
        row["prompt_id"] = row["prompt_id"] or prompt_key_of(prompt) or row["story_id"]
        record = StoryRecord(
            row["story_id"], row["prompt_id"], prompt, row["story"], Source(row["source"]), row.get("system") or ""
        )
        if not self._take(record):
            what = f"{record.key[:60]!r} has another text, prompt, source or system further up."
            raise self._sheet.problem(number, "story_id", what)
        if record.source is Source.HUMAN:
            self._human.add(hash((record.prompt_key, record.text)))
        said = hash(prompt)
        if self._prompts.setdefault(hash(record.prompt_key), said) != said:
            what = f"the prompt {record.prompt_key[:60]!r} has another text further up."
            raise self._sheet.problem(number, "prompt", what)
        reference = row.get("reference")
        if reference and self._references.add(hash((record.prompt_key, reference))):
            self._beside.append(_Reference(number, record.prompt_key, prompt, reference))

    def _take(self, record: StoryRecord) -> bool:
        """Keep a story that is new; whether it is that, or the same as the one that has its id."""
        said, before = (
            hash((record.prompt_key, record.prompt, record.text, record.source, record.system)),
            len(self._said),
        )
        if self._said.setdefault(hash(record.key), said) != said:
            return False
        if len(self._said) > before:
            self._stories.append(record)
            self._empty += not record.text.strip()
        return True

    def settled(self) -> Spool[StoryRecord]:
        """The rated stories, and the references that are not among them; raises InputError for a reference whose id a
        story has.
        """
        for reference, record in self._people():
            if not self._take(record):
                what = f"the id {record.key[:60]!r} of a story is needed for this reference; rename the story's id."
                raise self._sheet.problem(reference.number, "reference", what)
        return self._stories

    def _people(self) -> Iterator[tuple[_Reference, StoryRecord]]:
        for reference in self._beside:
            if hash((reference.prompt_key, reference.text)) not in self._human:
                yield reference, reference_of(reference.prompt_key, reference.prompt, reference.text)

    def notices(self) -> tuple[str, ...]:
        """What there is to know of them, once they are settled."""
        result = empty_sentence(self._empty)
        if self._loose:
            what = f"{self._loose:,} ratings have a reference without the story's text"
            result += (f"{what}: such references were left out; import them with the stories.",)
        return result
