"""What holds for pairing files of any content."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from bridge.pairings import Pairing, PairingError, Pairings, Person, Register, read_pairings
from bridge.pairings.fields import _NOBODY
from bridge.pairings.register import name_key
from bridge.pairings.texts import tidy

WORDS = st.text(min_size=1, max_size=30).map(tidy)
NAMES = (
    st.lists(WORDS, min_size=1, max_size=3)
    .map(", ".join)
    .map(tidy)
    .filter(lambda name: len(name) > 3 and name[:33].strip().lower() not in _NOBODY)
)
PEOPLE = st.builds(
    Person,
    name=NAMES,
    title=st.sampled_from(["", "GM", "WIM", "CM"]),
    elo=st.none() | st.integers(1, 4000),
    team=st.just("") | NAMES,
)
POSITIONS = st.none() | st.integers(0, 959)
ROUNDS = st.lists(st.tuples(PEOPLE, PEOPLE, POSITIONS), min_size=1, max_size=6)
PIECES = st.sampled_from(
    [
        *("001 ", "013 ", "300 ", "310 ", "222 ", "012 ", "[White ", '"', "]", "\n", "\r", ","),
        *("board", "white", "black", "fen", "elo", "1", "42", "0000", "w", "b", "é", "\t", "   "),
    ]
)


def read(data: bytes) -> Pairings | None:
    try:
        return read_pairings(data)
    except PairingError as error:
        told = [trouble.what and trouble.remedy for trouble in error.troubles]
    assert told
    assert all(told)
    return None


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    read(data)


@given(st.sampled_from(["", "001 ", "[A", "white,black,elo,elo,sp,board\n"]), st.text(max_size=300))
def test_any_text_is_read_or_refused(start: str, text: str) -> None:
    read((start + text).encode(errors="replace"))


@given(st.sampled_from(["", "001", "[Round ", "white;black\n"]), st.lists(PIECES, max_size=60))
def test_any_pieces_are_read_or_refused(start: str, pieces: list[str]) -> None:
    games = read((start + "".join(pieces)).encode())
    for game in () if games is None else games.pairings:
        assert 1 <= game.board <= 9999
        for person in (game.white, game.black):
            assert person.name.isprintable()
            assert 0 < len(person.name) <= 100


@given(st.text(max_size=100))
def test_tidy_text_is_one_line_and_stays_as_it_is(text: str) -> None:
    tidied = tidy(text)
    assert tidied.isprintable()
    assert tidy(tidied) == tidied


def said(games: Pairings | None) -> list[tuple[int, Person, Person, str | None]]:
    assert games is not None

    def found(game: Pairing) -> tuple[int, Person, Person, str | None]:
        return game.board, game.white, game.black, game.start_fen

    return [found(game) for game in games.pairings]


def fen_of(position: int | None) -> str | None:
    import chess

    return None if position is None else chess.Board.from_chess960_pos(position).fen()


@given(ROUNDS, st.sampled_from(";,\t|"), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_what_a_spreadsheet_writes_is_read(
    games: list[tuple[Person, Person, int | None]], delimiter: str, encoding: str
) -> None:
    head = [
        f"{side}_{key}" for side in ("white", "black") for key in ("name", "title", "elo", "team")
    ]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    writer.writerow(["board", "sp", *head])
    for board, (white, black, position) in enumerate(games, 11):
        cells = [
            cell for one in (white, black) for cell in (one.name, one.title, one.elo, one.team)
        ]
        writer.writerow([board, position, *cells])
    expected = [(n, *game[:2], fen_of(game[2])) for n, game in enumerate(games, 11)]
    assert said(read(file.getvalue().encode(encoding))) == expected


@given(ROUNDS)
def test_what_a_pgn_export_writes_is_read(
    games: list[tuple[Person, Person, int | None]],
) -> None:
    text = ""
    for board, (white, black, position) in enumerate(games, 11):
        text += tag("Event", "Open") + tag("Board", str(board)) + tag("Variant", "Chess960")
        text += tag("FEN", fen_of(position) or "")
        for side, one in (("White", white), ("Black", black)):
            text += tag(side, one.name) + tag(f"{side}Title", one.title)
            text += tag(f"{side}Elo", str(one.elo or 0)) + tag(f"{side}Team", one.team)
        text += "\n*\n\n"
    expected = [(n, *game[:2], fen_of(game[2])) for n, game in enumerate(games, 11)]
    assert said(read(text.encode())) == expected


def tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]\n'


@given(ROUNDS, st.sampled_from(["utf-8", "utf-16"]))
def test_what_a_tournament_report_writes_is_read(
    games: list[tuple[Person, Person, int | None]], encoding: str
) -> None:
    """Names of more than 33 characters are cut off in it; teams and positions are not there."""
    text, expected = "", []
    for board, (white, black, _) in enumerate(games):
        sides = [
            Person(name=one.name[:33].strip(), title=one.title, elo=one.elo)
            for one in (white, black)
        ]
        expected.append((*sides,))
        ranks = 2 * board + 1, 2 * board + 2
        text += player(ranks[0], sides[0], f"{ranks[1]:>4} w")
        text += player(ranks[1], sides[1], f"{ranks[0]:>4} b")
    read_again = said(read(text.encode(encoding)))
    assert [game[1:3] for game in read_again] == expected


def player(rank: int, person: Person, game: str) -> str:
    head = f"001 {rank:>4} w{person.title:>3} {person.name:<33} {person.elo or 0:>4}"
    return f"{head:<91}{game}  \n"


def test_players_are_found_by_number_and_by_name() -> None:
    known = [
        Person(name="Kramer, Anna", title="WIM", elo=2301, fide_id=77, team="Delft"),
        Person(name="Müller, Jörg", elo=1900, fide_id=78),
        Person(name="Wang, Wei", elo=2000, fide_id=79),
        Person(name="Wang, Wei", elo=2100, fide_id=80),
        Person(name="Okafor, Ben", elo=1800),
    ]
    register = Register(known)
    assert register.completed(Person(name="A. Kramer", fide_id=77, elo=2310)) == Person(
        name="A. Kramer", title="WIM", elo=2310, fide_id=77, team="Delft"
    )
    assert register.completed(Person(name="Dr. Jorg Muller")).fide_id == 78
    assert register.completed(Person(name="Wang, Wei")) == Person(name="Wang, Wei")
    assert register.completed(Person(name="Wang, Wei", fide_id=80)).elo == 2100
    assert register.completed(Person(name="Müller, Jörg", fide_id=9)).elo is None
    assert register.completed(Person(name="Ben Okafor", fide_id=9)).elo == 1800
    assert register.completed(Person(name="Nobody")) == Person(name="Nobody")
    assert name_key("Gm") == {"gm"}


@given(st.lists(PEOPLE, max_size=5), PEOPLE)
def test_what_a_pairing_says_of_a_player_stays(known: list[Person], person: Person) -> None:
    completed = Register(known).completed(person)
    assert completed.name == person.name
    assert person.elo in (None, completed.elo)
    assert Register(known).completed(completed) == completed
