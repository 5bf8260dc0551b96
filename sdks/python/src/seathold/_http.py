"""The requests of a keeper, and what their answers say."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional
from urllib.parse import quote

from ._errors import SeatError
from ._times import parse_http_date
from ._types import Request


@dataclass(frozen=True)
class HttpRequest:
    method: str
    path: str
    timeout_ms: float
    needs_token: bool = True
    body: Optional[Mapping[str, Any]] = None
    answer: str = "data"
    """data, json, bytes or nothing."""


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""


@dataclass(frozen=True)
class Subject:
    """What the requests of one keeper have in common."""

    license_key: str
    hardware_id: str
    metadata: Optional[Mapping[str, Any]] = None
    name: Optional[str] = None
    """The name of the machine in the list of activations."""


KEYS_REQUEST = HttpRequest("GET", "/.well-known/jwks.json", 10_000, needs_token=False, answer="json")


def to_http(request: Request, subject: Subject) -> HttpRequest:
    """Members of a body that are None are not sent."""
    license_of = {"license_key": subject.license_key, "hardware_id": subject.hardware_id}
    if request.kind == "activate":
        return _post("activate", 30_000, {**license_of, "name": subject.name}, needs_token=False)
    if request.kind == "acquire":
        wanted = {"wait_seconds": request.wait_seconds, "offline_seconds": request.offline_seconds}
        return _post("acquire", 30_000, {**license_of, "metadata": subject.metadata, **wanted})
    if request.kind == "heartbeat":
        return _post("heartbeat", 15_000, {"session_id": request.session_id})
    if request.kind == "release":
        return _post("release", 5_000, {"session_id": request.session_id})
    if request.kind == "revocations":
        path = "/.well-known/license-revocations.jwt"
        return HttpRequest("GET", path, 10_000, needs_token=False, answer="bytes")
    wait = f"/v1/licenses/waits/{quote(request.wait_id, safe='')}"
    if request.kind == "leave":
        return HttpRequest("DELETE", wait, 5_000, answer="nothing")
    return HttpRequest("GET", f"{wait}?timeout={request.timeout_seconds}", (request.timeout_seconds + 10) * 1000)


def _post(action: str, timeout_ms: float, body: Dict[str, Any], needs_token: bool = True) -> HttpRequest:
    members = {name: value for name, value in body.items() if value is not None}
    return HttpRequest("POST", f"/v1/licenses/{action}", timeout_ms, needs_token=needs_token, body=members)


def read_answer(request: HttpRequest, response: HttpResponse) -> Any:
    """The data of a success. Raises the SeatError that the answer is, also where it is not an answer of Seathold."""
    status = response.status
    if 300 <= status < 400:
        raise SeatError("redirected", "The answer is a redirect, which is not followed.", status=status)
    if not 200 <= status < 300:
        raise _read_refusal(response)
    if status == 204:
        return None
    content_type = response.headers.get("content-type", "")
    if request.answer == "bytes" and not content_type.startswith("text/html"):
        return response.body
    body = _parse_json(response.body)
    if request.answer == "json" and body is not None:
        return body
    if request.answer == "nothing" or not isinstance(body, dict) or "data" not in body:
        raise _not_ours(response)
    return body["data"]


def _read_refusal(response: HttpResponse) -> SeatError:
    body = _parse_json(response.body)
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict) or not _has_texts(error, "code", "message"):
        # Its Retry-After says nothing about the service: a hotel's page may ask for more patience than a seat has.
        return _not_ours(response)
    retry_after = _read_retry_after(response.headers)
    details = error.get("details") if isinstance(error.get("details"), dict) else {}
    if retry_after is None and _is_count(details.get("retry_after")):
        retry_after = details["retry_after"]
    return SeatError(
        error["code"],
        error["message"],
        status=response.status,
        details=details,
        request_id=response.headers.get("x-request-id"),
        retry_after_seconds=retry_after,
    )


def _read_retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds, of a number of them or of a time by the answer's own clock (RFC 9110 section 10.2.3)."""
    value = headers.get("retry-after")
    if value is None:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10:
        return int(value)
    at_ms, now_ms = parse_http_date(value), parse_http_date(headers.get("date"))
    return None if at_ms is None or now_ms is None else max(0, (at_ms - now_ms) / 1000)


def _not_ours(response: HttpResponse) -> SeatError:
    content_type = response.headers.get("content-type", "no content type")[:100]
    message = f"The answer with status {response.status} is not one of Seathold's ({content_type}). Is base_url right?"
    return SeatError("unexpected_answer", message, status=response.status)


def _parse_json(body: bytes) -> Any:
    try:
        return json.loads(body.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _has_texts(value: Mapping[str, Any], *names: str) -> bool:
    return all(isinstance(value.get(name), str) for name in names)


def _is_count(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
