"""A board that speaks the Chess Peripheral Protocol: the board's side of the wire.

It makes out moves from what stands and leaves judging to the host, as the specification has it.
How long a move must stand before it is told is our guess. What a board shows to its players is
``complains``: whether it would tell them that the men stand wrong.
"""

from collections import deque
from typing import Literal

import chess

from drivers.boards.ble_chess.protocol import (
    STREAM_FEATURES,
    after_move,
    cells_of,
    placement_of,
)
from drivers.cells import can_show
from drivers.codec import Outgoing
from drivers.events import EMPTY, UNNAMED, UNNAMED_BLACK, UNNAMED_WHITE
from drivers.simulated.model import BoardModel

MADE_AFTER = 0.3
"""Seconds for which a move must stand to be taken for one."""

_BAUD = 100_000


class ChessPeripheralBoard(BoardModel):
    """One board.

    Args:
        generation: of the protocol: 3 is that of today, 2 has ``state_stream`` for
            ``submove_state``, 1 and 0 know no rounds.
        streams: whether it knows the feature that tells every change.
        senses: what it knows of its men.
        seed: of what is random about it.
    """

    def __init__(
        self,
        *,
        generation: int = 3,
        streams: bool = True,
        senses: Literal["identity", "colour", "occupancy"] = "identity",
        seed: int = 0,
    ) -> None:
        super().__init__(baud=_BAUD, seed=seed)
        self.heard: list[str] = []
        self.in_step = False
        self._generation = generation
        self._senses = senses
        known = {3: STREAM_FEATURES[0], 2: STREAM_FEATURES[1]}.get(generation, "")
        self._features = {known} if streams else set()
        self._features |= {"side"} if generation == 3 else set()
        self._asked_for: set[str] = set()
        self._round = ""
        self._made = ""
        """The move that waits to be acknowledged."""
        self._out: deque[str] = deque()

    @property
    def complains(self) -> bool:
        """Whether it shows its players that something stands wrong."""
        return bool(self._round) and not self.in_step

    @property
    def told(self) -> str:
        """What stands on the board, as far as it knows."""
        if self._senses == "identity":
            return self.cells
        men = {True: UNNAMED_WHITE, False: UNNAMED_BLACK} if self._senses == "colour" else {}
        return "".join(
            letter if letter == EMPTY else men.get(letter.isupper(), UNNAMED)
            for letter in self.cells
        )

    def link_lost(self) -> None:
        """Forget the round; a session ends with its link."""
        self._round = self._made = ""
        self.in_step = False
        self._asked_for.clear()
        self._out.clear()

    def knock(self, *, at: float) -> None:
        """Say by itself that it is out of step, as where men fell over."""
        self.advance(at=at)
        self._lose_step()

    def poll(self, *, at: float) -> Outgoing:
        """Return one message, which is one notification."""
        self.advance(at=at)
        if not self._out:
            return Outgoing(b"", self._due_at)
        message = self._out.popleft().encode()
        return Outgoing(message, at if self._out else self._due_at)

    def _hear(self, data: bytes, at: float) -> None:
        del at  # an answer goes with the next poll
        text = data.decode()
        self.heard.append(text)
        word, _, rest = text.partition(" ")
        if self._generation == 0:
            return
        match word:
            case "feature":
                self._answer(rest in self._features)
                self._asked_for |= {rest} & self._features
            case "variant":
                self._answer(rest == "standard")
            case "begin" if self._generation == 1:
                self._answer(False)
            case "begin":
                self._begin(rest)
            case "ok" | "nok" | "promote" if self._made:
                self._acknowledged(word, rest)
            case "set_variant" | "side" | "err" | "end":
                pass
            case _:
                self._out.append("err unexpected")

    def _begin(self, position: str) -> None:
        self._round, self._made = cells_of(position) or "", ""
        self.in_step = can_show(self.told, self._round)
        self._out.append(f"{'sync' if self.in_step else 'unsync'} {placement_of(self.told)}")

    def _acknowledged(self, word: str, promoted: str) -> None:
        made, self._made = promoted or self._made, ""
        if word == "nok":
            self._lose_step()
        else:
            self._round = after_move(self._round, made)

    def _lose_step(self) -> None:
        self.in_step = False
        self._out.append(f"unsync {placement_of(self.told)}")

    def _changed(self, square: chess.Square, before: str, at: float) -> None:
        del square, before
        if not self._round:
            return
        if not self.in_step and can_show(self.told, self._round):
            self.in_step = True
            self._out.append(f"sync {placement_of(self.told)}")
        elif not self.in_step or self._asked_for & set(STREAM_FEATURES):
            self._out.append(f"state {placement_of(self.told)}")
        self._due_at = at + MADE_AFTER

    def _falls_due(self, at: float) -> None:
        del at  # what is made out now goes with this poll
        if not self.in_step or self._made or can_show(self.told, self._round):
            return
        move = self._find_move()
        if move is not None:
            self._made = move
            self._out.append(f"move {move}")

    def _find_move(self) -> str | None:
        """Return the move that leads from the round to what stands: legal, or else any."""
        game = chess.Board(None)
        game.set_board_fen(placement_of(self._round).replace("U", "Q").replace("u", "q"))
        game.castling_rights = chess.BB_CORNERS
        for colour in chess.COLORS:
            game.turn = colour
            for move in [*game.legal_moves, *_en_passants(game)]:
                if can_show(self.told, after_move(self._round, move.uci())):
                    return str(move) if self._senses == "identity" else str(move)[:4]
        gone = [s for s in chess.SQUARES if self.told[s] == EMPTY != self._round[s]]
        come = [s for s in chess.SQUARES if not can_show(self.told[s], self._round[s])]
        others = [s for s in come if s not in gone]
        if len(gone) == len(others) == 1:
            return chess.square_name(gone[0]) + chess.square_name(others[0])
        return None

    def _answer(self, yes: bool) -> None:
        self._out.append("ok" if yes else "nok")


def _en_passants(game: chess.Board) -> list[chess.Move]:
    """Return pawn captures onto empty squares, which need a history that no placement has."""
    pawns = game.pieces(chess.PAWN, game.turn) & (
        chess.BB_RANK_5 if game.turn == chess.WHITE else chess.BB_RANK_4
    )
    return [
        chess.Move(pawn, target)
        for pawn in pawns
        for target in game.attacks(pawn)
        if game.piece_at(target) is None
    ]
