"""A seat that keeps itself."""

from __future__ import annotations

import ssl
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from datetime import datetime
from typing import Any, Callable, Mapping, Optional, Union
from urllib.parse import urlsplit

from ._errors import OptionError, SeatError
from ._events import FeatureValue, SeatEvent
from ._exits import PATIENCE_SECONDS, on_exit
from ._hardware_id import require_hardware_id
from ._http import Subject
from ._keeper import SeatKeeper
from ._runtime import Runtime, SystemRuntime
from ._service import ServiceOptions, is_sendable
from ._store import SeatStore
from ._times import to_datetime
from ._types import HeldSeat, KeeperConfig

TokenSource = Union[str, Callable[[bool], str]]
Listener = Callable[[Any], None]

EVENT_TYPES = ("granted", "waiting", "offline", "lost")


class Seat:
    """Sends heartbeats, survives outages, gets another session when one is lost, and is released when the program ends.

    Listeners are called on a thread of the keeper. They must not wait for the seat.
    """

    def __init__(self, keeper: SeatKeeper, runtime: Runtime) -> None:
        """Seats are made by `Seat.acquire`."""
        self._keeper = keeper
        self._runtime = runtime

    @classmethod
    def acquire(
        cls,
        *,
        base_url: str,
        license_key: str,
        token: Optional[TokenSource] = None,
        hardware_id: Optional[str] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        name: Optional[str] = None,
        wait_seconds: Optional[float] = None,
        offline_seconds: Optional[float] = None,
        timeout_seconds: float = 30,
        on_event: Optional[Callable[[SeatEvent], None]] = None,
        on_end: Optional[Callable[[], None]] = None,
        cancel: Optional[threading.Event] = None,
        store: Optional[SeatStore] = None,
        issuer: Optional[str] = None,
        audience: str = "seathold-client",
        release_at_exit: bool = True,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> "Seat":
        """Takes a seat, waiting in line for one if `wait_seconds` says so. Raises SeatError, and OptionError.

        token: an access token, API token or activation token. A function is asked before each request; it gets whether the
            service refused the last one. Without a token, the machine is activated with the license key.
        metadata: what admins see with the session. `hostname` and `client_version` have columns of their own.
        name: the name of the machine in the list of activations.
        offline_seconds: takes the seat for this time without heartbeats.
        timeout_seconds: how long to keep trying while the service does not answer.
        on_event: gets all events, also those from before there is a seat.
        on_end: called once when the seat was released, or lost for good.
        cancel: set it in another thread to give up.
        store: keeps the seat for the next run of the program, so that it starts without a network.
        """
        _require_options(base_url, token, license_key, timeout_seconds)
        url = base_url.rstrip("/")
        options = ServiceOptions(
            base_url=url,
            issuer=issuer or url,
            audience=audience,
            subject=Subject(license_key, require_hardware_id(hardware_id), metadata, name),
            get_token=_token_function(token),
        )
        config = KeeperConfig(wait_seconds, offline_seconds, timeout_seconds, can_refresh_token=callable(token))
        runtime = SystemRuntime(ssl_context)
        keeper = SeatKeeper(options, config, runtime, has_token=token is not None, store=store, on_end=on_end)
        if on_event is not None:
            keeper.listeners.append(on_event)
        seat = cls(keeper, runtime)
        if release_at_exit:
            stop = on_exit(seat._leave)
            keeper.ended.add_done_callback(lambda _: stop())
        seat._acquire(cancel)
        return seat

    @property
    def session_id(self) -> str:
        return self._last.session_id

    @property
    def license_token(self) -> str:
        """The newest license token."""
        return self._last.license_token

    @property
    def features(self) -> Mapping[str, FeatureValue]:
        return self._last.features

    @property
    def expires_at(self) -> datetime:
        """Until when the program may run without reaching the service."""
        return to_datetime(self._last.expires_at_ms)

    @property
    def offline_until(self) -> Optional[datetime]:
        """Until when the seat needs no heartbeat, if it is an offline seat."""
        until_ms = self._last.offline_until_ms
        return None if until_ms is None else to_datetime(until_ms)

    @property
    def state(self) -> str:
        """`held` and `offline` mean that the program may run. Otherwise it is `lost` or `ended`."""
        return self._keeper.state

    def on(self, event_type: str, listener: Listener) -> Callable[[], None]:
        """Calls the listener on each event of the type from now on. Returns a function that ends that."""
        if event_type not in EVENT_TYPES:
            raise OptionError(f"{event_type!r} is not one of {', '.join(EVENT_TYPES)}")

        def listen(event: SeatEvent) -> None:
            if event.type == event_type:
                listener(event)

        self._keeper.listeners.append(listen)

        def stop() -> None:
            if listen in self._keeper.listeners:
                self._keeper.listeners.remove(listen)

        return stop

    def take_offline(self, seconds: float) -> None:
        """Keeps the seat for this time without heartbeats, if the license allows it. Raises SeatError."""
        result: "Future[None]" = Future()
        self._runtime.post(lambda: self._keeper.take_offline(seconds, result))
        result.result()

    def release(self) -> None:
        """Gives the seat back and stops. Returns when the service has confirmed it or cannot be reached."""
        self._runtime.post(self._keeper.release)
        self._keeper.ended.result()

    def __enter__(self) -> "Seat":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @property
    def _last(self) -> HeldSeat:
        last = self._keeper.last
        if last is None:
            raise SeatError("not_held", "There is no seat yet.")
        return last

    def _acquire(self, cancel: Optional[threading.Event]) -> None:
        first = self._keeper.first
        self._runtime.post(self._keeper.start)
        try:
            while cancel is not None and not cancel.is_set():
                try:
                    first.result(timeout=0.1)
                    return
                except FutureTimeout:
                    if first.done():
                        break
            if cancel is not None and cancel.is_set() and not first.done():
                self._runtime.post(self._keeper.abort)
            first.result()
        except KeyboardInterrupt:
            self._runtime.post(self._keeper.abort)
            raise

    def _leave(self, patience_seconds: float) -> None:
        """The program ends."""
        if patience_seconds == 0:
            self._runtime.post(self._keeper.exit)
            return
        try:
            self._keeper.ended.result(timeout=min(patience_seconds, PATIENCE_SECONDS))
        except FutureTimeout:
            # The seat times out by itself.
            return


def _require_options(base_url: str, token: Optional[TokenSource], license_key: str, timeout_seconds: float) -> None:
    parts = urlsplit(base_url)
    if parts.scheme != "https" or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise OptionError("base_url must be the https address of the service, without a query")
    if isinstance(token, str) and not is_sendable(token):
        raise OptionError("token must be printable ASCII characters without spaces")
    if not isinstance(license_key, str) or license_key == "":
        raise OptionError("license_key must be a license key")
    if timeout_seconds < 0:
        raise OptionError("timeout_seconds must not be negative")


def _token_function(token: Optional[TokenSource]) -> Callable[[bool], Optional[str]]:
    if token is None or isinstance(token, str):
        return lambda _is_refused: token
    return token
