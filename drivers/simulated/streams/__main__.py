"""Board streams with truth on disk: ``python -m drivers.simulated.streams --folder DIR``."""

import argparse
import json
from pathlib import Path
from random import Random

import chess.pgn
from rich.console import Console
from rich.progress import track

from drivers.simulated import games
from drivers.simulated.streams.profile import PROFILES, Profile
from drivers.simulated.streams.session import play_session


def main() -> None:
    """Write as many streams as asked for; the same arguments write the same files."""
    parser = argparse.ArgumentParser(
        prog="python -m drivers.simulated.streams",
        description="Plays games at simulated tables and writes NAME.jsonl, what a board and its "
        "clock told, and NAME.truth.json, what was really played.",
    )
    parser.add_argument("--folder", type=Path, required=True, help="where the files go")
    parser.add_argument("--profile", choices=list(PROFILES), default="club")
    parser.add_argument("--board", choices=("identity", "occupancy"), default="identity")
    parser.add_argument("--count", type=int, default=10, help="how many streams")
    parser.add_argument("--seed", type=int, default=1, help="of the first stream; the next add one")
    parser.add_argument("--games", type=Path, help="a PGN file to play from (default: our own)")
    arguments = parser.parse_args()
    pool = read_games(arguments.games) if arguments.games else own_games()
    if not pool:
        parser.error(f"{arguments.games} holds no game that can be played")
    arguments.folder.mkdir(parents=True, exist_ok=True)
    profile = PROFILES[arguments.profile]
    seeds = range(arguments.seed, arguments.seed + arguments.count)
    for seed in track(seeds, description="playing", console=Console(stderr=True)):
        name = f"{profile.name}-{arguments.board}-{seed}"
        lines, truth = play_session(
            choose(pool, profile, seed), profile, board=arguments.board, seed=seed, name=name
        )
        text = "".join(f"{line}\n" for line in lines)
        (arguments.folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
        text = json.dumps(truth, indent=1) + "\n"
        (arguments.folder / f"{name}.truth.json").write_text(text, encoding="utf-8")


def own_games() -> list[chess.pgn.Game]:
    """Return the games that come with the simulated boards."""
    return [games.load(name) for name in games.names()]


def read_games(path: Path) -> list[chess.pgn.Game]:
    """Return the games of a PGN file that have moves, without an error, by rules we play."""
    found = []
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            playable = type(game.board()) is chess.Board and game.next() is not None
            if playable and not game.errors:
                found.append(game)
    return found


def choose(pool: list[chess.pgn.Game], profile: Profile, seed: int) -> list[chess.pgn.Game]:
    """Draw the games of one session: one, and further ones as *profile* has it."""
    rng = Random(f"{seed} games")
    chosen = [rng.choice(pool)]
    while rng.random() < profile.proceedings.another:
        chosen.append(rng.choice(pool))
    return chosen


if __name__ == "__main__":
    main()
