"""Keeps a seat for the next run of the program, so that it starts without a network."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Optional, Protocol, Union

from ._times import format_time, parse_time
from ._types import HeldSeat
from ._verify import Jwk, parse_key_set


class SeatStore(Protocol):
    """Holds one text. It contains tokens, so others must not be able to read it."""

    def load(self) -> Optional[str]:
        """Returns what was saved last, or None."""

    def save(self, text: str) -> None:
        """Replaces the text."""


class FileStore:
    """A file that only its owner can read. A crash leaves the old text or the new one, never half of one."""

    def __init__(self, path: Union[str, "os.PathLike[str]"]) -> None:
        self._path = Path(path)

    def load(self) -> Optional[str]:
        try:
            return self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def save(self, text: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = self._path.with_name(f"{self._path.name}.new")
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(new, self._path)


@dataclass
class Memory:
    """What is known without a network."""

    activation_token: Optional[str] = None
    keys: List[Jwk] = field(default_factory=list)
    revocations: Optional[str] = None


@dataclass(frozen=True)
class StoredSeat:
    license_token: str
    heartbeat_interval: float
    offline_until_ms: Optional[float]


@dataclass(frozen=True)
class Stored:
    memory: Memory
    seen_ms: float = 0
    seat: Optional[StoredSeat] = None


def parse_stored(text: Optional[str], license_key: str, hardware_id: str) -> Stored:
    """What is kept of the same license on the same machine. Anything else counts as nothing."""
    value = _parse_object(text)
    identity = (value.get("version"), value.get("license_key"), value.get("hardware_id"))
    if identity != (1, license_key, hardware_id):
        return Stored(Memory())
    memory = Memory(
        activation_token=_text_of(value, "activation_token"),
        keys=parse_key_set(_parse_object(value.get("keys"))),
        revocations=_text_of(value, "revocations"),
    )
    return Stored(memory, parse_time(value.get("seen_at")) or 0, _parse_seat(value.get("seat")))


def format_stored(
    memory: Memory, seen_ms: float, seat: Optional[HeldSeat], license_key: str, hardware_id: str
) -> str:
    """The text that `parse_stored` reads. Members that are unknown are left out."""
    members: Dict[str, Any] = {
        "version": 1,
        "license_key": license_key,
        "hardware_id": hardware_id,
        "seen_at": format_time(seen_ms),
        "activation_token": memory.activation_token,
        "keys": json.dumps({"keys": memory.keys}, separators=(",", ":")),
        "revocations": memory.revocations,
        "seat": None if seat is None else _format_seat(seat),
    }
    return json.dumps({name: value for name, value in members.items() if value is not None})


def _format_seat(seat: HeldSeat) -> Dict[str, Any]:
    members: Dict[str, Any] = {"license_token": seat.license_token, "heartbeat_interval": seat.heartbeat_interval}
    if seat.offline_until_ms is not None:
        members["offline_until"] = format_time(seat.offline_until_ms)
    return members


def _parse_seat(value: Any) -> Optional[StoredSeat]:
    if not isinstance(value, dict) or not isinstance(value.get("license_token"), str):
        return None
    interval = value.get("heartbeat_interval")
    is_interval = isinstance(interval, (int, float)) and not isinstance(interval, bool) and interval >= 1
    return StoredSeat(value["license_token"], interval if is_interval else 60, parse_time(value.get("offline_until")))


def _parse_object(text: Any) -> Dict[str, Any]:
    try:
        value = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _text_of(value: Dict[str, Any], name: str) -> Optional[str]:
    member = value.get(name)
    return member if isinstance(member, str) else None
