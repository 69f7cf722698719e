"""Who reads the files of a round all the time, in a process of its own: a program for upload.

``python -m tests.bridge.round_reader FOLDER PROGRAM`` reads ``pgn`` and ``cloud`` until its input
ends, and prints what it found as JSON. PROGRAM is pgn-extract, or ``-``.
"""

import io
import json
import subprocess
import sys
import threading
from pathlib import Path

import chess.pgn

from tests.bridge.cloud_reader import read_game, read_index, read_tournament

ROUND = 3
BOARDS = 30


class Reader:
    def __init__(self, root: Path, program: str) -> None:
        self._pgn, self._cloud, self._program = root / "pgn" / f"{ROUND}", root / "cloud", program
        self.reads = 0
        self.lengths: set[int] = set()
        self.wrong: list[str] = []

    def look(self) -> None:
        """Read every file that is there."""
        for check in (
            *(self._games, self._extracted, self._single_games),
            *(self._cloud_files, self._uploaded),
        ):
            try:
                check()
            except FileNotFoundError:
                continue  # the round has not begun
            except Exception as error:  # noqa: BLE001 - whatever it is, no reader must see it
                self.wrong.append(f"{check.__name__}: {error!r}")
            else:
                self.reads += 1

    def _games(self) -> None:
        games = _read((self._pgn / "games.pgn").read_text("utf-8"))
        boards = [int(game.headers["Board"]) for game in games]
        assert boards == sorted(set(boards)), boards
        self.lengths.add(sum(game.end().ply() for game in games))

    def _extracted(self) -> None:
        if self._program == "-":
            raise FileNotFoundError
        text = (self._pgn / "games.pgn").read_bytes()
        command = [self._program, "--quiet", "-r"]
        run = subprocess.run(command, input=text, capture_output=True, check=False)
        assert not run.stderr.strip(), run.stderr

    def _single_games(self) -> None:
        for path in self._pgn.glob("*-1.pgn"):
            (game,) = _read(path.read_text("utf-8"))
            assert path.name == f"{game.headers['Board']}-1.pgn"

    def _uploaded(self) -> None:
        """Put the games of a folder together as Lichess Broadcaster does: by their last numbers."""
        paths = (self._cloud / f"round-{ROUND}").glob("game-*.pgn")
        numbers = sorted(int(path.stem.rpartition("-")[2]) for path in paths)
        if not numbers:
            raise FileNotFoundError
        texts = [
            (self._cloud / f"round-{ROUND}" / f"game-{number}.pgn").read_text("utf-8")
            for number in numbers
        ]
        assert [int(game.headers["Board"]) for game in _read("".join(texts))] == numbers

    def _cloud_files(self) -> None:
        assert read_tournament(self._cloud).rounds[-1].count == BOARDS
        pairings = read_index(self._cloud, ROUND).pairings
        assert len(pairings) == BOARDS
        for number in range(1, BOARDS + 1):
            game = read_game(self._cloud, number, ROUND)
            if game is not None:
                game.replayed()
                self.lengths.add(len(game.sans))


def _read(text: str) -> list[chess.pgn.Game]:
    """Return the games of a text that must be whole."""
    assert text.endswith("\n\n")
    games, stream = [], io.StringIO(text)
    while game := chess.pgn.read_game(stream):
        assert game.errors == []
        games.append(game)
    assert len(games) == text.count("[Event ")
    return games


def main() -> None:
    reader = Reader(Path(sys.argv[1]), sys.argv[2])
    ended = threading.Event()

    def wait_for_the_end() -> None:
        sys.stdin.read()
        ended.set()

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    while not ended.is_set():
        reader.look()
    reader.look()
    found = {"reads": reader.reads, "lengths": len(reader.lengths), "wrong": reader.wrong}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
