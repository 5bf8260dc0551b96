"""What the state machine takes and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import FrozenSet, Mapping, Optional, Union

from ._errors import SeatError
from ._events import FeatureValue


@dataclass(frozen=True)
class KeeperConfig:
    wait_seconds: Optional[float] = None
    offline_seconds: Optional[float] = None
    timeout_seconds: float = 30
    can_refresh_token: bool = False
    activation: str = "none"
    """`needed` or `stored` if the machine is activated with the license key."""


@dataclass(frozen=True)
class HeldSeat:
    """A seat whose token was verified."""

    session_id: str
    license_token: str
    license_id: str
    features: Mapping[str, FeatureValue]
    expires_at_ms: float
    heartbeat_interval: float = 60
    offline_until_ms: Optional[float] = None


@dataclass(frozen=True)
class Request:
    kind: str
    """activate, acquire, poll, leave, heartbeat, release or revocations."""
    wait_seconds: Optional[float] = None
    offline_seconds: Optional[float] = None
    wait_id: str = ""
    timeout_seconds: int = 0
    session_id: str = ""


@dataclass(frozen=True)
class Place:
    """A place in the waiting list."""

    wait_id: str
    position: int
    expires_at: str
    poll_after_seconds: float


@dataclass(frozen=True)
class VerifiedToken:
    license_token: str
    license_id: str
    features: Mapping[str, FeatureValue]
    expires_at_ms: float


@dataclass(frozen=True)
class GrantedSeat:
    seat: HeldSeat


@dataclass(frozen=True)
class Placed:
    place: Place


@dataclass(frozen=True)
class WaitEnded:
    status: str
    reason: Optional[str]


@dataclass(frozen=True)
class Kept:
    """The session continues, perhaps with a new token."""

    token: Optional[VerifiedToken]


@dataclass(frozen=True)
class Listed:
    revoked: FrozenSet[str]


@dataclass(frozen=True)
class Done:
    pass


@dataclass(frozen=True)
class Refused:
    """Repeating the request changes nothing."""

    code: str
    error: Optional[SeatError] = None


@dataclass(frozen=True)
class Failed:
    """No answer, or one that asks for another attempt."""

    code: str
    retry_after_seconds: Optional[float] = None
    error: Optional[SeatError] = None


Outcome = Union[GrantedSeat, Placed, WaitEnded, Kept, Listed, Done, Refused, Failed]


@dataclass(frozen=True)
class TellGranted:
    reason: str
    seat: HeldSeat


@dataclass(frozen=True)
class TellWaiting:
    position: int
    expires_at: str


@dataclass(frozen=True)
class TellOffline:
    reason: str
    seat: HeldSeat


@dataclass(frozen=True)
class TellLost:
    reason: str
    is_final: bool


KeeperEvent = Union[TellGranted, TellWaiting, TellOffline, TellLost]


@dataclass(frozen=True)
class Send:
    id: int
    request: Request
    refresh_token: bool


@dataclass(frozen=True)
class Abandon:
    """The answer to this request is of no interest any more."""

    id: int


@dataclass(frozen=True)
class Timer:
    """`next` or `expiry`. Without a delay, it stops."""

    name: str
    delay_ms: Optional[float]


@dataclass(frozen=True)
class Tell:
    event: KeeperEvent


@dataclass(frozen=True)
class Resolve:
    """The first acquire succeeded."""


@dataclass(frozen=True)
class Reject:
    """The first acquire failed."""

    code: str
    error: Optional[SeatError] = None


@dataclass(frozen=True)
class AnswerOffline:
    """`take_offline` succeeded, or failed with a code."""

    code: Optional[str]
    error: Optional[SeatError] = None


@dataclass(frozen=True)
class Save:
    """What should survive the program has changed."""

    seat: Optional[HeldSeat]


@dataclass(frozen=True)
class End:
    """Nothing more will happen."""


Effect = Union[Send, Abandon, Timer, Tell, Resolve, Reject, AnswerOffline, Save, End]
