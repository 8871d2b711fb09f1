"""The HTML report: safe, offline, the same for the same ledger, and sensible in every state of a run."""

import base64
import hashlib
import re
import shutil
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from affordance.core.requests import FinishReason, Response
from affordance.core.sequences import evenly_spaced
from affordance.datasets import Clip, Dataset, DatasetHeader
from affordance.ledger import AttemptStep
from affordance.report.page.transcripts import conversation
from cases import case, numbers_in, wording
from errors import assert_carries
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


def test_what_others_write_is_text(where: Path) -> None:
    plain = Page(page_of(where.with_name("plain.db"), Plan({"model": (RIGHT, REFUSED)}, replies={"model": "reply"})))
    for number, hostile in enumerate(HOSTILE):
        refused = type(REFUSED)(REFUSED.status, reason=hostile)
        plan = Plan({hostile: (RIGHT, refused)}, name=hostile, replies={hostile: hostile}, tags={"effect": hostile})
        page = Page(page_of(where.with_name(f"{number}.db"), plan))
        with case(hostile):
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
    order = ['class="finding"', 'class="board"', 'class="multiples', 'class="confusion"', 'class="reasons"',
             'id="samples"', 'id="provenance"']  # fmt: skip
    places = [text.index(one) for one in order]
    assert places == sorted(places)


def test_an_incomplete_row_is_marked_and_bounded(where: Path) -> None:
    text = page_of(where, Plan({"openai:half": (RIGHT, WRONG, FAILED, PENDING)}, items=8))
    page = Page(text)
    (caveat,) = re.findall(r"<li>(.*?)</li>", text.partition('class="caveats"')[2].partition("</ul>")[0])
    assert_carries(caveat, "openai:half", "8 ", "16 ", "4 ", "25.0%", "75.0%")
    assert 'class="band" x="25.00%" width="50.00%"' in text
    (tagged,) = re.findall(r'<span class="tag">(.*?)</span>', text)
    assert tagged.strip()
    assert page.tags.count("h1") == 1


def test_a_run_without_scores_says_so(where: Path) -> None:
    said = set()
    for name, script in {"all failed": FAILED, "pending only": PENDING, "all skipped": SKIPPED}.items():
        text = page_of(where.with_name(f"{name}.db"), Plan({"m": (script,)}))
        with case(name):
            assert 'data-state="nothing-scored"' in text
            assert 'class="confusion"' not in text
            (caveat,) = re.findall(r"<li>(.*?)</li>", text.partition('class="caveats"')[2].partition("</ul>")[0])
            assert_carries(caveat, "m", "14 ")
            said.add(wording(caveat))
    assert len(said) == 3


def rows_in(text: str) -> list[list[str]]:
    """The cells of all table rows, as text."""
    lines = re.findall(r"<tr>(.*?)</tr>", text, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line, re.DOTALL) for line in lines]
    return [[unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in line] for line in cells]


def test_endings_and_reasons_are_counted(where: Path) -> None:
    found = rows_in(page_of(where, Plan({"openai:shy": (REFUSED, UNPARSED, TRUNCATED, FAILED)}, items=8)))
    assert ["openai:shy", "0", "4", "4", "4", "4", "0", "0"] in found
    assert ["openai:shy", "refused", "4", REFUSED.reason] in found
    assert ["openai:shy", "failed", "4", FAILED.reason] in found


def test_first_tries_are_shown_where_replies_were_asked_again(where: Path) -> None:
    again = Plan({"m": (RIGHT, WRONG)}, settings={"reasks": {TASK: 2}})
    assert 'data-metric="first-try"' in page_of(where, again)
    assert 'data-metric="first-try"' not in page_of(where.with_name("other.db"), Plan({"m": (RIGHT, WRONG)}))


def test_several_runs_have_parts_of_their_own(where: Path) -> None:
    page = Page(page_of(where, Plan({"m": (RIGHT,)}, name="one"), Plan({"m": (WRONG,)}, name="two")))
    assert [value for value in page.values("id") if value.startswith("part-")] == ["part-1", "part-2"]
    assert {"#part-1", "#part-2"} <= set(page.values("href"))
    assert page.values("data-run") == ["one", "two"]


def test_samples_show_what_was_seen_asked_and_said(where: Path, tmp_path: Path) -> None:
    plan = Plan({"a": (RIGHT,), "b": (WRONG,)}, items=1, trials=3, files=[still(tmp_path / "a.png")])
    text = page_of(where, plan)
    page = Page(text)
    assert text.count("data:image/webp") == 1  # shared by models and trials
    assert "Which effect is it, in trial 0?" in page.text
    assert "move because of its edges" in page.text
    assert "rotate because of its edges" in page.text
    marks = re.findall(r'<span class="mark ([\w-]+)">', text)
    assert sorted(marks) == ["right"] * (len(marks) // 2) + ["wrong"] * (len(marks) // 2)
    assert marks


def placeholders(text: str) -> list[tuple[str, str, str]]:
    """State, number of pictures and sentence of what stands for pictures."""
    return re.findall(r'<p class="placeholder" data-state="([\w-]+)" data-pictures="(\d+)">(.*?)</p>', text, re.DOTALL)


def test_pictures_that_cannot_be_shown_leave_words(where: Path, tmp_path: Path) -> None:
    path = still(tmp_path / "a.png")
    page_of(where, Plan({"m": (RIGHT,)}, files=[path]))
    still(path, shade=1)
    changed = page_again(where)
    path.unlink()
    gone = page_again(where)
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    undecodable = page_of(where.with_name("other.db"), Plan({"m": (RIGHT,)}, files=[broken]))
    said = set()
    for text, name in ((changed, "a.png"), (gone, "a.png"), (undecodable, "broken.png")):
        (state, pictures, words), *_ = placeholders(text)
        assert (state, pictures) == ("missing", "1")
        assert name in words
        assert str(tmp_path / name) not in text
        said.add(wording(words, name))
    assert len(said) == 3


def test_a_dataset_elsewhere_is_searched_by_content(where: Path, tmp_path: Path) -> None:
    path = still(tmp_path / "a.png")
    page_of(where, Plan({"m": (RIGHT,)}, files=[path]))
    (tmp_path / "moved" / "media").mkdir(parents=True)
    shutil.move(path, tmp_path / "moved" / "media" / "renamed.png")
    still(tmp_path / "moved" / "media" / "a.png", shade=7)
    header = DatasetHeader(format=1, kind="clip", name="primitives", licence="CC0-1.0", provenance="", synthetic=True)
    clips = (Clip(id="1", video="media/a.png"), Clip(id="2", video="media/renamed.png"))
    assert "data:image/webp" in page_again(where, dataset=Dataset(tmp_path / "moved", header, clips))
    assert "data:image/webp" not in page_again(where)


def test_many_models_items_and_values_are_capped_and_said(where: Path, tmp_path: Path) -> None:
    models = {f"vendor:{'long-' * 20}{n}": (RIGHT, WRONG, REFUSED)[: 1 + n % 3] for n in range(8)}
    text = page_of(
        where, Plan(models, items=120, trials=1, tags={"effect": "kind {}"}, files=[still(tmp_path / "a.png")])
    )
    page = Page(text)
    assert text.count('<details class="item') == 36
    kept = text.partition('id="kept"')[2]
    assert numbers_in(re.sub("<[^>]*>", "", kept.partition("<li>")[2].partition("</li>")[0])) == [36, 120]
    assert "80" in page.values("data-hidden")
    assert len(text) < 750_000


def test_a_long_reply_is_cut_and_said(where: Path) -> None:
    text = page_of(where, Plan({"m": (RIGHT,)}, items=1, trials=1, replies={"m": "x" * 10_000}))
    (cut,) = re.findall(r"x{6000}([^x<]*)<", text)
    assert numbers_in(cut) == [4000]
    assert "x" * 6001 not in text


def test_every_effect_has_its_line_in_the_matrix(where: Path) -> None:
    text = page_of(where, Plan({"m": (RIGHT, UNPARSED)}, items=7, trials=2))
    matrix = text.partition('class="confusion"')[2].partition("</table>")[0]
    assert re.findall(r'class="truth">(\w+)<', matrix) == list(EFFECTS)
    assert re.findall(r'class="answer">([\w ]+)<', matrix)[:-1] == list(EFFECTS)
    assert matrix.count('class="s5 right"') == 7


def test_figures_have_titles_and_tables_have_headers(where: Path) -> None:
    text = page_of(where, Plan(MIXED))
    assert text.count("<svg") == text.count('role="img"') == len(re.findall(r"<svg[^>]*><title>[^<]+</title>", text))
    assert all(scope in ("row", "col") for scope in Page(text).values("scope"))
    assert len(re.findall(r"<th(?! scope)[ >]", text)) == 0


def test_a_ledger_without_runs_says_how_to_start(where: Path) -> None:
    text = page_of(where)
    assert 'class="finding"' in text
    assert "<code>affordance run</code>" in text
    assert "data-run" not in text


def test_frames_are_thinned_out_evenly() -> None:
    assert evenly_spaced(0, 3) == []
    assert evenly_spaced(2, 3) == [0, 1]
    assert evenly_spaced(30, 10) == [0, 3, 6, 10, 13, 16, 19, 23, 26, 29]
    assert evenly_spaced(5, 1) == [0]


def test_every_step_of_an_attempt_is_shown() -> None:
    asked = '[["system",["Be brief."]],["user",["Look:",{"picture":"p1"},{"picture":"p2"},"Which?"]]]'
    steps = [
        AttemptStep((0, 0, 0), "k1", asked, 1, Response("Hm", reasoning="thinking")),
        AttemptStep((0, 0, 1), "k2", asked, 2, Response("A, beca", finish=FinishReason.LENGTH)),
        AttemptStep((1, 2, 0), "k3", asked, 3, Response("A")),
    ]
    first, again, later = conversation(steps)
    places = [first.prompt.index(part) for part in ("system", "Be brief.", "user", "Look:", "2 ", "Which?")]
    assert places == sorted(places)
    assert first.pictures == ("p1", "p2")
    assert (first.title, numbers_in(again.title), numbers_in(later.title)) == ("", [1], [2, 3])
    assert first.reasoning == "thinking"
    assert (first.note, later.note) == ("", "")
    assert again.note
