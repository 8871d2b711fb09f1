"""The reader of multiple-choice answers: what it must read, what it must refuse, and what it may never do."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affordance.core.question import AnswerOption, SingleChoice
from affordance.tasks.choice_answers import parse_single_choice, write_single_choice
from affordance.tasks.motion.effect import EFFECT_TEXTS

OPTIONS = SingleChoice(
    tuple(
        AnswerOption(letter, name, EFFECT_TEXTS[name])
        for letter, name in zip("ABCDEFG", ["rotate", "move", "size", "color", "fade", "blur", "morph"], strict=True)
    )
)
DESIGNS = SingleChoice((AnswerOption("A", "first", "First design"), AnswerOption("B", "second", "Second design")))
LIST = "\n".join(f"{option.letter}. {option.label}" for option in OPTIONS.options)

MEANS_B = {
    "letter": "B",
    "lower case": "b",
    "period": "B.",
    "parentheses": "(B)",
    "closing parenthesis": "B)",
    "bold": "**B**",
    "bold with period": "**B.**",
    "bullet": "- B",
    "quoted": '"B"',
    "brackets": "[B]",
    "white space": "\n\n   B  \n",
    "carriage returns": "B\r\nBecause it moves.\r\n",
    "full-width, as Chinese models write it": "（Ｂ）",
    "zero-width space": "\u200bB",
    "boxed": r"\boxed{B}",
    "boxed in mathematics": r"$\boxed{\text{B}}$",
    "boxed in round brackets": r"\(\boxed{B}\)",
    "special tokens": "<|begin_of_box|>B<|end_of_box|>",
    "answer tags": "<answer>B</answer>",
    "fence": "```\nB\n```",
    "fence with a language": "```text\nB\n```",
    "letter and name": "B) Move",
    "letter and label": "B - Move (object moves in any direction)",
    "as the options were shown": "B. Move (object moves in any direction)",
    "without a space": "B.Move",
    "letter, space, name": "B Move",
    "letter, space, name in lower case": "B move",
    "name in parentheses": "B (Move)",
    "all bold": "**B. Move**",
    "letter and reason": "B: the square goes to the right",
    "letter and reason after a dash": "B – because the square goes to the right",
    "letter and reason that begins with an article": "B. A square goes to the right",
    "letter and reason that names another": "B. It slides; nothing turns as it would in Rotate",
    "asked form": "B\nThe square goes to the right.",
    "asked form, reason begins with an article": "B\nA square goes to the right.",
    "asked form, reason begins with its name": "B\nMove: the square goes to the right.",
    "asked form, then the others are ruled out": "B\nA. Rotate: nothing turns.\nC. Size: nothing grows.",
    "answer": "Answer: B",
    "answer in bold": "**Answer:** B",
    "answer as a heading": "## Final answer\n\n(B) Move\n\nThe square goes to the right.",
    "answer above": "Answer:\n\nB\nThe square goes to the right.",
    "sentence": "The answer is B.",
    "option": "Option B",
    "final answer": "Final answer: (B)",
    "my answer": "My answer: B",
    "correct option": "The correct option is B. Move",
    "best answer with label": "The best answer is **B. Move (object moves in any direction)**.",
    "thinking": "<think>A or C?</think>\nB",
    "thinking that the prompt opened": "A or C?\nAnswer: C</think>\nB",
    "thinking twice": "<think>A</think><thinking>C\n</thinking>B",
    "name": "Move",
    "name in lower case": "move.",
    "name and reason": "**Move** – because the square goes to the right",
    "label": "Move (object moves in any direction)",
    "animation type": "Animation type: Move",
    "the animation type is": "The animation type is move.",
    "answer by name": "Answer: Move",
    "JSON": '{"answer": "B"}',
    "JSON by name": '{"answer": "Move"}',
    "JSON letter": '{"letter": "B", "reason": "it {moves}"}',
    "JSON in a fence": '```json\n{"answer": "B. Move",\n "reason": "A or C"}\n```',
    "JSON after thinking": '<think>{"answer": "C"}</think>{"answer": "B"}',
    "JSON after words": 'Here is my answer:\n```json\n{"answer": "B"}\n```',
    "JSON that was cut": '{"answer": "B", "reason": "the squ',
    "reasoning, then the answer": "Let me look.\nA square goes to the right.\nAnswer: B",
    "reasoning, then a conclusion": "A square goes to the right.\nTherefore, the correct answer is (B).",
    "reasoning, then the letter": "Let me look.\nA square goes to the right.\n**B**",
    "last marker counts": "Answer: C\nNo, nothing grows.\nFinal answer: B",
    "template first": "Answer: <letter>\nA square goes to the right.\nAnswer: B",
    "the last line that is a letter counts": "A\nIt turns. No, it moves.\nB",
    "options that are judged, then the answer": "A: no\nB: yes\nC: no\n\nAnswer: B",
    "a letter before another marker": "C\nNo, nothing grows.\n**Answer: B**",
    "I choose": "I choose B.\nIt moves.",
    "a letter as the last sentence": "Sorry, the frames are small. B",
    "Kimi's thinking": "◁think▷ The answer is A ◁/think▷ B",
    "Mistral's thinking": "[THINK]Answer: C[/THINK]\nB",
    "an answer block": "<answer>B</answer>\nAnswer: C was my first idea.",
    "a tool call that answers": '{"name": "computer_use", "arguments": {"action": "answer", "text": "B"}}',
    "another language": "答案：B\n因为方块移动了。",
    "JSON, with an answer in a reason": '{"reason": "Answer: C", "answer": "B"}',
    "options, then the answer": f"{LIST}\n\nAnswer: B",
    "options, then the letter": f"{LIST}\n\nB",
}

REFUSED = {
    "nothing": "",
    "white space": " \n\t\r\n ",
    "markup only": "**\n```\n```\n{}",
    "article": "A square moves to the right",
    "article and name": "A fade.",
    "article and name in lower case": "a move",
    "article in lower case": "a moving square",
    "prose": "I think it is a fade",
    "prose about a choice": "I choose a fade",
    "prose about an answer": "The answer is a fade",
    "prose after a marker": "Answer: A square moves",
    "or": "A or B",
    "slash": "A/B",
    "slash with spaces": "A / B",
    "comma": "A, B",
    "and": "A and B",
    "ampersand": "A & B",
    "semicolon": "A; B",
    "two marked letters": "A. B.",
    "two in parentheses": "(A) or (B)",
    "two in parentheses without a space": "(A)(B)",
    "two with a reason": "A) or B) because it turns while it moves",
    "two after a marker": "Answer: A or B",
    "two in JSON": '{"answer": "A or B"}',
    "two lines": "A\nB",
    "two lines with names": "B. Move\nC. Size",
    "two options and a remark": "A, B (not C)",
    "two options and a reason": "A, B - both",
    "two names": "Move, rotate",
    "two names with or": "Move or rotate",
    "two names with slash": "Move/Rotate",
    "letter outside": "Z",
    "next letter outside": "H",
    "letter outside with a name": "H. Move",
    "marked letter outside": "Answer: Z",
    "letter that its name contradicts": "B. Rotate",
    "letter that its name contradicts in parentheses": "C (Move)",
    "letter that its name contradicts in parentheses, after an article": "A (Move)",
    "letter that its name contradicts, bold": "**A** - **Move**",
    "unclosed thinking": "<think>\nIt is B.\nAnswer: B",
    "unclosed thinking after thinking": "<think>C</think>\n<think>\nB",
    "word": "Apple",
    "word with a hyphen": "E-mail",
    "abbreviation": "E.g. the square moves",
    "number": "2",
    "number with period": "2. Move",
    "range": "A to G",
    "options repeated": LIST,
    "options repeated as bullets": LIST.replace("\n", "\n- "),
    "options repeated under a heading": f"Options:\n{LIST}",
    "options repeated without descriptions": "A. Rotate\nB. Move\nC. Size\nD. Color\nE. Fade\nF. Blur\nG. Morph",
    "options repeated in one line": LIST.replace("\n", " "),
    "options repeated as letters": "A\nB\nC\nD\nE\nF\nG",
    "options repeated as names": "Rotate\nMove\nSize\nColor\nFade\nBlur\nMorph",
    "options repeated as JSON": '{\n  "A": "Rotate",\n  "B": "Move"\n}',
    "not": "Not B",
    "answer is not": "The answer is not B.",
    "letter denied": "B is wrong",
    "question": "B?",
    "name in a sentence": "Color changes from blue to red",
    "verb": "Moves",
    "JSON null": '{"answer": null}',
    "JSON number": '{"answer": 2}',
    "JSON without an answer": '{"reason": "it moves"}',
    "JSON that is too deep": '{"answer": ' + "[" * 100_000 + "]" * 100_000 + "}",
    "bare marker": "Answer:",
    "plural marker": "Answers: several",
    "instructions repeated": "First line: only the letter (A to G) of the type you decided on.",
    "cannot tell": "I cannot tell.",
    "error of a provider": "Error: 429 Too Many Requests",
    "error of a server": "A server error occurred. Please try again later.",
    "gateway": "Bad Gateway",
    "page": "<html><body>502 Bad Gateway</body></html>",
}

MARKUP = [
    "**{}**",
    "*{}*",
    "__{}__",
    "`{}`",
    "({})",
    "[{}]",
    '"{}"',
    "“{}”",
    "{}.",
    "{})",
    "{}:",
    "# {}",
    "> {}",
    "- {}",
]
LATEX_AND_TAGS = [
    r"\boxed{{{}}}",
    r"\text{{{}}}",
    r"\textbf{{{}}}",
    "${}$",
    "<answer>{}</answer>",
    "```\n{}\n```",
    "\n {} \n",
]
SENTENCES = ["<think>A? Answer: C</think>{}", "Answer: {}", "Final answer: {}", "{}\nA square moves to the right."]

letters = st.sampled_from([option.letter for option in OPTIONS.options])
wrappers = st.sampled_from([*MARKUP, *LATEX_AND_TAGS, *SENTENCES])
everything = settings(max_examples=60)


def letter_in(text: str, grammar: SingleChoice = OPTIONS) -> str | None:
    option = parse_single_choice(text, grammar)
    return option.letter if option else None


@pytest.mark.parametrize("text", MEANS_B.values(), ids=MEANS_B.keys())
def test_reads(text: str) -> None:
    assert letter_in(text) == "B"


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED.keys())
def test_refuses(text: str) -> None:
    assert letter_in(text) is None


@pytest.mark.parametrize(
    ("text", "letter"),
    [("Second.", "B"), ("first", "A"), ("B: Second", "B"), ("A. Second", None), ("C", None), ("First or second", None)],
)
def test_other_options(text: str, letter: str | None) -> None:
    assert letter_in(text, DESIGNS) == letter


def test_an_article_before_a_name_is_refused_wherever_that_option_stands() -> None:
    """Otherwise "A fade" would count for the model only in those trials in which Fade is option A."""
    turned = OPTIONS.options[4:] + OPTIONS.options[:4]
    fade_is_a = SingleChoice(tuple(AnswerOption(a, o.name, o.label) for a, o in zip("ABCDEFG", turned, strict=True)))
    assert letter_in("A fade", fade_is_a) is None
    assert letter_in("A fade", OPTIONS) is None
    assert letter_in("A Fade", fade_is_a) == "A"  # as it was shown
    assert letter_in("A. fade", fade_is_a) == "A"


@everything
@given(st.text())
@example("<think>" * 1000)
@example("\ud800")
@example('{"answer": "\\ud800"}')
@example("{" * 50_000 + "}" * 50_000)
@example("Answer: " * 10_000)
def test_never_raises(text: str) -> None:
    assert parse_single_choice(text, OPTIONS) in (None, *OPTIONS.options)


WORDS = [
    "A",
    "b",
    "G",
    "H",
    "Move",
    "rotate",
    "Answer",
    "Option",
    "is",
    "or",
    "not",
    "the",
    "\n",
    ":",
    ".",
    ")",
    "(",
    ",",
]
SIGNS = ["**", "`", "```", "<think>", "</think>", "{", "}", '"', '"answer":', "\\boxed", "-", " "]
pieces = st.sampled_from([*WORDS, *SIGNS])


@everything
@given(st.lists(pieces, max_size=14).map(" ".join) | st.lists(pieces, max_size=14).map("".join))
def test_never_raises_on_what_answers_are_made_of(text: str) -> None:
    assert parse_single_choice(text, OPTIONS) in (None, *OPTIONS.options)


@everything
@given(
    st.lists(st.sampled_from(sorted(set("QRTUVWXYZ"))), min_size=1, max_size=3),
    st.sampled_from([*MARKUP, *LATEX_AND_TAGS]),
)
def test_a_letter_outside_is_never_an_answer(outside: list[str], wrapper: str) -> None:
    assert letter_in(wrapper.format(" ".join(outside))) is None


@everything
@given(st.sampled_from(OPTIONS.options), st.text())
@example(OPTIONS.options[0], "B. Move: not what is seen here.")
@example(OPTIONS.options[0], "{}")
def test_what_is_written_is_read(option: AnswerOption, because: str) -> None:
    """Unless the reason states another answer, or ends in a letter of its own."""
    lines = because.strip().splitlines()
    if "answer" not in because.lower() and not (lines and len(lines[-1]) < 8) and "<" not in because:
        assert parse_single_choice(write_single_choice(option, because), OPTIONS) == option


@pytest.mark.parametrize("option", OPTIONS.options, ids=lambda option: option.name)
def test_every_option_makes_the_round_trip(option: AnswerOption) -> None:
    assert parse_single_choice(write_single_choice(option, "A square turns while it moves."), OPTIONS) == option
    assert parse_single_choice(option.label, OPTIONS) == option
    assert parse_single_choice(f"{option.letter}. {option.label}", OPTIONS) == option


@everything
@given(letters, st.lists(st.sampled_from(MARKUP), max_size=3), wrappers)
def test_markup_never_changes_which_option_is_read(letter: str, inner: list[str], outer: str) -> None:
    text = letter
    for wrapper in inner:
        text = wrapper.format(text)
    assert letter_in(outer.format(text)) in (letter, None)
    assert letter_in(outer.format(letter)) == letter
