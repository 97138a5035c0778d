"""From the signature of a judge's stored scores back to what it was asked, so that its words can be read again."""

from dataclasses import dataclass

from core.errors import InputError
from core.judges.judge import Question
from core.judges.study import JudgedStudy
from core.metrics.base import Settings
from core.metrics.judging.judge import Judge
from core.metrics.judging.names import judge_of

OTHER_WORDS = "the form's wording, or the ratings shown as examples, have changed since it was asked"
FROM_A_FILE = "its ratings come from a file, which has no words"


@dataclass(frozen=True)
class Asked:
    """The question, and what says where the replies to it come from, as `Question.request` takes it."""

    model: str
    question: Question


def asked_of(signature: str, judged: JudgedStudy) -> Asked | str:
    """What a judge with this signature was asked, or why that cannot be told. `judged`: of the study that it rates."""
    name, *parts = signature.split("|")
    metric = judge_of(name)
    if metric is None or not issubclass(metric, Judge):
        return FROM_A_FILE
    said = dict(part.partition(":")[::2] for part in parts)
    template, _, prompt_hash = said.get("template", "").rpartition("@")
    try:
        options = {key: said[key] for key in metric.options if key in said} | {"template": template}
        question = metric(Settings(options=options, judged=judged)).question
    except InputError as error:  # such as a criterion that the form has no longer
        return str(error)
    if question.prompt_hash != prompt_hash:
        return OTHER_WORDS
    return Asked(" ".join(said[key] for key in ("model", "dtype") if key in said), question)
