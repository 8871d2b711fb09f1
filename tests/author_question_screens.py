"""Screens with look-alike groups to ask about."""

from dataclasses import replace
from pathlib import Path

from affordance.author.records import Detected, Elements, Group, Groups, Member, Texts
from affordance.author.state import ScreenState
from author_stage import Part, box, drawn

STARS = ("s0", "s1", "s2")
TITLES = ("Harbour plan", "Rope yard", "Lantern walk")
TABS = ("t0", "t1", "t2")
CARDS = ("1-1", "1-2", "1-3")


def mailbox(folder: Path) -> ScreenState:
    """Three mails with a star and a title each, three tabs above, and three cards beside: elements and regions with
    texts, in groups with outcomes."""
    parts = {
        "1-0": Part((0, 0, 640, 40), description="a bar with three tabs"),
        "1-1": Part((440, 60, 620, 140), description="a card with a picture"),
        "1-2": Part((440, 160, 620, 240), description="a card with a map"),
        "1-3": Part((440, 260, 620, 340), description="a card with a list"),
        "1-4": Part((0, 360, 640, 400), description="a footer"),
    }
    stars = [Detected(id=one, box=box(20, 60 + 40 * n, 44, 84 + 40 * n), role="button") for n, one in enumerate(STARS)]
    titles = [
        Detected(id=f"m{n}", box=box(60, 60 + 40 * n, 260, 84 + 40 * n), role="link", text=text)
        for n, text in enumerate(TITLES)
    ]
    tabs = [
        Detected(id=one, box=box(20 + 100 * n, 8, 100 + 100 * n, 32), role="tab", text=text)
        for n, (one, text) in enumerate(zip(TABS, ("Archive", "Drafts", "Later"), strict=True))
    ]
    by_id = {one.id: one for one in (*stars, *titles, *tabs)}

    def member(name: str, number: int, clicked: str, hovered: str) -> Member:
        return Member(
            id=name,
            box=by_id[name].box,
            description=f"the {number}th of them",
            functionality=clicked,
            outcomes={"clicking": clicked, "hovering": hovered},
        )

    groups = Groups(
        groups=[
            Group(
                id="1",
                members=[
                    member(
                        one, n, f"Marks mail {n} as important for later.", f"Shows when mail {n} was marked as such."
                    )
                    for n, one in enumerate(STARS)
                ],
            ),
            Group(
                id="2",
                members=[
                    member(one, n, f"Opens the folder number {n} of this account.", f"Counts the mails of folder {n}.")
                    for n, one in enumerate(TABS)
                ],
            ),
        ],
        by="test",
    )
    screen = drawn(folder, parts)
    cards = Groups(groups=[Group(id="1", members=[Member(id=one, box=screen.regions[one].box) for one in CARDS])])
    elements = Elements(source="dom", elements=list(by_id.values()))
    return replace(screen, elements=elements, element_groups=groups, region_groups=cards)


def without_texts(screen: ScreenState) -> ScreenState:
    """As a screen is on which no model has said anything."""
    silent = {"description": Texts(), "functionality": Texts()}
    bare = {node: region.model_copy(update=silent) for node, region in screen.regions.items()}
    assert screen.element_groups is not None
    groups = [
        group.model_copy(update={"members": [Member(id=one.id, box=one.box) for one in group.members]})
        for group in screen.element_groups.groups
    ]
    return replace(screen, regions=bare, element_groups=Groups(groups=groups))
