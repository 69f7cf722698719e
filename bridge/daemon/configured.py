"""The configuration file of a daemon that runs, changed by it because somebody wants that."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path

from bridge.config import Config, ConfigError, parse
from bridge.config.loading import text_of
from bridge.daemon.changes import left
from bridge.outputs.controls import Changed, NotPossibleError
from bridge.store.files import replace_file

_PAIRINGS = (".csv", ".pgn", ".trf", ".trfx", ".txt")

logger = logging.getLogger(__name__)


def may_have_pairings(name: str) -> bool:
    """Whether a file that is called so, in the folder of the configuration, may have pairings."""
    return Path(name).name == name and Path(name).suffix.lower() in _PAIRINGS


class ConfiguredFile:
    """Changes the file, and has the daemon take it as it would by SIGHUP.

    Args:
        path: the file, ``None`` where the daemon was started without one.
        served: returns the configuration that is followed.
        take: follows another one.
    """

    def __init__(
        self, path: Path | None, served: Callable[[], Config], take: Callable[[Config], None]
    ) -> None:
        self._path = path
        self._served = served
        self._take = take
        self._lock = asyncio.Lock()

    def pairing_files(self) -> list[str]:
        """Return the names of files beside it that may have pairings."""
        if self._path is None:
            return []
        beside = self._path.parent.iterdir()
        return sorted(path.name for path in beside if may_have_pairings(path.name))

    async def pairings(self, name: str) -> bytes:
        """Return what stands in a file that may have pairings.

        Raises:
            NotPossibleError: it is not there, or cannot be read.
        """
        if self._path is None or name not in await asyncio.to_thread(self.pairing_files):
            raise NotPossibleError(f"there is no file {name} beside the configuration")
        path = self._path.parent / name
        try:
            return await asyncio.to_thread(path.read_bytes)
        except OSError as error:
            raise NotPossibleError(f"{path} cannot be read: {error.strerror or error}") from error

    async def change(self, edit: Callable[[str, Path], str]) -> Changed:
        """Let *edit* change the text of the file; it is given the path for its messages.

        Raises:
            NotPossibleError: there is no file, it would not be right, or cannot be written. It is
                as it was.
        """
        path = self._path
        if path is None:
            raise NotPossibleError("this eboard-bridge has no configuration file of its own")
        async with self._lock:
            try:
                config = await asyncio.to_thread(_changed, path, edit)
            except ConfigError as error:
                raise NotPossibleError(str(error)) from error
            except OSError as error:
                what = error.strerror or str(error)
                raise NotPossibleError(f"{path} cannot be written: {what}") from error
            waits = tuple(left(self._served(), config))
            self._take(config)
        return Changed(waits)


def _changed(path: Path, edit: Callable[[str, Path], str]) -> Config:
    text = edit(text_of(path), path)
    config = parse(text, path)
    file = path.resolve()  # a link stays one, and leads to what has changed
    mode = file.stat().st_mode & 0o777
    replace_file(file, text.encode(), private=True)  # it may have keys, and was for few perhaps
    file.chmod(mode)
    return config
