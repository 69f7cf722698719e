"""Who runs the daemon: somebody who may do no more than the documentation asks for."""

import grp
import shutil
import subprocess
from pathlib import Path

USER = "arbiter"
OTHERS_MAY_PASS = 0o711


def make_user() -> None:
    """Make the user where there is none yet."""
    if subprocess.run(["id", USER], check=False, capture_output=True).returncode:
        subprocess.run(["useradd", "--no-create-home", USER], check=True)


def as_user(*groups: str) -> list[str]:
    """Return a wrapper that runs a program as the user, in *groups* and no others."""
    make_user()
    ids = [str(grp.getgrnam(name).gr_gid) for name in (USER, *groups)]
    return [
        *("setpriv", f"--reuid={USER}", f"--regid={USER}", f"--groups={','.join(ids)}"),
        *("--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"),
    ]


def give(folder: Path) -> None:
    """Let the user write in *folder*, and come there."""
    make_user()
    shutil.chown(folder, USER)
    for path in folder.parents[:-2]:
        path.chmod(OTHERS_MAY_PASS)
