"""What is known of AniMINT as a whole, compared with whatever part or version of it somebody has."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from affordance.datasets.clips import Clip
from affordance.datasets.published.gather import Count
from affordance.datasets.purposes import PURPOSES
from affordance.datasets.reading import Finding, Level

CLIPS = 300
RESPONSES = 10
# By the README, and the only whole numbers that the percentages of the paper fit.
README = dict(zip(PURPOSES, (45, 20, 26, 40, 114, 39, 16), strict=True))
PAPER = dict(zip(PURPOSES, (45, 20, 26, 42, 115, 38, 14), strict=True))


def findings(clips: Sequence[Clip]) -> list[Finding]:
    """The whole before its parts."""
    told = counts(clips) if len(clips) == CLIPS else [Count("clips", CLIPS, len(clips))]
    labels = _labels(clips) if len(clips) == CLIPS else []
    return [*(finding for count in told for finding in count.findings()), *labels]


def counts(clips: Sequence[Clip]) -> Iterator[Count]:
    """How many there are of everything in the whole set, and should be."""
    purposes = Counter(clip.purpose for clip in clips)
    yield Count("clips", CLIPS, len(clips))
    yield from (Count(f"clips for {purpose}", expected, purposes[purpose]) for purpose, expected in README.items())
    for kind in ("effect", "meaning"):
        full = sum(len(getattr(clip, f"{kind}_responses")) == RESPONSES for clip in clips)
        yield Count(f"clips with {RESPONSES} descriptions of the {kind}", CLIPS, full)


def _labels(clips: Sequence[Clip]) -> Iterator[Finding]:
    """The two published sets of labels differ, so which one it is decides what numbers can be compared with."""
    found = Counter(clip.purpose for clip in clips)
    fits = {"the README": README, "the paper": PAPER}
    here = next((name for name, expected in fits.items() if found == Counter(expected)), "neither")
    differing = [purpose for purpose in PURPOSES if README[purpose] != PAPER[purpose]]
    yield Finding(
        Level.WARNING,
        f"the purposes are those of {here}: the README counts {_few(README, differing)}, the numbers of the paper only "
        f"fit {_few(PAPER, differing)}; do not expect to reproduce the paper exactly",
    )


def _few(counts: Mapping[str, int], purposes: Sequence[str]) -> str:
    return ", ".join(f"{purpose} {counts[purpose]}" for purpose in purposes)
