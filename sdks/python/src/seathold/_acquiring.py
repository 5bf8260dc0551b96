"""The rules while there is no seat."""

from __future__ import annotations

from typing import Optional

from ._holding import grant, resume
from ._rules import (
    LEAST_POLL_MS,
    MOST_ACQUIRE_PAUSE_MS,
    MOST_LOST_PAUSE_MS,
    MOST_POLL_PAUSE_MS,
    POLL_TIMEOUT_SECONDS,
    RESERVED_MS,
    SESSION_ENDED,
    TOKEN_REFUSED,
    Moment,
    retry_ms,
)
from ._state import InFlight, KeeperState
from ._types import Done, Failed, GrantedSeat, Outcome, Place, Placed, Refused, Request, TellWaiting, WaitEnded


def activate(state: KeeperState, now: Moment) -> None:
    state.phase = "activating"
    state.may_activate_again = False
    state.send(Request("activate"), now)


def continue_acquiring(state: KeeperState, now: Moment) -> None:
    """What the timer `next` does while there is no seat."""
    if state.phase == "activating":
        activate(state, now)
    elif state.phase == "waiting" and state.place is not None:
        timeout = 0 if state.is_busy else POLL_TIMEOUT_SECONDS
        state.send(Request("poll", wait_id=state.place.wait_id, timeout_seconds=timeout), now)
    else:
        state.acquire(now)


def take_activation(state: KeeperState, outcome: Outcome, now: Moment) -> None:
    if isinstance(outcome, Done):
        state.failures = 0
        state.acquire(now)
    elif isinstance(outcome, Failed):
        _retry_first(state, outcome, now)
    elif isinstance(outcome, Refused):
        state.fail(outcome.code, outcome.error)


def take_acquire(state: KeeperState, in_flight: InFlight, outcome: Outcome, now: Moment) -> None:
    """The answer to an acquire or a poll."""
    if isinstance(outcome, GrantedSeat):
        grant(state, outcome.seat, "reacquired" if state.is_settled else "acquired", now)
    elif isinstance(outcome, Placed):
        _wait(state, outcome.place, in_flight, now)
    elif isinstance(outcome, WaitEnded):
        _take_end_of_wait(state, outcome, now)
    elif isinstance(outcome, Failed):
        _retry(state, in_flight.request, outcome, now)
    elif isinstance(outcome, Refused):
        _take_refusal(state, in_flight.request, outcome, now)


def _take_refusal(state: KeeperState, request: Request, refusal: Refused, now: Moment) -> None:
    is_gone = request.kind == "poll" and refusal.code in SESSION_ENDED
    if is_gone or (state.is_settled and refusal.code == "no_seats_available"):
        _acquire_later(state, None, now)
    elif state.may_activate_again and refusal.code in TOKEN_REFUSED:
        activate(state, now)
    else:
        state.fail(refusal.code, refusal.error)


def _retry(state: KeeperState, request: Request, failure: Failed, now: Moment) -> None:
    if request.kind == "poll" and now.mono_ms <= state.wait_until_ms + RESERVED_MS:
        state.is_busy = failure.code == "service_unavailable"
        delay_ms = retry_ms(failure.retry_after_seconds, state.fails(), MOST_POLL_PAUSE_MS, now)
        state.pause(min(RESERVED_MS / 2, delay_ms))
    elif state.is_settled:
        _acquire_later(state, failure.retry_after_seconds, now)
    elif state.stored is None:
        _retry_first(state, failure, now)
    else:
        resume(state, state.stored, failure, now)


def _retry_first(state: KeeperState, failure: Failed, now: Moment) -> None:
    """Before there ever was a seat, the program is not kept waiting for a service that does not answer."""
    delay_ms = retry_ms(failure.retry_after_seconds, state.fails(), MOST_ACQUIRE_PAUSE_MS, now)
    if now.mono_ms + delay_ms > state.failing_since_ms + state.config.timeout_seconds * 1000:
        state.fail(failure.code, failure.error)
    else:
        state.pause(delay_ms)


def _acquire_later(state: KeeperState, retry_after_seconds: Optional[float], now: Moment) -> None:
    """The program that had a seat stops for now, and the keeper keeps asking for another."""
    state.place = None
    if state.is_settled:
        state.lose_for_now()
    else:
        state.phase = "acquiring"
    state.pause(retry_ms(retry_after_seconds, state.fails(), MOST_LOST_PAUSE_MS, now))


def _wait(state: KeeperState, place: Place, asked: InFlight, now: Moment) -> None:
    is_new = asked.request.kind == "acquire"
    state.failures = 0
    if state.is_settled:
        state.lose_for_now()
        if is_new:
            state.wait_until_ms = now.mono_ms + (asked.request.wait_seconds or 0) * 1000
    state.phase = "waiting"
    before = state.place
    if before is None or (before.wait_id, before.position) != (place.wait_id, place.position):
        state.tell(TellWaiting(place.position, place.expires_at))
    state.place = place
    if is_new:
        state.is_busy = False
        continue_acquiring(state, now)
    elif state.is_busy:
        state.is_busy = False
        state.pause(place.poll_after_seconds * 1000)
    else:
        # A service that is about to stop answers at once.
        state.pause(LEAST_POLL_MS - (now.mono_ms - asked.sent_ms))


def _take_end_of_wait(state: KeeperState, end: WaitEnded, now: Moment) -> None:
    """The wait ended without a seat. If the machine slept when it was its turn, it may join again."""
    if end.status == "canceled" and end.reason is not None and end.reason != "left":
        state.fail(end.reason)
    elif state.is_settled:
        _acquire_later(state, None, now)
    elif end.status == "expired" and state.wait_until_ms - now.mono_ms >= 1000:
        state.acquire(now)
    else:
        state.fail("wait_expired" if end.status == "expired" else "wait_canceled")
