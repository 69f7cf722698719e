"""A real browser without a window, for what only a browser can show."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SECONDS = 60


def print_page(page: Path, folder: Path) -> Path:
    """Print a page of HTML as Chromium does, and return the PDF; *folder* is the browser's own.

    Skips the test where there is no Chromium.
    """
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium is installed (on Debian: apt-get install chromium)")
    out = folder / f"{page.stem}.pdf"
    arguments = ["--headless", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    if os.geteuid() == 0:
        arguments.append("--no-sandbox")  # Chromium refuses to sandbox for root
    subprocess.run(
        [
            program,
            *arguments,
            "--no-pdf-header-footer",
            f"--print-to-pdf={out}",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=SECONDS,
    )
    return out
