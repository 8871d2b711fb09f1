"""JSON out of replies: what is read, what is repaired and noted, and what is not guessed."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author import replies
from affordance.author.replies import LONGEST, Found, read_list, read_object
from errors import assert_carries

ITEM = '{"bbox": [0, 0, 10, 10], "type": "Bar"}'
VALUE = {"bbox": [0, 0, 10, 10], "type": "Bar"}

READ = {
    "plain": (f"[{ITEM}]", [VALUE]),
    "nothing is an answer": ("[]", []),
    "nothing in words": ("There is nothing to divide: []", []),
    "fence": (f"Here:\n```json\n[{ITEM}]\n```\nDone.", [VALUE]),
    "tildes": (f"~~~\n[{ITEM}]\n~~~", [VALUE]),
    "last of two fences": (f"```json\n[{ITEM}, {ITEM}]\n```\nBetter:\n```json\n[{ITEM}]\n```", [VALUE]),
    "thinking": (f"<think>[1, 2, {{</think>\n[{ITEM}]", [VALUE]),
    "thinking without a beginning": (f"I see [1, 2]</think>[{ITEM}]", [VALUE]),
    "words with brackets": (f"The input [0, 0, 1000, 1000] holds [one] bar: [{ITEM}] [1].", [VALUE]),
}

REPAIRED = {  # with the value, and what the note of the repair has in it
    "// comment": (f"[{ITEM}, // the bar\n {ITEM}]", [VALUE, VALUE], ""),
    "# comment": (f"[{ITEM} # the bar\n]", [VALUE], ""),
    "/* comment */": (f"[/* the [bar */{ITEM}]", [VALUE], ""),
    "comment behind true": ('[{"dividable": true  // it has parts\n}]', [{"dividable": True}], ""),
    "no comment in a string": ('[{"a": "https://x.org/#b"},]', [{"a": "https://x.org/#b"}], ""),
    "comma in a list": (f"[{ITEM},]", [VALUE], ""),
    "comma in an object": ('[{"a": 1,}]', [{"a": 1}], ""),
    "missing comma": (f"[{ITEM}\n{ITEM}]", [VALUE, VALUE], ""),
    "missing comma behind a string": ('[{"a": "x"\n "b": 2}]', [{"a": "x", "b": 2}], ""),
    "single quotes": (
        "[{'a': 'the user\\'s', 'b': 'it''s'}]".replace("''", "'"),
        [{"a": "the user's", "b": "it's"}],
        "",
    ),
    "typographic quotes": ("[{“a”: “b”}]", [{"a": "b"}], ""),
    "names without quotes": ("[{a: 1, b_c: [2]}]", [{"a": 1, "b_c": [2]}], ""),
    "Python's constants": ("[{'a': True, 'b': None}]", [{"a": True, "b": None}], ""),
    "quotes in a string": ('[{"a": "the "Save" button"}]', [{"a": 'the "Save" button'}], ""),
    "quotes at the end of a string": ('[{"a": "click "Save""}]', [{"a": 'click "Save"'}], ""),
    "line break in a string": ('[{"a": "x\ny"}]', [{"a": "x\ny"}], ""),
    "bad escape": (r'[{"a": "50\% \_ \u00e9"}]', [{"a": "50\\% \\_ é"}], ""),
    "cut in an item": (f'[{ITEM}, {ITEM}, {{"bbox": [0, 0', [VALUE, VALUE], "2"),
    "cut in a string": (f'```json\n[{ITEM}, {{"type": "Side', [VALUE], "1"),
    "cut in a word": (f'[{ITEM}, {{"dividable": tr', [VALUE], "1"),
    "a number that may be longer": ("[1, 2, 30", [1, 2], "2"),
    "cut behind a comma": (f"[{ITEM},", [VALUE], ""),
    "no closing bracket": (f"```\n[{ITEM}\n```", [VALUE], ""),
    "cut in an object with a list": (f'{{"regions": [{ITEM}, {{"bbox": [0', [VALUE], ""),
    "list in an object": (f'{{"regions": [{ITEM}]}}', [VALUE], ""),
    "objects without a list": (f"{ITEM}\n{ITEM}", [VALUE, VALUE], ""),
}

UNREAD = {  # with what the reason quotes
    "": "",
    "  \n": "",
    "<think>[1, 2]": "",
    "I cannot help with that.": "'I cannot",
    "42": "'42'",
    '[{"bbox": [0, 0': "",
    "[": "",
    '[{"a": 1, "b": oops}, {"a": 2}]': "'oops}",
    '[{"a": ...}, {"a": 2}]': "1",
    '[{"a": 1},, {"a": 2}]': "",
    '[{"a": 1}}]': "']'",
    '[{"a" 1}]\n[]': "1",
    '[{"a": "x" "b": 1}]': "",
    '[{"a": NaN}]': "",
    '[{"a": 007}]': "",
    '[{"a": 1e999}]': "",
    '["\\ud800"]': "",
    "[" * 100: "64",
    "x" * (LONGEST + 1): "200,000",
}


def test_a_list_is_read() -> None:
    for name, (text, value) in READ.items():
        assert read_list(text) == Found(value), name


def test_what_is_certain_is_repaired_and_noted() -> None:
    for name, (text, value, data) in REPAIRED.items():
        found = read_list(text)
        assert isinstance(found, Found), name
        assert found.value == value, name
        assert found.repairs, name
        assert any(data in repair for repair in found.repairs), name


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        (f"[{ITEM}]", False),
        (f"[{ITEM}", False),
        (f"[{ITEM}, {{", True),
        (f"{ITEM}\n{ITEM}", False),
        (f"{ITEM}\n{ITEM[:-5]}", True),
        (f'{{"regions": [{ITEM}, {{"bbox"', True),
    ],
)
def test_a_list_knows_whether_something_of_it_is_missing(text: str, cut: bool) -> None:
    found = read_list(text)
    assert isinstance(found, Found)
    assert found.cut is cut


def test_the_rest_is_a_reason_in_one_line() -> None:
    reasons = {}
    for text, data in UNREAD.items():
        found = read_list(text)
        assert isinstance(found, str), text[:50]
        assert_carries(found, data)
        reasons[text] = found
    assert len({reasons[text] for text in ("", "<think>[1, 2]", "42", '[{"a": 1e999}]', '["\\ud800"]')}) == 5


def test_an_object_is_read() -> None:
    assert read_object('Sure [1]: {"keep": true}') == Found({"keep": True})
    for text, value in (('[{"keep": true}]', {"keep": True}), ('{"keep": "yes"', {"keep": "yes"})):
        found = read_object(text)
        assert isinstance(found, Found)
        assert (found.value, len(found.repairs)) == (value, 1)
    for text, data in (('{"keep": true', "'true'"), ("[1, 2]", "2")):
        reason = read_object(text)
        assert isinstance(reason, str)
        assert_carries(reason, data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@settings(max_examples=40)
@given(st.lists(JSON), st.sampled_from([None, 2]), st.booleans())
def test_whatever_is_json_is_read_as_it_is(value: list[object], indent: int | None, plain: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=plain)
    try:
        written.encode()
    except UnicodeEncodeError:
        return
    if "\\ud" not in written:
        assert read_list(f"Here it is:\n```json\n{written}\n```") == Found(value)


@settings(max_examples=40)
@given(st.lists(st.fixed_dictionaries({"a": st.integers(), "b": st.text(max_size=5)}), min_size=1), st.data())
def test_of_a_list_that_is_cut_the_items_that_are_kept_are_its_first(items: list[object], data: st.DataObject) -> None:
    written = json.dumps(items)
    found = read_list(written[: data.draw(st.integers(0, len(written)))])
    if isinstance(found, Found):
        assert found.value == items[: len(found.value)]
        assert found.value or written == "[]"


@settings(max_examples=100)
@given(st.text(alphabet="[]{}\"':,\\ \n/#*`ab1“”tn", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for found in (read_list(text), read_object(text)):
        assert found if isinstance(found, str) else json.dumps(found.value) is not None


HOSTILE = [
    *("[", "]", "{", "[]", "[x", '{"a":x', '["', '"', "[/*"),
    *("/", "[1,", '{"a":', "['", '["a" x', "[\\", "[ ", "[`", "[#"),
]


def test_hostile_text_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes time by the square of the length would take hundreds of times as long."""
    monkeypatch.setattr(replies, "LONGEST", 20_000)
    for piece in HOSTILE:
        text = piece * ((replies.LONGEST - 1) // len(piece))
        start = time.process_time()
        read_list(text)
        read_object("[" + text)
        assert time.process_time() - start < 5, piece
