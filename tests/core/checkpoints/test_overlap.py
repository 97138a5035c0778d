"""Stories to train on that are in rated studies, known without regard to case, spaces and punctuation."""

from core.checkpoints.overlap import judged_among, rated_among

JUDGED = (("a", "He ran home."), ("a", "she sat"), ("a", "Another."), ("b", "he ran home"))


def test_the_training_stories_of_each_study_are_all_named() -> None:
    training = ["He ran home", "HE RAN HOME!", "She sat.", "Nobody's.", "He ran home"]
    found = rated_among(training, JUDGED)
    assert found == {"a": ["He ran home", "HE RAN HOME!", "She sat."], "b": ["He ran home", "HE RAN HOME!"]}
    named = {story for stories in found.values() for story in stories}
    assert judged_among([text for text in training if text not in named], JUDGED) == {}
