"""The state machine of docs/reference/seat-keeper.md. It keeps no time and does no input or output."""

from __future__ import annotations

from typing import List, Optional

from ._acquiring import activate, continue_acquiring, take_acquire, take_activation
from ._holding import check_expiry, continue_holding, take_heartbeat, take_offline_answer, take_revocations
from ._rules import MOST_ACQUIRE_PAUSE_MS, RELEASE_ATTEMPTS, TOKEN_REFUSED, Moment, ServerClock, backoff_ms
from ._state import InFlight, KeeperState
from ._types import Effect, Failed, GrantedSeat, HeldSeat, KeeperConfig, Outcome, Placed, Refused, Request


class SeatMachine:
    """Each method takes what happened and when, and returns what to do. At most one request is in flight."""

    def __init__(self, config: KeeperConfig, clock: ServerClock, stored: Optional[HeldSeat] = None) -> None:
        self._state = KeeperState(config, clock, stored)

    @property
    def phase(self) -> str:
        return self._state.phase

    @property
    def seat(self) -> Optional[HeldSeat]:
        return self._state.seat

    @property
    def is_offline(self) -> bool:
        return self._state.is_offline

    def start(self, now: Moment) -> List[Effect]:
        state = self._state
        state.wait_until_ms = now.mono_ms + (state.config.wait_seconds or 0) * 1000
        if state.config.activation == "needed":
            activate(state, now)
        else:
            state.acquire(now)
        return state.flush()

    def answered(self, request_id: int, outcome: Outcome, now: Moment) -> List[Effect]:
        """A request ended. Answers to requests that were abandoned change nothing."""
        state = self._state
        in_flight = state.in_flight
        if in_flight is not None and in_flight.id == request_id:
            state.in_flight = None
            if self._may_refresh_token(in_flight, outcome):
                state.send(in_flight.request, now, has_fresh_token=True)
            else:
                self._take(in_flight, outcome, now)
        return state.flush()

    def timer(self, name: str, now: Moment) -> List[Effect]:
        if name == "next" or check_expiry(self._state, now):
            self._next(now)
        return self._state.flush()

    def wake(self, now: Moment) -> List[Effect]:
        """The machine may have slept, or has a network again: nothing is worth waiting for."""
        state = self._state
        if state.in_flight is not None and state.in_flight.request.kind in ("poll", "heartbeat"):
            state.abandon()
        self._next(now)
        return state.flush()

    def release(self, now: Moment) -> List[Effect]:
        """Gives the seat back, or the place in line, or stops asking."""
        state = self._state
        if state.is_releasing or state.phase == "ended":
            return []
        state.is_releasing = True
        state.stop_timers()
        # The answer to an acquire may be a seat, which has to be given back.
        if state.in_flight is None or state.in_flight.request.kind != "acquire":
            state.abandon()
            self._give_back(now)
        return state.flush()

    def exit(self, now: Moment) -> List[Effect]:
        """The program ends. An offline seat stays for its next run."""
        state = self._state
        offline_until_ms = (state.seat.offline_until_ms if state.seat is not None else None) or 0
        if state.is_releasing or offline_until_ms <= state.clock.now_ms(now):
            return self.release(now)
        state.finish(forgets=False)
        return state.flush()

    def take_offline(self, seconds: float, now: Moment) -> List[Effect]:
        """Asks for the seat to need no heartbeat for this time."""
        state = self._state
        state.wants_offline = seconds
        if state.phase != "held" or state.is_releasing:
            state.answer_offline("not_held")
        else:
            self._next(now)
        return state.flush()

    def _next(self, now: Moment) -> None:
        state = self._state
        if state.in_flight is not None or state.phase == "ended":
            return
        if state.is_releasing:
            failures = state.failures
            self._give_back(now)
            state.failures = failures
        elif state.phase == "held":
            continue_holding(state, now)
        else:
            continue_acquiring(state, now)

    def _take(self, in_flight: InFlight, outcome: Outcome, now: Moment) -> None:
        state = self._state
        kind = in_flight.request.kind
        if state.is_releasing:
            self._take_while_releasing(in_flight.request, outcome, now)
        elif kind == "activate":
            take_activation(state, outcome, now)
        elif kind == "heartbeat":
            take_heartbeat(state, outcome, now)
        elif kind == "revocations":
            take_revocations(state, outcome, now)
        elif state.phase == "held":
            take_offline_answer(state, outcome, now)
        else:
            take_acquire(state, in_flight, outcome, now)

    def _may_refresh_token(self, in_flight: InFlight, outcome: Outcome) -> bool:
        is_refused = isinstance(outcome, Refused) and outcome.code in TOKEN_REFUSED
        return is_refused and self._state.config.can_refresh_token and not in_flight.has_fresh_token

    def _give_back(self, now: Moment) -> None:
        state = self._state
        state.phase = "releasing"
        state.failures = 0
        if state.seat is not None:
            state.send(Request("release", session_id=state.seat.session_id), now)
        elif state.place is not None:
            state.send(Request("leave", wait_id=state.place.wait_id), now)
        else:
            state.finish(forgets=True)

    def _take_while_releasing(self, request: Request, outcome: Outcome, now: Moment) -> None:
        """An answer that arrives when the program no longer wants a seat."""
        state = self._state
        # Nothing is known of a first acquire whose answer was lost. Its seat, if any, times out.
        may_repeat = state.seat is not None or state.place is not None
        if isinstance(outcome, GrantedSeat):
            state.seat = outcome.seat
            self._give_back(now)
        elif isinstance(outcome, Placed):
            state.place = outcome.place
            self._give_back(now)
        elif isinstance(outcome, Failed) and state.failures < RELEASE_ATTEMPTS - 1 and may_repeat:
            state.pause(backoff_ms(state.fails(), MOST_ACQUIRE_PAUSE_MS, now.random))
        elif isinstance(outcome, Refused) and outcome.code == "conflict" and request.kind == "leave":
            # It was this machine's turn at that moment. The answer names the session, which is released next.
            state.send(Request("poll", wait_id=request.wait_id, timeout_seconds=0), now)
        else:
            state.finish(forgets=True)
