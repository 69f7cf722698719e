"""The udev rules as Debian's own udev applies them, to devices that umockdev shows it."""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from drivers.catalogue import udev_rules

RUN = Path("/run/udev")
RULES = RUN / "rules.d/70-eboard-bridge.rules"
LOCK = Path(tempfile.gettempdir()) / "eboard-bridge-udev-test.lock"
BUS = "/devices/pci0000:00/0000:00:14.0/usb1"
PORT = f"{BUS}/1-2/1-2:1.0"

TREE = """\
P: /devices/pci0000:00/0000:00:14.0
E: SUBSYSTEM=pci
E: PCI_SLOT_NAME=0000:00:14.0

P: {bus}
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
A: idVendor=1d6b\\n
A: idProduct=0002\\n

P: {bus}/1-2
N: bus/usb/001/009
E: SUBSYSTEM=usb
E: DEVTYPE=usb_device
E: DEVNAME=/dev/bus/usb/001/009
E: MAJOR=189
E: MINOR=8
E: BUSNUM=001
E: DEVNUM=009
E: PRODUCT={product}
A: idVendor={vendor:04x}\\n
A: idProduct={model:04x}\\n
A: serial=A50285BI\\n
A: manufacturer=Maker\\n
A: product=Some board\\n
A: power/control=auto\\n

P: {bus}/1-2/1-2:1.0
E: SUBSYSTEM=usb
E: DEVTYPE=usb_interface
E: INTERFACE=255/255/255
A: bInterfaceNumber=00\\n
A: bInterfaceClass=ff\\n

P: {bus}/1-2/1-2:1.0/ttyUSB0
E: SUBSYSTEM=usb-serial
E: DRIVER=ftdi_sio
A: latency_timer=16\\n

P: {bus}/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0
N: ttyUSB0
E: SUBSYSTEM=tty
E: DEVNAME=/dev/ttyUSB0
E: MAJOR=188
E: MINOR=0
"""
Apply = Callable[..., str]


@pytest.fixture
def apply(tmp_path: Path) -> Iterator[Apply]:
    """Applies the rules to one device of a USB board with these ids; returns what udev says."""
    for program in ("umockdev-run", "udevadm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (Debian: apt-get install umockdev udev)")
    if os.geteuid() != 0:
        pytest.skip("only root may add rules for a moment")
    if (RUN / "control").exists():
        pytest.skip("a real udev is at work here")
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # all tests of this machine share its folder of rules
        before = set(RUN.glob("*"))
        RULES.parent.mkdir(parents=True, exist_ok=True)
        RULES.write_text(udev_rules())
        try:
            yield partial(tell, tmp_path / "tree.umockdev")
        finally:
            RULES.unlink()
            for made in set(RUN.glob("*")) - before:
                shutil.rmtree(made)


def tell(tree: Path, device: str, vendor: int, model: int, action: str = "add") -> str:
    product = f"{vendor:x}/{model:x}/100"
    tree.write_text(TREE.format(bus=BUS, vendor=vendor, model=model, product=product))
    command = ["umockdev-run", "-d", str(tree), "--"]
    command += ["udevadm", "test", f"--action={action}", f"/sys{device}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout + done.stderr


FTDI, DGT, CHESSNUT, STRANGER = (0x0403, 0x6015), (0x04D8, 0x000A), (0x2D80, 0x8001), (0x1234, 1)


def wrote(told: str) -> list[tuple[str, str]]:
    """The attributes that were set."""
    return re.findall(r"ATTR '\S*/([a-z_]+)' writing '(\w+)'", told)


def test_every_line_is_understood(apply: Apply) -> None:
    told = apply(f"{BUS}/1-2", *DGT)
    assert f"Reading rules file: {RULES}" in told
    assert not re.findall(rf"{RULES}:\d+:? (?:Invalid|Unknown|GOTO|The line).*", told)


@pytest.mark.parametrize("ids", [FTDI, DGT])
def test_a_port_is_granted_and_named_and_kept_from_modemmanager(
    apply: Apply, ids: tuple[int, int]
) -> None:
    told = apply(f"{PORT}/ttyUSB0/tty/ttyUSB0", *ids)
    assert re.search(r"^TAGS=.*:uaccess:", told, re.MULTILINE)
    assert "ID_MM_DEVICE_IGNORE=1" in told
    assert re.search(rf"{RULES}:\d+ MODE 0660", told)
    assert re.search(rf"{RULES}:\d+ GROUP ", told)
    (links,) = re.findall(r"^DEVLINKS=(.*)", told, re.MULTILINE)
    assert "/dev/eboard/pci-0000_00_14_0-usb-0_2_1_0" in links.split()
    assert "/dev/serial/by-id/usb-Maker_Some_board_A50285BI-if00" in links.split()


@pytest.mark.parametrize(("ids", "written"), [(FTDI, [("latency_timer", "1")]), (DGT, [])])
def test_only_ftdi_chips_have_a_latency(
    apply: Apply, ids: tuple[int, int], written: list[tuple[str, str]]
) -> None:
    assert wrote(apply(f"{PORT}/ttyUSB0", *ids)) == written


@pytest.mark.parametrize("ids", [FTDI, DGT, CHESSNUT])
def test_boards_are_not_put_to_sleep(apply: Apply, ids: tuple[int, int]) -> None:
    assert wrote(apply(f"{BUS}/1-2", *ids)) == [("control", "on")]


def test_a_board_without_a_port_is_granted_itself(apply: Apply) -> None:
    told = apply(f"{BUS}/1-2", *CHESSNUT)
    assert re.search(r"^TAGS=.*:uaccess:", told, re.MULTILINE)
    assert re.search(rf"{RULES}:\d+ MODE 0660", told)


@pytest.mark.parametrize("device", [f"{BUS}/1-2", f"{PORT}/ttyUSB0/tty/ttyUSB0"])
def test_strangers_are_left_alone(apply: Apply, device: str) -> None:
    assert f"{RULES}:" not in apply(device, *STRANGER)


def test_nothing_is_done_when_a_board_goes(apply: Apply) -> None:
    assert f"{RULES}:" not in apply(f"{PORT}/ttyUSB0/tty/ttyUSB0", *DGT, action="remove")
