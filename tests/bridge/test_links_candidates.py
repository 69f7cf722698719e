"""What is connected and may be a board, by names and ids alone."""

import asyncio
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from serial.tools.list_ports_common import ListPortInfo

from bridge.links import candidates
from bridge.links.candidates import (
    BY_MAKER,
    BY_MODEL,
    BY_NAME,
    UNLIKELY,
    Candidate,
    ble_candidates,
    candidate_at,
    serial_candidates,
    usb_candidates,
)
from drivers import nordic_uart
from drivers.boards.dgt import Dgt
from drivers.codec import Fingerprint, GattSettings, HidSettings
from drivers.errors import AddressError
from testbed.virtual_usb import VirtualDevice, virtual_usb

HID = replace(
    Dgt.info,
    name="hid",
    transports=("usb",),
    line=None,
    hid=HidSettings(usage_page=0xFF00),
    fingerprint=Fingerprint(usb_ids=((0x2D80, None),), port_names=("Smart Board",)),
)
BLE = replace(
    Dgt.info,
    name="ble",
    transports=("ble",),
    line=None,
    gatt=GattSettings(notify=(nordic_uart.SERVICE,), write=nordic_uart.SERVICE),
    fingerprint=Fingerprint(ble_names=("Acme-*",), ble_services=(nordic_uart.SERVICE,)),
)
Plug = Callable[..., ListPortInfo]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Plugs USB serial ports into an otherwise empty machine, as udev would name them."""
    listed: list[ListPortInfo] = []
    for name in ("by-id", "by-path"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    monkeypatch.setattr(candidates, "BY_ID", tmp_path / "by-id")
    monkeypatch.setattr(candidates, "BY_PATH", tmp_path / "by-path")

    def put(
        name: str,
        ids: tuple[int, int] | None = None,
        by_id: str = "",
        socket: str = "",
        **told: str,
    ) -> ListPortInfo:
        (tmp_path / name).touch()
        port = ListPortInfo(str(tmp_path / name), skip_link_detection=True)
        port.vid, port.pid = ids or (None, None)
        port.location = f"{socket}:1.0" if socket else None
        port.product, port.manufacturer = told.get("product"), told.get("maker")
        port.serial_number = told.get("serial")
        for folder, link in (("by-id", by_id), ("by-path", f"pci-usb-{socket}" * bool(socket))):
            if link:
                (tmp_path / folder / link).unlink(missing_ok=True)
                (tmp_path / folder / link).symlink_to(tmp_path / name)
        listed.append(port)
        return port

    return put


def test_a_port_is_known_under_its_most_stable_name(plug: Plug, tmp_path: Path) -> None:
    plug("ttyACM0", (0x04D8, 0x000A), "usb-DGT_DGT_Chessboard-if00", "1-1", serial="1")
    (port,) = serial_candidates([f"{tmp_path}/tty*"])
    assert port.addresses == (
        f"serial:{tmp_path}/by-id/usb-DGT_DGT_Chessboard-if00",
        f"serial:{tmp_path}/by-path/pci-usb-1-1",
        f"serial:{tmp_path}/ttyACM0",
    )
    assert (port.socket, port.usb, port.note) == ("1-1", (0x04D8, 0x000A), "")
    assert port.likeness(Dgt.info) == BY_NAME


@pytest.mark.parametrize(
    ("serial", "said"),
    [
        ("1", "another such device here has the same USB serial number too: known by its USB"),
        (None, "another such device here has no USB serial number too: known by its USB socket"),
    ],
)
def test_twins_are_known_by_their_sockets(
    plug: Plug, tmp_path: Path, serial: str | None, said: str
) -> None:
    told = {} if serial is None else {"serial": serial}
    plug("ttyACM0", (0x04D8, 0x000A), "usb-DGT_Board-if00", "1-1", **told)
    plug("ttyACM1", (0x04D8, 0x000A), "usb-DGT_Board-if00", "1-2", **told)
    found = {port.address: port for port in serial_candidates()}
    assert set(found) == {f"serial:{tmp_path}/by-path/pci-usb-1-{n}" for n in (1, 2)}
    assert all(port.note.startswith(said) for port in found.values())


def test_two_interfaces_of_one_device_are_no_twins(plug: Plug) -> None:
    plug("ttyACM0", (1, 2), socket="1-1", serial="1").location = "1-1:1.0"
    plug("ttyACM1", (1, 2), socket="1-1", serial="1").location = "1-1:1.2"
    assert {port.note for port in serial_candidates()} == {""}


def test_a_device_that_was_plugged_in_anew_is_another(plug: Plug, tmp_path: Path) -> None:
    plug("ttyACM0")
    (before,) = serial_candidates()
    (tmp_path / "ttyACM0").unlink()
    (tmp_path / "other").touch()
    (tmp_path / "ttyACM0").touch()
    (after,) = serial_candidates()
    assert before.address == after.address
    assert before != after


@pytest.mark.parametrize(
    ("ids", "told", "likeness"),
    [
        ((0x1234, 1), {"maker": "DGT", "product": "DGT Chessboard"}, BY_NAME),
        ((0x04D8, 0x000A), {}, BY_MODEL),
        ((0x045B, 0x9999), {}, BY_MAKER),
        ((0x1234, 1), {"product": "GPS"}, UNLIKELY),
        (None, {}, UNLIKELY),
    ],
)
def test_how_much_a_port_looks_like_a_board(
    plug: Plug, ids: tuple[int, int] | None, told: dict[str, str], likeness: int
) -> None:
    plug("ttyUSB0", ids, socket="1-1", **told)
    (port,) = serial_candidates()
    assert port.likeness(Dgt.info) == likeness
    assert port.likeness(BLE) is None
    assert port.likeness(HID) is None


@pytest.mark.parametrize(
    ("name", "services", "likeness"),
    [
        ("Acme-7", (), BY_NAME),
        ("Watch", (nordic_uart.SERVICE,), BY_MAKER),
        ("Watch", (), None),
    ],
)
def test_strangers_on_the_radio_are_left_alone(
    name: str, services: tuple[str, ...], likeness: int | None
) -> None:
    one = Candidate(kind="ble", addresses=("ble:1",), labels=(name,), services=services)
    assert one.likeness(BLE) == likeness
    assert replace(one, named=True).likeness(BLE) == (UNLIKELY if likeness is None else likeness)


@pytest.mark.parametrize(
    ("address", "asked"),
    [
        ("/dev/ttyS0", (UNLIKELY, None, None)),
        ("serial:/dev/ttyS0", (UNLIKELY, None, None)),
        ("tcp:hall:5000", (UNLIKELY, None, None)),
        ("usb:1-1", (None, UNLIKELY, None)),
        ("ble:Acme-7", (None, None, BY_NAME)),
        ("simulated:dgt/2", (UNLIKELY, None, None)),
        ("replay:x", (UNLIKELY, UNLIKELY, UNLIKELY)),
    ],
)
def test_what_a_person_names_is_asked(address: str, asked: tuple[int | None, ...]) -> None:
    one = candidate_at(address)
    assert tuple(one.likeness(info) for info in (Dgt.info, HID, BLE)) == asked


def test_usb_boards_are_known_by_their_sockets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "USB_DEVICES", tmp_path)
    (tmp_path / "1-1.4").mkdir()
    for name, text in (("product", "Smart Board\n"), ("serial", "77\n"), ("devnum", "9\n")):
        (tmp_path / "1-1.4" / name).write_text(text)
    with virtual_usb() as bus:
        bus.plug(VirtualDevice(ports=(1, 4)))
        bus.plug(VirtualDevice(ports=(2,)))
        bus.plug(VirtualDevice(ports=(3,), vendor=0x046D))
        told, silent = usb_candidates([HID, Dgt.info])
    assert told == Candidate(
        kind="usb",
        addresses=("usb:1-1.4", "usb:2d80:8001/77", "usb:2d80:8001"),
        labels=("Smart Board",),
        usb=(0x2D80, 0x8001),
        socket="1-1.4",
        inode=(9, 9),
    )
    assert silent.addresses == ("usb:1-2", "usb:2d80:8001")
    assert (told.likeness(HID), silent.likeness(HID)) == (BY_NAME, BY_MAKER)
    assert told.likeness(Dgt.info) is None


@pytest.mark.parametrize(
    ("module", "look", "extra"),
    [
        ("serial.tools.list_ports", serial_candidates, "serial"),
        ("drivers.transports.usb_devices", lambda: usb_candidates([HID]), "usb"),
        ("drivers.transports.radio", lambda: asyncio.run(ble_candidates(1.0)), "ble"),
    ],
)
def test_what_is_not_installed_is_named(
    module: str, look: Callable[[], object], extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(AddressError, match=rf"eboard-bridge\[{extra}\]"):
        look()
