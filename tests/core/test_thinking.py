import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.thinking import without_thinking

CASES = {
    "none": ("B", "B"),
    "empty": ("", ""),
    "before the answer": ("<think>A</think>B", "\nB"),
    "other tags": ("<thinking>A</thinking>B<REASONING>C</REASONING>D<thought>E</thought>", "\nB\nD\n"),
    "opened in the prompt": ("A</think>B", "B"),
    "never closed": ("B<think>C", "B"),
    "nothing but thinking": ("<think>C", ""),
    "nested": ("<think>A<think>B</think>C</think>D", "D"),
    "twice": ("<think>A</think>B<think>C</think>D", "\nB\nD"),
    "not a tag": ("think> <thinker>A</thinker>", "think> <thinker>A</thinker>"),
}


@pytest.mark.parametrize(("text", "said"), CASES.values(), ids=CASES.keys())
def test_what_is_said(text: str, said: str) -> None:
    assert without_thinking(text) == said


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["<think>", "</think>", "secret", "\n"])))
def test_nothing_is_invented_and_no_tag_is_left(parts: list[str]) -> None:
    said = without_thinking("".join(parts))
    assert "think>" not in said
    assert set(said.replace("secret", "")) <= {"\n"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("repeated", ["<think>x", "</think>x", "<think", "<think>x</think>"])
def test_a_model_that_repeats_itself_costs_no_more_than_its_length(repeated: str) -> None:
    assert len(without_thinking(repeated * 30_000)) <= 240_000
