"""Pairings from CSV: columns in many languages, and everything that goes wrong in spreadsheets."""

import codecs

import pytest

from bridge.pairings import Pairing, PairingError, Pairings, Person, read_pairings


def read(text: str) -> Pairings:
    return read_pairings(text.encode())


def refused(text: str | bytes) -> list[tuple[int | None, int | None, str, str]]:
    with pytest.raises(PairingError) as error:
        read_pairings(text.encode() if isinstance(text, str) else text)
    return [(each.line, each.column, each.what, each.remedy) for each in error.value.troubles]


def noted(pairings: Pairings) -> list[tuple[int | None, int | None, str]]:
    return [(each.line, each.column, each.what) for each in pairings.notes]


def test_all_columns() -> None:
    head = (
        "round,board,white,white_title,white_elo,white_fideid,white_team,white fed,black,position"
    )
    row = "5,12,Kramer,WIM,2301,1234567,Delft,ned,Okafor,518,5400+30"
    games = read(f"{head},time control\n{row}\n")
    (game,) = games.pairings
    assert game == Pairing(
        round="5",
        board=12,
        white=Person(
            name="Kramer",
            title="WIM",
            elo=2301,
            fide_id=1234567,
            team="Delft",
            federation="NED",
        ),
        black=Person(name="Okafor"),
        line=2,
        start_fen="rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        chess960=True,
        time_control="5400+30",
    )
    assert games.players == (game.white, game.black)
    assert games.notes == ()


@pytest.mark.parametrize(
    "text",
    [
        "Brett;Weiß;Elo;Schwarz;Elo\n3;Müller, Jörg;2000;Öz, Ali;1900\n",
        "Br.\tWEISS\tWeiss Elo\tSchwarz\tElo (Schwarz)\n3\tMüller, Jörg\t2000\tÖz, Ali\t1900",
        "Bo.,Name,Rtg,Name,Rtg,,\r\n3.,'Müller, Jörg',2000,'Öz, Ali',1900,,\r\n,,,,,,\r\n",
        'sep=;\n\n"доска";"белые";elo;"чёрные";elo\n3;Müller, Jörg;2000;Öz, Ali;1900',
        "mesa|blancas|rtg|negras|rtg\n3|Müller, Jörg|2000|Öz, Ali|1900",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_languages_separators_and_encodings(text: str, encoding: str) -> None:
    if "д" in text and encoding == "cp1252":
        encoding = "utf-8"
    games = read_pairings(text.replace("'", '"').encode(encoding))
    (game,) = games.pairings
    assert (game.board, game.white.name, game.white.elo) == (3, "Müller, Jörg", 2000)
    assert (game.black.name, game.black.elo) == ("Öz, Ali", 1900)
    assert [each for each in games.notes if "Windows-1252" not in each.what] == []
    assert bool(games.notes) == (encoding == "cp1252")


def test_without_board_numbers_the_order_counts_and_byes_keep_theirs_free() -> None:
    games = read("white,black\nA,B\nC,bye\n,D\nE,F\n")
    assert [(game.board, game.white.name) for game in games.pairings] == [(1, "A"), (4, "E")]
    assert [each.name for each in games.players] == ["A", "B", "C", "D", "E", "F"]


def test_boards_of_several_matches_come_one_behind_the_other() -> None:
    games = read("board,white,black\n1.1,A,B\n1.2,C,D\n2.1,E,F\n2.2,G,H\n")
    assert [game.board for game in games.pairings] == [1, 2, 3, 4]


def test_a_list_of_players_has_no_games() -> None:
    players = read("Name,Title,Elo,FIDE-ID,Verein\nKramer,WIM,2301,77,Delft\n,,,,Nobody\n")
    assert players.pairings == ()
    assert players.players == (
        Person(name="Kramer", title="WIM", elo=2301, fide_id=77, team="Delft"),
    )


def test_names_are_tidied_and_that_is_said() -> None:
    games = read('board,white,black\n1,"Kramer,\nAnna","\u202eOkafor,\u00a0 Ben\u200e\x07"\n')
    (game,) = games.pairings
    assert (game.white.name, game.black.name) == ("Kramer, Anna", "Okafor, Ben")
    left_out = "line breaks or invisible characters are left out"
    assert noted(games) == [
        (2, 2, f"column 'white': {left_out}"),
        (2, 3, f"column 'black': {left_out}"),
    ]


def test_names_keep_their_quotes() -> None:
    (game,) = read('white;black\n"O""Brien";D\'Arcy\n').pairings
    assert (game.white.name, game.black.name) == ('O"Brien', "D'Arcy")


def test_everything_wrong_is_told_at_once() -> None:
    long = "x" * 500
    text = (
        f"board,white,white_elo,black,black_id,sp\n1,{long},high,B,9999999999,960\n1,C,5000,D,1,x\n"
    )
    assert refused(f"{text}0,E,,F,1,\n") == [
        (2, 2, "column 'white' has 500 characters", "write a name of at most 100"),
        (2, 3, "column 'white_elo' is 'high'", "write a whole number up to 4000"),
        (2, 5, "column 'black_id' is '9999999999'", "write a whole number up to 999999999"),
        (2, 6, "column 'sp' is '960'", "write a whole number up to 959"),
        (3, 3, "column 'white_elo' is '5000'", "write a whole number up to 4000"),
        (
            3,
            6,
            "column 'sp' is no legal position",
            "write FEN, with the variant Chess960 where it is one, or a number from 0 to 959",
        ),
        (4, None, "FIDE id 1 is used on line 3 too", "change one of them"),
    ]


def test_one_board_for_two_games() -> None:
    assert refused("board,white,black\n7,A,B\n7,C,D\n") == [
        (3, None, "board 7 is used on line 2 too", "change one")
    ]
    assert refused("board,white,black\n9999.2,A,B\n1.2,C,D\n") == [
        (2, None, "board 19998 is beyond 9999", "number the matches from 1")
    ]
    assert refused("board,white,black\nx,A,B\n")[0][2] == "column 'board' is 'x'"


def test_one_player_on_two_boards_may_be_two_players() -> None:
    games = read("white,black\nWang Wei,B\nWang Wei,D\n")
    assert noted(games) == [(3, None, "'Wang Wei' has more than one game in the round")]
    assert refused("white,white_id,black,black_id\nA,7,A,7\n")[0][2:] == (
        "FIDE id 7 is used on line 2 too",
        "change one of them",
    )


def test_columns_that_are_missing_or_mistyped() -> None:
    assert refused("bord,whte,blak\n1,A,B\n") == [
        (1, None, "there is no column 'white'", "is 'whte' meant?"),
        (1, None, "there is no column 'black'", "is 'blak' meant?"),
        (1, 1, "unknown column 'bord'", "did you mean 'board'?"),
        (1, 2, "unknown column 'whte'", "did you mean 'white'?"),
        (1, 3, "unknown column 'blak'", "did you mean 'black'?"),
    ]
    assert refused("seat,home,away\n1,A,B\n") == [
        (1, None, "there is no column 'white'", "name a column 'white'"),
        (1, None, "there is no column 'black'", "name a column 'black'"),
    ]
    assert refused("white,elo,black\nA,1,B\n") == [
        (1, 2, "column 'elo' is there for one side alone", "name it white_elo or black_elo")
    ]
    assert refused("white,weiß,black\nA,A,B\n") == [
        (1, 2, "column 'weiß' says what column 1 says", "delete one of them")
    ]
    games = read("white,Points,,black\nA,3,,B\n")
    assert noted(games) == [(1, 2, "column 'Points' is passed over")]


def test_a_line_with_too_many_cells() -> None:
    assert refused("white,black\nKramer,Anna,Okafor\n") == [
        (
            2,
            3,
            "the line has 3 cells and the header 2",
            "put a name that holds the separator in quotes",
        )
    ]


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"", None, "the file is empty"),
        (b"\n \n", None, "the file is empty"),
        (b"PK\x03\x04rest", None, "the file is a workbook"),
        (b"white,black\nA\0,B\n", 2, "the file is not text"),
        (b'white,black\n"A,B\n', 2, "a quote that does not close, or stands alone"),
        (b'white,black\nA,B\n"C"c,D\n', 3, "a quote that does not close, or stands alone"),
        (b" " * 5_000_001, None, "the file is too large"),
    ],
)
def test_what_is_no_table(data: bytes, line: int | None, what: str) -> None:
    ((where, _, said, _),) = refused(data)
    assert (where, said.partition(":")[0]) == (line, what)


def test_bytes_that_windows_does_not_know_are_read_somehow() -> None:
    games = read_pairings(codecs.BOM_UTF8 + b"white,black\nA\xff,B\n")
    assert games.pairings[0].white.name == "A\ufffd"
    assert read_pairings(b"white,black\nA\x81\xe9,B\n").pairings[0].white.name == "Aé"


def test_a_federation_is_three_letters() -> None:
    games = read("white,white_fed,black,black_fed\nA,Holland,B,\nC,-,D,ger\n")
    assert [each.federation for each in games.players] == ["", "", "", "GER"]
    assert noted(games) == [(2, 2, "column 'white_fed': 'Holland' is left out")]


def test_titles_and_time_controls_that_nobody_knows_are_left_out() -> None:
    games = read("white,white_title,black,time_control\nA,Sir,B,soon\nC,-,D,?\n")
    assert (games.pairings[0].white.title, games.pairings[0].time_control) == ("", "")
    assert noted(games) == [
        (2, 2, "column 'white_title': 'Sir' is left out"),
        (2, 4, "column 'time_control': time control 'soon' is not understood and is left out"),
    ]
