"""What ``doctor`` says of Lichess, webhooks and uploads."""

from pathlib import Path

import pytest

from bridge.cli import main
from bridge.cli.findings import Finding
from bridge.cli.frame import NO
from bridge.cli.receivers import receivers
from bridge.config import Config, parse
from bridge.config.webhooks import SECRET_VARIABLE
from tests.bridge.test_web_pages import certificate
from tests.sftp_server import SftpHost

TABLES = "tables: [{table: 1, board: {port: /dev/absent}}]\n"
HOOK = "webhooks: [{name: a, url: 'https://example.org/', secret_file: secret}]\n"
BROADCAST = "lichess: {tournament: AbCd1234, token_file: secret}\n"
PHONE = "webhooks: [{name: a, url: 'https://ntfy.sh/topic', kind: ntfy, audience: arbiter}]\n"


def config(folder: Path, text: str) -> Config:
    return parse(TABLES + text, folder / "hall.yaml")


def found(folder: Path, text: str) -> Finding:
    (finding,) = receivers(config(folder, text))
    return finding


def secret(folder: Path, content: str, mode: int = 0o600) -> Path:
    file = folder / "secret"
    file.write_text(content, encoding="utf-8")
    file.chmod(mode)
    return file


def test_a_token_for_lichess_that_is_there_and_one_that_is_not(tmp_path: Path) -> None:
    assert found(tmp_path, BROADCAST).state == "mend"
    said = f"the token cannot be read: {tmp_path / 'secret'}: No such file or directory"
    assert found(tmp_path, BROADCAST).text == said
    secret(tmp_path, "two words")
    assert found(tmp_path, BROADCAST).text == f"what stands in {tmp_path / 'secret'} is no token"
    secret(tmp_path, "lip_abc\n")
    assert found(tmp_path, BROADCAST).state == "good"


def test_a_token_for_lichess_that_others_may_read(tmp_path: Path) -> None:
    file = secret(tmp_path, "lip_abc", mode=0o644)
    _, warning = receivers(config(tmp_path, BROADCAST))
    assert warning.remedy == f"chmod 600 {file}"


def test_a_webhook_with_and_without_its_secret(tmp_path: Path) -> None:
    assert found(tmp_path, HOOK).text == f"{tmp_path / 'secret'}: No such file or directory"
    secret(tmp_path, "whsec_???")
    assert found(tmp_path, HOOK).text == "what stands behind whsec_ is no base64"
    assert found(tmp_path, HOOK).state == "mend"
    secret(tmp_path, "a word")
    assert (found(tmp_path, HOOK).state, found(tmp_path, HOOK).text) == ("good", "has its secret")


def test_a_secret_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = HOOK.replace(", secret_file: secret", "")
    monkeypatch.delenv(SECRET_VARIABLE, raising=False)
    assert found(tmp_path, text).state == "mend"
    monkeypatch.setenv(SECRET_VARIABLE, "a word")
    assert found(tmp_path, text).state == "good"


def test_a_topic_needs_no_token(tmp_path: Path) -> None:
    assert found(tmp_path, PHONE).text == "sends alerts without a token"


def test_secrets_that_others_may_read(tmp_path: Path) -> None:
    file = secret(tmp_path, "a word", mode=0o640)
    good, warning = receivers(config(tmp_path, HOOK))
    assert (good.state, warning.state) == ("good", "warn")
    assert warning.remedy == f"chmod 600 {file}"


def test_accounts_that_others_may_read(tmp_path: Path) -> None:
    hall = config(tmp_path, "")
    hall.data.folder.mkdir()
    hall.accounts.write_text("{}")
    hall.accounts.chmod(0o644)
    (warning,) = receivers(hall)
    assert warning.remedy == f"chmod 600 {hall.accounts}"


def test_keys_of_certificates_that_others_may_read(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    key.chmod(0o644)
    web = f"web: {{certificate: {cert}, certificate_key: {key}}}\n"
    (warning,) = receivers(config(tmp_path, web))
    assert warning.text == f"{key} may be read by others"


def test_passwords_of_brokers_that_others_may_read(tmp_path: Path) -> None:
    file = secret(tmp_path, "a word", mode=0o644)
    scale = "scale: {event: a, servers: ['tls://broker:4222'], password_file: secret}\n"
    table = 'tables: [{table: "1", node: north, board: {port: /dev/absent}}]\n'
    (warning,) = receivers(parse(table + scale, tmp_path / "hall.yaml"))
    assert warning.remedy == f"chmod 600 {file}"


def test_uploads(tmp_path: Path) -> None:
    host = SftpHost(tmp_path)
    text = f"uploads: [{{host: 127.0.0.1, port: {host.port}, user: me, key_file: upload.key, "
    text += "known_hosts: known_hosts}]\n"
    (tmp_path / "upload.key").chmod(0o600)
    assert found(tmp_path, text).state == "good"
    known = tmp_path / "known_hosts"
    known.unlink()
    stranger = found(tmp_path, text)
    assert (stranger.state, stranger.text) == ("mend", f"its host key is not in {known}")
    assert stranger.remedy.startswith(f"call ssh-keyscan -p {host.port} 127.0.0.1 >> {known}")
    known.write_text("no such line\n")
    assert found(tmp_path, text).state == "mend"
    (tmp_path / "upload.key").unlink()
    assert "No such file or directory" in found(tmp_path, text).text


def test_uploads_need_a_library(tmp_path: Path) -> None:
    settings = config(tmp_path, "uploads: [{host: a, user: me, key_file: upload.key}]\n")
    (finding,) = receivers(settings, ssh_library="no_such_library")
    assert finding.remedy == "pip install 'eboard-bridge[sftp]'"


def test_the_doctor_says_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text(TABLES + HOOK, encoding="utf-8")
    assert main(["doctor", "--config", str(path)]) == NO
    assert "webhook a" in capsys.readouterr().out
