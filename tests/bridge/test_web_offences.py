"""Illegal moves that were confirmed in a player's other games of the event."""

from bridge.core.model import GameStarted, OffencesCounted, TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.web.archive import Archive
from bridge.web.offences import Offences, elsewhere


def record(table: str, round_: str, white: str, black: str, **tags: str) -> GameRecord:
    setup = TableSetup(round=round_, white=white, black=black, tags=tags)
    return GameRecord.begun_by(
        GameStarted(
            table=table,
            game=1,
            at=0.0,
            wall=0.0,
            evidence=(1, 1),
            setup=setup,
            fen="",
            rotated=False,
        )
    )


def counted(table: str, **counts: int) -> Archive:
    archive = Archive()
    for colour, count in counts.items():
        archive.tell(
            OffencesCounted(
                table=table,
                game=1,
                at=1.0,
                wall=1.0,
                evidence=(1, 1),
                colour="white" if colour == "white" else "black",
                count=count,
            )
        )
    return archive


def test_a_player_is_known_by_his_name_whatever_his_colour() -> None:
    now, before = record("4", "3", "Anna", "Ben"), record("7", "1", "Carla", "Anna")
    found = elsewhere(now, [before, now], counted("7", white=1, black=2))
    assert found == {"white": [Offences("7", 1, "1", 2)], "black": []}


def test_ids_go_before_names() -> None:
    now = record("4", "3", "Anna", "Li, Wei", WhiteFideId="1", BlackFideId="2")
    same = record("7", "1", "A. Nna", "Li, Wei", WhiteFideId="1", BlackFideId="3")
    found = elsewhere(now, [same, now], counted("7", white=1, black=1))
    assert found == {"white": [Offences("7", 1, "1", 1)], "black": []}


def test_nobody_is_known_without_a_name() -> None:
    now, before = record("4", "3", "", "?"), record("7", "1", "?", "")
    found = elsewhere(now, [before, now], counted("7", white=1, black=1))
    assert found == {"white": [], "black": []}
