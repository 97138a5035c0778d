"""The texts of the Naturalness page with their Fp, and what is computed from them once for all tabs."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core.analysis.naturalness.corpora import Discriminator, FpScores, Naturalness, NaturalTexts, naturalness
from core.checks import FindingKind, check_corpus
from core.stories import Source
from db.scores import naturalness as stored
from db.studies import story_texts as study_texts
from pages.ui.naturalness.sides import NaturalnessSample, Sides, loaded
from pages.ui.shared.analysis.provenance import signatures
from pages.ui.shared.text import escaped


@dataclass(frozen=True)
class Measurements:
    """`texts`, whose they are and what about (`about`), with the readings of every discriminator; `ids` of this study's
    stories, -1 for another's. `left_out`: texts that check-ups excluded, by kind. `key`: for caches.
    """

    texts: tuple[str, ...]
    about: NaturalTexts
    readings: tuple[FpScores, ...]
    ids: tuple[int, ...]
    left_out: dict[str, int]
    key: tuple[object, ...]

    def reading(self, by: Discriminator) -> FpScores:
        """Return the scores by this discriminator."""
        return next(reading for reading in self.readings if reading.discriminator == by)


@st.cache_resource(max_entries=4, show_spinner="Reading the texts")
def gathered(key: tuple[object, ...], _sides: Sides) -> tuple[tuple[str, ...], NaturalTexts, tuple[int, ...], int]:
    """Texts, whose they are, ids, and how many of them are this study's."""
    del key
    mine = loaded(_sides.study_id, study_texts.version(_sides.study_id))
    rows: list[tuple[str | None, str, str, int]] = []
    for i, system in enumerate(mine.systems):
        person = mine.sources[i] is Source.HUMAN
        human = _sides.other is None and (person if not _sides.human else system == _sides.human and not person)
        if human or (not person and system in _sides.machine):
            rows.append((None if human else system, mine.prompts[i], mine.texts[i], mine.ids[i]))
    own = len(rows)
    if _sides.other is not None:
        theirs = loaded(_sides.other, study_texts.version(_sides.other))
        for i, source in enumerate(theirs.sources):
            if source is Source.HUMAN:
                rows.append((None, f"study {_sides.other}, {theirs.prompts[i]}", theirs.texts[i], theirs.ids[i]))
    about = NaturalTexts(tuple(row[0] for row in rows), tuple(row[1] for row in rows))
    return tuple(row[2] for row in rows), about, tuple(row[3] for row in rows), own


@st.cache_data(max_entries=4, show_spinner="Checking the texts")
def checked(key: tuple[object, ...], _texts: tuple[str, ...]) -> list[frozenset[FindingKind]]:
    """What the check-ups find in each text."""
    del key
    return [text_check.kinds for text_check in check_corpus(_texts)]


@st.cache_resource(max_entries=4, show_spinner="Reading the scores")
def _readings(
    key: tuple[object, ...], by: tuple[Discriminator, ...], _sides: Sides, _ids: tuple[int, ...], own: int
) -> tuple[FpScores, ...]:
    del key
    scores = []
    for discriminator in by:
        values, reasons = stored.fractions(_sides.study_id, discriminator, _ids[:own])
        if _sides.other is not None:
            more, why = stored.fractions(_sides.other, discriminator, _ids[own:])
            values = np.concatenate([values, more])
            reasons = reasons | {own + place: reason for place, reason in why.items()}
        scores.append(FpScores(discriminator, values, reasons))
    return tuple(scores)


def measure(sides: Sides, sample: NaturalnessSample) -> Measurements:
    """All of it; raises InputError where a side has no text left."""
    texts, about, ids, own = gathered(sides.key, sides)
    readings = _readings(sides.key, sample.discriminators, sides, ids, own)
    ids = tuple(number if place < own else -1 for place, number in enumerate(ids))
    key = (sides.key, sample.discriminators, sample.left_out, sample.seed)
    if not sample.left_out:
        return Measurements(texts, about, readings, ids, {}, key)
    kinds = checked(sides.key, texts)
    unfit = [sorted(kind & set(sample.left_out)) for kind in kinds]
    kept = np.array([place for place, finding_kinds in enumerate(unfit) if not finding_kinds], dtype=np.intp)
    left_out = Counter(kind.value for finding_kinds in unfit for kind in finding_kinds[:1])
    return Measurements(
        tuple(texts[i] for i in kept.tolist()),
        about.take(kept),
        tuple(reading.take(kept) for reading in readings),
        tuple(ids[i] for i in kept.tolist()),
        dict(left_out),
        key,
    )


@st.cache_data(max_entries=8, show_spinner="Comparing with human text")
def tables(key: tuple[object, ...], _found: Measurements, seed: int) -> Naturalness:
    """Tables 2 and 3."""
    return naturalness(_found.about, _found.readings, seed=seed)


def rests_on(taken: Measurements, sample: NaturalnessSample) -> None:
    """What the numbers rest on, one click away."""
    human = len(taken.about.of(None))
    with st.popover("What this rests on", icon=":material/info:", key="provenance"):
        st.markdown(
            f"**{len(taken.texts) - human:,} machine texts** of {len(taken.about.names)} systems, **{human:,} human "
            f"texts**, about {len(set(taken.about.documents)):,} documents (prompts)."
        )
        for kind, number in taken.left_out.items():
            st.markdown(f"- left out: {number:,} with findings of {kind}")
        for reading in taken.readings:
            lacking = Counter(
                reading.reasons.get(i, "not measured") for i in np.flatnonzero(np.isnan(reading.fp)).tolist()
            )
            for reason, number in lacking.most_common():
                st.markdown(
                    f"- **{escaped(sample.names[reading.discriminator])}**: {number:,} texts without an Fp: "
                    f"{escaped(reason)}"
                )
        st.markdown(f"Seed {sample.seed}; intervals draw whole documents, 1,000 times.")
        measured = [reading.discriminator for reading in taken.readings]
        signatures([sample.names[one] for one in measured], [one.signature for one in measured])
