"""What a judge is told: the criteria to choose, the whole prompt before a run, and on which half of the prompts a
template of the study's own is tried.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.analysis.judges.alternative import FEWEST_INSTANCES, FEWEST_PEOPLE
from core.analysis.judgments.reliability import reliability
from core.analysis.verdict.sentences import listed
from core.annotation.criterion import PREFERENCE
from core.annotation.scheme import Scheme
from core.annotation.studies import Study
from core.annotation.target import Target
from core.errors import FabulaError
from core.judges.asking import Message
from core.judges.halves import Half
from core.judges.template import Way
from core.metrics import build, find
from core.metrics.judging.base import LanguageJudge
from core.metrics.judging.judge import Judge
from core.metrics.judging.names import judge_of
from core.metrics.judging.pairs import PairJudge
from core.metrics.run import half_of, settings_of
from core.people import Person
from core.scores import RatingChoice
from db.judges import templates
from db.judges.judged import judged_study, rated_by_each
from db.ratings import raters, ratings
from db.scores import pair_verdicts, scores
from db.studies import story_list
from pages.ui.score.judge_replies import judge_replies, pair_replies
from pages.ui.shared.analysis.replacement_words import NEEDED, TRIAL
from pages.ui.shared.analysis.score_table import whole
from pages.ui.shared.analysis.target_choice import chosen_target
from pages.ui.shared.jobs.run_options import option_key
from pages.ui.shared.template_editor import roles, template_editor
from pages.ui.shared.text import escaped, problem

SAVED = "judge-template-saved"
STORIES = 100
"""So many of a study's stories, or pairs of them, can be looked at, the first."""
EVERY = "all prompts"


def judged_criteria(names: Sequence[str], scheme: Scheme) -> list[str]:
    """The metrics with the judge once for each criterion that is chosen, where the form has several."""
    criteria = [name for name in scheme.names if name != PREFERENCE]
    if Judge.name not in names or len(criteria) < 2:
        return list(names)
    chosen = st.pills(
        "What the judge is asked about",
        criteria,
        selection_mode="multi",
        default=[name for name in chosen_target(scheme).criteria if name in criteria] or [scheme.main.name],
        key="judge-criteria",
    )
    judges = [Judge.name if name == scheme.main.name else f"{Judge.name}:{name}" for name in chosen]
    return [text for name in names for text in (judges if name == Judge.name else [name])]


def template_titles(study_id: int) -> dict[str, list[str]]:
    """The study's own templates as an option offers them; the one that was just saved is chosen."""
    if saved := st.session_state.pop(SAVED, None):
        st.session_state[option_key("template", Judge.options["template"])] = saved
    return {"template": [template.title for template in templates.templates(study_id)]}


def half_choice(run: Mapping[str, Any]) -> dict[str, str]:
    """A control where a judge's template is the study's own; returns what the run keeps of it."""
    if not any(half_of({**run, "half": Half.DEVELOPMENT}, name) for name in run["metrics"]):
        return {}
    picked = st.segmented_control(
        "The study's own wording is run on",
        [*Half, EVERY],
        format_func=lambda half: half if half == EVERY else f"the {half} half",
        default=Half.DEVELOPMENT,
        required=True,
        key="judge-half",
        help="A wording is tried on the development half of the prompts, and reported on the held-out half alone: the "
        "Judges page has both under Wording. Other metrics score all stories.",
    )
    return {} if picked == EVERY else {"half": str(picked)}


def say_of_verdict(study: Study, run: Mapping[str, Any]) -> None:
    """Say that a run of a judge gives no verdict on it, where that is known before: raters cannot be told apart, their
    ratings do not agree, or too few of them have rated enough of what is to be scored.
    """
    judges = [name for name in run["metrics"] if name == Judge.name or judge_of(name)]
    if not judges:
        return
    study_id = study.id
    if why := raters.unknown(study_id):
        st.caption(f"*{TRIAL}* cannot be answered with these ratings, whatever is run: {why}. {NEEDED}")
        return
    each = rated_by_each(study_id)
    if not each:
        return
    version, several = ratings.version(study_id), len(study.scheme.criteria) > 1
    asked = [study.scheme.criterion(name.partition(":")[2] or study.scheme.main.name).name for name in judges]
    if void := [name for name in dict.fromkeys(asked) if _disagreeing(study_id, version, Target((name,)))]:
        on = f" on {escaped(listed(void))}" if several else ""
        st.caption(
            f"*{TRIAL}* cannot be answered{on} with the ratings so far, whatever is run: nothing shows that they agree "
            "with one another."
        )
    if asked and len(void) == len(set(asked)):
        return
    needs = (
        f"For its verdict *{TRIAL}* needs {FEWEST_PEOPLE} people who have rated {FEWEST_INSTANCES} of the scored "
        "stories each."
    )
    if few_people := _too_few(each):
        st.caption(f"{needs} Of all stories {few_people} rated so many yet.")
    elif few := run.get("most"):
        trial = scores.few(study_id, [-1], few, scores.sources(study_id))  # as for a judge without any score
        if few_people := _too_few(rated_by_each(study_id, trial)):
            st.caption(
                f"{needs} Of the {few} stories of a trial {few_people} rated so many: for that verdict run the judge "
                "on all stories."
            )


@st.cache_data(max_entries=8, show_spinner=False)
def _disagreeing(study_id: int, version: str, target: Target) -> bool:
    return reliability(whole(study_id, version, RatingChoice.VALID, target)).disagree


def _too_few(each: Sequence[int]) -> str:
    """Who has rated enough stories to be counted, such as `2 people have`; "" for enough people."""
    enough = sum(number >= FEWEST_INSTANCES for number in each)
    if enough >= FEWEST_PEOPLE:
        return ""
    return {0: "nobody has", 1: "1 person has"}.get(enough, f"{enough} people have")


def judge_prompt(viewer: Person, study_id: int, run: Mapping[str, Any]) -> None:
    """The whole prompt of the first judge of a run, with a story of the study or two, and its template to change."""
    name = next((name for name in run["metrics"] if name == Judge.name or judge_of(name)), None)
    if name is None:
        return
    kind = find(name)
    if kind.paced_by(run["options"].get(name, {})) and not run["models"].get(kind.role) and "judge" not in run:
        st.warning(
            "The bundled judge is small, and most replies that it writes cannot be read: those stories will have no "
            "score. Ask it for *points* with one sample, or name a larger model."
        )
    with st.expander("What the judge is told", icon=":material/gavel:"):
        try:
            metric = build(name, settings_of(run, name, judged=judged_study(study_id)))
            if isinstance(metric, PairJudge):
                _prompt_of_pair(viewer, study_id, metric)
            elif isinstance(metric, Judge):
                _prompt_of_story(viewer, study_id, metric)
        except FabulaError as error:
            problem(str(error))
            return
        if isinstance(metric, LanguageJudge) and (saved := template_editor(viewer, study_id, metric.wording.template)):
            st.session_state[SAVED] = saved.title
            st.rerun()


def _prompt_of_story(viewer: Person, study_id: int, metric: Judge) -> None:
    question, chosen = metric.question, _a_story(viewer, study_id)
    st.caption(f"The whole prompt of {metric.name}, template {question.template.title}, with this story.")
    story = story_list.read(chosen)
    _messages(metric.prompt(story), Way.POINTS)
    judge_replies(viewer, chosen, question, story)


def _prompt_of_pair(viewer: Person, study_id: int, metric: PairJudge) -> None:
    compared = pair_verdicts.compared(study_id)
    if not compared:
        st.caption("A judge of pairs is asked about the stories that people compared; they have compared none yet.")
        return
    titles = {pair.ids: " and ".join(pair.keys) for pair in compared[:STORIES]}
    chosen = st.selectbox("Pair", list(titles), format_func=titles.__getitem__, key=f"judge-pair-{study_id}")
    (pair,) = pair_verdicts.read([one for one in compared if one.ids == chosen])
    st.caption(
        f"The whole prompt of {metric.name}, template {metric.question.template.title}, with these two stories; it is "
        "asked again with the two exchanged."
    )
    _messages(metric.prompt(pair), Way.PAIRS)
    pair_replies(viewer, chosen, metric.question, pair)


def _messages(messages: Sequence[Message], way: Way) -> None:
    for message in messages:
        st.caption(roles(way)[message.role])
        st.code(message.text, language=None, wrap_lines=True)


def _a_story(viewer: Person, study_id: int) -> int:
    listed, _ = story_list.stories(viewer, study_id, None, most=STORIES, sources=scores.sources(study_id))
    titles = {story.id: f"{story.key} ({story.group}): {story.opening}" for story in listed}
    return int(st.selectbox("Story", list(titles), format_func=titles.__getitem__, key=f"judge-story-{study_id}"))
