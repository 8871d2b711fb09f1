"""Two documents out of a reply, and why there are none."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from affordance.author.designs.documents import documents, problems
from affordance.author.designs.goals import Goal
from affordance.author.designs.placeholders import PICTURES
from affordance.author.designs.task import PAIRS, planned_pairs
from affordance.capture.looks import Look
from affordance.tasks.prompts import load_prompt_pack
from errors import assert_carries


def page(body: str = "<p>Plenty of words to read on this page.</p>", head: str = "") -> str:
    return f"<!doctype html>\n<html lang=en><head><title>Page</title>{head}</head><body>{body}</body></html>"


ONE, OTHER = page(), page("<h1>Other words that people can read here</h1>")

REPLIES = {
    "in code blocks": f"Here they are:\n```html\n{ONE}\n```\n\n```html\n{OTHER}\n```\n",
    "bare": ONE + OTHER,
    "after thinking about one": f"<think>{ONE}</think>{ONE}\n{OTHER}",
    "in capitals": f"{ONE}\n{OTHER}".replace("<html", "<HTML").replace("</html", "</HTML"),
}


def test_both_are_found() -> None:
    for name, reply in REPLIES.items():
        found = documents(reply)
        assert not isinstance(found, str), name
        assert [one.lower() for one in found] == [ONE.lower(), OTHER.lower()], name


# Each with what the reason names.
UNUSABLE = {
    "nothing": ("", "0"),
    "words": ("I cannot write pages.", "0"),
    "one": (ONE, "1"),
    "three": (ONE + OTHER + ONE, "3"),
    "the second is cut": (ONE + OTHER[:-20], "</html>"),
    "identical": (ONE + ONE, ""),
    "identical but for white space": (ONE + ONE.replace("<p>", "\n  <p>"), ""),
    "the second has a script": (ONE + page("<script>alert(1)</script>" + OTHER), "<script>"),
}


def test_why_there_are_none() -> None:
    for name, (reply, data) in UNUSABLE.items():
        found = documents(reply)
        assert isinstance(found, str), name
        assert_carries(found, data)


TEXT = "<p>Plenty of words to read on this page.</p>"
PROBLEMS: dict[str, tuple[str, str | None]] = {  # what the problem names; empty where there is none
    "fine": (page(), ""),
    "a given picture": (page(f"<img src='{PICTURES[0]}'><img src=./{PICTURES[1]}>{TEXT}"), ""),
    "a picture in itself": (page(f"<img src='data:image/gif;base64,R0lG'>{TEXT}"), ""),
    "a link to elsewhere": (page(f"<a href='https://example.org/'>more</a>{TEXT}"), ""),
    "a given picture in CSS": (page(TEXT, f"<style>p{{background:url({PICTURES[0]})}}</style>"), ""),
    "a head that is not closed": (page().replace("</head>", ""), ""),
    "a picture of elsewhere": (page(f"<img src=https://example.org/a.png>{TEXT}"), "'https://example.org/a.png'"),
    "a picture that is not there": (page(f"<img src=pictures/dog.svg>{TEXT}"), "'pictures/dog.svg'"),
    "a set of pictures": (page(f"<img srcset='a.png 1x, b.png 2x'>{TEXT}"), "'a.png'"),
    "a web font": (page(TEXT, "<style>@import 'https://fonts.example/x.css';</style>"), "'https://fonts"),
    "a style sheet": (page(TEXT, "<link rel=stylesheet href=style.css>"), "'style.css'"),
    "a style attribute": (page(f"<div style='background:url(//x/y.png)'>{TEXT}</div>"), "'//x/y.png'"),
    "a frame": (page(f"<iframe src='data:text/html,x'></iframe>{TEXT}"), "<iframe>"),
    "no text": (page("<div class=x></div>", "<style>body{color:black;margin:0;padding:0}</style>"), None),
}


def test_problems_of_a_document() -> None:
    for name, (document, data) in PROBLEMS.items():
        found = list(problems(document))
        assert bool(found) == (data != ""), name
        if found:
            assert_carries(found[0], data or "")


@settings(max_examples=30)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_reply_can_be_read(one: str, other: str) -> None:
    documents(f"{one}<html>{other}</html>{one}<html>{one}</html>")


def test_another_context_is_another_run() -> None:
    """Else the pages that were written for the one would be taken for the other."""
    digests = {
        planned_pairs([Goal(goal="Sell tea", id="tea", context=context)], look, Path("pairs")).to_record()["digest"]
        for context in (None, "For offices")
        for look in (Look(), Look(390, 844))
    }
    assert len(digests) == 4


def test_the_prompt_has_its_placeholders() -> None:
    assert set(load_prompt_pack(PAIRS).texts) == {"zero-shot"}
