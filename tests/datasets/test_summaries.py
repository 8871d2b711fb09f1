"""Summaries beside the records: only ever added, and worth as much as the responses that they sum up."""

import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import UserError
from affordance.datasets import Clip, Dataset
from affordance.datasets.summaries import (
    SUMMARIES_FILE,
    ReferenceSummary,
    add_summaries,
    read_summaries,
    responses_digest,
)
from cases import case
from errors import raises
from motion_data import CLIPS, clip

TEA, SALT = clip("tea"), clip("salt")


def data(root: Path, *clips: Clip) -> Dataset:
    return Dataset(root, CLIPS, clips or (SALT, TEA))


def summary(one: Clip, text: str = "It was bought.", **changes: object) -> ReferenceSummary:
    made = ReferenceSummary(one.id, text, "openai:m", "pack", responses_digest(one.meaning_responses))
    return replace(made, **changes)  # type: ignore[arg-type]


def test_none_yet(tmp_path: Path) -> None:
    assert read_summaries(data(tmp_path)) == []
    assert list(tmp_path.iterdir()) == [], "and reading makes no file"


def test_what_is_added_is_read_in_that_order(tmp_path: Path) -> None:
    dataset = data(tmp_path)
    first, second, third = summary(TEA), summary(TEA, "Without one.", left_out=0), summary(SALT, model="ollama:n")
    add_summaries(dataset, [first, second])
    before = (tmp_path / SUMMARIES_FILE).read_bytes()
    add_summaries(dataset, [third])
    assert read_summaries(dataset) == [first, second, third]
    assert (tmp_path / SUMMARIES_FILE).read_bytes().startswith(before), "nothing that was there is changed"


def test_each_line_says_where_it_comes_from(tmp_path: Path) -> None:
    add_summaries(data(tmp_path), [summary(TEA)])
    (line,) = (tmp_path / SUMMARIES_FILE).read_text(encoding="utf-8").splitlines()
    assert json.loads(line) == {
        "item": "item-tea",
        "text": "It was bought.",
        "model": "openai:m",
        "prompt": "pack",
        "responses": responses_digest(TEA.meaning_responses),
        "left_out": None,
    }


CHANGED = {
    "one more": [*TEA.meaning_responses, "More."],
    "one less": TEA.meaning_responses[1:],
    "another order": TEA.meaning_responses[::-1],
    "another word": ["The tea is in the bag.", *TEA.meaning_responses[1:]],
    "cut elsewhere": ["".join(TEA.meaning_responses)],
}


def test_a_summary_of_other_responses_does_not_count(tmp_path: Path) -> None:
    add_summaries(data(tmp_path), [summary(TEA), summary(SALT)])
    for name, responses in CHANGED.items():
        with case(name):
            changed = TEA.model_copy(update={"meaning_responses": responses})
            assert [one.item for one in read_summaries(data(tmp_path, SALT, changed))] == ["item-salt"]
    assert len(read_summaries(data(tmp_path))) == 2, "it is still there, should they be changed back"


def test_a_summary_of_a_clip_that_is_gone_does_not_count(tmp_path: Path) -> None:
    add_summaries(data(tmp_path), [summary(TEA), summary(SALT)])
    assert [one.item for one in read_summaries(data(tmp_path, SALT))] == ["item-salt"]


def test_a_new_summary_comes_after_a_stale_one(tmp_path: Path) -> None:
    changed = TEA.model_copy(update={"meaning_responses": ["It was paid.", "Paid."]})
    dataset = data(tmp_path, changed)
    add_summaries(dataset, [summary(TEA)])
    add_summaries(dataset, [summary(changed, "It was paid for.")])
    assert [one.text for one in read_summaries(dataset)] == ["It was paid for."]


GOOD = json.dumps(asdict(summary(TEA)))
BROKEN = {
    "cut": GOOD[:-20],
    "not an object": "[]",
    "a word": "summary",
    "a field too few": '{"item": "item-tea", "text": "x"}',
    "a field too many": GOOD[:-1] + ', "author": "me"}',
    "a number as text": json.dumps(asdict(summary(TEA)) | {"text": 5}),
    "a text as number": json.dumps(asdict(summary(TEA)) | {"left_out": "0"}),
    "null": "null",
}


def test_a_broken_line_is_reported_with_its_number(tmp_path: Path) -> None:
    for name, line in BROKEN.items():
        (tmp_path / SUMMARIES_FILE).write_text(f"{GOOD}\n\n{line}\n", encoding="utf-8")
        with case(name), raises(UserError, f"{tmp_path / SUMMARIES_FILE}:3"):
            read_summaries(data(tmp_path))


def test_what_is_not_text_is_a_broken_line_too(tmp_path: Path) -> None:
    (tmp_path / SUMMARIES_FILE).write_bytes(b'{"item": "\xff"}\n')
    with raises(UserError, f"{tmp_path / SUMMARIES_FILE}:1"):
        read_summaries(data(tmp_path))


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A folder stands in the way, which stops even root."""
    (tmp_path / SUMMARIES_FILE).mkdir()
    assert read_summaries(data(tmp_path)) == []
    with raises(UserError, tmp_path / SUMMARIES_FILE):
        add_summaries(data(tmp_path), [summary(TEA)])


def test_where_the_folder_is_gone(tmp_path: Path) -> None:
    with raises(UserError, tmp_path / "gone"):
        add_summaries(data(tmp_path / "gone"), [summary(TEA)])


@settings(max_examples=30)
@given(st.lists(st.text()))
def test_any_text_survives(texts: list[str]) -> None:
    """Also one with characters that end a line for some, and for others do not."""
    with tempfile.TemporaryDirectory() as folder:
        dataset = data(Path(folder))
        made = [summary(TEA, text) for text in [*texts, "one\u2028two\x85three\r\nfour"]]
        add_summaries(dataset, made)
        assert read_summaries(dataset) == made
