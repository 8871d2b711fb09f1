"""The behavior suite on a set laid out like the published one: kill -9 in the middle, start again, count at the server.

Every reply of the server holds the digest of what it answers: so replies in the ledger can be told from each other, and
each call of a chain from the others.
"""

import re
import sqlite3
from collections import Counter
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from aiohttp import web
from killing import CONCURRENCY, kill_after, run_command, start_again

from affordance.cli import main
from affordance.core.attempts import AttemptStatus
from affordance.ledger import RunSummary, open_ledger
from behavior_data import published
from loopback import Loopback, Seen, after, completion

PAIRS = 4
REASONS = 2  # of each pair
LATENCY = 0.05


def pairs_in(folder: Path, number: int) -> str:
    """The SPEC of a small set in which no two rationales are the same."""
    reasons = [
        [(f"Part {place} of page {index} is larger.", "Fitts’s Law", "Action") for place in range(REASONS)]
        for index in range(number)
    ]
    published(folder, reasons)
    return f"wiserui:{folder}"


@pytest.fixture(scope="module")
def wiserui(tmp_path_factory: pytest.TempPathFactory) -> str:
    return pairs_in(tmp_path_factory.mktemp("wiserui"), PAIRS)


async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
    """As a judge, who sees no pictures, as one who chooses in the words that it is asked in, or at length."""
    if not seen.images:
        return completion(f"Yes\n{seen.key}")
    asked = re.findall(r"More effective: <(\w+)/(\w+)>", seen.text)
    return completion(f"Reasons {seen.key}.\nMore effective: {asked[-1][1]}" if asked else f"Reasons {seen.key}.")


def kept_calls(ledger: Path) -> set[str]:
    """The calls whose replies are in the ledger, by the digest that the server knows them by."""
    with open_ledger(ledger, read_only=True) as opened:
        texts = [opened.get_response(reply).text for reply in opened.reusable_response_ids().values()]
    return {found for text in texts for found in re.findall(r"\b[0-9a-f]{64}\b", text)}


def killed_and_started_again(command: list[str], server: Loopback, ledger: Path, pictures: Path, calls: int) -> None:
    kill_after(calls // 2, command, server, pictures, lambda: kept_calls(ledger))
    kept, before = kept_calls(ledger), set(server.counts)
    assert kept, "replies that were answered long before the kill must be there"
    assert len(before) < calls, "the kill came in the middle"
    finished = start_again(command, pictures)
    assert finished.returncode == 0, finished.stderr
    repeated = {key for key, count in server.counts.items() if count > 1}
    assert len(server.counts) == calls, "nothing is missing, and nothing else is asked"
    assert not repeated & kept, "no call whose reply was in the ledger is repeated"
    assert repeated == before - kept, "all others that were under way are"
    assert max(server.counts.values()) <= 2
    models = Counter(seen.body["model"] for seen in server.seen if seen.number > 1)
    assert all(count <= CONCURRENCY for count in models.values()), "repeats are at most the calls in flight"


def summary_of(ledger: Path) -> RunSummary:
    with open_ledger(ledger, read_only=True) as opened:
        (summary,) = opened.run_summaries()
    return summary


# Strategies of one run, and calls for each order of a pair: refining starts from the reply of cocot, and both debates
# share their first round. In the middle of a run, some attempts of each strategy have ended and some are under way.
CALLS = {
    ("zero-shot", "cocot", "self-refine", "ddcot", "relabelled"): 1 + 1 + 2 + 1 + 1,
    ("debate-1", "debate-3"): 2 + 1 + 4 + 1,
}


@pytest.mark.parametrize(
    ("strategies", "calls"),
    [
        pytest.param(names, calls, id="+".join(names), marks=[pytest.mark.long] if "debate-1" in names else [])
        for names, calls in CALLS.items()
    ],
)
def test_choices(wiserui: str, pictures: Path, tmp_path: Path, strategies: tuple[str, ...], calls: int) -> None:
    ledger = tmp_path / "ledger.db"
    options = [option for strategy in strategies for option in ("--strategy", strategy)]
    with Loopback(after(LATENCY, answers)) as server:
        model = f"openai:test@{server.url}"
        command = run_command("behavior/choice", model, wiserui, ledger, "--trials", "1", *options)
        killed_and_started_again(command, server, ledger, pictures, PAIRS * 2 * calls)
    attempts = summary_of(ledger).attempts
    assert attempts.planned == PAIRS * 2 * len(strategies)
    assert attempts.by_status == {AttemptStatus.ANSWERED: attempts.planned}


def test_explanations_and_their_judgements(wiserui: str, pictures: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    judgements = PAIRS * (REASONS + 1 + REASONS)  # its own, one of another pair, its own against every law
    with Loopback(after(LATENCY, answers)) as server:
        model, judge = (f"openai:{name}@{server.url}" for name in ("test", "judge"))
        command = run_command("behavior/rationale", model, wiserui, ledger, "--judge", judge)
        killed_and_started_again(command, server, ledger, pictures, PAIRS + judgements)
        asked = Counter(seen.body["model"] for seen in server.seen if seen.number == 1)
    assert asked == {"test": PAIRS, "judge": judgements}
    summary = summary_of(ledger)
    assert summary.attempts.by_status == {AttemptStatus.ANSWERED: PAIRS}
    assert summary.judgements.by_status == {AttemptStatus.ANSWERED: judgements}


MANY = 32  # requests of each model at once


def is_intact(ledger: Path) -> bool:
    with closing(sqlite3.connect(ledger)) as opened:
        found = opened.execute("PRAGMA integrity_check").fetchall()
    return found == [("ok",)] and main.run_command(["ledger", "check", "--ledger", str(ledger), "--quiet"]) == 0


def has_sent(server: Loopback, number: int) -> bool:
    return len(server.seen) >= number


@pytest.mark.parametrize(
    ("kills", "judge"),
    [(2, "judge"), pytest.param(10, "judge", marks=pytest.mark.long), pytest.param(10, "test", marks=pytest.mark.long)],
)
def test_killed_again_and_again(pictures: Path, tmp_path: Path, kills: int, judge: str) -> None:
    """With many requests under way, of the model and of the judge: each kill costs those, and nothing else."""
    ledger, pairs = tmp_path / "ledger.db", 10 + 5 * kills
    calls = pairs * (1 + REASONS + 1 + REASONS)
    data = pairs_in(tmp_path / "set", pairs)
    with Loopback(answers) as server:
        names = [f"openai:{name}@{server.url}" for name in ("test", judge)]
        more = ("--judge", names[1], "--concurrency", str(MANY))
        command = run_command("behavior/rationale", names[0], data, ledger, *more)
        lost = Counter[str]()  # requests under way at a kill whose responses did not reach the ledger
        for _ in range(kills):
            before, enough = len(server.seen), server.answered.total() + 24
            busy = partial(has_sent, server, enough + MANY // 4)  # what a queue may have at once grows with its answers
            kill_after(enough, command, server, pictures, busy)
            assert is_intact(ledger)
            kept = kept_calls(ledger)
            gone = [seen for seen in server.seen[before:] if seen.key not in kept]
            assert gone
            assert max(Counter(seen.body["model"] for seen in gone).values()) <= MANY
            lost.update(seen.key for seen in gone)
        assert len(server.counts) < calls, "the last kill came in the middle"
        finished = start_again(command, pictures)
        assert finished.returncode == 0, finished.stderr
        assert len(server.counts) == calls, "nothing is missing, and nothing else is asked"
        assert server.counts - Counter(server.counts.keys()) == lost, "requests under way are repeated, no others"
    assert is_intact(ledger)
    summary = summary_of(ledger)
    assert summary.attempts.by_status == {AttemptStatus.ANSWERED: pairs}
    assert summary.judgements.by_status == {AttemptStatus.ANSWERED: calls - pairs}
