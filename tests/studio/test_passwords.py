"""Passwords are kept as salted scrypt; signing in too often has to wait."""

import hashlib
import threading
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from affordance.studio.refused import Refused
from affordance.studio.security import attempts as limits
from affordance.studio.security import passwords
from affordance.studio.security.attempts import Attempts
from errors import raises
from patience import PATIENCE, until

GOOD = "correct horse battery staple"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_password_is_known_again_and_no_other() -> None:
    kept = passwords.hashed(GOOD)
    assert passwords.matches(GOOD, kept)
    assert not passwords.matches(GOOD + " ", kept)
    assert not passwords.matches("", kept)
    assert GOOD not in kept
    assert kept.startswith("scrypt$32768$8$1$")


def test_the_same_password_twice_is_kept_differently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_N", 2**8)
    assert passwords.hashed(GOOD) != passwords.hashed(GOOD)


def test_letters_that_look_the_same_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_N", 2**8)
    assert passwords.matches("cafe\u0301 am Eck, halb zehn", passwords.hashed("café am Eck, halb zehn"))


def test_a_name_that_does_not_exist_costs_as_much_as_one_that_does() -> None:
    """The same parameters and the same length: who measures the time learns nothing."""
    *kept, salt, digest = passwords.hashed(GOOD).split("$")
    *nobody, no_salt, no_digest = passwords.NOBODY.split("$")
    assert (nobody, len(no_salt), len(no_digest)) == (kept, len(salt), len(digest))
    assert not passwords.matches("", passwords.NOBODY)


def test_weaker_parameters_are_still_read_and_are_out_of_date() -> None:
    salt = b"0123456789abcdef"
    weak = hashlib.scrypt(GOOD.encode(), salt=salt, n=2**10, r=8, p=1, dklen=32)
    kept = f"scrypt$1024$8$1${b64encode(salt).decode()}${b64encode(weak).decode()}"
    assert passwords.matches(GOOD, kept)
    assert passwords.outdated(kept)
    assert not passwords.outdated(passwords.hashed(GOOD))


def test_passwords_that_are_refused() -> None:
    for password, data in (
        ("", (12, 0)),
        ("x" * 11, (12, 11)),
        ("x" * 1025, (1024, 1025)),
        ("Ann-Kathrin Maier", ()),
        ("ANN-KATHRIN  MAIER", ()),
    ):
        with raises(Refused, *data):
            passwords.check(password, "Ann-Kathrin Maier")
    passwords.check("Ann-Kathrin Maier", "Ben")
    passwords.check("x" * 12, "Ann")
    passwords.check("ü" * 1024, "Ann")


def test_too_many_at_once_have_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as may run or wait are let in, the others are sent away at once."""
    done = threading.Event()

    def slow(*_: object, **__: object) -> bytes:
        assert done.wait(PATIENCE)
        return b""

    monkeypatch.setattr(passwords.hashlib, "scrypt", slow)
    most = passwords._AT_ONCE + passwords._WAITING
    with ThreadPoolExecutor(most + 4) as pool:
        asked = [pool.submit(passwords.matches, "wrong", passwords.NOBODY) for _ in range(most + 4)]
        until(lambda: sum(one.done() for one in asked) == 4)
        busy = [one for one in asked if one.done()]
        done.set()
    assert all(isinstance(one.exception(), passwords.Busy) for one in busy)
    assert [one.result() for one in asked if one not in busy] == [False] * most
    assert not passwords.matches("wrong", passwords.NOBODY)  # and it is over


def fail(attempts: Attempts, name: str, address: str, times: int = 1) -> None:
    for _ in range(times):
        assert attempts.begin(name, address) == 0
        attempts.end(name, address, right=False)


def test_after_five_failures_there_is_a_wait_that_doubles() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    fail(attempts, "ann", "192.0.2.1", 5)
    assert attempts.begin("ann", "192.0.2.1") == limits.FIRST_WAIT
    for double in (2, 4, 8):
        clock.now += attempts.begin("ann", "192.0.2.1")
        fail(attempts, "ann", "192.0.2.1")
        assert attempts.begin("ann", "192.0.2.1") == limits.FIRST_WAIT * double


def test_failures_far_apart_do_not_add_up() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for _ in range(20):
        fail(attempts, "ann", "192.0.2.1")
        clock.now += limits.WINDOW / 3


def test_a_name_waits_whatever_addresses_are_used() -> None:
    attempts = Attempts(Clock())
    for number in range(5):
        fail(attempts, "ann", f"192.0.2.{number}")
    assert attempts.begin("ann", "192.0.2.99") > 0
    assert attempts.begin("ben", "192.0.2.99") == 0


def test_an_address_waits_whatever_names_are_used() -> None:
    attempts = Attempts(Clock())
    for number in range(5):
        fail(attempts, f"name {number}", "192.0.2.1")
    assert attempts.begin("ann", "192.0.2.1") > 0
    assert attempts.begin("ann", "192.0.2.2") == 0


def test_addresses_of_one_ipv6_network_are_one() -> None:
    attempts = Attempts(Clock())
    for number in range(5):
        fail(attempts, f"name {number}", f"2001:db8::{number:x}")
    assert attempts.begin("ann", "2001:db8::ffff") > 0
    assert attempts.begin("ann", "2001:db8:0:1::1") == 0


def test_who_was_there_before_is_not_kept_out_by_others() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    assert attempts.begin("ann", "192.0.2.1") == 0
    attempts.end("ann", "192.0.2.1", right=True)
    for number in range(100):
        if attempts.begin("ann", f"198.51.100.{number}") == 0:
            attempts.end("ann", f"198.51.100.{number}", right=False)
    assert attempts.begin("ann", "198.51.100.200") > 0
    assert attempts.begin("ann", "192.0.2.1") == 0


def test_who_was_there_before_cannot_try_for_ever_either() -> None:
    attempts = Attempts(Clock())
    attempts.begin("ann", "192.0.2.1")
    attempts.end("ann", "192.0.2.1", right=True)
    fail(attempts, "ann", "192.0.2.1", 5)
    assert attempts.begin("ann", "192.0.2.1") > 0


def test_a_name_never_waits_long() -> None:
    clock = Clock()
    attempts = Attempts(clock)
    for number in range(60):
        clock.now += attempts.begin("ann", f"198.51.100.{number}")
        attempts.end("ann", f"198.51.100.{number}", right=None)
        fail(attempts, "ann", f"203.0.113.{number}")
    assert 0 < attempts.begin("ann", "192.0.2.1") <= limits.LONGEST_WAIT["name"]


def test_attempts_at_the_same_moment_are_counted() -> None:
    attempts = Attempts(Clock())
    begun = sum(attempts.begin("ann", "192.0.2.1") == 0 for _ in range(50))
    assert begun == limits.FAILURES


def test_an_attempt_that_broke_off_is_no_failure() -> None:
    attempts = Attempts(Clock())
    for _ in range(20):
        assert attempts.begin("ann", "192.0.2.1") == 0
        attempts.end("ann", "192.0.2.1", right=None)


def test_what_is_kept_is_bounded() -> None:
    attempts = Attempts(Clock(), most=50)
    for number in range(500):
        fail(attempts, f"name {number}", f"address {number}")
    assert len(attempts._counters) <= 50
