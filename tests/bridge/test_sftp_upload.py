"""Copies of files on a real SFTP server that is new, old, full, away or another one."""

import asyncio
import logging
import os
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import asyncssh
import pytest

from bridge.core.model import TableSetup
from bridge.core.scoresheet.record import GameRecord
from bridge.outputs.patience import Patience
from bridge.outputs.pgn_files import PgnFolder
from bridge.outputs.sftp import server
from bridge.outputs.sftp.folder import files_in, in_turns
from bridge.outputs.sftp.upload import Upload
from bridge.store.files import replace_file
from tests.bridge.scoresheets import record_of, started
from tests.sftp_server import PASSWORD, SftpHost, serving

PATIENCE = 60.0
SOON = Patience(first=0.05, longest=0.2, at_end=10.0)


@pytest.fixture
def host(tmp_path: Path) -> SftpHost:
    return SftpHost(tmp_path)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    (folder / "1").mkdir(parents=True)
    write(folder / "1" / "1-1.pgn", "1. e4 *")
    write(folder / "1" / "games.pgn", "1. e4 *")
    (folder / "1" / ".games.pgn.tmp").write_text("half of it")
    (folder / "1" / "notes.txt").write_text("mine")
    return folder


def write(path: Path, text: str) -> None:
    replace_file(path, text.encode())


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for is on the disk
            await asyncio.sleep(0.01)


# --- which files ----------------------------------------------------------------------------------


def test_files_are_found_by_what_they_end_with(tmp_path: Path) -> None:
    names = "tournament.json", "round-1/index.json", "round-1/x.pgn", "round-1/.index.json.tmp"
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert {str(place) for place in files_in(tmp_path, (".json",))} == {*names[:2]}


def test_what_lists_games_comes_behind_them() -> None:
    names = "tournament.json", "r/index.json", "r/game-2.json", "r/game-1.json", "r/games.pgn"
    turns = [[str(place) for place in turn] for turn in in_turns(map(PurePosixPath, names))]
    assert turns == [
        ["r/game-1.json", "r/game-2.json"],
        ["r/games.pgn", "r/index.json"],
        ["tournament.json"],
    ]


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert files_in(tmp_path / "absent", (".pgn",)) == {}


# --- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("password", [False, True])
def test_files_are_copied_and_then_only_what_changes(
    host: SftpHost, games: Path, password: bool
) -> None:
    async def main() -> None:
        settings = host.settings(password=password, folder="public/games")
        async with serving(host), Upload(settings, games, patience=SOON):
            await until(lambda: len(host.renamed) == 2)
            write(games / "1" / "1-1.pgn", "1. e4 e5 *")
            await until(lambda: len(host.renamed) == 3)
        async with serving(host), Upload(settings, games, patience=SOON):
            write(games / "1" / "2-1.pgn", "1. d4 *")  # a restart copies nothing again
            await until(lambda: len(host.renamed) == 4)

    asyncio.run(main())
    assert host.files() == {
        "public/games/1/1-1.pgn": "1. e4 e5 *",
        "public/games/1/2-1.pgn": "1. d4 *",
        "public/games/1/games.pgn": "1. e4 *",
    }
    assert [PurePosixPath(name).name for name in host.renamed] == [
        *("1-1.pgn", "games.pgn", "1-1.pgn", "2-1.pgn")
    ]


def test_groups_are_copied_with_their_folders(host: SftpHost, tmp_path: Path) -> None:
    folder = PgnFolder(tmp_path / "pgn")

    async def main() -> None:
        folder.update(of_group(group, n) for n, group in enumerate(("", "Open", "Süd"), 1))
        async with serving(host), Upload(host.settings(), tmp_path / "pgn", patience=SOON):
            await until(lambda: len(host.renamed) == 6)
            folder.update([of_group("Juniors", 4)])
            await until(lambda: len(host.renamed) == 8)

    asyncio.run(main())
    games = tmp_path / "pgn"
    files = {str(place) for place in files_in(games, (".pgn",))}
    assert {"1/1-1.pgn", "Open/1/2-1.pgn", "Open/1/games.pgn", "Juniors/1/4-1.pgn"} < files
    assert host.files() == {name: (games / name).read_text() for name in files}


def of_group(section: str, table: int) -> GameRecord:
    return record_of(started(str(table), 1, setup=TableSetup(round="1", section=section)))


def test_what_changes_last_is_copied_before_it_ends(host: SftpHost, games: Path) -> None:
    async def main() -> None:
        settings = host.settings(seconds=3600)
        async with serving(host):
            async with Upload(settings, games, patience=SOON):
                await until(lambda: len(host.renamed) == 2)
                write(games / "1" / "1-1.pgn", "1. d4 *")
            assert host.files()["1/1-1.pgn"] == "1. d4 *"

    asyncio.run(main())


def test_readers_never_see_half_a_file(host: SftpHost, games: Path) -> None:
    sizes = {letter * 300_000 for letter in "abcdef"}
    seen: set[str] = set()

    async def main() -> None:
        async with serving(host), Upload(host.settings(), games, patience=SOON):
            for text in sorted(sizes):
                write(games / "1" / "1-1.pgn", text)
                copy = host.root / "1" / "1-1.pgn"
                async with asyncio.timeout(PATIENCE):
                    while not copy.exists() or copy.read_text() != text:
                        if copy.exists():
                            seen.add(copy.read_text())
                        await asyncio.sleep(0.001)

    asyncio.run(main())
    assert seen <= sizes


def test_an_old_server_that_replaces_nothing(host: SftpHost, games: Path) -> None:
    host.old = True

    async def main() -> None:
        async with serving(host), Upload(host.settings(), games, patience=SOON):
            await until(lambda: len(host.files()) == 2)
            write(games / "1" / "1-1.pgn", "1. d4 *")
            await until(lambda: host.files().get("1/1-1.pgn") == "1. d4 *")

    asyncio.run(main())
    assert host.files() == {"1/1-1.pgn": "1. d4 *", "1/games.pgn": "1. e4 *"}


# --- troubles -------------------------------------------------------------------------------------


def test_a_server_that_is_away_or_goes_away_is_waited_for_and_said_once(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    async def main() -> None:
        async with Upload(host.settings(), games, patience=SOON):
            await asyncio.sleep(0.5)
            async with serving(host):
                await until(lambda: len(host.renamed) == 2)
                host.hang_up()
                write(games / "1" / "1-1.pgn", "1. d4 *")
                await until(lambda: host.files().get("1/1-1.pgn") == "1. d4 *")
                await until(lambda: caplog.text.count("files are copied again") == 2)

    asyncio.run(main())
    said = [each.getMessage() for each in caplog.records if each.name.startswith("bridge")]
    assert said[0] == "upload to 127.0.0.1: Connection refused; next try in 0 s"
    assert said[1] == "upload to 127.0.0.1: files are copied again"
    assert len(said) == 4


def test_a_full_server_keeps_the_old_file(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with serving(host), Upload(host.settings(), games, patience=SOON):
            await until(lambda: len(host.renamed) == 2)
            host.full = True
            write(games / "1" / "1-1.pgn", "1. d4 *")
            await until(lambda: "1/1-1.pgn: no space left" in caplog.text)
            assert host.files()["1/1-1.pgn"] == "1. e4 *"
            host.full = False
            await until(lambda: host.files()["1/1-1.pgn"] == "1. d4 *")

    asyncio.run(main())


def test_a_server_that_tells_nothing_of_its_files(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    host.secretive = True

    async def main() -> None:
        async with serving(host), Upload(host.settings(), games, patience=SOON):
            await until(lambda: "127.0.0.1: not yours; next try in" in caplog.text)
            host.secretive = False
            await until(lambda: len(host.renamed) == 2)

    asyncio.run(main())


@pytest.mark.parametrize("seconds", [0.1, 20.0])
def test_a_server_that_never_answers_keeps_nobody_from_ending(
    seconds: float,
    host: SftpHost,
    games: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(server, "LOGIN_SECONDS", seconds)

    async def main() -> None:
        async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.close()

        silent = await asyncio.start_server(be_silent, "127.0.0.1", host.port)
        upload = Upload(host.settings(), games, patience=Patience(at_end=0.2))
        async with silent, asyncio.timeout(PATIENCE), upload:
            await asyncio.sleep(0.5)

    asyncio.run(main())
    assert ("does not answer in time" in caplog.text) == (seconds < 1)


# --- trust ----------------------------------------------------------------------------------------


def said_of(host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture, **keys: Any) -> str:
    """Return why nothing is copied."""

    async def main() -> None:
        async with serving(host), Upload(host.settings(**keys), games, patience=SOON):
            await until(lambda: "next try in" in caplog.text)

    asyncio.run(main())
    assert host.files() == {}
    assert PASSWORD not in caplog.text
    return caplog.text


@pytest.mark.parametrize("there", [True, False])
def test_a_host_that_nobody_knows(
    there: bool, host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    known = host.folder / "known_hosts"
    known.write_text("") if there else known.unlink()
    said = said_of(host, games, caplog)
    assert f"its host key is not in {known}: call ssh-keyscan -p {host.port} 127.0.0.1" in said


def test_a_host_that_is_another_one(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    host.trust(asyncssh.generate_private_key("ssh-ed25519"))
    assert "shows another host key than the one in" in said_of(host, games, caplog)


def test_who_is_not_let_in(host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert "lets nobody not in with what is in" in said_of(host, games, caplog, user="nobody")


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("key_file", None, "No such file or directory"),
        ("key_file", b"no key", "holds no private key that needs no passphrase"),
        ("password_file", b"\xff\xfe", "is no text"),
        ("password_file", b"\n", "there is no password in it"),
    ],
)
def test_keys_and_passwords_that_will_not_do(
    name: str,
    content: bytes | None,
    why: str,
    host: SftpHost,
    games: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    file = host.folder / "other"
    if content is not None:
        file.write_bytes(content)
    keys = {"key_file": None, "password_file": None, name: file}
    assert f"{file}: {why}" in said_of(host, games, caplog, **keys)


def test_a_key_with_a_passphrase(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    host.key.write_private_key(str(host.folder / "locked.key"), "pkcs8-pem", "locked")
    said = said_of(host, games, caplog, key_file=host.folder / "locked.key")
    assert "locked.key: holds no private key that needs no passphrase" in said


def test_nothing_that_opens_the_account(
    host: SftpHost, games: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert "there is no key and no password" in said_of(host, games, caplog, key_file=None)


# --- another server -------------------------------------------------------------------------------

OPENSSH = Path(os.environ.get("SFTP_SERVER", "/usr/lib/openssh/sftp-server"))


class OpensshSession(asyncssh.SSHServerSession[bytes]):
    """Carries bytes between a client and OpenSSH's sftp-server."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def connection_made(self, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        self._chan = chan

    def subsystem_requested(self, subsystem: str) -> bool:
        return subsystem == "sftp"

    def session_started(self) -> None:
        pipe = subprocess.PIPE
        self._child = subprocess.Popen([OPENSSH], cwd=self._root, stdin=pipe, stdout=pipe)
        assert self._child.stdout is not None
        asyncio.get_running_loop().add_reader(self._child.stdout, self._said)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        assert self._child.stdin is not None
        self._child.stdin.write(data)
        self._child.stdin.flush()

    def _said(self) -> None:
        assert self._child.stdout is not None
        self._chan.write(os.read(self._child.stdout.fileno(), 65536))

    def connection_lost(self, exc: Exception | None) -> None:
        assert self._child.stdout is not None
        asyncio.get_running_loop().remove_reader(self._child.stdout)
        self._child.communicate()


@pytest.mark.skipif(not OPENSSH.exists(), reason="OpenSSH's sftp-server is not installed")
def test_the_files_of_openssh(host: SftpHost, games: Path) -> None:
    class Login(asyncssh.SSHServer):
        def session_requested(self) -> OpensshSession:
            return OpensshSession(host.root)

    async def main() -> None:
        authorized = host.folder / "authorized"
        host.key.write_public_key(str(authorized))
        openssh = await asyncssh.listen(
            "127.0.0.1",
            host.port,
            server_host_keys=[host.host_key],
            authorized_client_keys=str(authorized),
            server_factory=Login,
            encoding=None,
        )
        async with openssh, Upload(host.settings(), games, patience=SOON):
            await until(lambda: len(host.files()) == 2)
            write(games / "1" / "1-1.pgn", "1. d4 *")
            await until(lambda: host.files().get("1/1-1.pgn") == "1. d4 *")

    asyncio.run(main())
