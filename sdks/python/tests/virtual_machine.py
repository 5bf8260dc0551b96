"""A machine with clocks that a test moves, and a network that a test answers."""

import heapq
import itertools
import json

from seathold._errors import SeatError
from seathold._rules import Moment


class PendingRequest:
    def __init__(self, take):
        self.take = take


class VirtualMachine:
    def __init__(self, epoch_ms, random, wall_ahead_ms):
        self.mono_ms = 0
        self.real_ms = epoch_ms
        self.wall_error_ms = wall_ahead_ms
        self.outputs = {kind: [] for kind in ("request", "event", "result", "offline_result", "ended")}
        self.pending = None
        self.wake = lambda: None
        self._random = random
        self._timers = []
        self._order = itertools.count()

    # What the keeper uses.

    def now(self):
        return Moment(self.mono_ms, self.real_ms + self.wall_error_ms, self._random)

    def set_timer(self, delay_ms, run):
        entry = [self.mono_ms + delay_ms, next(self._order), run]
        heapq.heappush(self._timers, entry)

        def cancel():
            entry[2] = None

        return cancel

    def post(self, run):
        run()

    def on_wake(self, wake):
        self.wake = wake
        return lambda: None

    def send(self, method, url, headers, body, timeout_ms, take):
        token = headers.get("authorization")
        what = {"method": method, "url": url, "token": token and token[len("Bearer ") :]}
        if body is not None:
            what["body"] = json.loads(body)
        self.emit("request", what)
        pending = PendingRequest(take)
        self.pending = pending

        def cancel():
            if self.pending is pending:
                self.pending = None

        return cancel

    # What the runner uses.

    def emit(self, kind, what):
        self.outputs[kind].append((self.mono_ms, what))

    def answer(self, response):
        pending, self.pending = self.pending, None
        if pending is not None:
            pending.take(response)

    def fail(self):
        self.answer(SeatError("connection_failed", "The connection was lost."))

    def advance(self, to_ms, kind=None):
        """Runs what is due until the time, or until there is an output of the kind."""
        while kind is None or not self.outputs[kind]:
            while self._timers and self._timers[0][2] is None:
                heapq.heappop(self._timers)
            if not self._timers or self._timers[0][0] > to_ms:
                self._move_to(max(to_ms, self.mono_ms))
                return
            due_ms, _, run = heapq.heappop(self._timers)
            self._move_to(max(due_ms, self.mono_ms))
            run()

    def sleep(self, seconds):
        """Time passes, and only the monotonic clock does not notice."""
        self.real_ms += seconds * 1000

    def _move_to(self, mono_ms):
        self.real_ms += mono_ms - self.mono_ms
        self.mono_ms = mono_ms
