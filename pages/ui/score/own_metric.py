"""Run metrics' place for a metric of one's own: what the server's folder of metrics has, how a file gets there."""

import shlex
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from core.errors import FabulaError
from core.home import ROOT, own_metrics
from core.metrics import find
from core.metrics.custom import is_own, needs_no_model, offered
from core.people import Person, Role
from core.recruitment import is_local
from pages.ui.shared.server_address import server_address
from pages.ui.shared.text import escaped, problem

TITLE = "A metric of your own"
EXAMPLES = {
    "docs/examples/word_length.py": "Shortest example",
    "docs/examples/openings.py": "Example with options",
}
LOOKED = "own-metrics-before"
"""Of the session's state: the metrics that the folder held when it was looked into again, by their paths."""


def own_key(study_id: int) -> str:
    """The key of the widget in which a metric of one's own is named."""
    return f"own-metric-{study_id}"


def own_metric(viewer: Person, study_id: int) -> str | None:
    """The metric of one's own that is named, "" where none is; None where there is none such, which is said."""
    key = own_key(study_id)
    with st.expander(TITLE, icon=":material/code:", expanded=bool(st.session_state.get(key))):
        if not viewer.may(Role.OWNER):
            _say_whom_to_ask()
            return ""
        _say_how()
        _in_folder(key)
        own = st.text_input(
            TITLE,
            label_visibility="collapsed",
            placeholder="path/to/file.py:Class",
            key=key,
            persist_state="session",
        ).strip()
        known = _is_known(own)
        if own and known:
            st.markdown(f":green[:material/check_circle:] {escaped(_added(own))}")
    return own if known else None


def _say_whom_to_ask() -> None:
    st.markdown(
        "A metric of your own is a Python file that runs as a program on this server, so only an owner can add it. "
        "Send them the file and the name of its class, and ask for a run of this study. Its scores then show here."
    )
    st.markdown("Or compute the scores on your own machine, and import them by the stories' ids:")
    with st.container(horizontal=True, vertical_alignment="center"):
        _downloads()
        st.page_link("import_data.py", label="Import scores", icon=":material/upload:", query_params={"kind": "scores"})


def _in_folder(key: str) -> None:
    """What the server's folder holds: a button with each metric's name, which puts its path into the field below."""
    files = offered()
    paths = _labelled(files)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Look again",
            icon=":material/refresh:",
            key="own-look-again",
            on_click=_look,
            args=(frozenset(paths.values()),),
        )
        before = st.session_state.pop(LOOKED, None)
        if before is not None:
            new = [called for called, path in paths.items() if path not in before]
            all_of_it = f"The folder holds {escaped(', '.join(paths))}." if paths else "The folder holds no metric."
            st.markdown(f"New: {escaped(', '.join(new))}." if new else all_of_it)
    if paths:
        st.caption(
            "In the server's folder of metrics. A run takes one metric of your own: press one to add it, another to "
            "put it in its place."
        )
        chosen = str(st.session_state.get(key) or "").strip()
        with st.container(horizontal=True):
            for called, path in paths.items():
                there = path == chosen
                st.button(
                    escaped(called),
                    key=f"own-{path}",
                    on_click=_put,
                    args=(key, path),
                    icon=":material/check:" if there else ":material/add:",
                    disabled=there,
                )
    for file in (file for file, classes in files.items() if not classes):
        st.caption(f"*{escaped(file)}* in that folder holds no metric: no Python, or no class with a `name`.")
    st.caption(
        "Or type the path of a Python file on the server, and the metric class in it; "
        "`docs/examples/word_length.py:WordLength` can be tried as it is."
    )


def _labelled(files: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The path of each metric by what its button is called: its name, and where it is if another one is called so."""
    metrics = [(name, file, of) for file, classes in files.items() for of, name in classes.items()]
    alike = Counter(name for name, _, _ in metrics)
    return {
        f"{name} ({file}: {of})" if alike[name] > 1 else name: f"{own_metrics() / file}:{of}"
        for name, file, of in metrics
    }


def _look(before: frozenset[str]) -> None:
    """Look into the folder anew; `before`: what it held."""
    st.session_state[LOOKED] = before


def _put(key: str, path: str) -> None:
    st.session_state[key] = path


def _say_how() -> None:
    """How a file gets from its author's machine to a run of this page."""
    st.caption(
        "It runs as a program on this server, with all that the server may do: name only files you trust. That is why "
        "it is not uploaded: only somebody who can put files on the server can run one."
    )
    st.markdown("1. Begin with an example; rename its class and its `name`.")
    with st.container(horizontal=True):
        _downloads()
    st.markdown(f"2. Put the file into this folder{'' if _is_here() else ', in a terminal of your machine'}:")
    st.code(_command(), language="bash", wrap_lines=True)
    st.markdown("3. Press *Look again*, then the button with your metric's `name`, then the one that runs the metrics.")


def _is_here() -> bool:
    return is_local(server_address())


def _command() -> str:
    """What puts a file into the folder: a copy where the browser is on the server's machine, else one over SSH."""
    folder = f"{own_metrics()}/"
    if _is_here():
        return f"cp my_metric.py {shlex.quote(folder)}"
    return f"scp my_metric.py {shlex.quote(f'USER@{urlsplit(server_address()).hostname}:{folder}')}"


def _downloads() -> None:
    for path, label in EXAMPLES.items():
        st.download_button(
            label,
            (ROOT / path).read_bytes(),
            file_name=Path(path).name,
            mime="text/x-python",
            icon=":material/download:",
            on_click="ignore",
            key=f"example-{path}",
        )


def _added(own: str) -> str:
    """What the metric of one's own is that was just named, and that it is part of the run."""
    metric = find(own)
    turn = "" if needs_no_model(metric) else " It takes its turn with the other metrics that have a model."
    return f"{metric.name} is added to the metrics of this run. {metric.card.measures}{turn}"


def _is_known(own: str) -> bool:
    """Whether there is a metric of this name, or none is named; what is wrong is said."""
    if own and not is_own(own):
        problem(f"{own!r} does not name a metric; write path/to/file.py:Class.")
        return False
    try:
        if own:
            find(own)
    except FabulaError as error:
        problem(str(error))
        return False
    return True
