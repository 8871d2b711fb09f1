import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.answer_text import (
    AMBIGUOUS,
    NO_CANDIDATE,
    AnswerCandidate,
    Strength,
    Unparsed,
    decide,
    parse_answer_text,
    strip_thinking,
)

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
    "any name that ends so": ("<grounding_think>A</grounding_think>B<seed:think>C</seed:think>D", "\nB\nD"),
    "Kimi": ("◁think▷A◁/think▷B", "\nB"),
    "Mistral": ("[THINK]A[/THINK]B", "\nB"),
    "Mistral, never closed": ("[THINK]A B", ""),
    "channels": ("<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>", "B"),
    "channels without a final one": ("<|channel|>analysis<|message|>A<|end|>", ""),
    "not a tag": ("think> <thinker>A</thinker>", "think> <thinker>A</thinker>"),
}


@pytest.mark.parametrize(("text", "said"), CASES.values(), ids=CASES.keys())
def test_what_is_said(text: str, said: str) -> None:
    assert strip_thinking(text) == said


@settings(max_examples=50)
@given(st.lists(st.sampled_from(["<think>", "</think>", "secret", "\n"])))
def test_nothing_is_invented_and_no_tag_is_left(parts: list[str]) -> None:
    said = strip_thinking("".join(parts))
    assert "think>" not in said
    assert set(said.replace("secret", "")) <= {"\n"}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("repeated", ["<think>x", "</think>x", "<think", "<think>x</think>", "◁think▷", "<a:"])
def test_a_model_that_repeats_itself_costs_no_more_than_its_length(repeated: str) -> None:
    assert len(strip_thinking(repeated * 30_000)) <= 240_000


def whole(text: str) -> str | Unparsed:
    return text.strip() if text.strip() in ("A", "B") else NO_CANDIDATE


BLOCKS = {
    "no block": ("A", "A"),
    "block": ("<answer>A</answer> it is", "A"),
    "the last block": ("<answer>A</answer><answer>B</answer>", "B"),
    "nothing in the block": ("<answer>what?</answer>", NO_CANDIDATE),
    "never closed": ("<answer>A", NO_CANDIDATE),
}


@pytest.mark.parametrize(("text", "answer"), BLOCKS.values(), ids=BLOCKS.keys())
def test_an_answer_block_counts_alone(text: str, answer: str | Unparsed) -> None:
    assert parse_answer_text(text, whole) == answer


OWN, MARKED, PROSE = Strength.OWN, Strength.MARKED, Strength.PROSE
DECISIONS = {
    "none": ([], NO_CANDIDATE),
    "the strongest": ([("A", 0, OWN), ("B", 9, MARKED)], "A"),
    "the last of the strongest": ([("A", 0, OWN), ("B", 9, OWN)], "B"),
    "in any order": ([("B", 9, OWN), ("A", 0, OWN)], "B"),
    "different on one line": ([("A", 0, OWN), ("B", 3, OWN)], AMBIGUOUS),
    "the same on one line": ([("A", 0, OWN), ("A", 3, OWN)], "A"),
    "different in prose": ([("A", 0, PROSE), ("B", 9, PROSE)], AMBIGUOUS),
    "ill-formed at the end": ([("A", 0, OWN), (Unparsed("three numbers"), 9, OWN)], Unparsed("three numbers")),
}


@pytest.mark.parametrize(("found", "answer"), DECISIONS.values(), ids=DECISIONS.keys())
def test_the_last_of_the_strongest_decides(
    found: list[tuple[str | Unparsed, int, Strength]], answer: str | Unparsed
) -> None:
    assert decide([AnswerCandidate(*one) for one in found], "12345678\n12345678") == answer
