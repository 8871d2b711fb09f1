"""`author ask`: questions about look-alikes, worded and checked by models, or made without any."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affordance.author.groups.dating import made_of
from affordance.author.questions import grounding, outcomes
from affordance.author.questions.asking import NOTHING, ask
from affordance.author.questions.offline import EMPTY, LEAKS, NOT_TOLD, OF_PAGE
from affordance.author.questions.people import SAME
from affordance.author.records import (
    Choice,
    Detected,
    Elements,
    Group,
    Groups,
    Kind,
    Member,
    QuestionRecord,
    Retelling,
    Validation,
)
from affordance.author.state import ScreenState
from affordance.author.tools import NotThere, Result, Unasked
from affordance.core.errors import UnknownName
from affordance.core.geometry import CoordinateSpace
from affordance.core.media_spec import RED, ImageSpec
from affordance.core.requests import Request
from affordance.datasets import Element, Screen
from affordance.datasets.screens import Region as PageRegion
from affordance.evaluation.ad_hoc import CHECKER
from affordance.media import encode_image
from author_prompts import fields_of
from author_question_answers import answer
from author_question_screens import CARDS, STARS, TABS, mailbox, without_texts
from author_stage import Answer, Ended, box, carry_out
from errors import assert_carries, raises


def questions(result: Result) -> dict[str, QuestionRecord]:
    assert all(change.kind is Kind.QUESTION for change in result.changes)
    return {
        change.subject.removeprefix("one/"): change.document
        for change in result.changes
        if isinstance(change.document, QuestionRecord)
    }


def asked(
    screen: ScreenState, model: Answer | None = answer, checker: Answer | None = answer, **settings: str
) -> Ended:
    return carry_out(ask, "ask", screen, model, settings, {CHECKER: checker} if checker else {})


def text_of(one: Request) -> str:
    return "\n".join(part for message in one.messages for part in message.parts if isinstance(part, str))


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """What comes of the usual screen with a model and a checker."""
    return asked(mailbox(tmp_path_factory.mktemp("mailbox")))


def test_all_questions_of_a_screen(ended: Ended) -> None:
    found = questions(ended.result)
    assert ended.result.notes == []
    grounding = [f"ground-element-{one}-{action}" for one in (*STARS, *TABS) for action in ("click", "hover")]
    regions = [f"ground-region-{one}" for one in CARDS]
    assert [name for name in found if name.startswith("ground")] == [*grounding, *regions]
    kinds = Counter(re.sub(r"\d(-(click|hover))?$", "", name) for name in found if name.startswith("outcome"))
    assert kinds == {"outcome-element-s": 2, "outcome-element-t": 2, "outcome-region-1-": 1}
    assert not any(one.dropped for one in found.values())
    for name, one in found.items():
        assert one.checks["unique"] == "confirmed", name
        assert one.checks["leaks"] == "none"
        assert one.by == "test:model"
        assert set(one.attributes) == {"nid_count", "nid_gauss", "area_percent", "group_size"}
        assert one.attributes["group_size"] == "3"
    tries = Counter(one.checks["tries"] for one in found.values())
    assert tries["1"] > 0
    assert tries["2"] > 0


def test_expressions(ended: Ended) -> None:
    found = questions(ended.result)
    clicked, hovered = found["ground-element-t1-click"], found["ground-element-t1-hover"]
    assert list(clicked.expressions) == ["functionality", "description", "intent"]
    assert list(hovered.expressions) == ["functionality", "intent"]  # what it looks like is asked once
    assert clicked.box == box(120, 8, 200, 32)
    assert (clicked.action, hovered.action) == ("click", "hover")
    assert clicked.alike == ["t0", "t2"]
    assert list(found["ground-region-1-2"].expressions) == ["functionality", "description"]
    for one in found.values():
        assert not any("drafts" in text.lower() for text in one.expressions.values() if one.target == "t1")


def words_for(ended: Ended, target: str) -> list[dict[str, str]]:
    """The fields of the requests for words about an element."""
    found = [fields_of(text_of(one), "ask", "ground-element") for one in ended.asked]
    return [one for one in found if one is not None and f" {target} " in one["target"].splitlines()[0]]


def test_the_message_that_asks_for_words(ended: Ended) -> None:
    first = words_for(ended, "t1")[0]
    assert_carries(first["target"], "[188, 20, 312, 80]", "Drafts", "Opens the folder number 1 of this account.")
    assert [line.split()[2] for line in first["alike"].splitlines()] == ["t0", "t2"]
    assert_carries(first["actions"], "click", "hover")
    assert json.loads(first["form"])["target_element_id"] == "t1"
    request = next(one for one in ended.asked if '"target_element_id": "t1"' in text_of(one))
    (picture,) = request.images
    assert picture.max_side == 1920
    assert [(outline.box, outline.colour) for outline in picture.outlines] == [(box(120, 8, 200, 32), RED)]
    assert not re.search(r"\{[a-z_]+\}", text_of(request))


def test_checkers_see_all_candidates_in_a_seeded_order(ended: Ended) -> None:
    checks = [one for one in ended.asked if fields_of(text_of(one), "ask", "unique")]
    candidates = [(fields_of(text_of(one), "ask", "unique") or {})["candidates"].splitlines() for one in checks]
    assert all([line.split()[0] for line in lines] == ["1", "2", "3"] for lines in candidates)
    firsts = {one.images[0].outlines[0].box for one in checks}
    assert len(firsts) > 3  # the target is not always at the same place
    assert all(isinstance(one.images[0], ImageSpec) and len(one.images[0].outlines) == 3 for one in checks)


def test_leaks_are_worded_again(ended: Ended) -> None:
    requests = [fields for one in (*STARS, *TABS) for fields in words_for(ended, one)]
    remarks = [fields["remarks"] for fields in requests if fields["remarks"].strip()]
    assert any("“" in text for text in remarks), "what is written on the target is quoted"


def stubborn(said: str) -> Answer:
    """A model that words every target in the same way, whatever the remarks."""

    def model(text: str, images: list[bytes]) -> str | None:
        fields = fields_of(text, "ask", "ground-element") or fields_of(text, "ask", "ground-region")
        if fields is None:
            return answer(text, images)
        form = json.loads(fields["form"])
        acts = {name: dict.fromkeys(keys, said) for name, keys in form.get("referring_expressions", {}).items()}
        return json.dumps({"referring_expressions": acts, "question": said, "description": said})

    return model


@pytest.mark.parametrize(
    ("said", "dropped", "data"),
    [
        ("The one that says Archive, Drafts or Later", grounding.LEAKS, "drafts"),
        ("It is one of several.", grounding.AMBIGUOUS, "t"),
        ("", grounding.NO_WORDING, ""),
    ],
)
def test_what_no_try_puts_right_is_dropped(tmp_path: Path, said: str, dropped: str, data: str) -> None:
    found = questions(asked(mailbox(tmp_path), stubborn(said)).result)
    one = found["ground-element-t1-click"]
    assert one.dropped == dropped
    assert one.checks["tries"] == "3"
    assert_carries(one.checks["functionality"], data)
    assert one.expressions == (dict.fromkeys(("functionality", "description", "intent"), said) if said else {})
    assert not found[next(name for name in found if name.startswith("outcome-element-s"))].dropped


def test_one_text_that_fails_is_left_out(tmp_path: Path) -> None:
    def model(text: str, images: list[bytes]) -> str | None:
        said = answer(text, images)
        return said if said is None else said.replace("Go to what", "Click on what")

    one = questions(asked(mailbox(tmp_path), model).result)["ground-element-t1-click"]
    assert not one.dropped
    assert list(one.expressions) == ["functionality", "description"]
    assert_carries(one.checks["intent"], "“Click”")


def test_without_a_checker(tmp_path: Path) -> None:
    found = questions(asked(mailbox(tmp_path), checker=None).result)
    (unchecked,) = {one.checks["unique"] for one in found.values()}
    assert unchecked != "confirmed"


def test_a_checker_that_says_nothing_of_use(tmp_path: Path) -> None:
    found = questions(asked(mailbox(tmp_path), checker=lambda text, images: "Hard to say.").result)
    assert "confirmed" not in {one.checks["unique"] for one in found.values()}
    assert all(one.checks["unique"] for one in found.values())
    assert not any(one.dropped for one in found.values())


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """The same with all members of groups as targets of outcome questions."""
    return asked(mailbox(tmp_path_factory.mktemp("every")), targets="all")


def test_outcome_options(every: Ended) -> None:
    for one in questions(every.result).values():
        if one.form == "ground":
            continue
        origins = Counter(option.origin for option in one.options)
        assert origins == {"target": 1, "hard": 2, "easy": 2}
        own = next(option for option in one.options if option.origin == "target")
        assert own.of == one.target
        assert {option.of for option in one.options if option.origin == "hard"} == set(one.alike)
        easy = {option.of for option in one.options if option.origin == "easy"}
        assert easy.isdisjoint({one.target, *one.alike})
        assert len({option.text for option in one.options}) == 5


def test_targets(ended: Ended, every: Ended, tmp_path: Path) -> None:
    one, all_of = ([name for name in questions(run.result) if name.startswith("outcome")] for run in (ended, every))
    assert (len(one), len(all_of)) == (5, 15)
    assert set(one) < set(all_of)
    with raises(UnknownName, "targets", "'some'"):
        asked(mailbox(tmp_path), targets="some")


def test_who_words_the_options_does_not_know_the_right_one(every: Ended) -> None:
    edits = [one for one in every.asked if fields_of(text_of(one), "ask", "options")]
    assert edits
    assert all(one.images == () for one in edits)
    found = questions(every.result)
    places = Counter(
        next(place for place, option in enumerate(one.options) if option.origin == "target")
        for one in found.values()
        if one.form == "outcome"
    )
    assert len(places) > 2


def test_options_that_stay_uneven_are_dropped(tmp_path: Path) -> None:
    def model(text: str, images: list[bytes]) -> str | None:
        if fields := fields_of(text, "ask", "options"):
            letters = re.findall(r"^([A-Z])\) ", fields["options"], re.MULTILINE)
            return json.dumps({"options": dict.fromkeys(letters, "The same for all.")})
        return answer(text, images)

    found = questions(asked(mailbox(tmp_path), model).result)
    mine = [one for one in found.values() if one.form == "outcome"]
    assert {one.dropped for one in mine} == {outcomes.LEAKS}
    (complaint,) = {one.checks["options"] for one in mine}
    assert_carries(complaint, "A", "B")
    assert any(option.text == "does what 1-1 does" for one in mine for option in one.options)  # as they were


def test_options_of_which_several_are_right_are_dropped(tmp_path: Path) -> None:
    def checker(text: str, images: list[bytes]) -> str | None:
        return "A, B, C, D, E" if fields_of(text, "ask", "options-right") else answer(text, images)

    found = questions(asked(mailbox(tmp_path), checker=checker).result)
    mine = [one for one in found.values() if one.form == "outcome"]
    assert {one.dropped for one in mine} == {outcomes.AMBIGUOUS}


def test_names_do_not_depend_on_the_numbers_of_groups(every: Ended, tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    assert screen.element_groups is not None
    renumbered = [
        one.model_copy(update={"id": name})
        for one, name in zip(reversed(screen.element_groups.groups), ("1", "2"), strict=True)
    ]
    again = asked(replace(screen, element_groups=Groups(groups=renumbered)), targets="all")
    assert set(questions(again.result)) == set(questions(every.result))


def test_a_target_of_several_groups_has_an_outcome_question_for_each(tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    assert screen.element_groups is not None
    stars, tabs = screen.element_groups.groups
    both = tabs.model_copy(update={"members": [stars.members[0], *tabs.members[:2]]})
    result = asked(replace(screen, element_groups=Groups(groups=[stars, both])), targets="all").result
    names = [name for name in questions(result) if name.startswith("outcome-element")]
    assert len(names) == 2 * (3 + 3)
    assert {questions(result)[name].group for name in names if "-s0-" in name} == {"1", "2"}
    assert "outcome-element-s1-click" in names


def test_the_same_twice(ended: Ended, tmp_path: Path) -> None:
    again = asked(mailbox(tmp_path))
    assert again.result == ended.result
    assert {one.question for one in again.asked} == {one.question for one in ended.asked}
    assert len({one.question for one in ended.asked}) == len(ended.asked) - sum(one.trial > 0 for one in ended.asked)


def test_a_provider_that_fails(tmp_path: Path) -> None:
    with raises(Unasked, "went away"):
        asked(mailbox(tmp_path), lambda text, images: None)


def test_nothing_to_ask(tmp_path: Path) -> None:
    bare = replace(mailbox(tmp_path), element_groups=None, region_groups=Groups())
    assert asked(bare).result == Result([], [NOTHING])


def described(screen: ScreenState, **texts: tuple[str, str]) -> ScreenState:
    """With what a person has said of regions: what they are for, and how they look."""
    nodes = {f"1-{name[1:]}": said for name, said in texts.items()}
    retellings = {
        node: Retelling(box=screen.regions[node].box, functionality=what, description=looks)
        for node, (what, looks) in nodes.items()
    }
    return replace(screen, retellings=retellings, told=frozenset(nodes))


def test_what_a_person_wrote_is_asked_in_their_words(tmp_path: Path) -> None:
    bare = replace(mailbox(tmp_path), element_groups=None, elements=None, region_groups=None)
    screen = described(bare, n0=("Chooses which mails are listed.", ""), n4=("", "The lowest strip."))
    result = asked(screen, None, None).result
    found = questions(result)
    assert list(found) == ["ground-region-1-0", "ground-region-1-4"]
    assert list(found["ground-region-1-0"].expressions) == ["functionality"]
    assert "Chooses which mails are listed." in found["ground-region-1-0"].expressions["functionality"]
    assert found["ground-region-1-4"].expressions == {"description": "The lowest strip."}
    assert {(one.by, one.group, one.dropped) for one in found.values()} == {("people", None, "")}
    assert asked(screen).result == result, "a model has no say in it"


def test_the_same_words_for_two_regions_ask_for_neither(tmp_path: Path) -> None:
    bare = replace(mailbox(tmp_path), element_groups=None, elements=None, region_groups=None)
    found = questions(asked(described(bare, n0=("Leads on.", ""), n4=("leads on", "A strip.")), None, None).result)
    first, second = found["ground-region-1-0"], found["ground-region-1-4"]
    assert (first.dropped, first.expressions) == (SAME, {})
    assert (second.dropped, second.expressions) == ("", {"description": "A strip."})


def test_what_is_in_a_group_is_not_asked_for_twice(tmp_path: Path) -> None:
    screen = described(mailbox(tmp_path), n1=("Shows a picture of the place.", ""))
    found = questions(asked(screen, None, None).result)
    assert found["ground-region-1-1"].group == "1"
    assert "Shows a picture of the place." in found["ground-region-1-1"].expressions["functionality"]


def test_candidates_stand_in_for_groups(tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    found = asked(replace(screen, element_groups=None, candidates=screen.element_groups), None, None).result
    assert found == asked(screen, None, None).result


def test_what_people_rejected_goes_no_further(tmp_path: Path) -> None:
    said = Validation(contextual=True, purposeful=False, truthful=True, rejected=True)
    screen = replace(mailbox(tmp_path), validations={"1-1": said, "1-2": said}, element_groups=None)
    result = asked(screen).result
    assert result.changes == []
    assert len(result.notes) == 3
    assert result.notes[-1] == NOTHING


def test_elements_that_are_gone(tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    assert screen.elements is not None
    left = [one for one in screen.elements.elements if one.id != "t0"]
    found = asked(replace(screen, elements=Elements(source="dom", elements=left)), None, None).result
    assert found.notes
    assert "ground-element-t0" not in questions(found)
    assert "ground-element-t1" in questions(found)


GROUP_AGAIN = "affordance author group"


@pytest.mark.parametrize("model", [None, answer])
def test_groups_of_another_tree_are_not_asked_about(tmp_path: Path, model: Answer | None) -> None:
    """Ids of nodes are given out again whenever a screen is divided."""
    screen = mailbox(tmp_path)
    moved = screen.regions["1-2"].model_copy(update={"box": box(440, 150, 620, 240)})
    with raises(NotThere, GROUP_AGAIN):
        asked(replace(screen, regions={**screen.regions, "1-2": moved}), model)


def test_rounding_does_not_make_groups_out_of_date(tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    near = screen.regions["1-2"].model_copy(update={"box": box(440.4, 159.6, 620, 240)})
    found = questions(asked(replace(screen, regions={**screen.regions, "1-2": near}), None, None).result)
    assert found["ground-region-1-2"].box == near.box


def test_groups_of_other_elements_are_not_asked_about(tmp_path: Path) -> None:
    screen = mailbox(tmp_path)
    assert screen.elements is not None
    assert screen.element_groups is not None
    dated = screen.element_groups.model_copy(update={"of": made_of(screen.elements, screen.element_groups.groups)})
    screen = replace(screen, element_groups=dated)
    assert questions(asked(screen, None, None).result)
    others = [one for one in screen.elements.elements if one.id not in STARS + TABS]  # of which nothing is asked
    fewer = [one for one in screen.elements.elements if one not in others]
    assert questions(asked(replace(screen, elements=Elements(source="dom", elements=fewer)), None, None).result)
    moved = [one.model_copy(update={"box": box(1, 2, 30, 40)}) if one.id == "s1" else one for one in fewer]
    for elements in (moved, fewer[1:]):
        now = replace(screen, elements=Elements(source="vision", elements=elements))
        with raises(NotThere, GROUP_AGAIN):
            asked(now, None, None)
        candidates = replace(now, element_groups=None, candidates=dated)
        with raises(NotThere, GROUP_AGAIN):
            asked(candidates, None, None)


def test_without_what_they_do_only_looks_are_asked_for(tmp_path: Path) -> None:
    result = asked(without_texts(mailbox(tmp_path))).result
    found = questions(result)
    assert {one.form for one in found.values()} == {"ground"}
    assert all(list(one.expressions) == ["description"] for one in found.values())
    assert len(result.notes) == 2


def test_offline(tmp_path: Path) -> None:
    result = asked(without_texts(mailbox(tmp_path)), None, None).result
    found = {name: one.expressions for name, one in questions(result).items()}
    assert found["ground-element-s1"] == {
        "description": "The second from the top of three similar buttons in a column."
    }
    assert found["ground-element-t2"] == {"description": "The third from the left of three similar tabs in a row."}
    assert len(found) == 9
    kept = [one for one in questions(result).values() if not one.dropped]
    assert {(one.by, one.level, one.checks["unique"]) for one in kept} == {("layout", "element", OF_PAGE)}
    # They are not seen as boxes.
    assert {one.dropped for one in questions(result).values() if one.level == "region"} == {NOT_TOLD}
    assert result.notes


def test_offline_empty_regions_are_no_targets(tmp_path: Path) -> None:
    screen = without_texts(mailbox(tmp_path))
    screen.path.write_bytes(encode_image(np.full((400, 640, 3), 230, np.uint8)))
    found = questions(asked(screen, None, None).result)
    assert {found[f"ground-region-{one}"].dropped for one in CARDS} == {EMPTY}


def test_offline_with_what_a_model_said_before(tmp_path: Path) -> None:
    found = questions(asked(mailbox(tmp_path), None, None).result)
    one = found["ground-element-s0"]
    assert "Marks mail 0 as important for later." in one.expressions["functionality"]
    assert one.checks["unique"].startswith(OF_PAGE)
    assert one.checks["unique"] != OF_PAGE, "the functionality is unchecked"
    outcome = next(one for name, one in found.items() if name.startswith("outcome-element-s"))
    assert not outcome.dropped
    assert Counter(option.origin for option in outcome.options) == {"target": 1, "hard": 2, "easy": 2}


@pytest.mark.parametrize("space", list(CoordinateSpace))
def test_offline_with_the_regions_of_a_page_in_any_space(tmp_path: Path, space: CoordinateSpace) -> None:
    screen = without_texts(mailbox(tmp_path))
    names = {"1-1": "Harbour", "1-2": "Mill", "1-3": "Quarry"}
    page = Screen(
        id="one",
        image="media/screen.png",
        width=640,
        height=400,
        regions=[
            PageRegion(
                id=node, box=screen.regions[node].box.to_space(space, 640, 400), type="article", description=name
            )
            for node, name in names.items()
        ],
    )
    found = questions(asked(replace(screen, captured=page), None, None).result)
    assert found["ground-region-1-2"].expressions == {
        "description": "The second from the top of three similar cards in a column."
    }


def test_offline_regions_do_not_say_their_names(tmp_path: Path) -> None:
    """What is written in a region may be its name, or a part of it."""
    screen = without_texts(mailbox(tmp_path))
    assert screen.elements is not None
    texts = [
        Detected(id="h", box=box(450, 70, 560, 90), role="link", text="Jonas Felder"),
        Detected(id="i", box=box(450, 170, 560, 190), role="link", text="Rope yard today"),
    ]
    image = np.full((400, 640, 3), 255, np.uint8)
    for y in (70, 170):
        image[y + 4 : y + 16, 452:558:2] = 0
    screen.path.write_bytes(encode_image(image))
    names = {"1-1": "Message from Jonas Felder", "1-2": "Message from Mara"}
    page = Screen(
        id="one",
        image="media/screen.png",
        width=640,
        height=400,
        regions=[
            PageRegion(id=node, box=screen.regions[node].box, type="article", description=name)
            for node, name in names.items()
        ],
    )
    groups = Groups(groups=[Group(id="1", members=[Member(id=one, box=screen.regions[one].box) for one in names])])
    screen = replace(screen, captured=page, region_groups=groups, elements=Elements(source="dom", elements=texts))
    found = questions(asked(replace(screen, element_groups=None), None, None).result)
    descriptions = [one.expressions.get("description", "") for one in found.values()]
    assert found["ground-region-1-2"].expressions == {"description": "The card that holds “Rope yard today”."}
    assert found["ground-region-1-1"].dropped in ("", LEAKS)
    assert not any("Jonas" in text for text in descriptions)


def test_offline_with_a_captured_page(tmp_path: Path) -> None:
    screen = without_texts(mailbox(tmp_path))
    assert screen.elements is not None
    page = Screen(
        id="one",
        image="media/screen.png",
        width=640,
        height=400,
        elements=[
            Element(id=one.id, box=one.box, role=one.role, functionality=f"Does the thing of {one.id}.")
            for one in screen.elements.elements
        ],
    )
    found = questions(asked(replace(screen, captured=page), None, None).result)
    assert found["ground-element-s0"].by == "dom"
    assert found["ground-element-s0"].expressions["functionality"].endswith("Does the thing of s0.")
    outcome = next(one for name, one in found.items() if name.startswith("outcome-element-s"))
    assert all(option.text.startswith("Does the thing of ") for option in outcome.options)
    assert isinstance(outcome.options[0], Choice)
