"""A study's preview: what an annotator would see and answer, without writing to the database."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from core.annotation.criterion import OVERALL
from core.annotation.onboarding import Outcome, PracticeAnswer, asked, check_answer
from core.annotation.panel import FINISHED, AnnotatorTurn, Answer, Doubt, End, Panel, as_side
from core.annotation.quality import PanelVerdict, judge_pairs, judge_panel, preferred_to_damaged
from core.annotation.scheme import Scheme
from core.annotation.spans import Span, check_span, with_span, without_span
from core.annotation.studies import Study
from core.annotation.submission import check_complete, checked_comment, doubts_about
from core.errors import InputError, NotAllowed
from core.languages.words import told
from core.recruitment import MTURK, PROLIFIC
from core.stories import Source


class RehearsalStep(StrEnum):
    """A part of an annotator's way through a study that can be gone to at once."""

    CONSENT = "consent"
    PRACTICE = "practice"
    INSTRUCTIONS = "instructions"
    PANEL = "panel"
    END = "ends"


@dataclass(frozen=True)
class RehearsedPanel:
    """A panel to be tried, and where each of its stories is from, by the story's token."""

    panel: Panel
    sources: Mapping[str, Source]


@dataclass(frozen=True)
class Rehearsal:
    """How far somebody is in trying a study. `most`: how many panels there are for one annotator.

    `given`: the answers to the panel in hand, by token; of a pair there is one, by the pair's own. `asked`: whether
    they were asked about ratings that do not go with their deductions. `verdict`: what the controls made of the panel
    handed in last, and `note` what was said to that; `closing`: what was said at the end. `failed` counts those
    rejected in a row. `practised`: the practice is over or was passed by. `end`: the end that is looked at.
    """

    most: int
    consent: bool | None = None
    practice: tuple[PracticeAnswer, ...] = ()
    practised: bool = False
    held: RehearsedPanel | None = None
    given: Mapping[str, Answer] = field(default_factory=dict)
    asked: bool = False
    begun: int = 0
    finished: int = 0
    verdict: PanelVerdict | None = None
    note: str = ""
    closing: str = ""
    failed: int = 0
    end: End | None = None

    def steps(self, study: Study) -> list[RehearsalStep]:
        """The parts that this study has."""
        parts = {
            RehearsalStep.CONSENT: bool(study.consent),
            RehearsalStep.PRACTICE: study.practice is not None,
            RehearsalStep.PANEL: self.most > 0,
        }
        return [step for step in RehearsalStep if parts.get(step, True)]

    def at(self, study: Study) -> RehearsalStep:
        """The part that it has come to."""
        turn = self.turn(study)
        if turn.practice is not None:
            return RehearsalStep.PRACTICE
        if turn.end is not None:
            return RehearsalStep.END
        if turn.consent:
            return RehearsalStep.CONSENT
        return RehearsalStep.INSTRUCTIONS if turn.panel is None else RehearsalStep.PANEL

    def turn(self, study: Study) -> AnnotatorTurn:
        """Where an annotator would stand who has answered so: what `db.annotation.assignments.turn` says of one."""
        practice = None
        if study.practice is not None and self.held is None and not self.practised:
            practice = study.practice.step(self.practice)
        failed = practice is not None and practice.outcome is Outcome.FAILED
        end = End.NOT_QUALIFIED if failed or (self.end is None and self._pauses(study)) else self._end()
        return AnnotatorTurn(
            panel=None if end or self.held is None else self.held.panel,
            end=end,
            finished=self.finished,
            last_rejected=self.verdict is not None and not self.verdict.valid,
            code=code(study, end) if end else "",
            back=way_back(study, end) if end else "",
            earlier_code=code(study, End.COMPLETE) if end is End.ALREADY_DONE else "",
            consent="" if end or self.consent else study.consent,
            appeal=self.note,
            most=self.most,
            paused=self._pauses(study) if end is End.NOT_QUALIFIED else 0,
            closing_question=study.scheme.closing_question if end in FINISHED else "",
            closing_comment=self.closing,
            practice=practice if end in (None, End.NOT_QUALIFIED) and (self.consent or not study.consent) else None,
        )

    def _pauses(self, study: Study) -> int:
        """How many rejected panels in a row have paused them, 0 where they are not."""
        after = study.rules.pause_after
        return after if after and self.failed >= after else 0

    def _end(self) -> End | None:
        if self.end is not None:
            return self.end
        if self.consent is False:
            return End.NO_CONSENT
        if self.held is None and self.finished >= self.most:
            return End.COMPLETE if self.finished else None
        return None

    def gone_to(self, step: RehearsalStep) -> "Rehearsal":
        """The same study begun anew at one of its parts, as if all before it had gone well."""
        fresh = Rehearsal(self.most, begun=self.begun)
        if step is RehearsalStep.CONSENT:
            return fresh
        agreed = replace(fresh, consent=True, practised=step is not RehearsalStep.PRACTICE)
        return replace(agreed, end=End.COMPLETE) if step is RehearsalStep.END else agreed

    def practise(
        self, study: Study, attempt: int, token: str, overall: int | None, types: Mapping[str, int]
    ) -> "Rehearsal":
        """Answer the next practice item; raises InputError for an answer that is not complete."""
        if study.practice is None:
            raise told(NotAllowed, "errors.no_practice")
        step = study.practice.step(self.practice)
        if (step.attempt, step.token) != (attempt, token):
            return self  # answered already, by a double click
        check_answer(asked(study.scheme, step.criterion), overall, types)
        answer = PracticeAnswer(attempt, step.place - 1, int(overall or 0), dict(types))
        right = study.practice.items[answer.item].is_right(answer.overall, answer.error_types)
        return replace(self, practice=(*self.practice, replace(answer, correct=right)))

    def with_panel(self, panel: RehearsedPanel) -> "Rehearsal":
        """Take up this panel, with nothing answered."""
        return replace(self, held=panel, given={}, asked=False, begun=self.begun + 1, practised=True, note="")

    def holds(self, panel_token: str) -> bool:
        """Whether this panel is in hand."""
        return self.held is not None and self.held.panel.token == panel_token

    def answer_of(self, token: str) -> Answer:
        """What was answered so far."""
        return self.given.get(token, Answer())

    def rated(self, scheme: Scheme, token: str, value: int | None, criterion: str = OVERALL) -> "Rehearsal":
        """With a rating on a criterion; of a pair, which side is better. Raises InputError for one that is not on
        offer.
        """
        asked = scheme.with_check().criterion(criterion)
        if value is not None:
            asked.check(value)
        return self._with(token, lambda answer: answer.with_value(asked.name, value))

    def commented(self, token: str, comment: str) -> "Rehearsal":
        """With a reason in the viewer's own words."""
        text = checked_comment(comment)
        return self._with(token, lambda answer: replace(answer, comment=text))

    def deducted(self, scheme: Scheme, token: str, error_type: str, points: int | None) -> "Rehearsal":
        """With points deducted for one error type; None takes them back, and their evidence."""
        if points is not None:
            scheme.check_deductions({error_type: points})

        def change(answer: Answer) -> Answer:
            kept = {name: value for name, value in answer.deductions.items() if name != error_type}
            spans = {name: value for name, value in answer.spans.items() if name != error_type}
            if points is None:
                return replace(answer, deductions=kept, spans=spans)
            return replace(answer, deductions=kept | {error_type: points})

        return self._with(token, change)

    def marked(self, scheme: Scheme, token: str, error_type: str, span: Span) -> "Rehearsal":
        """With a passage as evidence of an error type, which is deducted at its least if it is not yet."""
        least = scheme.error_type(error_type).least

        def change(answer: Answer) -> Answer:
            spans = with_span(answer.spans.get(error_type, ()), span)
            points = answer.deductions.get(error_type, least)
            return replace(
                answer,
                deductions={**answer.deductions, error_type: points},
                spans={**answer.spans, error_type: spans},
            )

        held = self._held()
        check_span(next(story.text for story in held.panel.stories if story.token == token), span)
        return self._with(token, change)

    def unmarked(self, token: str, error_type: str, span: Span) -> "Rehearsal":
        """Without the evidence of an error type that has anything in common with a passage; the deduction stays."""

        def change(answer: Answer) -> Answer:
            left = without_span(answer.spans.get(error_type, ()), span)
            others = {name: value for name, value in answer.spans.items() if name != error_type}
            return replace(answer, spans=others | ({error_type: left} if left else {}))

        return self._with(token, change)

    def _held(self) -> RehearsedPanel:
        if self.held is None:
            raise told(NotAllowed, "errors.preview_over")
        return self.held

    def _with(self, token: str, change: Callable[[Answer], Answer]) -> "Rehearsal":
        if token not in self._held().sources:
            raise NotAllowed("This story is not in the panel of the preview; reload the page.")
        return replace(self, given={**self.given, token: change(self.answer_of(token))})

    def _by_letter(self, scheme: Scheme) -> dict[str, Answer]:
        panel = self._held().panel
        if scheme.unit.of_pairs:
            return {str(number): self.answer_of(pair.token) for number, pair in enumerate(panel.pairs, 1)}
        return {story.letter: self.answer_of(story.token) for story in panel.stories}

    def doubts(self, scheme: Scheme) -> tuple[Doubt, ...]:
        """What would be asked before handing in, once. Raises InputError where answers are missing."""
        given = self._by_letter(scheme)
        check_complete(scheme, given)
        return () if self.asked else doubts_about(scheme, given)

    def handed_in(self, study: Study) -> "Rehearsal":
        """The panel judged as it would be; raises InputError where answers are missing."""
        check_complete(study.scheme, self._by_letter(study.scheme))
        verdict = PanelVerdict(True)
        if study.scheme.controls and study.scheme.unit.of_pairs:
            verdict = judge_pairs(preferred_to_damaged(self._compared(study)), study.rules)
        elif study.scheme.controls:
            verdict = judge_panel(self._rated(study, Source.HUMAN), self._rated(study, Source.NEGATIVE), study.rules)
        failed = 0 if verdict.valid else self.failed + 1
        return replace(self, held=None, given={}, finished=self.finished + 1, verdict=verdict, failed=failed)

    def _rated(self, study: Study, source: Source) -> Sequence[float]:
        tokens = [token for token, where in self._held().sources.items() if where is source]
        given = [self.answer_of(token).values for token in tokens]
        on = study.rules.judging(study.scheme)
        return [float(values[name]) for values in given for name in on if name in values]

    def _compared(self, study: Study) -> list[tuple[Source, Source, float]]:
        """The sources of each pair's two stories, and how the first was found to compare."""
        held = self._held()
        return [
            (
                held.sources[pair.stories[0].token],
                held.sources[pair.stories[1].token],
                float(as_side(value)),
            )
            for pair in held.panel.pairs
            for value in self.answer_of(pair.token).values.values()
        ]

    def with_note(self, note: str, longest: int) -> "Rehearsal":
        """What an annotator would say to a rejection."""
        if not note.strip() or len(note) > longest:
            raise told(InputError, "errors.note_length", most=longest, number=len(note))
        return replace(self, note=note.strip())

    def with_closing(self, comment: str) -> "Rehearsal":
        """What an annotator would say at the end."""
        return replace(self, closing=checked_comment(comment))


def code(study: Study, end: End) -> str:
    """The completion code of an end; "" on MTurk, where each person has one of their own."""
    return "" if study.recruitment.platform == MTURK else study.codes.get(end, "")


def way_back(study: Study, end: End) -> str:
    """The address that takes somebody from Prolific back with the code of an end; "" elsewhere."""
    if study.recruitment.platform != PROLIFIC:
        return ""
    return study.recruitment.completion_link(code(study, end))
