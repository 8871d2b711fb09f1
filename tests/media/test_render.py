"""The recipe, step by step, against slow references."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from media_files import (
    HEIGHT,
    RECIPES,
    UNEVEN,
    WIDTH,
    Pixels,
    Recipe,
    add_exif_orientation,
    number_of,
    numbered,
    render,
    source,
    write_still,
    write_video,
)

from affordance.core.errors import MediaError
from affordance.core.geometry import Box, CoordinateSpace
from affordance.core.media_spec import GREEN, RED, BoxOutline, FrameBlend, ImageEncoding, ImageFormat, ImageSpec
from affordance.media import decode_image, probe, sample_times
from errors import raises

LOSSLESS = Recipe(".mp4", "libx264rgb", "rgb24", codec_options={"qp": "0"})

BT709, UNKNOWN_MATRIX, BT601 = 1, 2, 6
UNKNOWN, LIMITED, FULL = 0, 1, 2


def pixels_of(*pictures: ImageSpec) -> list[Pixels]:
    return [decode_image(file) for file in render(pictures)]


def differences(found: Pixels, expected: Pixels) -> tuple[float, float]:
    """Mean and largest absolute difference."""
    apart = np.abs(found.astype(np.float64) - expected.astype(np.float64))
    return float(apart.mean()), float(apart.max())


@pytest.fixture(scope="module")
def smooth(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Pixels]]:
    """A clip of soft colours that move, large enough to be made smaller, and its frames at full size."""
    x, y = np.meshgrid(np.linspace(0, 3, 310), np.linspace(0, 5, 640))
    frames = []
    for index in range(10):
        waves = [np.sin(x * (c + 1) + y + index * 0.4 + c) for c in range(3)]
        frames.append(np.stack([110 + 80 * wave for wave in waves], axis=2).astype(np.uint8))
    path = write_video(tmp_path_factory.mktemp("smooth") / "smooth.mp4", RECIPES["mp4"], frames)
    with av.open(path) as container:
        return path, [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize("kind", ["mp4", "faststart", "fragmented", "mov", "hevc", "mkv", "webm", "vp8"])
def test_every_sixth_frame(steady: dict[str, Path], kind: str) -> None:
    times = sample_times(probe(steady[kind]), Fraction(10))
    found = pixels_of(*(ImageSpec(source(steady[kind]), time) for time in times))
    assert [number_of(pixels) for pixels in found] == list(range(0, 60, 6))


@pytest.mark.parametrize("kind", RECIPES)
def test_every_frame_at_its_time_and_the_last_one_too(uneven: dict[str, Path], kind: str) -> None:
    found = pixels_of(*(ImageSpec(source(uneven[kind]), Fraction(time, 1000)) for time in UNEVEN))
    assert [number_of(pixels) for pixels in found] == list(range(len(UNEVEN)))


def test_any_order_duplicates_and_sources_in_one_call(steady: dict[str, Path]) -> None:
    wanted = [("mp4", 40), ("webm", 3), ("mp4", 0), ("mp4", 40), ("webm", 59), ("mp4", 59)]
    found = pixels_of(*(ImageSpec(source(steady[kind]), Fraction(index, 60)) for kind, index in wanted))
    assert [number_of(pixels) for pixels in found] == [index for _, index in wanted]


@pytest.mark.parametrize("kind", ["mp4", "fragmented", "hevc", "webm"])
def test_leaving_out_unneeded_frames_changes_nothing(steady: dict[str, Path], kind: str) -> None:
    clip = source(steady[kind])
    every = render([ImageSpec(clip, Fraction(index, 60)) for index in range(60)])
    for step in (7, 50):
        assert render([ImageSpec(clip, Fraction(index, 60)) for index in range(0, 60, step)]) == every[::step]


def test_nothing_to_render() -> None:
    assert render([]) == []


@pytest.mark.parametrize("suffix", [".png", ".webp", ".jpg"])
def test_still(tmp_path: Path, suffix: str) -> None:
    path = write_still(tmp_path / f"still{suffix}", numbered(77))
    (found,) = pixels_of(ImageSpec(source(path)))
    assert number_of(found) == 77
    assert differences(found, numbered(77))[0] < (0.01 if suffix == ".png" else 4)


COLOURS = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (250, 250, 250), (10, 10, 10), (200, 120, 40)]


@pytest.mark.parametrize(
    "tags", [(BT601, UNKNOWN), (UNKNOWN_MATRIX, UNKNOWN), (BT709, LIMITED), (BT709, FULL), (BT601, FULL)]
)
def test_colours(tmp_path: Path, tags: tuple[int, int]) -> None:
    """The matrix and range that the file names are the ones that are used; without a name, those of ffmpeg."""
    matrix, extent = tags
    path = tmp_path / "colour.mp4"
    with av.open(path, "w") as output:
        stream = output.add_stream("libx264", rate=60, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.colorspace, stream.codec_context.color_range = matrix, extent
        for colour in COLOURS:
            output.mux(stream.encode(frame_of(colour, matrix, extent)))
        output.mux(stream.encode(None))
    for number, found in enumerate(
        pixels_of(*(ImageSpec(source(path), Fraction(at, 60)) for at in range(len(COLOURS))))
    ):
        assert differences(found, np.full_like(found, COLOURS[number]))[1] <= 3


def frame_of(colour: tuple[int, int, int], matrix: int, extent: int) -> av.VideoFrame:
    red, green, blue = (value / 255 for value in colour)
    kr, kb = (0.2126, 0.0722) if matrix == BT709 else (0.299, 0.114)
    luma = kr * red + (1 - kr - kb) * green + kb * blue
    chroma = ((blue - luma) / (1 - kb) / 2, (red - luma) / (1 - kr) / 2)
    if extent == FULL:
        planes = (255 * luma, *(128 + 255 * c for c in chroma))
    else:
        planes = (16 + 219 * luma, *(128 + 224 * c for c in chroma))
    frame = av.VideoFrame(64, 48, "yuv420p")
    for plane, value in zip(frame.planes, planes, strict=True):
        plane.update(bytes([min(255, round(value))]) * plane.buffer_size)
    return frame


@pytest.mark.parametrize("longest", [480, 100])
def test_resizing_is_an_area_average(smooth: tuple[Path, list[Pixels]], longest: int) -> None:
    path, frames = smooth
    (found,) = pixels_of(ImageSpec(source(path), Fraction(5, 60), max_side=longest))
    width = round(310 * longest / 640)
    assert found.shape == (longest, width, 3)
    expected = cv2.resize(frames[5].astype(np.float32), (width, longest), interpolation=cv2.INTER_AREA)
    mean, largest = differences(found, expected)
    assert mean <= 1.5
    assert largest <= 6


def test_fine_patterns_do_not_alias(tmp_path: Path) -> None:
    stripes = np.zeros((800, 800, 3), np.uint8)
    stripes[:, ::2] = 255
    (found,) = pixels_of(ImageSpec(source(write_still(tmp_path / "stripes.png", stripes)), max_side=190))
    assert np.abs(found[:, 2:-2].astype(int) - 127).max() <= 32


@pytest.mark.parametrize(
    ("size", "longest", "expected"),
    [
        pytest.param((100, 50), 480, (100, 50), id="never enlarges"),
        pytest.param((480, 200), 480, (480, 200), id="already so"),
        pytest.param((1000, 3), 100, (100, 1), id="at least one pixel"),
        pytest.param((300, 600), 100, (50, 100), id="tall"),
        pytest.param((301, 203), 100, (100, 67), id="odd"),
    ],
)
def test_sizes(tmp_path: Path, size: tuple[int, int], longest: int, expected: tuple[int, int]) -> None:
    path = write_still(tmp_path / "still.png", np.full((size[1], size[0], 3), 90, np.uint8))
    (found,) = pixels_of(ImageSpec(source(path), max_side=longest))
    assert (found.shape[1], found.shape[0]) == expected
    assert (found == 90).all()


def test_blend_of_flat_frames_is_the_weighted_mean(tmp_path: Path) -> None:
    levels = np.random.default_rng(7).integers(0, 256, (12, 3), np.uint8)
    frames = [np.broadcast_to(level, (64, 64, 3)).copy() for level in levels]
    path = write_video(tmp_path / "flat.mp4", LOSSLESS, frames)
    for blend in (FrameBlend(), FrameBlend(3, 0.5), FrameBlend(1, 0.85), FrameBlend(20, 1.0), FrameBlend(4, 0.0)):
        for index in (0, 1, 4, 5, 11):
            (found,) = pixels_of(ImageSpec(source(path), Fraction(index, 60), blend, max_side=32))
            ages = range(min(blend.count, index + 1))
            weights = np.array([blend.decay**age for age in ages])
            expected = (weights / weights.sum()) @ np.array([levels[index - age] for age in ages], np.float64)
            assert differences(found, np.broadcast_to(expected, found.shape))[1] <= 1, (blend, index)


def test_blend_of_nothing_is_refused(steady: dict[str, Path]) -> None:
    for count, decay in ((0, 0.85), (-1, 0.85), (6, -0.5)):
        with pytest.raises(ValueError):
            FrameBlend(count, decay)
    assert render([ImageSpec(source(steady["mp4"]), Fraction(1, 2), FrameBlend(1, 0.0))])


def test_blend_then_resize_as_the_recipe_says(smooth: tuple[Path, list[Pixels]]) -> None:
    path, frames = smooth
    weights = [0.2408, 0.2047, 0.1740, 0.1479, 0.1257, 0.1069]  # newest to oldest, as published
    mixed = sum(weight * frames[9 - age].astype(np.float32) for age, weight in enumerate(weights))
    expected = cv2.resize(mixed, (116, 240), interpolation=cv2.INTER_AREA)
    (found,) = pixels_of(ImageSpec(source(path), Fraction(9, 60), FrameBlend(), max_side=240))
    mean, largest = differences(found, expected)
    assert mean <= 1.5
    assert largest <= 6


def test_different_recipes_of_one_clip_do_not_disturb_each_other(smooth: tuple[Path, list[Pixels]]) -> None:
    clip = source(smooth[0])
    pictures = [
        ImageSpec(clip, Fraction(3, 60), max_side=100),
        ImageSpec(clip, Fraction(9, 60), FrameBlend(), max_side=100),
        ImageSpec(clip, Fraction(9, 60), FrameBlend(2, 0.5), max_side=100),
        ImageSpec(clip, Fraction(1, 60), FrameBlend(4, 0.9), max_side=100),
        ImageSpec(clip, Fraction(9, 60), crop=Box(CoordinateSpace.UNIT, 0.2, 0.2, 0.5, 0.5)),
        ImageSpec(
            clip, Fraction(9, 60), max_side=100, outlines=(BoxOutline(Box(CoordinateSpace.UNIT, 0.2, 0.2, 0.5, 0.5)),)
        ),
        ImageSpec(clip, Fraction(9, 60), max_side=100, encoding=ImageEncoding(ImageFormat.JPEG, 50)),
        ImageSpec(clip, Fraction(9, 60), max_side=100),
    ]
    assert render(pictures) == [render([picture])[0] for picture in pictures]


@pytest.mark.parametrize(
    ("crop", "expected"),
    [
        pytest.param(Box(CoordinateSpace.PIXEL, 10, 20, 50, 60), (10, 20, 50, 60), id="pixels"),
        pytest.param(Box(CoordinateSpace.PIXEL, 11, 21, 50, 61), (11, 21, 50, 61), id="odd pixels"),
        pytest.param(Box(CoordinateSpace.PIXEL, 10.4, 19.6, 50.4, 59.6), (10, 20, 50, 60), id="rounded"),
        pytest.param(Box(CoordinateSpace.UNIT, 0.5, 0.5, 1, 1), (80, 48, 160, 96), id="shares"),
        pytest.param(Box(CoordinateSpace.MILLE, 0, 0, 500, 1000), (0, 0, 80, 96), id="thousandths"),
        pytest.param(Box(CoordinateSpace.PIXEL, -30, -30, 500, 40), (0, 0, 160, 40), id="beyond the edge"),
        pytest.param(Box(CoordinateSpace.PIXEL, 30, 30, 30, 30), (30, 30, 31, 31), id="a point"),
    ],
)
def test_crop(tmp_path: Path, crop: Box, expected: tuple[int, int, int, int]) -> None:
    rgb = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH, 3), np.uint8)
    (found,) = pixels_of(ImageSpec(source(write_still(tmp_path / "noise.png", rgb)), crop=crop))
    x1, y1, x2, y2 = expected
    assert np.array_equal(found, rgb[y1:y2, x1:x2])


def test_crop_beside_the_picture(tmp_path: Path) -> None:
    path = write_still(tmp_path / "still.png", numbered(0))
    with raises(MediaError, path, "160x96"):
        render([ImageSpec(source(path), crop=Box(CoordinateSpace.PIXEL, 200, 0, 300, 50))])


@pytest.mark.parametrize(
    ("outline", "columns", "rows"),
    [
        pytest.param(BoxOutline(Box(CoordinateSpace.UNIT, 0.25, 0.25, 0.75, 0.75)), (49, 151), (24, 76), id="inside"),
        pytest.param(BoxOutline(Box(CoordinateSpace.UNIT, 0, 0, 1, 1)), (0, 200), (0, 100), id="the whole picture"),
        pytest.param(
            BoxOutline(Box(CoordinateSpace.PIXEL, 400, 200, 800, 400), RED, 4), (98, 200), (48, 100), id="at the corner"
        ),
        pytest.param(
            BoxOutline(Box(CoordinateSpace.PIXEL, -50, -50, 900, 900), RED, 3), (0, 200), (0, 100), id="larger"
        ),
        pytest.param(BoxOutline(Box(CoordinateSpace.PIXEL, 400, 200, 400, 200)), (99, 101), (49, 51), id="a point"),
        pytest.param(
            BoxOutline(Box(CoordinateSpace.PIXEL, 400, 0, 400, 400), GREEN, 1), (99, 101), (0, 100), id="thin"
        ),
    ],
)
def test_outline(tmp_path: Path, outline: BoxOutline, columns: tuple[int, int], rows: tuple[int, int]) -> None:
    """An outline is crisp, of the thickness asked for after resizing, and always within the picture."""
    path = write_still(tmp_path / "white.png", np.full((400, 800, 3), 255, np.uint8))
    (found,) = pixels_of(ImageSpec(source(path), max_side=200, outlines=(outline,)))
    marked = (found == outline.colour).all(axis=2)
    assert ((found == 255).all(axis=2) | marked).all()
    ys, xs = np.nonzero(marked)
    assert abs(int(xs.min()) - columns[0]) <= 1
    assert abs(int(xs.max()) + 1 - columns[1]) <= 1
    assert abs(int(ys.min()) - rows[0]) <= 1
    assert abs(int(ys.max()) + 1 - rows[1]) <= 1
    across = marked[(ys.min() + ys.max()) // 2]
    assert across[: (xs.min() + xs.max()) // 2 + 1].sum() == outline.thickness or xs.max() - xs.min() < 6


def test_outline_is_in_the_space_of_the_source_also_after_a_crop(tmp_path: Path) -> None:
    path = write_still(tmp_path / "white.png", np.full((400, 800, 3), 255, np.uint8))
    crop = Box(CoordinateSpace.PIXEL, 200, 100, 600, 300)
    inside = BoxOutline(Box(CoordinateSpace.PIXEL, 300, 150, 500, 250), RED, 2)
    beside = BoxOutline(Box(CoordinateSpace.PIXEL, 700, 350, 790, 390), GREEN, 2)
    (found,) = pixels_of(ImageSpec(source(path), crop=crop, max_side=200, outlines=(inside, beside)))
    assert found.shape == (100, 200, 3)
    ys, xs = np.nonzero((found != 255).any(axis=2))
    assert (xs.min(), xs.max(), ys.min(), ys.max()) == (49, 150, 24, 75)
    assert not (found == GREEN).all(axis=2).any()


@pytest.mark.parametrize("suffix", [".png", ".webp"])
def test_transparency_is_on_white(tmp_path: Path, suffix: str) -> None:
    rgba = np.zeros((40, 60, 4), np.uint8)
    rgba[:, :30] = (200, 0, 0, 255)
    rgba[:, 30:45] = (0, 0, 0, 128)
    path = write_still(tmp_path / f"glass{suffix}", rgba, [cv2.IMWRITE_WEBP_QUALITY, 101])
    (found,) = pixels_of(ImageSpec(source(path)))
    assert differences(found[20, 10], np.array([200, 0, 0]))[1] <= 2
    assert differences(found[20, 37], np.array([127, 127, 127]))[1] <= 2
    assert (found[20, 55] >= 254).all()


def test_transparent_animated_webp(tmp_path: Path) -> None:
    frames = []
    for left in (0, 20, 40):
        bgra = np.zeros((40, 60, 4), np.uint8)
        bgra[:, left : left + 20] = (0, 0, 255, 255)
        frames.append(bgra)
    animation = cv2.Animation()
    animation.frames, animation.durations = frames, [50, 70, 200]
    path = tmp_path / "glass.webp"
    assert cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, 101])
    assert probe(path).duration == Fraction(320, 1000)
    found = pixels_of(*(ImageSpec(source(path), Fraction(time, 1000)) for time in (0, 50, 120)))
    for index, pixels in enumerate(found):
        red = (np.abs(pixels[20].astype(int) - (255, 0, 0)) <= 3).all(axis=1)
        assert np.flatnonzero(red).tolist() == list(range(index * 20, index * 20 + 20))
        assert (pixels[20][~red] >= 252).all()


@pytest.mark.parametrize(
    ("orientation", "turn"),
    [
        (1, lambda a: a),
        (2, lambda a: a[:, ::-1]),
        (3, lambda a: a[::-1, ::-1]),
        (4, lambda a: a[::-1]),
        (5, lambda a: a.swapaxes(0, 1)),
        (6, lambda a: np.rot90(a, -1)),
        (7, lambda a: a.swapaxes(0, 1)[::-1, ::-1]),
        (8, lambda a: np.rot90(a, 1)),
    ],
)
def test_photograph_is_upright(tmp_path: Path, orientation: int, turn) -> None:  # type: ignore[no-untyped-def]
    path = write_still(tmp_path / "photo.jpg", numbered(0x1D))
    (before,) = pixels_of(ImageSpec(source(path)))
    turned = add_exif_orientation(path, orientation)
    upright, small = pixels_of(ImageSpec(source(turned)), ImageSpec(source(turned), max_side=80))
    assert np.array_equal(upright, turn(before))
    assert small.shape == (*(side // 2 for side in upright.shape[:2]), 3)
    expected = cv2.imread(str(turned), cv2.IMREAD_COLOR)[..., ::-1]
    assert differences(upright, expected)[0] < 3


@pytest.mark.parametrize(("degrees", "turns"), [(0, 0), (90, 1), (180, 2), (270, 3)])
def test_phone_video_is_upright(tmp_path: Path, degrees: int, turns: int) -> None:
    upright = write_video(tmp_path / "upright.mp4", LOSSLESS, [numbered(9)])
    turned = write_video(
        tmp_path / "turned.mp4", LOSSLESS, [numbered(9)], prepare=lambda stream: stream.set_display_rotation(degrees)
    )
    box = Box(CoordinateSpace.PIXEL, 0, 0, 40, 20)
    whole, part = (pixels_of(ImageSpec(source(turned), Fraction(0), crop=crop))[0] for crop in (None, box))
    (plain,) = pixels_of(ImageSpec(source(upright), Fraction(0)))
    assert np.array_equal(whole, np.rot90(plain, turns))
    assert np.array_equal(part, whole[:20, :40])


@pytest.mark.parametrize(
    ("encode", "magic"),
    [
        (ImageEncoding(ImageFormat.PNG), b"\x89PNG"),
        (ImageEncoding(ImageFormat.JPEG), b"\xff\xd8\xff"),
        (ImageEncoding(ImageFormat.WEBP), b"RIFF"),
        (ImageEncoding(ImageFormat.JPEG, 20), b"\xff\xd8\xff"),
        (ImageEncoding(ImageFormat.WEBP, 20), b"RIFF"),
    ],
)
def test_formats(steady: dict[str, Path], encode: ImageEncoding, magic: bytes) -> None:
    (file,) = render([ImageSpec(source(steady["mp4"]), Fraction(1, 2), encoding=encode)])
    assert file.startswith(magic)
    assert number_of(decode_image(file)) == 30


def test_lower_quality_is_smaller(steady: dict[str, Path]) -> None:
    best = ImageSpec(source(steady["mp4"]), Fraction(1, 2), encoding=ImageEncoding(ImageFormat.JPEG, 95))
    high, low = render([best, replace(best, encoding=ImageEncoding(ImageFormat.JPEG, 10))])
    assert len(low) < len(high)


def test_a_clip_needs_a_time(steady: dict[str, Path]) -> None:
    with raises(MediaError, steady["mp4"]):
        render([ImageSpec(source(steady["mp4"]))])


def test_a_time_beyond_the_end(steady: dict[str, Path]) -> None:
    with raises(MediaError, steady["mp4"], "1.000", "3.500"):
        render([ImageSpec(source(steady["mp4"]), Fraction(7, 2))])


def test_a_clip_that_changes_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "resized.mkv"
    large = write_video(tmp_path / "a.mkv", RECIPES["vp8"], [numbered(0)])
    small = write_video(tmp_path / "b.mkv", RECIPES["vp8"], [numbered(1)[:48, :80].copy()])
    with av.open(large) as first, av.open(small) as second, av.open(path, "w") as output:
        stream = output.add_stream_from_template(first.streams.video[0])
        for at, container in enumerate((first, second)):
            for packet in container.demux(video=0):
                if packet.size:
                    packet.pts = packet.dts = at * 100
                    packet.stream = stream
                    output.mux(packet)
    with raises(MediaError, path, "160x96", 1, "80x48"):
        render([ImageSpec(source(path), Fraction(1, 10))])


@pytest.mark.parametrize("data", [b"", b"no picture"])
def test_decode_image_refuses_other_bytes(data: bytes) -> None:
    with raises(MediaError):
        decode_image(data)


def test_animated_webp_is_composed_as_by_its_own_library(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    canvas = random.integers(0, 256, (60, 80, 4), np.uint8)
    frames = []
    for _ in range(8):  # changes of parts, some translucent, make the writer store parts, mixed or replaced
        x, y = random.integers(0, 50, 2)
        canvas = canvas.copy()
        canvas[y : y + 20, x : x + 25] = random.integers(0, 256, 4)
        frames.append(canvas)
    animation = cv2.Animation()
    animation.frames, animation.durations = frames, [40] * len(frames)
    path = tmp_path / "parts.webp"
    assert cv2.imwriteanimation(str(path), animation, [cv2.IMWRITE_WEBP_QUALITY, 101])
    done, reference = cv2.imreadanimation(str(path))
    assert done
    found = pixels_of(*(ImageSpec(source(path), Fraction(40 * index, 1000)) for index in range(len(frames))))
    for pixels, bgra in zip(found, reference.frames, strict=True):
        alpha = bgra[..., 3:] / 255
        expected = bgra[..., 2::-1] * alpha + 255 * (1 - alpha)
        assert differences(pixels, expected)[1] <= 1


def test_what_is_edited_out_of_a_recording_is_not_shown(steady: dict[str, Path], tmp_path: Path) -> None:
    """Phones trim without encoding again: frames before the cut stay in the file, marked not to be shown."""
    path = tmp_path / "trimmed.mp4"
    with av.open(steady["mp4"]) as whole, av.open(path, "w", options={"avoid_negative_ts": "disabled"}) as output:
        recorded = whole.streams.video[0]
        stream = output.add_stream_from_template(recorded)
        cut = round(Fraction(20, 60) / recorded.time_base)
        for packet in whole.demux(recorded):
            if packet.size:
                packet.pts -= cut
                packet.dts -= cut
                packet.stream = stream
                output.mux(packet)
    clip = probe(path)
    assert (len(clip.pts), clip.pts[0], clip.duration) == (40, 0, Fraction(40, 60))
    found = pixels_of(*(ImageSpec(source(path), Fraction(k, 10)) for k in (0, 1, 6)))
    assert [number_of(pixels) for pixels in found] == [20, 26, 56]
