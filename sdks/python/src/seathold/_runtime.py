"""What a keeper needs of its machine: clocks, timers, a network. Tests give it a virtual one."""

from __future__ import annotations

import heapq
import http.client
import itertools
import random
import ssl
import threading
import time
import urllib.error
import urllib.request
from typing import Any, Callable, Dict, List, Mapping, Optional, Protocol, Tuple, Union

from ._errors import SeatError
from ._http import HttpResponse
from ._rules import Moment

Cancel = Callable[[], None]
TakeResponse = Callable[[Union[HttpResponse, SeatError]], None]

MOST_BODY_BYTES = 16 * 1024 * 1024


class Runtime(Protocol):
    """Everything happens on one thread: what is called back here runs after what runs now, and never at the same time."""

    def now(self) -> Moment: ...

    def set_timer(self, delay_ms: float, run: Callable[[], None]) -> Cancel: ...

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        timeout_ms: float,
        take: TakeResponse,
    ) -> Cancel: ...

    def on_wake(self, wake: Callable[[], None]) -> Cancel: ...

    def post(self, run: Callable[[], None]) -> None:
        """Runs this on the keeper's thread, soon."""


class Loop:
    """One background thread with timers, which all keepers of a process share. It starts with the first of them."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._due: List[Tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._thread: Optional[threading.Thread] = None

    def post(self, run: Callable[[], None]) -> None:
        self.call_later(0, run)

    def call_later(self, delay_ms: float, run: Callable[[], None]) -> Cancel:
        with self._condition:
            number = next(self._order)
            heapq.heappush(self._due, (time.monotonic() + delay_ms / 1000, number, run))
            if self._thread is None or not self._thread.is_alive():
                # After a fork, only the thread that forked is left.
                self._thread = threading.Thread(target=self._run, name="seathold", daemon=True)
                self._thread.start()
            self._condition.notify()

        def cancel() -> None:
            with self._condition:
                self._due = [entry for entry in self._due if entry[1] != number]
                heapq.heapify(self._due)

        return cancel

    def _run(self) -> None:
        while True:
            run = self._wait_for_next()
            try:
                run()
            except Exception as error:  # A mistake of a listener must not cost other keepers their seats.
                threading.excepthook(
                    threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread()))
                )

    def _wait_for_next(self) -> Callable[[], None]:
        with self._condition:
            while True:
                now = time.monotonic()
                if self._due and self._due[0][0] <= now:
                    return heapq.heappop(self._due)[2]
                self._condition.wait(self._due[0][0] - now if self._due else None)


LOOP = Loop()

LOOK_EVERY_MS = 5_000
JUMP_MS = 10_000


class SystemRuntime:
    """The machine that the program runs on."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None, loop: Loop = LOOP) -> None:
        self._loop = loop
        self._opener = urllib.request.build_opener(
            _NoRedirect(), urllib.request.HTTPSHandler(context=ssl_context or ssl.create_default_context())
        )

    def now(self) -> Moment:
        return Moment(time.monotonic() * 1000, time.time() * 1000, random.random())

    def set_timer(self, delay_ms: float, run: Callable[[], None]) -> Cancel:
        return self._loop.call_later(delay_ms, run)

    def post(self, run: Callable[[], None]) -> None:
        self._loop.post(run)

    def send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        timeout_ms: float,
        take: TakeResponse,
    ) -> Cancel:
        is_canceled = threading.Event()

        def exchange() -> None:
            result = self._exchange(method, url, headers, body, timeout_ms / 1000)
            self._loop.post(lambda: None if is_canceled.is_set() else take(result))

        try:
            threading.Thread(target=exchange, name="seathold request", daemon=True).start()
        except RuntimeError:
            # The interpreter is shutting down and starts no threads any more. The seat is given back all the same.
            self._loop.post(exchange)
        return is_canceled.set

    def on_wake(self, wake: Callable[[], None]) -> Cancel:
        """Compares the two clocks: while a machine sleeps, the monotonic one may stand still, and timers come late."""
        looked: Dict[str, Any] = {"wall": time.time() * 1000, "mono": time.monotonic() * 1000}
        cancel_timer: List[Cancel] = []

        def look() -> None:
            wall, mono = time.time() * 1000, time.monotonic() * 1000
            passed = wall - looked["wall"]
            jumped = passed - (mono - looked["mono"])
            looked.update(wall=wall, mono=mono)
            cancel_timer[:] = [self.set_timer(LOOK_EVERY_MS, look)]
            if abs(jumped) >= JUMP_MS or passed >= LOOK_EVERY_MS + JUMP_MS:
                wake()

        cancel_timer.append(self.set_timer(LOOK_EVERY_MS, look))
        return lambda: cancel_timer[0]()

    def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: Optional[bytes], timeout: float
    ) -> Union[HttpResponse, SeatError]:
        request = urllib.request.Request(url, data=body, headers=dict(headers), method=method)
        try:
            with self._opener.open(request, timeout=timeout) as response:
                return _read(response)
        except urllib.error.HTTPError as answer:
            with answer:
                try:
                    return _read(answer)
                except (OSError, http.client.HTTPException) as failure:
                    return _failed(failure)
        except (OSError, ValueError, http.client.HTTPException) as failure:
            return _failed(failure)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token would travel with it."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _read(response: Any) -> Union[HttpResponse, SeatError]:
    body = response.read(MOST_BODY_BYTES + 1)
    if len(body) > MOST_BODY_BYTES:
        return SeatError("unexpected_answer", "The answer is too long.", status=response.status)
    return HttpResponse(response.status, {name.lower(): value for name, value in response.headers.items()}, body)


def _failed(failure: BaseException) -> SeatError:
    reason = getattr(failure, "reason", failure)
    code = "timed_out" if isinstance(reason, TimeoutError) else "connection_failed"
    return SeatError(code, f"The request got no answer: {reason}")
