"""Runs the state machine of one seat: sends its requests, keeps its timers, and tells its events."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import Callable, Dict, List, Optional

from ._errors import SeatError
from ._events import Granted, Lost, Offline, SeatEvent, Waiting
from ._machine import SeatMachine
from ._rules import ServerClock
from ._runtime import Cancel, Runtime
from ._service import SeatService, ServiceOptions
from ._store import SeatStore, format_stored, parse_stored
from ._times import parse_time, to_datetime
from ._types import (
    Abandon,
    AnswerOffline,
    Effect,
    End,
    HeldSeat,
    KeeperConfig,
    KeeperEvent,
    Reject,
    Resolve,
    Save,
    Send,
    Tell,
    TellGranted,
    TellOffline,
    TellWaiting,
    Timer,
)

_MESSAGES = {
    "wait_expired": "No seat became free in time.",
    "wait_canceled": "The wait for a seat was canceled.",
    "revoked": "The license token was revoked.",
    "not_held": "There is no seat to take offline.",
    "ended": "The seat has ended.",
    "offline_too_long": "The license token expired while the service could not be reached.",
    "superseded": "Another call takes the seat offline.",
    "aborted": "The program gave up waiting for the seat.",
}


class SeatKeeper:
    """Everything but the constructor and the properties runs on the runtime's thread."""

    def __init__(
        self,
        options: ServiceOptions,
        config: KeeperConfig,
        runtime: Runtime,
        *,
        has_token: bool,
        store: Optional[SeatStore] = None,
        on_end: Optional[Callable[[], None]] = None,
    ) -> None:
        self.first: "Future[None]" = Future()
        """Resolves when there is a seat."""
        self.ended: "Future[None]" = Future()
        self.listeners: List[Callable[[SeatEvent], None]] = []
        self.last: Optional[HeldSeat] = None
        """The newest seat, also after it was lost."""
        self._runtime = runtime
        self._subject = options.subject
        self._store = store
        self._on_end = on_end
        stored = parse_stored(store.load() if store else None, options.subject.license_key, options.subject.hardware_id)
        memory = replace(stored.memory, activation_token=None if has_token else stored.memory.activation_token)
        self._clock = ServerClock(runtime.now(), stored.seen_ms)
        self._service = SeatService(options, runtime, self._clock, memory)
        self._saved = self._service.restore(stored.seat)
        activation = "none" if has_token else "stored" if memory.activation_token else "needed"
        self._machine = SeatMachine(replace(config, activation=activation), self._clock, self._saved)
        self._timers: Dict[str, Cancel] = {}
        self._requests: Dict[int, Cancel] = {}
        self._offline: Optional["Future[None]"] = None
        self._stop_watching = runtime.on_wake(self.wake)

    @property
    def state(self) -> str:
        if self._machine.phase == "ended":
            return "ended"
        if self._machine.seat is None:
            return "lost" if self.first.done() else "acquiring"
        return "offline" if self._machine.is_offline else "held"

    def start(self) -> None:
        self._run(self._machine.start(self._runtime.now()))

    def wake(self) -> None:
        self._run(self._machine.wake(self._runtime.now()))

    def release(self) -> None:
        self._run(self._machine.release(self._runtime.now()))

    def exit(self) -> None:
        self._run(self._machine.exit(self._runtime.now()))

    def abort(self) -> None:
        """The program no longer wants a seat."""
        if not self.first.done():
            self.first.set_exception(_error_of("aborted", None))
        self.release()

    def take_offline(self, seconds: float, result: "Future[None]") -> None:
        if self._offline is not None:
            self._offline.set_exception(_error_of("superseded", None))
        self._offline = result
        self._run(self._machine.take_offline(seconds, self._runtime.now()))

    def _run(self, effects: List[Effect]) -> None:
        self.last = self._machine.seat or self.last
        # What waits for an answer continues in another thread, and must find the seat stored.
        for effect in sorted(effects, key=lambda each: isinstance(each, AnswerOffline)):
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Send):
            self._send(effect)
        elif isinstance(effect, Abandon):
            self._requests.pop(effect.id, lambda: None)()
        elif isinstance(effect, Timer):
            self._set_timer(effect)
        elif isinstance(effect, Tell):
            self._tell(effect.event)
        elif isinstance(effect, Save):
            self._saved = effect.seat
            self._save()
        elif isinstance(effect, AnswerOffline):
            self._answer_offline(effect)
        elif isinstance(effect, (Resolve, Reject)):
            self._answer_first(effect)
        elif isinstance(effect, End):
            self._end()

    def _send(self, effect: Send) -> None:
        memory = self._service.memory
        before = (memory.keys, memory.revocations, memory.activation_token)

        def take(outcome) -> None:
            self._requests.pop(effect.id, None)
            self._run(self._machine.answered(effect.id, outcome, self._runtime.now()))
            if (memory.keys, memory.revocations, memory.activation_token) != before:
                self._save()

        self._requests[effect.id] = self._service.perform(effect.request, effect.refresh_token, take)

    def _set_timer(self, timer: Timer) -> None:
        self._timers.pop(timer.name, lambda: None)()
        if timer.delay_ms is not None:
            self._timers[timer.name] = self._runtime.set_timer(
                timer.delay_ms, lambda: self._run(self._machine.timer(timer.name, self._runtime.now()))
            )

    def _tell(self, event: KeeperEvent) -> None:
        if isinstance(event, (TellGranted, TellOffline)):
            self.last = event.seat
        shown = _present(event)
        for listener in list(self.listeners):
            self._call(listener, shown)

    def _call(self, listener: Callable[[SeatEvent], None], event: SeatEvent) -> None:
        try:
            listener(event)
        except Exception as error:
            # A mistake of the program shows as one, and does not cost it the seat.
            self._runtime.post(_raiser(error))

    def _answer_first(self, effect) -> None:
        if self.first.done():
            return
        if isinstance(effect, Reject):
            self.first.set_exception(_error_of(effect.code, effect.error))
        else:
            self.first.set_result(None)

    def _answer_offline(self, effect: AnswerOffline) -> None:
        result, self._offline = self._offline, None
        if result is None:
            return
        if effect.code is None:
            result.set_result(None)
        else:
            result.set_exception(_error_of(effect.code, effect.error))

    def _save(self) -> None:
        if self._store is None:
            return
        seen_ms = self._clock.now_ms(self._runtime.now())
        subject = self._subject
        text = format_stored(self._service.memory, seen_ms, self._saved, subject.license_key, subject.hardware_id)
        try:
            self._store.save(text)
        except OSError:
            # A disk that is full costs the program its next start offline, but not its seat.
            return

    def _end(self) -> None:
        self._stop_watching()
        if not self.ended.done():
            self.ended.set_result(None)
            if self._on_end is not None:
                self._on_end()


def _present(event: KeeperEvent) -> SeatEvent:
    if isinstance(event, TellGranted):
        seat = event.seat
        return Granted(event.reason, seat.session_id, seat.features, to_datetime(seat.expires_at_ms))
    if isinstance(event, TellWaiting):
        return Waiting(event.position, to_datetime(parse_time(event.expires_at) or 0))
    if isinstance(event, TellOffline):
        return Offline(event.reason, to_datetime(event.seat.expires_at_ms))
    return Lost(event.reason, event.is_final)


def _error_of(code: str, error: Optional[SeatError]) -> SeatError:
    """The error of the API, or one of the keeper's own."""
    return error or SeatError(code, _MESSAGES.get(code, code))


def _raiser(error: Exception) -> Callable[[], None]:
    def run() -> None:
        raise error

    return run
