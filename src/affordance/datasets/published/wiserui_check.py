"""What is known to be odd about WiserUI-Bench, found in whatever part or version of it somebody has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from affordance.datasets.clusters import shared_image_clusters
from affordance.datasets.published.gather import ExpectedCount
from affordance.datasets.published.wiserui_urls import is_source_page
from affordance.datasets.reading import Issue, Severity
from affordance.datasets.records import Pair
from affordance.datasets.sides import RATIONALES_NAMING_A_SIDE, named_sides

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


def known_issues(pairs: Sequence[Pair]) -> list[Issue]:
    """The whole before its parts. Lists are complete, whatever their length: each is one line to work from."""
    told = [*expected_counts(pairs)] if len(pairs) == PAIR_COUNT else [ExpectedCount("pairs", PAIR_COUNT, len(pairs))]
    return [
        *(finding for count in told for finding in count.issues()),
        *_single_url_issues(pairs),
        *_page_url_issues(pairs),
        *_shared_image_issues(pairs),
        *_named_side_issues(pairs),
    ]


def expected_counts(pairs: Sequence[Pair]) -> Iterator[ExpectedCount]:
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


def _single_url_issues(pairs: Sequence[Pair]) -> Iterator[Issue]:
    found = [int(pair.id) for pair in pairs if pair.urls is not None and len(set(pair.urls)) == 1]
    if found:
        what = f"{len(found)} pairs have one URL for both sides, so the same picture twice"
        advice = "cut the pictures that show both (`affordance data split`), or let them be a control"
        yield Issue(Severity.WARNING, f"{what}: {format_ranges(found)}; {advice}")


def _page_url_issues(pairs: Sequence[Pair]) -> Iterator[Issue]:
    for pair in pairs:
        if pair.urls is not None and any(is_source_page(url, pair.source) for url in pair.urls):
            message = f"item {pair.id!r}: expected the URL of a picture, found that of the page that tells of it"
            yield Issue(Severity.WARNING, f"{message}; there is no picture to be had")


def _shared_image_issues(pairs: Sequence[Pair]) -> Iterator[Issue]:
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


def _named_side_issues(pairs: Sequence[Pair]) -> Iterator[Issue]:
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
