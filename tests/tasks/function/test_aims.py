"""Where questions about places come from: captured screens with verified outcomes, and targets written down."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from affordance.core.errors import UserError
from affordance.core.question import LocationFormat
from affordance.datasets import ActionOutcome, DatasetCollection, PageChange, Region, Screen
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.function.captured_targets import captured_targets
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.targets import GroundingTarget, dataset_targets
from affordance.tasks.question_design import OptionOrder, PlannedQuestion, has_both_sources
from affordance.tasks.task import QUESTION_TEXT_TAG, Task
from errors import assert_carries, raises
from function_data import (
    RING,
    captured_screen,
    outcome,
    outline,
    pixel,
    plain_outcomes,
    screen,
    target,
    then_click,
    unseen,
    write_captured,
)
from task_numbers import design_of

ALL = ("functionality", "description", "intent")


def trials(task: Task, data: DatasetCollection, **changes: Any) -> list[PlannedQuestion]:
    return list(task.questions(data, design_of(task, **{"option_order": OptionOrder.SHUFFLED, **changes})))


@pytest.fixture
def page() -> Screen:
    return captured_screen()


def of_elements(
    root: Path, page: Screen, outcomes: Sequence[ActionOutcome], level: str = "element"
) -> dict[str, GroundingTarget]:
    return {aim.id: aim for aim in captured_targets(write_captured(root, [page], outcomes), level, "function/x")}


def test_every_look_alike_with_an_outcome_is_an_aim(tmp_path: Path, page: Screen) -> None:
    found = of_elements(tmp_path, page, plain_outcomes(page))
    assert set(found) == {f"page/{one.id}/click" for one in page.elements}
    aim = found["page/b1/click"]
    assert aim.truth.boxes == (page.elements[1].box,)
    assert aim.truth.alike == tuple(page.elements[place].box for place in (0, 2, 3))
    assert aim.truth.around == (pixel(10, 10, 300, 70), pixel(0, 0, 480, 320)), "the nearest first"
    assert found["page/l0/click"].truth.around == (pixel(0, 0, 480, 320),)
    assert (aim.tags["action"], aim.tags["group size"], aim.tags["platform"]) == ("click", "3-4", "web")
    opened = "The page about page b1 opens."
    parts = {"functionality": ("?", opened), "description": ("Button b1", "Tools"), "intent": (opened,)}
    assert aim.expressions.keys() == parts.keys()
    for kind, data in parts.items():
        assert_carries(aim.expressions[kind], *data)


def test_an_element_that_looks_like_no_other_is_left_out(tmp_path: Path) -> None:
    page = captured_screen(changes={"b0": {"box": pixel(20, 20, 39, 60)}, "t0": {"role": "checkbox"}})
    found = of_elements(tmp_path, page, plain_outcomes(page))
    assert {"page/b0/click", "page/t0/click"} & set(found) == set()
    assert len(found) == 10


def test_elements_with_the_same_outcome_are_accepted_and_too_many_are_left_out(tmp_path: Path, page: Screen) -> None:
    b0, b1, b2, b3, *_ = page.elements
    same = [outcome("page", one, "The menu opens.") for one in (b0, b1)]
    by_another_way = outcome("page", b2, "The menu opens.", "hover")
    found = of_elements(tmp_path / "few", page, [*same, by_another_way, outcome("page", b3, "Another.")])
    assert found["page/b1/click"].truth.boxes == (b1.box, b0.box), "the target first"
    assert found["page/b2/hover"].truth.boxes == (b2.box,), "it must be the same action"
    for number in (3, 4):
        many = [outcome("page", one, "The menu opens.") for one in page.elements[:number]]
        found = of_elements(tmp_path / str(number), page, [*many, outcome("page", page.elements[5], "Else.")])
        assert sum("/b" in id_ for id_ in found) == (number if number <= 3 else 0)


CHANGES = {
    "a new address": (PageChange(url="https://example.org"), True),
    "something appears": (PageChange(added=["Saved"]), True),
    "printing": (PageChange(printed=True), True),
    "only looks": (PageChange(pixels=0.5, elsewhere=0.5), False),
    "only the focus": (PageChange(focus={"role": "button", "name": "x"}), False),  # type: ignore[arg-type]
    "nothing": (PageChange(), False),
    "nobody knows": (None, False),
}


@pytest.mark.parametrize(("change", "asked"), CHANGES.values(), ids=CHANGES.keys())
def test_vague_outcomes_are_left_out(tmp_path: Path, page: Screen, change: PageChange | None, asked: bool) -> None:
    first, *others = page.elements
    outcomes = [outcome("page", first, "Something looks different.", change=change)]
    found = of_elements(tmp_path, page, [*outcomes, *(outcome("page", one, f"{one.id}.") for one in others)])
    assert ("page/b0/click" in found) is asked


def test_outcomes_of_several_steps_are_not_aims(tmp_path: Path, page: Screen) -> None:
    first, second, *_ = page.elements
    steps = [then_click(first, "A menu."), then_click(second, "It closes.")]
    outcomes = [outcome("page", first, "It closes.", steps=steps), *plain_outcomes(page)[1:]]
    assert "page/b0/click" not in of_elements(tmp_path, page, outcomes)


NAMES = {
    "its own name is in it": ("Inbox", "The page Inbox opens.", "yes"),
    "in another case": ("INBOX", "The page inbox opens.", "yes"),
    "another name": ("Inbox", "The page Mail opens.", "no"),
    "too short to tell": ("in", "The page Inbox opens.", "no"),
    "none": (None, "The page None opens.", "no"),
}


@pytest.mark.parametrize(("name", "sentence", "tag"), NAMES.values(), ids=NAMES.keys())
def test_whether_reading_is_enough(tmp_path: Path, name: str | None, sentence: str, tag: str) -> None:
    page = captured_screen(changes={"b0": {"name": name}})
    found = of_elements(tmp_path, page, [outcome("page", page.elements[0], sentence), *plain_outcomes(page)[1:]])
    assert found["page/b0/click"].tags["names itself"] == tag


def test_a_description_that_fits_two_is_no_description(tmp_path: Path) -> None:
    changes = {"b0": {"name": "More"}, "b1": {"name": "More"}, "t0": {"name": "More"}, "t1": {"name": None}}
    page = captured_screen(changes=changes)
    found = of_elements(tmp_path, page, plain_outcomes(page))
    described = {id_: aim.expressions.get("description") for id_, aim in found.items()}
    assert described["page/b0/click"] is described["page/b1/click"] is described["page/t1/click"] is None
    assert_carries(described["page/t0/click"] or "", "tab ", "More", "Tabs")


def test_regions_are_told_by_what_can_be_done_in_them(tmp_path: Path, page: Screen) -> None:
    found = of_elements(tmp_path, page, plain_outcomes(page), "region")
    assert set(found) == {"page/all", "page/tools", "page/tabs"}
    tools, everything = found["page/tools"], found["page/all"]
    parts = re.split(r"\((\d)\) ", tools.expressions["functionality"])
    assert parts[1::2] == ["1", "2", "3"]
    for place, part in enumerate(parts[2::2]):
        assert_carries(part, f"The page about page b{place} opens.")
    assert_carries(tools.expressions["description"], "toolbar", "Tools")
    assert tools.truth.around == (pixel(0, 0, 480, 320),)
    assert everything.truth.within == (pixel(10, 10, 300, 70), pixel(10, 110, 320, 150))
    assert tools.tags["region type"] == "Global Navigation & Structure"
    assert everything.tags["region type"] == "Content & Data Display"
    named = {one.id for one in page.elements if f"page {one.id} opens" in everything.expressions["functionality"]}
    assert len(named) == 3
    assert len({name[0] for name in named}) > 1, "all of one part would be found there"


def test_regions_with_too_little_of_their_own_are_left_out(tmp_path: Path, page: Screen) -> None:
    once = {one.id: outcome("page", one, f"Of {one.id}.") for one in page.elements}
    everywhere = [outcome("page", one, "The same.") for one in page.elements if one.id.startswith("t")]
    outcomes = [*everywhere, *(one for name, one in once.items() if not name.startswith("t"))]
    assert set(of_elements(tmp_path, page, outcomes, "region")) == {"page/all", "page/tools"}


def test_regions_of_one_place_are_not_asked_about(tmp_path: Path) -> None:
    """Two regions with the same elements and the same box: nothing that is done in them tells one from the other,
    unless one is in the other."""
    tools = Region(id="tools", box=pixel(10, 10, 300, 70), type="toolbar")
    twins = [tools, tools.model_copy(update={"id": "again"})]
    page = captured_screen(regions=twins)
    found = of_elements(tmp_path / "twins", page, plain_outcomes(page), "region")
    for aim in found.values():
        others = [other for other in found.values() if other is not aim]
        assert aim.expressions["functionality"] not in [other.expressions["functionality"] for other in others]
    nested = captured_screen(regions=[tools, tools.model_copy(update={"id": "again", "parent": "tools"})])
    assert set(of_elements(tmp_path / "nested", nested, plain_outcomes(nested), "region")) == {"page/again"}


def test_density_and_area_have_the_cut_points_of_the_dataset(tmp_path: Path, page: Screen) -> None:
    found = of_elements(tmp_path, page, plain_outcomes(page))
    for name in ("area", "density", "density, Gaussian"):
        values = Counter(aim.tags[name] for aim in found.values())
        assert len(values) > 1, name
        assert all("(" in value for value in values)


def test_outcomes_without_screens_are_told(tmp_path: Path, page: Screen) -> None:
    data = write_captured(tmp_path, [page], plain_outcomes(page))
    with raises(UserError, "--data"):
        trials(GROUND_ELEMENT, data.select({"outcome"}))


def test_screens_without_targets_are_told(page: Screen) -> None:
    with raises(UserError, "function/ground-region", "'few'"):
        trials(GROUND_REGION, unseen(page))


WRITTEN = screen(
    "s",
    (400, 200),
    [
        target("box", box=pixel(0, 0, 40, 20), alike=[pixel(50, 0, 90, 20)], action="click", intent="Do it."),
        target("mille", box=pixel(0, 0, 40, 20), description="A thing.", functionality="Which?", intent="Do it."),
        target("ring", polygon=outline(RING, (400, 200)), description="A ring.", intent="Go."),
        target("none", absent=True, tags={"group_size": "7", "density_shipped": "dense"}),
        target("region", "region", pixel(0, 0, 200, 200), description="A half."),
    ],
    platform="desktop",
)


def test_targets_that_are_written_down() -> None:
    found = {aim.id: aim for aim in dataset_targets(unseen(WRITTEN), "element")}
    assert list(found) == ["s/box", "s/mille", "s/ring", "s/none"]
    assert {id_: aim.tags["target"] for id_, aim in found.items()} == {
        "s/box": "box",
        "s/mille": "box",
        "s/ring": "polygon",
        "s/none": "absent",
    }
    assert found["s/box"].truth.alike == (pixel(50, 0, 90, 20),)
    assert found["s/box"].tags["action"] == "click"
    assert found["s/none"].truth.is_absent
    assert (found["s/none"].tags["group size"], found["s/none"].tags["density, as shipped"]) == ("7+", "dense")
    assert found["s/ring"].truth.polygon[0] == (80.0, 40.0)
    assert found["s/none"].tags["area"] == found["s/ring"].tags["area"] == "unknown"
    assert [aim.id for aim in dataset_targets(unseen(WRITTEN), "region")] == ["s/region"]


ASKED_ABOUT: dict[str, tuple[tuple[str, ...], list[tuple[str, str]]]] = {
    "functionality, without a wish": ((), [("mille", "functionality"), ("none", "functionality")]),
    "description": (("description",), [("mille", "description"), ("ring", "description")]),
    "several: on the same targets": (("description", "intent"), [
        ("mille", "description"), ("mille", "intent"), ("ring", "description"), ("ring", "intent"),
    ]),
    "all": (ALL, [("mille", "functionality"), ("mille", "description"), ("mille", "intent")]),
}  # fmt: skip


@pytest.mark.parametrize(("wanted", "expected"), ASKED_ABOUT.values(), ids=ASKED_ABOUT.keys())
def test_expressions(wanted: tuple[str, ...], expected: list[tuple[str, str]]) -> None:
    found = [trial.question for trial in trials(GROUND_ELEMENT, unseen(WRITTEN), expression=wanted)]
    assert [(one.item.removeprefix("s/"), one.tags["expression"]) for one in found] == expected
    for one in found:
        assert one.prompt_fields["expression"] == one.tags[QUESTION_TEXT_TAG]
        assert isinstance(one.answer_format, LocationFormat)
        assert one.answer_format.absent, "one target is absent, so all models are told how to say it"


def test_a_dataset_that_is_described_otherwise() -> None:
    """Without a wish what there is is taken; a wish that cannot be met is one line."""
    data = unseen(screen("s", (400, 200), [target("a", box=pixel(0, 0, 9, 9), intent="Open it.")]))
    (trial,) = trials(GROUND_ELEMENT, data)
    assert trial.question.tags["expression"] == "intent"
    with pytest.raises(UserError) as raised:
        trials(GROUND_ELEMENT, data, expression=("description",))
    assert_carries(str(raised.value), "function/ground-element", "intent", "description")
    assert len(trials(GROUND_ELEMENT, data, expression=ALL)) == 1


def test_expressions_that_no_target_has_together_are_told() -> None:
    """An empty run would look like a complete one."""
    targets = [
        target("a", box=pixel(0, 0, 9, 9), intent="Open it."),
        target("b", box=pixel(9, 9, 20, 20), description="Red."),
    ]
    with pytest.raises(UserError):
        trials(GROUND_ELEMENT, unseen(screen("s", (400, 200), targets)), expression=ALL)


def test_regions_have_no_intent() -> None:
    data = unseen(
        screen("s", (400, 200), [target("r", "region", pixel(0, 0, 9, 9), intent="Open it.", description="R")])
    )
    found = trials(GROUND_REGION, data, expression=ALL)
    assert [trial.question.tags["expression"] for trial in found] == ["description"]


def test_a_larger_limit_asks_the_same_and_more() -> None:
    screens = [screen(f"s{n:02d}", (400, 200), [target("a", box=pixel(0, 0, 9, 9))]) for n in range(20)]
    items = [[trial.question.item for trial in trials(GROUND_ELEMENT, unseen(*screens), limit=n)] for n in (3, 8, 99)]
    assert [len(of) for of in items] == [3, 8, 20]
    assert set(items[0]) < set(items[1]) < set(items[2])
    both = trials(GROUND_ELEMENT, unseen(WRITTEN), limit=1, expression=("description", "intent"))
    assert len({trial.question.item for trial in both}) == 1
    assert len(both) == 2, "a limit counts targets, not expressions"


def test_written_targets_and_captured_ones_are_both_asked(tmp_path: Path, page: Screen) -> None:
    """Of the same words on a screen, and of one id, the written one; version 1 asked the captured ones only."""
    found = plain_outcomes(page)
    alone = write_captured(tmp_path / "a", [page], found)
    captured = {one.question.item: one.question for one in trials(GROUND_ELEMENT, alone)}
    same = captured["page/b0/click"].prompt_fields["expression"]
    written = [
        target("mine", box=pixel(1, 1, 9, 9)),
        target("same", box=pixel(20, 20, 60, 60), functionality=same),
        target("b1/click", box=pixel(2, 2, 9, 9)),
        target("region", "region", box=pixel(0, 0, 99, 99)),
    ]
    data = write_captured(tmp_path / "b", [page.model_copy(update={"targets": written})], found)
    both = {one.question.item: one.question for one in trials(GROUND_ELEMENT, data)}
    assert has_both_sources(trials(GROUND_ELEMENT, data))
    assert has_both_sources(trials(GROUND_REGION, data))
    mine = {"page/mine", "page/same", "page/b1/click"}
    assert set(both) == {*captured, *mine} - {"page/b0/click"}
    assert {item for item, one in both.items() if one.tags["source"] == "written"} == mine
    assert "page/region" in {one.question.item for one in trials(GROUND_REGION, data)}
    version_1 = {one.question.item: one.question.id for one in trials(GROUND_ELEMENT, data, version=1)}
    assert version_1 == {item: one.id for item, one in captured.items()}


def test_targets_that_are_written_decide_how_they_are_asked_for(tmp_path: Path, page: Screen) -> None:
    """Without a wish: captured ones are known in all ways, and none that is written is left out."""
    written = [target("mine", box=pixel(1, 1, 9, 9), intent="Do it.")]
    data = write_captured(tmp_path, [page.model_copy(update={"targets": written})], plain_outcomes(page))
    found = [one.question for one in trials(GROUND_ELEMENT, data)]
    assert {one.tags["expression"] for one in found} == {"intent"}
    assert {"page/mine", "page/b0/click"} <= {one.item for one in found}


def test_golden_ids(tmp_path: Path, page: Screen) -> None:
    """They are in other people's ledgers, and pair models and prompt versions for ever."""
    (first, *_) = trials(GROUND_ELEMENT, unseen(WRITTEN))
    assert (first.question.item, first.question.id) == ("s/mille", GOLDEN_WRITTEN)
    data = write_captured(tmp_path, [page], plain_outcomes(page))
    (made, *_) = trials(GROUND_REGION, data)
    assert (made.question.item, made.question.id) == ("page/all", GOLDEN_MADE)


GOLDEN_WRITTEN = "27fd49937761277402278ebb89aeffed"
GOLDEN_MADE = "e9abe3ef47906569886cef92756c6ae5"


def test_clusters_are_screens() -> None:
    (first, *_) = trials(GROUND_ELEMENT, unseen(WRITTEN))
    assert first.question.cluster == "s"
    assert TargetTruth.from_text(first.question.truth).size == (400, 200)
