"""Pairs that a model on loopback writes and a real browser renders: kept, asked for again, lost, and gone on with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from aiohttp import web

from affordance.author.designs.goals import Goal
from affordance.author.designs.pairs import Order, make_pairs
from affordance.author.designs.task import PAIRS
from affordance.capture.looks import Look
from affordance.cli.main import run_command
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.datasets import DatasetCollection, DesignPair, load_folder
from affordance.datasets.check import check_folder
from affordance.evaluation.run import RunRequest
from affordance.evaluation.run_config import RunConfig
from affordance.media import decode_image
from errors import assert_carries, raises
from loopback import Loopback, Seen, completion

TEA, COFFEE = Goal(goal="Sell tea", id="tea"), Goal(goal="Sell coffee", id="coffee")
SMALL = Look(400, 300)


def page(words: str, colour: str = "#fff") -> str:
    picture = "<img src=pictures/product.svg style='width:90px;height:60px'>"
    return f"<!doctype html><html><body style='background:{colour}'><h1>{words}</h1>{picture}</body></html>"


GOOD = page("Try a cup of it today") + page("Order the whole box now", "#eef")
BLANK = GOOD.replace("<body style='", "<body style='display:none;", 1)
ALIKE = page("Try a cup of it today") + page("Try a cup of it today").replace("<h1>", "<h1 class=x>")
BLOCKED = GOOD.replace("background:#fff", 'background:image-set("https://x.example/a.png?k=1" 1x)', 1)
SCRIPTED = GOOD.replace("<h1>", "<script>document.write('x')</script><h1>", 1)


def order(folder: Path, server: Loopback, *goals: Goal) -> Order:
    request = RunRequest(
        config=RunConfig(tasks=(PAIRS,)),
        data=DatasetCollection("goals", ()),
        models=(ModelName.parse(f"vllm:m@{server.url}"),),
        ledger=str(folder / "ledger.db"),
        render_cache=folder / "cache",
    )
    return Order(goals, folder / "pairs", request, SMALL)


def answering(replies: Callable[[str], list[str]]) -> Loopback:
    """For each goal, its replies one after the other."""
    given: dict[str, int] = {}

    async def reply(seen: Seen, _: web.Request) -> web.StreamResponse:
        name = "tea" if "Sell tea" in seen.text else "coffee"
        given[name] = given.get(name, 0) + 1
        text = replies(name)[given[name] - 1]
        return completion(text) if text else web.Response(status=400, text="no")

    return Loopback(reply)


def test_what_cannot_be_shown_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFORDANCE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "goals.jsonl").write_text(f"{TEA.model_dump_json()}\n{COFFEE.model_dump_json()}\n")
    with answering(lambda name: {"tea": [BLANK, GOOD], "coffee": [ALIKE, GOOD]}[name]) as server:
        arguments = ["--goals", "goals.jsonl", "--model", f"vllm:m@{server.url}", "-o", "pairs", "--size", "400x300"]
        assert run_command(["author", "pairs", *arguments, "--json", "--quiet"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["pairs"], shown["lost"], shown["pending"]) == (2, {}, 0)
    ((empty,), (alike,)) = (shown["unusable"][name] for name in ("tea", "coffee"))
    assert empty != alike
    asked = [seen.text for seen in server.seen if "Sell tea" in seen.text]
    assert [empty in text for text in asked] == [False, True]

    dataset = load_folder(tmp_path / "pairs")
    (finding,) = check_folder(dataset.root)
    assert_carries(str(finding), 2)
    assert dataset.header.synthetic
    assert [item.id for item in dataset.items] == ["coffee", "tea"]
    for pair in dataset.items:
        assert isinstance(pair, DesignPair)
        assert pair.winner is None
        assert pair.goal in (TEA.goal, COFFEE.goal)
        extra = pair.model_extra or {}
        made = extra["made"]
        codes = [(dataset.root / path).read_text() for path in extra["pages"]]
        assert "".join(codes[made["written"].index(number)] for number in (0, 1)) == GOOD
        assert (made["model"], made["served_by"], made["round"]) == (f"vllm:m@{server.url}", "served-model", 2)
        for path in pair.images:
            pixels = decode_image(dataset.media_path(path).read_bytes())
            assert pixels.shape == (300, 400, 3)
            assert (pixels == (0xB7, 0xA9, 0x95)).all(axis=2).any(), "the placeholder picture is shown"


def test_it_goes_on_where_it_was_and_reports_what_is_lost(tmp_path: Path) -> None:
    with answering(lambda name: {"tea": [GOOD], "coffee": ["", SCRIPTED, BLOCKED, "No."]}[name]) as server:
        first = make_pairs(order(tmp_path, server, TEA, COFFEE))
        assert (first.pairs, first.pending) == (1, 1)
        assert not (tmp_path / "pairs" / "dataset.json").exists()
        second = make_pairs(order(tmp_path, server, TEA, COFFEE))
        asked = len(server.seen)
    assert asked == 2 + 3, "what was paid for is not asked for again"
    assert (second.pairs, second.pending) == (1, 0)
    assert list(second.lost) == ["coffee"]
    scripted, blocked, none = second.unusable["coffee"]
    assert_carries(scripted, "<script>")
    # Reading the document does not find everything that a browser loads.
    assert_carries(blocked, "'https://x.example/a.png'")
    assert blocked in server.seen[-1].text
    assert none == second.lost["coffee"]
    assert [item.id for item in load_folder(tmp_path / "pairs").items] == ["tea"]
    assert json.loads((tmp_path / "pairs" / "lost.json").read_text()) == second.lost
    assert not list((tmp_path / "pairs").rglob("coffee*"))


def test_nothing_is_left_where_no_pair_could_be_made(tmp_path: Path) -> None:
    with answering(lambda _: ["No."] * 3) as server, raises(UserError, 1):
        make_pairs(order(tmp_path, server, TEA))
    assert len(server.seen) == 3
    assert not (tmp_path / "pairs").exists()
