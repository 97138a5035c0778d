"""`train …`: metrics that learn, from stories to a checkpoint; the options of each are its settings."""

import hashlib
import inspect
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer

from commands.terminal import JsonFile, Pairs, StudyName, Where, console, pairs, print_table, row_filter, show
from commands.training.corpora import CORPORA_HELP, read_corpora, training_bar
from commands.training.perception import perception
from core.checkpoints.card import check_name
from core.checkpoints.checkpoint import Checkpoint
from core.checkpoints.kinds import BLEURT, DISSCORE, RUBER, UNION, Embeddings
from core.checkpoints.overlap import judged_among
from core.errors import InputError
from core.files import path_of
from core.formats.tables import read_stories
from core.home import home
from core.models.catalogue import locate
from core.people import TERMINAL
from core.settings import Setting, described
from core.stories import whole_story
from core.training.bleurt.settings import BleurtSettings
from core.training.engine.recipe import Way
from core.training.engine.settings import LearnsFrom, TrainingSettings
from core.training.engine.stories import split_by_author
from core.training.registry import TRAINABLE, train
from core.training.union.settings import UnionSettings
from db.studies import studies
from db.training import corpora, overlap, rated_stories

Data = tuple[Mapping[str, Sequence[Any]], dict[str, Any]]
"""What is learnt from, by corpus or study, and what the trainer is told of stories that people have rated."""
FIRST = ("name", "base", "layers")
LAST = ("epochs", "learning_rate", "precision", "device", "seed", "overlap_allowed")
"""Options that come before and after those of one kind alone."""
READ_LATER = ("precision", "device")
"""Whose choices are checked by what reads them."""

_OUT = Annotated[Path, typer.Option(help="The checkpoint's folder, which is made.")]
_CORPORA = Annotated[list[Path], typer.Option(help=CORPORA_HELP)]
_STUDIES = Annotated[
    list[str] | None, typer.Option(help="A study with stories by people and by systems; may be repeated.")
]
_TABLES = Annotated[
    list[Path] | None, typer.Option(help="A table of them; rows without a system are people's. May be repeated.")
]
_REQUIRED = inspect.Parameter.empty
DATA: dict[LearnsFrom, dict[str, tuple[Any, Any]]] = {
    LearnsFrom.HUMAN_STORIES: {"stories": (_CORPORA, _REQUIRED), "out": (_OUT, _REQUIRED)},
    LearnsFrom.STUDIES: {"out": (_OUT, _REQUIRED), "study": (_STUDIES, None), "stories": (_TABLES, None)},
    LearnsFrom.RATINGS: {"study": (StudyName, _REQUIRED), "out": (_OUT, _REQUIRED)},
}
"""Options that say what is learnt from, with their defaults."""

app = typer.Typer(help="Train a metric of your own.", no_args_is_help=True)


def command_of(kind: type[TrainingSettings]) -> Callable[..., None]:
    """The command that trains a kind of metric."""

    def command(**given: Any) -> None:
        _train(kind, **given)

    about = described(kind)
    asked = [name for name, (setting, _, _) in about.items() if setting.help]
    own = [name for name in asked if name not in (*FIRST, *LAST)]
    names = [name for name in FIRST if name in asked] + own + [name for name in LAST if name in asked]
    options = {**DATA[kind.learns_from], **{name: _option(name, *about[name]) for name in names}}
    if kind.learns_from is not LearnsFrom.RATINGS:
        options |= {"mapping": (Pairs, None), "where": (Where, None)}
    options["json_file"] = (JsonFile, None)
    command.__doc__ = f"{kind.purpose} Stopped, the same command goes on where it was."
    command.__annotations__ = {name: annotation for name, (annotation, _) in options.items()}
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
            for name, (annotation, default) in options.items()
        ]
    )
    return command


def _option(name: str, about: Setting, kind: Any, default: Any) -> tuple[Any, Any]:
    """The option of a setting as Typer reads it, and its default: None where that depends on other settings."""
    flag = "--layer" if name == "layers" else f"--{name.replace('_', '-')}"
    if get_origin(kind) is tuple:
        kind, default = list[get_args(kind)[0]] | None, None  # type: ignore[misc]
    elif about.choices:
        kind, default = (str | None, None) if about.depends else (str, str(default))
    elif about.depends:
        kind, default = kind | None, None
    return Annotated[kind, typer.Option(flag, help=about.help)], default


def settings_given(kind: type[TrainingSettings], name: str, given: Mapping[str, Any]) -> TrainingSettings:
    """The settings that options give, and the usual ones where they give none. Raises InputError."""
    about = described(kind)
    blank = ("base",) if kind.kind in (DISSCORE, BLEURT) else ("base", "epochs", "learning_rate")  # 0: the usual
    values: dict[str, Any] = {}
    for key, value in given.items():
        setting, typed, _ = about[key]
        if value is None or value == [] or (key in blank and not value):
            continue
        if setting.choices and key not in READ_LATER:
            if value not in setting.choices:
                raise InputError(f"--{key} is one of {', '.join(setting.choices)}, not {value!r}.")
            value = typed(value)
        values[key] = tuple(value) if isinstance(value, list) else value
    _check(kind.kind, values)
    settings = kind(name, **{**kind.usual(values), **values})
    _ = settings.schedule  # what is wrong is said before anything is read
    return settings


def _check(kind: str, given: Mapping[str, Any]) -> None:
    """Raises InputError for options that do not go together."""
    paper = given.get("recipe") is Way.PAPER
    steps = "--steps goes with --recipe paper; else --epochs says how long to train."
    if kind == UNION and paper and {"layers", "tuning", "epochs"} & given.keys():
        raise InputError(
            "--recipe paper reads the last layer of a base that learns as a whole, and counts steps: leave out "
            "--layer, --tuning and --epochs; --steps says how many."
        )
    if kind == DISSCORE and paper and {"layers", "epochs"} & given.keys():
        raise InputError(
            "--recipe paper reads the last layer of a base that learns, and counts steps: leave out --layer and "
            "--epochs; --steps says how many."
        )
    if kind in (UNION, DISSCORE) and not paper and "steps" in given:
        raise InputError(steps)
    if kind == BLEURT and paper and "layers" in given:
        raise InputError("--recipe paper reads the last layer of a base that learns: leave out --layer.")
    if kind == BLEURT and not paper and {"steps", "learning_rate"} & given.keys():
        raise InputError("--steps and --learning-rate go with --recipe paper: else no base learns.")
    if kind == RUBER and given.get("embeddings") is Embeddings.WORDS and "layers" in given:
        raise InputError("--layer goes with --embeddings bert: input embeddings stand below all layers.")


def _train(
    kind: type[TrainingSettings],
    *,
    out: Path,
    name: str,
    json_file: str | None,
    study: Any = None,
    stories: list[Path] | None = None,
    mapping: list[str] | None = None,
    where: list[str] | None = None,
    **given: Any,
) -> None:
    if out.exists():
        raise InputError(f"There is a {out} already; name a new folder.")
    settings = settings_given(kind, check_name(name or out.name), given)
    data, rated = _data(settings, study, stories or [], mapping, where)
    base = locate(settings.base, settings.role)
    folder = home() / "training" / hashlib.sha256(str(path_of(str(out), "folder")).encode()).hexdigest()[:12]
    with training_bar() as report:
        checkpoint, runs = train(settings, data, base, folder, report, **rated)
    took = {"steps": sum(len(run.steps) for run in runs), "seconds": sum(run.seconds for run in runs)}
    _put(checkpoint, folder, out, json_file, took if kind.learns_from is not LearnsFrom.RATINGS else {})


def _data(
    settings: TrainingSettings, study: Any, tables: list[Path], mapping: list[str] | None, where: list[str] | None
) -> Data:
    """Raises InputError where it may not be learnt from."""
    if settings.learns_from is LearnsFrom.HUMAN_STORIES:
        negatives = isinstance(settings, UnionSettings)
        texts, seen = read_corpora(
            tables, mapping, where, overlap_allowed=settings.overlap_allowed, negatives=negatives
        )
        return texts, {"overlap": seen}
    if settings.learns_from is LearnsFrom.RATINGS:
        chosen = studies.find(study)
        target = settings.target if isinstance(settings, BleurtSettings) else ""
        return {chosen.name: rated_stories.judged_texts(TERMINAL, chosen.id, target)}, {}
    names = study or []
    records = {name: corpora.records_of_study(TERMINAL, studies.find(name).id) for name in names}
    fields = pairs(mapping, "--map"), row_filter(where)
    records |= {path.stem: split_by_author(read_stories(path, *fields).stories) for path in tables}
    if len(records) < len(names) + len(tables) or not records:
        raise InputError("Give at least one --study NAME or --stories FILE, and each name once.")
    whole = (whole_story(record.prompt, record.text) for some in records.values() for record in some)
    return records, {"judged": judged_among(whole, overlap.judged_stories(TERMINAL))}


def _put(checkpoint: Checkpoint, folder: Path, out: Path, json_file: str | None, more: dict[str, Any]) -> None:
    """Move the checkpoint to its place, delete what was under way in `folder`, and show its figures."""
    out.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(checkpoint.folder, out)
    shutil.rmtree(folder)
    card = checkpoint.card

    def table() -> None:
        rows = [[figure.what, figure.value, figure.low, figure.high, figure.n] for figure in card.figures]
        print_table(card.name, ["figure", "value", "low", "high", "n"], rows)
        console.print(f"The checkpoint is in {out}; `checkpoints import` makes it known.", markup=False, soft_wrap=True)

    show({**card.as_json(), "folder": str(out), **more}, json_file, table)


for name, kind in TRAINABLE.items():
    app.command(name)(command_of(kind))
app.command()(perception)
