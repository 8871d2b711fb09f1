from affordance.core.lru import LruCache


def test_the_least_recently_used_goes_first() -> None:
    cache: LruCache[str, bytes] = LruCache(3, len)
    for name in "abc":
        cache.put(name, name.encode())
    assert cache.get("a") == b"a"
    cache.put("d", b"d")
    assert [cache.get(name) for name in "abcd"] == [b"a", None, b"c", b"d"]
    assert len(cache) == 3


def test_bytes_count_and_not_entries() -> None:
    cache: LruCache[str, bytes] = LruCache(3, len)
    cache.put("large", b"1234")
    assert len(cache) == 0
    cache.put("two", b"12")
    cache.put("two", b"other")
    cache.put("one", b"1")
    cache.put("more", b"12")
    assert [cache.get(name) for name in ("two", "one", "more")] == [None, b"1", b"12"]


def test_a_value_is_created_once() -> None:
    cache: LruCache[int, bytes] = LruCache(10, len)
    made: list[int] = []

    def create() -> bytes:
        made.append(1)
        return b"x"

    assert [cache.get_or_create(1, create) for _ in range(3)] == [b"x"] * 3
    assert len(made) == 1
