"""The gate: what each audience may see of facts, and that every output asks it."""

import asyncio
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from bridge.cli.live import troubles
from bridge.core.audience import Audience, for_audience, is_silent
from bridge.core.laws.catalogue import CATALOGUE
from bridge.core.model import (
    AlertCleared,
    AlertRaised,
    BoardChanged,
    Fact,
    GameEnded,
    GameStarted,
    MoveProvisional,
    MoveSettled,
    StartFound,
    TableSetup,
    Visibility,
)
from bridge.core.scoresheet.record import Scorebook
from bridge.core.stream import OutputWriter
from bridge.outputs.bus import Bus, Lagged
from bridge.outputs.overview import Overview, TableView
from bridge.outputs.pgn_files import PgnFiles

_WHERE: dict[str, Any] = {"table": "1", "game": 1, "at": 1.0, "wall": 1.0, "evidence": (1, 1)}
FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def alert(code: str, visibility: Visibility = "A") -> AlertRaised:
    kind = CATALOGUE[code]
    return AlertRaised(
        **_WHERE, code=code, severity=kind.severity, text=code, visibility=visibility
    )


ALERTS = [alert(code, kind.visibility) for code, kind in CATALOGUE.items()]
CLEARED = [AlertCleared(**_WHERE, code=code) for code in CATALOGUE]
SILENT = alert("THREEFOLD_CLAIMABLE")


@pytest.mark.parametrize("audience", ["players", "public"])
def test_players_and_public_see_no_alert_at_all(audience: Audience) -> None:
    facts: list[Fact] = [*ALERTS, *CLEARED]
    assert not [fact for fact in facts if for_audience(fact, audience)]


def test_the_arbiter_sees_everything() -> None:
    facts: list[Fact] = [*ALERTS, *CLEARED, BoardChanged(**_WHERE, cells="." * 64)]
    assert [for_audience(fact, "arbiter") for fact in facts] == facts


@pytest.mark.parametrize("audience", ["operator", "players", "public"])
def test_everybody_sees_from_where_a_game_began(audience: Audience) -> None:
    found = StartFound(**_WHERE, fen=FEN)
    assert for_audience(found, audience) == found


def test_what_was_seen_of_a_move_is_for_those_at_the_board() -> None:
    move = MoveSettled(
        **_WHERE, ply=1, uci="e2e4", san="e4", colour="white", fen=FEN, basis="rest", because="seen"
    )
    assert for_audience(move, "arbiter") == for_audience(move, "operator") == move
    for audience in ("players", "public"):
        shown = for_audience(move, audience)
        assert isinstance(shown, MoveSettled)
        assert (shown.san, shown.because) == ("e4", "")


def test_an_operator_sees_equipment_and_else_only_that_a_board_needs_the_arbiter() -> None:
    for raised in ALERTS:
        shown = for_audience(raised, "operator")
        if raised.visibility == "O":
            assert shown == raised
        elif raised.severity in ("critical", "warning"):
            assert isinstance(shown, AlertRaised)
            assert shown.code == "ARBITER_NEEDED"
            assert raised.code not in msgspec.json.encode(shown).decode()
        else:
            assert shown is None


def test_what_an_operator_was_not_told_is_not_told_to_be_over() -> None:
    for raised, cleared in zip(ALERTS, CLEARED, strict=True):
        shown, over = for_audience(raised, "operator"), for_audience(cleared, "operator")
        told = shown.code if isinstance(shown, AlertRaised) else None
        ended = over.code if isinstance(over, AlertCleared) else None
        assert told is None or ended in (told, raised.code)
        assert ended in (None, "ARBITER_NEEDED") or CATALOGUE[cleared.code].before_start or told


@pytest.mark.parametrize("audience", ["arbiter", "operator", "players", "public"])
def test_what_has_passed_the_gate_may_come_to_it_again(audience: Audience) -> None:
    facts: list[Fact] = [*ALERTS, *CLEARED]
    shown = [fact for fact in (for_audience(each, audience) for each in facts) if fact]
    assert [for_audience(fact, audience) for fact in shown] == shown


def test_nobody_sees_a_provisional_move_but_those_at_the_board() -> None:
    standing = MoveProvisional(**_WHERE, ply=1, uci="e2e4", san="e4")
    seen = [who for who in get_args(Audience) if for_audience(standing, who)]
    assert seen == ["arbiter", "operator"]


# -- every output ------------------------------------------------------------------------------


def test_the_bus_hands_the_public_no_alert_unless_asked_for_another_audience() -> None:
    async def run() -> tuple[list[Fact | Lagged], list[Fact | Lagged]]:
        bus = Bus()
        public, arbiter = bus.subscribe(), bus.subscribe(audience="arbiter")
        for fact in ALERTS:
            bus.publish(fact)
        public.close()
        arbiter.close()
        return [fact async for fact in public], [fact async for fact in arbiter]

    public, arbiter = asyncio.run(run())
    assert public == []
    assert arbiter == ALERTS


def test_a_pgn_file_holds_no_word_of_an_alert(tmp_path: Path) -> None:
    async def run() -> None:
        bus, book = Bus(), Scorebook()
        async with PgnFiles(tmp_path, bus, book.records):
            began = GameStarted(**_WHERE, setup=TableSetup(round="1"), fen=FEN, rotated=False)
            moved = MoveSettled(
                **_WHERE, ply=1, uci="e2e4", san="e4", colour="white", basis="press",
                fen="rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            )  # fmt: skip
            ended = GameEnded(**_WHERE, result="1-0", by="arbiter")
            facts: list[Fact] = [began, moved, *ALERTS, ended]
            for fact in facts:
                bus.publish(fact)

    asyncio.run(run())
    written = "".join(file.read_text() for file in tmp_path.rglob("*.pgn"))
    assert "1. e4" in written
    assert not [code for code in CATALOGUE if code in written]


def test_infer_and_the_live_text_keep_silent_what_nobody_may_act_on() -> None:
    assert is_silent(SILENT)
    assert OutputWriter().lines([SILENT]) == []
    assert OutputWriter(explain=True).lines([SILENT]) != []
    overview = Overview([TableView("1")])
    overview.apply(SILENT)
    assert troubles(overview) == []
    overview.apply(alert("FLAG_FALL"))
    assert len(troubles(overview)) == 1


def test_what_is_silent_is_cleared_in_silence() -> None:
    assert is_silent(AlertCleared(**_WHERE, code="CLOCK_NOT_PRESSED"))
    assert not is_silent(AlertCleared(**_WHERE, code="FLAG_FALL"))
    assert not is_silent(GameEnded(**_WHERE, result="1-0", by="kings"))
