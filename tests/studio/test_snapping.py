"""Where boxes snap to, as the server answers it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from errors import assert_carries
from studio_world import Server, make_project, serving, tree


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("snapping") / "shop", screens=2)) as found:
        yield found


def test_the_corners_of_drawn_regions_are_found(server: Server) -> None:
    drawn = [node.box for node in tree(12) if node.leaf]
    for x1, y1, x2, y2 in drawn:
        for x, y in ((x1, y1), (x2, y2)):
            found = server.get("/api/snap", screen="screen-1", x=x + 0.9, y=y - 0.9, radius=8).json
            assert abs(found["x"] - x) <= 1
            assert abs(found["y"] - y) <= 1
            assert max(abs(found["corner"][0] - x), abs(found["corner"][1] - y)) <= 1


def test_lines_have_their_axis_and_extent(server: Server) -> None:
    x1, y1, _, y2 = next(node.box for node in tree(12) if node.leaf)
    lines = server.get("/api/snap", screen="screen-1", x=x1, y=(y1 + y2) / 2, radius=6).json["lines"]
    assert lines[0]["axis"] == "x"
    assert abs(lines[0]["at"] - x1) <= 1
    assert lines[0]["from"] < (y1 + y2) / 2 < lines[0]["to"]


def test_the_corner_of_the_screen_is_one(server: Server) -> None:
    found = server.get("/api/snap", screen="screen-1", x=1280, y=800, radius=4).json
    assert found["corner"] == [1280, 800]


WRONG = {
    "no such screen": ({"screen": "nowhere"}, 404),
    "a path": ({"screen": "../project.db"}, 404),
    "no screen": ({"screen": ""}, 422),
    "a long name": ({"screen": "s" * 500}, 422),
    "left of it": ({"x": -1}, 422),
    "right of it": ({"x": 1280.5}, 422),
    "below it": ({"y": 801}, 422),
    "no number": ({"x": "nan"}, 422),
    "no end": ({"y": "inf"}, 422),
    "a word": ({"x": "left"}, 422),
    "too near": ({"radius": 3}, 422),
    "too far": ({"radius": 65}, 422),
    "a huge number": ({"x": "9" * 400}, 422),
}


def test_what_makes_no_sense_is_refused_in_one_line(server: Server) -> None:
    for case, (changed, status) in WRONG.items():
        found = server.get("/api/snap", **{"screen": "screen-1", "x": 10, "y": 10, "radius": 16, **changed})
        assert found.status == status, case
        assert_carries(found.json["detail"])


def test_a_lost_picture_is_gone(server: Server) -> None:
    path = server.project / "media" / "screen-2.png"
    data = path.read_bytes()
    path.unlink()
    found = server.get("/api/snap", screen="screen-2", x=10, y=10)
    assert found.status == 410
    path.write_bytes(data)
    assert server.get("/api/snap", screen="screen-2", x=10, y=10).status == 200


def test_many_may_ask_at_once(server: Server) -> None:
    def ask(number: int) -> object:
        return server.get("/api/snap", screen="screen-1", x=200 + number % 4, y=200, radius=64).json

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(16)))
    assert [found[number] for number in range(4)] == [found[number + 12] for number in range(4)]
