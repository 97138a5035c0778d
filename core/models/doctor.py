"""What this machine offers, what it lacks, and how to get that."""

import importlib.metadata
import platform
from dataclasses import dataclass

from core.english.wordnet import wordnet_version
from core.errors import ModelMissing
from core.home import home
from core.models.catalogue import BUNDLED, ready

SHOWN = ("streamlit", "torch", "transformers", "sqlalchemy", "scipy")


@dataclass(frozen=True)
class Diagnosis:
    """One line of the report; `advice` is empty where all is well."""

    what: str
    found: str
    advice: str = ""


def examine() -> list[Diagnosis]:
    """Look at the program's versions, the device, the bundled models and WordNet."""
    from core.models.runtime import describe_devices

    findings = [
        Diagnosis("home folder", str(home())),
        Diagnosis("Python", platform.python_version()),
        *(Diagnosis(name, importlib.metadata.version(name)) for name in SHOWN),
        Diagnosis("device", describe_devices()),
    ]
    for model in BUNDLED.values():
        try:
            at_hand = ready(model)
        except ModelMissing as error:
            findings.append(Diagnosis(f"model {model.name}", "missing", str(error)))
            continue
        findings.append(Diagnosis(f"model {model.name}", "ready" if at_hand else "installed; converted on first use"))
    try:
        findings.append(Diagnosis("WordNet", wordnet_version()))
    except ModelMissing as error:
        findings.append(Diagnosis("WordNet", "missing", str(error)))
    return findings
