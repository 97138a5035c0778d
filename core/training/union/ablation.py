"""What UNION owes to each of its parts: trained again without one (UNION 2020, section 4.5)."""

from dataclasses import replace

from core.training.union.settings import Plan

WHOLE = "UNION"


def variants(plan: Plan) -> dict[str, Plan]:
    """The plan itself, and the plan without one technique or without reconstruction, by what is left out."""
    found = {WHOLE: plan}
    if len(plan.mix.techniques) > 1:
        for technique in plan.mix.techniques:
            found[f"-{technique}"] = replace(plan, mix=plan.mix.without(technique))
    if plan.reconstruction:
        found["-reconstruction"] = replace(plan, reconstruction=0.0)
    return found
