"""By which names a studio goes, and which origins are its own."""

from affordance.studio.security.hosts import is_our_origin, is_ours
from affordance.studio.settings import Settings

LOCAL = Settings()
LAN = Settings(host="0.0.0.0")
ONE = Settings(host="192.0.2.7")
PROXY = Settings(names=("studio.example.org", "other.example.org:8443"))


HOSTS: tuple[tuple[str, Settings, bool], ...] = (
    ("127.0.0.1:8470", LOCAL, True),
    ("localhost:8470", LOCAL, True),
    ("LOCALHOST:8470", LOCAL, True),
    ("localhost.:8470", LOCAL, True),
    ("[::1]:8470", LOCAL, True),
    ("127.0.0.1", LOCAL, False),
    ("127.0.0.1:80", LOCAL, False),
    ("evil.example:8470", LOCAL, False),
    ("localhost.evil.example:8470", LOCAL, False),
    ("evil.example:8470@127.0.0.1:8470", LOCAL, False),
    ("127.0.0.1:8470/x", LOCAL, False),
    ("127.0.0.1:x", LOCAL, False),
    ("127.0.0.1:99999", LOCAL, False),
    ("[::1", LOCAL, False),
    ("", LOCAL, False),
    ("192.0.2.7:8470", LOCAL, False),
    ("192.0.2.7:8470", LAN, True),
    ("[2001:db8::7]:8470", LAN, True),
    ("evil.example:8470", LAN, False),
    ("192.0.2.7:8470", ONE, True),
    ("192.0.2.8:8470", ONE, False),
    ("studio.example.org", PROXY, True),
    ("studio.example.org:8443", PROXY, True),
    ("other.example.org:8443", PROXY, True),
    ("other.example.org", PROXY, False),
    ("sub.studio.example.org", PROXY, False),
)
ORIGINS: tuple[tuple[str, str, bool, bool], ...] = (
    ("http://127.0.0.1:8470", "127.0.0.1:8470", False, True),
    ("http://localhost:8470", "127.0.0.1:8470", False, False),
    ("http://127.0.0.1:8471", "127.0.0.1:8470", False, False),
    ("http://studio.example.org", "studio.example.org", False, True),
    ("https://studio.example.org", "studio.example.org", False, True),  # behind a proxy that does not say so
    ("https://studio.example.org:443", "studio.example.org", True, True),
    ("http://studio.example.org", "studio.example.org", True, False),
    ("https://studio.example.org.evil.example", "studio.example.org", True, False),
    ("https://studio.example.org@evil.example", "studio.example.org", True, False),
    ("null", "127.0.0.1:8470", False, False),
    ("", "127.0.0.1:8470", False, False),
    ("file://", "127.0.0.1:8470", False, False),
)
OPEN: tuple[tuple[Settings, bool], ...] = (
    (LOCAL, True),
    (Settings(host="::1"), True),
    (LAN, False),
    (ONE, False),
    (PROXY, False),
    (Settings(sign_in=True), False),
)


def test_hosts() -> None:
    for host, settings, ours in HOSTS:
        assert is_ours(host, settings, ("127.0.0.1", 8470)) is ours, host


def test_origins() -> None:
    for origin, host, https, ours in ORIGINS:
        assert is_our_origin(origin, host, https) is ours, origin


def test_nobody_signs_in_only_where_nobody_else_can_come() -> None:
    for settings, opened in OPEN:
        assert settings.open is opened, settings
