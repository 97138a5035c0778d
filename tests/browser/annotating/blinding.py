"""What several tests of blinding share."""

from playwright.sync_api import Page, Response, WebSocket

from core.stories import Corpus, Source, StoryRecord

# Words that stand nowhere in Fabula's own pages, so that finding one means that it was sent.
SYSTEMS = ("zqsystemalpha", "zqsystembeta")
PROMPTS = ("zqpromptone", "zqprompttwo")


def marked_corpus() -> Corpus:
    """Stories whose ids, systems and prompt ids can be told from anything else."""
    stories = []
    for p in PROMPTS:
        opening = f"Once upon a {len(p)}."
        for number, system in enumerate(SYSTEMS):
            text = f"Then somebody walked {number} miles. It rained. The {len(p)}th day ended."
            stories.append(StoryRecord(f"zqkey-{p}-{system}", p, opening, text, Source.SYSTEM, system))
        text = f"A door opened on the {len(p)}th day. Nobody came in. It closed again."
        stories.append(StoryRecord(f"zqkey-{p}-h", p, opening, text, Source.HUMAN, "zqauthor"))
        text = f"It closed again. A door opened {len(p)} times. It closed again."
        stories.append(StoryRecord(f"zqkey-{p}-n", p, opening, text, Source.NEGATIVE, "zqshuffled"))
    return Corpus("", tuple(stories))


class Wire:
    """All that came over the wire: the websocket's frames, and every answer but the program's own files."""

    def __init__(self, page: Page) -> None:
        self.frames: list[bytes] = []
        self.bodies: dict[str, bytes] = {}
        page.on("websocket", self._listen)
        page.on("response", self._keep)

    def _listen(self, socket: WebSocket) -> None:
        socket.on(
            "framereceived", lambda frame: self.frames.append(frame if isinstance(frame, bytes) else frame.encode())
        )

    def _keep(self, response: Response) -> None:
        if "/static/" not in response.url and response.status == 200:
            self.bodies[response.url] = response.body()
