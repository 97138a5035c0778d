"""How judges were asked before besides their words, and the run of another wording in the same way."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.jobs import Job
from core.judges.halves import Half
from core.judges.template import Template
from core.metrics import family_of
from core.metrics.judging.base import NAME
from core.metrics.judging.judge import Judge
from core.metrics.run import endpoint_of
from core.models.catalogue import DEFAULTS, ModelRole

_OF_THE_WORDING = ("template", "way")
_OF_THE_RUN = ("models", "device", "precision", "judge")


@dataclass(frozen=True)
class JudgeSettings:
    """Where and with which options a judge was asked. `run`: of the settings of a run what says where; `options`: of
    the judge, without template and way. By default the bundled model with the usual options.
    """

    run: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The model, and what there is besides."""
        endpoint = endpoint_of(self.run)
        model = endpoint.name if endpoint else self.run.get("models", {}).get(ModelRole.LANGUAGE)
        precision = self.run.get("precision", "float32")
        said = [f"{key}={value}" for key, value in sorted(self.options.items())]
        return ", ".join([model or DEFAULTS[ModelRole.LANGUAGE], *([] if endpoint else [precision]), *said])

    def wording(self, template: Template, criteria: Sequence[str], half: Half | None) -> dict[str, Any]:
        """The run of this wording on a half of the prompts, None for all, as a job keeps it."""
        options = {**self.options, "template": template.title, "way": template.way.value}
        names = [f"{NAME}:{criterion}" for criterion in criteria]
        run = {**self.run, "metrics": names, "options": dict.fromkeys(names, options)}
        return run if half is None else {**run, "half": half.value}


def settings_before(jobs: Sequence[Job]) -> list[JudgeSettings]:
    """In which settings judges were asked by these jobs, each once, in the jobs' order; the usual ones come last."""
    every = [_settings(job, name) for job in jobs for name in job.settings["metrics"] if family_of(name) == NAME]
    by_title: dict[str, JudgeSettings] = {}
    for settings in [*every, JudgeSettings()]:
        by_title.setdefault(settings.title, settings)
    return list(by_title.values())


def settings_of_signature(jobs: Sequence[Job], signatures: Collection[str]) -> JudgeSettings | None:
    """In which settings the judge of one of these signatures was asked, by the job that says so; None where no job
    that has ended does.
    """
    for job in jobs:
        for row in (job.result or {}).get("rows", []):
            if row["signature"] in signatures:
                return _settings(job, row["metric"] if row["metric"] in job.settings["metrics"] else NAME)
    return None


def _settings(job: Job, name: str) -> JudgeSettings:
    """Of a judge of a job, by the name it was asked for by; options that are the usual ones are left out."""
    run = {key: job.settings[key] for key in _OF_THE_RUN if job.settings.get(key)}
    models = {role: model for role, model in run.pop("models", {}).items() if role == ModelRole.LANGUAGE}
    options = {
        key: value
        for key, value in job.settings.get("options", {}).get(name, {}).items()
        if key in Judge.options and key not in _OF_THE_WORDING and value != Judge.options[key].values[0]
    }
    return JudgeSettings(run | ({"models": models} if models else {}), options)
