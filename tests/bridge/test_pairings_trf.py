"""Pairings from tournament report files, TRF16 and TRF26."""

import pytest

from bridge.pairings import PairingError, Pairings, Person, read_pairings

EXAMPLE = """\
012 Town Open
### a comment
001    1 wWIM Example, Anna                     2203 NED    99900001 1999/04/17  1.5\
    1     3 w 1     2 b =
001    2 m    Sample, Boris                     1987 GER    99900002 1987/00/00  1.5\
    2  0000 - U     1 w =
001    3 m FM Muster, Carl                      2050 AUT    99900003 2001/12/03  0.0\
    3     1 b 0  0000 - Z
999 whatever this says
"""


def player(
    rank: int, name: str, *rounds: str, elo: str = "", title: str = "", id_: str = ""
) -> str:
    """Return a player's record; each round as ``opponent colour result``."""
    head = f"001 {rank:>4} m{title:>3} {name[:33]:<33} {elo:>4} NED {id_:>11} {'':10} {'':4} {'':4}"
    games = "".join(
        f"  {opponent:>4} {colour} {result}"
        for opponent, colour, result in (each.split("/") for each in rounds)
    )
    return f"{head}{games}\n"


def read(text: str) -> Pairings:
    return read_pairings(text.encode())


def boards(text: str, round_: str) -> list[tuple[str, str]]:
    games = sorted(read(text).of_round(round_), key=lambda game: game.board)
    return [(game.white.name, game.black.name) for game in games]


def refused(text: str) -> list[tuple[int | None, int | None, str]]:
    with pytest.raises(PairingError) as error:
        read(text)
    return [(each.line, each.column, each.what) for each in error.value.troubles]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_example_of_the_specification(end: str) -> None:
    games = read(EXAMPLE.replace("\n", end))
    assert games.rounds == ("1", "2")
    anna = Person(name="Example, Anna", title="WIM", elo=2203, fide_id=99900001, federation="NED")
    assert games.players[0] == anna
    assert [(g.board, g.white.name, g.black.name) for g in games.of_round("1")] == [
        (1, "Example, Anna", "Muster, Carl")
    ]
    assert [(g.white.name, g.black) for g in games.of_round("2")] == [("Sample, Boris", anna)]
    assert [note.what for note in games.notes] == [
        "the file has no board numbers: they are taken from scores and ranks"
    ]


def test_records_as_the_tests_write_them_have_the_columns_of_the_example() -> None:
    line = player(1, "Example, Anna", "3/w/1", "2/b/=", elo="2203", title="WIM", id_="99900001")
    example = EXAMPLE.splitlines()[2]
    assert (line[:68], line[90:].rstrip()) == (example[:9] + "m" + example[10:68], example[90:])


def test_boards_follow_scores_then_ranks() -> None:
    text = (
        player(1, "A", "5/w/0", "2/b/ ")
        + player(2, "B", "6/b/1", "1/w/ ")
        + player(3, "C", "4/w/=", "6/b/ ")
        + player(4, "D", "3/b/=", "5/w/ ")
        + player(5, "E", "1/b/1", "4/b/ ")
        + player(6, "F", "2/w/0", "3/w/ ")
        + player(7, "G", "    /-/H", "    /-/ ")
    )
    assert boards(text, "1") == [("A", "E"), ("F", "B"), ("C", "D")]
    assert boards(text, "2") == [("D", "E"), ("B", "A"), ("F", "C")]


def test_forfeits_without_colours_are_no_games() -> None:
    assert boards(player(1, "A", "2/-/+") + player(2, "B", "1/-/-"), "1") == []
    assert boards(player(1, "A", "2/w/+") + player(2, "B", "1/b/-"), "1") == [("A", "B")]


def test_one_colour_is_enough() -> None:
    assert boards(player(1, "A", "2/ / ") + player(2, "B", "1/b/ "), "1") == [("A", "B")]
    assert boards(player(1, "A", "2/w/ ") + player(2, "B", "1/ / "), "1") == [("A", "B")]


@pytest.mark.parametrize("code", ["013", "310"])
def test_teams_sit_in_the_order_of_their_line_up(code: str) -> None:
    people = player(1, "A1", "4/w/ ") + player(2, "A2", "3/b/ ")
    people += player(3, "B1", "2/w/ ") + player(4, "B2", "1/b/ ")
    if code == "013":
        teams = f"013 {'Alfa':<32}   2    1\n013 {'Beta':<32}   3    4\n"
    else:
        teams = f"310   1 {'Alfa':<32}{'':33}   2    1\n310   2 {'Beta':<32}{'':33}   3    4\n"
    teams = teams.replace("   2    1", "   2    1   77")
    assert boards(people + teams, "1") == [("B1", "A2"), ("A1", "B2")]
    assert [person.team for person in read(people + teams).players] == ["Alfa"] * 2 + ["Beta"] * 2
    if code == "310":
        changed = "300   1   1   2    1    2\n"
        assert boards(people + teams + changed, "1") == [("A1", "B2"), ("B1", "A2")]


def test_the_time_control_of_trf26() -> None:
    text = "222 40/6000+30:900+30\n" + EXAMPLE
    assert {game.time_control for game in read(text).pairings} == {"40/6000+30:900+30"}


def test_names_that_were_counted_in_bytes_are_set_right() -> None:
    name = "Ždralović, Đorđe"
    by_characters = player(1, name, elo="2001", id_="77")
    by_bytes = by_characters.replace(name + " " * 4, name)
    assert len(by_bytes[:52].encode()) == 56
    for text in (by_characters, by_bytes):
        (found,) = read(text + player(2, "B")).players[:1]
        assert (found.name, found.elo, found.fide_id) == (name, 2001, 77)
    (latin,) = read_pairings(player(1, "Müller, Jörg", elo="1800").encode("latin-1")).players
    assert (latin.name, latin.elo) == ("Müller, Jörg", 1800)


def test_columns_that_fit_neither_way_are_refused() -> None:
    assert refused(player(1, "Žarko", elo="xx")) == [(1, 49, "rating is 'xx'")]


def test_short_lines_and_old_titles() -> None:
    assert read("001    1").players == (Person(name="No. 1"),)
    assert read("001    1 m  g Sample").players == (Person(name="Sample", title="GM"),)


def test_what_contradicts_itself_is_refused_at_once() -> None:
    text = (
        player(1, "A", "2/w/ ", elo="x")
        + player(2, "B", "3/w/ ")
        + player(3, "C", "2/w/ ")
        + player(4, "D", "9/b/ ")
        + player(5, "E", "5/b/ ")
        + player(5, "F", "y/z/ ")
        + player(6, "G", "7/-/ ")
        + player(7, "H", "6/-/ ")
        + "001      m    Nobody\n"
    )
    assert refused(text) == [
        (1, 49, "rating is 'x'"),
        (1, 92, "1 meets 2, who meets somebody else"),
        (2, 92, "2 and 3 have no different colours"),
        (4, 92, "nobody has the starting rank 9"),
        (5, 92, "5 meets 5, who meets somebody else"),
        (6, 5, "starting rank 5 is used on line 5 too"),
        (6, 92, "opponent of round 1 is 'y'"),
        (6, 97, "colour of round 1 is 'z'"),
        (7, 92, "6 and 7 have no different colours"),
        (9, 5, "no starting rank"),
    ]


def test_a_file_without_players_has_no_games() -> None:
    games = read("012 Town Open\n")
    assert (games.pairings, games.players, games.notes) == ((), (), ())
