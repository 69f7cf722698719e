"""A D-Bus of our own, so that nothing of the machine's Bluetooth is touched."""

import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

CONFIGURATION = """\
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""


@contextlib.asynccontextmanager
async def private_dbus() -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a dbus-daemon that everything in this process takes for the system's."""
    if shutil.which("dbus-daemon") is None:
        pytest.skip("dbus-daemon is not installed (Debian: apt-get install dbus)")
    with tempfile.TemporaryDirectory(prefix="dbus-") as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        configuration = folder / "bus.conf"
        configuration.write_text(CONFIGURATION.format(socket=folder / "bus"))
        daemon = await asyncio.create_subprocess_exec(
            "dbus-daemon",
            f"--config-file={configuration}",
            "--nofork",
            "--print-address",
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assert daemon.stdout is not None
            address = (await asyncio.wait_for(daemon.stdout.readline(), 20)).decode().strip()
            patch.setenv("DBUS_SYSTEM_BUS_ADDRESS", address)
            yield daemon
        finally:
            if daemon.returncode is None:
                daemon.kill()
            await daemon.wait()
