"""What a simple page makes of the messages of a table."""

from typing import Any

import msgspec

from bridge.web.games import CLOCK_JUMP_MS, Game

Message = dict[str, Any]


def as_told(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


class Page:
    """What a simple page makes of the messages of a table, as docs/web.md tells them."""

    def __init__(self, game: Game) -> None:
        self.game: Message = as_told(game)

    def take(self, message: Message) -> None:
        match message["type"]:
            case "game":
                self.game = message["game"]
            case "ply":
                self._enter(message)
            case "clock":
                self.game["clocks"] = message["clocks"]
            case "end":
                ended = {"state": "ended", "result": message["result"]}
                self.game |= ended | {"clocks": message["clocks"]}

    def _enter(self, message: Message) -> None:
        ply = {name: message[name] for name in ("uci", "san", "fen", "clock_ms", "estimated")}
        plies = self.game["plies"][: message["ply"] - 1]
        assert len(plies) == message["ply"] - 1, "no move is left out"
        self.game |= {
            "plies": [*plies, ply],
            "ply": message["ply"],
            "fen": ply["fen"],
            "last_uci": ply["uci"],
            "last_san": ply["san"],
            "clocks": message["clocks"],
        }
        if self.game["state"] == "waiting":
            self.game["state"] = "playing"

    def differs_from(self, game: Game) -> list[str]:
        """The keys in which the page is wrong; clocks may differ as long as they run on."""
        told = as_told(game)
        wrong = [name for name in told if name != "clocks" and told[name] != self.game[name]]
        return wrong + (["clocks"] if _drift(self.game["clocks"], told["clocks"]) else [])


def _drift(shown: Message | None, told: Message | None) -> bool:
    if shown is None or told is None:
        return shown is not told
    passed = told["at"] - shown["at"]
    return shown["running"] != told["running"] or any(
        abs(shown[f"{side}_ms"] - passed * (shown["running"] == side) - told[f"{side}_ms"])
        > CLOCK_JUMP_MS
        for side in ("white", "black")
    )
