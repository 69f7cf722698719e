"""The disk of the virtual machine: Debian from packages, made once and kept in a cache."""

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).with_name("root")
"""What is added to the packages."""

RELEASE = "bookworm"
PYTHON = 3, 11
"""Python of the release."""

PACKAGES = (
    *("linux-image-amd64", "initramfs-tools", "zstd", "kmod", "udev", "systemd-sysv", "dbus"),
    *("bluez", "bluez-test-tools", "libusb-1.0-0", "python3", "python3-venv"),
)
LEFT_OUT = (
    *("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*"),
    *(
        f"/lib/modules/*/kernel/{part}/*"
        for part in (
            *("sound", "drivers/gpu", "drivers/infiniband", "drivers/media", "drivers/net"),
            *("drivers/scsi", "drivers/staging", "fs/xfs", "fs/btrfs", "fs/ocfs2"),
        )
    ),
)
"""Paths of the packages that are of no use here; without them the disk is half as large."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """The files that QEMU starts."""

    kernel: Path
    initrd: Path
    disk: Path


def cache() -> Path:
    """Return the folder in which images are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "eboard-bridge" / "vm"


def image() -> Image:
    """Return the image, which is made where there is none of this recipe."""
    folder = cache() / f"{RELEASE}-{_recipe()}"
    if not folder.exists():
        for old in cache().glob(f"{RELEASE}-*"):
            shutil.rmtree(old)
        _make(folder)
    return Image(
        kernel=folder / "vmlinuz",
        initrd=folder / "initrd.img",
        disk=folder / "disk.ext2",
    )


def _recipe() -> str:
    """Return a digest of everything that the image is made of, but the versions of packages."""
    digest = hashlib.sha256(repr((RELEASE, PACKAGES, LEFT_OUT)).encode())
    for path in sorted(ROOT.rglob("*")):
        if path.is_file():
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _make(folder: Path) -> None:
    """Have Debian unpacked into a disk; needs nothing of the machine but its package sources."""
    new = folder.with_name(f".{folder.name}")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    subprocess.run(
        [
            "mmdebstrap",
            "--quiet",
            "--variant=apt",
            f"--include={','.join(PACKAGES)}",
            *(f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT),
            f"--essential-hook=sync-in {ROOT} /",
            "--customize-hook=chroot $1 mkdir -p /srv/site /srv/checkout /srv/job",
            f"--customize-hook=cp $1/boot/vmlinuz-* {new}/vmlinuz",
            f"--customize-hook=cp $1/boot/initrd.img-* {new}/initrd.img",
            RELEASE,
            str(new / "disk.ext2"),
        ],
        check=True,
    )
    new.rename(folder)
