"""What can be wrong with a pair of designs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from affordance import media
from affordance.core.errors import MediaError
from affordance.datasets.laws import law_issues
from affordance.datasets.reading import Severity
from affordance.datasets.records import Pair
from affordance.datasets.sides import named_sides
from affordance.datasets.wrong import ItemIssue

NEAR_IDENTICAL_SHARE = 0.001  # of the pixels: less is nothing that a person would see
FORMAT_OF_SUFFIX = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}


def check_pair(pair: Pair, images: Mapping[str, media.MediaInfo]) -> Iterator[ItemIssue]:
    """`clips` are those of its pictures that are there and can be read."""
    yield from _check_rationales(pair)
    yield from _check_votes(pair)
    for image in pair.images:
        named = FORMAT_OF_SUFFIX.get(PurePosixPath(image).suffix.lower())
        if image in images and named is not None and images[image].format.name.removeprefix("animated ") != named:
            message = f"{image!r} has the name of a {named} file, found {images[image].format.name} in it"
            yield ItemIssue(message, "names of files", Severity.WARNING)
    if all(image in images for image in pair.images):
        yield from _check_similarity(*(images[image] for image in pair.images))


def _check_rationales(pair: Pair) -> Iterator[ItemIssue]:
    for place, one in enumerate(pair.rationales, 1):
        if one.law is not None:
            for message in law_issues(one.law, one.dimension):
                yield ItemIssue(f"rationale {place}: {message}", "laws")
        if one.neutral is None and named_sides(one.reason):
            message = f"rationale {place} says {named_sides(one.reason)[0]!r} of a version, which a model cannot know"
            yield ItemIssue(f"{message}; add the reason without a side as 'neutral'", "sides", Severity.WARNING)
    for law, count in Counter(one.law for one in pair.rationales if one.law is not None).items():
        if count > 1:
            yield ItemIssue(f"{count} of its rationales are of one law, {law}", "repeated laws", Severity.WARNING)


def _check_votes(pair: Pair) -> Iterator[ItemIssue]:
    if (message := pair.vote_conflict()) is not None:
        yield ItemIssue(message, "votes")


def _check_similarity(first: media.MediaInfo, second: media.MediaInfo) -> Iterator[ItemIssue]:
    if (first.width, first.height) != (second.width, second.height):
        return
    try:
        share = media.pixel_difference(first.path, second.path)
        same = share == 0 and media.same_pixels(first.path, second.path)
    except MediaError as error:
        yield ItemIssue(f"its pictures cannot be compared: {error}", "unreadable media")
        return
    if same:
        message = "its two pictures are the same, pixel by pixel; whatever is chosen there is a control"
        yield ItemIssue(message, "identical pictures", Severity.WARNING)
    elif share <= NEAR_IDENTICAL_SHARE:
        message = f"its two pictures are nearly the same: {share:.3%} of the pixels differ visibly"
        yield ItemIssue(message, "nearly identical pictures", Severity.WARNING)
