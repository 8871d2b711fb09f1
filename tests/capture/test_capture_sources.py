"""What is captured and what its pages may reach; and what is said about options that make no sense."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pages import write_pages

from affordance.capture.actions import read_action
from affordance.capture.looks import Theme, Variation, read_size, read_theme, read_variations
from affordance.capture.sources import ORIGIN, Site, open_site, reopen_site
from affordance.core.errors import UserError
from affordance.datasets import Header
from affordance.datasets.actions import Action


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
    with pytest.raises(UserError, match=r"nowhere: expected an address, an HTML file or a folder, found nothing there"):
        open_site(str(tmp_path / "nowhere"), [])


def test_a_folder_without_pages(tmp_path: Path) -> None:
    (tmp_path / "style.css").write_text("")
    with pytest.raises(UserError, match="expected HTML files somewhere in this folder, found none"):
        open_site(str(tmp_path), [])


@pytest.mark.parametrize(("file", "found"), [("page.pdf", r"\.pdf"), ("page", "no suffix")])
def test_a_file_that_is_no_page(tmp_path: Path, file: str, found: str) -> None:
    (tmp_path / file).write_text("")
    with pytest.raises(UserError, match=rf"expected an HTML file .*found {found}"):
        open_site(str(tmp_path / file), [])


@pytest.mark.parametrize("given", ["https://", "http:///path", "http://[::1"])
def test_an_address_without_a_host(given: str) -> None:
    with pytest.raises(UserError, match=r"expected an address such as https://example\.org/page, found"):
        open_site(given, [])


@pytest.mark.parametrize(
    "given", ["example.org", "ftp://example.org", "https://", "https://example.org/path", "*", "", "http://[::1"]
)
def test_what_cannot_be_allowed(tmp_path: Path, given: str) -> None:
    write_pages(tmp_path, "")
    with pytest.raises(UserError, match=r"--allow expects an origin such as https://cdn\.example\.org, found"):
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


@pytest.mark.parametrize(("address", "file"), GIVEN_OUT.values(), ids=GIVEN_OUT.keys())
def test_files_of_the_folder_are_given_out(site: Site, address: str, file: str) -> None:
    assert site.folder is not None
    assert site.file(ORIGIN + address) == site.folder / file


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


@pytest.mark.parametrize("address", REFUSED.values(), ids=REFUSED.keys())
def test_nothing_else_is_given_out(site: Site, address: str) -> None:
    assert site.file(ORIGIN + address) is None


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


def header(**extra: Any) -> Header:
    told = {"format": 1, "kind": "screen", "name": "n", "licence": "l", "provenance": "p", "synthetic": False}
    return Header.model_validate(told | extra)


def test_a_dataset_knows_where_its_pages_were(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "site", "")
    site = reopen_site(header(capture={"source": str(folder)}), tmp_path, None, ["https://cdn.example.org"])
    assert site == open_site(str(folder), ["https://cdn.example.org"])


def test_pages_can_be_said_to_be_elsewhere(tmp_path: Path) -> None:
    folder = write_pages(tmp_path / "moved", "")
    assert reopen_site(header(capture={"source": "gone"}), tmp_path, str(folder), []).folder == folder


def test_pages_that_are_gone(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"the pages of .* are not where they were: .*gone.*; give --source"):
        reopen_site(header(capture={"source": str(tmp_path / "gone")}), tmp_path, None, [])


@pytest.mark.parametrize("extra", [{}, {"capture": "x"}, {"capture": {}}, {"capture": {"source": 7}}])
def test_a_dataset_that_was_not_captured(tmp_path: Path, extra: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="expected a dataset from `affordance capture page`"):
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


@pytest.mark.parametrize(("read", "text", "expected"), READ.values(), ids=READ.keys())
def test_options_that_are_understood(read: Callable[[str], object], text: str, expected: object) -> None:
    assert read(text) == expected


SIZE = "expected a size as WIDTHxHEIGHT, each from 100 to 4096, found"
NOT_READ: dict[str, tuple[Callable[[str], object], str, str]] = {
    "empty size": (read_size, "", f"{SIZE} ''"),
    "size in words": (read_size, "large", f"{SIZE} 'large'"),
    "size of one number": (read_size, "1280", f"{SIZE} '1280'"),
    "size below": (read_size, "99x800", f"{SIZE} '99x800'"),
    "size above": (read_size, "1280x4097", f"{SIZE} '1280x4097'"),
    "size with a sign": (read_size, "-100x800", f"{SIZE} '-100x800'"),
    "size with fractions": (read_size, "100.5x800", f"{SIZE} '100.5x800'"),
    "size that is a novel": (read_size, f"{5000 * '9'}x800", SIZE),
    "theme": (read_theme, "drak", "unknown theme 'drak'; did you mean 'dark'?"),
    "theme from elsewhere": (read_theme, "sepia", "unknown theme 'sepia'; known: dark, light"),
    "variation": (read_variations, "theme,zom", "unknown variation 'zom'; did you mean 'zoom'?"),
    "all and others": (read_variations, "all,zoom", "unknown variation 'all'"),
    "action": (read_action, "clik", "unknown action 'clik'; did you mean 'click'?"),
    "empty action": (read_action, "", "unknown action ''; known: click, double click"),
}


@pytest.mark.parametrize(("read", "text", "expected"), NOT_READ.values(), ids=NOT_READ.keys())
def test_options_that_are_not(read: Callable[[str], object], text: str, expected: str) -> None:
    with pytest.raises(UserError) as told:
        read(text)
    assert str(told.value).startswith(expected)
    assert "\n" not in str(told.value)
