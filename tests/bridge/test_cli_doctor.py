"""``doctor``: each examination against a machine made of files, and the whole on this one."""

import contextlib
import grp
import os
import resource
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.cli import connections, examination, main
from bridge.cli.findings import RULES_FILE, Machine
from bridge.cli.frame import CANNOT, DONE, NO
from bridge.config import CaptureLimits, Config, parse
from bridge.store.journal import Journal
from bridge.store.schema import VERSION
from tests.rights import NOBODY, unprivileged


@pytest.fixture
def tree() -> Iterator[Path]:
    """A file tree that every user may look into."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        (root / "dev").mkdir()
        yield root


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def config(text: str = "tables: [{table: 1}]", file: str = "/nowhere/hall.yaml") -> Config:
    return parse(text, Path(file))


def test_the_serial_library_is_looked_for() -> None:
    assert examination.serial_library().state == "good"
    absent = examination.serial_library("no_such_serial_library")
    assert (absent.state, absent.remedy) == ("mend", "pip install 'eboard-bridge[serial]'")


def test_root_is_told_not_to_be_root() -> None:
    assert examination.user(Machine(uid=0)).state == "warn"
    assert examination.user(Machine(uid=4_000_000)).text == "4000000"


def test_ports_are_found_by_their_names_and_in_the_configuration(tree: Path) -> None:
    for name in ("ttyUSB1", "ttyACM0", "ttyS0", "mine7"):
        put(tree / "dev" / name)
    (tree / "dev/by-id").symlink_to(tree / "dev/ttyACM0")
    found = examination.serial_ports(Machine(root=tree), None)
    assert [port.name for port in found] == ["ttyACM0", "ttyUSB1"]
    settings = config(
        f"""
        tables:
          - {{table: 1, board: {{port: {tree}/dev/by-id}}}}
          - {{table: 2, board: {{port: "serial:{tree}/dev/other?baud=9600"}}}}
          - {{table: 3, board: {{port: "tcp:hall:5000"}}}}
          - {{table: 4, clock: {{driver: dgt, port: "{tree}/dev/clock"}}}}
        ports: [/dev/mine*]
        """
    )
    found = examination.serial_ports(Machine(root=tree), settings)
    assert [port.name for port in found] == ["clock", "mine7", "other", "ttyACM0", "ttyUSB1"]


def test_each_port_is_tried(tree: Path) -> None:
    free = put(tree / "dev/ttyACM0")
    free.chmod(0o666)
    closed = put(tree / "dev/ttyACM1")
    closed.chmod(0)
    absent = tree / "dev/ttyACM2"
    with unprivileged():
        found = examination.rights([free, closed, absent])
    assert [finding.state for finding in found] == ["good", "mend", "mend"]
    assert "may be read and written" in found[0].text
    assert "it belongs to the group " in found[1].text
    assert "drivers.catalogue udev | sudo tee" in found[1].remedy
    assert found[2].text == f"{absent}: No such file or directory"


def test_no_port_at_all_is_worth_a_word() -> None:
    (finding,) = examination.rights([])
    assert (finding.state, finding.text) == ("warn", "no serial port is there")


def test_a_group_without_a_name_is_a_number(tree: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may give a file to a group that does not exist")
    port = put(tree / "dev/ttyACM0")
    os.chown(port, -1, 4_000_000)
    port.chmod(0)
    with unprivileged():
        (finding,) = examination.rights([port])
    assert "belongs to the group 4000000" in finding.text
    assert examination.group(Machine(root=tree, uid=NOBODY), [port]).state == "unknown"


@pytest.fixture
def only_dialout(monkeypatch: pytest.MonkeyPatch) -> grp.struct_group:
    """The groups of a Debian machine, whatever this one is."""
    dialout = grp.struct_group(("dialout", "x", 20, ["nobody"]))
    monkeypatch.setattr(grp, "getgrall", lambda: [dialout])
    return dialout


def test_members_of_the_group_may_open_ports(tree: Path, only_dialout: grp.struct_group) -> None:
    assert examination.group(Machine(root=tree, uid=0), []).text == "root needs none"
    member = Machine(root=tree, uid=NOBODY, gids=frozenset({NOBODY, only_dialout.gr_gid}))
    finding = examination.group(member, [])
    assert (finding.state, finding.text) == ("good", "nobody is in dialout")


def test_the_group_is_the_one_that_owns_the_ports(tree: Path) -> None:
    port = put(tree / "dev/ttyACM0")
    owner = grp.getgrgid(port.stat().st_gid)
    member = Machine(root=tree, uid=NOBODY, gids=frozenset({owner.gr_gid}))
    assert examination.group(member, [port]).text == f"nobody is in {owner.gr_name}"


def test_an_outsider_is_told_how_to_join(tree: Path, only_dialout: grp.struct_group) -> None:
    finding = examination.group(Machine(root=tree, uid=4_000_000, gids=frozenset()), [])
    assert (finding.state, finding.text) == ("mend", "4000000 is not in dialout")
    assert finding.remedy == "sudo usermod -aG dialout 4000000, then log out and in again"


def test_a_fresh_member_has_to_log_in_again(tree: Path, only_dialout: grp.struct_group) -> None:
    finding = examination.group(Machine(root=tree, uid=NOBODY, gids=frozenset({NOBODY})), [])
    assert finding.text == "nobody is not in dialout in this session"
    assert finding.remedy == "log out and in again"


def test_an_outsider_who_may_open_the_ports_is_left_in_peace(tree: Path) -> None:
    port = put(tree / "dev/ttyACM0")
    port.chmod(0o666)
    outsider = Machine(root=tree, uid=NOBODY, gids=frozenset({NOBODY}))
    with unprivileged():
        finding = examination.group(outsider, [port])
    assert finding.state == "good"
    assert "may use the ports all the same" in finding.text


def test_modem_manager(tree: Path) -> None:
    machine = Machine(root=tree)
    assert connections.modem_manager(machine).state == "unknown"
    put(tree / "proc/1/comm", "systemd\n")
    (tree / "proc/3/comm").mkdir(parents=True)  # a process that went away while we looked
    assert connections.modem_manager(machine).text == "not running"
    put(tree / "proc/2/comm", "ModemManager\n")
    put(tree / "etc/udev/rules.d/70-eboard.rules", "# nothing\n")
    finding = connections.modem_manager(machine)
    assert finding.state == "mend"
    assert RULES_FILE in finding.remedy
    rules = put(tree / "lib/udev/rules.d/70-eboard.rules", 'ENV{ID_MM_DEVICE_IGNORE}="1"\n')
    finding = connections.modem_manager(machine)
    assert (finding.state, finding.text) == ("good", f"kept off boards by {rules}")


def test_the_rules_doctor_recommends_are_the_rules_it_looks_for(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from drivers import catalogue

    put(tree / "proc/2/comm", "ModemManager\n")
    put(tree / RULES_FILE.lstrip("/"), catalogue.udev_rules())
    assert connections.modem_manager(Machine(root=tree)).state == "good"


def test_latency_timers(tree: Path) -> None:
    devices = tree / "sys/bus/usb-serial/devices"
    assert connections.latency(Machine(root=tree)) == []
    put(devices / "ttyUSB0/latency_timer", "16\n")
    put(devices / "ttyUSB1/latency_timer", "1\n")
    put(devices / "ttyUSB2/latency_timer", "\n")
    slow, fast, unreadable = connections.latency(Machine(root=tree))
    assert (slow.state, fast.state, unreadable.state) == ("warn", "good", "unknown")
    assert slow.remedy == f"echo 1 | sudo tee {devices}/ttyUSB0/latency_timer"


@pytest.mark.parametrize(("state", "expected"), [(0, "good"), (5, "warn"), (-1, "unknown")])
def test_the_kernel_knows_whether_time_is_kept(tree: Path, state: int, expected: str) -> None:
    assert examination.time_kept(Machine(root=tree), lambda: state).state == expected


def test_systemd_knows_whether_time_is_kept(tree: Path) -> None:
    put(tree / "run/systemd/timesync/synchronized")
    finding = examination.time_kept(Machine(root=tree), lambda: 5)
    assert finding.text == "kept right by systemd-timesyncd"


def test_this_kernel_can_be_asked() -> None:
    assert -1 <= examination.adjtimex() <= 5


def test_the_data_folder(tree: Path) -> None:
    open_ = tree / "open"
    open_.mkdir()
    open_.chmod(0o777)
    file = put(tree / "file")
    closed = tree / "closed"
    closed.mkdir(mode=0o555)
    with unprivileged():
        assert examination.data_rights(open_).text == f"{open_} may be written"
        assert examination.data_rights(open_ / "a/b").text == f"{open_}/a/b can be made"
        assert examination.data_rights(file).text == f"{file} is no folder"
        finding = examination.data_rights(closed / "a")
    assert (finding.state, finding.text) == ("mend", f"{closed} may not be written")


def test_disk_space(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    least = CaptureLimits(max_mb=1)
    enough = examination.disk_space(tmp_path / "not/yet", least)
    assert enough.text.endswith(" MB free")
    scarce = examination.disk_space(tmp_path, CaptureLimits(max_mb=10_000_000))
    assert scarce.state == "warn" or enough.state == "mend"
    monkeypatch.setattr(examination, "LEAST_FREE_MB", 10**9)
    assert examination.disk_space(tmp_path, least).state == "mend"


def test_a_journal_is_examined(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    assert examination.journal(path).text == "none yet"
    Journal.open(path).close()
    assert examination.journal(path).text == f"{path} is whole"
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    assert examination.journal(path).state == "mend"
    path.write_bytes(b"no database at all" * 100)
    finding = examination.journal(path)
    assert finding.state == "mend"
    assert finding.text.startswith(f"{path} is damaged: ")


def test_a_journal_that_cannot_be_opened_is_not_judged(tmp_path: Path) -> None:
    folder = tmp_path / "journal.sqlite3"
    folder.mkdir()
    assert examination.journal(folder).state == "unknown"


def test_open_files() -> None:
    assert examination.open_files(10, 4096).state == "good"
    assert examination.open_files(10, resource.RLIM_INFINITY).state == "good"
    finding = examination.open_files(200, 1024)
    assert (finding.state, finding.text) == (
        "mend",
        "1728 are needed for 200 tables, only 1024 are allowed",
    )


def test_the_whole_without_a_configuration(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["doctor"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok        eboard-bridge ")
    assert "none given, so data folder, journal and tables were not examined" in "\n".join(lines)
    mend = sum(line.startswith("MEND") for line in lines)
    consider = sum(line.startswith("consider") for line in lines)
    assert lines[-1] == f"{mend} to mend, {consider} to consider"
    assert code == (NO if mend else DONE)


def test_something_to_mend_is_the_answer_no(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(tmp_path / "hall.yaml", "tables: [{table: 1, board: {port: /dev/not-there}}]")
    assert main(["doctor", "--config", str(file)]) == NO
    shown = capsys.readouterr().out
    assert "/dev/not-there: No such file or directory" in shown
    assert "→ plug the board in and switch it on, or correct the configuration" in shown
    assert f"{tmp_path}/data can be made" in shown
    assert list(tmp_path.iterdir()) == [file]


def test_a_configuration_with_problems_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = put(tmp_path / "hall.yaml", "tables: 1")
    assert main(["doctor", "--config", str(file)]) == CANNOT
    assert capsys.readouterr().err.startswith(f"{file}:1:9: 'tables' is '1'; write a list")
