"""The hardware ID of a machine: a hash, so that nobody learns the machine's own ID from it."""

from __future__ import annotations

import hashlib
import re
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Callable, Dict, List, Optional

from ._errors import OptionError

_PATTERNS = {
    "linux": re.compile(r"\A\s*([0-9a-f]{32})\s*\Z", re.IGNORECASE),
    "darwin": re.compile(r'"IOPlatformUUID"\s*=\s*"([0-9a-f-]+)"', re.IGNORECASE),
    "win32": re.compile(r"\bMachineGuid\s+REG_SZ\s+([0-9a-f-]+)", re.IGNORECASE),
}
_FORM = re.compile(r"hw_[a-z0-9]{32}\Z")


def derive_hardware_id() -> Optional[str]:
    """The hardware ID of this machine, or None where its own ID cannot be read."""
    machine_id = _read_machine_id()
    return None if machine_id is None else hash_machine_id(machine_id)


def create_hardware_id() -> str:
    """A random hardware ID, for a machine that has no ID of its own. Store it, or each run is another machine."""
    return f"hw_{secrets.token_hex(16)}"


def require_hardware_id(given: Optional[str]) -> str:
    """The given hardware ID, or the derived one. Raises OptionError."""
    hardware_id = derive_hardware_id() if given is None else given
    if hardware_id is None:
        raise OptionError("hardware_id is needed: this machine has no ID of its own that can be read")
    if not isinstance(hardware_id, str) or _FORM.match(hardware_id) is None:
        raise OptionError("hardware_id must be hw_ and 32 characters of a-z and 0-9")
    return hardware_id


def hash_machine_id(machine_id: str) -> str:
    content = f"seathold:hardware-id:1:{machine_id.strip().lower()}"
    return f"hw_{hashlib.sha256(content.encode('utf-8')).hexdigest()[:32]}"


def find_machine_id(platform: str, output: str) -> Optional[str]:
    """The machine's own ID in what its platform says."""
    pattern = _PATTERNS.get(platform)
    found = None if pattern is None else pattern.search(output)
    return None if found is None else found.group(1).lower()


def _read_machine_id() -> Optional[str]:
    for read in _SOURCES.get(sys.platform, ()):
        try:
            found = find_machine_id(sys.platform, read())
        except (OSError, subprocess.SubprocessError):
            continue
        if found is not None:
            return found
    return None


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout


_SOURCES: Dict[str, List[Callable[[], str]]] = {
    "linux": [lambda: Path("/etc/machine-id").read_text(), lambda: Path("/var/lib/dbus/machine-id").read_text()],
    "darwin": [lambda: _run("/usr/sbin/ioreg", "-rd1", "-c", "IOPlatformExpertDevice")],
    # A program of 32 bits would see another part of the registry without the last argument.
    "win32": [
        lambda: _run("reg", "query", r"HKLM\SOFTWARE\Microsoft\Cryptography", "/v", "MachineGuid", "/reg:64")
    ],
}
