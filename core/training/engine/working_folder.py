"""The folder in which a requested training keeps its unfinished work."""

import hashlib
import json
import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from core.errors import StorageError
from core.home import home


class ResumableTraining(ABC):
    """What a job's row keeps of a training, and the folder that follows from it."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Return the settings that a job keeps."""

    @property
    def folder(self) -> Path:
        """Where the training keeps what is under way: the same for the same order, so that it goes on."""
        text = json.dumps(self.as_json(), sort_keys=True)
        return home() / "training" / hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def discard(self) -> None:
        """Delete what is under way of a training that nobody runs. Raises StorageError."""
        try:
            shutil.rmtree(self.folder)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StorageError(f"{self.folder} cannot be deleted: {error.strerror}; delete it by hand.") from error
