"""The file in which ``eboard-bridge calibrate`` keeps which men carry which tags.

JSON: for each letter of a man (``PNBRQKpnbrqk``) the list of its tags. Many sets of men may stand
in one file, and many boards may share it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from bridge.config.schema import INVALID, Reader, Scalar
from bridge.core.json_errors import NOT_JSON
from drivers.events import PIECES

_REMEDY = "write the name of a file that eboard-bridge calibrate has made"


class CalibrationError(Exception):
    """The file holds no calibration; the message names it and says why."""


def read_calibration(path: Path) -> dict[str, str]:
    """Return the letters of men by their tags.

    Raises:
        CalibrationError: the file holds something else.
        OSError: it cannot be read.
    """
    try:
        tags = msgspec.json.decode(path.read_bytes(), type=dict[str, list[str]])
    except NOT_JSON as error:
        raise CalibrationError(f"{path}: this is no calibration: {error}") from None
    letters: dict[str, str] = {}
    for letter, carried in tags.items():
        if letter not in PIECES or len(letter) != 1:
            raise CalibrationError(f"{path}: '{letter}' is no man; there are {', '.join(PIECES)}")
        for tag in carried:
            if letters.setdefault(tag, letter) != letter:
                raise CalibrationError(f"{path}: tag {tag} is that of two men")
    if not letters:
        raise CalibrationError(f"{path}: no man in it has a tag")
    return letters


def calibration_text(letters: Mapping[str, str]) -> str:
    """Return the content of a file that holds *letters*, as :func:`read_calibration` reads it."""
    tags = {man: [tag for tag, letter in letters.items() if letter == man] for man in PIECES}
    return msgspec.json.format(msgspec.json.encode(tags), indent=1).decode() + "\n"


class _CalibrationFile(Scalar):
    def read(self, node: yaml.Node, name: str, reader: Reader) -> Any:
        """Return the letters of men by their tags; the file lies beside the configuration."""
        path = super().read(node, name, reader)
        if path is INVALID:
            return INVALID
        try:
            return read_calibration(reader.file.absolute().parent / path.expanduser())
        except CalibrationError as error:
            reader.report(node, str(error), _REMEDY)
        except OSError as error:
            reader.report(node, f"'{name}' is '{path}': {error.strerror}", _REMEDY)
        return INVALID


CALIBRATION = _CalibrationFile("a file, relative to this one", Path)
