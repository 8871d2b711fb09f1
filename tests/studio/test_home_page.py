"""The overview: what there is to do next, who did what, and adding screens."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from affordance.author.project import create_project, open_project
from affordance.author.study_records import Study
from affordance.author.taking_in import sort_out, take_in
from affordance.studio.overview import Counts, count, pair_sentence, pair_steps, sentence, steps, study_sentence
from affordance.studio.studies.beginning import begin_study
from affordance.studio.studies.made_of_pairs import preference_study
from pair_world import write_pairs
from studio_world import Server, comes, faults, make_project, picture, serving, tree

SENTENCES = {
    "nothing": (Counts(0, 0, 0), "No screen is here yet."),
    "one": (Counts(1, 0, 0), "The only screen is not done yet."),
    "one done": (Counts(1, 1, 0), "The only screen is done."),
    "none done": (Counts(4, 0, 0), "None of 4 screens are done."),
    "one of them": (Counts(4, 1, 0), "1 of 4 screens is done."),
    "all": (Counts(4, 4, 2), "All 4 screens are done."),
    "both wait": (
        Counts(120, 31, 0, untold=14, unvalidated=9),
        "31 of 120 screens are done. 14 corrected regions wait to be told anew, 9 texts to be validated.",
    ),
    "a region waits": (
        Counts(2000, 1200, 0, untold=1),
        "1,200 of 2,000 screens are done. 1 corrected region waits to be told anew.",
    ),
    "a text waits": (Counts(2, 2, 0, unvalidated=1), "All 2 screens are done. 1 text waits to be validated."),
}


@pytest.mark.parametrize(("counts", "expected"), SENTENCES.values(), ids=SENTENCES.keys())
def test_a_sentence_says_what_there_is_to_do(counts: Counts, expected: str) -> None:
    assert sentence(counts) == expected


def row(name: str, **values: Any) -> dict[str, Any]:
    numbers = ("regions", "corrected", "untold", "unvalidated", "validated", "failed", "rejected")
    numbers += ("questions", "dropped", "abandoned")
    return {"id": name, "done": False, "aside": "", **dict.fromkeys(numbers, 0), **values}


def test_screens_that_were_put_aside_are_counted_nowhere() -> None:
    rows = [row("a", aside="dull", untold=3, done=True), row("b", done=True, regions=4), row("c", unvalidated=2)]
    assert count(rows) == Counts(2, 1, 1, regions=4, unvalidated=2)
    assert [step.href for step in steps(rows, may_validate=True)] == ["/boxes?screen=c", "/validation"]
    assert [step.href for step in steps(rows, may_validate=False)] == ["/boxes?screen=c"]
    assert steps(rows[:2], may_validate=True) == []


def test_pairs_and_studies_are_counted_too() -> None:
    pairs = [{"id": str(number), "rationales": number, "aside": number == 3} for number in range(4)]
    assert pair_sentence(pairs) == "2 of 3 pairs have rationales."
    assert pair_sentence(pairs[:1]) == "The only pair has no rationale yet."
    assert pair_sentence([{"id": "torn", "wrong": "cannot be read"}]) == ""
    assert [step.href for step in pair_steps(pairs)] == ["/pairs?pair=0"]
    studies = [Study(name=name, form="survey", per_item=1, closed=name == "c") for name in "abc"]
    assert study_sentence(studies) == "2 of 3 studies are open."
    assert study_sentence(studies[2:]) == "The only study is closed."


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(make_project(tmp_path_factory.mktemp("home") / "shop", screens=3), "--as", "ada") as found:
        edits: list[dict[str, Any]] = [
            {
                "kind": "region",
                "name": "1-2",
                "after": 1,
                "set": {"box": {"space": "pixel", "xyxy": [440, 9, 620, 700]}},
            },
            {
                "kind": "region",
                "name": "1-2",
                "after": 2,
                "set": {"box": {"space": "pixel", "xyxy": [440, 9, 620, 690]}},
            },
            {"kind": "region", "name": "1-4", "after": 1, "set": {"dividable": True}},
            {"kind": "region", "name": "1-3", "after": 1, "set": {"gone": True}},
            {"kind": "reviewed", "name": "", "after": 0, "set": {"done": True}},
        ]
        for number, edit in enumerate(edits):
            sent = {"screen": "screen-1", "key": f"{number:032x}", "edits": [edit]}
            assert found.post("/api/strokes", sent).status == 200
        yield found


@pytest.fixture
def page(server: Server, context: BrowserContext) -> Iterator[Page]:
    wrong = faults(context)
    opened = context.new_page()
    opened.goto(server.url)
    yield opened
    assert wrong == []


def test_it_says_how_far_the_project_is_and_leads_on(page: Page, server: Server) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop")
    expect(page.locator(".sentence")).to_contain_text(
        "1 of 3 screens is done. 1 corrected region waits to be told anew"
    )
    lines = page.locator(".deeds li")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("ada finished screen-1")
    expect(lines.nth(1)).to_contain_text("ada corrected 2 regions and deleted a region of screen-1")
    person = page.locator(".workers tbody tr")
    expect(person).to_have_count(1)
    expect(person).to_contain_text("ada")
    expect(person.locator(".number")).to_have_text("5")
    page.get_by_role("link", name="Go on with screen-2").click()
    expect(page).to_have_url(f"{server.url}/boxes?screen=screen-2")


def test_stages_are_counted_when_somebody_wants_to_know(page: Page) -> None:
    page.get_by_text("Stages of making the benchmark").focus()
    page.keyboard.press("Enter")
    stages = page.locator("#stages tbody tr")
    expect(stages).to_have_count(6)
    expect(stages.nth(3)).to_contain_text("reannotate")
    expect(stages.nth(3).locator("td").nth(2)).to_have_text("3")  # pending


def test_stages_that_were_opened_before_the_script_was_there_are_counted(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/js/home/page.js", hold)
    page.reload(wait_until="commit")
    page.get_by_text("Stages of making the benchmark").click()
    comes(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#stages tbody tr")).to_have_count(6)


def test_files_are_added_with_what_became_of_each(page: Page, server: Server) -> None:
    def file(name: str, kind: str, data: bytes) -> Any:
        return {"name": name, "mimeType": kind, "buffer": data}

    new = picture(tree(7), "New:")
    page.set_input_files(
        "#files",
        [
            file("<b>new one.png", "image/png", new),
            file("drawing.svg", "image/svg+xml", b"<svg/>"),
            file("broken.png", "image/png", b"no picture"),
        ],
    )
    rows = page.locator("#uploads li")
    expect(rows.nth(0)).to_contain_text("added as b-new-one")
    expect(rows.nth(1)).to_contain_text("expected a PNG, JPEG or WebP picture")
    expect(rows.nth(2)).to_contain_text("found something else")
    expect(page.locator("#sent")).to_have_text("1 screen added, 2 not added.")
    expect(page.locator("#uploads b")).to_have_count(0)
    page.set_input_files("#files", [file("again.png", "image/png", new)])
    expect(rows.nth(3)).to_contain_text("is in the project already")
    page.get_by_role("link", name="b-new-one").click()
    expect(page).to_have_url(f"{server.url}/boxes?screen=b-new-one")


def test_files_can_be_dropped(page: Page) -> None:
    data = list(picture(tree(5), "Dropped:"))
    transfer = page.evaluate_handle(
        """(data) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(data)], "dropped.png", { type: "image/png" }));
          return transfer;
        }""",
        data,
    )
    page.dispatch_event("#drop", "dragover", {"dataTransfer": transfer})
    expect(page.locator("#drop")).to_have_class("drop over")
    page.dispatch_event("#drop", "drop", {"dataTransfer": transfer})
    expect(page.locator("#uploads li")).to_contain_text("added as dropped")
    expect(page.locator("#drop")).to_have_class("drop")


def test_it_fits_a_small_window(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 450})
    widths = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert widths[0] <= widths[1]


def test_a_project_of_pairs_shows_them_and_their_study(context: BrowserContext, tmp_path: Path) -> None:
    create_project(tmp_path / "designs", name="Designs", licence="CC0-1.0", synthetic=True)
    with open_project(tmp_path / "designs") as project:
        take_in(project, sort_out([str(write_pairs(tmp_path / "pairs"))]))
        begin_study(project, preference_study(project, "either", per_item=2, title="Which one"), "person:ada")
    with serving(tmp_path / "designs") as server:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator(".sentence")).to_have_text(
            re.compile(r"pairs ha(s|ve) rationales\. The only study is open\.$")
        )
        ways = page.get_by_role("navigation", name="Pages").get_by_role("link").all_inner_texts()
        assert ways == ["Overview", "Pairs", "Cleaning", "Splitting", "Your studies", "Studies", "People"]
        expect(page.get_by_role("row").filter(has_text="Which one")).to_contain_text(re.compile(r"0 of \d+"))
        expect(page.get_by_role("heading", name="Add screens")).to_have_count(0)


def test_an_empty_project_says_how_to_begin(context: BrowserContext, tmp_path: Path) -> None:
    create_project(tmp_path / "empty", name="Empty")
    with serving(tmp_path / "empty") as server:
        page = context.new_page()
        page.goto(server.url)
        expect(page.locator(".sentence")).to_have_text("No screen is here yet.")
        expect(page.locator(".lead")).to_contain_text(f"affordance author init {tmp_path / 'empty'} IMAGES...")
        expect(page.get_by_role("heading", name="Who did what")).to_have_count(0)
        page.set_input_files(
            "#files", [{"name": "first.png", "mimeType": "image/png", "buffer": picture(tree(3), "First:")}]
        )
        expect(page.locator("#uploads li")).to_contain_text("added as first")
        page.reload()
        expect(page.locator(".sentence")).to_have_text("The only screen is not done yet.")
        expect(page.locator(".lead")).to_contain_text("No screen is divided into regions yet.")
        expect(page.get_by_role("link", name="Begin with first")).to_be_visible()
