"""WiserUI-Bench: pairs of designs of which one won an A/B test, with experts' reasons.

`WiserUI_Bench.json` with the pictures in `images/N/win.png` and `lose.png` beside it. The names of the files tell the
winner; the order of the two in a record does not, and is the same wherever and whenever it is read."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from affordance.core.digest import digest, digest_file
from affordance.core.validation import short_repr
from affordance.datasets.dataset import Issue, ReadItem, ReadResult, Severity
from affordance.datasets.items import DatasetHeader
from affordance.datasets.pairs import DesignPair, shared_image_clusters
from affordance.datasets.published.rows import RawRow, read_items, read_rows
from affordance.datasets.published.screen_builder import ExpectedCount

# VWO's server makes pictures smaller on the way where the path says so; without, it sends the one that was uploaded.
_TRANSFORM = re.compile(r"/tr:[^/]*(?=/)")


def original_url(url: str) -> str:
    """The URL of the picture as it was uploaded."""
    return _TRANSFORM.sub("", url)


def is_source_page(url: str, source: str | None) -> bool:
    """Whether it is the page that tells of the test, and no picture."""
    return url == source


def url_host(url: str | None) -> str | None:
    """None where it is no URL."""
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


# By index of the pair, the places of the rationales in it, counted from 0.
RATIONALES_NAMING_A_SIDE: dict[int, tuple[int, ...]] = {
    0: (0, 1, 2),
    1: (1, 2),
    2: (0, 2, 3),
    4: (0,),
    9: (2, 3),
    13: (0, 1),
    17: (0,),
    20: (1,),
    27: (1,),
    31: (1,),
    37: (0,),
    60: (1,),
    72: (0,),
    76: (0,),
    106: (2,),
    107: (1,),
    140: (0,),
    147: (0,),
    151: (0,),
    163: (0, 1),
    167: (1,),
    171: (0,),
    173: (1,),
    226: (2,),
    278: (1, 2),
}
# Winners are on the right everywhere in that set.
NEUTRAL = {"right": "better", "left": "weaker"}

_SIDE = re.compile(r"\b(left|right)(?= version\b)", re.IGNORECASE)


def named_sides(text: str) -> list[str]:
    """The sides that a text calls a version by: `right` in "the right version"."""
    return [found.lower() for found in _SIDE.findall(text)]


def neutral_wording(text: str) -> str:
    """The same without sides: the right version is the better one, the left the weaker."""
    return _SIDE.sub(lambda found: NEUTRAL[found[0].lower()], text)


def published_neutral_wording(index: int, place: int, text: str) -> str | None:
    """What a rationale of WiserUI-Bench says without its side; None where it has none."""
    listed = place in RATIONALES_NAMING_A_SIDE.get(index, ())
    return neutral_wording(text) if listed and named_sides(text) else None


PAIR_COUNT = 300
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


def known_issues(pairs: Sequence[DesignPair]) -> list[Issue]:
    """The whole before its parts. Lists are complete, whatever their length: each is one line to work from."""
    told = [*expected_counts(pairs)] if len(pairs) == PAIR_COUNT else [ExpectedCount("pairs", PAIR_COUNT, len(pairs))]
    return [
        *(finding for count in told for finding in count.issues()),
        *_single_url_issues(pairs),
        *_page_url_issues(pairs),
        *_shared_image_issues(pairs),
        *_named_side_issues(pairs),
    ]


def expected_counts(pairs: Sequence[DesignPair]) -> Iterator[ExpectedCount]:
    """How many there are of everything in the whole set, and should be."""
    rationales = [one for pair in pairs for one in pair.rationales]
    laws = Counter(one.law for one in rationales)
    devices = Counter(pair.device for pair in pairs)
    lengths = Counter(len(pair.rationales) for pair in pairs)
    hosts = Counter(host for pair in pairs for host in SOURCE_COUNTS if f"//{host}/" in (pair.source or ""))
    yield ExpectedCount("pairs", PAIR_COUNT, len(pairs))
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
        what = f"{len(found)} pairs have one URL for both sides, so the same picture twice"
        advice = "cut the pictures that show both (`affordance data split`), or let them be a control"
        yield Issue(Severity.WARNING, f"{what}: {format_ranges(found)}; {advice}")


def _page_url_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    for pair in pairs:
        if pair.urls is not None and any(is_source_page(url, pair.source) for url in pair.urls):
            message = f"item {pair.id!r}: expected the URL of a picture, found that of the page that tells of it"
            yield Issue(Severity.WARNING, f"{message}; there is no picture to be had")


def _shared_image_issues(pairs: Sequence[DesignPair]) -> Iterator[Issue]:
    both = _groups({pair.id: tuple(sorted(pair.urls)) for pair in pairs if pair.urls is not None})
    if both:
        yield Issue(Severity.WARNING, f"{len(both)} groups of pairs share both pictures by URL: {_format_groups(both)}")
    any_of_them = _groups({pair.id: pair.cluster for pair in pairs if pair.cluster is not None})
    if any_of_them:
        joined = len({pair.cluster or pair.id for pair in pairs})
        written = len(set(shared_image_clusters((pair.id, pair.urls or ()) for pair in pairs).values()))
        apart = f" ({written} by the URLs as they are written)" if written != joined else ""
        what = f"{len(any_of_them)} groups of pairs share a picture with each other"
        yield Issue(
            Severity.WARNING,
            f"{what}: {_format_groups(any_of_them)}; statistics take {joined} clusters{apart}",
        )


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
    what = f"{words.total()} rationales name a side ({words['right']} 'right version', {words['left']} 'left version')"
    where = ", ".join(f"{index} ({format_ranges(place + 1 for place in places)})" for index, places in named.items())
    yield Issue(Severity.WARNING, f"{what}: {where}; neutral words are beside them")
    unlisted = [index for index, places in named.items() if tuple(places) != RATIONALES_NAMING_A_SIDE.get(index, ())]
    if unlisted:
        message = (
            "expected these to be the rationales that are known to name a side, found others in "
            f"{format_ranges(unlisted)}"
        )
        yield Issue(Severity.WARNING, f"{message}; they stay as they are")


def format_ranges(numbers: Iterable[int]) -> str:
    """Numbers in order, neighbours as ranges: `1, 4-6, 9`. Two neighbours are two numbers."""
    ordered = sorted(set(numbers))
    runs: list[list[int]] = [ordered[:1]] if ordered else []
    for before, number in pairwise(ordered):
        if number == before + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


def _groups(keys: Mapping[str, object]) -> list[list[int]]:
    """Items with one key, where there are several."""
    groups: dict[object, list[int]] = {}
    for item, key in keys.items():
        groups.setdefault(key, []).append(int(item))
    return [group for group in groups.values() if len(group) > 1]


def _format_groups(groups: Iterable[Sequence[int]]) -> str:
    return ", ".join("/".join(map(str, group)) for group in groups)


FILES = ("WiserUI_Bench.json", "WiserUI*.json")
LICENCE = "CC-BY-NC-SA-4.0"
WIN, LOSE = "win", "lose"
MAX_INDEX = 999_999  # index
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")  # the first is the published one


def read(path: Path, cache: Path | None) -> ReadResult:
    """Pictures that are not there are missing, and nothing more."""
    root = path if path.is_dir() else path.parent
    entries = read_items(read_rows(path, FILES), lambda row, _: _pair(row, root), "index", lambda pair: int(pair.id))
    pairs = [entry.found for entry in entries if isinstance(entry.found, DesignPair)]
    named = shared_image_clusters([(pair.id, _image_keys(pair, root)) for pair in pairs])
    joined = [
        ReadItem(entry.place, entry.found.model_copy(update={"cluster": named[entry.found.id]}))
        if isinstance(entry.found, DesignPair)
        else entry
        for entry in entries
    ]
    told = known_issues([entry.found for entry in joined if isinstance(entry.found, DesignPair)])
    return ReadResult(root, header(), tuple(joined), findings=tuple(told))


def header() -> DatasetHeader:
    return DatasetHeader(
        format=1,
        kind="pair",
        name="WiserUI-Bench",
        licence=LICENCE,
        provenance="WiserUI-Bench, WiserUI_Bench.json; pictures from GoodUI, VWO and abtest.design",
        synthetic=False,
    )


def ordered_sides(index: int) -> tuple[str, str]:
    """`win` and `lose` in the order of the record, which follows from the index alone: what a picture's bytes are
    depends on who has fetched it and when."""
    first, second = sorted((WIN, LOSE), key=lambda side: digest("wiserui", index, side))
    return first, second


def _image_keys(pair: DesignPair, root: Path) -> list[str]:
    """What two pairs with one picture have in common: its URL, or its content where it is there."""
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
    optional = {
        "urls": urls if all(urls) else None,
        "source": row.text_or_none("source"),
        "company": row.text_or_none("company"),
        "page_type": row.text_or_none("page_type"),
        "industry": row.text_or_none("industry_domain"),
        "device": row.text_or_none("web_mobile"),
        "changes": row.nested("ui_change"),
    }
    return DesignPair.model_validate(values | {name: value for name, value in optional.items() if value is not None})


def _image(root: Path, index: int, side: str) -> str:
    names = [f"images/{index}/{side}{suffix}" for suffix in SUFFIXES]
    return next((name for name in names if (root / name).is_file()), names[0])


def _rationale(row: RawRow, index: int, place: int, found: Any) -> dict[str, Any]:
    reason = found.get("reason") if isinstance(found, dict) else None
    law = found.get("law") if isinstance(found, dict) else None
    if not isinstance(reason, str) or not isinstance(law, dict):
        raise row.error(f"expected a reason with its law as rationale {place + 1}, found {short_repr(found)}")
    said = published_neutral_wording(index, place, reason)
    values = {"reason": reason, "law": law.get("name"), "dimension": law.get("type")}
    return values if said is None else {**values, "neutral": said}
