"""Any course of a hall as facts; the same steps, the same facts."""

from collections.abc import Sequence
from typing import NamedTuple

import chess

from bridge.core.model import (
    AlertRaised,
    Fact,
    GameAdjourned,
    GameEnded,
    GameResumed,
    MoveProvisional,
    MoveTimed,
    PositionAdopted,
    SetupCorrected,
    StateExplained,
    TableSetup,
)
from drivers.cells import cells_of
from tests.livechess import Play

HARMLESS = "ssssssttbbccpqalm"
"""Kinds of steps that withdraw nothing and end nothing."""
ENDING = "ejn"
WITHDRAWING = "xxr"


class Step(NamedTuple):
    """``kind`` of what happens at ``table``, ``pause`` seconds after what happened before."""

    kind: str
    table: str
    pause: float
    choice: int


class Course:
    """A hall of two tables at which games are on."""

    def __init__(self, mark: str = "") -> None:
        """*mark* is in every text and name, and in no move."""
        self._mark = mark
        self._at = 0.0
        self._plays = {table: Play(table) for table in "12"}
        self._state = dict.fromkeys("12", "on")
        self.facts: list[Fact] = []
        for play in self._plays.values():
            self.facts += [play.link("live"), *play.start()]

    @property
    def at(self) -> float:
        """When the last thing happened."""
        return self._at

    def go_on(self, steps: Sequence[Step], mark: str = "", until: float = float("inf")) -> None:
        """Let happen what can happen of *steps*, in time."""
        self._mark = mark
        for step in steps:
            if self._at + step.pause > until:
                return
            self._at += step.pause
            play = self._plays[step.table]
            play.at = self._at
            self.facts += self._happens(play, step)

    def _happens(self, play: Play, step: Step) -> list[Fact]:
        state, plies = self._state[step.table], len(play.board.move_stack)
        match step.kind:
            case "n":
                self._state[step.table] = "on"
                return play.start()
            case "r" if state != "on":
                self._state[step.table] = "on"
                return [play.fact(GameResumed)]
            case "e" if state != "over":
                self._state[step.table] = "over"
                return [play.fact(GameEnded, result="1-0", by="arbiter")]
            case "j" if state == "on":
                self._state[step.table] = "adjourned"
                return [play.fact(GameAdjourned)]
            case "s" if state == "on":
                return self._settles(play, step.choice)
            case "t" if plies:
                ply = 1 + step.choice % plies
                return [play.fact(MoveTimed, ply=ply, clk_ms=1000 * (self._number + step.choice))]
            case "x" if plies and state == "on":
                return [play.takes_back(1 + step.choice % min(plies, 3))]
            case _:
                return self._around(play, step)

    @property
    def _number(self) -> int:
        return 7000 if self._mark else 5000

    def _settles(self, play: Play, choice: int) -> list[Fact]:
        moves = sorted(play.board.legal_moves, key=chess.Move.uci)
        if not moves:
            return []
        san = play.board.san(moves[choice % len(moves)])
        if choice % 11 == 0:
            fen = play.board.fen()
            ply = len(play.board.move_stack)
            adopted = play.fact(PositionAdopted, ply=ply, fen=fen, reason=f"seen {self._mark}")
            return [adopted, *play.plays(san)[1:]]
        return play.plays(san)[choice % 2 :]

    def _around(self, play: Play, step: Step) -> list[Fact]:
        """Return what is no move."""
        mark, choice = self._mark, step.choice
        match step.kind:
            case "b":
                board = play.board.copy()
                board.remove_piece_at(choice % 64)
                return [play.shows(cells_of(board))]
            case "c":
                left = self._number + choice
                return [play.clock(left, left + 1, ("white", "black")[choice % 2])]
            case "l":
                return [play.link(("live", "stale", "lost")[choice % 3])]
            case "p":
                return [play.fact(MoveProvisional, ply=1, uci="a2a3", san=f"a3{mark}")]
            case "q":
                return [play.fact(StateExplained, text=f"waits {mark}")]
            case "a":
                alert = {"code": "ILLEGAL_MOVE", "severity": "critical", "text": mark}
                return [play.fact(AlertRaised, **alert)]
            case "m":
                setup = TableSetup(white=f"White {mark} {choice}", black="Black", round="1")
                return [play.fact(SetupCorrected, setup=setup)]
            case _:
                return []
