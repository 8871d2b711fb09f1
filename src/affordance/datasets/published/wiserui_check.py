"""What is known to be odd about WiserUI-Bench, found in whatever part or version of it somebody has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from affordance.datasets.clusters import clusters
from affordance.datasets.published.gather import Count
from affordance.datasets.published.wiserui_urls import is_page
from affordance.datasets.reading import Finding, Level
from affordance.datasets.records import Pair
from affordance.datasets.sides import SIDED, sides_in

PAIRS = 300
LAWS = {
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
SOURCES = {"vwo.com": 168, "goodui.org": 103, "abtest.design": 29}
LENGTHS = {1: 90, 2: 86, 3: 85, 4: 28, 5: 11}


def findings(pairs: Sequence[Pair]) -> list[Finding]:
    """The whole before its parts. Lists are complete, whatever their length: each is one line to work from."""
    told = [*counts(pairs)] if len(pairs) == PAIRS else [Count("pairs", PAIRS, len(pairs))]
    return [
        *(finding for count in told for finding in count.findings()),
        *_one_url(pairs),
        *_pages(pairs),
        *_shared(pairs),
        *_sided(pairs),
    ]


def counts(pairs: Sequence[Pair]) -> Iterator[Count]:
    """How many there are of everything in the whole set, and should be."""
    rationales = [one for pair in pairs for one in pair.rationales]
    laws = Counter(one.law for one in rationales)
    devices = Counter(pair.device for pair in pairs)
    lengths = Counter(len(pair.rationales) for pair in pairs)
    hosts = Counter(host for pair in pairs for host in SOURCES if f"//{host}/" in (pair.source or ""))
    yield Count("pairs", PAIRS, len(pairs))
    yield Count("pairs with two URLs", 227, sum(len(set(pair.urls or ())) == 2 for pair in pairs))
    yield Count("rationales", 684, len(rationales))
    yield from (
        Count(f"pairs with {number} rationales", expected, lengths[number]) for number, expected in LENGTHS.items()
    )
    yield from (
        Count(f"{device} pairs", expected, devices[device]) for device, expected in (("web", 252), ("mobile", 48))
    )
    yield from (Count(f"pairs of {host}", expected, hosts[host]) for host, expected in SOURCES.items())
    yield Count("page types", 11, len({pair.page_type for pair in pairs} - {None}))
    yield Count("industries", 13, len({pair.industry for pair in pairs} - {None}))
    yield Count("companies", 157, len({pair.company for pair in pairs} - {None}))
    yield Count("changed elements", 458, sum(len(pair.changes) for pair in pairs))
    yield Count("changed properties", 597, sum(len(found) for pair in pairs for found in pair.changes.values()))
    yield from (Count(f"rationales by {law}", expected, laws[law]) for law, expected in LAWS.items())


def _one_url(pairs: Sequence[Pair]) -> Iterator[Finding]:
    found = [int(pair.id) for pair in pairs if pair.urls is not None and len(set(pair.urls)) == 1]
    if found:
        what = f"{len(found)} pairs have one URL for both sides, so the same picture twice"
        advice = "cut the pictures that show both (`affordance data split`), or let them be a control"
        yield Finding(Level.WARNING, f"{what}: {ranges(found)}; {advice}")


def _pages(pairs: Sequence[Pair]) -> Iterator[Finding]:
    for pair in pairs:
        if pair.urls is not None and any(is_page(url, pair.source) for url in pair.urls):
            message = f"item {pair.id!r}: expected the URL of a picture, found that of the page that tells of it"
            yield Finding(Level.WARNING, f"{message}; there is no picture to be had")


def _shared(pairs: Sequence[Pair]) -> Iterator[Finding]:
    both = _groups({pair.id: tuple(sorted(pair.urls)) for pair in pairs if pair.urls is not None})
    if both:
        yield Finding(Level.WARNING, f"{len(both)} groups of pairs share both pictures by URL: {_listed(both)}")
    any_of_them = _groups({pair.id: pair.cluster for pair in pairs if pair.cluster is not None})
    if any_of_them:
        joined = len({pair.cluster or pair.id for pair in pairs})
        written = len(set(clusters((pair.id, pair.urls or ()) for pair in pairs).values()))
        apart = f" ({written} by the URLs as they are written)" if written != joined else ""
        what = f"{len(any_of_them)} groups of pairs share a picture with each other"
        yield Finding(
            Level.WARNING,
            f"{what}: {_listed(any_of_them)}; statistics take {joined} clusters{apart}",
        )


def _sided(pairs: Sequence[Pair]) -> Iterator[Finding]:
    named: dict[int, list[int]] = {}
    words: Counter[str] = Counter()
    for pair in pairs:
        for place, one in enumerate(pair.rationales):
            if found := sides_in(one.reason):
                named.setdefault(int(pair.id), []).append(place)
                words[found[0]] += 1
    if not named:
        return
    what = f"{words.total()} rationales name a side ({words['right']} 'right version', {words['left']} 'left version')"
    where = ", ".join(f"{index} ({ranges(place + 1 for place in places)})" for index, places in named.items())
    yield Finding(Level.WARNING, f"{what}: {where}; neutral words are beside them")
    unlisted = [index for index, places in named.items() if tuple(places) != SIDED.get(index, ())]
    if unlisted:
        message = (
            f"expected these to be the rationales that are known to name a side, found others in {ranges(unlisted)}"
        )
        yield Finding(Level.WARNING, f"{message}; they stay as they are")


def ranges(numbers: Iterable[int]) -> str:
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


def _listed(groups: Iterable[Sequence[int]]) -> str:
    return ", ".join("/".join(map(str, group)) for group in groups)
