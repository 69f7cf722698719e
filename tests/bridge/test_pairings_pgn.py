"""Pairings from PGN with headers only, as pairing programs export a round."""

import pytest

from bridge.pairings import PairingError, Pairings, Person, read_pairings

ROUND = """\
[Event "Town Open"]
[Round "5.1"]
[White "Kramer, Anna"]
[Black "Okafor, Ben"]
[Result "*"]
[WhiteElo "2301"]
[BlackElo "0"]
[WhiteTitle "WIM"]
[WhiteFideId "77"]
[WhiteTeam "Delft"]
[TimeControl "5400+30"]

*

[Event "Town Open"]
[Round "5.2"]
[White "Sample, Boris"]
[Black "bye"]
[Result "1-0"]

1-0

[Event "Town Open"]
[Round "5.3"]
[White "Muster, Carl"]
[Black "Probe, Dora"]
[Result "1/2-1/2"]

1. e4 {[%clk 1:30:00] a comment} e5
1/2-1/2
"""


def tags(**games: str) -> str:
    return "".join(f'[{name} "{value}"]\n' for name, value in games.items()) + "\n*\n\n"


def read(text: str) -> Pairings:
    return read_pairings(text.encode())


def refused(text: str) -> list[tuple[int | None, int | None, str]]:
    with pytest.raises(PairingError) as error:
        read(text)
    return [(each.line, each.column, each.what) for each in error.value.troubles]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_round(encoding: str, end: str) -> None:
    games = read_pairings(ROUND.replace("\n", end).encode(encoding))
    assert games.rounds == ("5",)
    first, last = games.pairings
    assert first.white == Person(
        name="Kramer, Anna", title="WIM", elo=2301, fide_id=77, team="Delft"
    )
    assert first.black == Person(name="Okafor, Ben")
    assert (first.board, first.time_control, first.line) == (1, "5400+30", 1)
    assert (last.board, last.white.name, last.line) == (3, "Muster, Carl", 23)


@pytest.mark.parametrize(
    ("round_", "board", "found"),
    [
        ("5", "", ("5", 1)),
        ("5.12", "", ("5", 12)),
        ("5.12", "3", ("5", 3)),
        ("5.3.2", "", ("5", 2)),
        ("05", "", ("5", 1)),
        ("?", "4", ("", 4)),
        ("Final", "", ("Final", 1)),
        ("5.0", "", ("5", 1)),
    ],
)
def test_rounds_and_boards(round_: str, board: str, found: tuple[str, int]) -> None:
    (game,) = read(tags(Round=round_, Board=board, White="A", Black="B")).pairings
    assert (game.round, game.board) == found


def test_boards_of_team_matches() -> None:
    text = "".join(
        tags(White=f"W{match}{board}", Black=f"B{match}{board}", Round=f"1.{match}.{board}")
        for match, board in ((1, 1), (1, 2), (2, 1), (2, 2), (3, 1))
    )
    assert [game.board for game in read(text).pairings] == [1, 2, 3, 4, 5]


def test_rounds_are_told_apart() -> None:
    text = tags(White="A", Black="B", Round="1") + tags(White="B", Black="A", Round="2")
    games = read(text)
    assert games.rounds == ("1", "2")
    assert [game.white.name for game in games.of_round("2")] == ["B"]
    assert [game.board for game in games.pairings] == [1, 1]


@pytest.mark.parametrize("variant", ["Chess960", "Chess 960", "Fischerandom"])
def test_positions_of_chess960(variant: str) -> None:
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    (game,) = read(tags(White="A", Black="B", Variant=variant, FEN=fen)).pairings
    assert (game.start_fen, game.chess960) == (fen, True)


def test_other_positions_are_refused() -> None:
    fen = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    assert refused(tags(White="A", Black="B", FEN=fen)) == [(3, 7, "tag FEN is no legal position")]
    assert refused(tags(White="A", Black="B", Variant="Atomic")) == [
        (3, 11, "tag Variant is 'Atomic'")
    ]


def test_tags_that_are_not_written_well() -> None:
    games = read('[White "O\\"Brien \\\\ Co"]\n[Black "Ann "The Axe" Lee"]\n')
    (game,) = games.pairings
    assert (game.white.name, game.black.name) == ('O"Brien \\ Co', 'Ann "The Axe" Lee')
    assert [(each.line, each.column) for each in games.notes] == [(2, 1)]
    assert refused('[White "A"]\n [Black "B]\n') == [(2, 2, "'[Black \"B]' is no tag")]


def test_games_begin_where_a_tag_comes_again() -> None:
    text = '% made by hand\n[White "A"]\n[Black "B"]\n[White "C"]\n[Black "D"]\n'
    assert [game.white.name for game in read(text).pairings] == ["A", "C"]


def test_a_position_in_a_cell_is_a_number_or_nothing() -> None:
    (game,) = read(tags(White="A", Black="B", Variant="Chess960", FEN="?")).pairings
    assert (game.start_fen, game.chess960) == (None, True)
