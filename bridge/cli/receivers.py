"""What ``doctor`` says of receivers of facts and files, and of secrets; nobody is asked."""

import importlib.util
import stat
from collections.abc import Iterator
from pathlib import Path

from bridge.cli.findings import Finding
from bridge.config import Config, LichessSettings, UploadSettings, WebhookSettings

_OTHERS = stat.S_IRGRP | stat.S_IROTH


def receivers(config: Config, *, ssh_library: str = "asyncssh") -> Iterator[Finding]:
    """Tell of Lichess, each webhook and each upload whether what it needs is there."""
    files: list[Path | None] = [config.accounts]
    if config.lichess is not None:
        yield _lichess(config.lichess)
        files.append(config.lichess.token_file)
    for webhook in config.webhooks:
        yield _webhook(webhook)
        files.append(webhook.secret_file)
    if config.web is not None:
        files.append(config.web.certificate_key)
    if config.scale is not None:
        files += [config.scale.password_file, config.scale.key_file]
    if config.uploads and importlib.util.find_spec(ssh_library) is None:
        yield Finding(
            state="mend",
            subject="asyncssh",
            text="not installed: no files are copied to servers",
            remedy="pip install 'eboard-bridge[sftp]'",
        )
    else:
        for upload in config.uploads:
            yield _upload(upload)
            files += [upload.key_file, upload.password_file]
    yield from map(_open_to_others, filter(_is_open_to_others, filter(None, files)))


def _lichess(settings: LichessSettings) -> Finding:
    from bridge.outputs.lichess.api import RefusedError, token_of

    try:
        token_of(settings)
    except RefusedError as error:
        remedy = "docs/lichess.md says how to make one and where to put it"
        return Finding(state="mend", subject="lichess", text=str(error), remedy=remedy)
    text = "has a token; 'eboard-bridge lichess check --ask' asks whether it is right"
    return Finding(state="good", subject="lichess", text=text)


def _webhook(settings: WebhookSettings) -> Finding:
    from bridge.outputs.webhook.messages import key_of
    from bridge.outputs.webhook.posting import FailedError, secret_of

    subject = f"webhook {settings.name}"
    if settings.kind == "ntfy" and settings.secret_file is None:
        return Finding(state="good", subject=subject, text="sends alerts without a token")
    try:
        key_of(secret_of(settings))
    except (FailedError, ValueError) as error:
        return Finding(
            state="mend",
            subject=subject,
            text=str(error),
            remedy="write the secret and nothing else into the file, or correct the configuration",
        )
    return Finding(state="good", subject=subject, text="has its secret")


def _upload(settings: UploadSettings) -> Finding:
    from bridge.outputs.sftp.trust import UploadError, credentials, known_keys, stranger

    subject = f"upload {settings.host}"
    try:
        credentials(settings)
        if known_keys(settings):
            text = "has its key or password, and the server is known"
            return Finding(state="good", subject=subject, text=text)
    except UploadError as error:
        remedy = "docs/uploads.md says what each file holds"
        return Finding(state="mend", subject=subject, text=str(error), remedy=remedy)
    what, _, remedy = stranger(settings).partition(": ")
    return Finding(state="mend", subject=subject, text=what, remedy=remedy)


def _is_open_to_others(file: Path) -> bool:
    return file.is_file() and bool(file.stat().st_mode & _OTHERS)


def _open_to_others(file: Path) -> Finding:
    return Finding(
        state="warn",
        subject="secrets",
        text=f"{file} may be read by others",
        remedy=f"chmod 600 {file}",
    )
