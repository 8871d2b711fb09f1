from affordance.core.lru import LRUCache


def test_the_least_recently_used_goes_first() -> None:
    cache: LRUCache[str, str] = LRUCache(3)
    for name in "abc":
        cache.put(name, name)
    assert cache.get("a") == "a"
    cache.put("d", "d")
    assert [cache.get(name) for name in "abcd"] == ["a", None, "c", "d"]


def test_sizes_count_and_not_entries() -> None:
    cache: LRUCache[str, bytes] = LRUCache(3)
    cache.put("large", b"1234", 4)
    assert cache.get("large") is None
    cache.put("two", b"12", 2)
    cache.put("two", b"other", 5)
    cache.put("one", b"1", 1)
    cache.put("more", b"12", 2)
    assert [cache.get(name) for name in ("two", "one", "more")] == [None, b"1", b"12"]
