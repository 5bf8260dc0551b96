"""The rules while there is a seat."""

from __future__ import annotations

from dataclasses import replace

from ._rules import (
    LONGEST_TIMER_MS,
    REVOCATIONS_EVERY_MS,
    SESSION_ENDED,
    Moment,
    heartbeat_delay_ms,
    most_heartbeat_pause_ms,
    retry_ms,
)
from ._state import KeeperState
from ._types import (
    Failed,
    GrantedSeat,
    HeldSeat,
    Kept,
    Listed,
    Outcome,
    Refused,
    Request,
    Resolve,
    Save,
    TellGranted,
    TellOffline,
    Timer,
)


def grant(state: KeeperState, seat: HeldSeat, reason: str, now: Moment) -> None:
    """The program has a seat."""
    state.phase = "held"
    state.seat = seat
    state.place = None
    state.stored = None
    state.cause = None
    state.is_offline = False
    state.add(Save(seat))
    state.tell(TellGranted(reason, seat))
    if not state.is_settled:
        state.is_settled = True
        state.add(Resolve())
    check_expiry(state, now)
    _confirm(state, now)


def resume(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment) -> None:
    """The service cannot be reached, but a token from an earlier run of the program is still good."""
    state.phase = "held"
    state.seat = seat
    state.stored = None
    state.is_offline = True
    state.is_settled = True
    state.kept_ms = now.mono_ms
    state.tell(TellGranted("resumed", seat))
    state.tell(TellOffline(failure.code, seat))
    state.add(Resolve())
    state.failures = 0
    check_expiry(state, now)
    _pause_after_failure(state, seat, failure, now)


def continue_holding(state: KeeperState, now: Moment) -> None:
    """What the timer `next` does while there is a seat."""
    if state.seat is None:
        return
    if state.wants_offline is not None:
        state.send(Request("acquire", offline_seconds=state.wants_offline), now)
    elif state.cause is not None:
        state.acquire(now)
    else:
        state.send(Request("heartbeat", session_id=state.seat.session_id), now)


def take_heartbeat(state: KeeperState, outcome: Outcome, now: Moment) -> None:
    seat = state.seat
    if seat is None:
        return
    if isinstance(outcome, Kept):
        _keep(state, seat, outcome, now)
    elif isinstance(outcome, Failed):
        _miss_heartbeat(state, seat, outcome, now)
    elif isinstance(outcome, Refused) and outcome.code in SESSION_ENDED:
        state.cause = outcome.code
        state.failures = 0
        # Another copy of the program on this machine may have released the session, or an admin. Only the latter is listed.
        if outcome.code == "session_released":
            state.send(Request("revocations"), now)
        else:
            state.acquire(now)
    elif isinstance(outcome, Refused):
        state.fail(outcome.code, outcome.error)


def take_revocations(state: KeeperState, outcome: Outcome, now: Moment) -> None:
    seat = state.seat
    if seat is None:
        return
    if isinstance(outcome, Listed):
        state.listed_ms = now.mono_ms
        if seat.session_id in outcome.revoked or seat.license_id in outcome.revoked:
            state.fail("revoked")
            return
    if state.cause is None:
        _await_next_heartbeat(state, now)
    else:
        state.acquire(now)


def take_offline_answer(state: KeeperState, outcome: Outcome, now: Moment) -> None:
    """The answer to an acquire that was to take the seat offline. If it failed, the seat stays as it was."""
    if isinstance(outcome, GrantedSeat):
        state.answer_offline(None)
        grant(state, outcome.seat, "renewed", now)
        return
    if isinstance(outcome, (Failed, Refused)):
        state.answer_offline(outcome.code, outcome.error)
    else:
        state.answer_offline("unexpected_answer")
    _await_next_heartbeat(state, now)


def check_expiry(state: KeeperState, now: Moment) -> bool:
    """Ends the seat when its token is no longer good. The timer may fire early: then it is set again."""
    seat = state.seat
    if seat is None:
        return False
    left_ms = seat.expires_at_ms - state.clock.now_ms(now)
    if left_ms > 0:
        state.add(Timer("expiry", min(left_ms, LONGEST_TIMER_MS)))
        return False
    if state.cause is None:
        state.abandon()
        state.cause = "offline_too_long"
    state.lose_for_now()
    state.answer_offline("offline_too_long")
    return True


def _keep(state: KeeperState, seat: HeldSeat, kept: Kept, now: Moment) -> None:
    was_offline = state.is_offline
    state.is_offline = False
    token = kept.token
    if token is not None:
        seat = replace(
            seat,
            license_token=token.license_token,
            license_id=token.license_id,
            features=token.features,
            expires_at_ms=token.expires_at_ms,
        )
        state.add(Save(seat))
    state.seat = seat
    if was_offline:
        state.tell(TellGranted("online", seat))
    # Also because the clocks may have jumped since the timer was set.
    check_expiry(state, now)
    _confirm(state, now)


def _confirm(state: KeeperState, now: Moment) -> None:
    """The service has just confirmed the seat."""
    if state.seat is None:
        return
    state.failures = 0
    state.kept_ms = now.mono_ms
    state.next_heartbeat_ms = now.mono_ms + heartbeat_delay_ms(state.seat.heartbeat_interval, now.random)
    if now.mono_ms - state.listed_ms >= REVOCATIONS_EVERY_MS:
        state.send(Request("revocations"), now)
    else:
        _await_next_heartbeat(state, now)


def _await_next_heartbeat(state: KeeperState, now: Moment) -> None:
    if state.wants_offline is None:
        state.pause(state.next_heartbeat_ms - now.mono_ms)
    else:
        continue_holding(state, now)


def _miss_heartbeat(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment) -> None:
    if check_expiry(state, now):
        _pause_after_failure(state, seat, failure, now)
        return
    # One lost request is no outage: the program is told when a heartbeat is overdue.
    if not state.is_offline and now.mono_ms - state.kept_ms >= seat.heartbeat_interval * 1000:
        state.is_offline = True
        state.tell(TellOffline(failure.code, seat))
    state.answer_offline(failure.code, failure.error)
    _pause_after_failure(state, seat, failure, now)


def _pause_after_failure(state: KeeperState, seat: HeldSeat, failure: Failed, now: Moment) -> None:
    most_ms = most_heartbeat_pause_ms(seat.heartbeat_interval)
    retry_after = failure.retry_after_seconds
    if retry_after is not None:
        # A busy service may name a time after which the seat would be gone.
        retry_after = min(retry_after, seat.heartbeat_interval)
    state.pause(retry_ms(retry_after, state.fails(), most_ms, now))
