"""The HTML report: safe, offline, the same for the same ledger, and sensible in every state of a run."""

import base64
import hashlib
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from affordance.core.ask import Finish, Reply
from affordance.datasets import Clip, Dataset, Header
from affordance.ledger import StepRecord
from affordance.report.filmstrips import spread
from affordance.report.transcripts import turns
from report_ledgers import (
    EFFECTS,
    FAILED,
    PENDING,
    REFUSED,
    RIGHT,
    SKIPPED,
    TASK,
    TRUNCATED,
    UNPARSED,
    WRONG,
    Plan,
    Script,
    page_again,
    page_of,
    still,
)

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</title></style><b>", "{{ 7 * 7 }}", "a&b")
MIXED: dict[str, Script] = {
    "openai:good": (RIGHT, RIGHT, RIGHT, WRONG),
    "openai:half": (RIGHT, WRONG, FAILED, PENDING),
    "openai:shy": (REFUSED, UNPARSED, TRUNCATED, WRONG),
}


class Page(HTMLParser):
    """What a browser would make of the text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []  # tag, name, value
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"style", "script"} & set(self._open):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def test_nothing_outside_the_page_is_referred_to(where: Path, tmp_path: Path) -> None:
    page = Page(page_of(where, Plan(MIXED, files=[still(tmp_path / "a.png")])))
    links = [value for name in ("src", "href", "srcset", "action", "poster", "data") for value in page.values(name)]
    assert [link for link in links if not link.startswith(("data:", "#"))] == []
    assert any(link.startswith("data:image/webp;base64,") for link in links)
    assert not {"iframe", "object", "embed", "form", "base"} & set(page.tags)
    assert page.tags.count("script") == 2  # the index of the samples, and what browses them


def test_the_policy_lets_nothing_run_or_load_but_our_style_and_script(where: Path) -> None:
    text = page_of(where, Plan(MIXED))
    page = Page(text)
    (policy,) = [value for value in page.values("content") if "default-src" in value]
    style = text.partition("<style>")[2].partition("</style>")[0]
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{hashed}'" in policy
    script = text.rpartition("<script>")[2].partition("</script>")[0]
    hashed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{hashed}';" in policy
    assert policy.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in policy
    assert page.values("style") == []
    assert [name for _, name, _ in page.attributes if name.startswith("on")] == []
    assert re.findall(r"url\(|@import", style) == []


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_others_write_is_text(hostile: str, where: Path) -> None:
    plain = Page(page_of(where.with_name("plain.db"), Plan({"model": (RIGHT, REFUSED)}, replies={"model": "reply"})))
    refused = type(REFUSED)(REFUSED.ended, reason=hostile)
    plan = Plan({hostile: (RIGHT, refused)}, name=hostile, replies={hostile: hostile}, tags={"effect": hostile})
    page = Page(page_of(where, plan))
    assert set(page.tags) <= {*plain.tags, "wbr"}
    assert hostile in re.sub(r"(?<=[:/@_]) ", "", page.text)


def test_characters_without_a_place_in_html_are_replaced(where: Path) -> None:
    text = page_of(where, Plan({"m": (RIGHT,)}, replies={"m": "nul \0 lone \ud800 bell \a end"}))
    assert "nul \N{REPLACEMENT CHARACTER} lone \N{REPLACEMENT CHARACTER} bell" in text
    text.encode("utf-8")


def test_the_same_ledger_gives_the_same_page(where: Path, tmp_path: Path) -> None:
    page = page_of(where, Plan(MIXED, files=[still(tmp_path / "a.png")]), Plan(MIXED, name="second"))
    assert page_again(where) == page


def test_words_come_before_tables_before_samples_before_settings(where: Path) -> None:
    text = page_of(where, Plan(MIXED))
    order = ['class="finding"', 'class="board"', 'class="multiples', 'class="confusion"', "Reasons most often given",
             'id="samples"', 'id="provenance"']  # fmt: skip
    places = [text.index(one) for one in order]
    assert places == sorted(places)


def test_an_incomplete_row_is_marked_and_bounded(where: Path) -> None:
    text = page_of(where, Plan({"openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8))
    page = Page(text)
    assert "openai:half is incomplete: 8 of 16 attempts are missing" in page.text
    assert "(4 failed, 4 not finished yet)" in page.text
    assert "With all of them wrong its accuracy is 25.0%, with all of them right 75.0%." in page.text
    assert 'class="band" x="25.00%" width="50.00%"' in text
    assert '<span class="tag">incomplete</span>' in text


@pytest.mark.parametrize(
    ("script", "said"),
    [
        pytest.param((FAILED,), "Nothing of m is scored: 14 of 14 attempts are missing", id="all failed"),
        pytest.param((PENDING,), "Nothing of m is scored: 14 of 14 attempts are missing", id="pending only"),
        pytest.param((SKIPPED,), "m could not be asked any of these questions", id="all skipped"),
    ],
)
def test_a_run_without_scores_says_so(script: tuple[None], said: str, where: Path) -> None:
    page = Page(page_of(where, Plan({"m": script})))
    assert "no attempt has been scored yet" in page.text
    assert said in page.text
    assert "Nothing is scored yet, so there is no accuracy to look into." in page.text
    assert "nothing scored" in page.text


def test_endings_and_reasons_are_counted(where: Path) -> None:
    page = Page(page_of(where, Plan({"openai:shy": (REFUSED, UNPARSED, TRUNCATED, FAILED)}, items=8)))
    assert "openai: shy 0 4 4 4 4 0 0" in page.text
    assert "openai: shy refused 4 I'm sorry, but I can't help with that." in page.text
    assert "openai: shy failed 4 HTTP 503: overloaded" in page.text


def test_first_tries_are_shown_where_replies_were_asked_again(where: Path) -> None:
    again = Plan({"m": (RIGHT, WRONG)}, settings={"reasks": {TASK: 2}})
    assert "at first try, %" in page_of(where, again)
    assert "at first try, %" not in page_of(where.with_name("other.db"), Plan({"m": (RIGHT, WRONG)}))


def test_several_runs_have_parts_of_their_own(where: Path) -> None:
    page = Page(page_of(where, Plan({"m": (RIGHT,)}, name="one"), Plan({"m": (WRONG,)}, name="two")))
    assert [value for value in page.values("id") if value.startswith("part-")] == ["part-1", "part-2"]
    assert {"#part-1", "#part-2"} <= set(page.values("href"))
    assert "run one" in page.text
    assert "run two" in page.text


def test_samples_show_what_was_seen_asked_and_said(where: Path, tmp_path: Path) -> None:
    plan = Plan({"a": (RIGHT,), "b": (WRONG,)}, items=1, trials=3, files=[still(tmp_path / "a.png")])
    text = page_of(where, plan)
    page = Page(text)
    assert text.count("data:image/webp") == 1  # shared by models and trials
    assert "Which effect is it, in trial 0?" in page.text
    assert "[1 picture]" in page.text
    assert "right move move because of its edges" in page.text
    assert "wrong rotate rotate because of its edges" in page.text


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda path: path.unlink(), "the file a.png is not where it was"),
        (lambda path: still(path, shade=1), "the file a.png has other content than when the models were asked"),
    ],
)
def test_pictures_that_are_gone_leave_words(
    damage: Callable[[Path], object], why: str, where: Path, tmp_path: Path
) -> None:
    path = still(tmp_path / "a.png")
    page_of(where, Plan({"m": (RIGHT,)}, files=[path]))
    damage(path)
    text = page_again(where)
    assert f"1 picture cannot be shown: {why}." in Page(text).text
    assert str(tmp_path / "a.png") not in text


def test_a_file_that_cannot_be_decoded_leaves_words(where: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    text = page_of(where, Plan({"m": (RIGHT,)}, files=[broken]))
    assert "1 picture cannot be shown: a file cannot be decoded: broken.png" in Page(text).text
    assert str(broken) not in text


def test_a_dataset_elsewhere_is_searched_by_content(where: Path, tmp_path: Path) -> None:
    path = still(tmp_path / "a.png")
    page_of(where, Plan({"m": (RIGHT,)}, files=[path]))
    (tmp_path / "moved" / "media").mkdir(parents=True)
    shutil.move(path, tmp_path / "moved" / "media" / "renamed.png")
    still(tmp_path / "moved" / "media" / "a.png", shade=7)
    header = Header(format=1, kind="clip", name="primitives", licence="CC0-1.0", provenance="", synthetic=True)
    clips = (Clip(id="1", video="media/a.png"), Clip(id="2", video="media/renamed.png"))
    assert "data:image/webp" in page_again(where, dataset=Dataset(tmp_path / "moved", header, clips))
    assert "data:image/webp" not in page_again(where)


def test_many_models_items_and_values_are_capped_and_said(where: Path, tmp_path: Path) -> None:
    models = {f"vendor:{'long-' * 20}{n}": (RIGHT, WRONG, REFUSED)[: 1 + n % 3] for n in range(20)}
    text = page_of(
        where, Plan(models, items=120, trials=1, tags={"effect": "kind {}"}, files=[still(tmp_path / "a.png")])
    )
    page = Page(text)
    assert text.count('<details class="item') == 36
    assert "36 of 120 items are on the page itself, spread evenly." in page.text
    assert "The values with the most attempts are shown, 80 more are not" in page.text
    assert len(text) < 1_500_000


def test_a_long_reply_is_cut_and_said(where: Path) -> None:
    text = page_of(where, Plan({"m": (RIGHT,)}, items=1, trials=1, replies={"m": "x" * 10_000}))
    assert "[4,000 more characters: see the ledger]" in text
    assert "x" * 6001 not in text


def test_every_effect_has_its_line_in_the_matrix(where: Path) -> None:
    text = page_of(where, Plan({"m": (RIGHT, UNPARSED)}, items=7, trials=2))
    matrix = text.partition('class="confusion"')[2].partition("</table>")[0]
    assert re.findall(r'class="truth">(\w+)<', matrix) == list(EFFECTS)
    assert re.findall(r'class="answer">([\w ]+)<', matrix) == [*EFFECTS, "no answer"]
    assert matrix.count('class="s5 right"') == 7


def test_figures_have_titles_and_tables_have_headers(where: Path) -> None:
    text = page_of(where, Plan(MIXED))
    assert text.count("<svg") == text.count('role="img"') == len(re.findall(r"<svg[^>]*><title>[^<]+</title>", text))
    assert all(scope in ("row", "col") for scope in Page(text).values("scope"))
    assert len(re.findall(r"<th(?! scope)[ >]", text)) == 0


def test_a_ledger_without_runs_says_how_to_start(where: Path) -> None:
    assert "The ledger holds no attempts yet. Start with affordance run ." in Page(page_of(where)).text


@pytest.mark.parametrize(
    ("total", "most", "places"),
    [(0, 3, []), (2, 3, [0, 1]), (30, 10, [0, 3, 6, 10, 13, 16, 19, 23, 26, 29]), (5, 1, [0])],
)
def test_frames_are_thinned_out_evenly(total: int, most: int, places: list[int]) -> None:
    assert spread(total, most) == places


def test_every_step_of_an_attempt_is_shown() -> None:
    asked = '[["system",["Be brief."]],["user",["Look:",{"picture":"p1"},{"picture":"p2"},"Which?"]]]'
    steps = [
        StepRecord((0, 0, 0), "k1", asked, 1, Reply("Hm", reasoning="thinking")),
        StepRecord((0, 0, 1), "k2", asked, 2, Reply("A, beca", finish=Finish.LENGTH)),
        StepRecord((1, 2, 0), "k3", asked, 3, Reply("A")),
    ]
    first, again, later = turns(steps)
    assert first.prompt == "[system]\nBe brief.\n\n[user]\nLook:\n[2 pictures]\nWhich?"
    assert first.pictures == ("p1", "p2")
    assert (first.title, again.title, later.title) == ("", "asked again (1)", "round 2, ask 3")
    assert (first.reasoning, again.note) == ("thinking", "The token limit cut this reply.")
