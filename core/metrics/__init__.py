"""The registry of metrics: each name and the class that computes it."""

from core.errors import FabulaError, InputError
from core.metrics.acceptability import Acceptability
from core.metrics.base import Metric, Settings
from core.metrics.bertscore import BertScoreF1, BertScorePrecision, BertScoreRecall
from core.metrics.bleu import Bleu, SacreBleu
from core.metrics.bleurt import Bleurt
from core.metrics.custom import is_own, load
from core.metrics.judging.judge import Judge
from core.metrics.judging.names import judge_of, usual_judge
from core.metrics.judging.pairs import PairJudge
from core.metrics.meteor import Meteor
from core.metrics.moverscore import MoverScoreBigrams, MoverScoreUnigrams
from core.metrics.naturalness import Entropy, Fraction, FractionMasked, TopTen
from core.metrics.perplexity import ExponentialPerplexity, Perplexity
from core.metrics.pooling import GreedyMatching, RuberReferenced, VectorAverage, VectorExtrema
from core.metrics.rouge import Rouge1, Rouge1Google, Rouge2, Rouge2Google, RougeL, RougeLGoogle
from core.metrics.sentinels import PromptOnly, Sentences, Words
from core.metrics.trained.bleurt import BleurtFinetuned
from core.metrics.trained.disscore import DisScore
from core.metrics.trained.perplexity import FineTunedPerplexity
from core.metrics.trained.ruber import Ruber, RuberBert, RuberContext, RuberReferencedWords, RuberWords
from core.metrics.trained.union import Union, UnionNoReconstruction

REGISTERED: tuple[type[Metric], ...] = (
    Bleu,
    SacreBleu,
    Rouge1,
    Rouge2,
    RougeL,
    Rouge1Google,
    Rouge2Google,
    RougeLGoogle,
    Meteor,
    GreedyMatching,
    VectorAverage,
    VectorExtrema,
    BertScorePrecision,
    BertScoreRecall,
    BertScoreF1,
    MoverScoreUnigrams,
    MoverScoreBigrams,
    RuberReferenced,
    RuberReferencedWords,
    Bleurt,
    Perplexity,
    ExponentialPerplexity,
    FineTunedPerplexity,
    Fraction,
    TopTen,
    Entropy,
    FractionMasked,
    Acceptability,
    RuberContext,
    RuberWords,
    RuberBert,
    Ruber,
    Union,
    UnionNoReconstruction,
    DisScore,
    BleurtFinetuned,
    Words,
    Sentences,
    PromptOnly,
    Judge,
)
METRICS: dict[str, type[Metric]] = {metric.name: metric for metric in REGISTERED}


def registered(name: str) -> type[Metric] | None:
    """The class behind a registered name, or behind the name of a judge of one criterion; None for any other name."""
    return METRICS.get(name) or judge_of(name)


def family_of(name: str) -> str:
    """`judge` of a judge that rates one criterion, and any other name as it is."""
    return Judge.name if judge_of(name) not in (None, PairJudge) else name


def find(name: str) -> type[Metric]:
    """The class of a metric: by its registered name, or one of the user's own by `path.py:Class`.

    Raises InputError with the names there are.
    """
    if is_own(name):
        own = load(name)
        if registered(own.name):
            raise InputError(f"Fabula has a metric {own.name!r} already: give the class {own.__name__} another name.")
        return own
    if name.endswith(".py"):
        raise InputError(f"Name the class in {name} too: {name}:Class.")
    metric = registered(name)
    if metric is None:
        raise InputError(f"There is no metric {name!r}; there are {', '.join(METRICS)}.")
    return metric


def build(name: str, settings: Settings | None = None) -> Metric:
    """Make a metric; raises InputError as `find` does, and for an option that it does not have.

    `judge` alone is the judge of what the study asks mainly, and is called after it.
    """
    if name == Judge.name:
        name = usual_judge(settings or Settings())
    metric = find(name)
    try:
        new_metric = metric(settings)
        if new_metric.file_hash:  # a fault in it should show before a job begins
            new_metric.option_parts()
    except FabulaError:
        raise
    except Exception as error:
        if not metric.file_hash:
            raise
        raise InputError(f"The metric {metric.name} cannot be made: {type(error).__name__}: {error}.") from error
    return new_metric
