"""The service as the keeper sees it: sends requests, reads the answers, and verifies the tokens in them."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from ._errors import SeatError
from ._http import KEYS_REQUEST, HttpRequest, HttpResponse, Subject, read_answer, to_http
from ._outcomes import ToVerify, is_of_api, read_failure, read_success
from ._rules import ServerClock
from ._runtime import Cancel, Runtime
from ._store import Memory, StoredSeat
from ._times import parse_http_date
from ._types import Done, GrantedSeat, HeldSeat, Kept, Listed, Outcome, Refused, Request, VerifiedToken
from ._verify import (
    Expectations,
    Fault,
    LicenseClaims,
    RevocationList,
    find_key,
    parse_jwt,
    parse_key_set,
    verify_license_token,
    verify_revocations,
)

KEYS_EVERY_MS = 60_000
UNSENDABLE_TOKEN = "The token must be printable ASCII characters without spaces."

Answer = Union[Any, SeatError]
Take = Callable[[Answer], None]


@dataclass(frozen=True)
class ServiceOptions:
    base_url: str
    issuer: str
    audience: str
    subject: Subject
    get_token: Callable[[bool], Optional[str]]
    """Gets whether the service refused the last one."""


class SeatService:
    """Calls back on the keeper's thread. Nothing that it calls raises."""

    def __init__(self, options: ServiceOptions, runtime: Runtime, clock: ServerClock, memory: Memory) -> None:
        self.memory = memory
        self._options = options
        self._runtime = runtime
        self._clock = clock
        self._keys_ms = -math.inf
        self._list = RevocationList(0, frozenset())

    def perform(self, request: Request, refreshes_token: bool, take: Callable[[Outcome], None]) -> Cancel:
        """Sends a request, and calls back with what became of it, unless it is canceled before."""
        return _Performance(self, request, take).start(refreshes_token)

    def restore(self, stored: Optional[StoredSeat]) -> Optional[HeldSeat]:
        """The seat of an earlier run, if its token is still good by what is in memory."""
        if self.memory.revocations is not None:
            self.take_list(self.memory.revocations)
        if stored is None:
            return None
        claims = self.verify(stored.license_token, None)
        if isinstance(claims, Fault):
            return None
        return _seat_of(
            ToVerify(stored.license_token, claims.session_id, stored.heartbeat_interval, stored.offline_until_ms), claims
        )

    def verify(self, license_token: str, session_id: Optional[str]) -> Union[LicenseClaims, Fault]:
        options = self._options
        now_ms = self._clock.now_ms(self._runtime.now())
        expected = Expectations(
            options.issuer, options.audience, options.subject.hardware_id, now_ms, session_id, self._list.revoked
        )
        return verify_license_token(license_token, self.memory.keys, expected)

    def take_list(self, text: str) -> Listed:
        """Takes a list that is not older than the one in use. A list that is not the service's changes nothing."""
        found = verify_revocations(text, self.memory.keys, self._options.issuer)
        if isinstance(found, RevocationList) and found.issued_at >= self._list.issued_at:
            self._list = found
            self.memory.revocations = text
        return Listed(self._list.revoked)

    def needs_keys(self, token: str) -> bool:
        """Whether the token was signed with a key that is not known, and the keys may be fetched again."""
        parsed = parse_jwt(token)
        if parsed is None or find_key(self.memory.keys, parsed.header.get("kid")) is not None:
            return False
        return self._runtime.now().mono_ms - self._keys_ms >= KEYS_EVERY_MS

    def fetch_keys(self, take: Take) -> Cancel:
        def read(answer: Answer) -> None:
            if isinstance(answer, SeatError):
                take(answer)
                return
            keys = parse_key_set(answer)
            if not keys:
                take(SeatError("unexpected_answer", "The key set has no keys."))
                return
            self._keys_ms = self._runtime.now().mono_ms
            self.memory.keys = keys
            take(answer)

        return self.send(KEYS_REQUEST, False, read)

    def send(self, request: HttpRequest, refreshes_token: bool, take: Take) -> Cancel:
        """Calls back with the data of the answer, or with the error that it is."""
        headers = {"accept": "*/*"}
        try:
            if request.needs_token:
                token = self.memory.activation_token or self._options.get_token(refreshes_token)
                if token is not None and not is_sendable(token):
                    return self._runtime.set_timer(0, lambda: take(SeatError("invalid_argument", UNSENDABLE_TOKEN)))
                if token is not None:
                    headers["authorization"] = f"Bearer {token}"
        except Exception as failure:  # The program's own function.
            # Only after this function has returned, as for every other answer.
            error = SeatError("connection_failed", f"The function that returns tokens failed: {failure!r}")
            return self._runtime.set_timer(0, lambda: take(error))
        body = None
        if request.body is not None:
            headers["content-type"] = "application/json"
            body = json.dumps(request.body).encode("utf-8")
        return self._exchange(request, headers, body, take)

    def _exchange(self, request: HttpRequest, headers: dict, body: Optional[bytes], take: Take) -> Cancel:
        def answered(response: Union[HttpResponse, SeatError]) -> None:
            stop_timer()
            take(response if isinstance(response, SeatError) else self._read(request, response))

        def timed_out() -> None:
            cancel()
            take(SeatError("timed_out", f"No response within {request.timeout_ms:.0f} ms."))

        stop_timer = self._runtime.set_timer(request.timeout_ms, timed_out)
        cancel = self._runtime.send(
            request.method, self._options.base_url + request.path, headers, body, request.timeout_ms, answered
        )

        def cancel_both() -> None:
            stop_timer()
            cancel()

        return cancel_both

    def _read(self, request: HttpRequest, response: HttpResponse) -> Answer:
        """Reads an answer, and the time from it if it is the API's. The page of a proxy may be old, and so may a cached file."""
        try:
            answer: Answer = read_answer(request, response)
        except SeatError as error:
            answer = error
        is_timed = request.answer in ("data", "nothing") and not (isinstance(answer, SeatError) and not is_of_api(answer))
        date_ms = parse_http_date(response.headers.get("date"))
        if is_timed and date_ms is not None:
            self._clock.observe(date_ms, self._runtime.now())
        return answer


class _Performance:
    """One request of the keeper, with the fetch of the keys that its answer may need."""

    def __init__(self, service: SeatService, request: Request, take: Callable[[Outcome], None]) -> None:
        self._service = service
        self._request = request
        self._take = take
        self._cancel: Cancel = lambda: None

    def start(self, refreshes_token: bool) -> Cancel:
        http = to_http(self._request, self._service._options.subject)
        self._cancel = self._service.send(http, refreshes_token, self._read)
        return lambda: self._cancel()

    def _read(self, answer: Answer) -> None:
        if isinstance(answer, SeatError):
            self._take(read_failure(self._request, answer))
        elif self._request.kind == "revocations":
            self._with_keys(answer.decode("utf-8", "replace") if isinstance(answer, bytes) else "", self._take_list)
        elif self._request.kind == "activate":
            self._take_activation(answer)
        else:
            reading = read_success(self._request, answer)
            if isinstance(reading, ToVerify):
                self._with_keys(reading.license_token, lambda failure: self._verify(reading, failure))
            else:
                self._take(reading)

    def _with_keys(self, token: str, then: Callable[[Optional[SeatError]], None]) -> None:
        """Fetches the keys first, if the token was signed with another one. `then` gets why that failed, if it did."""
        self._token = token
        if self._service.needs_keys(token):
            self._cancel = self._service.fetch_keys(
                lambda answer: then(answer if isinstance(answer, SeatError) else None)
            )
        else:
            then(None)

    def _take_list(self, failure: Optional[SeatError]) -> None:
        if failure is not None:
            self._take(read_failure(self._request, failure))
        else:
            self._take(self._service.take_list(self._token))

    def _take_activation(self, data: Any) -> None:
        token = data.get("activation_token") if isinstance(data, dict) else None
        if isinstance(token, str):
            self._service.memory.activation_token = token
            self._take(Done())
        else:
            error = SeatError("unexpected_answer", "The answer has no activation token.")
            self._take(read_failure(self._request, error))

    def _verify(self, reading: ToVerify, failure: Optional[SeatError]) -> None:
        is_heartbeat = self._request.kind == "heartbeat"
        if failure is not None and not is_heartbeat:
            self._take(read_failure(self._request, failure))
            return
        claims = self._service.verify(reading.license_token, reading.session_id)
        if is_heartbeat:
            # The token that the program has stays good, and the next heartbeat brings another.
            self._take(Kept(None if isinstance(claims, Fault) else _token_of(reading, claims)))
        elif isinstance(claims, Fault):
            message = f"The license token of the service is not valid: {claims.reason}."
            error = SeatError("invalid_license_token", message, details={"reason": claims.reason})
            self._take(Refused(error.code, error))
        else:
            self._take(GrantedSeat(_seat_of(reading, claims)))


def _token_of(reading: ToVerify, claims: LicenseClaims) -> VerifiedToken:
    return VerifiedToken(reading.license_token, claims.license_id, claims.features, claims.expires_at_ms)


def _seat_of(reading: ToVerify, claims: LicenseClaims) -> HeldSeat:
    return HeldSeat(
        session_id=reading.session_id,
        license_token=reading.license_token,
        license_id=claims.license_id,
        features=claims.features,
        expires_at_ms=claims.expires_at_ms,
        heartbeat_interval=reading.heartbeat_interval,
        offline_until_ms=reading.offline_until_ms,
    )


def is_sendable(token: str) -> bool:
    """Whether a header can carry it. If not, the HTTP library's error would show it."""
    return all("!" <= each <= "~" for each in token)
