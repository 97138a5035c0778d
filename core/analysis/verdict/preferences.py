"""The sentence that opens the analysis of preferences."""

from core.analysis.preferences.ranking import Ranking
from core.analysis.verdict.finding import corrected_for, listed
from core.analysis.verdict.openings import too_early
from core.analysis.verdict.sentences import claimed


def on_preferences(ranking: Ranking) -> str | None:
    """Which system people prefer, and from which others no test tells it; None where systems have no strengths."""
    judged = [row for row in ranking.rows if row.strength.value is not None]
    if ranking.undefined or len(judged) < 2:
        return None
    if not claimed(ranking.judgments, ranking.prompts):
        what = f"which system people prefer, though {judged[0].system} is ahead"
        return too_early(what, ranking.judgments, ranking.prompts, of=("judgment", "judgments"))
    best, chance = judged[0].system, judged[0].chance
    share = ""
    if chance.value is not None:
        ends = "" if chance.low is None or chance.high is None else f" ({chance.low:.0%} to {chance.high:.0%})"
        share = f", whose strength gives it a chance of {chance.value:.0%}{ends} against an average system"
    mine = {
        row.b if row.a == best else row.a: row.separated
        for row in ranking.differences
        if best in (row.a, row.b) and row.p_holm is not None
    }
    if not mine:
        return f"{best} comes first{share}; no test could say how sure that is."
    corrected = corrected_for(sum(row.p_holm is not None for row in ranking.differences))
    alike = [name for name, separated in mine.items() if not separated]
    if len(alike) == len(mine):
        alone = f"No system is shown to be preferred: {best} comes first{share}"
        return f"{alone}, but no test tells it from any other{corrected}."
    if alike:
        return f"People prefer {best}{share}; it cannot be told apart from {listed(alike, str)}{corrected}."
    return f"People prefer {best}{share}; it is told apart from every other system{corrected}."
