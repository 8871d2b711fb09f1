"""The same screens drawn differently: asked about in the same words, as the same pages, and only where they differ."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.core.digest import digest
from affordance.core.question import Question
from affordance.datasets import ActionOutcome, CapturedPage, DatasetCollection, ItemLink, Screen
from affordance.datasets.demo import demo_data
from affordance.grounding.location_scoring import TargetTruth
from affordance.tasks.function.captured_screens import variant_labels
from affordance.tasks.function.ground import GROUND_ELEMENT, GROUND_REGION
from affordance.tasks.function.outcome import OUTCOME_ELEMENT, OUTCOME_REGION
from affordance.tasks.question_design import OptionOrder
from affordance.tasks.task import Task
from function_data import captured_screen, pixel, plain_outcomes, write_captured
from task_numbers import design_of

LOOK = {"width": 1280, "height": 800, "ratio": 1.0, "theme": "light", "locale": "en-US", "zoom": 1.0}
LOOK |= {"serif": False, "moved": False}
GROUND = (GROUND_ELEMENT, GROUND_REGION)


def asked(task: Task, data: DatasetCollection, **changes: Any) -> list[Question]:
    return [
        trial.question
        for trial in task.questions(data, design_of(task, **{"option_order": OptionOrder.SHUFFLED, **changes}))
    ]


def looking(id_: str, original: str | None = None, **look: Any) -> Screen:
    """A screen in some look; what stands on it is moved down by a pixel for each difference from the first."""
    page = CapturedPage(name="page", url="page.html", look={**LOOK, **look})
    links = [ItemLink(kind="variant", to=original)] if original else []
    found = captured_screen(id_, page=page, links=links)
    moved = [
        one.model_copy(update={"box": pixel(one.box.x1, one.box.y1 + 1, one.box.x2, one.box.y2 + 1)})
        for one in found.elements
    ]
    return found.model_copy(update={"elements": moved}) if look else found


def without(screen: Screen, *ids: str) -> Screen:
    kept = {
        "elements": [one for one in screen.elements if one.id not in ids],
        "regions": [one for one in screen.regions if one.id not in ids],
    }
    return screen.model_copy(update=kept)


LIGHT = looking("page")
DARK = looking("dark-page", "page", theme="dark")
ZOOMED = looking("zoomed-page", "page", zoom=1.25)
OUTCOMES = plain_outcomes(LIGHT)


def data_of(root: Path, *screens: Screen, outcomes: list[ActionOutcome] = OUTCOMES) -> DatasetCollection:
    return write_captured(root, screens, outcomes)


DIFFERENCES: dict[str, tuple[dict[str, Any], str]] = {
    "theme": ({"theme": "dark"}, "theme-dark"),
    "zoom": ({"zoom": 1.25}, "zoom125"),
    "language": ({"locale": "de-DE"}, "de-DE"),
    "font": ({"serif": True}, "serif"),
    "places": ({"moved": True}, "moved"),
    "two at once": ({"theme": "dark", "zoom": 0.5}, "theme-dark-zoom50"),
    "size of the window": ({"width": 390}, "width390"),
    "what is no number": ({"zoom": "large"}, "zoomlarge"),
    "nothing that is known": ({"ink": "green"}, "variant"),
    "nothing": ({}, "variant"),
}


@pytest.mark.parametrize(("look", "label"), DIFFERENCES.values(), ids=DIFFERENCES.keys())
def test_a_rendering_is_named_by_what_differs(look: dict[str, Any], label: str) -> None:
    assert variant_labels(LIGHT, [looking("variant", "page", **look)]) == [label]


def test_renderings_of_one_screen_have_names_of_their_own() -> None:
    again, unknown = looking("again", "page", theme="dark"), captured_screen("unknown")
    assert variant_labels(LIGHT, [DARK, again, ZOOMED, unknown]) == ["theme-dark", "again", "zoom125", "unknown"]
    assert variant_labels(captured_screen("page"), [DARK])[0].startswith("theme-dark"), "all of a look is news"


@pytest.mark.parametrize("task", GROUND, ids=lambda task: task.name)
def test_every_target_is_asked_about_on_each_rendering(tmp_path: Path, task: Task) -> None:
    data = data_of(tmp_path, DARK, LIGHT, ZOOMED)
    found = {one.item: one for one in asked(task, data)}
    originals = [one for one in found.values() if one.tags["rendering"] == "original"]
    assert len(found) == 3 * len(originals)
    for one in originals:
        assert "original" not in one.tags
        assert "@" not in one.item
        for label, screen in (("theme-dark", DARK), ("zoom125", ZOOMED)):
            again = found[f"{one.item}@{label}"]
            assert (again.tags["rendering"], again.tags["original"]) == (label, one.item)
            assert again.prompt_fields == one.prompt_fields, "the same words"
            assert again.cluster == one.cluster == "page", "it is the same page"
            assert again.media != one.media
            assert again.tags["picture"] == f"{screen.id}.png"
            assert again.id != one.id


def test_the_boxes_are_those_of_the_rendering(tmp_path: Path) -> None:
    found = {
        one.item: TargetTruth.from_text(one.truth) for one in asked(GROUND_ELEMENT, data_of(tmp_path, LIGHT, DARK))
    }
    here, there = found["page/b1/click"], found["page/b1/click@theme-dark"]
    assert here.boxes == (LIGHT.elements[1].box,)
    assert there.boxes == (DARK.elements[1].box,)
    assert there.alike == tuple(DARK.elements[place].box for place in (0, 2, 3))
    assert there.around == here.around


def test_what_is_not_there_is_not_asked_about(tmp_path: Path) -> None:
    """Neither is what is not there a right answer, a look-alike or what is around."""
    same = [one.model_copy(update={"sentence": "The menu opens."}) for one in OUTCOMES[:2]]
    outcomes = [*same, *OUTCOMES[2:]]
    dark = without(DARK, "b1", "b2", "t0", "tools")
    data = data_of(tmp_path, LIGHT, dark, outcomes=outcomes)
    found = {one.item: one for one in asked(GROUND_ELEMENT, data)}
    assert {item for item in found if item.endswith("@theme-dark")} == {
        f"{item}@theme-dark" for item in found if "@" not in item and not {"b1", "b2", "t0"} & set(item.split("/"))
    }
    truth = TargetTruth.from_text(found["page/b0/click@theme-dark"].truth)
    assert truth.boxes == (DARK.elements[0].box,), "b1 would have been right too"
    assert truth.alike == (DARK.elements[3].box,)
    assert truth.around == (pixel(0, 0, 480, 320),)
    regions = {one.item for one in asked(GROUND_REGION, data)}
    assert "page/tools" in regions
    assert "page/tools@theme-dark" not in regions


def test_who_was_left_out_on_the_original_is_left_out_everywhere(tmp_path: Path) -> None:
    """Of two elements with one outcome the first is asked about; that it is not on the variant changes nothing."""
    same = [one.model_copy(update={"sentence": "The menu opens."}) for one in OUTCOMES[:2]]
    found = asked(GROUND_ELEMENT, data_of(tmp_path, LIGHT, without(DARK, "b0"), outcomes=[*same, *OUTCOMES[2:]]))
    assert not {"page/b1/click", "page/b1/click@theme-dark", "page/b0/click@theme-dark"} & {one.item for one in found}


NO_VARIANTS = {
    "a screen by itself": captured_screen("other"),
    "a variant of something that nobody tried": looking("other", "elsewhere", theme="dark"),
    "a look-alike": captured_screen("other", links=[ItemLink(kind="group", to="page")]),
}


@pytest.mark.parametrize("other", NO_VARIANTS.values(), ids=NO_VARIANTS.keys())
@pytest.mark.parametrize("task", GROUND, ids=lambda task: task.name)
def test_nothing_changes_without_variants(tmp_path: Path, task: Task, other: Screen) -> None:
    alone, beside = asked(task, data_of(tmp_path / "a", LIGHT)), asked(task, data_of(tmp_path / "b", LIGHT, other))
    assert [(one.id, one.tags, one.truth) for one in alone] == [(one.id, one.tags, one.truth) for one in beside]
    assert not any({"rendering", "original"} & one.tags.keys() for one in alone)


def test_a_variant_with_outcomes_of_its_own_is_a_screen_like_any_other(tmp_path: Path) -> None:
    data = data_of(tmp_path, LIGHT, DARK, outcomes=[*OUTCOMES, *plain_outcomes(DARK)])
    found = asked(GROUND_ELEMENT, data)
    assert {one.cluster for one in found} == {"page", "dark-page"}
    assert not any("@" in one.item for one in found)


def test_a_variant_that_looks_the_same_is_not_asked_about(tmp_path: Path) -> None:
    """The model would see the very same picture twice."""
    same = captured_screen("same", page=LIGHT.page, links=[ItemLink(kind="variant", to="page")])
    data = data_of(tmp_path, LIGHT, same.model_copy(update={"image": LIGHT.image}))
    assert not any({"rendering", "original"} & one.tags.keys() for one in asked(GROUND_ELEMENT, data))


@pytest.mark.parametrize("task", [OUTCOME_ELEMENT, OUTCOME_REGION], ids=lambda task: task.name)
def test_outcomes_are_asked_about_on_originals_only(tmp_path: Path, task: Task) -> None:
    alone, varied = asked(task, data_of(tmp_path / "a", LIGHT)), asked(task, data_of(tmp_path / "b", LIGHT, DARK))
    assert [(one.id, one.tags, one.media) for one in alone] == [(one.id, one.tags, one.media) for one in varied]


def test_classes_of_area_and_density_have_the_cut_points_of_the_originals(tmp_path: Path) -> None:
    """And a variant the class that its own boxes have."""
    grown = [
        one.model_copy(update={"box": pixel(one.box.x1, one.box.y1, one.box.x2, one.box.y2 + 40)})
        for one in DARK.elements
    ]
    alone = asked(GROUND_ELEMENT, data_of(tmp_path / "a", LIGHT))
    varied = asked(GROUND_ELEMENT, data_of(tmp_path / "b", LIGHT, DARK.model_copy(update={"elements": grown})))
    originals = [one for one in varied if "original" not in one.tags]
    for name in ("area", "density", "density, Gaussian"):
        assert [one.tags[name] for one in alone] == [one.tags[name] for one in originals]
    areas = [one.tags["area"] for one in varied if one.item.startswith("page/l0")]
    assert areas[0] != areas[1]
    assert areas[1] in {one.tags["area"] for one in alone}


def test_a_breakdown_tells_renderings_apart() -> None:
    assert all("rendering" in [one.tag for one in task.views.breakdowns] for task in GROUND)
    assert not any(
        "rendering" in [one.tag for one in task.views.breakdowns] for task in (OUTCOME_ELEMENT, OUTCOME_REGION)
    )


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> DatasetCollection:
    """Twelve targets: two with one rendering only, the others with two or three."""
    screens = LIGHT, without(DARK, "b0", "t0"), without(ZOOMED, "b0", "t0", "l0", "l1")
    return data_of(tmp_path_factory.mktemp("varied"), *screens)


@settings(deadline=None, max_examples=25)
@given(limit=st.integers(1, 40), more=st.integers(0, 10))
def test_a_limit_takes_a_target_with_all_its_renderings(varied: DatasetCollection, limit: int, more: int) -> None:
    every = asked(GROUND_ELEMENT, varied)
    found = asked(GROUND_ELEMENT, varied, limit=limit)
    families = {one.item.partition("@")[0] for one in found}
    assert [one.id for one in found] == [one.id for one in every if one.item.partition("@")[0] in families]
    assert 0 < len(found) <= max(limit, 3)
    assert len(found) > min(limit, len(every)) - 3, "as many as go in whole"
    assert {one.id for one in found} <= {one.id for one in asked(GROUND_ELEMENT, varied, limit=limit + more)}


# Of the demo screens as they were before there were variants: they are in other people's ledgers.
DEMO = {
    GROUND_ELEMENT.name: (891, "6402d54b722f45676e828d581bb692c7"),
    GROUND_REGION.name: (270, "0f2f191f987caee50ca64855bd13e5b8"),
}


@pytest.mark.parametrize(
    "task",
    [
        pytest.param(GROUND_ELEMENT, marks=pytest.mark.long, id=GROUND_ELEMENT.name),
        pytest.param(GROUND_REGION, id=GROUND_REGION.name),
    ],
)
def test_golden_ids_of_the_demo(shared: Path, task: Task) -> None:
    found = asked(task, demo_data(shared / "cache", set(task.dataset_kinds)))
    originals = [one for one in found if "original" not in one.tags]
    assert (len(originals), digest("golden", [[one.item, one.id] for one in originals])) == DEMO[task.name]
    again = [one for one in found if "original" in one.tags]
    assert {one.tags["rendering"] for one in again} == {"theme-dark"}
    assert {one.tags["original"] for one in again} < {one.item for one in originals}
