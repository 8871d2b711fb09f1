"""Screens that people add: re-encoded, bounded, named by us, and one clear line for everything else."""

import struct
import zlib
from collections.abc import Iterator
from urllib.parse import urlencode

import cv2
import numpy as np
import pytest

from affordance.author.project import open_project
from affordance.author.records import Kind
from affordance.core.media_spec import ImageEncoding, ImageFormat
from affordance.media import decode_image, encode_image
from errors import assert_carries
from studio_world import Answer, Server, make_project, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("uploads") / "shop", screens=1), "--as", "ada") as found:
        yield found


def upload(server: Server, data: bytes, name: str = "shot.png", kind: str = "image/png") -> Answer:
    path = f"/api/uploads?{urlencode({'name': name})}"
    return server.send("POST", path, data, {"Content-Type": kind, **server.page()})


def pixels(seed: int, size: tuple[int, int] = (120, 160)) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Large patches: two of other seeds are not nearly equal."""
    patches = np.random.default_rng(seed).integers(0, 255, (6, 8, 3), np.uint8)
    return np.asarray(cv2.resize(patches, (size[1], size[0]), interpolation=cv2.INTER_NEAREST), np.uint8)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_chunk(png: bytes, kind: bytes, body: bytes) -> bytes:
    """After the header."""
    return png[:33] + chunk(kind, body) + png[33:]


def announcing(width: int, height: int) -> bytes:
    """A small PNG that says it is large."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 10_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


KINDS = {
    "png": (ImageEncoding(), "image/png"),
    "jpeg": (ImageEncoding(ImageFormat.JPEG), "image/jpeg"),
    "webp": (ImageEncoding(ImageFormat.WEBP), "image/webp"),
    "lossless webp": (ImageEncoding(ImageFormat.WEBP, 101), "image/webp"),
}


def test_a_screenshot_becomes_a_screen(server: Server) -> None:
    for seed, (how, kind) in enumerate(KINDS.values()):
        _upload_one(server, seed, how, kind)


def _upload_one(server: Server, seed: int, how: ImageEncoding, kind: str) -> None:
    data = encode_image(pixels(seed), how)
    found = upload(server, data, f"some folder/New Screen {seed}.img", kind)
    assert found.status == 200
    assert found.json["added"] == [f"New-Screen-{seed}"]
    with open_project(server.project, read_only=True) as project:
        shot = project.shots()[f"New-Screen-{seed}"]
        (kept,) = project.ledger.documents.latest(kind=Kind.SCREEN, subject=f"New-Screen-{seed}")
    assert (shot.width, shot.height, shot.image) == (160, 120, f"media/New-Screen-{seed}.png")
    assert kept.author == "person:ada"
    stored = (server.project / shot.image).read_bytes()
    assert np.array_equal(decode_image(stored), decode_image(data))
    assert server.get(f"/pictures/{shot.digest}").body == stored
    assert any(row["id"] == f"New-Screen-{seed}" for row in server.get("/api/screens").json["screens"])


def test_nothing_but_pixels_is_kept(server: Server) -> None:
    secret = b"GPS 52.5200 13.4050 <script>alert(1)</script>"
    data = with_chunk(encode_image(pixels(11)), b"tEXt", b"Comment\0" + secret) + b"<html>" + secret
    found = upload(server, data, "polyglot.html.png")
    assert found.status == 200
    (name,) = found.json["added"]
    stored = (server.project / "media" / f"{name}.png").read_bytes()
    assert secret not in stored
    assert b"tEXt" not in stored
    assert np.array_equal(decode_image(stored), pixels(11))


def test_a_picture_is_known_by_its_content_and_a_name_is_taken_once(server: Server) -> None:
    first = upload(server, encode_image(pixels(21)), "same.png").json
    again = upload(server, encode_image(pixels(21)), "other.png").json
    other = upload(server, encode_image(pixels(22)), "SAME.png").json
    assert (first["added"], again["added"], again["known"]) == (["same"], [], 1)
    assert other["added"][0].startswith("SAME-")
    nearly = pixels(21)
    nearly[0, 0] = 255 - nearly[0, 0]
    copy = upload(server, encode_image(nearly), "copy.png").json
    assert copy["copies"] == {"copy": "same"}


NAMES = {
    "a path": ("../../../../etc/passwd.png", "passwd"),
    "backslashes": ("..\\..\\boot.png", "boot"),
    "only dots": ("....png", "screen"),
    "markup": ("<img src=x onerror=alert(1)>.png", "img-src-x-onerror-alert-1"),
    "other letters": ("Übersicht über 設定.png", "Übersicht-über-設定"),
    "a long one": ("x" * 390 + ".png", "x" * 80),
}


def test_a_name_is_a_wish(server: Server) -> None:
    for name, expected in NAMES.values():
        found = upload(server, encode_image(pixels(100 + len(name))), name)
        assert (found.status, found.json["added"]) == (200, [expected])
        assert (server.project / "media" / f"{expected}.png").is_file()


PNG = encode_image(pixels(31))
WRONG = {
    "nothing": (b"", "image/png", 422),
    "no picture": (b"hello, this is text", "image/png", 422),
    "html": (b"<!doctype html><script>alert(1)</script>", "image/png", 422),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', "image/png", 422),
    "svg as such": (b"<svg/>", "image/svg+xml", 415),
    "a form": (b"a=b", "application/x-www-form-urlencoded", 415),
    "no type": (PNG, "", 415),
    "cut short": (PNG[: len(PNG) // 2], "image/png", 422),
    "a header alone": (PNG[:33], "image/png", 422),
    "a gif": (b"GIF89a" + b"\0" * 50, "image/png", 422),
    "a video": (b"\0\0\0\x18ftypmp42" + b"\0" * 50, "image/png", 422),
    "a bitmap": (cv2.imencode(".bmp", pixels(1))[1].tobytes(), "image/png", 422),
    "a bomb": (announcing(60_000, 60_000), "image/png", 422),
    "a flat bomb": (announcing(2**31 - 1, 31), "image/png", 422),
    "one pixel": (encode_image(pixels(1, (1, 1))), "image/png", 422),
    "a jpeg bomb": (b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff\x03" + b"\0" * 60, "image/jpeg", 422),
    "a webp bomb": (
        b"RIFF\x40\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff" + b"\0" * 40,
        "image/webp",
        422,
    ),
    "a broken webp": (b"RIFF\x10\0\0\0WEBPVP8 " + b"\0" * 8, "image/webp", 422),
}


def test_what_is_no_screenshot_is_refused_in_one_line(server: Server) -> None:
    before = sorted(path.name for path in (server.project / "media").iterdir())
    for case, (data, kind, status) in WRONG.items():
        found = upload(server, data, "wrong.png", kind)
        assert found.status == status, case
        assert_carries(found.json["detail"])
        assert str(server.project) not in found.json["detail"]
        assert sorted(path.name for path in (server.project / "media").iterdir()) == before, case


def test_what_is_too_large_is_refused_before_it_is_read(server: Server) -> None:
    headers = {"Content-Type": "image/png", "Content-Length": str(65_000_000), **server.page()}
    assert server.send("POST", "/api/uploads?name=large.png", b"", headers).status == 413


def test_without_a_name_or_a_token_nothing_is_added(server: Server) -> None:
    headers = {"Content-Type": "image/png", **server.page()}
    assert server.send("POST", "/api/uploads", PNG, headers).status == 422
    assert server.send("POST", "/api/uploads?name=x.png", PNG, {"Content-Type": "image/png"}).status == 403
