"""What is known of AniMINT as a whole, compared with whatever part or version of it somebody has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from affordance.datasets.clips import Clip
from affordance.datasets.published.gather import ExpectedCount
from affordance.datasets.purposes import PURPOSES
from affordance.datasets.reading import Issue, Severity

CLIP_COUNT = 300
RESPONSES_PER_CLIP = 10
# By the README, and the only whole numbers that the percentages of the paper fit.
README_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 40, 114, 39, 16), strict=True))
PAPER_COUNTS = dict(zip(PURPOSES, (45, 20, 26, 42, 115, 38, 14), strict=True))


def known_issues(clips: Sequence[Clip]) -> list[Issue]:
    """The whole before its parts."""
    told = expected_counts(clips) if len(clips) == CLIP_COUNT else [ExpectedCount("clips", CLIP_COUNT, len(clips))]
    labels = _purpose_label_issues(clips) if len(clips) == CLIP_COUNT else []
    return [*(finding for count in told for finding in count.issues()), *labels]


def expected_counts(clips: Sequence[Clip]) -> Iterator[ExpectedCount]:
    """How many there are of everything in the whole set, and should be."""
    purposes = Counter(clip.purpose for clip in clips)
    yield ExpectedCount("clips", CLIP_COUNT, len(clips))
    yield from (
        ExpectedCount(f"clips for {purpose}", expected, purposes[purpose])
        for purpose, expected in README_COUNTS.items()
    )
    for kind in ("effect", "meaning"):
        full = sum(len(getattr(clip, f"{kind}_responses")) == RESPONSES_PER_CLIP for clip in clips)
        yield ExpectedCount(f"clips with {RESPONSES_PER_CLIP} descriptions of the {kind}", CLIP_COUNT, full)


def _purpose_label_issues(clips: Sequence[Clip]) -> Iterator[Issue]:
    """The two published sets of labels differ, so which one it is decides what numbers can be compared with."""
    found = Counter(clip.purpose for clip in clips)
    fits = {"the README": README_COUNTS, "the paper": PAPER_COUNTS}
    here = next((name for name, expected in fits.items() if found == Counter(expected)), "neither")
    differing = [purpose for purpose in PURPOSES if README_COUNTS[purpose] != PAPER_COUNTS[purpose]]
    yield Issue(
        Severity.WARNING,
        f"the purposes are those of {here}: the README counts {_format_counts(README_COUNTS, differing)}, "
        f"the numbers of the paper only fit {_format_counts(PAPER_COUNTS, differing)}; "
        "do not expect to reproduce the paper exactly",
    )


def _format_counts(counts: Mapping[str, int], purposes: Sequence[str]) -> str:
    return ", ".join(f"{purpose} {counts[purpose]}" for purpose in purposes)
