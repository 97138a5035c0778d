"""Imports at work: each in a thread of the server's, which goes on when its page is left, and a bar for who looks."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from threading import Lock, Thread

import streamlit as st

from pages.ui.shared.study_choice import remember
from pages.ui.shared.text import escaped

FINISHED, RUNNING = "imports_finished", "imports_running"
"""Of the session's state: what has been imported, and is being, by its token; the first until `begin_anew`."""
LOOKED = 0.25
"""Seconds between two looks at how far an import is."""
ImportResult = tuple[str, int]
"""What was imported in a sentence, and the study."""
Tell = Callable[[int, int, str], None]
"""Hears how many of how many (0: nobody knows) are done, and of what."""
Work = Callable[[Tell], ImportResult]
"""An import. It runs beside the page: it touches neither Streamlit nor its session's state."""
_beginning = Lock()


@dataclass
class Running:
    """An import at work, and how it ended."""

    doing: str
    done: int = 0
    total: int = 0
    result: ImportResult | None = None
    error: Exception | None = None
    thread: Thread | None = None

    def start(self, work: Work) -> None:
        """Begin it."""
        self.thread = Thread(target=self._run, args=(work,), name="import", daemon=True)
        self.thread.start()

    def _run(self, work: Work) -> None:
        try:
            self.result = work(self._tell)
        except Exception as error:
            self.error = error

    def _tell(self, done: int, total: int, doing: str) -> None:
        self.done, self.total, self.doing = done, total, doing

    def ended(self) -> bool:
        """Whether it has; waits a moment for it."""
        if self.thread is not None:
            self.thread.join(LOOKED)
        return self.result is not None or self.error is not None

    @property
    def words(self) -> str:
        """How far it is."""
        of = f" of {self.total:,}" if self.total else ""
        return f"{self.doing}: {self.done:,}{of}" if self.done else self.doing


def begin(token: Hashable, work: Work, doing: str) -> None:
    """Start the work of a token, unless it is at work already: the runs of two presses may come here at once."""
    with _beginning:
        running = st.session_state.setdefault(RUNNING, {})
        if token not in running and token not in st.session_state.setdefault(FINISHED, {}):
            running[token] = Running(doing)
            running[token].start(work)


def follow(token: Hashable) -> None:
    """Show how far the import of a token is, until it is at its end, keep what came of it, and start the page again,
    which tells it. Raises its error.

    A press in between starts the page again, which comes back here.
    """
    running: dict[Hashable, Running] = st.session_state.get(RUNNING, {})
    work = running.get(token)
    if work is None:
        if token in st.session_state.get(FINISHED, ()):  # the run of another press has kept it meanwhile
            st.rerun()
        return
    under_way = st.empty()  # gone where it fails
    with under_way.container():
        bar = st.progress(0.0, escaped(work.words))
        st.caption("You may leave this page: the import goes on.")
    while not work.ended():
        bar.progress(min(1.0, work.done / work.total) if work.total else 0.0, escaped(work.words))
    if work.result is not None:
        # A press may end this run wherever it asks the session's state: what is still running is then told by the next.
        remember(work.result[1])
        st.session_state.setdefault(FINISHED, {})[token] = work.result
    running.pop(token, None)
    if work.error is not None:
        under_way.empty()
        raise work.error
    st.rerun()


def finished() -> ImportResult | None:
    """What came of the last import, until `begin_anew`."""
    results: dict[Hashable, ImportResult] = st.session_state.get(FINISHED, {})
    return next(reversed(results.values()), None)


def begin_anew() -> None:
    """Forget what came of the last import, for the next one."""
    for token in st.session_state.pop(FINISHED, {}):
        st.session_state.get(RUNNING, {}).pop(token, None)  # where a press had ended the run that kept it


def follow_others() -> None:
    """The same for what was begun before its page was left."""
    for token in list(st.session_state.get(RUNNING, {})):
        follow(token)
