"""The packages of the client in TypeScript, installed once for each lock file. Runs nothing of them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from os import environ
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
LOCK: Final = HERE / "package-lock.json"
PACKAGES: Final = "node_modules"

_QUIET: Final = {"NO_UPDATE_NOTIFIER": "1", "NPM_CONFIG_AUDIT": "false", "NPM_CONFIG_FUND": "false"}


def missing_tools() -> list[str]:
    """Name the programs that are needed and not there."""
    return [name for name in ("node", "npm") if shutil.which(name) is None]


def run(command: list[str], folder: Path, environment: Mapping[str, str] = environ) -> str:
    """Run a command in a folder; give what it wrote, or fail with all that it said."""
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, f"{' '.join(command)} ended with {ran.returncode}:\n{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def installed_packages(cache: Path) -> Path:
    """Give the folder with the locked packages, from the cache if they are there.

    Args:
        cache: an existing folder that outlives the run.
    """
    kept = cache / hashlib.sha256(LOCK.read_bytes()).hexdigest()[:16]
    if not kept.exists():
        draft = Path(tempfile.mkdtemp(dir=cache))
        for name in ("package.json", LOCK.name):
            shutil.copy(HERE / name, draft)
        # No script of a package is run: none of these needs one.
        run(["npm", "ci", "--ignore-scripts"], draft, {**environ, **_QUIET})
        draft.rename(kept)
    # What lies there finds its own packages only if the folder has its usual name.
    return kept / PACKAGES
