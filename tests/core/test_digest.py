import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.digest import digest, digest_text
from affordance.core.json_text import canonical_json

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=4,
)


def test_golden() -> None:
    assert digest() == "4f53cda18c2baa0c0354bb5f9a3ecbe5"
    assert digest("a", 1, None, [0.5]) == digest_text('["a",1,null,[0.5]]')


def test_key_order_does_not_matter() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})


@settings(max_examples=50)
@given(json_values, json_values)
def test_equal_values_and_only_those_have_equal_digests(first: object, second: object) -> None:
    assert (digest(first) == digest(second)) == (canonical_json(first) == canonical_json(second))  # type: ignore[arg-type]


def test_nan_is_no_json() -> None:
    with pytest.raises(ValueError):
        digest(float("nan"))


def test_lone_surrogates_are_digested() -> None:
    assert len(digest("\ud800")) == 32
