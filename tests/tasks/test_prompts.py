"""Prompt packs: the packaged ones are whole, and a user's own are held to the same form."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import affordance
from affordance.author.stages import STAGES, prompts_of
from affordance.core.digest import digest
from affordance.core.errors import UserError
from affordance.core.prompts import fill
from affordance.tasks.behavior.choice import CHOICE
from affordance.tasks.behavior.design_preference import PREFERENCE
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.function.calibration import CALIBRATION_TASK
from affordance.tasks.motion.effect import EFFECT
from affordance.tasks.motion.meaning_summaries import SUMMARY
from affordance.tasks.prompts import load_prompt_pack, load_prompt_packs
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
def test_a_folder_without_prompts_for_the_run_is_named(tmp_path: Path, folder: str) -> None:
    with raises(UserError, "motion/effect", tmp_path / folder):
        load_prompt_packs([EFFECT, CHOICE], tmp_path / folder)


def test_a_folder_replaces_single_prompts(tmp_path: Path) -> None:
    pack_in(tmp_path, "Compare {text_a} with {text_b}.", "behavior/rationale", "judge")
    packs = load_prompt_packs([RATIONALE, CHOICE], tmp_path)
    assert packs["behavior/rationale"].texts == {
        **load_prompt_pack(RATIONALE).texts,
        "judge": "Compare {text_a} with {text_b}.",
    }
    assert packs["behavior/choice"] == load_prompt_pack(CHOICE)


# Keys of stored responses and identities of stored runs hold these digests.
DIGESTS = {
    "motion/effect": "b58383265b27852d95753c826dcccdc4",
    "motion/purpose": "ec46792aacd6cc61ecd794b7f749ee70",
    "motion/meaning": "3ee8baa1267bdede665c11ddd5c7b694",
    "motion/twin": "67cd310a1b5413a92d50b90008337c8a",
    "behavior/choice": "92c7d3bda1762856b2088811332f00d2",
    "behavior/rationale": "2543f94238613f754c9864b7d4414141",
    "function/ground-region": "e682591ed4b7bb73f2d1a6edee8c7acf",
    "function/ground-element": "f29605cc2d19d3704f14e50043f7360b",
    "function/outcome-region": "0a0389ee944fbd0a20c2936dd9835836",
    "function/outcome-element": "861fccc4914f36ad63941dc0717f40ae",
    "motion/summary": "eec14ce0702841d2d22bd6bc29741625",
    "behavior/choose": "863ad8f0a49cc52d272d1a70546e0fe1",
    "function/probe": "f29605cc2d19d3704f14e50043f7360b",
    "author/divide": "65d48fef75a52ee6807ab44a52022bae",
    "author/classify": "439457cdb2c06eecabb27a8531e9559b",
    "author/reannotate": "504c8e8ed4c490c45f837bc1703b6a50",
    "author/group": "a487b591d3fdbbec28dbc71349fd7448",
    "author/ask": "96b03c21ecc46c20586e17f06099fdce",
}
TREE_DIGEST = "132980ec1ef5f5c12cdd93148dd15040"  # of the bytes of all files


def test_version_1_of_the_prompts_is_frozen() -> None:
    root = Path(affordance.__file__).parent / "prompts" / "1"
    files = sorted(root.rglob("*.txt"))
    assert digest("tree", {path.relative_to(root).as_posix(): path.read_bytes().hex() for path in files}) == TREE_DIGEST
    tasks = [*TASKS.builtin.values(), SUMMARY, PREFERENCE, CALIBRATION_TASK]
    found = {task.name: load_prompt_pack(task).digest for task in tasks}
    stages = {f"author/{name}": prompts_of(name).digest for name in STAGES}
    assert {**found, **{name: one for name, one in stages.items() if one}} == DIGESTS


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
