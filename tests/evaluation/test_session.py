"""Whole sittings: oracle, chance, replay, caching, fresh runs, budgets, re-asking."""

import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from aiohttp import web

from affordance.core.errors import UserError
from affordance.evaluation.plan import build_plan, named_run, run_id
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.ledger.reader import LedgerReader
from affordance.models.family import Price
from affordance.report.result_row import ResultRow
from affordance.report.rows import build_rows
from affordance.tasks.question_design import OptionOrder
from affordance.tasks.registry import resolve_tasks
from errors import assert_carries, raises
from loopback import Loopback, Seen, completion, says_move


def row_of(request: RunRequest) -> ResultRow:
    run, _ = execute_run(request)
    with open_ledger(request.ledger, read_only=True) as ledger:
        (row,) = build_rows(ledger, [run])
    return row


def test_the_oracle_scores_1(request_for: Callable[..., RunRequest]) -> None:
    row = row_of(request_for("oracle", trials=10))
    assert row.metrics["accuracy"] == 1.0
    assert row.n == 70
    assert row.complete


def test_pixels_score_1_on_the_canonical_clips(request_for: Callable[..., RunRequest]) -> None:
    assert row_of(request_for("baseline:pixels")).metrics["accuracy"] == 1.0


def test_chance_is_within_its_binomial_interval(request_for: Callable[..., RunRequest]) -> None:
    row = row_of(request_for("baseline:random", trials=50))
    deviation = math.sqrt(row.chance * (1 - row.chance) / row.n)
    assert row.n == 350
    assert row.metrics["accuracy"] == pytest.approx(1 / 7, abs=1.96 * deviation)


def test_the_same_request_asks_nothing_twice(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}", trials=3)
        first, _ = execute_run(request)
        assert len(server.seen) == 21
        second, progress = execute_run(request)
        assert (second, progress.done) == (first, 21)
        named, progress = execute_run(replace(request, name="another"))
        assert named.id != first.id
        assert next(iter(progress.models.values())).cached == 21
        assert len(server.seen) == 21


def test_a_fresh_run_asks_again_and_resumes_by_name(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}")
        first, _ = execute_run(request)
        fresh, _ = execute_run(replace(request, fresh=True))
        assert fresh.name == f"{first.name}-2"
        assert len(server.seen) == 14
        execute_run(replace(request, name=fresh.name))
        assert len(server.seen) == 14
        with raises(UserError, fresh.name):
            execute_run(replace(request, fresh=True, name=fresh.name))


def test_a_name_stands_for_one_set_of_settings(request_for: Callable[..., RunRequest]) -> None:
    execute_run(request_for("oracle", name="mine"))
    with raises(UserError, "mine", "seed", 0, 1):
        execute_run(request_for("oracle", name="mine", seed=1))


def test_a_run_keeps_its_parameters(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        model = f"openai:test@{server.url}"
        execute_run(request_for(model))
        with raises(UserError, "top_p"):
            execute_run(request_for(model, model_options={model: {"top_p": 0.5}}))


def test_what_the_model_is_sent(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        execute_run(request_for(f"openai:test@{server.url}", parameters={"max_tokens": 99}))
        bodies = [seen.body for seen in server.seen]
    assert {(body["model"], body["temperature"], body["max_tokens"]) for body in bodies} == {("test", 0, 99)}
    assert all(len(seen.images) == 30 for seen in server.seen)
    assert all(re.search(r"\b10\b", seen.text) for seen in server.seen), "frames a second"


def test_the_paper_protocol_sends_no_temperature_and_shuffles(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}", protocol="paper", limit=1)
        run, _ = execute_run(request)
        assert "temperature" not in server.seen[0].body
    assert run.settings["order"] == {"motion/effect": str(OptionOrder.SHUFFLED)}


def test_a_run_from_before_the_place_of_the_truth_was_balanced_is_not_gone_on_with(
    request_for: Callable[..., RunRequest],
) -> None:
    request = request_for("oracle")
    job = build_plan(request.config, request.data)
    before = named_run("mine", {**job.identity, "order": {"motion/effect": "balanced"}}, job.dataset)
    assert run_id(before.settings, str(before.dataset["digest"])) != job.id
    with open_ledger(request.ledger) as ledger:
        ledger.begin_run(before)
    with raises(UserError, "mine", "order", "'balanced'", "'balanced by truth'"):
        execute_run(replace(request, name="mine"))
    run, _ = execute_run(request)
    assert run.id != before.id


@pytest.mark.parametrize("task", ["behavior/choice", "behavior/rationale", "motion/twin"])
def test_runs_that_ask_in_both_orders_are_gone_on_with(task: str) -> None:
    settings = RunConfig(tasks=tuple(resolve_tasks([task])), judge="baseline:overlap")
    assert settings.identity(settings.load_prompts())["order"] == {task: "balanced"}


def test_models_share_the_order_of_options(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        execute_run(request_for(f"openai:a@{server.url}", f"openai:b@{server.url}", trials=3))
    texts = {name: sorted(s.text for s in server.seen if s.body["model"] == name) for name in ("a", "b")}
    assert texts["a"] == texts["b"]
    assert len(set(texts["a"])) == 21, "each clip has orders of its own, another one in each trial"


def test_replay_scores_predictions_of_others(request_for: Callable[..., RunRequest], tmp_path: Path) -> None:
    effects = ["blur", "color", "fade", "morph", "move", "rotate"]
    lines = [{"item": effect, "reply": effect if effect != "blur" else "Move"} for effect in effects]
    file = tmp_path / "predictions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    row = row_of(request_for(f"replay:{file}"))
    assert row.ended["answered"] == 6
    assert row.ended["failed"] == 1
    assert not row.complete
    assert row.metrics["accuracy"] == pytest.approx(5 / 6)
    assert row.bounds["accuracy"] == pytest.approx((5 / 7, 6 / 7))


@pytest.mark.parametrize("name", [None, "mine"])
def test_a_limited_run_of_version_1_keeps_its_questions(
    request_for: Callable[..., RunRequest], name: str | None
) -> None:
    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}", limit=3, name=name)
        first, _ = execute_run(replace(request, config=request.config.replace(rules=1)))
        assert "subset" not in first.settings
        (left,) = estimate_run(request)
        again, progress = execute_run(request)
        assert (left.asks, again, progress.done, len(server.seen)) == (0, first, 3, 3)

        with open_ledger(request.ledger, read_only=True) as ledger:
            kept = {one.question_id for one in ledger.attempt_results(first.id)}
        other, _ = execute_run(replace(request, name="other"))
        assert (other.settings["subset"], other.settings["limit"]) == (2, 3)
        with open_ledger(request.ledger, read_only=True) as ledger:
            assert {one.question_id for one in ledger.attempt_results(other.id)} != kept
        fresh, _ = execute_run(replace(request, name=None, fresh=True))
        assert fresh.settings["subset"] == 2


def test_what_differs_from_a_run_of_version_1_is_named(request_for: Callable[..., RunRequest]) -> None:
    request = request_for("oracle", name="mine", limit=3)
    execute_run(replace(request, config=request.config.replace(rules=1)))
    with raises(UserError, "mine", "seed", 0, 1) as raised:
        execute_run(replace(request, config=request.config.replace(seed=1)))
    assert "subset" not in str(raised.value)


def test_a_limit_without_orders_of_options_makes_no_other_run(request_for: Callable[..., RunRequest]) -> None:
    request = request_for("oracle", limit=3)
    for settings in (
        request.config.replace(limit=None),
        RunConfig(
            tasks=tuple(resolve_tasks(["behavior/choice", "function/ground-element", "motion/meaning"])), limit=3
        ),
        request.config.replace(protocol="paper"),
    ):
        packs = settings.load_prompts()
        assert settings.identity(packs) == settings.replace(rules=1).identity(packs)


def test_estimate_asks_nothing(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        request = request_for(f"openai:gpt-4o@{server.url}", trials=2, parameters={"max_tokens": 100})
        request = replace(request, config=request.config.replace(limit=7))
        (before,) = estimate_run(request)
        assert (before.attempts, before.asks, before.pictures) == (14, 14, 14 * 30)
        assert before.most_output_tokens == 1400
        assert before.cost == pytest.approx(Price(2.5, 10).cost(before.input_tokens, 1400))
        assert not Path(request.ledger).exists()
        assert not server.seen
        execute_run(replace(request, config=request.config.replace(limit=3)))
        (then,) = estimate_run(request)
        assert (then.ended, then.asks) == (0, 8)


def test_a_budget_is_never_passed(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        price = Price(input=0.0, output=1e6)  # a dollar a token
        request = request_for(
            f"openai:mine@{server.url}", trials=10, parameters={"max_tokens": 20}, budget=105.0, prices={"mine": price}
        )
        _, progress = execute_run(request)
        # A reply costs 10 dollars, an ask in flight counts 20: the ninth reply is the last that is sure to fit.
        assert progress.cost == 90.0
        assert len(server.seen) == 9
        assert_carries(progress.stop_reason, "105")
        assert progress.over_budget
        _, progress = execute_run(request)
        assert len(server.seen) == 9, "what was spent before counts"


def test_a_budget_of_fractions_comes_to_an_end(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        prices = {"a": Price(0.1, 0.7), "b": Price(0.3, 1.1)}
        models = [f"openai:{name}@{server.url}" for name in prices]
        parameters = {"max_tokens": 33}
        request = request_for(*models, trials=10, parameters=parameters, budget=0.002, prices=prices, concurrency=8)
        _, progress = execute_run(request)
        assert progress.over_budget
        assert_carries(progress.stop_reason, "0.002")
        assert progress.cost is not None
        assert progress.cost <= 0.002


@pytest.mark.parametrize(
    ("price", "counted", "budget"),
    [
        (Price(1000.0, 1e6), {}, 5_000.0),
        (Price(0.0, 1e6), {"prompt_tokens": 9000}, 205.0),
        (Price(1000.0, 0.0), {"completion_tokens": 7}, 5_000.0),
    ],
    ids=str,
)
def test_what_nobody_counted_is_remembered_as_it_was_taken_for(
    request_for: Callable[..., RunRequest], price: Price, counted: dict[str, int], budget: float
) -> None:
    """Otherwise a budget would be passed by going on: a picture more or less in each ask, and the frames are many."""

    async def counts_in_part(seen: Seen, _: web.Request) -> web.StreamResponse:
        choice = {"message": {"content": seen.letter_of("Move")}, "finish_reason": "stop"}
        return web.json_response({"choices": [choice], "usage": counted})

    with Loopback(counts_in_part) as server:
        request = request_for(
            f"openai:mine@{server.url}", trials=10, parameters={"max_tokens": 20}, budget=budget, prices={"mine": price}
        )
        _, first = execute_run(request)
        asked = len(server.seen)
        assert 0 < asked < 70
        _, second = execute_run(request)
        assert len(server.seen) == asked
        assert second.cost == pytest.approx(first.cost)


def test_parameters_that_are_ours(request_for: Callable[..., RunRequest]) -> None:
    for name in ("model", "messages", "stream"):
        with raises(UserError, name):
            execute_run(request_for("oracle", parameters={name: "x"}))


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"parameters": {"max_tokens": 5}}, "prices"),
        ({"prices": {"mine": Price(1, 1)}}, "max_tokens"),
    ],
)
def test_a_budget_needs_price_and_limit(
    request_for: Callable[..., RunRequest], changes: dict[str, object], missing: str
) -> None:
    with raises(UserError, "budget", missing):
        execute_run(request_for("openai:mine@http://127.0.0.1:9/v1", budget=1.0, **changes))


def test_unreadable_replies_are_asked_again_where_the_protocol_says_so(request_for: Callable[..., RunRequest]) -> None:
    async def babbles_first(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("Hm.") if seen.number == 1 else await says_move(seen, request)

    with Loopback(babbles_first) as server:
        request = request_for(f"openai:test@{server.url}")
        (task,) = request.config.tasks
        patient = replace(task, protocols={"affordance": replace(task.protocols["affordance"], parse_retries=2)})
        row = row_of(replace(request, config=request.config.replace(tasks=(patient,))))
        assert set(server.counts.values()) == {2}
    assert row.ended["answered"] == 7
    assert row.metrics["accuracy"] == pytest.approx(1 / 7)
    assert row.metrics["first_try_accuracy"] == 0.0


@pytest.mark.parametrize(
    ("protocol", "given", "effective"),
    [("affordance", None, 0), ("affordance", 2, 2), ("paper", None, 5), ("paper", 0, 0), ("paper", 10, 10)],
)
def test_how_often_is_the_protocols_to_say_unless_it_is_given(protocol: str, given: int | None, effective: int) -> None:
    (task,) = resolve_tasks(["behavior/choice"])
    settings = RunConfig(tasks=(task,), protocol=protocol, parse_retries=given)
    assert settings.max_parse_retries(task) == effective
    assert settings.identity(settings.load_prompts())["reasks"] == {"behavior/choice": effective}


def test_refusals_are_not_asked_again(request_for: Callable[..., RunRequest]) -> None:
    async def refuses(_: Seen, __: web.Request) -> web.StreamResponse:
        return completion("I'm sorry, I can't help with that.")

    with Loopback(refuses) as server:
        request = request_for(f"openai:test@{server.url}")
        (task,) = request.config.tasks
        patient = replace(task, protocols={"affordance": replace(task.protocols["affordance"], parse_retries=2)})
        row = row_of(replace(request, config=request.config.replace(tasks=(patient,))))
        assert set(server.counts.values()) == {1}
    assert row.ended["refused"] == 7


def test_the_row_says_what_was_sent(request_for: Callable[..., RunRequest]) -> None:
    with Loopback() as server:
        row = row_of(request_for(f"openai:gpt-5@{server.url}", parameters={"max_tokens": 7}))
    assert row.sent == ({"base_url": server.url, "parameters": {"max_completion_tokens": 7}, "dialect": ""},)


def test_an_estimate_looks_up_only_its_own_requests(
    request_for: Callable[..., RunRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger may hold millions of responses of other runs."""
    with Loopback() as server:
        request = request_for(f"openai:test@{server.url}", limit=3)
        execute_run(request)
        monkeypatch.setattr(LedgerReader, "reusable_response_ids", lambda *_, **__: pytest.fail("all keys are read"))
        (again,) = estimate_run(replace(request, name="another"))
    assert again.asks == 0
    assert again.attempts > 0
