"""Verifies license tokens and revocation lists with the public keys of the service."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, FrozenSet, List, Mapping, Optional, Sequence, Union

from ._events import FeatureValue

Jwk = Mapping[str, Any]

TOLERANCE_SECONDS = 60
"""A new token may come from a service whose clock runs a little ahead."""


@dataclass(frozen=True)
class Expectations:
    """What a license token has to say."""

    issuer: str
    audience: str
    hardware_id: str
    now_ms: float
    session_id: Optional[str] = None
    revoked: FrozenSet[str] = frozenset()


@dataclass(frozen=True)
class LicenseClaims:
    session_id: str
    license_id: str
    expires_at_ms: float
    features: Mapping[str, FeatureValue]


@dataclass(frozen=True)
class RevocationList:
    issued_at: float
    revoked: FrozenSet[str]


@dataclass(frozen=True)
class Fault:
    """Why a token is not good, by the words of docs/reference/seat-keeper.md."""

    reason: str


@dataclass(frozen=True)
class ParsedToken:
    header: Dict[str, Any]
    claims: Dict[str, Any]
    content: bytes
    signature: bytes


def verify_license_token(text: str, keys: Sequence[Jwk], expected: Expectations) -> Union[LicenseClaims, Fault]:
    """The claims of a good token, or the first fault."""
    token = _verify_jwt(text, keys, "JWT")
    if isinstance(token, Fault):
        return token
    fault = _find_fault(token.claims, expected)
    return _read_claims(token.claims) if fault is None else Fault(fault)


def verify_revocations(text: str, keys: Sequence[Jwk], issuer: str) -> Union[RevocationList, Fault]:
    """A list that has expired is still better than none."""
    token = _verify_jwt(text, keys, "revocations+jwt")
    if isinstance(token, Fault):
        return token
    if token.claims.get("iss") != issuer:
        return Fault("issuer")
    issued_at, revoked = token.claims.get("iat"), token.claims.get("revoked")
    if not _is_number(issued_at) or not isinstance(revoked, list):
        return Fault("malformed")
    return RevocationList(issued_at, frozenset(each for each in revoked if isinstance(each, str)))


def parse_jwt(text: str) -> Optional[ParsedToken]:
    """The parts of a JWS in compact form (RFC 7515 section 7.1). Nothing is verified yet."""
    parts = text.split(".")
    if len(parts) != 3:
        return None
    try:
        header, claims = (json.loads(_decode(part).decode("utf-8")) for part in parts[:2])
        signature = _decode(parts[2])
    except (ValueError, RecursionError):
        return None
    if not isinstance(header, dict) or not isinstance(claims, dict):
        return None
    return ParsedToken(header, claims, f"{parts[0]}.{parts[1]}".encode("ascii"), signature)


def find_key(keys: Sequence[Jwk], key_id: Any) -> Optional[Jwk]:
    return next((key for key in keys if key.get("kid") == key_id and key.get("kty") == "RSA"), None)


def parse_key_set(data: Any) -> List[Jwk]:
    """The keys of a key set (RFC 7517 section 5)."""
    keys = data.get("keys") if isinstance(data, dict) else None
    return [key for key in keys if isinstance(key, dict)] if isinstance(keys, list) else []


def _verify_jwt(text: str, keys: Sequence[Jwk], token_type: str) -> Union[ParsedToken, Fault]:
    token = parse_jwt(text)
    if token is None:
        return Fault("malformed")
    if token.header.get("alg") != "RS256":
        return Fault("algorithm")
    if token.header.get("typ") != token_type:
        return Fault("type")
    key = find_key(keys, token.header.get("kid"))
    if key is None:
        return Fault("unknown_key")
    return token if is_signed(key, token.content, token.signature) else Fault("signature")


# The DER form of DigestInfo with SHA-256 (RFC 8017 section 9.2, note 1).
_DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
_LEAST_BITS = 2048


def is_signed(key: Jwk, content: bytes, signature: bytes) -> bool:
    """Verifies RSASSA-PKCS1-v1_5 with SHA-256 by comparing with the one right encoding (RFC 8017 section 8.2.2)."""
    try:
        modulus = int.from_bytes(_decode(key["n"]), "big")
        exponent = int.from_bytes(_decode(key["e"]), "big")
    except (KeyError, TypeError, ValueError):
        return False
    size = (modulus.bit_length() + 7) // 8
    if modulus.bit_length() < _LEAST_BITS or exponent < 3 or len(signature) != size:
        return False
    value = int.from_bytes(signature, "big")
    if value >= modulus:
        return False
    digest = _DIGEST_INFO + hashlib.sha256(content).digest()
    expected = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
    return pow(value, exponent, modulus).to_bytes(size, "big") == expected


def _find_fault(claims: Mapping[str, Any], expected: Expectations) -> Optional[str]:
    now = expected.now_ms / 1000
    session_id, license_id, expires = claims.get("jti"), claims.get("lic"), claims.get("exp")
    not_before = claims.get("nbf")
    checks: List[tuple[str, Callable[[], bool]]] = [
        ("malformed", lambda: not (isinstance(session_id, str) and isinstance(license_id, str) and _is_number(expires))),
        ("issuer", lambda: claims.get("iss") != expected.issuer),
        ("audience", lambda: claims.get("aud") != expected.audience),
        ("hardware", lambda: claims.get("hw") != expected.hardware_id),
        ("session", lambda: expected.session_id is not None and session_id != expected.session_id),
        ("not_yet_valid", lambda: _is_number(not_before) and not_before > now + TOLERANCE_SECONDS),
        ("expired", lambda: expires <= now),
        ("revoked", lambda: session_id in expected.revoked or license_id in expected.revoked),
    ]
    return next((reason for reason, is_fault in checks if is_fault()), None)


def _read_claims(claims: Mapping[str, Any]) -> LicenseClaims:
    features = claims.get("features")
    own = features.items() if isinstance(features, dict) else ()
    return LicenseClaims(
        session_id=claims["jti"],
        license_id=claims["lic"],
        expires_at_ms=claims["exp"] * 1000,
        features={name: value for name, value in own if isinstance(value, (bool, int, float, str))},
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_BASE64URL = re.compile(r"[A-Za-z0-9_-]+\Z")


def _decode(part: str) -> bytes:
    if not isinstance(part, str) or _BASE64URL.match(part) is None:
        raise ValueError("not base64url")
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except binascii.Error as error:
        raise ValueError("not base64url") from error
