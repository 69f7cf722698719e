"""One start of the virtual machine, from the kernel to the exit code of pytest."""

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from testbed.vm.image import Image

PYTEST = (
    *("env", "PYTHONPATH=/srv/site", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUNBUFFERED=1"),
    *("python3", "-m", "pytest"),
    *("-pno:cacheprovider", "-pno:hypothesispytest", "-pno:pytest_cov", "-pno:randomly"),
    "-pno:xdist",
    *("-ra", "--tb=short", "--durations=0", "--durations-min=0.5", "--color=yes", "tests/vm"),
)
"""How pytest is called in the guest, where the checkout cannot be written."""

MEGABYTES = 1024
LONGEST = 3600.0
"""Seconds for everything; a kernel that hangs is not waited for."""

NEVER_ENDED = 125


def run(image: Image, arguments: Sequence[str], *, site: Path, checkout: Path, job: Path) -> int:
    """Run pytest with *arguments* in a machine that is made anew; return its exit code.

    What it writes goes to standard output, and the console of the machine to ``job/console.log``.
    """
    shutil.rmtree(job, ignore_errors=True)
    job.mkdir(parents=True)
    command = shlex.join([*PYTEST, *arguments])
    (job / "run").write_text(f"{command}\necho $? >/srv/job/code\n", "utf-8")
    machine = _command(image, site=site, checkout=checkout, job=job)
    try:
        subprocess.run(machine, stdin=subprocess.DEVNULL, check=True, timeout=LONGEST)
    except subprocess.TimeoutExpired:
        return NEVER_ENDED
    code = job / "code"
    return int(code.read_text("ascii")) if code.exists() else NEVER_ENDED


def _command(image: Image, *, site: Path, checkout: Path, job: Path) -> list[str]:
    """Return the command of QEMU, which emulates all of it: KVM is not everywhere, or hangs."""
    kernel = "console=ttyS0 root=/dev/vda rootfstype=ext4 rw quiet panic=-1 mitigations=off"
    systemd = "systemd.unit=multi-user.target systemd.wants=eboard-tests.service"
    return [
        *("qemu-system-x86_64", "-accel", "tcg,thread=single", "-icount", "shift=1,sleep=on"),
        *(
            "-cpu",
            "max",
            "-smp",
            "1",
            "-m",
            str(MEGABYTES),
            "-nic",
            "none",
            "-display",
            "none",
            "-no-reboot",
        ),
        *("-serial", f"file:{job / 'console.log'}", "-serial", "stdio"),
        *("-kernel", str(image.kernel), "-initrd", str(image.initrd)),
        *("-append", f"{kernel} {systemd}"),
        *("-drive", f"file={image.disk},if=virtio,format=raw,snapshot=on"),
        *_share("site", site, readonly="on"),
        *_share("checkout", checkout, readonly="on"),
        *_share("job", job, readonly="off"),
    ]


def _share(name: str, folder: Path, *, readonly: str) -> tuple[str, str]:
    """Return the arguments that let the guest mount *folder* by *name*."""
    options = f"mount_tag={name},security_model=none,multidevs=remap,readonly={readonly}"
    return "-virtfs", f"local,path={folder},{options}"
