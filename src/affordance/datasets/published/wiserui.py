"""WiserUI-Bench: pairs of designs of which one won an A/B test, with experts' reasons.

`WiserUI_Bench.json` with the images in `images/N/win.png` and `lose.png` next to it. The names of the files state the
winner. The order of the two in an item follows from the index alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from affordance.core.digest import digest, digest_file
from affordance.core.validation import short_repr
from affordance.datasets.dataset import Issue, ReadItem, ReadResult, Severity
from affordance.datasets.pairs import DesignPair, named_sides, neutral_wording, shared_image_clusters
from affordance.datasets.published.published_dataset import ExpectedCount, GitHubFile, PublishedDataset
from affordance.datasets.published.rows import RawRow, read_items, read_rows, without_none

FILES = ("WiserUI_Bench.json", "WiserUI*.json")
WIN, LOSE = "win", "lose"
MAX_INDEX = 999_999
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")  # of images; the first is the published one

# VWO's server scales images down where the path says so; without this part it sends the original.
_TRANSFORM = re.compile(r"/tr:[^/]*(?=/)")

# Rationales that name a side ("the right version"): by index of the pair, their positions, from 0. Other rationales say
# left or right of a place on the page, which is no side.
RATIONALES_NAMING_A_SIDE: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2), 1: (1, 2), 2: (0, 2, 3), 4: (0,), 9: (2, 3), 13: (0, 1), 17: (0,), 20: (1,), 27: (1,), 31: (1,),
    37: (0,), 60: (1,), 72: (0,), 76: (0,), 106: (2,), 107: (1,), 140: (0,), 147: (0,), 151: (0,), 163: (0, 1),
    167: (1,), 171: (0,), 173: (1,), 226: (2,), 278: (1, 2),
}  # fmt: skip

LAW_COUNTS = {
    "Von Restorff Effect": 134,
    "Law of Prägnanz": 102,
    "Jakob’s Law": 81,
    "Hick’s Law": 74,
    "Fitts’s Law": 73,
    "Law of Proximity": 65,
    "Law of Common Region": 56,
    "Law of Similarity": 37,
    "Goal-Gradient Effect": 25,
    "Miller’s Law": 19,
    "Pareto Principle": 10,
    "Serial Position Effect": 8,
}
SOURCE_COUNTS = {"vwo.com": 168, "goodui.org": 103, "abtest.design": 29}
RATIONALE_COUNTS = {1: 90, 2: 86, 3: 85, 4: 28, 5: 11}


def original_url(url: str) -> str:
    """The URL of the image as it was uploaded."""
    return _TRANSFORM.sub("", url)


def is_source_page(url: str, source: str | None) -> bool:
    """Whether a URL is that of the page that describes the test, not of an image."""
    return url == source


def ordered_sides(index: int) -> tuple[str, str]:
    """`win` and `lose` in the order of the item, which follows from the index alone: the bytes of an image depend on
    who downloaded it and when."""
    first, second = sorted((WIN, LOSE), key=lambda side: digest("wiserui", index, side))
    return first, second


def _read(dataset: PublishedDataset, path: Path, cache: Path | None, /) -> ReadResult:
    root = path if path.is_dir() else path.parent
    entries = read_items(read_rows(path, FILES), lambda row, _: _pair(row, root), "index", lambda pair: int(pair.id))
    pairs = [entry.item for entry in entries if isinstance(entry.item, DesignPair)]
    clusters = shared_image_clusters([(pair.id, _image_keys(pair, root)) for pair in pairs])
    clustered = {pair.id: pair.model_copy(update={"cluster": clusters[pair.id]}) for pair in pairs}
    return ReadResult(
        root,
        dataset.header(),
        tuple(
            ReadItem(entry.position, clustered[entry.item.id]) if isinstance(entry.item, DesignPair) else entry
            for entry in entries
        ),
        issues=tuple(_known_issues(dataset, list(clustered.values()))),
    )


def _image_keys(pair: DesignPair, root: Path) -> list[str]:
    """What pairs with a shared image have in common: its URL, or its content where the file exists."""
    urls = [original_url(url) for url in pair.urls or ()]
    files = [root / image for image in pair.images]
    return [*urls, *(digest_file(file) for file in files if file.is_file())]


def _pair(row: RawRow, root: Path) -> DesignPair:
    index = row.whole("index")
    if not 0 <= index <= MAX_INDEX:
        raise row.error(f"expected an index from 0 to {MAX_INDEX} in 'index', found {short_repr(index)}")
    order = ordered_sides(index)
    urls = [row.text_or_none(f"{side}_url") for side in order]
    values: dict[str, Any] = {
        "id": f"{index:03d}",
        "images": [_image(root, index, side) for side in order],
        "winner": order.index(WIN),
        "rationales": [_rationale(row, index, place, one) for place, one in enumerate(row.sequence("rationale"))],
        "evidence": "tested",
    }
    optional = without_none(
        urls=urls if all(urls) else None,
        source=row.text_or_none("source"),
        company=row.text_or_none("company"),
        page_type=row.text_or_none("page_type"),
        industry=row.text_or_none("industry_domain"),
        device=row.text_or_none("web_mobile"),
        changes=row.json_value("ui_change"),
    )
    return DesignPair.model_validate(values | optional)


def _image(root: Path, index: int, side: str) -> str:
    names = [f"images/{index}/{side}{suffix}" for suffix in SUFFIXES]
    return next((name for name in names if (root / name).is_file()), names[0])


def _rationale(row: RawRow, index: int, place: int, found: Any) -> dict[str, Any]:
    reason = found.get("reason") if isinstance(found, dict) else None
    law = found.get("law") if isinstance(found, dict) else None
    if not isinstance(reason, str) or not isinstance(law, dict):
        raise row.error(f"expected a reason with its law as rationale {place + 1}, found {short_repr(found)}")
    values = {"reason": reason, "law": law.get("name"), "dimension": law.get("type")}
    if place in RATIONALES_NAMING_A_SIDE.get(index, ()) and named_sides(reason):
        values["neutral"] = neutral_wording(reason)
    return values


def _known_issues(dataset: PublishedDataset, pairs: Sequence[DesignPair]) -> list[Issue]:
    """What is known to be odd about the set. Details are compared only where all pairs are there."""
    total = ExpectedCount("pairs", dataset.expected["pairs"], len(pairs))
    counts = [total, *_detailed_counts(pairs)] if not total.issues() else [total]
    return [
        *(issue for count in counts for issue in count.issues()),
        *_single_url_issues(pairs),
        *_page_url_issues(pairs),
        *_shared_image_issues(pairs),
        *_named_side_issues(pairs),
    ]


def _warning(code: str, message: str, item: str | None = None) -> Issue:
    return Issue(Severity.WARNING, f"published-{code}", message, item=item)


def _detailed_counts(pairs: Sequence[DesignPair]) -> Iterator[ExpectedCount]:
    rationales = [one for pair in pairs for one in pair.rationales]
    laws = Counter(one.law for one in rationales)
    devices = Counter(pair.device for pair in pairs)
    lengths = Counter(len(pair.rationales) for pair in pairs)
    hosts = Counter(host for pair in pairs for host in SOURCE_COUNTS if f"//{host}/" in (pair.source or ""))
    yield ExpectedCount("pairs with two URLs", 227, sum(len(set(pair.urls or ())) == 2 for pair in pairs))
    yield ExpectedCount("rationales", 684, len(rationales))
    yield from (
        ExpectedCount(f"pairs with {number} rationales", expected, lengths[number])
        for number, expected in RATIONALE_COUNTS.items()
    )
    yield from (
        ExpectedCount(f"{device} pairs", expected, devices[device])
        for device, expected in (("web", 252), ("mobile", 48))
    )
    yield from (ExpectedCount(f"pairs of {host}", expected, hosts[host]) for host, expected in SOURCE_COUNTS.items())
    yield ExpectedCount("page types", 11, len({pair.page_type for pair in pairs} - {None}))
    yield ExpectedCount("industries", 13, len({pair.industry for pair in pairs} - {None}))
    yield ExpectedCount("companies", 157, len({pair.company for pair in pairs} - {None}))
    yield ExpectedCount("changed elements", 458, sum(len(pair.changes) for pair in pairs))
    yield ExpectedCount("changed properties", 597, sum(len(found) for pair in pairs for found in pair.changes.values()))
    yield from (ExpectedCount(f"rationales by {law}", expected, laws[law]) for law, expected in LAW_COUNTS.items())


def _single_url_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    found = [int(pair.id) for pair in pairs if pair.urls is not None and len(set(pair.urls)) == 1]
    if found:
        advice = "split the images that show both designs (`affordance data split`), or use these pairs as a control"
        yield _warning(
            "single-url", f"{len(found)} pairs have one URL for both designs: {format_ranges(found)}; {advice}"
        )


def _page_url_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    for pair in pairs:
        if pair.urls is not None and any(is_source_page(url, pair.source) for url in pair.urls):
            yield _warning(
                "page-url", "the URL points to a web page, not an image; the image cannot be fetched", pair.id
            )


def _shared_image_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    both = _groups({pair.id: tuple(sorted(pair.urls)) for pair in pairs if pair.urls is not None})
    if both:
        yield _warning("shared-images", f"{len(both)} groups of pairs share both images by URL: {_format_groups(both)}")
    any_of_them = _groups({pair.id: pair.cluster for pair in pairs if pair.cluster is not None})
    if any_of_them:
        clusters = len({pair.cluster or pair.id for pair in pairs})
        by_url = len(set(shared_image_clusters((pair.id, pair.urls or ()) for pair in pairs).values()))
        more = f" ({by_url} by the URLs as written)" if by_url != clusters else ""
        message = f"{len(any_of_them)} groups of pairs share an image: {_format_groups(any_of_them)}"
        yield _warning("shared-image", f"{message}; statistics use {clusters} clusters{more}")


def _named_side_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    named: dict[int, list[int]] = {}
    words: Counter[str] = Counter()
    for pair in pairs:
        for place, one in enumerate(pair.rationales):
            if found := named_sides(one.reason):
                named.setdefault(int(pair.id), []).append(place)
                words[found[0]] += 1
    if not named:
        return
    what = (
        f"{words.total()} rationales refer to a design by side "
        f"({words['right']} 'right version', {words['left']} 'left version')"
    )
    where = ", ".join(f"{index} ({format_ranges(place + 1 for place in places)})" for index, places in named.items())
    yield _warning("named-sides", f"{what}: {where}; a neutral wording is stored with each")
    unlisted = [index for index, places in named.items() if tuple(places) != RATIONALES_NAMING_A_SIDE.get(index, ())]
    if unlisted:
        message = f"the rationales of {format_ranges(unlisted)} are not those known to refer to a side"
        yield _warning("unlisted-sides", f"{message}; they are not reworded")


def format_ranges(numbers: Iterable[int]) -> str:
    """Numbers in order, three or more neighbours as ranges: `1, 4-6, 9`."""
    ordered = sorted(set(numbers))
    runs: list[list[int]] = [ordered[:1]] if ordered else []
    for before, number in pairwise(ordered):
        if number == before + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _groups(keys: Mapping[str, object]) -> list[list[int]]:
    """Groups of items with the same key."""
    groups: dict[object, list[int]] = {}
    for item, key in keys.items():
        groups.setdefault(key, []).append(int(item))
    return [group for group in groups.values() if len(group) > 1]


def _format_groups(groups: Iterable[Sequence[int]]) -> str:
    return ", ".join("/".join(map(str, group)) for group in groups)


WISERUI = PublishedDataset(
    name="wiserui",
    title="WiserUI-Bench",
    description="300 pairs of designs, with the winner of the A/B test and why",
    kind="pair",
    licence="CC-BY-NC-SA-4.0",
    terms="Name its authors, do not use it commercially, pass on derived work under the same licence. Its images are "
    "hosted by GoodUI, VWO and abtest.design and belong to them and to the companies they show. Each of some 500 URLs "
    "is requested once, with pauses, which takes a few minutes.",
    citation="Jeon et al.: Do MLLMs Capture How Interfaces Guide User Behavior?, arXiv:2505.05026",
    provenance="WiserUI-Bench, WiserUI_Bench.json; pictures from GoodUI, VWO and abtest.design",
    sources=(GitHubFile("jeochris/wiserui-bench", "b5239c53aff7ba32cfc89b62e2cf418d22f295fd", "WiserUI_Bench.json"),),
    reader=_read,
    expected={"pairs": 300},
    images_elsewhere=True,
)
