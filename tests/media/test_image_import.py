"""Pictures from anywhere: what can be used as it is stays byte by byte, the rest is converted and says how."""

import io
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from affordance.core.errors import MediaError
from affordance.media import ImportedImage, decode_image, image_import, import_image, near_duplicates, perceptual_hash
from errors import assert_carries, raises

HEIGHT, WIDTH = 60, 90


@pytest.fixture
def picture() -> NDArray[np.uint8]:
    """RGB: red at the left, blue at the right, a white bar at the top."""
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:, :45] = (200, 30, 20)
    pixels[:, 45:] = (10, 20, 220)
    pixels[:10] = 255
    return pixels


def bgr(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(pixels[..., ::-1])


def assert_repaired(still: ImportedImage, *data: object) -> None:
    """One repair was made, and its note has the data in it."""
    (note,) = still.conversions
    assert_carries(note, *data)


def near(one: NDArray[np.uint8], other: NDArray[np.uint8], most: float = 6.0) -> bool:
    return one.shape == other.shape and float(np.abs(one.astype(int) - other.astype(int)).mean()) < most


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_a_plain_picture_is_taken_byte_by_byte(tmp_path: Path, picture: NDArray[np.uint8], suffix: str) -> None:
    path = tmp_path / f"plain{suffix}"
    cv2.imwrite(str(path), bgr(picture))
    still = import_image(path)
    assert (still.data, still.suffix, still.conversions) == (path.read_bytes(), suffix, ())
    assert (still.width, still.height) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("suffix", [".bmp", ".tif"])
def test_other_formats_are_refused(tmp_path: Path, picture: NDArray[np.uint8], suffix: str) -> None:
    path = tmp_path / f"other{suffix}"
    cv2.imwrite(str(path), bgr(picture))
    with raises(MediaError, path):
        import_image(path)


def test_a_still_gif_is_converted(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    path = tmp_path / "still.gif"
    Image.fromarray(picture).save(path)
    still = import_image(path)
    assert_repaired(still, "gif")
    assert near(decode_image(still.data), picture)


def test_transparency_is_put_on_white(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    alpha = np.full((HEIGHT, WIDTH, 1), 255, np.uint8)
    alpha[30:] = 0
    path = tmp_path / "alpha.png"
    cv2.imwrite(str(path), np.concatenate([bgr(picture), alpha], axis=2))
    still = import_image(path)
    assert_repaired(still)
    shown = decode_image(still.data)
    assert np.array_equal(shown[:30], picture[:30])
    assert shown[30:].min() == 255


def test_sixteen_bits_are_reduced(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    path = tmp_path / "deep.png"
    cv2.imwrite(str(path), bgr(picture).astype(np.uint16) * 257)
    still = import_image(path)
    assert_repaired(still, 16)
    assert near(decode_image(still.data), picture)


def test_exif_rotation_is_carried_out(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    path = tmp_path / "turned.jpg"
    jpeg = cv2.imencode(".jpg", bgr(np.ascontiguousarray(np.rot90(picture))))[1].tobytes()
    # Orientation 6: to be turned by 90 degrees clockwise.
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHIIi", 1, 0x0112, 3, 1, 6, 0)
    exif = b"Exif\0\0" + tiff
    path.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])
    still = import_image(path)
    assert_repaired(still, "EXIF")
    assert near(decode_image(still.data), picture)


def test_cmyk_is_converted(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    buffer = io.BytesIO()
    Image.fromarray(picture).convert("CMYK").save(buffer, "JPEG", quality=95)
    path = tmp_path / "print.jpg"
    path.write_bytes(buffer.getvalue())
    still = import_image(path)
    assert_repaired(still, "CMYK")
    assert near(decode_image(still.data), picture, most=12)


def test_a_huge_picture_is_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_import, "MAX_PIXELS", 40_000)
    path = tmp_path / "huge.png"
    for side in (200, 220):
        cv2.imwrite(str(path), np.full((side, side, 3), 240, np.uint8))
        still = import_image(path)
        if side == 200:
            assert (still.conversions, still.width, still.height) == ((), 200, 200)
    assert_repaired(still, "220x220", f"{still.width}x{still.height}")
    assert 39_000 < still.width * still.height <= 40_000


def header(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        pytest.param(b"", (), id="empty"),
        pytest.param(b"hello, this is text", (b"hello, t",), id="text"),
        pytest.param(header(40000, 40000), ("300", "40000x40000"), id="too large"),
        pytest.param(header(300, 200), (), id="nothing but a header"),
    ],
)
def test_what_is_no_picture_is_an_error(tmp_path: Path, content: bytes, shown: tuple[object, ...]) -> None:
    path = tmp_path / "odd.png"
    path.write_bytes(content)
    with raises(MediaError, path, *shown):
        import_image(path)


def test_a_tiny_picture_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.png"
    cv2.imwrite(str(path), np.zeros((30, 400, 3), np.uint8))
    assert import_image(path).height == 30
    cv2.imwrite(str(path), np.zeros((29, 400, 3), np.uint8))
    with raises(MediaError, path, 30, "400x29"):
        import_image(path)


def test_a_truncated_picture_is_refused(tmp_path: Path, picture: NDArray[np.uint8]) -> None:
    path = tmp_path / "cut.png"
    data = cv2.imencode(".png", bgr(picture))[1].tobytes()
    path.write_bytes(data[: len(data) // 2])
    with raises(MediaError, path):
        import_image(path)


def drawn(seed: int) -> NDArray[np.uint8]:
    """A page of blocks."""
    generator = np.random.default_rng(seed)
    page = np.full((400, 600, 3), 245, np.uint8)
    for _ in range(40):
        x, y = int(generator.integers(0, 540)), int(generator.integers(0, 370))
        page[y : y + 24, x : x + 50] = generator.integers(0, 255, 3)
    return page


def test_nearly_equal_pictures_are_found() -> None:
    one, other = drawn(1), drawn(2)
    ticked = one.copy()
    ticked[5:15, 5:12] = 0  # a clock that goes on
    noisy = np.clip(one.astype(int) + np.random.default_rng(3).integers(-2, 3, one.shape), 0, 255).astype(np.uint8)
    prints = [perceptual_hash(page) for page in (one, other, ticked, noisy, drawn(4))]
    assert near_duplicates(prints) == {2: 0, 3: 0}
