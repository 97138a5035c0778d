"""Stored Fp of both sides: the sign is turned, reasons stay, human stories are scored where a run says so."""

import numpy as np
import pytest

from core.errors import InputError
from core.jobs import JobState
from core.metrics.run import checked, sources_of
from core.people import TERMINAL
from core.stories import Corpus, Source, StoryRecord
from db.jobs import jobs
from db.scores import naturalness as stored
from db.scores import scores
from db.transfer import imports
from tests.natural import LARGE, SMALL, natural_study


@pytest.mark.both_databases
def test_fp_of_both_sides(database: str) -> None:
    study = natural_study(5)
    study_texts = stored.texts(study.id)
    assert (study_texts.sources[0], study_texts.systems[:3]) == (Source.HUMAN, ("", "little", "big"))
    known = stored.discriminators([study.id])
    assert {(discriminator.model, discriminator.length) for discriminator in known} == {
        (m, n) for m in (SMALL, LARGE) for n in ("all", "50")
    }
    whole = next(
        discriminator for discriminator in known if (discriminator.model, discriminator.length) == (SMALL, "all")
    )
    values, reasons = stored.fractions(study.id, whole, study_texts.ids)
    assert (values > 0).all()
    assert not reasons
    fifty = next(
        discriminator for discriminator in known if (discriminator.model, discriminator.length) == (SMALL, "50")
    )
    values, reasons = stored.fractions(study.id, fifty, study_texts.ids)
    assert np.flatnonzero(np.isnan(values)).tolist() == [0, 3]
    assert reasons == dict.fromkeys((0, 3), "the story has fewer than 50 tokens")
    places, given = stored.ratings(study.id, study_texts.ids)
    assert len(places) == len(given) == 30
    assert (given[places % 3 == 0] == 1).all()


@pytest.mark.both_databases
def test_human_stories_are_scored_where_a_run_says_so(database: str) -> None:
    import worker

    rows = [StoryRecord("m", "p", "Opening.", "The fox ran home.", Source.SYSTEM, "a")]
    rows.append(StoryRecord("h", "p", "Opening.", "The fox walked home.", Source.HUMAN))
    study = imports.import_corpora(TERMINAL, "s", [Corpus("mans", tuple(rows))])
    run = {"metrics": ["bleu"], "models": {}, "options": {}}
    for sources, expected in ((None, 1), (["system", "human"], 1), (["human"], 0)):
        settings = checked(run if sources is None else run | {"sources": sources})
        ended = worker.run_job(jobs.add(TERMINAL, "score", study.id, settings, runner="test"))
        assert ended.state is JobState.DONE
        assert ended.result is not None
        assert ended.result["rows"][0]["scored"] == expected
    signature = scores.signature_ids([ended.result["rows"][0]["signature"]])
    assert scores.count_pending(study.id, [list(signature.values())], (Source.SYSTEM, Source.HUMAN)) == [
        scores.Lacking(0, 0, 0)
    ]


def test_a_source_that_there_is_not() -> None:
    with pytest.raises(InputError, match="not of robot"):
        sources_of({"sources": ["robot"]})
    with pytest.raises(InputError, match="not of none"):
        sources_of({"sources": []})
