"""Pauses and limits of docs/reference/seat-keeper.md."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

MOST_ACQUIRE_PAUSE_MS = 30_000
MOST_POLL_PAUSE_MS = 10_000
MOST_LOST_PAUSE_MS = 60_000
LEAST_POLL_MS = 1_000
POLL_TIMEOUT_SECONDS = 25
REVOCATIONS_EVERY_MS = 600_000
RELEASE_ATTEMPTS = 3
LONGEST_TIMER_MS = 86_400_000
RESERVED_MS = 30_000
"""A free seat is reserved for this time."""

SESSION_ENDED = frozenset({"session_timeout", "session_released", "not_found"})
"""The session is gone, but the program may have another one."""
TOKEN_REFUSED = frozenset({"invalid_token", "token_expired"})


@dataclass(frozen=True)
class Moment:
    """The two clocks of a machine, in milliseconds, and a random number from 0 up to 1."""

    mono_ms: float
    wall_ms: float
    random: float


class ServerClock:
    """The service's time, estimated from its last answer and the machine's two clocks, whichever is faster."""

    def __init__(self, at: Moment, seen_ms: float = 0) -> None:
        self._at = at
        self._server_ms = max(at.wall_ms, seen_ms)

    def observe(self, server_ms: float, at: Moment) -> None:
        """Notes the `Date` of an answer."""
        self._at = at
        self._server_ms = server_ms

    def now_ms(self, now: Moment) -> float:
        passed = max(now.mono_ms - self._at.mono_ms, now.wall_ms - self._at.wall_ms, 0)
        return self._server_ms + passed


def backoff_ms(failures: int, most_ms: float, random: float) -> float:
    """The pause before the next attempt after this many failures in a row."""
    return min(most_ms, 1000 * 2 ** min(failures - 1, 20)) * (0.5 + 0.5 * random)


def retry_ms(retry_after_seconds: Optional[float], failures: int, most_ms: float, now: Moment) -> float:
    """The same for a service that may say when it wants to be asked again."""
    if retry_after_seconds is None:
        return backoff_ms(failures, most_ms, now.random)
    return min(retry_after_seconds, 300) * 1000 + 1000 * now.random


def heartbeat_delay_ms(interval_seconds: float, random: float) -> float:
    """About half of the interval, so that one heartbeat may fail."""
    return interval_seconds * 1000 * (0.4 + 0.2 * random)


def most_heartbeat_pause_ms(interval_seconds: float) -> float:
    return max(1_000, min(30_000, interval_seconds * 500))
