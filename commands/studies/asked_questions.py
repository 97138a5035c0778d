"""What people were asked, of a new study that a file of ratings makes: the file does not say it, and judges are asked
the same.
"""

from commands.terminal import pairs
from core.annotation.builtin_criteria import scheme_for
from core.annotation.criterion import check_wording
from core.annotation.scheme import CHECK
from core.errors import InputError
from core.formats.exports.restored import Restored

OPTION = "--question"


def asked_questions(given: list[str] | None, study: str, brought: Restored, *, new: bool) -> dict[str, str]:
    """Criterion -> its question, as `--question` words it. `brought`: the file that makes the study; `new`: whether it
    does.

    Raises InputError for a criterion that the file has no ratings of, for a question that cannot be stored, and where
    the questions are not open any more.
    """
    worded = pairs(given, OPTION)
    if not worded:
        return {}
    if not new:
        raise InputError(f"{OPTION} is for a new study; people have their questions already in {study.strip()!r}.")
    if brought.scheme_key or "deductions" in brought.sheet.named:
        has = f"names its scheme, {brought.scheme_key}" if brought.scheme_key else "has deductions"
        raise InputError(f"{brought.sheet.path.name} {has}, which has questions of its own; omit {OPTION}.")
    scheme = scheme_for([name for name in brought.criteria if name != CHECK], brought.scale)
    questions = {scheme.criterion(name).name: question.strip() for name, question in worded.items()}
    for name, question in questions.items():
        check_wording(f"question on {name} ({OPTION})", question)
    return questions
