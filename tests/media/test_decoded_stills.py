"""Decoded images that are kept: the pictures made of them are the same, and they take no more memory than they may."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from affordance.core.digest import digest_file
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.lru import LRUCache
from affordance.core.media_spec import RED, BoxOutline, ImageEncoding, ImageFormat, ImageSpec
from affordance.media import RenderCache, Renderer, encode_image, render


def _image(folder: Path, name: str, how: ImageEncoding, seed: int = 0) -> tuple[str, Path]:
    small = np.random.default_rng(seed).integers(0, 256, (20, 30, 3), np.uint8)
    path = folder / name
    path.write_bytes(encode_image(np.kron(small, np.ones((10, 10, 1), np.uint8)), how))
    return digest_file(path), path


def _pictures(source: str) -> list[ImageSpec]:
    part = Box(CoordinateSpace.PIXEL, 31, 17, 202, 190)
    return [
        ImageSpec(source),
        ImageSpec(source, max_side=120),
        ImageSpec(source, outlines=(BoxOutline(part, RED, 8),)),
        ImageSpec(source, crop=part),
        ImageSpec(
            source, crop=part, max_side=90, outlines=(BoxOutline(Box(CoordinateSpace.PIXEL, 50, 50, 90, 90), RED, 4),)
        ),
    ]


@pytest.mark.parametrize(
    "how",
    [ImageEncoding(), ImageEncoding(ImageFormat.JPEG), ImageEncoding(ImageFormat.WEBP)],
    ids=lambda how: str(how.format),
)
def test_pictures_are_the_same_as_without(tmp_path: Path, how: ImageEncoding) -> None:
    source, path = _image(tmp_path, f"one.{how.format}", how)
    files = {source: path}
    renderer = Renderer(files, decoded_bytes=2**30)
    for picture in _pictures(source) * 2:
        assert renderer.render([picture]) == render([picture], files)
    assert renderer.render(_pictures(source)) == render(_pictures(source), files)


def test_an_image_is_decoded_once_and_kept_while_there_is_room(tmp_path: Path) -> None:
    files = dict(_image(tmp_path, f"{seed}.png", ImageEncoding(), seed) for seed in range(3))
    size = 6 * 300 * 200
    first, second, third = ([ImageSpec(source)] for source in files)
    expected = {source: render([ImageSpec(source)], files) for source in files}
    renderer = Renderer(files, decoded_bytes=2 * size)
    for specs in (first, second, first, third):  # the second is dropped, which was used least recently
        renderer.render(specs)
    small = Renderer(files, decoded_bytes=size - 1)
    small.render(first)
    kept = {specs[0].source: specs for specs in (first, third)}
    for path in files.values():
        path.write_bytes(encode_image(np.zeros((200, 300, 3), np.uint8)))
    for source, specs in kept.items():
        assert renderer.render(specs) == expected[source]
    assert renderer.render(second) != expected[second[0].source]
    assert small.render(first) != expected[first[0].source]


def test_a_limited_cache_drops_what_was_used_least_recently() -> None:
    cache: LRUCache[str, str] = LRUCache(5)
    for key, size in (("a", 2), ("b", 2)):
        cache.put(key, key, size)
    assert cache.get("a") == "a"
    cache.put("c", "c", 2)
    assert [cache.get(key) for key in "abc"] == ["a", None, "c"]
    cache.put("d", "d", 6)  # larger than the cache: not kept, and drops nothing
    assert [cache.get(key) for key in "acd"] == ["a", "c", None]


def test_threads_share_them(tmp_path: Path) -> None:
    source, path = _image(tmp_path, "one.png", ImageEncoding())
    files = {source: path}
    darkroom = RenderCache(tmp_path / "pictures", files, memory_bytes=0, decoded_bytes=2**30)
    pictures = [
        ImageSpec(source, crop=Box(CoordinateSpace.PIXEL, x, y, x + 90, y + 70), max_side=80)
        for x in range(0, 200, 20)
        for y in range(0, 120, 20)
    ]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda picture: darkroom.get([picture])[0], pictures))
    assert found == render(pictures, files)
