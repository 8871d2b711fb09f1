"""Fetching pictures: politely, once, and with an honest report of what could not be had."""

import json
import struct
import time
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pair_files as files
from aiohttp import web
from picture_server import PictureServer, Respond, fails, hangs, moves, sends

from affordance.core.errors import UserError
from affordance.datasets import load_dataset
from affordance.datasets.image_downloader import USER_AGENT, DownloadPolicy
from affordance.datasets.published.wiserui_images import DownloadReport, DownloadStatus, fetch_wiserui_images
from cases import case, folder_names
from errors import assert_carries, raises
from patience import PATIENCE

HASTY = DownloadPolicy(timeout=PATIENCE, pause=0, max_attempts=3, backoff=0.01, max_wait=5, max_bytes=100_000)
A, B = files.encoded(files.screen(1)), files.encoded(files.screen(2))
JPEG = files.encoded(files.screen(3), ".jpg")


def rows(server: PictureServer, *pairs: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        files.row(index, win_url=server.url + win, lose_url=server.url + lose)
        for index, (win, lose) in enumerate(pairs)
    ]


def table(folder: Path, found: list[dict[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "given.json"
    path.write_text(json.dumps(found))
    return path


def outcomes(found: DownloadReport) -> list[str]:
    return [one.outcome for one in found.records]


def test_pictures_come_into_the_published_layout(tmp_path: Path) -> None:
    with PictureServer({"/gcp/a.png": sends(A), "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/gcp/tr:h-0.5,w-0.5/a.png", "/b.png")))
        found = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
    assert found.complete
    assert outcomes(found) == ["fetched", "fetched"]
    assert (tmp_path / "set" / "images" / "0" / "win.png").read_bytes() == A
    dataset = load_dataset(f"wiserui:{tmp_path / 'set'}")
    assert dataset.missing_media == frozenset()


def test_what_is_there_is_never_fetched_again(tmp_path: Path) -> None:
    with PictureServer({"/a.png": sends(A), "/b.png": fails(403, 1, sends(B))}) as server:
        given = table(tmp_path, rows(server, ("/a.png", "/b.png")))
        first = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        assert (outcomes(first), first.complete) == (["fetched", "failed"], False)
        second = fetch_wiserui_images(tmp_path / "set", policy=HASTY)
        assert (outcomes(second), second.complete) == (["kept", "fetched"], True)
        assert outcomes(fetch_wiserui_images(tmp_path / "set", policy=HASTY)) == ["kept", "kept"]
        assert server.counts == {"/a.png": 1, "/b.png": 2}


def test_a_file_that_is_no_longer_what_was_fetched_is_put_aside_and_fetched(tmp_path: Path) -> None:
    with PictureServer({"/a.png": sends(A), "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.png", "/b.png")))
        fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        image = tmp_path / "set" / "images" / "0" / "win.png"
        image.write_bytes(B)
        assert outcomes(fetch_wiserui_images(tmp_path / "set", policy=HASTY)) == ["fetched", "kept"]
    assert image.read_bytes() == A
    assert image.with_name("win.png.before").read_bytes() == B


def test_a_file_of_somebody_else_stays(tmp_path: Path) -> None:
    files.write_pair(tmp_path / "set", 0, b"mine", b"mine too")
    with PictureServer({}) as server:
        found = fetch_wiserui_images(
            tmp_path / "set", table(tmp_path, rows(server, ("/a.png", "/b.png"))), policy=HASTY
        )
        assert server.seen == []
    assert outcomes(found) == ["kept", "kept"]
    assert (tmp_path / "set" / "images" / "0" / "win.png").read_bytes() == b"mine"


def test_a_jpeg_is_kept_as_it_came_and_becomes_a_png(tmp_path: Path) -> None:
    with PictureServer({"/a.jpg": sends(JPEG, "image/jpeg"), "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.jpg", "/b.png")))
        found = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        fetch_wiserui_images(tmp_path / "set", policy=HASTY)
        assert server.counts["/a.jpg"] == 1
    assert found.records[0].original == "originals/0/win.jpg"
    assert (tmp_path / "set" / "originals" / "0" / "win.jpg").read_bytes() == JPEG
    assert (tmp_path / "set" / "images" / "0" / "win.png").read_bytes().startswith(b"\x89PNG")


def test_a_url_of_several_pairs_is_asked_for_once(tmp_path: Path) -> None:
    with PictureServer({"/a.png": sends(A), "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.png", "/a.png"), ("/b.png", "/a.png")))
        assert fetch_wiserui_images(tmp_path / "set", given, policy=HASTY).count(DownloadStatus.FETCHED) == 4
        assert server.counts == {"/a.png": 1, "/b.png": 1}


def test_what_has_no_picture_is_told_and_is_not_incomplete(tmp_path: Path) -> None:
    with PictureServer({"/b.png": sends(B)}) as server:
        (row,) = rows(server, ("/page/", "/b.png"))
        given = table(tmp_path, [row | {"source": row["win_url"]}, files.row(1, win_url=None, lose_url="")])
        found = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
    assert found.complete
    assert outcomes(found) == ["not there", "fetched", "not there", "not there"]
    page, none = [one.reason for one in found.records][::2]
    assert page
    assert none
    assert page != none


PATIENT: dict[str, tuple[Respond, str, int]] = {
    "once too many": (fails(429, 1, sends(A), Retry_After="0"), "fetched", 2),
    "a moment": (fails(503, 2, sends(A)), "fetched", 3),
    "for good": (fails(500, 9, sends(A)), "failed", 3),
    "not there": (fails(404, 9, sends(A)), "not there", 1),
    "not there any more": (fails(410, 9, sends(A)), "not there", 1),
    "not for us": (fails(403, 9, sends(A)), "failed", 1),
    "a redirect to nowhere": (fails(302, 9, sends(A)), "failed", 1),
    "a redirect to what cannot be asked": (moves("ftp://127.0.0.1/a.png"), "failed", 1),
    "a redirect to what is no URL": (moves("http://["), "failed", 1),
    "a redirect to itself": (moves("/a.png"), "failed", 6),
    "a redirect to a picture": (moves("b.png"), "fetched", 1),
    "a redirect to what is not there": (moves("/x.png"), "not there", 1),
    "a redirect to a page": (moves("/page"), "failed", 1),
    "come back tomorrow": (fails(429, 9, sends(A), Retry_After="86400"), "failed", 1),
    "a page": (sends(b"<html>", "text/html"), "failed", 1),
    "a page called a picture": (sends(b"<html>", "image/png"), "failed", 1),
    "half a picture": (sends(A[:20]), "failed", 1),
    "too large": (sends(b"\x89PNG" + bytes(200_000)), "failed", 1),
    "nothing": (sends(b""), "failed", 1),
}


def test_what_servers_may_answer(tmp_path: Path) -> None:
    for folder, name, (respond, outcome, requests) in folder_names(PATIENT):
        paths = {"/a.png": respond, "/b.png": sends(B), "/page": sends(b"<html>", "text/html")}
        with case(name):
            with PictureServer(paths) as server:
                given = table(tmp_path, rows(server, ("/a.png", "/b.png")))
                found = fetch_wiserui_images(tmp_path / folder, given, policy=HASTY)
                assert server.counts["/a.png"] == requests
            assert outcomes(found) == [outcome, "fetched"]
            assert (found.records[0].reason is None) == (outcome == "fetched")
            assert not list((tmp_path / folder).rglob("tmp*"))


def test_what_a_server_does_not_have_is_told_and_not_asked_for_again(tmp_path: Path) -> None:
    with PictureServer({"/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.png", "/b.png")))
        first = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        second = fetch_wiserui_images(tmp_path / "set", policy=HASTY)
        assert server.counts == {"/a.png": 1, "/b.png": 1}
        for found in (first, second):
            assert (found.complete, outcomes(found)[0]) == (True, "not there")
            assert (found.records[0].status, "404" in (found.records[0].reason or "")) == (404, True)
        (tmp_path / "set" / "fetch.json").unlink()
        fetch_wiserui_images(tmp_path / "set", policy=HASTY)
        assert server.counts == {"/a.png": 2, "/b.png": 1}


def test_a_redirect_is_a_request_to_its_own_host(tmp_path: Path) -> None:
    """Two hosts that send to each other, four pictures at once: each is asked one thing at a time, with pauses."""
    pause = 0.05
    with PictureServer({}) as one, PictureServer({}) as other:
        for number in range(2):
            for here, there in ((one, other), (other, one)):
                here.paths[f"/{number}.png"] = moves(f"{there.url}/at/{number}.png")
                here.paths[f"/at/{number}.png"] = sends(A)
        given = [
            files.row(n, win_url=f"{one.url}/{n}.png", lose_url=f"{other.url.upper().replace('HTTP', 'http')}/{n}.png")
            for n in range(2)
        ]
        found = fetch_wiserui_images(
            tmp_path / "set", table(tmp_path, given), policy=DownloadPolicy(timeout=PATIENCE, pause=pause)
        )
        assert outcomes(found) == ["fetched"] * 4
        for server in (one, other):
            assert (len(server.seen), server.most_at_once) == (4, 1)
            assert min(after - before for before, after in pairwise(server.times)) >= 0.9 * pause


def test_a_server_that_hangs(tmp_path: Path) -> None:
    with PictureServer({"/a.png": hangs()}) as server:
        row = files.row(0, win_url=server.url + "/a.png", lose_url=None)
        quick = DownloadPolicy(timeout=0.2, pause=0, max_attempts=2, backoff=0.01)
        found = fetch_wiserui_images(tmp_path / "set", table(tmp_path, [row]), policy=quick)
    assert "0.2 s" in (found.records[0].reason or "")
    assert found.records[0].status is None


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """After three pictures it is given up: of the others nobody asks."""
    dead = [files.row(n, win_url=f"http://127.0.0.1:9/{n}", lose_url=f"http://127.0.0.1:9/x{n}") for n in range(3)]
    found = fetch_wiserui_images(tmp_path / "set", table(tmp_path, dead), policy=HASTY)
    assert [(one.outcome, one.status) for one in found.records] == [("failed", None)] * 6
    reasons = [(one.reason or "")[:9] for one in found.records]
    assert reasons[0]
    assert reasons == [reasons[0]] * 3 + [reasons[3]] * 3
    assert reasons[0] != reasons[3]


def test_urls_that_nobody_can_ask(tmp_path: Path) -> None:
    urls = ["ftp://x/a.png", "file:///a.png", "a.png", "http://[", "http://"]
    rows = [files.row(number, win_url=url, lose_url=None) for number, url in enumerate(urls)]
    found = fetch_wiserui_images(tmp_path / "set", table(tmp_path, rows), policy=HASTY)
    assert {one.outcome for one in found.records[1::2]} == {"not there"}
    for one in found.records[::2]:
        assert_carries(one.reason or "", "http://", "https://")


def test_one_request_at_a_time_with_pauses_a_referer_and_a_name(tmp_path: Path) -> None:
    names = [f"/{number}.png" for number in range(4)]
    with PictureServer({name: sends(A) for name in names}) as server:
        given = table(tmp_path, rows(server, (names[0], names[1]), (names[2], names[3])))
        began = time.monotonic()
        slow = DownloadPolicy(timeout=PATIENCE, pause=0.1)
        fetch_wiserui_images(tmp_path / "set", given, policy=slow, referers={"127.0.0.1": "https://example.org/"})
        assert time.monotonic() - began >= 0.3
        assert server.most_at_once == 1
        assert {headers["Referer"] for _, headers in server.seen} == {"https://example.org/"}
        assert all(headers["User-Agent"] == USER_AGENT for _, headers in server.seen)


def test_a_refusal_names_the_option_for_another_user_agent(tmp_path: Path) -> None:
    sends_a = sends(A)

    async def respond(request: web.Request, number: int) -> web.StreamResponse:
        refused = "affordance" in request.headers["User-Agent"]
        return web.Response(status=403) if refused else await sends_a(request, number)

    with PictureServer({"/a.png": respond, "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.png", "/b.png")))
        first = fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        assert_carries(first.records[0].reason or "", "403", "--user-agent")
        second = fetch_wiserui_images(tmp_path / "set", policy=HASTY, user_agent="browser")
        assert outcomes(second) == ["fetched", "kept"]


def test_an_edited_image_is_put_aside_when_its_original_is_fetched_again(tmp_path: Path) -> None:
    with PictureServer({"/a.jpg": sends(JPEG, "image/jpeg"), "/b.png": sends(B)}) as server:
        given = table(tmp_path, rows(server, ("/a.jpg", "/b.png")))
        fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
        image, original = tmp_path / "set" / "images/0/win.png", tmp_path / "set" / "originals/0/win.jpg"
        fetched = image.read_bytes()
        for edited in (A, B):
            original.unlink()
            image.write_bytes(edited)
            fetch_wiserui_images(tmp_path / "set", policy=HASTY)
            assert image.read_bytes() == fetched
        original.unlink()
        fetch_wiserui_images(tmp_path / "set", policy=HASTY)
    kept = sorted(file for file in image.parent.iterdir() if ".before" in file.name)
    assert [file.read_bytes() for file in kept] == [A, B]


def test_an_image_of_too_many_pixels_is_a_failed_download(tmp_path: Path) -> None:
    header = b"IHDR" + struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    huge = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    with PictureServer({"/a.png": sends(huge + bytes(4) + b"IDAT" + bytes(4)), "/b.png": sends(B)}) as server:
        found = fetch_wiserui_images(
            tmp_path / "set", table(tmp_path, rows(server, ("/a.png", "/b.png"))), policy=HASTY
        )
    assert outcomes(found) == ["failed", "fetched"]


def test_the_report_has_no_secrets_and_all_that_was_tried(tmp_path: Path) -> None:
    with PictureServer({"/a.png": sends(A)}) as server:
        given = table(tmp_path, rows(server, ("/a.png?token=hush", "/b.png")))
        fetch_wiserui_images(tmp_path / "set", given, policy=HASTY)
    text = (tmp_path / "set" / "fetch.json").read_text()
    assert "hush" not in text
    report = json.loads(text)
    assert report["counts"] == {"fetched": 1, "kept": 0, "not there": 1, "failed": 0}
    got, failed = report["pictures"]
    assert (got["status"], got["bytes"], len(got["sha256"])) == (200, len(A), 64)
    assert failed["status"] == 404
    assert_carries(failed["reason"], "404")


def test_tables_and_reports_that_cannot_be_used(tmp_path: Path) -> None:
    with raises(UserError, "--json-file"):
        fetch_wiserui_images(tmp_path / "set")
    with raises(UserError, tmp_path / "nowhere.json"):
        fetch_wiserui_images(tmp_path / "set", tmp_path / "nowhere.json")
    for wrong in ("no JSON", "{}", '[{"index": "zero"}]'):
        (tmp_path / "wrong.txt").write_text(wrong)
        with raises(UserError, tmp_path / "wrong.txt"):
            fetch_wiserui_images(tmp_path / "set", tmp_path / "wrong.txt")
        assert not (tmp_path / "set").exists()
    fetch_wiserui_images(tmp_path / "set", table(tmp_path, [files.row(0, win_url=None, lose_url=None)]))
    with raises(UserError, tmp_path / "set"):
        fetch_wiserui_images(tmp_path / "set", table(tmp_path, [files.row(1)]))
    (tmp_path / "set" / "fetch.json").write_text("[]")
    with raises(UserError, tmp_path / "set" / "fetch.json"):
        fetch_wiserui_images(tmp_path / "set")
