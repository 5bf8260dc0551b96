"""Times as the API writes them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Optional

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def to_datetime(ms: float) -> datetime:
    return _EPOCH + timedelta(milliseconds=ms)


def format_time(ms: float) -> str:
    """ISO 8601 in UTC with milliseconds."""
    return to_datetime(int(ms)).strftime("%Y-%m-%dT%H:%M:%S.") + f"{int(ms) % 1000:03d}Z"


def parse_time(value: Any) -> Optional[float]:
    """Milliseconds since 1970 of a time as the API writes it, or None."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.replace("Z", "+00:00"))
    except ValueError:
        return None
    if read.tzinfo is None:
        read = read.replace(tzinfo=timezone.utc)
    return (read - _EPOCH) / timedelta(milliseconds=1)


def parse_http_date(value: Optional[str]) -> Optional[float]:
    """Milliseconds since 1970 of a `Date` header, or None."""
    try:
        read = parsedate_to_datetime(value or "")
    except (TypeError, ValueError, IndexError):
        return None
    if read.tzinfo is None:
        read = read.replace(tzinfo=timezone.utc)
    return (read - _EPOCH) / timedelta(milliseconds=1)
