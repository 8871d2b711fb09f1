"""What is captured and what its pages may reach; and errors about options that make no sense."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import write_pages

from affordance.capture.actions import read_action
from affordance.capture.looks import Theme, Variation, read_size, read_theme, read_variations
from affordance.capture.sources import ORIGIN, Site, open_site, reopen_site
from affordance.core.errors import InvalidOption, UserError
from affordance.datasets import DatasetHeader
from affordance.datasets.taxonomies import Action
from errors import raises


def names(site: Site) -> list[str]:
    return [source.name for source in site.pages]


# Opening

ADDRESSES = {
    "host": ("https://example.org", "example.org"),
    "path": ("https://example.org/shop/basket.html", "example.org-shop-basket.html"),
    "slash at the end": ("https://example.org/shop/", "example.org-shop"),
    "query and fragment": ("http://localhost:8000/a?b=c#d", "localhost-a"),
}


@pytest.mark.parametrize(("given", "name"), ADDRESSES.values(), ids=ADDRESSES.keys())
def test_an_address_is_one_page(given: str, name: str) -> None:
    site = open_site(given, [])
    assert [(source.name, source.url) for source in site.pages] == [(name, given)]
    assert site.folder is None


def test_an_address_may_talk_to_its_own_origin_and_to_those_allowed() -> None:
    site = open_site("https://Example.org:8443/shop", ["https://cdn.example.org/"])
    assert site.lets("https://example.org:8443/picture.png")
    assert site.lets("https://cdn.example.org/x.js")
    for other in ("https://example.org/", "http://example.org:8443/", "https://cdn.example.org.evil.net/"):
        assert not site.lets(other)


def test_a_file_is_one_page_and_the_folder_around_it(tmp_path: Path) -> None:
    write_pages(tmp_path, {"shop.html": "", "other.html": ""})
    site = open_site(str(tmp_path / "shop.html"), [])
    assert [(source.name, source.url) for source in site.pages] == [("shop", f"{ORIGIN}/shop.html")]
    assert site.folder == tmp_path
    assert not site.lets("http://example.org/")


def test_a_folder_is_all_its_pages_in_order(tmp_path: Path) -> None:
    write_pages(tmp_path, {"b.html": "", "a/index.html": "", "index.html": "", "a/deep/Two words.HTM": "", "a.css": ""})
    site = open_site(str(tmp_path), [])
    assert [(source.name, source.url.removeprefix(ORIGIN)) for source in site.pages] == [
        ("a-deep-Two-words", "/a/deep/Two%20words.HTM"),
        ("a", "/a/index.html"),
        ("b", "/b.html"),
        ("index", "/index.html"),
    ]


def test_names_can_be_in_any_script(tmp_path: Path) -> None:
    write_pages(tmp_path, {"חנות.html": "", "???.html": ""})
    assert names(open_site(str(tmp_path), [])) == ["page", "חנות"]


LIKE_NAMES = {
    "file and folder": ["shop.html", "shop/index.html"],
    "suffixes": ["shop.html", "shop.htm"],
    "dash and slash": ["a-b.html", "a/b.html"],
    "no letters": ["?.html", "!.html"],
}


@pytest.mark.parametrize("files", LIKE_NAMES.values(), ids=LIKE_NAMES.keys())
def test_no_two_pages_have_one_name(tmp_path: Path, files: list[str]) -> None:
    write_pages(tmp_path, dict.fromkeys(files, ""))
    assert len(set(names(open_site(str(tmp_path), [])))) == len(files)


def test_what_is_not_there(tmp_path: Path) -> None:
    with raises(UserError, tmp_path / "nowhere"):
        open_site(str(tmp_path / "nowhere"), [])


def test_a_folder_without_pages(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("")
    with raises(UserError, tmp_path):
        open_site(str(tmp_path), [])


def test_a_file_that_is_no_page(tmp_path: Path) -> None:
    for file in ("page.pdf", "page"):
        (tmp_path / file).write_text("")
        with raises(UserError, tmp_path / file):
            open_site(str(tmp_path / file), [])


def test_an_address_without_a_host() -> None:
    for given in ("https://", "http:///path", "http://[::1"):
        with raises(UserError, given):
            open_site(given, [])


def test_what_cannot_be_allowed(tmp_path: Path) -> None:
    write_pages(tmp_path, "")
    for given in ("example.org", "ftp://example.org", "https://", "https://example.org/path", "*", "", "http://[::1"):
        with raises(InvalidOption, "allow", repr(given)):
            open_site(str(tmp_path), [given])


# Files


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """A folder of pages, with secrets beside it and ways that seem to lead to them."""
    write_pages(tmp_path / "site", {"page.html": "", "two words.html": "", "sub/index.html": "", "empty/x.css": ""})
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "site-too").mkdir()
    (tmp_path / "site-too" / "index.html").write_text("secret")
    links = tmp_path / "site"
    (links / "file.html").symlink_to(tmp_path / "secret.txt")
    (links / "folder").symlink_to(tmp_path / "site-too")
    (links / "inside.html").symlink_to(links / "page.html")
    (links / "linked").mkdir()
    (links / "linked" / "index.html").symlink_to(tmp_path / "secret.txt")
    (links / "loop").symlink_to(links / "loop")
    os.mkfifo(links / "pipe")
    return open_site(str(links), [])


GIVEN_OUT = {
    "page": ("/page.html", "page.html"),
    "query and fragment": ("/page.html?a=../b#c", "page.html"),
    "encoded name": ("/two%20words.html", "two words.html"),
    "folder with an index": ("/sub/", "sub/index.html"),
    "up and down inside": ("/sub/../page.html", "page.html"),
    "link that stays inside": ("/inside.html", "page.html"),
}


def test_files_of_the_folder_are_given_out(site: Site) -> None:
    assert site.folder is not None
    for name, (address, file) in GIVEN_OUT.items():
        assert site.file(ORIGIN + address) == site.folder / file, name


REFUSED = {
    "nothing there": "/none.html",
    "up": "/../secret.txt",
    "far up": "/../../../../../../../../etc/passwd",
    "encoded dots": "/%2e%2e/secret.txt",
    "encoded slash": "/..%2fsecret.txt",
    "encoded twice": "/%252e%252e/secret.txt",
    "path of the computer": "//etc/passwd",
    "encoded path of the computer": "/%2fetc%2fpasswd",
    "backslashes": "/..\\secret.txt",
    "folder with the same beginning": "/../site-too/index.html",
    "link to a file outside": "/file.html",
    "link to a folder outside": "/folder/index.html",
    "link to a folder outside, its index": "/folder/",
    "index that is a link outside": "/linked/",
    "link to itself": "/loop",
    "folder without an index": "/empty/",
    "pipe": "/pipe",
    "zero": "/%00",
    "name that is too long": "/" + 300 * "a",
    "bytes that are no text": "/%ff",
}


def test_nothing_else_is_given_out(site: Site) -> None:
    assert [name for name, address in REFUSED.items() if site.file(ORIGIN + address) is not None] == []


@pytest.mark.parametrize(
    "address",
    ["http://example.org/page.html", "https://pages.invalid/page.html", "http://pages.invalid.net/page.html",
     "http://pages.invalid:81/page.html", "file:///page.html", "data:text/html,x"],
)  # fmt: skip
def test_only_addresses_of_ours_are_files(site: Site, address: str) -> None:
    assert site.file(address) is None


def test_an_address_has_no_files() -> None:
    assert open_site("https://example.org/", []).file(f"{ORIGIN}/etc/passwd") is None


# Opening again


def header(**extra: Any) -> DatasetHeader:
    known = {"format": 1, "kind": "screen", "name": "n", "licence": "l", "provenance": "p", "synthetic": False}
    return DatasetHeader.model_validate(known | extra)


def test_a_dataset_knows_where_its_pages_were(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "site", "")
    site = reopen_site(header(capture={"source": str(folder)}), tmp_path, None, ["https://cdn.example.org"])
    assert site == open_site(str(folder), ["https://cdn.example.org"])


def test_pages_may_be_elsewhere(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "moved", "")
    assert reopen_site(header(capture={"source": "gone"}), tmp_path, str(folder), []).folder == folder


def test_pages_that_are_gone(tmp_path: Path) -> None:
    with raises(UserError, tmp_path / "gone", "--source"):
        reopen_site(header(capture={"source": str(tmp_path / "gone")}), tmp_path, None, [])


@pytest.mark.parametrize("extra", [{}, {"capture": "x"}, {"capture": {}}, {"capture": {"source": 7}}])
def test_a_dataset_that_was_not_captured(tmp_path: Path, extra: dict[str, Any]) -> None:
    with raises(UserError, tmp_path, "affordance capture page"):
        reopen_site(header(**extra), tmp_path, None, [])


# Options

READ: dict[str, tuple[Callable[[str], object], str, object]] = {
    "size": (read_size, "1280x800", (1280, 800)),
    "smallest size": (read_size, "100x100", (100, 100)),
    "theme": (read_theme, "dark", Theme.DARK),
    "no variations": (read_variations, "", []),
    "variations": (read_variations, "zoom, theme,zoom,", [Variation.ZOOM, Variation.THEME]),
    "all variations": (read_variations, "all", list(Variation)),
    "action": (read_action, "click", Action.CLICK),
    "action with a space": (read_action, "long press", Action.LONG_PRESS),
    "action with a dash": (read_action, "Double-Click", Action.DOUBLE_CLICK),
    "action with an underscore": (read_action, "right_click", Action.RIGHT_CLICK),
}


def test_options_that_are_understood() -> None:
    for name, (read, text, expected) in READ.items():
        assert read(text) == expected, name


WIDE = f"{5000 * '9'}x800"
# Options with the data that the error has: what was found, and what is possible.
NOT_READ: dict[str, tuple[Callable[[str], object], str, tuple[str, ...]]] = {
    "empty size": (read_size, "", ("''", "100", "4096")),
    "size in words": (read_size, "large", ("'large'",)),
    "size of one number": (read_size, "1280", ("'1280'",)),
    "size below": (read_size, "99x800", ("'99x800'",)),
    "size above": (read_size, "1280x4097", ("'1280x4097'",)),
    "size with a sign": (read_size, "-100x800", ("'-100x800'",)),
    "size with fractions": (read_size, "100.5x800", ("'100.5x800'",)),
    "size that is a novel": (read_size, WIDE, ("100", "4096")),
    "theme": (read_theme, "drak", ("'drak'", "'dark'")),
    "theme from elsewhere": (read_theme, "sepia", ("'sepia'", "dark, light")),
    "variation": (read_variations, "theme,zom", ("'zom'", "'zoom'")),
    "all and others": (read_variations, "all,zoom", ("'all'",)),
    "action": (read_action, "clik", ("'clik'", "'click'")),
    "empty action": (read_action, "", ("''", "click, double click")),
}


def test_options_that_are_not() -> None:
    for read, text, data in NOT_READ.values():
        with raises(UserError, *data):
            read(text)
