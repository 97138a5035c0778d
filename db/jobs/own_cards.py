"""What metrics of the user's own say of themselves, by the files that runs have named."""

from core.metrics.custom import described, is_of_own
from db.jobs import jobs


def measures(study_id: int, signature: str) -> str:
    """What one measures, by the card in its Python file, which is read and not run; "" for any other metric, and where
    the file is gone, has changed or does not say.
    """
    return (described(signature, jobs.named_metrics(study_id)) or "") if is_of_own(signature) else ""
