"""The simulated DGT board against the bytes and habits of real ones."""

import math
from itertools import pairwise

import chess
import pytest

from drivers.boards.dgt import Dgt
from drivers.boards.dgt.protocol import LOG_LENGTH
from drivers.events import (
    Battery,
    BoardLog,
    ClockAck,
    ClockFault,
    ClockReading,
    Event,
    Identity,
    Noise,
    Snapshot,
    SquareChange,
)
from drivers.simulated.clock import Clock, TimeControl
from drivers.simulated.dgt import DgtBoard, Mode, Passport
from drivers.simulated.line import Faults

WHITE_PAWN = chess.Piece.from_symbol("P")
WHITE_ROOK = chess.Piece.from_symbol("R")
BLACK_PAWN = chess.Piece.from_symbol("p")

START_DUMP = (
    "86 00 43 08 09 0a 0c 0b 0a 09 08"
    + " 07" * 8
    + " 00" * 32
    + " 01" * 8
    + " 02 03 04 06 05 04 03 02"
)
ROTATED_DUMP = (
    "86 00 43 02 03 04 05 06 04 03 02"
    + " 01" * 8
    + " 00" * 32
    + " 07" * 8
    + " 08 09 0a 0b 0c 0a 09 08"
)


class Bench:
    """A board at the start position and a host that reads all the time."""

    def __init__(
        self,
        *,
        mode: str = "",
        passport: Passport | None = None,
        clock: Clock | None = None,
        rotated: bool = False,
        faults: Faults | None = None,
        seed: int = 0,
    ) -> None:
        self.clock = clock
        self.board = DgtBoard(
            passport or Passport(), clock=clock, rotated=rotated, faults=faults, seed=seed
        )
        self.at = 0.0
        self.heard: list[tuple[float, bytes]] = []
        self.board.set_up(chess.Board().piece_map(), at=0.0)
        self.until(1.0)
        if mode:
            self.say(mode)
            self.until(2.0)
        self.heard.clear()

    def say(self, hexadecimal: str) -> None:
        self.board.receive(bytes.fromhex(hexadecimal), at=self.at)

    def until(self, at: float) -> None:
        """Poll exactly when the board asks for it."""
        while True:
            data, wake_at = self.board.poll(at=self.at)
            if data:
                self.heard.append((self.at, data))
            if wake_at > at:
                break
            assert wake_at > self.at
            self.at = wake_at
        self.at = at

    def asked(self, hexadecimal: str, seconds: float = 1.0) -> str:
        """Send a command and return what comes back within *seconds*."""
        self.heard.clear()
        self.say(hexadecimal)
        self.until(self.at + seconds)
        return b"".join(data for _, data in self.heard).hex(" ")

    def events(self) -> list[Event]:
        codec = Dgt()
        return [event for at, data in self.heard for event in codec.receive(data, at=at)]

    def changes(self) -> list[str]:
        """Return the changes as ``e2. e4P``, as a board in the normal seat says them."""
        return [
            chess.square_name(event.square) + event.piece
            for event in self.events()
            if isinstance(event, SquareChange)
        ]


# --- modes and commands ---------------------------------------------------------------------------


def test_a_board_powers_up_silent_and_in_bus_mode() -> None:
    bench = Bench()
    bench.board.lift(chess.E2, at=bench.at)
    bench.until(5.0)
    assert bench.board.mode is Mode.BUS
    assert bench.heard == []


def test_a_single_board_command_leaves_bus_mode_and_is_obeyed() -> None:
    bench = Bench()
    assert bench.asked("42") == START_DUMP
    assert bench.board.mode is Mode.IDLE


def test_an_idle_board_says_nothing_of_moves_but_knows_them() -> None:
    bench = Bench(mode="42")
    bench.board.lift(chess.E2, at=bench.at)
    bench.until(4.0)
    assert bench.heard == []
    assert bench.asked("42") != START_DUMP


def test_a_rotated_board_keeps_its_own_numbering() -> None:
    assert Bench(rotated=True).asked("42") == ROTATED_DUMP


@pytest.mark.parametrize(
    ("command", "mode"),
    [
        ("43", Mode.UPDATE),
        ("44", Mode.UPDATE_BOARD),
        ("4b", Mode.UPDATE_NICE),
        ("40", Mode.IDLE),
        ("4a", Mode.BUS),
    ],
)
def test_a_mode_command_replaces_the_mode_before_it(command: str, mode: Mode) -> None:
    bench = Bench(mode="4b")
    bench.say(command)
    assert bench.board.mode is mode


def test_a_bus_command_in_single_mode_is_swallowed_and_leads_to_bus_mode() -> None:
    bench = Bench(mode="4b")
    # The address and checksum bytes would be commands of their own.
    assert bench.asked("82 42 45 4d") == ""
    assert bench.board.mode is Mode.BUS
    assert bench.asked("82 42 45 4d") == ""


@pytest.mark.parametrize("unknown", ["df", "ff", "00", "7f", "4e", "50", "51", "48", "55", "4c"])
def test_what_a_plain_board_does_not_know_is_ignored(unknown: str) -> None:
    bench = Bench(mode="4b")
    assert bench.asked(unknown) == ""
    assert bench.asked("42") == START_DUMP


@pytest.mark.parametrize("command", ["60 04 01 34 24 00", "63 07 be f5 ae dd a9 5f 00"])
def test_commands_with_data_are_swallowed_whole(command: str) -> None:
    bench = Bench(mode="4b")
    assert bench.asked(command) == ""
    assert bench.asked("42") == START_DUMP


def test_a_board_identifies_itself() -> None:
    passport = Passport(
        serial="12345",
        long_serial="3000147740",
        version=(3, 1),
        bus_address=1025,
        battery=88,
    )
    bench = Bench(mode="4b", passport=passport)
    assert bench.asked("45") == "91 00 08 31 32 33 34 35"
    assert bench.asked("55") == "a2 00 0d 33 30 30 30 31 34 37 37 34 30"
    assert bench.asked("4d") == "93 00 05 03 01"
    assert bench.asked("46") == "90 00 05 08 01"
    assert bench.asked("4c") == "a0 00 0c 58 7f 7f 00 00 00 00 00 02"
    bench.asked("4d 45 55 46 47 4c")
    told = {event.field: event.value for event in bench.events() if isinstance(event, Identity)}
    assert told["serial"] == "12345"
    assert told["long_serial"] == "3000147740"
    assert told["version"] == "3.1"
    assert told["bus_address"] == "1025"
    assert "eboard-bridge simulated board" in told["trademark"]
    assert "DGT" not in told["trademark"]
    assert [event.percent for event in bench.events() if isinstance(event, Battery)] == [88]


def test_messages_follow_each_other_at_the_speed_of_the_line() -> None:
    bench = Bench(mode="40")
    bench.asked("42 45")
    (dump_at, _), (serial_at, _) = bench.heard
    assert serial_at - dump_at == pytest.approx(67 * 10 / 9600)


# --- scanning -------------------------------------------------------------------------------------


def after_sliding(origin: int, target: int, piece: chess.Piece, *, seeds: int = 60) -> set[str]:
    """Slide a piece within 10 ms at many moments of the scan; return the reports seen."""
    seen = set()
    for seed in range(seeds):
        bench = Bench(mode="4b", seed=seed)
        bench.board.lift(origin, at=bench.at)
        bench.board.put(target, piece, at=bench.at + 0.01)
        bench.until(3.0)
        seen.add(" ".join(bench.changes()))
    return seen


def test_the_new_square_may_be_reported_before_the_old_one() -> None:
    assert after_sliding(chess.C7, chess.C6, BLACK_PAWN) == {"c7. c6p", "c6p c7."}


def test_a_quick_exchange_on_a_square_is_one_direct_replacement() -> None:
    seen = set()
    for seed in range(60):
        bench = Bench(mode="4b", seed=seed)
        bench.board.lift(chess.E7, at=bench.at)
        bench.board.put(chess.E7, WHITE_ROOK, at=bench.at + 0.1)
        bench.until(3.0)
        seen.add(" ".join(bench.changes()))
    assert seen == {"e7R", "e7. e7R"}


def test_a_touch_between_two_scans_is_never_seen() -> None:
    seen = set()
    for seed in range(60):
        bench = Bench(mode="4b", seed=seed)
        bench.board.put(chess.E4, WHITE_ROOK, at=bench.at)
        bench.board.lift(chess.E4, at=bench.at + 0.1)
        bench.until(3.0)
        seen.add(" ".join(bench.changes()))
    assert seen == {"", "e4R e4."}


def test_a_slow_slide_leaves_ghosts_on_the_way() -> None:
    bench = Bench(mode="4b")
    path = [chess.A4, chess.B4, chess.C4, chess.D4]
    bench.board.put(path[0], WHITE_ROOK, at=bench.at)
    for old, new in pairwise(path):
        bench.until(bench.at + 0.3)
        bench.board.lift(old, at=bench.at)
        bench.board.put(new, WHITE_ROOK, at=bench.at)
    bench.until(5.0)
    seen = bench.changes()
    assert seen[0] == "a4R"
    assert {"b4R", "b4.", "c4R", "c4."} < set(seen)
    assert seen.index("b4R") < seen.index("b4.")


def test_every_change_is_reported_within_one_scan() -> None:
    for seed in range(30):
        bench = Bench(mode="4b", seed=seed)
        bench.board.lift(chess.H1, at=2.0)
        bench.until(2.22)
        assert bench.changes() == ["h1."]


def test_late_polling_loses_and_reorders_nothing() -> None:
    bench = Bench(mode="4b", clock=Clock(TimeControl(base=60)))
    assert bench.clock is not None
    bench.clock.start(at=bench.at)
    bench.board.lift(chess.E2, at=2.5)
    bench.board.put(chess.E4, WHITE_PAWN, at=3.5)
    data, wake_at = bench.board.poll(at=4.5)
    bench.heard.append((4.5, data))
    kinds = [type(event).__name__ for event in bench.events()]
    assert kinds == [
        "ClockReading",
        "SquareChange",
        "ClockReading",
        "SquareChange",
        "ClockReading",
    ]
    assert 4.5 < wake_at <= 5.0


def test_an_untouched_board_without_a_clock_asks_for_no_time() -> None:
    bench = Bench(mode="4b")
    assert bench.board.poll(at=9.0).wake_at == math.inf


# --- clock ----------------------------------------------------------------------------------------


def playing(control: TimeControl, mode: str = "4b", faults: Faults | None = None) -> Bench:
    bench = Bench(mode=mode, clock=Clock(control), faults=faults)
    assert bench.clock is not None
    bench.clock.start(at=bench.at)
    return bench


def test_clock_frames_are_those_of_a_recorded_game() -> None:
    clock = Clock(TimeControl(base=180, increment=2))
    bench = Bench(mode="4b", clock=clock)
    assert bench.asked("41") == "8d 00 0a 20 03 02 20 03 02 08"
    bench.heard.clear()
    clock.start(at=3.0)
    bench.until(6.5)
    clock.press("left", at=6.5)
    bench.until(8.0)
    assert [data.hex(" ") for _, data in bench.heard] == [
        "8d 00 0a 20 03 02 20 03 02 09",
        "8d 00 0a 20 03 02 20 03 01 09",
        "8d 00 0a 20 03 02 20 03 00 09",
        "8d 00 0a 20 03 02 20 02 59 09",
        "8d 00 0a 20 03 02 20 03 01 13",
        "8d 00 0a 20 03 01 20 03 01 13",
    ]
    assert bench.heard[4][0] == pytest.approx(6.5)
    bench.heard.clear()
    clock.stop(at=8.2)
    bench.until(9.0)
    assert [data.hex(" ") for _, data in bench.heard] == ["8d 00 0a 20 03 01 20 03 01 12"]


def test_the_flag_falls_as_in_a_recorded_game() -> None:
    clock = Clock(TimeControl(base=16, increment=0), turn="left")
    bench = Bench(mode="4b", clock=clock)
    clock.start(at=2.0)
    clock.press("left", at=2.0)
    bench.until(30.0)
    last, fallen = (data.hex(" ") for _, data in bench.heard[-2:])
    # Without an increment, the sign of it (0x20) is missing on both sides.
    assert last == "8d 00 0a 00 00 01 00 00 16 13"
    assert fallen == "8d 00 0a 10 00 00 00 00 16 12"
    reading = bench.events()[-1]
    assert isinstance(reading, ClockReading)
    assert reading.right_flag


def test_a_further_period_shows_its_mark() -> None:
    clock = Clock(TimeControl(base=2, further=(3600,)))
    bench = Bench(mode="4b", clock=clock)
    clock.start(at=2.0)
    bench.until(5.0)
    assert bench.heard[-1][1].hex(" ") == "8d 00 0a 00 00 02 40 59 59 09"


def test_more_than_the_protocol_can_carry_is_shown_as_its_most() -> None:
    bench = Bench(mode="4b", clock=Clock(TimeControl(base=40000)))
    assert bench.asked("41") == "8d 00 0a 09 59 59 09 59 59 08"


def test_nice_mode_speaks_of_the_clock_only_when_it_changes() -> None:
    bench = Bench(mode="4b", clock=Clock(TimeControl(base=60)))
    bench.until(60.0)
    assert bench.heard == []


def test_update_mode_repeats_the_clock_every_second() -> None:
    bench = Bench(mode="43", clock=Clock(TimeControl(base=60)))
    bench.until(7.5)
    assert [data.hex(" ") for _, data in bench.heard] == ["8d 00 0a 00 01 00 00 01 00 08"] * 5


@pytest.mark.parametrize("mode", ["40", "44", "4a"])
def test_other_modes_do_not_speak_of_the_clock(mode: str) -> None:
    bench = playing(TimeControl(base=60), mode=mode)
    bench.until(10.0)
    assert bench.heard == []
    assert bench.board.poll(at=10.0).wake_at == math.inf


def test_a_board_without_a_clock_says_so() -> None:
    assert Bench(mode="4b").asked("41") == "8d 00 0a 00 00 00 00 00 00 20"


def test_a_clock_that_is_pulled_out_and_put_back() -> None:
    bench = playing(TimeControl(base=60))
    bench.until(3.5)
    bench.board.faults.clock_unplugged = True
    bench.until(6.5)
    bench.board.faults.clock_unplugged = False
    bench.until(7.5)
    seen = [
        event.fault if isinstance(event, ClockFault) else event.left_ms
        for event in bench.events()
        if isinstance(event, ClockFault | ClockReading)
    ]
    assert seen == [60_000, 59_000, "absent", 56_000, 55_000]


@pytest.mark.parametrize(("fault", "repeated"), [("clock_frozen", 3), ("clock_silent", 0)])
def test_a_clock_that_is_dead_for_a_while(fault: str, repeated: int) -> None:
    bench = playing(TimeControl(base=60), mode="43")
    bench.until(3.5)
    setattr(bench.board.faults, fault, True)
    before = len(bench.heard)
    bench.until(6.5)
    assert len(bench.heard) - before == repeated
    setattr(bench.board.faults, fault, False)
    bench.until(7.5)
    readings = [event for event in bench.events() if isinstance(event, ClockReading)]
    assert {reading.left_ms for reading in readings if reading.at < 6.5} == {60_000, 59_000}
    assert readings[-1].left_ms == 55_000


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("2b 0c 03 0c 4e 66 33 20 20 20 20 20 00 00", "8d 00 0a 0a 10 0c 0a 00 00 00"),
        ("2b 0b 03 01 00 5b 7b 66 7b 00 00 01 00", "8d 00 0a 0a 10 01 0a 00 00 00"),
        ("2b 03 03 09 00", "8d 00 0a 0a 10 09 0a 20 00 00"),
        ("2b 0a 03 0a 01 1e 00 01 1e 00 01 00", "8d 00 0a 0a 40 0a 0a 00 00 00"),
        ("2b 01 00", ""),
    ],
)
def test_clock_commands_are_acknowledged(command: str, answer: str) -> None:
    bench = Bench(mode="4b", clock=Clock(TimeControl(base=60)))
    assert bench.asked(command) == answer
    acks = [event for event in bench.events() if isinstance(event, ClockAck | Identity)]
    assert len(acks) == bool(answer)


@pytest.mark.parametrize("mode", ["40", "44"])
def test_clock_commands_go_unanswered_outside_the_update_modes(mode: str) -> None:
    bench = Bench(mode=mode, clock=Clock(TimeControl(base=60)))
    assert bench.asked("2b 03 03 09 00") == ""


def test_clock_commands_go_unanswered_without_a_clock() -> None:
    assert Bench(mode="4b").asked("2b 03 03 09 00") == ""


# --- log ------------------------------------------------------------------------------------------


def test_the_log_is_as_long_as_on_a_real_board_and_blocks_the_line() -> None:
    clock = Clock(TimeControl(base=5400), turn="left")
    bench = Bench(mode="4b", clock=clock)
    clock.start(at=2.0)
    bench.board.lift(chess.E2, at=2.0)
    bench.board.put(chess.E4, WHITE_PAWN, at=2.1)
    bench.until(7.0)
    clock.press("left", at=7.0)
    bench.until(7.5)
    clock.stop(at=7.5)
    bench.until(8.0)
    bench.heard.clear()
    bench.say("49 45")
    bench.until(20.0)
    stream = b"".join(data for _, data in bench.heard)
    assert len(stream) == LOG_LENGTH + 8
    assert stream[:3].hex(" ") == "8f 3e 03"
    # e2 empty, a quick white pawn on e4, then 1:29:55 on the left.
    assert stream[:LOG_LENGTH][-8:].hex(" ") == "40 34 51 24 71 29 55 6b"
    assert bench.heard[-1][0] - bench.heard[0][0] == pytest.approx(LOG_LENGTH * 10 / 9600)
    logs = [event for event in bench.events() if isinstance(event, BoardLog)]
    assert len(logs) == 1
    assert not any(isinstance(event, Noise) for event in bench.events())


# --- faults ---------------------------------------------------------------------------------------


def a_game(faults: Faults, *, seed: int = 0) -> list[Event]:
    """Play with damaged messages, then heal the line and ask for the position."""
    clock = Clock(TimeControl(base=600))
    bench = Bench(mode="4b 42", clock=clock, faults=faults, seed=seed)
    clock.start(at=bench.at)
    for _ in range(20):
        bench.board.lift(chess.E2, at=bench.at)
        bench.until(bench.at + 0.5)
        bench.board.put(chess.E2, WHITE_PAWN, at=bench.at)
        bench.until(bench.at + 0.5)
    for name in ("split", "merge", "lose", "insert", "wrong_length", "null_clock", "invalid_clock"):
        setattr(faults, name, 0.0)
    bench.until(bench.at + 1.0)
    bench.say("42")
    bench.until(bench.at + 1.0)
    return bench.events()


def expected_cells() -> str:
    return "".join(
        piece.symbol() if (piece := chess.Board().piece_at(square)) else "."
        for square in chess.SQUARES
    )


@pytest.mark.parametrize(
    "faults", [Faults(split=1.0), Faults(merge=0.5), Faults(split=0.5, merge=0.5)]
)
def test_cuts_and_delays_change_no_event(faults: Faults) -> None:
    damaged = a_game(faults)
    clean = a_game(Faults())
    stripped = [[_without_time(event) for event in events] for events in (damaged, clean)]
    assert stripped[0] == stripped[1]


def _without_time(event: Event) -> str:
    return repr(event).replace(f"at={event.at}", "")


@pytest.mark.parametrize("faults", [Faults(lose=0.5), Faults(insert=0.5), Faults(wrong_length=0.5)])
def test_damage_is_noticed_and_the_next_dump_is_good(faults: Faults) -> None:
    events = a_game(faults, seed=3)
    assert any(isinstance(event, Noise) for event in events)
    dumps = [event.cells for event in events if isinstance(event, Snapshot)]
    assert dumps[-1] == expected_cells()


@pytest.mark.parametrize(
    ("faults", "fault"), [(Faults(null_clock=0.5), "null"), (Faults(invalid_clock=0.5), "invalid")]
)
def test_bad_clock_frames_come_before_good_ones(faults: Faults, fault: str) -> None:
    events = a_game(faults)
    faulty = [event for event in events if isinstance(event, ClockFault)]
    assert {event.fault for event in faulty} == {fault}
    assert len([event for event in events if isinstance(event, ClockReading)]) >= 20


def test_an_unasked_log_arrives_whole() -> None:
    bench = Bench(mode="4b")
    bench.board.send_log(at=bench.at)
    bench.until(20.0)
    (log,) = (event for event in bench.events() if isinstance(event, BoardLog | Noise))
    assert isinstance(log, BoardLog)
    assert log.complete
    assert log.entries[0] == "power-up"
    assert log.entries[-1] == "start position"


def test_a_disconnected_board_goes_on_unheard_and_deaf() -> None:
    bench = Bench(mode="4b")
    bench.board.faults.disconnected = True
    bench.board.lift(chess.E2, at=bench.at)
    bench.say("40 42")
    bench.until(4.0)
    assert bench.heard == []
    bench.board.faults.disconnected = False
    assert bench.board.mode is Mode.UPDATE_NICE
    bench.asked("42")
    (dump,) = bench.events()
    assert isinstance(dump, Snapshot)
    assert dump.cells[chess.E2] == "."
