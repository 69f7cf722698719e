"""What boards of every kind show, from what they say."""

import random

import chess
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.core.inference.placement import cells_from_placement, turned
from bridge.core.model import Payload, Sensing
from bridge.core.table.senses import LEARN_AFTER, MOST_TAGS, SCANS, Senses
from drivers.cells import cells_of
from drivers.events import (
    EMPTY,
    PIECES,
    UNKNOWN_CELLS,
    UNNAMED,
    Battery,
    BoardMove,
    Event,
    Lift,
    Place,
    RawTags,
    Snapshot,
    SquareChange,
)
from tests.shared import shared

START = cells_of(chess.Board())
SCANS_TO_LEARN = SCANS - 1 + LEARN_AFTER
Tags = list[str | None]


def cells_after(*moves: str) -> str:
    board = chess.Board()
    for move in moves:
        board.push_san(move)
    return cells_of(board)


def changed(cells: str, **squares: str) -> str:
    letters = list(cells)
    for name, letter in squares.items():
        letters[chess.parse_square(name)] = letter
    return "".join(letters)


# --- positions, squares, lifts and places -------------------------------------------------------


@pytest.mark.parametrize(
    ("sensing", "shown"),
    [
        ("identity", "Kq?Ww.*" + 57 * EMPTY),
        ("colour", "Ww?Ww.*" + 57 * EMPTY),
        ("occupancy", "?????.*" + 57 * EMPTY),
    ],
)
def test_cells_tell_no_more_than_the_board_knows(sensing: Sensing, shown: str) -> None:
    cells = "Kq?Ww.*" + 57 * EMPTY
    senses = Senses(sensing)
    assert senses.take(Snapshot(at=0.0, cells=cells)) == shown
    assert senses.take(SquareChange(at=0.0, square=5, piece=EMPTY, cells=cells)) == shown


@pytest.mark.parametrize(
    "event",
    [
        Battery(at=0.0, percent=50, charging=False),
        BoardMove(at=0.0, uci="e2e4", verdict="legal"),
    ],
)
def test_what_is_no_position_shows_nothing(event: Event) -> None:
    senses = Senses("identity")
    senses.begin(START)
    assert senses.take(event) is None
    assert senses.take(Lift(at=1.0, square=chess.E2)) == changed(START, e2=EMPTY)


def test_lifts_and_places_begin_from_what_is_assumed() -> None:
    senses = Senses("occupancy")
    senses.begin(START)
    all_men = START.translate(str.maketrans("PNBRQKpnbrqk", 12 * UNNAMED))
    assert senses.take(Lift(at=1.0, square=chess.E2)) == changed(all_men, e2=EMPTY)
    after = changed(all_men, e2=EMPTY, e4=UNNAMED)
    assert senses.take(Place(at=2.0, square=chess.E4)) == after


def test_a_placed_man_may_have_a_letter() -> None:
    senses = Senses("colour")
    senses.begin("." * 64)
    assert senses.take(Place(at=2.0, square=0, piece="W")) == "W" + 63 * EMPTY


def test_a_square_nobody_told_of_is_not_guessed() -> None:
    assert Senses("occupancy").take(Lift(at=1.0, square=0)) == EMPTY + UNKNOWN_CELLS[1:]


def test_a_position_corrects_what_lifts_and_places_missed() -> None:
    senses = Senses("occupancy")
    senses.begin(START)
    senses.take(Snapshot(at=0.0, cells="." * 64))
    assert senses.take(Place(at=1.0, square=63)) == 63 * EMPTY + UNNAMED


def test_the_first_moves_of_a_recorded_game_of_lifts_and_places() -> None:
    """A Square Off Neo: the events of White's first move lead to the occupancy it reports then."""
    lines = shared("protocols/captures/squareoff_neo_game.txt").read_text().splitlines()
    records = [line.split() for line in lines if not line.startswith("#")]
    first = next(n for n, record in enumerate(records) if record[2] == "E")
    senses, occupied = Senses("occupancy"), records[first - 1][3]
    senses.begin(_occupancy(occupied))
    shown = None
    for _, _, channel, said in records[first : first + 2]:
        assert channel == "E"
        square = chess.parse_square(said[:2])
        lifted = said[2] == "u"
        shown = senses.take(Lift(at=0, square=square) if lifted else Place(at=0, square=square))
    assert records[first + 2][2] == "S"
    assert shown == _occupancy(records[first + 2][3])


def _occupancy(told: str) -> str:
    """Return the cells of 64 digits in the order a1 … a8, b1 … h8."""
    return "".join(UNNAMED if told[8 * (s % 8) + s // 8] == "1" else EMPTY for s in chess.SQUARES)


# --- tags ---------------------------------------------------------------------------------------


def tags_of(cells: str, *, made: str = "a") -> Tags:
    """Return tags for *cells*, each man with a tag of its own; *made* tells sets apart."""
    return [f"{made}{square}" if man != EMPTY else None for square, man in enumerate(cells)]


def moved(tags: Tags, *moves: str) -> Tags:
    carried = list(tags)
    for move in moves:
        origin, target = chess.parse_square(move[:2]), chess.parse_square(move[2:])
        carried[target], carried[origin] = carried[origin], None
    return carried


def scan(senses: Senses, tags: Tags, times: int = 1) -> str | None:
    shown = None
    for _ in range(times):
        shown = senses.take(RawTags(at=0.0, tags=tuple(tags)))
    return shown


def calibrated(array: str = START, tags: Tags | None = None) -> Senses:
    senses = Senses("identity")
    scan(senses, tags or tags_of(array), SCANS_TO_LEARN)
    assert senses.learn(array) is not None
    return senses


def test_too_few_scans_show_nothing() -> None:
    senses = Senses("identity")
    assert scan(senses, tags_of(START), SCANS - 1) is None
    assert scan(senses, tags_of(START)) == changed_letters(START, UNNAMED)


def changed_letters(cells: str, letter: str) -> str:
    return "".join(man if man == EMPTY else letter for man in cells)


def test_the_array_teaches_the_tags() -> None:
    senses = Senses("identity")
    scan(senses, tags_of(START), SCANS_TO_LEARN - 1)
    assert senses.learn(START) is None  # a hand may still be about
    scan(senses, tags_of(START))
    assert senses.learn(START) == START
    assert senses.learn(START) is None  # nothing new
    tags = moved(tags_of(START), "g1f3", "b8c6")
    assert scan(senses, tags, SCANS) == cells_after("Nf3", "Nc6")


def test_an_occupancy_table_shows_no_more_though_tags_are_learned() -> None:
    senses = Senses("occupancy")
    scan(senses, tags_of(START), SCANS_TO_LEARN)
    assert senses.learn(START) == changed_letters(START, UNNAMED)


def test_two_of_three_scans_decide() -> None:
    senses, before = calibrated(), tags_of(START)
    after = moved(before, "e2e4")
    assert scan(senses, after) == START
    assert scan(senses, before) == START  # it was a reading of neighbours
    assert scan(senses, after) == cells_after("e4")
    assert scan(senses, after) == cells_after("e4")


def test_a_man_that_is_missed_once_has_not_gone() -> None:
    senses, tags = calibrated(), tags_of(START)
    assert scan(senses, [None, *tags[1:]]) == START
    assert scan(senses, tags) == START
    assert scan(senses, [None, *tags[1:]], 2) == EMPTY + START[1:]


def test_noise_is_nothing_and_a_stranger_is_a_man_nobody_can_name() -> None:
    senses, tags = calibrated(), tags_of(START)
    noise = random.Random(7)
    for _ in range(30):
        assert scan(senses, [tag or noise.randbytes(5).hex() for tag in tags]) == START
    tags[chess.E5] = "foreign"
    assert scan(senses, tags, 2) == changed(START, e5=UNNAMED)


@pytest.mark.parametrize("seat", ["normal", "turned"])
def test_spare_queens_are_learned_where_they_may_stand(seat: str) -> None:
    with_queens = changed(START, d3="Q", d6="q")
    array = START
    if seat == "turned":
        array, with_queens = turned(array), turned(with_queens)
    senses = calibrated(array, tags_of(with_queens))
    assert scan(senses, tags_of(with_queens)) == with_queens


def test_an_array_with_men_on_the_squares_of_spare_queens() -> None:
    array = cells_after("d3", "d6")
    senses = calibrated(array)
    assert scan(senses, tags_of(array)) == array


def test_queens_brought_later_are_added() -> None:
    senses = calibrated()
    with_queens = changed(START, d3="Q", d6="q")
    scan(senses, tags_of(with_queens), SCANS_TO_LEARN)
    assert senses.learn(START) == with_queens


def test_another_set_is_added_and_the_first_still_known() -> None:
    senses = calibrated()
    scan(senses, tags_of(START, made="b"), SCANS_TO_LEARN)
    assert senses.learn(START) == START
    assert scan(senses, tags_of(START), SCANS) == START


def test_sets_not_seen_for_long_are_forgotten() -> None:
    senses = calibrated()
    for number in range(MOST_TAGS // 32):
        scan(senses, tags_of(START, made=f"set {number}, "), SCANS_TO_LEARN)
        assert senses.learn(START) == START
    assert scan(senses, tags_of(START), SCANS) == changed_letters(START, UNNAMED)


def swapped(tags: Tags, a: int, b: int) -> Tags:
    exchanged = list(tags)
    exchanged[a], exchanged[b] = tags[b], tags[a]
    return exchanged


def with_tag(square: int, tag: str | None) -> Tags:
    tags = tags_of(START, made="b")
    tags[square] = tag
    return tags


@pytest.mark.parametrize(
    ("array", "tags"),
    [
        pytest.param(START, with_tag(chess.E2, None), id="a man is missing"),
        pytest.param(START, with_tag(chess.E4, "x"), id="a man too many"),
        pytest.param(START, with_tag(chess.E2, f"b{chess.D2}"), id="a tag on two squares"),
        pytest.param(START, with_tag(chess.E2, f"a{chess.E1}"), id="a known tag elsewhere"),
        pytest.param(
            changed(START, a2=EMPTY), with_tag(chess.A2, None), id="not an array of all men"
        ),
    ],
)
def test_nothing_is_learned_from_what_is_not_the_array(array: str, tags: Tags) -> None:
    senses = calibrated()
    shown = scan(senses, tags, SCANS_TO_LEARN)
    assert senses.learn(array) is None
    assert scan(senses, tags) == shown


def test_calibrated_tags_are_known_from_the_first_vote() -> None:
    senses = Senses("identity")
    tags = tags_of(START)
    letters = {tag: man for tag, man in zip(tags, START, strict=True) if tag is not None}
    senses.know(letters)
    assert senses.knows_nothing
    assert scan(senses, moved(tags, "e2e4"), SCANS) == cells_after("e4")


def test_a_calibration_that_comes_later_names_what_stands() -> None:
    senses = Senses("identity")
    scan(senses, tags_of(START), SCANS)
    senses.know({"a0": "R", "a63": "r"})
    assert senses.shown == "R" + START[1:63].translate(str.maketrans(PIECES, 12 * "?")) + "r"


def test_what_a_board_without_tags_shows_is_not_touched_by_a_calibration() -> None:
    senses = Senses("identity")
    senses.take(Snapshot(at=0.0, cells=START))
    senses.know({"a0": "R"})
    assert senses.shown == START


def test_a_stranger_is_given_a_name() -> None:
    senses, tags = calibrated(), tags_of(START)
    tags[chess.E4] = "spare queen"
    scan(senses, tags, 2)
    assert senses.name(chess.E4, "Q") == changed(START, e4="Q")
    assert senses.name(chess.E5, "Q") == changed(START, e4="Q")  # nothing stands there
    tags[chess.E4], tags[chess.E5] = None, "spare queen"
    assert scan(senses, tags, 2) == changed(START, e5="Q")


def test_known_men_on_wrong_squares_are_a_wrong_array_not_a_lesson() -> None:
    senses = calibrated()
    exchanged = swapped(tags_of(START), chess.D1, chess.E1)
    assert scan(senses, exchanged, SCANS_TO_LEARN) == changed(START, d1="K", e1="Q")
    assert senses.learn(START) is None


@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_any_noise_beside_standing_men_changes_nothing(noise: random.Random, steps: int) -> None:
    """What no two scans repeat is never shown, and a man missed in one scan of three stays."""
    senses, tags = calibrated(), tags_of(START)
    for step in range(steps):
        read = f"noise of scan {step}"  # random bytes might repeat, which noise does not
        seen: Tags = [tag or noise.choice((None, read)) for tag in tags]
        if step % SCANS == 0:
            seen[noise.choice(range(16))] = None
        assert scan(senses, seen) == START


@given(st.randoms(use_true_random=False), st.integers(0, 12))
def test_any_scans_give_cells(any_of: random.Random, scans: int) -> None:
    """Equal scans give equal cells, and nothing but the array is ever learned."""
    one, other = Senses("identity"), Senses("identity")
    for number in range(1, scans + 1):
        tags: Tags = any_of.choices((None, "1", "2", "3"), k=64)
        shown = scan(one, tags)
        assert shown == scan(other, tags)
        assert one.learn(START) is None
        if number >= SCANS:
            assert shown is not None
            assert set(shown) <= {EMPTY, UNNAMED}
            assert len(shown) == 64
        else:
            assert shown is None


# --- recorded scans -----------------------------------------------------------------------------


def recorded(name: str) -> list[Tags]:
    """Return the scans of a file of five numbers a square, a8 … h8, …, a1 … h1."""
    scans = []
    for line in shared(f"protocols/captures/{name}").read_text().splitlines():
        if not line.startswith("#"):
            numbers = bytes(map(int, line.lstrip(":").split()))
            tags = [numbers[n : n + 5] for n in range(0, len(numbers), 5)]
            ranks = [tags[n : n + 8] for n in range(56, -1, -8)]
            scans.append([tag.hex() if any(tag) else None for rank in ranks for tag in rank])
    return scans


def test_recorded_scans_of_the_calibration_teach_both_spare_queens() -> None:
    *noisy, cleaned = recorded("certabo_calibration_frames.txt")
    assert any(scan != cleaned for scan in noisy)
    senses = Senses("identity")
    for number in range(SCANS_TO_LEARN):
        scan(senses, noisy[number % len(noisy)])
    assert senses.learn(START) == changed(START, d3="Q", d6="q")


def test_recorded_scans_with_noise_show_the_position() -> None:
    """The first two were read one after the other; on h1 and h2 two men were exchanged later."""
    first, second, array, _ = recorded("certabo_rfid_frames.txt")
    home = [tag if man != EMPTY else None for tag, man in zip(array, START, strict=True)]
    senses = calibrated(tags=swapped(home, chess.H1, chess.H2))
    scan(senses, first)
    scan(senses, second)
    nothing: Tags = [None] * 64
    shown = scan(senses, nothing)
    placement = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P2P/8/PPPP1PP1/RNBQKBNR"
    assert shown == cells_from_placement(placement)


# --- in the journal -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "event",
    [
        Lift(at=1.0, square=0),
        Place(at=1.0, square=63),
        Place(at=1.0, unit="7", square=63, piece="W"),
        BoardMove(at=1.0, uci="", verdict="undone"),
        RawTags(at=1.0, tags=tuple(tags_of(START))),
    ],
)
def test_events_come_back_from_the_journal_as_they_were(event: Event) -> None:
    decoder: msgspec.json.Decoder[Payload] = msgspec.json.Decoder(Payload)
    assert decoder.decode(msgspec.json.encode(event)) == event
