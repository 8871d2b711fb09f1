"""Items that have something in common, over any number of others."""

from collections.abc import Iterable, Sequence


def shared_image_clusters(keys: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """The name of each item's cluster, which is the least of the ids in it. Items with one key are of one cluster."""
    parents: dict[str, str] = {}
    owners: dict[str, str] = {}

    def root(item: str) -> str:
        while parents[item] != item:
            item = parents[item]
        return item

    for item, found in keys:
        parents[item] = item
        for key in found:
            first, second = sorted((root(item), root(owners.setdefault(key, item))))
            parents[second] = first
    return {item: root(item) for item in parents}
