"""The replies that a judge's scores were read from, as they are kept: nothing is asked."""

from collections.abc import Sequence

from core.judges.asking import Reply
from core.judges.judge import Question
from core.judges.study import ReplyStore
from core.stories import Story


def kept_replies(
    question: Question, model: str, store: ReplyStore, stories: Sequence[Story]
) -> list[tuple[Reply, ...]]:
    """Of each story its replies, one a sample: where the first could not be read the second, if there is one. None of
    a story that was not asked about. `model`: as `Question.request` takes it.
    """
    asked = [
        (place, question.request(model, story, sample))
        for place, story in enumerate(stories)
        for sample in range(question.samples)
    ]
    first = store.find([request.key for _, request in asked])
    again = {}
    for place, request in asked:
        reply = first.get(request.key)
        if reply and not reply.problem and isinstance(reason := question.read(reply, stories[place]), str):
            again[request.key] = question.again(model, request, reply, reason).key
    second = store.find(list(again.values()))
    result: list[list[Reply]] = [[] for _ in stories]
    for place, request in asked:
        if reply := second.get(again.get(request.key, ""), first.get(request.key)):
            result[place].append(reply)
    return [tuple(replies) for replies in result]
