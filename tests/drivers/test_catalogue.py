"""Drivers are found, and what is written down about them is what they declare."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.boards.families import FAMILIES
from drivers import udev
from drivers.boards.chessnut import Chessnut
from drivers.boards.dgt import Dgt
from drivers.catalogue import all_drivers, driver, main, readme_table, udev_rules
from drivers.errors import UnknownDriverError

ROOT = Path(__file__).resolve().parents[2]
ACME = """\
from drivers.boards.dgt import Dgt
from drivers.codec import DriverInfo, Fingerprint, LineSettings


class Acme(Dgt):
    info = DriverInfo(
        name="acme",
        title="Acme board",
        transports=("ble",),
        line=LineSettings(baud=9600),
        fingerprint=Fingerprint(),
        sensing="occupancy",
        has_clock=False,
        longest_message=34,
        silence_limit=5.0,
        evidence="one source",
        sources="vendor PDF",
    )
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Install a distribution with one driver entry point and one module."""

    def put(entry: str, module: str) -> None:
        name = entry.split("=")[1].split(":", maxsplit=1)[0].strip()
        (tmp_path / f"{name}.py").write_text(module)
        metadata = tmp_path / f"{name}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[eboard_bridge.drivers]\n{entry}\n")
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.syspath_prepend(str(tmp_path))

    return put


def test_the_drivers_of_this_project_are_found() -> None:
    assert all_drivers()["dgt"] is Dgt
    assert driver("dgt") is Dgt


def test_drivers_are_sorted_and_called_what_they_call_themselves() -> None:
    names = [found.info.name for found in all_drivers().values()]
    assert names == sorted(all_drivers())


def test_somebody_elses_driver_is_found(install: Callable[[str, str], None]) -> None:
    install("acme = somebodys_acme:Acme", ACME)
    assert driver("acme").info.title == "Acme board"
    assert "| Acme board | `acme` | ble | occupancy | no | no | one source | vendor PDF |" in (
        readme_table()
    )
    assert "Acme" not in udev_rules()


@pytest.mark.parametrize(
    ("entry", "module", "said"),
    [
        ("broken = broken_one:Broken", "raise OSError('no such device')", "cannot be loaded"),
        ("broken = broken_two:Broken", "", "cannot be loaded"),
        ("broken = broken_three:Broken", "Broken = 3", "is no driver"),
        ("broken = broken_four:Broken", "Broken = dict", "is no driver"),
        ("broken = broken_five:Acme", ACME, "calls itself acme"),
        ("dgt = zz_second:Dgt", "from drivers.boards.dgt import Dgt", "installed twice"),
    ],
)
def test_a_broken_driver_is_reported_and_left_out(
    install: Callable[[str, str], None],
    caplog: pytest.LogCaptureFixture,
    entry: str,
    module: str,
    said: str,
) -> None:
    before = all_drivers()
    install(entry, module)
    assert all_drivers() == before
    assert said in caplog.text


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownDriverError, match=r"no driver 'dtg'; did you mean 'dgt'\?"):
        driver("dtg")
    with pytest.raises(UnknownDriverError, match=r"no driver 'zzzzzz'; there are: .*dgt"):
        driver("zzzzzz")


def test_the_udev_rules_are_the_ones_drivers_declare() -> None:
    assert (ROOT / "udev/70-eboard-bridge.rules").read_text() == udev_rules()


def rules_for(title: str) -> str:
    """The blocks of rules that name a board."""
    return "\n\n".join(block for block in udev_rules().split("\n\n") if f"# {title}\n" in block)


def test_each_usb_id_is_granted_and_hidden_from_modemmanager() -> None:
    rules = rules_for(Dgt.info.title).splitlines()
    for vendor, product in Dgt.info.fingerprint.usb_ids:
        device = f'ATTRS{{idVendor}}=="{vendor:04x}"'
        if product is not None and vendor != udev.FTDI:  # all of whose chips may be in boards
            device += f', ATTRS{{idProduct}}=="{product:04x}"'
        about = [rule for rule in rules if device in rule]
        assert sum('ENV{ID_MM_DEVICE_IGNORE}="1"' in rule for rule in about) == 1
        assert sum('GROUP="dialout"' in rule and "uaccess" in rule for rule in about) == 1
        fast = [rule for rule in about if 'ATTR{latency_timer}="1"' in rule]
        assert len(fast) == (vendor == udev.FTDI)


def test_a_hid_board_is_granted_as_a_device() -> None:
    device = 'SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="2d80"'
    (block,) = rules_for(Chessnut.info.title).split("\n\n")
    assert [line for line in block.splitlines() if not line.startswith("#")] == [
        f'ACTION!="remove", {device}, GROUP="dialout", MODE="0660", TAG+="uaccess"',
        f'ACTION=="add", {device}, TEST=="power/control", ATTR{{power/control}}="on"',
    ]


def test_ids_that_boards_share_come_once() -> None:
    rules = [line for line in udev_rules().splitlines() if not line.startswith("#")]
    assert len(set(filter(None, rules))) == len(list(filter(None, rules)))


def test_the_readme_lists_the_boards() -> None:
    readme = (ROOT / "README.md").read_text()
    table = readme.split("<!-- boards -->\n")[1].split("<!-- /boards -->")[0]
    assert table == readme_table()


def test_what_is_said_to_be_tested_is() -> None:
    wirings = {"serial": "by serial", "row": "in a row", "usb": "by USB", "radio": "by radio"}
    emulated = "".join(path.read_text() for path in (ROOT / "tests" / "vm").glob("*.py"))
    for name, found in all_drivers().items():
        tested = {f"games {wirings[each.wiring]}" for each in FAMILIES if each.driver == name}
        if found.info.evidence == "real captures":
            tested.add("recordings")
        if re.search(rf"driver: {name}\b|\b{found.__name__}\b", emulated):
            tested.add("games in QEMU")
        assert set(found.info.tested) == tested, name


@pytest.mark.parametrize(("what", "printed"), [("udev", udev_rules), ("readme", readme_table)])
def test_both_can_be_printed(
    what: str, printed: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([what])
    assert capsys.readouterr().out == printed()


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "drivers.catalogue", "udev"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert result.stdout == udev_rules()
