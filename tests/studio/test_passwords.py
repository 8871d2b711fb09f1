"""Passwords are kept as salted scrypt; signing in too often has to wait."""

import hashlib
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from affordance.studio.refused import Refused
from affordance.studio.security import attempts as limits
from affordance.studio.security import passwords
from affordance.studio.security.attempts import Attempts

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


def test_the_same_password_twice_is_kept_differently() -> None:
    assert passwords.hashed(GOOD) != passwords.hashed(GOOD)


def test_letters_that_look_the_same_are_the_same() -> None:
    assert passwords.matches("cafe\u0301 am Eck, halb zehn", passwords.hashed("café am Eck, halb zehn"))


def test_nobody_has_a_password_and_it_takes_as_long_to_find_out() -> None:
    kept = passwords.hashed(GOOD)

    def seconds(stored: str) -> float:
        started = time.process_time()
        assert not passwords.matches("wrong", stored)
        return time.process_time() - started

    somebody, nobody = (min(seconds(stored) for _ in range(3)) for stored in (kept, passwords.NOBODY))
    assert 0.5 < nobody / somebody < 2


def test_weaker_parameters_are_still_read_and_are_out_of_date() -> None:
    salt = b"0123456789abcdef"
    weak = hashlib.scrypt(GOOD.encode(), salt=salt, n=2**10, r=8, p=1, dklen=32)
    kept = f"scrypt$1024$8$1${b64encode(salt).decode()}${b64encode(weak).decode()}"
    assert passwords.matches(GOOD, kept)
    assert passwords.outdated(kept)
    assert not passwords.outdated(passwords.hashed(GOOD))


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("", "at least 12"),
        ("x" * 11, "found 11"),
        ("x" * 1025, "at most 1024"),
        ("Ann-Kathrin Maier", "not the name"),
        ("ANN-KATHRIN  MAIER", "not the name"),
    ],
)
def test_what_is_no_password(password: str, said: str) -> None:
    with pytest.raises(Refused, match=said):
        passwords.check(password, "Ann-Kathrin Maier")


def test_longest_and_shortest_are_passwords() -> None:
    passwords.check("x" * 12, "Ann")
    passwords.check("ü" * 1024, "Ann")


def test_too_many_at_once_are_told_to_come_back() -> None:
    def one(_: int) -> bool:
        try:
            return passwords.matches("wrong", passwords.NOBODY)
        except passwords.Busy:
            return True

    with ThreadPoolExecutor(40) as pool:
        busy = list(pool.map(one, range(40)))
    assert 0 < sum(busy) < 40
    assert not one(0)  # and it is over


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
