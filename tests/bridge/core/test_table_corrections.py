"""Names that are corrected while a game is on, and those of another game."""

import msgspec
import pytest

from bridge.core.model import GameStarted, SetupCorrected, StateExplained, TableSetup
from bridge.core.scoresheet.record import Scorebook
from bridge.core.table.corrections import corrected
from tests.bridge.core.dialogue import TableTalk

SETUP = TableSetup(
    round="3", board=7, white="Kramr, Anna", black="Okafor, Ben", time_control="5400+30"
)
IDS = {"WhiteFideId": "77", "BlackFideId": "78"}


def changed(setup: TableSetup = SETUP, **changes: object) -> TableSetup:
    return msgspec.structs.replace(setup, **changes)


@pytest.mark.parametrize(
    ("game", "now"),
    [
        (SETUP, changed(white="Kramer, Anna", tags={"WhiteElo": "2301"})),
        (SETUP, changed(black="okafor, ben", event="Open", site="Delft", date="2026.11.20")),
        (changed(white="?", black="?"), changed(board=9)),
        (changed(tags=IDS), changed(white="Smith", black="Jones", tags=IDS)),
        (changed(tags={"WhiteFideId": "77"}), changed(white="Kramer, Anna")),
    ],
)
def test_the_same_game_has_better_names(game: TableSetup, now: TableSetup) -> None:
    assert corrected(game, changed(now, time_control="60")) == now


@pytest.mark.parametrize(
    "now",
    [
        changed(round="4"),
        changed(white="Okafor, Ben", black="Kramer, Anna"),
        changed(black="Sample, Boris"),
        changed(white="?"),
    ],
)
def test_another_game_has_other_names(now: TableSetup) -> None:
    assert corrected(SETUP, now) is None


def test_a_game_keeps_the_day_on_which_it_was_begun_unless_somebody_wrote_another() -> None:
    today, tomorrow = (changed(date=date, undated=True) for date in ("2026.11.20", "2026.11.21"))
    table = TableTalk.ready(today)
    table.setup(1.0, tomorrow)
    (begun,) = (fact for fact in table.told(GameStarted) if isinstance(fact, GameStarted))
    assert begun.setup == tomorrow, "nobody had moved"
    table.plays(2.0, "e4", "e5")
    table.setup(20.0, today).orders(30.0, "1-0").setup(31.0, tomorrow).setup(32.0, today)
    assert table.told(SetupCorrected) == []
    written = changed(date="2026.11.19")
    (fact,) = table.setup(33.0, written).told(SetupCorrected)
    assert isinstance(fact, SetupCorrected)
    assert fact.setup.date == written.date


def test_another_number_is_another_player_whatever_the_name() -> None:
    other = {"WhiteFideId": "79", "BlackFideId": "78"}
    assert corrected(changed(tags=IDS), changed(tags=other)) is None


def test_a_game_keeps_its_moves_when_its_names_are_corrected() -> None:
    table = TableTalk.ready(SETUP)
    table.plays(2.0, "e4", "e5")
    better = changed(white="Kramer, Anna", board=9)
    table.setup(20.0, better)
    (fact,) = table.told(SetupCorrected)
    assert isinstance(fact, SetupCorrected)
    assert (fact.game, fact.setup) == (1, better)
    table.setup(21.0, better).plays(22.0, "Nf3")
    assert len(table.told(SetupCorrected)) == 1
    assert table.told(GameStarted) == []
    book = Scorebook()
    book.apply(
        GameStarted(
            setup=SETUP,
            fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            rotated=False,
            table="7",
            game=1,
            at=0.0,
            wall=0.0,
            evidence=(1, 1),
        )
    )
    for each in table.facts:
        book.apply(each)
    (record,) = book.records()
    assert (record.setup, [ply.san for ply in record.plies]) == (better, ["e4", "e5", "Nf3"])


def explained(table: TableTalk) -> list[str]:
    return [fact.text for fact in table.told(StateExplained) if isinstance(fact, StateExplained)]


def test_the_next_pairing_waits_until_the_game_is_over() -> None:
    table = TableTalk.ready(SETUP)
    table.plays(2.0, "e4", "e5")
    following = changed(round="4", white="Muster, Carl", black="Probe, Dora")
    table.setup(20.0, following)
    assert table.told(SetupCorrected) == []
    said = (
        "the game goes on as that of Kramr, Anna and Okafor, Ben; "
        "Muster, Carl and Probe, Dora come with the next one"
    )
    assert explained(table) == [said]
    table.orders(30.0, "1-0").setup(31.0, changed(following, board=8))
    assert explained(table)[1].startswith("waiting for the start position")
    table.shows(40.0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").ticks(45.0)
    (begun,) = (fact for fact in table.told(GameStarted) if isinstance(fact, GameStarted))
    assert begun.setup == changed(following, board=8)


def test_names_are_corrected_after_the_game_too() -> None:
    table = TableTalk.ready(SETUP)
    table.plays(2.0, "e4", "e5")
    table.orders(30.0, "1-0").setup(31.0, changed(white="Kramer, Anna"))
    assert [fact.game for fact in table.told(SetupCorrected)] == [1]


@pytest.mark.parametrize("emptied", [True, False])
def test_a_man_exchanged_for_whom_a_pawn_was_promoted_is_another_promotion(emptied: bool) -> None:
    """A rook upside down is replaced by the queen that was not at hand; unless he is misread."""
    table = TableTalk.ready(TableSetup(start_fen="7k/P7/8/8/8/8/7p/4K3 w - - 0 1"))
    table.sees(2.0, without="a7").sees(2.6, white_rook="a8").clock(3.5, 299, 300, "right").ticks(
        7.0
    )
    if emptied:
        table.sees(8.0, without="a8")
    table.sees(9.0, white_queen="a8").ticks(13.0)
    assert table.moves == ("a8=Q+" if emptied else "a8=R+")
