"""What ``doctor`` says of rules, USB and radio."""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import usb.backend.libusb1

from bridge.cli import connections
from bridge.cli.findings import RULES_FILE, Finding, Machine
from bridge.config import parse
from drivers.catalogue import udev_rules
from testbed.fake_bluez import FakeBlueZ
from testbed.private_dbus import private_dbus
from tests.rights import unprivileged


@pytest.fixture
def tree() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_rules_are_looked_for(tree: Path) -> None:
    absent = connections.rules(Machine(root=tree))
    assert (absent.state, absent.text.partition(":")[0]) == ("warn", "not installed")
    assert f"sudo tee {RULES_FILE}" in absent.remedy
    put(tree / "etc/udev/rules.d/99-my-eboard.rules", "# of somebody else")
    assert connections.rules(Machine(root=tree)) == absent
    file = put(tree / RULES_FILE.lstrip("/"), udev_rules())
    assert connections.rules(Machine(root=tree)).text == f"{file} is up to date"
    file.write_text(udev_rules().replace("0403", "0404"))
    assert connections.rules(Machine(root=tree)).state == "warn"


@pytest.mark.parametrize(
    ("tables", "kinds"),
    [
        ("{table: 1}", {"serial", "tcp"}),
        ("{table: 1, board: {driver: chessnut}}", {"usb", "ble"}),
        ("{table: 1, board: {driver: chessnut, port: 'ble:Chessnut Air'}}", {"ble"}),
        ("{table: 1, clock: {driver: dgt, port: 'replay:x'}}", {"serial", "tcp", "replay"}),
        ("{table: 1, board: {port: /dev/ttyS0}}, {table: 2, board: {port: 'tcp:a:1'}}", None),
    ],
)
def test_only_what_tables_need_is_asked_for(tables: str, kinds: set[str] | None) -> None:
    config = parse(f"tables: [{tables}]", Path("/hall.yaml"))
    assert connections.wanted_kinds(config) == (kinds or {"serial", "tcp"})


def test_a_hall_of_serial_boards_needs_no_radio(tree: Path) -> None:
    config = parse("tables: [{table: 1}]", Path("/hall.yaml"))
    subjects = [one.subject for one in connections.connections(Machine(root=tree), config)]
    assert subjects == ["udev rules", "ModemManager"]


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    monkeypatch.setitem(sys.modules, "drivers.transports.radio", None)
    finding = connections.bluetooth("mend")
    assert (finding.state, finding.remedy) == ("mend", "pip install 'eboard-bridge[ble]'")
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    (finding,) = connections.usb(Machine(root=tree), "warn")
    assert (finding.state, finding.remedy) == ("warn", "sudo apt install libusb-1.0-0")
    monkeypatch.setitem(sys.modules, "usb", None)
    (finding,) = connections.usb(Machine(root=tree), "mend")
    assert (finding.state, finding.remedy) == ("mend", "pip install 'eboard-bridge[usb]'")


def test_each_usb_board_is_tried(tree: Path) -> None:
    devices = tree / "sys/bus/usb/devices"
    for name, vendor, number in (
        ("1-1", "2d80", "3"),
        ("1-2", "2d80", "4"),
        ("1-3", "046d", "5"),
        ("1-4", "2d80", ""),
    ):
        for attribute, text in (
            ("idVendor", vendor),
            ("idProduct", "8001"),
            ("busnum", "1"),
            ("devnum", number),
        ):
            put(devices / name / attribute, f"{text}\n")
    put(tree / "dev/bus/usb/001/003").chmod(0o666)
    put(tree / "dev/bus/usb/001/004").chmod(0)
    with unprivileged():
        head, *found = connections.usb(Machine(root=tree), "warn")
    if head.subject == "libusb":
        pytest.skip("libusb-1.0 is not installed")
    assert [(one.subject, one.state) for one in found] == [("usb 1-1", "good"), ("usb 1-2", "mend")]
    assert "Chessnut" in found[1].text
    assert RULES_FILE in found[1].remedy


def examined_beside(*, powered: bool = True, adapters: int = 1, boards: int = 0) -> Finding:
    """Let doctor ask in a thread of its own while a bluetoothd answers here."""

    async def run() -> Finding:
        async with private_dbus(), FakeBlueZ(adapters=adapters) as bluez, asyncio.timeout(60):
            bluez.set_powered(powered)
            found: list[Finding] = []
            thread = threading.Thread(
                target=lambda: found.append(connections.bluetooth("mend", boards))
            )
            thread.start()
            while thread.is_alive():  # noqa: ASYNC110 - a thread calls nobody
                await asyncio.sleep(0.05)
            return found[0]

    return asyncio.run(run())


def test_the_radio_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LISTEN_SECONDS", 0.3)
    works = examined_beside(powered=True)
    assert (works.state, works.text) == ("good", "works with hci0, 0 devices in reach")
    off = examined_beside(powered=False)
    assert (off.state, off.text) == ("mend", "the Bluetooth adapter is switched off")
    assert "bluetoothctl power on" in off.remedy


def test_many_boards_want_more_than_one_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LISTEN_SECONDS", 0.3)
    crowded = examined_beside(boards=11)
    assert (crowded.state, crowded.remedy) == (
        "warn",
        "plug in another adapter: one for 10 boards",
    )
    assert crowded.text == "11 boards share hci0: they come back slowly"
    enough = examined_beside(boards=11, adapters=2)
    assert (enough.state, enough.text) == ("good", "works with hci0 and hci1, 0 devices in reach")


def test_boards_on_the_radio_are_counted(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    def bluetooth(grave: str, boards: int) -> Finding:
        counts.append(boards)
        return Finding(state="good", subject="Bluetooth", text=grave)

    monkeypatch.setattr(connections, "bluetooth", bluetooth)
    config = parse(
        "tables:\n"
        "  - {table: 1, board: {driver: chessnut, port: 'ble:AA:BB:CC:00:00:01'}}\n"
        "  - {table: 2, board: {driver: chessnut, port: 'usb:1-1'}}\n"
        "  - {table: 3, board: {driver: chessnut, port: 'ble:AA:BB:CC:00:00:02'}}\n",
        Path("/hall.yaml"),
    )
    connections.connections(Machine(root=tree), config)
    connections.connections(Machine(root=tree), None)
    assert counts == [2, 0]
