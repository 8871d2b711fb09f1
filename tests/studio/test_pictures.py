"""Screenshots and thumbnails: only those of the project, only as they were added, and never by a path."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from affordance.author.project import Project, create_project, open_project
from affordance.author.records import Kind, Shot
from affordance.author.state import Change
from affordance.core.digest import digest_bytes
from affordance.media import decode_image, encode_image
from affordance.studio.originals import NoPicture
from affordance.studio.pictures import Pictures
from errors import assert_carries, raises
from studio_world import Server, make_project, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("pictures") / "shop", screens=3)) as found:
        yield found


def digest_of(server: Server, number: int = 1) -> str:
    return digest_bytes((server.project / "media" / f"screen-{number}.png").read_bytes())


def test_a_picture_is_as_it_was_added_and_kept_for_ever(server: Server) -> None:
    digest = digest_of(server)
    found = server.get(f"/pictures/{digest}")
    assert (found.status, found.headers["content-type"]) == (200, "image/png")
    assert found.body == (server.project / "media" / "screen-1.png").read_bytes()
    assert found.headers["cache-control"] == "private, max-age=31536000, immutable"
    tag = found.headers["etag"]
    known = server.get(f"/pictures/{digest}", {"If-None-Match": tag})
    assert (known.status, known.body, known.headers["etag"]) == (304, b"", tag)
    head = server.send("HEAD", f"/pictures/{digest}")
    assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(found.body)))


def test_a_thumbnail_is_small_and_of_the_same_picture(server: Server) -> None:
    found = server.get(f"/thumbnails/{digest_of(server)}")
    assert (found.status, found.headers["content-type"]) == (200, "image/webp")
    assert found.headers["cache-control"].endswith("immutable")
    small = decode_image(found.body)
    assert small.shape == (100, 160, 3)
    whole = decode_image((server.project / "media" / "screen-1.png").read_bytes())
    assert abs(float(small.mean()) - float(whole.mean())) < 3
    assert server.get(f"/thumbnails/{digest_of(server)}", {"If-None-Match": found.headers["etag"]}).status == 304


WRONG = {
    "another content": "0" * 32,
    "a name": "screen-1",
    "a path": "..%2f..%2fproject.db",
    "a path of dots": "%2e%2e/%2e%2e/project.json",
    "an absolute path": "%2fetc%2fpasswd",
    "a long one": "a" * 5000,
    "capitals": "ABCDEF0123456789",
}


def test_nothing_else_is_served(server: Server) -> None:
    for case, digest in WRONG.items():
        for route in ("pictures", "thumbnails"):
            found = server.get(f"/{route}/{digest}")
            assert found.status in (400, 404, 422), case
            assert b"project.db" not in found.body
            assert str(server.project).encode() not in found.body


def test_a_file_that_is_lost_or_changed_is_gone(server: Server) -> None:
    path = server.project / "media" / "screen-3.png"
    before, digest = path.read_bytes(), digest_of(server, 3)
    path.write_bytes(before + b"more")
    for route in ("pictures", "thumbnails"):
        found = server.get(f"/{route}/{digest}", {"Accept": "application/json"})
        assert found.status == 410
        changed = found.json["detail"]
        assert_carries(changed)
    path.unlink()
    found = server.get(f"/pictures/{digest}", {"Accept": "application/json"})
    assert (found.status, found.json["detail"] != changed) == (410, True)
    assert str(server.project).encode() not in found.body
    path.write_bytes(before)
    assert server.get(f"/pictures/{digest}").status == 200


def test_a_screen_that_another_process_adds_is_served(server: Server) -> None:
    data = encode_image(np.full((40, 50, 3), 90, np.uint8))
    with open_project(server.project) as project:
        (server.project / "media" / "late.png").write_bytes(data)
        shot = Shot(image="media/late.png", digest=digest_bytes(data), width=50, height=40)
        project.write("late", [Change(Kind.SCREEN, "late", shot)], "init")
    assert server.get(f"/pictures/{digest_bytes(data)}").body == data


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    create_project(tmp_path / "project")
    with open_project(tmp_path / "project") as opened:
        yield opened


def put(project: Project, name: str, data: bytes, image: str = "") -> Shot:
    """A screen of any file, as no command of ours would add it."""
    shot = Shot(image=image or f"media/{name}", digest=digest_bytes(data), width=64, height=48)
    (project.folder / shot.image).parent.mkdir(exist_ok=True)
    (project.folder / shot.image).write_bytes(data)
    project.write(name, [Change(Kind.SCREEN, name, shot)], "init")
    return shot


def drawn(shade: int = 100, size: tuple[int, int] = (48, 64)) -> bytes:
    return encode_image(np.full((*size, 3), shade, np.uint8))


def test_what_leads_out_of_the_project_is_not_read(project: Project, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(drawn())
    (project.folder / "media" / "link.png").symlink_to(tmp_path / "secret.png")
    linked = Shot(image="media/link.png", digest=digest_bytes(drawn()), width=64, height=48)
    beside = put(project, "beside", drawn(7), image="elsewhere/beside.png")
    pictures = Pictures(project, tmp_path / "cache")
    for shot in (linked, beside):
        for read in (pictures.pixels, pictures.thumbnail):
            with raises(NoPicture) as caught:
                read(shot)
            assert caught.value.status == 404
    pictures.close()


def test_decoded_pictures_are_bounded_and_decoded_once(project: Project, tmp_path: Path) -> None:
    one = 48 * 64 * 3
    shots = [put(project, f"s{number}.png", drawn(number)) for number in range(6)]
    pictures = Pictures(project, tmp_path / "cache", decoded_bytes=3 * one)
    first = pictures.pixels(shots[0])
    assert pictures.pixels(shots[0]) is first
    for shot in shots:
        pictures.pixels(shot)
    assert pictures.pixels(shots[5]) is pictures.pixels(shots[5])
    assert pictures.pixels(shots[0]) is not first  # the oldest had to go
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: pictures.pixels(shots[3]), range(32)))
    assert len({id(pixels) for pixels in found}) == 1
    pictures.close()


def test_what_is_no_picture_is_refused_each_time(project: Project, tmp_path: Path) -> None:
    shot = put(project, "broken.png", b"no picture")
    pictures = Pictures(project, tmp_path / "cache")
    pictures.warm(shot)
    for _ in range(2):
        for read in (pictures.pixels, pictures.thumbnail):
            with raises(NoPicture) as caught:
                read(shot)
            assert caught.value.status == 410
    pictures.close()
