"""Prompt packs: the packaged ones are whole, and a user's own are held to the same form."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.errors import UserError
from affordance.core.prompts import fill
from affordance.tasks.motion.effect import EFFECT
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.registry import TASKS
from affordance.tasks.task import Task
from errors import raises

WORDING = "At {rate} a second: {options} ({letters})"


def pack_in(folder: Path, text: str | bytes, task: str = "motion/effect", name: str = "zero-shot") -> Path:
    path = folder / task / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS.keys())
def test_every_packaged_prompt_loads(task: Task) -> None:
    pack = load_prompt_pack(task)
    assert "zero-shot" in pack.texts or task.scorer.locations
    for text in pack.texts.values():
        assert text
        assert text == text.strip()


def test_a_pack_from_a_folder(tmp_path: Path) -> None:
    assert load_prompt_pack(EFFECT, pack_in(tmp_path, f"\n  {WORDING}\n\n")).texts == {"zero-shot": WORDING}


def test_the_digest_follows_the_wording_and_nothing_else(tmp_path: Path) -> None:
    one = load_prompt_pack(EFFECT, pack_in(tmp_path / "one", WORDING))
    assert load_prompt_pack(EFFECT, pack_in(tmp_path / "other", WORDING + "\n")).digest == one.digest
    assert load_prompt_pack(EFFECT, pack_in(tmp_path / "changed", WORDING + "!")).digest != one.digest
    assert load_prompt_pack(EFFECT).digest != one.digest


def test_the_digest_knows_which_text_is_which_prompt(tmp_path: Path) -> None:
    two = replace(EFFECT, name="acme/two", prompts={"a": "ours", "b": "ours too"})
    for folder, texts in (("one", ("x", "y")), ("other", ("y", "x"))):
        for name, text in zip("ab", texts, strict=True):
            pack_in(tmp_path / folder, text, "acme/two", name=name)
    assert load_prompt_pack(two, tmp_path / "one").digest != load_prompt_pack(two, tmp_path / "other").digest


WRONG = {
    "missing placeholder": ("At {rate}: {options}", ("{letters}, {options}, {rate}", " {options}, {rate}")),
    "unknown placeholder": (WORDING + " {truth}", ("{letters}, {options}, {rate}", "{truth}")),
    "misspelt placeholder": ("{rate} {option} {letters}", ("{letters}, {option}, {rate}",)),
    "empty": ("", ("{letters}, {options}, {rate}",)),
    "not UTF-8": (b"\xff{rate}", ("UTF-8",)),
}


@pytest.mark.parametrize(("text", "data"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_prompt_is_one_clear_line(tmp_path: Path, text: str | bytes, data: tuple[str, ...]) -> None:
    with raises(UserError, "motion/effect/zero-shot.txt", *data):
        load_prompt_pack(EFFECT, pack_in(tmp_path, text))


@pytest.mark.parametrize("folder", ["nowhere", "."])
def test_a_missing_prompt_is_named_with_its_folder(tmp_path: Path, folder: str) -> None:
    with raises(UserError, "motion/effect/zero-shot.txt", tmp_path / folder):
        load_prompt_pack(EFFECT, tmp_path / folder)


FILLED = {
    "one field": ("At {rate}.", {"rate": "10"}, "At 10."),
    "twice": ("{a} {a}", {"a": "x"}, "x x"),
    "a field that holds a placeholder": ("{a} {b}", {"a": "{b}", "b": "{a}"}, "{b} {a}"),
    "a field that holds a backslash": ("{a}", {"a": r"\1 \g<0>"}, r"\1 \g<0>"),
    "JSON": (
        '{"score": 5 | 4, "reason": "{a}"} {} {1} {A} {{',
        {"a": "x"},
        '{"score": 5 | 4, "reason": "x"} {} {1} {A} {{',
    ),
    "fields that are not used": ("plain", {"a": "x"}, "plain"),
    "an empty field": ("<{a}>", {"a": ""}, "<>"),
}


@pytest.mark.parametrize(("text", "fields", "expected"), FILLED.values(), ids=FILLED.keys())
def test_fill(text: str, fields: dict[str, str], expected: str) -> None:
    assert fill(text, fields) == expected


@settings(max_examples=40)
@given(st.text(), st.text())
def test_fields_come_through_as_they_are(a: str, b: str) -> None:
    assert fill("{a}|{b}", {"a": a, "b": b}) == f"{a}|{b}"
