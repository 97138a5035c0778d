"""The paper's counts by the names of our aspects."""

from core.perturb.cases import Of
from core.perturb.test_sets.aspects import Aspect, Change
from core.published.yields import published_counts


def test_every_aspect_has_its_counts() -> None:
    assert published_counts(Aspect.CHARACTER, Of.HUMAN) == {
        "ROC coherent": 1022, "ROC incoherent": 266, "WP coherent": 3911, "WP incoherent": 173,
    }  # fmt: skip
    assert published_counts(Change.TYPOS, Of.INCOHERENT) == {"ROC stories": 4763, "WP stories": 15082}
    assert published_counts(Change.SYNONYMS, Of.INCOHERENT)["WP stories"] == 3590  # printed 35,90
    assert all(published_counts(aspect, Of.HUMAN) for aspect in [*Aspect, *Change])
    assert published_counts("my own", Of.HUMAN) == {}
