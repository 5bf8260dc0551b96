"""What a program is told about its seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Mapping, Union

FeatureValue = Union[bool, int, float, str]


@dataclass(frozen=True)
class Granted:
    """The program may run. `reason`: acquired, reacquired, resumed, online or renewed."""

    reason: str
    session_id: str
    features: Mapping[str, FeatureValue]
    expires_at: datetime
    type: str = field(default="granted", init=False)


@dataclass(frozen=True)
class Waiting:
    """The place in the waiting list. Told again when it changes."""

    position: int
    expires_at: datetime
    type: str = field(default="waiting", init=False)


@dataclass(frozen=True)
class Offline:
    """The service does not answer. The program may run until `expires_at`. `reason` is the code of the failure."""

    reason: str
    expires_at: datetime
    type: str = field(default="offline", init=False)


@dataclass(frozen=True)
class Lost:
    """The program must stop. If it is not final, the keeper goes on trying, and `Granted` follows if it succeeds."""

    reason: str
    is_final: bool
    type: str = field(default="lost", init=False)


SeatEvent = Union[Granted, Waiting, Offline, Lost]
