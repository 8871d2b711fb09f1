"""Passwords, as scrypt keeps them: `scrypt$N$R$P$SALT$HASH`."""

import hashlib
import hmac
import secrets
import threading
import unicodedata
from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Self

from affordance.core.errors import AffordanceError
from affordance.studio.refused import Refused
from affordance.studio.security.records import key_of

SHORTEST, LONGEST = 12, 1024

_N, _R, _P = 2**15, 8, 1  # 32 MB and a tenth of a second
_BYTES = 32
_AT_ONCE = 2  # as many hashes are made at the same time
_WAITING = 24  # as many more may wait: fewer than the server has threads, so that others are still answered
_PATIENCE = 10.0

_running = threading.BoundedSemaphore(_AT_ONCE)
_places = threading.BoundedSemaphore(_AT_ONCE + _WAITING)


class Busy(AffordanceError):
    """Too many people sign in just now."""


@dataclass(frozen=True, slots=True)
class _Scrypt:
    n: int
    r: int
    p: int
    salt: bytes
    hash: bytes

    @classmethod
    def read(cls, text: str) -> Self:
        name, n, r, p, salt, found = text.split("$")
        if name != "scrypt":
            raise ValueError(f"expected a password hashed by scrypt, found one by {name!r}")
        return cls(int(n), int(r), int(p), b64decode(salt), b64decode(found))

    def __str__(self) -> str:
        return f"scrypt${self.n}${self.r}${self.p}${b64encode(self.salt).decode()}${b64encode(self.hash).decode()}"

    @property
    def current(self) -> bool:
        return (self.n, self.r, self.p, len(self.hash)) == (_N, _R, _P, _BYTES)


# Nobody's: compared with where there is no such person, so that it takes as long as where there is.
NOBODY = str(_Scrypt(_N, _R, _P, bytes(16), bytes(_BYTES)))


def check(password: str, name: str) -> None:
    """Raises `Refused` for a password that is none."""
    length = len(_normal(password))
    if length < SHORTEST:
        raise Refused(f"expected a password of at least {SHORTEST} characters, found {length}; a few words will do")
    if length > LONGEST:
        raise Refused(f"expected a password of at most {LONGEST} characters, found {length}")
    if key_of(password) == key_of(name):
        raise Refused("expected a password that is not the name; choose another")


def hashed(password: str) -> str:
    salt = secrets.token_bytes(16)
    return str(_Scrypt(_N, _R, _P, salt, _hash(password, _N, _R, _P, salt, _BYTES)))


def matches(password: str, stored: str) -> bool:
    if len(password) > LONGEST:
        return False
    known = _Scrypt.read(stored)
    found = _hash(password, known.n, known.r, known.p, known.salt, len(known.hash))
    return hmac.compare_digest(found, known.hash)


def outdated(stored: str) -> bool:
    """Whether it was hashed with other parameters than new ones are."""
    return not _Scrypt.read(stored).current


def _normal(password: str) -> str:
    # Keyboards and systems differ in how they compose what looks the same.
    return unicodedata.normalize("NFKC", password)


def _hash(password: str, n: int, r: int, p: int, salt: bytes, length: int) -> bytes:
    if not _places.acquire(blocking=False):
        raise Busy("too many people sign in just now; try again in a moment")
    try:
        if not _running.acquire(timeout=_PATIENCE):
            raise Busy("too many people sign in just now; try again in a moment")
        try:
            secret = _normal(password).encode("utf-8", "surrogatepass")
            return hashlib.scrypt(secret, salt=salt, n=n, r=r, p=p, maxmem=256 * n * r * p, dklen=length)
        finally:
            _running.release()
    finally:
        _places.release()
