"""What can be wrong with a pair of designs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from affordance import media
from affordance.core.errors import MediaError
from affordance.datasets.laws import wrong_law
from affordance.datasets.reading import Level
from affordance.datasets.records import Pair
from affordance.datasets.sides import sides_in
from affordance.datasets.wrong import Wrong

NEARLY = 0.001  # of the pixels: less is nothing that a person would see
NAMED = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}


def wrong_pair(pair: Pair, clips: Mapping[str, media.Clip]) -> Iterator[Wrong]:
    """`clips` are those of its pictures that are there and can be read."""
    yield from _wrong_rationales(pair)
    yield from _wrong_votes(pair)
    for image in pair.images:
        named = NAMED.get(PurePosixPath(image).suffix.lower())
        if image in clips and named is not None and clips[image].kind.name.removeprefix("animated ") != named:
            message = f"{image!r} has the name of a {named} file, found {clips[image].kind.name} in it"
            yield Wrong(message, "names of files", Level.WARNING)
    if all(image in clips for image in pair.images):
        yield from _alike(*(clips[image] for image in pair.images))


def _wrong_rationales(pair: Pair) -> Iterator[Wrong]:
    for place, one in enumerate(pair.rationales, 1):
        if one.law is not None:
            for message in wrong_law(one.law, one.dimension):
                yield Wrong(f"rationale {place}: {message}", "laws")
        if one.neutral is None and sides_in(one.reason):
            message = f"rationale {place} says {sides_in(one.reason)[0]!r} of a version, which a model cannot know"
            yield Wrong(f"{message}; add the reason without a side as 'neutral'", "sides", Level.WARNING)
    for law, count in Counter(one.law for one in pair.rationales if one.law is not None).items():
        if count > 1:
            yield Wrong(f"{count} of its rationales are of one law, {law}", "repeated laws", Level.WARNING)


def _wrong_votes(pair: Pair) -> Iterator[Wrong]:
    if (message := pair.contradiction()) is not None:
        yield Wrong(message, "votes")


def _alike(first: media.Clip, second: media.Clip) -> Iterator[Wrong]:
    if (first.width, first.height) != (second.width, second.height):
        return
    try:
        share = media.difference(first.path, second.path)
        same = share == 0 and media.same_pixels(first.path, second.path)
    except MediaError as error:
        yield Wrong(f"its pictures cannot be compared: {error}", "unreadable media")
        return
    if same:
        message = "its two pictures are the same, pixel by pixel; whatever is chosen there is a control"
        yield Wrong(message, "identical pictures", Level.WARNING)
    elif share <= NEARLY:
        message = f"its two pictures are nearly the same: {share:.3%} of the pixels differ visibly"
        yield Wrong(message, "nearly identical pictures", Level.WARNING)
