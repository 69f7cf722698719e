from pathlib import Path

import pytest

from bridge.links import claims as module
from bridge.links.claims import Claims
from drivers.errors import PortBusyError


def test_two_names_of_one_port(tmp_path: Path) -> None:
    (tmp_path / "ttyACM0").touch()
    (tmp_path / "by-id").symlink_to(tmp_path / "ttyACM0")
    claims = Claims()
    claims.take_port("table 1", f"serial:{tmp_path}/by-id?baud=9600")
    claims.take_port("table 1", f"serial:{tmp_path}/ttyACM0")
    assert claims.port_holder(f"serial:{tmp_path}/ttyACM0") == "table 1"
    with pytest.raises(PortBusyError, match="this port is served by table 1 already"):
        claims.take_port("table 2", f"serial:{tmp_path}/ttyACM0")
    claims.release("table 1")
    assert claims.port_holder(f"serial:{tmp_path}/ttyACM0") is None
    claims.take_port("table 2", f"serial:{tmp_path}/by-id")


def test_one_board_over_two_ways() -> None:
    claims = Claims()
    claims.take_port("table 1", "tcp:hall:4001")
    claims.take_port("table 2", "tcp:hall:4002")
    claims.take_board("table 1", "dgt", "30123")
    with pytest.raises(PortBusyError, match="board 30123 is served by table 1 already"):
        claims.take_board("table 2", "dgt", "30123")
    claims.take_board("table 2", "acme", "30123")
    assert claims.board_holder("dgt", "30123") == "table 1"
    assert claims.board_holder("acme", "30123") == "table 2"
    assert claims.port_holder("tcp:hall:4002") == "table 2"


@pytest.mark.parametrize("serial", ["", "00000", "?"])
def test_boards_that_never_got_a_number(serial: str) -> None:
    claims = Claims()
    claims.take_board("table 1", "dgt", serial)
    claims.take_board("table 2", "dgt", serial)
    assert claims.board_holder("dgt", serial) is None


def plug(folder: Path, monkeypatch: pytest.MonkeyPatch, **sockets: str) -> None:
    """Let the kernel say in which USB sockets ports are."""
    monkeypatch.setattr(module, "TTYS", folder / "class")
    for port, socket in sockets.items():
        interface = folder / f"devices/pci0000:00/usb1/{socket}/{socket}:1.0/{port}"
        interface.mkdir(parents=True)
        (folder / "class" / port).mkdir(parents=True)
        (folder / "class" / port / "device").symlink_to(interface)


def test_boards_in_two_sockets_are_two_whatever_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(tmp_path, monkeypatch, ttyACM0="1-1.2", ttyACM1="1-1.3")
    claims = Claims()
    for table, address in enumerate(
        ("serial:/dev/ttyACM0", "serial:/dev/ttyACM1?baud=9600", "usb:1-4"), 1
    ):
        claims.take_port(f"table {table}", address)
        assert claims.take_board(f"table {table}", "dgt", "30123") == (table > 1)
        claims.take_board(f"table {table}", "dgt", "30123")
    assert claims.board_holder("dgt", "30123") == "table 1"
    claims.release("table 1")
    claims.take_port("table 4", "usb:1-4.1")
    claims.take_board("table 4", "dgt", "30123")
    assert claims.board_holder("dgt", "30123") == "table 4"


def test_boards_at_two_ports_of_the_machine_are_two_whatever_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TTYS", tmp_path)
    for port in ("ttyS0", "ttyS1", "rfcomm0"):
        (tmp_path / port / "device").mkdir(parents=True)
    claims = Claims()
    for table, port in enumerate(("ttyS0", "ttyS1"), 1):
        claims.take_port(f"table {table}", f"serial:/dev/{port}")
        claims.take_board(f"table {table}", "dgt", "30123")
    claims.take_port("table 3", "serial:/dev/rfcomm0")
    with pytest.raises(PortBusyError, match="board 30123 is served by table 1 already"):
        claims.take_board("table 3", "dgt", "30123")


@pytest.mark.parametrize(
    "address", ["tcp:hall:4001", "usb:2d80:8001", "serial:/dev/ttyS7", "ble:AA:BB"]
)
def test_a_board_without_a_socket_may_be_one_that_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    plug(tmp_path, monkeypatch, ttyACM0="1-1.2")
    claims = Claims()
    claims.take_port("table 1", "serial:/dev/ttyACM0")
    claims.take_board("table 1", "dgt", "30123")
    claims.take_port("table 2", address)
    with pytest.raises(PortBusyError, match="board 30123 is served by table 1 already"):
        claims.take_board("table 2", "dgt", "30123")


def test_boards_with_two_bluetooth_addresses_are_two_whatever_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plug(tmp_path, monkeypatch, ttyACM0="1-1.2")
    claims = Claims()
    for number in (1, 2):
        claims.take_port(f"table {number}", f"ble:AA:BB:CC:00:00:0{number}")
        claims.take_board(f"table {number}", "acme", "00001")
    claims.take_port("table 3", "serial:/dev/ttyACM0")
    with pytest.raises(PortBusyError, match="board 00001 is served by table 1 already"):
        claims.take_board("table 3", "acme", "00001")
