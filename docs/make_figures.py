"""Draw the figures of the method pages that no picture of a page has, from the demonstration study's stories.

    .venv/bin/python -m docs.make_figures [FIGURE…]

Of these figures alone, as FAMILIES and OTHERS call them, or of all. Runs the bundled models, for about a
minute; needs Chromium.
"""

import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
from playwright.sync_api import Page, sync_playwright
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

from core.analysis.judges.trial import Confusion
from core.analysis.preferences.metrics import judge_metrics
from core.analysis.preferences.preferences import Preferences
from core.analysis.preferences.ranking import rank
from core.figures.judges.trial import confusion
from core.figures.style import BLUE, GREY, safe, titled
from core.figures.systems.preferences import metric_accuracies, strengths
from core.metrics import build
from core.report.files.paper import COLOURS, WIDTHS, paper_template
from core.scores import ScoreColumn, ScoreTable
from core.statistics.intervals import Estimate
from core.stories import Corpus, Source, Story, StoryRecord
from db.transfer.demonstration import demonstration
from tests.browser.conftest import FLAGS, chromium

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
HUMAN = "human"
SYSTEMS = ("greedy", "beam-4", "top-k-40", "nucleus-0.9", "hot-1.5", HUMAN)
FAMILIES = {
    "n-gram": ("bleu", "rouge-l", "meteor"),
    "embeddings": ("bertscore-f1", "moverscore-2", "vector-average"),
    "learned": ("disscore",),
    "perplexity": ("perplexity",),
    "union": ("union",),
    "ruber": ("ruber-u-bert", "ruber-r-bert"),
    "token-statistics": ("fp", "top-10", "entropy"),
    "llm-judges": ("judge:overall",),
}
"""The metrics side by side in each figure."""
PREFERRED = ("bleu", "rouge-l", "bertscore-f1", "perplexity", "union", "judge:overall")
"""The metrics held against preferences."""
STEPS = (1, 2, 3, 4, 5)
BATCH = 8
"""Stories scored at once."""
ROW, FRAME = 46, 150
"""Pixels: of a system, and of all around the plot."""


def stories_of(corpus: Corpus) -> dict[str, Story]:
    """Every story by its key, with the human story of its prompt as the reference."""
    human = {story.prompt_key: story.text for story in corpus.stories if story.source == Source.HUMAN}
    return {story.key: Story(story.text, story.prompt, (human[story.prompt_key],)) for story in corpus.stories}


def system_of(story: StoryRecord) -> str:
    """Whose it is."""
    return HUMAN if story.source == Source.HUMAN else story.system


@cache
def scored(name: str) -> dict[str, float]:
    """Scores by story; a metric that compares with the human stories has none of these themselves."""
    corpus = demonstration()
    metric = build(name)
    stories = stories_of(corpus)
    keys = [s.key for s in corpus.stories if metric.kind != "referenced" or s.source != Source.HUMAN]
    scores: dict[str, float] = {}
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        scores |= zip(batch, metric.score([stories[key] for key in batch]).values.tolist(), strict=True)
    return scores


def spread(names: Sequence[str], corpus: Corpus) -> go.Figure:
    """Each system's scores, a dot a story, in a plot a metric."""
    figure = make_subplots(rows=1, cols=len(names), shared_yaxes=True, horizontal_spacing=0.03)
    for place, name in enumerate(names, start=1):
        scores = scored(name)
        for system in SYSTEMS:
            x = [scores[s.key] for s in corpus.stories if system_of(s) == system and s.key in scores]
            if x:
                colour = GREY if system == HUMAN else BLUE
                figure.add_box(
                    x=x,
                    y=[system] * len(x),
                    orientation="h",
                    width=0.6,
                    boxpoints="all",
                    jitter=0.6,
                    pointpos=0,
                    fillcolor="rgba(0,0,0,0)",
                    line={"color": colour, "width": 1},
                    marker={"color": colour, "size": 4, "opacity": 0.6},
                    showlegend=False,
                    row=1,
                    col=place,
                )
        figure.update_xaxes(title=safe(name), col=place)
    figure.update_yaxes(autorange="reversed")
    figure.update_layout(boxmode="overlay", height=FRAME + ROW * len(SYSTEMS), margin={"l": 10, "r": 10, "b": 50})
    titled(figure, "Scores of the demonstration's stories", "A dot is a story, a box the middle half.")
    return figure


def means(corpus: Corpus) -> dict[str, float]:
    """The made-up ratings' mean of each system's story."""
    ratings: dict[str, list[float]] = {}
    for rating in corpus.ratings:
        ratings.setdefault(rating.story_key, []).append(rating.overall)
    return {key: float(np.mean(values)) for key, values in ratings.items()}


def compared(corpus: Corpus) -> Preferences:
    """Every two stories of an opening, by their made-up mean ratings."""
    rated = means(corpus)
    prompts = sorted({story.prompt_key for story in corpus.stories})
    systems = tuple(sorted({story.system for story in corpus.stories if story.key in rated}))
    rows = []
    for prompt, key in enumerate(prompts):
        there = [story for story in corpus.stories if story.prompt_key == key and story.key in rated]
        for place, one in enumerate(there):
            for other in there[place + 1 :]:
                choice = int(np.sign(rated[other.key] - rated[one.key]))
                pair = (systems.index(one.system), systems.index(other.system))
                rows.append((prompt, *pair, choice, one.key, other.key))
    prompt_of, first, second, choices, first_story, second_story = zip(*rows, strict=True)
    numbers = [np.array(column, dtype=np.intp) for column in (prompt_of, first, second, choices)]
    nobody = np.full(len(rows), -1, dtype=np.intp)
    return Preferences(systems, tuple(prompts), *numbers, first_story, second_story, nobody, sides_known=False)


def preferred(corpus: Corpus) -> go.Figure:
    """Systems by strength."""
    return strengths(rank(compared(corpus)))


def preferred_by_metrics(corpus: Corpus) -> go.Figure:
    """How often each metric orders two stories as the made-up ratings do."""
    found = compared(corpus)
    keys = sorted({*found.first_story, *found.second_story})
    nothing = ("",) * len(keys)
    columns = [ScoreColumn(name, name, np.array([scored(name)[key] for key in keys]), {}) for name in PREFERRED]
    table = ScoreTable(keys, nothing, nothing, nothing, np.full(len(keys), np.nan), tuple(columns))
    return metric_accuracies(judge_metrics(found, table))


def tried(corpus: Corpus) -> go.Figure:
    """The made-up ratings beside those of the bundled judge."""
    rated, judged = means(corpus), scored("judge:overall")
    counts = np.zeros((len(STEPS), len(STEPS)), dtype=np.intp)
    for key, value in rated.items():
        if np.isfinite(judged[key]):
            people, judge = (int(np.clip(round(number), STEPS[0], STEPS[-1])) for number in (value, judged[key]))
            counts[people - 1, judge - 1] += 1
    nothing = Estimate(None, undefined="it is not shown")
    return confusion(Confusion(STEPS, counts, nothing, nothing, nothing, 0), "the bundled judge", "Overall")


def biased(corpus: Corpus) -> go.Figure:
    """How far the bundled judge is above the made-up ratings, by the length of the story."""
    rated, judged = means(corpus), scored("judge:overall")
    there = [story for story in corpus.stories if story.key in rated]
    figure = go.Figure(
        go.Scatter(
            x=[len(story.text.split()) for story in there],
            y=[judged[story.key] - rated[story.key] for story in there],
            mode="markers",
            marker={"color": BLUE, "size": 6, "opacity": 0.6},
        )
    )
    figure.add_hline(y=0, line={"color": GREY, "width": 1.5, "dash": "dash"})
    figure.update_xaxes(title="words of the story")
    figure.update_yaxes(title="judge − people, points")
    figure.update_layout(height=FRAME + ROW * len(STEPS), margin={"l": 10, "r": 10, "b": 50})
    titled(figure, "Is the judge above people?", "A dot is a story of the demonstration.")
    return figure


OTHERS = {
    "preferences": preferred,
    "preferred-by-metrics": preferred_by_metrics,
    "judges-trial": tried,
    "judge-biases": biased,
}
"""Figures of their own, a column wide."""


def picture(page: Page, figure: go.Figure, name: str, width: str) -> None:
    """Write a figure as it looks on paper."""
    figure.update_layout(template=paper_template(), **COLOURS)
    size = {"format": "svg", "width": WIDTHS[width], "height": figure.layout.height}
    drawn = page.evaluate(f"Plotly.toImage({figure.to_json()}, {json.dumps(size)}).then(decodeURIComponent)")
    (IMAGES / f"{name}.svg").write_text(str(drawn).split(",", 1)[1], encoding="utf-8")


def main() -> None:
    """Draw what is asked for."""
    corpus = demonstration()
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=chromium(), args=FLAGS).new_page()
        page.add_script_tag(content=get_plotlyjs())
        for name in sys.argv[1:] or [*FAMILIES, *OTHERS]:
            if name in FAMILIES:
                picture(page, spread(FAMILIES[name], corpus), name, "page")
            else:
                picture(page, OTHERS[name](corpus), name, "column")


if __name__ == "__main__":
    main()
