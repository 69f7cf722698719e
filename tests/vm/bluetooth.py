"""The Bluetooth service of this machine, as its users and its administrator see it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from testbed.vm.radio import ADAPTER, Air

PATIENCE = 90.0


async def systemctl(*command: str) -> None:
    await _run("systemctl", *command)


async def power(switched: str) -> None:
    """Switch the adapter ``on`` or ``off``."""
    await _run("bluetoothctl", "power", switched)


async def disconnected(address: str) -> None:
    """Wait until bluetoothd has no connection to a device any more."""
    while "Connected: yes" in await _run("bluetoothctl", "info", address):  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.2)


@contextlib.asynccontextmanager
async def bluetooth() -> AsyncIterator[Air]:
    """Have a radio, and a bluetoothd that knows no device yet."""
    async with Air() as air, asyncio.timeout(PATIENCE):
        await systemctl("restart", "bluetooth")
        while ADAPTER not in await _run("bluetoothctl", "list"):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.2)
        await power("on")
        try:
            yield air
        finally:
            await systemctl("stop", "bluetooth")


async def _run(*command: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    return told.decode()
