"""Board streams in, engine output out: the format, line by line."""

import json
from typing import Any

import chess
import pytest

from bridge.core.inference.placement import cells_from_placement
from bridge.core.inference.timing import Timing
from bridge.core.model import Payload, PositionAdopted, Sensing, StateExplained, TableSetup
from bridge.core.stream import OutputWriter, StreamError, StreamReader, infer
from bridge.core.table.game_finder import ABANDON_HOLD, UNTOLD
from drivers.events import Snapshot, SquareChange
from tests.shared import shared

TIMING = Timing()
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
BLITZ = "data/recordings/dgt-serial-blitz-1.jsonl"


def meta(*games: dict[str, Any], clock: bool = False, **keys: Any) -> str:
    line = {
        "t": 0.0,
        "kind": "meta",
        "format": "board-stream/1",
        "stream": "s",
        "board": "identity",
        "scan_hz": 5.0,
        "clock": clock,
        "games": list(games) or [{"variant": "standard"}],
    }
    return json.dumps(line | keys)


def line(t: float, kind: str, **keys: Any) -> str:
    return json.dumps({"t": t, "kind": kind, **keys})


def field(t: float, square: str, piece: str | None) -> str:
    return line(t, "field", square=square, piece=piece)


def snapshot(t: float, board: str = START) -> str:
    return line(t, "snapshot", board=board)


def clock(t: float, left: int, right: int, turn: str | None, run: bool = True) -> str:
    return line(t, "clock", left=left, right=right, turn=turn, run=run)


def raw(*lines: str, provisional: bool = False, explain: bool = False) -> list[str]:
    writer = OutputWriter(provisional=provisional, explain=explain)
    return list(infer(lines, name="a.jsonl", writer=writer))


def out(*lines: str, provisional: bool = False, explain: bool = False) -> list[dict[str, Any]]:
    return [json.loads(told) for told in raw(*lines, provisional=provisional, explain=explain)]


EXAMPLE = (
    meta(clock=True),
    snapshot(0.0),
    clock(4.02, 180, 180, "left"),
    field(6.41, "e2", None),
    field(6.83, "e4", "P"),
    clock(7.5, 180, 180, "right"),
)


def test_the_example_of_the_format() -> None:
    assert raw(*EXAMPLE) == ['{"t":7.5,"move":"e2e4","ply":1,"san":"e4"}']


def test_a_decision_may_lie_between_two_lines() -> None:
    told = out(meta(), snapshot(0.0), field(2.0, "e2", None), field(2.5, "e4", "P"))
    assert told[0]["t"] == 2.5 + TIMING.rest


def test_provisional_lines() -> None:
    told = out(
        *EXAMPLE[:5], field(8.0, "e4", None), field(8.5, "e2", "P"), provisional=True
    )  # taken back
    assert told == [
        {"t": pytest.approx(6.83 + TIMING.shown), "provisional": "e2e4"},
        {"t": pytest.approx(8.5 + TIMING.scan), "provisional": None},
    ]


def test_explained_lines() -> None:
    told = out(*EXAMPLE, explain=True)[0]
    assert told["because"]["basis"] == "press"
    assert told["because"]["seen"]
    first, last = told["because"]["readings"]
    assert 1 <= first <= last == 6


def test_an_illegal_move_and_its_end() -> None:
    fen = "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1"
    told = out(
        meta({"variant": "from_position", "start_fen": fen}, clock=True),
        snapshot(0.0, fen.split(maxsplit=1)[0]),
        clock(1.0, 180, 180, "left"),
        field(2.0, "a2", None),
        field(2.2, "a4", "P"),
        clock(3.0, 180, 180, "right"),
        field(9.0, "a4", None),
        field(9.5, "a2", "P"),
        explain=True,
    )
    alert, cleared = told
    assert alert["t"] == pytest.approx(3.0 + TIMING.gap)
    assert alert["alert"] == alert["reason"] == "KING_LEFT_IN_CHECK"
    assert alert["illegal"] is True
    assert (alert["by"], alert["san_tried"], alert["restore"]) == ("white", "a4", fen)
    assert alert["because"]["text"] == alert["text"]
    assert cleared == {"t": 9.5 + TIMING.scan, "cleared": "KING_LEFT_IN_CHECK"}


def test_a_lost_link_is_an_alert_that_is_not_illegal() -> None:
    told = out(
        meta(), snapshot(0.0), line(5.0, "link", state="down"), line(9.0, "link", state="up")
    )
    assert told[0]["alert"] == "BOARD_DISCONNECTED"
    assert told[0]["illegal"] is False
    assert "by" not in told[0]
    assert told[1] == {"t": 9.0, "cleared": "BOARD_DISCONNECTED"}


def test_fields_after_a_lost_link_wait_for_a_snapshot() -> None:
    told = out(
        meta(),
        snapshot(0.0),
        line(5.0, "link", state="down"),
        line(9.0, "link", state="up"),
        field(9.1, "e4", "P"),
        snapshot(10.0, "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"),
    )
    assert [told["move"] for told in told if "move" in told] == ["d2d4"]


def test_a_correction_is_a_retraction() -> None:
    told = out(
        meta(),
        snapshot(0.0),
        field(2.0, "e2", None),
        field(2.2, "e3", "P"),
        field(8.0, "e3", None),
        field(8.2, "e4", "P"),
    )
    corrected = 8.2 + TIMING.correction
    assert [(list(told)[1], told["t"]) for told in told] == [
        ("move", 2.2 + TIMING.rest),
        ("retract", corrected),
        ("alert", corrected),
        ("move", 8.2 + TIMING.rest),
    ]
    assert told[1]["retract"] == 1
    assert told[1]["reason"]


def test_several_games_each_in_its_own_way() -> None:
    """A result by kings, then Chess960, then a position: each set up as the stream says."""
    drawn = chess.Board.from_chess960_pos(100)
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    told = out(
        meta(
            {"variant": "standard"},
            {"variant": "chess960"},
            {"variant": "from_position", "start_fen": fen},
        ),
        snapshot(0.0),
        snapshot(10.0, "8/8/8/3k4/4K3/8/8/8"),
        snapshot(20.0, drawn.board_fen()),
        field(25.0, "a2", None),
        field(25.2, "a4", "P"),
        snapshot(40.0, "8/8/8/4k3/3K4/8/8/8"),
        snapshot(50.0, fen.split(maxsplit=1)[0]),
        snapshot(60.0, "8/8/8/4k3/4K3/8/8/8"),
        snapshot(70.0, START),
    )
    assert [line for line in told if not {"alert", "cleared"} & line.keys()] == [
        {"t": 15.0, "result": "1-0", "by": "kings"},
        {"t": 21.0, "new_game": True, "fen": drawn.fen()},
        {"t": 25.2 + TIMING.rest, "move": "a2a4", "ply": 1, "san": "a4"},
        {"t": 45.0, "result": "0-1", "by": "kings"},
        {"t": 51.0, "new_game": True, "fen": fen},
        {"t": 65.0, "result": "1/2-1/2", "by": "kings"},
        {"t": 73.0, "state": "waiting for the start position: 29 squares differ"},
    ]


def test_men_that_are_put_up_twice_before_a_game_are_one_game() -> None:
    """Chess960 is drawn when the men stand in the usual array already."""
    drawn = chess.Board.from_chess960_pos(100)
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    ending = {"variant": "from_position", "start_fen": fen}
    told = out(
        meta({"variant": "standard"}, {"variant": "chess960"}, ending),
        snapshot(0.0),
        snapshot(10.0, "8/8/8/3k4/4K3/8/8/8"),
        snapshot(20.0),
        snapshot(30.0, drawn.board_fen()),
        field(35.0, "a2", None),
        field(35.2, "a4", "P"),
        snapshot(50.0, "8/8/8/4k3/3K4/8/8/8"),
        snapshot(60.0, fen.split(maxsplit=1)[0]),
    )
    assert [line["fen"] for line in told if "new_game" in line] == [
        chess.STARTING_FEN,
        drawn.fen(),
        fen,
    ]


UNNAMED_ARRAY = "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx"


def test_a_game_whose_start_position_nobody_gave_is_played_all_the_same() -> None:
    """A board that cannot name men shows the same for all of the 960, and for the usual array."""
    told = out(
        meta({"variant": "chess960"}, {"variant": "standard"}, board="occupancy"),
        snapshot(0.0, "xxxxxxxx/xxxxxxxx/8/8/8/8/8/8"),
        snapshot(5.0, UNNAMED_ARRAY),
        field(15.0, "f1", None),
        field(15.5, "g3", "x"),
        snapshot(300.0, "8/8/8/8/8/8/8/8"),
        snapshot(320.0, UNNAMED_ARRAY),
        field(330.0, "d2", None),
        field(330.5, "d4", "x"),
    )
    begun = [line for line in told if {"new_game", "move"} & line.keys()]
    assert [(line["t"], line.get("move")) for line in begun] == [
        (5.0, None),
        (15.5 + TIMING.rest, "f1g3"),
        (320.0 + ABANDON_HOLD, None),
        (330.5 + TIMING.rest, "d2d4"),
    ]


def test_the_start_position_that_play_shows_is_told_as_a_state() -> None:
    told = out(
        meta({"variant": "chess960"}, board="occupancy"),
        snapshot(0.0, UNNAMED_ARRAY),
        field(5.0, "f1", None),
        field(5.3, "g3", "x"),
    )
    fen = "rbbqknnr/pppppppp/8/8/8/8/PPPPPPPP/RBBQKNNR w KQkq - 0 1"
    assert [line["state"] for line in told if "state" in line] == [
        UNTOLD,
        f"the game began from {fen}, as is shown by now: the moves are the same",
    ]


@pytest.mark.parametrize(
    ("array", "square"), [("xx6/8/8/8/8/8/4x3/4x3", "e4"), ("3x4/3x4/8/8/8/8/8/6xx", "d5")]
)
def test_behind_a_game_of_chess960_one_begins_where_its_position_is_put_up(
    array: str, square: str
) -> None:
    """It begins with few men on the board, from either seat; the usual array never stands again."""
    position = {"variant": "from_position", "start_fen": "kr6/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    told = out(
        meta({"variant": "chess960"}, position, board="occupancy"),
        snapshot(0.0, UNNAMED_ARRAY),
        field(15.0, "d2", None),
        field(15.5, "d4", "x"),
        snapshot(300.0, "8/8/8/8/8/8/8/8"),
        snapshot(320.0, array),
        field(330.0, "e2" if square == "e4" else "d7", None),
        field(330.5, square, "x"),
    )
    assert [line["move"] for line in told if "move" in line] == ["d2d4", "e2e4"]


def test_a_game_of_chess960_ends_the_one_before_whose_result_nobody_knows() -> None:
    games = ({"variant": "standard"}, {"variant": "chess960"})
    told = out(
        meta(*games, board="occupancy"),
        snapshot(0.0, UNNAMED_ARRAY),
        field(5.0, "e2", None),
        field(5.5, "e4", "x"),
        snapshot(100.0, "8/8/8/8/8/8/8/8"),
        snapshot(120.0, UNNAMED_ARRAY),
        field(330.0, "d2", None),
        field(330.5, "d4", "x"),
    )
    seen = [line for line in told if {"new_game", "move", "state"} & line.keys()]
    begins = 120.0 + ABANDON_HOLD
    assert [(line["t"], line.get("move") or line.get("state")) for line in seen] == [
        (5.5 + TIMING.rest, "e2e4"),
        (103.0, "the board differs from the record: it is empty"),
        (begins, "the game ended without a result: abandoned"),
        (begins, None),
        (begins, UNTOLD),
        (330.5 + TIMING.rest, "d2d4"),
    ]


def test_an_abandoned_game_is_told_as_a_state() -> None:
    first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    second = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    told = out(meta(), snapshot(0.0), snapshot(2.0, first), snapshot(8.0, second), snapshot(20.0))
    assert [line.get("alert") for line in told[2:4]] == ["RESULT_MISSING", None]
    assert told[3]["t"] == 23.0
    assert "abandoned" in told[3]["state"]
    assert told[4]["new_game"] is True


def test_a_game_that_begins_as_the_last_is_abandoned_is_the_next_one() -> None:
    first = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    second = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    ending = {"variant": "from_position", "start_fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}
    games = ({"variant": "standard"}, {"variant": "standard"}, ending)
    lines = [meta(*games), snapshot(0.0), snapshot(2.0, first), snapshot(8.0, second)]
    lines += [snapshot(20.0), field(30.0, "d2", None), field(30.2, "d4", "P")]
    told = out(*lines)
    assert [line["move"] for line in told if "move" in line] == ["e2e4", "e7e5", "d2d4"]
    assert [line["t"] for line in told if "new_game" in line] == [23.0]


def test_the_next_game_ends_one_without_a_result_by_its_own_array() -> None:
    """The clock runs on, as nobody stops it; the men of another position are put up."""
    moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    drawn = chess.Board.from_chess960_pos(100)
    fen = "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"
    told = out(
        meta(
            {"variant": "standard"},
            {"variant": "from_position", "start_fen": fen},
            {"variant": "chess960"},
        ),
        snapshot(0.0),
        snapshot(2.0, moved),
        snapshot(10.0, fen.split(maxsplit=1)[0]),
        field(20.0, "a2", None),
        field(20.2, "a4", "P"),
        snapshot(30.0, drawn.board_fen()),
        field(40.0, "a2", None),
        field(40.2, "a3", "P"),
    )
    assert [line["move"] for line in told if "move" in line] == ["e2e4", "a2a4", "a2a3"]
    assert [line["fen"] for line in told if "new_game" in line] == [fen, drawn.fen()]


def test_a_rotated_chess960_array() -> None:
    drawn = chess.Board.from_chess960_pos(7)
    rotated = drawn.board_fen()[::-1]
    told = out(
        meta({"variant": "chess960"}),
        snapshot(1.0, rotated),
        field(3.0, "d7", None),
        field(3.2, "d5", "P"),
    )
    assert told[0] == {"t": 1.0, "new_game": True, "fen": drawn.fen()}
    assert told[1]["alert"] == "BOARD_ORIENTATION_AUTO"
    assert told[2]["move"] == "e2e4"


def test_a_chess960_game_is_not_joined_late() -> None:
    drawn = chess.Board.from_chess960_pos(7)
    drawn.push_uci("a2a4")
    told = out(meta({"variant": "chess960"}), snapshot(0.0, drawn.board_fen()))
    waiting = (
        "waiting for the start position: none of the 960 stands: "
        "a2 needs P, a4 must be empty, not P"
    )
    assert told == [{"t": 3.0, "state": waiting}]


def test_what_the_board_cannot_name() -> None:
    told = out(
        meta(),
        snapshot(0.0, START.replace("N", "x", 1)),
        field(1.0, "b1", "x"),
        field(2.0, "b1", "?"),
        field(3.0, "b1", "N"),
        field(5.0, "b1", None),
        field(5.2, "c3", "N"),
    )
    assert [list(told)[1] for told in told] == ["state", "new_game", "move"]


def payloads(*lines: str) -> list[Payload]:
    reader = StreamReader("a.jsonl")
    return [reading.payload for line in lines for reading in reader.read(line)]


@pytest.mark.parametrize("board", ["identity", "occupancy"])
@pytest.mark.parametrize("games", [[], [{"variant": "standard"}]])
def test_a_stream_says_what_its_board_knows_of_a_man(
    board: Sensing, games: list[dict[str, str]]
) -> None:
    assert payloads(meta(board=board, games=games)) == [TableSetup(sensing=board, has_clock=False)]


def test_every_game_of_an_occupancy_stream_is_set_up_for_it() -> None:
    reader = StreamReader("a.jsonl")
    reader.read(meta({"variant": "standard"}, {"variant": "chess960"}, board="occupancy"))
    second = TableSetup(sensing="occupancy", has_clock=False, chess960=True)
    assert reader.setup(2) == second


def test_occupied_squares_are_men_that_cannot_be_named() -> None:
    men = cells_from_placement("????????/????????/8/8/8/8/????????/????????")
    lifted = men[:12] + "." + men[13:]
    placed = lifted[:28] + "?" + lifted[29:]
    assert payloads(
        meta(board="occupancy"),
        snapshot(0.0, "xxxxxxxx/xxxxxxxx/8/8/8/8/xxxxxxxx/xxxxxxxx"),
        field(1.0, "e2", None),
        field(2.0, "e4", "x"),
    )[1:] == [
        Snapshot(at=0.0, cells=men),
        SquareChange(at=1.0, square=12, piece=".", cells=lifted),
        SquareChange(at=2.0, square=28, piece="?", cells=placed),
    ]


def test_a_state_line() -> None:
    fact = StateExplained(table="1", game=1, at=3.0, wall=3.0, evidence=(1, 1), text="waits")
    assert OutputWriter().lines([fact]) == ['{"t":3.0,"state":"waits"}']


def test_an_adopted_position_is_told_as_a_state() -> None:
    fact = PositionAdopted(
        table="1", game=1, at=3.0, wall=3.0, evidence=(1, 1), ply=4, fen="FEN", reason="unseen"
    )
    assert OutputWriter(explain=True).lines([fact]) == [
        '{"t":3.0,"state":"play goes on from FEN after ply 4: unseen"}'
    ]


def test_unknown_kinds_keys_and_empty_lines_change_nothing() -> None:
    lines = [
        meta(colour="brown"),
        line(0.0, "host", note="dump asked for"),
        "",
        "   ",
        '{"kind":"event"}',
        *EXAMPLE[1:],
        line(99.0, "raw", hex="8600", **{"from": "board"}),
    ]
    plain = raw(meta(), *EXAMPLE[1:])
    assert raw(*lines) == plain
    assert raw(*[told + "\r\n" for told in lines]) == plain


def test_bytes_are_read_like_text() -> None:
    writer = OutputWriter()
    told = list(infer([told.encode() for told in EXAMPLE], name="a", writer=writer))
    assert told == raw(*EXAMPLE)


def test_an_empty_stream_says_nothing() -> None:
    assert raw() == []


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ("{", "truncated"),
        ("[1]", "Expected `object`"),
        ('{"t":1.0}', "`kind`"),
        (line(1.0, "field", square="e2"), "`piece`"),
        (field(1.0, "e9", None), "'e9' is no square"),
        (field(1.0, "E2", None), "'E2' is no square"),
        (field(1.0, "e2", "z"), "'z' is no piece"),
        (field(1.0, "e2", ""), "'' is no piece"),
        (field(1.0, "e2", "PP"), "'PP' is no piece"),
        (line(1.0, "field", square=5, piece=None), "Expected `str`"),
        (snapshot(1.0, "8/8/8"), "eight ranks"),
        (snapshot(1.0, "9/8/8/8/8/8/8/8"), "rank '9' has 9 squares"),
        (snapshot(1.0, "7z/8/8/8/8/8/8/8"), "'z' is no piece"),
        (field(1.0, "e2", "X"), "'X' is no piece: men are written as in FEN, and 'x' where"),
        (snapshot(1.0, "7ä/8/8/8/8/8/8/8"), "'ä' is no piece"),
        (clock(1.0, -1, 0, "left"), ">= 0"),
        (clock(1.0, 1, 0, "middle"), "middle"),
        (line(1.0, "clock", left=1.5, right=1, turn=None, run=True), "Expected `int`"),
        (line(1.0, "link", state="away"), "away"),
        (json.dumps({"t": "1", "kind": "link", "state": "up"}), "Expected `float`"),
        ('{"a":' * 2000, "recursion"),
        (field(-1.0, "e2", None), "time goes back from 0.0 to -1.0"),
        (meta(), "one meta line"),
    ],
)
def test_a_malformed_line_names_file_line_and_reason(bad: str, reason: str) -> None:
    with pytest.raises(StreamError) as error:
        raw(meta(), "", bad)
    assert str(error.value).startswith("a.jsonl:3: ")
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (snapshot(0.0), "one meta line, before all others"),
        (meta(board="round"), "round"),
        (meta({"variant": "atomic"}), "atomic"),
        (meta({"variant": "from_position"}), "start_fen"),
        (meta({"variant": "from_position", "start_fen": "nonsense"}), "start_fen: "),
        ("\udcff", "a.jsonl:1: "),
    ],
)
def test_a_malformed_beginning(bad: str, reason: str) -> None:
    with pytest.raises(StreamError, match=r"^a\.jsonl:1: ") as error:
        raw(bad)
    assert reason in str(error.value)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(StreamError, match=r"^a:1: "):
        list(infer([b'{"kind":"\xff\xfe"}'], name="a", writer=OutputWriter()))


def test_what_was_decided_before_an_error_is_told() -> None:
    told = infer([*EXAMPLE, "{"], name="a.jsonl", writer=OutputWriter())
    assert json.loads(next(told))["move"] == "e2e4"
    with pytest.raises(StreamError, match=r"^a\.jsonl:7: "):
        next(told)


@pytest.mark.parametrize("explain", [True, False])
def test_the_same_input_gives_the_same_output_and_time_never_goes_back(explain: bool) -> None:
    lines = shared(BLITZ).read_text().splitlines()
    told = raw(*lines, provisional=True, explain=explain)
    assert raw(*lines, provisional=True, explain=explain) == told
    times = [json.loads(line)["t"] for line in told]
    assert times == sorted(times)
    assert len(told) >= 57
