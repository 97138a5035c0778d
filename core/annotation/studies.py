"""Studies as the pages and the command line see them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.annotation.builtin import scheme_of
from core.annotation.onboarding import Practice
from core.annotation.scheme import QualityRules, Scheme
from core.payments import Pay
from core.recruitment import Recruitment
from core.wording import metrics_and_judges, so_many


class StudyState(StrEnum):
    """Draft: being set up. Open: annotators may claim panels. Closed: they may not."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True)
class Study:
    """A study's settings. `demonstration`: its ratings were made up for trying Fabula out.

    `form`: its own questions, scale and error types, where it has any; `consent`: what annotators agree to before they
    begin, "" for nothing; `codes`: the completion code of each end (see `panel.End`); `recruitment`: the
    crowd platform that they come from, if any; `payment`: what a panel is paid; `archived`: it is in no list;
    `retention_days`: how many days annotators' personal data are kept after its close, None until erased by hand;
    `taken_back`: how many imports were.
    """

    id: int
    name: str
    scheme_key: str
    rules: QualityRules
    state: StudyState
    raters_identified: bool
    demonstration: bool
    guideline_version: str
    created_at: datetime
    form: Scheme | None = None
    consent: str = ""
    codes: Mapping[str, str] = field(default_factory=dict)
    practice: Practice | None = None
    recruitment: Recruitment = field(default_factory=Recruitment)
    payment: Pay = field(default_factory=Pay)
    archived: bool = False
    retention_days: int | None = None
    taken_back: int = 0

    @property
    def scheme(self) -> Scheme:
        """The annotation scheme: the study's own form, or the built-in one."""
        return self.form or scheme_of(self.scheme_key)


@dataclass(frozen=True)
class StudySummary:
    """Counts of a study: `stories` are the systems', `references` the human ones, `negatives` the damaged ones;
    `prompts` those with a system's story, all where no system has one; `ratings` the valid ones; `metrics` those with
    scores, `judges` among them.
    """

    study: Study
    prompts: int
    stories: int
    references: int
    negatives: int
    ratings: int
    panels_valid: int
    panels_rejected: int
    panels_open: int
    metrics: int
    judges: int

    @property
    def answered(self) -> bool:
        """Whether anybody has begun to answer its form, or ratings were imported: the form then stays as it is."""
        return bool(self.ratings or self.panels_rejected or self.panels_open)

    @property
    def scored_by(self) -> str:
        """How many metrics and judges scored its stories."""
        return metrics_and_judges(self.metrics - self.judges, self.judges)


@dataclass(frozen=True)
class WithoutReferences:
    """Of so many prompts with stories to rate, those without a human reference and those without a negative story: the
    two controls by which a panel is judged. Fabula makes the negative ones when a study is opened.
    """

    prompts: int
    human: int
    negative: int

    @property
    def only_some(self) -> str:
        """For how many prompts a threshold of the human reference counts, in a sentence; "" where it is for all."""
        if not self.human:
            return ""
        having = self.prompts - self.human
        have = f"{having:,} of {self.prompts:,} have one" if having else "this study has none"
        return f"It counts only for prompts with a human reference: {have}."

    @property
    def sentence(self) -> str:
        """What is missing and what that means; "" where nothing is."""
        if not self.human:
            return ""
        few = self.human < self.prompts
        have = "has" if self.human == 1 else "have"
        some = f"{self.human:,} of {so_many(self.prompts, 'prompt')} {have} no" if few else "No prompt has a"
        panel = "a panel of such a prompt" if few else "each panel"
        made = " that Fabula makes from the stories there are" if self.negative else ""
        return (
            f"{some} human reference, which is one of the two controls. The other one stays: {panel} (the stories of "
            f"one prompt, which one person rates together) also holds a damaged (negative) story{made}. Who rates that "
            "too high has all ratings of the panel rejected; nobody is rejected for rating a human reference too low. "
            "Import references, or rows whose system or source is human, before you open the study."
        )
