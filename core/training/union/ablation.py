"""What each part of UNION contributes: trained again without it (UNION 2020, section 4.5)."""

from dataclasses import replace

from core.training.union.settings import UnionSettings

WHOLE = "UNION"


def variants(settings: UnionSettings) -> dict[str, UnionSettings]:
    """The settings themselves, and those without one technique or without reconstruction, by what is left out."""
    result = {WHOLE: settings}
    techniques = settings.negatives.techniques
    if len(techniques) > 1:
        for technique in techniques:
            result[f"-{technique}"] = replace(settings, without=(*settings.without, technique))
    if settings.reconstruction:
        result["-reconstruction"] = replace(settings, reconstruction=0.0)
    return result
