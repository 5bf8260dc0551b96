"""What a keeper raises."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class SeatError(Exception):
    """A refusal of the API, or a failure of the connection. `code` says which."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 0,
        details: Optional[Mapping[str, Any]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        """The HTTP status; 0 if there was no answer of the API."""
        self.details = dict(details or {})
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


class OptionError(ValueError):
    """An option that cannot be right."""
