"""What an answer means to the request that it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Optional, Union

from ._errors import SeatError
from ._times import parse_time
from ._types import Done, Failed, Kept, Outcome, Place, Placed, Refused, Request, WaitEnded

_OWN_CODES = frozenset({"connection_failed", "timed_out", "redirected", "unexpected_answer"})
_PASSING = frozenset({408, 425, 429})
_CONFLICTS = frozenset({"no_seats_available", "session_timeout", "session_released", "activation_limit_reached"})


@dataclass(frozen=True)
class ToVerify:
    """A success whose license token is not verified yet."""

    license_token: str
    session_id: str
    heartbeat_interval: float = 60
    offline_until_ms: Optional[float] = None


def read_success(request: Request, data: Any) -> Union[Outcome, ToVerify]:
    members = data if isinstance(data, dict) else {}
    if request.kind == "heartbeat":
        return _read_heartbeat(request.session_id, members)
    if request.kind in ("acquire", "poll"):
        return _read_grant(members)
    return Done()


def read_failure(request: Request, error: SeatError) -> Outcome:
    """A refusal that stands, or an attempt that failed. Pages of proxies and redirects say nothing."""
    status = error.status
    is_final = 400 <= status < 500 and status not in _PASSING
    if status == 409 and error.code not in _CONFLICTS:
        # Conflicts that the keeper does not know may pass.
        is_final = request.kind == "leave"
    if is_of_api(error) and is_final:
        return Refused(error.code, error)
    return Failed(error.code, error.retry_after_seconds, error)


def is_of_api(error: SeatError) -> bool:
    """Whether the API answered this, and neither the keeper itself nor a proxy."""
    return error.code not in _OWN_CODES


def _read_heartbeat(expected: str, data: Mapping[str, Any]) -> Union[Outcome, ToVerify]:
    if data.get("session_id") != expected:
        return _unexpected()
    token = data.get("license_token")
    return ToVerify(token, expected) if isinstance(token, str) else Kept(None)


def _read_grant(data: Mapping[str, Any]) -> Union[Outcome, ToVerify]:
    session_id, token, status = data.get("session_id"), data.get("license_token"), data.get("status")
    if isinstance(session_id, str) and isinstance(token, str):
        interval = data.get("heartbeat_interval")
        return ToVerify(
            token,
            session_id,
            interval if _is_number(interval) and interval >= 1 else 60,
            parse_time(data.get("offline_until")),
        )
    if status in ("expired", "canceled"):
        reason = data.get("reason")
        return WaitEnded(status, reason if isinstance(reason, str) else None)
    return _read_place(data)


def _read_place(data: Mapping[str, Any]) -> Outcome:
    wait_id, position, expires_at = data.get("wait_id"), data.get("position"), data.get("expires_at")
    if isinstance(wait_id, str) and _is_number(position) and isinstance(expires_at, str):
        poll_after = data.get("poll_after_seconds")
        return Placed(Place(wait_id, position, expires_at, poll_after if _is_number(poll_after) else 1))
    return _unexpected()


def _unexpected() -> Failed:
    error = SeatError("unexpected_answer", "The response lacks a required field.")
    return Failed(error.code, None, error)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
