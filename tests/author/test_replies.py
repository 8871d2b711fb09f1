"""JSON out of replies: what is read, what is put right and told, and what is not guessed."""

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.replies import LONGEST, Found, read_list, read_object

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

MENDED = {
    "// comment": (f"[{ITEM}, // the bar\n {ITEM}]", [VALUE, VALUE], "comments"),
    "# comment": (f"[{ITEM} # the bar\n]", [VALUE], "comments"),
    "/* comment */": (f"[/* the [bar */{ITEM}]", [VALUE], "comments"),
    "comment behind true": ('[{"dividable": true  // it has parts\n}]', [{"dividable": True}], "comments"),
    "no comment in a string": ('[{"a": "https://x.org/#b"},]', [{"a": "https://x.org/#b"}], "comma before"),
    "comma in a list": (f"[{ITEM},]", [VALUE], "comma before"),
    "comma in an object": ('[{"a": 1,}]', [{"a": 1}], "comma before"),
    "missing comma": (f"[{ITEM}\n{ITEM}]", [VALUE, VALUE], "missing comma"),
    "missing comma behind a string": ('[{"a": "x"\n "b": 2}]', [{"a": "x", "b": 2}], "missing comma"),
    "single quotes": (
        "[{'a': 'the user\\'s', 'b': 'it''s'}]".replace("''", "'"),
        [{"a": "the user's", "b": "it's"}],
        "kind",
    ),
    "typographic quotes": ("[{“a”: “b”}]", [{"a": "b"}], "kind"),
    "names without quotes": ("[{a: 1, b_c: [2]}]", [{"a": 1, "b_c": [2]}], "names"),
    "Python's constants": ("[{'a': True, 'b': None}]", [{"a": True, "b": None}], "spelt"),
    "quotes in a string": ('[{"a": "the "Save" button"}]', [{"a": 'the "Save" button'}], "quotes inside"),
    "quotes at the end of a string": ('[{"a": "click "Save""}]', [{"a": 'click "Save"'}], "quotes inside"),
    "line break in a string": ('[{"a": "x\ny"}]', [{"a": "x\ny"}], "line breaks"),
    "bad escape": (r'[{"a": "50\% \_ \u00e9"}]', [{"a": "50\\% \\_ é"}], "backslash"),
    "cut in an item": (f'[{ITEM}, {ITEM}, {{"bbox": [0, 0', [VALUE, VALUE], "2 whole items"),
    "cut in a string": (f'```json\n[{ITEM}, {{"type": "Side', [VALUE], "1 whole items"),
    "cut in a word": (f'[{ITEM}, {{"dividable": tr', [VALUE], "1 whole items"),
    "a number that may be longer": ("[1, 2, 30", [1, 2], "2 whole items"),
    "cut behind a comma": (f"[{ITEM},", [VALUE], "brackets at the end"),
    "no closing bracket": (f"```\n[{ITEM}\n```", [VALUE], "brackets at the end"),
    "cut in an object with a list": (f'{{"regions": [{ITEM}, {{"bbox": [0', [VALUE], "inside an object"),
    "list in an object": (f'{{"regions": [{ITEM}]}}', [VALUE], "inside an object"),
    "objects without a list": (f"{ITEM}\n{ITEM}", [VALUE, VALUE], "no list around"),
}

UNREAD = {
    "": "an empty reply",
    "  \n": "an empty reply",
    "<think>[1, 2]": "only thinking",
    "I cannot help with that.": "found none in 'I cannot",
    "42": "found none in '42'",
    '[{"bbox": [0, 0': "one whole item",
    "[": "found none",
    '[{"a": 1, "b": oops}, {"a": 2}]': "a value at line 1, found 'oops}",
    '[{"a": ...}, {"a": 2}]': "a value at line 1",
    '[{"a": 1},, {"a": 2}]': "a value",
    '[{"a": 1}}]': "a comma or ']'",
    '[{"a" 1}]\n[]': "a colon at line 1",
    '[{"a": "x" "b": 1}]': "a comma between strings",
    '[{"a": NaN}]': "a value",
    '[{"a": 007}]': "a value",
    '[{"a": 1e999}]': "too large",
    '["\\ud800"]': "surrogate",
    "[" * 100: "at most 64 levels",
    "x" * (LONGEST + 1): "at most 200,000 characters",
}


@pytest.mark.parametrize(("text", "value"), READ.values(), ids=READ)
def test_a_list_is_read(text: str, value: object) -> None:
    assert read_list(text) == Found(value)


@pytest.mark.parametrize(("text", "value", "told"), MENDED.values(), ids=MENDED)
def test_what_is_certain_is_put_right_and_told(text: str, value: object, told: str) -> None:
    found = read_list(text)
    assert isinstance(found, Found), found
    assert found.value == value
    assert any(told in repair for repair in found.repairs), found.repairs


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


@pytest.mark.parametrize(("text", "reason"), UNREAD.items(), ids=[text[:20] for text in UNREAD])
def test_the_rest_is_a_reason_in_one_line(text: str, reason: str) -> None:
    found = read_list(text)
    assert isinstance(found, str), found
    assert reason in found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Sure [1]: {"keep": true}', Found({"keep": True})),
        ('[{"keep": true}]', Found({"keep": True}, ("the object was inside a list",))),
        ('{"keep": "yes"', Found({"keep": "yes"}, ("missing brackets at the end were put in",))),
        ('{"keep": true', "expected JSON: the rest of an object at line 1, found 'true'"),
        ("[1, 2]", "expected a JSON object, found a list of 2"),
    ],
)
def test_an_object_is_read(text: str, found: object) -> None:
    assert read_object(text) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(JSON), st.sampled_from([None, 2]), st.booleans())
def test_whatever_is_json_is_read_as_it_is(value: list[object], indent: int | None, plain: bool) -> None:
    written = json.dumps(value, indent=indent, ensure_ascii=plain)
    try:
        written.encode()
    except UnicodeEncodeError:
        return
    if "\\ud" not in written:
        assert read_list(f"Here it is:\n```json\n{written}\n```") == Found(value)


@given(st.lists(st.fixed_dictionaries({"a": st.integers(), "b": st.text(max_size=5)}), min_size=1), st.data())
def test_of_a_list_that_is_cut_the_items_that_are_kept_are_its_first(items: list[object], data: st.DataObject) -> None:
    written = json.dumps(items)
    found = read_list(written[: data.draw(st.integers(0, len(written)))])
    if isinstance(found, Found):
        assert found.value == items[: len(found.value)]
        assert found.value or written == "[]"


@settings(max_examples=300)
@given(st.text(alphabet="[]{}\"':,\\ \n/#*`ab1“”tn", max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    for found in (read_list(text), read_object(text)):
        assert found if isinstance(found, str) else json.dumps(found.value) is not None


HOSTILE = [
    "[",
    "]",
    "{",
    "[]",
    "[x",
    '{"a":x',
    '["',
    '"',
    "[/*",
    "/",
    "[1,",
    '{"a":',
    "['",
    '["a" x',
    "[\\",
    "[ ",
    "[`",
    "[#",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_takes_no_time(piece: str) -> None:
    text = piece * ((LONGEST - 1) // len(piece))
    start = time.process_time()
    read_list(text)
    read_object("[" + text)
    assert time.process_time() - start < 60
