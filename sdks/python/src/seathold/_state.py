"""Everything that the state machine knows, and the few things that it does with it everywhere."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import List, Optional

from ._errors import SeatError
from ._rules import Moment, ServerClock
from ._types import (
    Abandon,
    AnswerOffline,
    Effect,
    End,
    HeldSeat,
    KeeperConfig,
    KeeperEvent,
    Place,
    Reject,
    Request,
    Save,
    Send,
    Tell,
    TellLost,
    Timer,
)


@dataclass(frozen=True)
class InFlight:
    id: int
    request: Request
    sent_ms: float
    has_fresh_token: bool


class KeeperState:
    def __init__(self, config: KeeperConfig, clock: ServerClock, stored: Optional[HeldSeat]) -> None:
        self.config = config
        self.clock = clock
        self.stored = stored
        """A seat from an earlier run of the program, whose token is still good."""
        self.phase = "acquiring"
        self.in_flight: Optional[InFlight] = None
        self.seat: Optional[HeldSeat] = None
        self.place: Optional[Place] = None
        self.failures = 0
        """Requests in a row that failed."""
        self.failing_since_ms = 0.0
        self.wait_until_ms = 0.0
        self.kept_ms = 0.0
        """When the service last confirmed the seat."""
        self.next_heartbeat_ms = 0.0
        self.listed_ms = -math.inf
        self.is_offline = False
        self.is_settled = False
        """Whether the first acquire has succeeded."""
        self.may_activate_again = config.activation == "stored"
        self.cause: Optional[str] = None
        """Why the session ended, until another one is granted."""
        self.is_releasing = False
        self.wants_offline: Optional[float] = None
        self.is_busy = False
        """Whether the service had no room for another request that waits."""
        self._effects: List[Effect] = []
        self._last_id = 0

    def flush(self) -> List[Effect]:
        effects, self._effects = self._effects, []
        return effects

    def add(self, effect: Effect) -> None:
        self._effects.append(effect)

    def tell(self, event: KeeperEvent) -> None:
        self.add(Tell(event))

    def send(self, request: Request, now: Moment, has_fresh_token: bool = False) -> None:
        self._last_id += 1
        if self.failures == 0:
            self.failing_since_ms = now.mono_ms
        self.in_flight = InFlight(self._last_id, request, now.mono_ms, has_fresh_token)
        self.add(Timer("next", None))
        self.add(Send(self._last_id, request, has_fresh_token))

    def abandon(self) -> None:
        if self.in_flight is not None:
            self.add(Abandon(self.in_flight.id))
            self.in_flight = None

    def pause(self, delay_ms: float) -> None:
        """Waits before the next request."""
        self.add(Timer("next", max(0, delay_ms)))

    def stop_timers(self) -> None:
        self.add(Timer("next", None))
        self.add(Timer("expiry", None))

    def fails(self) -> int:
        """Counts a request that failed, and returns how many have in a row."""
        self.failures += 1
        return self.failures

    def acquire(self, now: Moment) -> None:
        """Asks for a seat. All attempts before the first seat share the time for which the program wants to wait."""
        wait = self.config.wait_seconds
        if wait is not None and not self.is_settled:
            wait = max(1, math.floor((self.wait_until_ms - now.mono_ms) / 1000))
        self.phase = "acquiring"
        self.place = None
        self.send(Request("acquire", wait_seconds=wait, offline_seconds=self.config.offline_seconds), now)

    def fail(self, code: str, error: Optional[SeatError] = None) -> None:
        """The program can have no seat, or must stop using the one that it had."""
        if self.is_settled:
            self.tell(TellLost(code, is_final=True))
        else:
            self.add(Reject(code, error))
        self.finish(forgets=True)

    def finish(self, *, forgets: bool) -> None:
        self.abandon()
        self.phase = "ended"
        self.seat = None
        self.stop_timers()
        if forgets:
            self.add(Save(None))
        self.answer_offline("ended")
        self.add(End())

    def answer_offline(self, code: Optional[str], error: Optional[SeatError] = None) -> None:
        if self.wants_offline is not None:
            self.wants_offline = None
            self.add(AnswerOffline(code, error))

    def lose_for_now(self) -> None:
        """Tells the program, once, that it must stop for now."""
        if self.cause is not None and self.seat is not None:
            self.seat = None
            self.tell(TellLost(self.cause, is_final=False))
            self.add(Timer("expiry", None))
            self.add(Save(None))
        self.phase = "lost"
