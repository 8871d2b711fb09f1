"""The behavior suite through the real runner: exact calls of each strategy, the control row, judged explanations."""

import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from affordance.core.answer_text import PARSER_VERSION
from affordance.core.attempts import AttemptResult, AttemptStatus, PromptTexts, RequestGenerator
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.core.question import PairChoice, Question
from affordance.core.requests import Request, Response
from affordance.datasets import DatasetCollection
from affordance.evaluation.execution_config import ExecutionConfig, RetryPolicy
from affordance.evaluation.run import RunRequest, estimate_run, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.ledger import open_ledger
from affordance.report.rows import build_rows
from affordance.tasks.behavior.choice import CHOICE, IDENTICAL_IMAGES
from affordance.tasks.behavior.rationale import RATIONALE
from affordance.tasks.behavior.rationale_judging import ALL_LAWS_ANSWER, RationaleScores
from affordance.tasks.prompts import load_prompt_pack
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Task
from behavior_data import pair, published, write_pairs
from errors import raises
from loopback import Loopback, Seen, completion
from task_numbers import metrics_of, published_of

SHORT = RetryPolicy(max_tries=2, first_wait=0.01, max_wait=0.05, max_repeated_errors=5, outage_timeout=0.0)
LARGER = ("The button is larger.", "Fitts’s Law", "Action")
FEWER = ("There are fewer choices.", "Hick’s Law", "Action")
SIDED = ("The right version stands out.", "Von Restorff Effect", "Memory")
REASONS = [[LARGER, SIDED], [FEWER], [LARGER, FEWER]]  # SIDED is among those that are listed as naming a side


@pytest.fixture
def three(tmp_path: Path) -> DatasetCollection:
    return published(tmp_path / "set", REASONS)


@pytest.fixture
def request_of(tmp_path: Path) -> Callable[..., RunRequest]:
    def make(task: Task, data: DatasetCollection, models: Sequence[str], **settings: Any) -> RunRequest:
        return RunRequest(
            config=RunConfig(tasks=(task,), **{"trials": 1, **settings}),
            data=data,
            models=tuple(ModelName.parse(model) for model in models),
            ledger=str(tmp_path / "ledger.db"),
            render_cache=tmp_path / "pictures",
            execution=ExecutionConfig(concurrency=8, retry=SHORT),
        )

    return make


def outcomes_of(request: RunRequest, **kinds: bool) -> list[AttemptResult]:
    run, progress = execute_run(request)
    assert progress.complete
    with open_ledger(request.ledger, read_only=True) as ledger:
        return list(ledger.attempt_results(run.id, **kinds))


async def picks_second(seen: Seen, _: web.Request) -> web.StreamResponse:
    """In the words that it is asked in."""
    asked = re.findall(r"More effective: <(\w+)/(\w+)>", seen.text)
    return completion(f"Reasons.\nMore effective: {asked[-1][1]}" if asked else "Reasons.")


# Strategies of one run, and calls for each order of a pair.
CALLS = {
    ("relabelled",): 1,
    ("cocot", "self-refine"): 3,
    ("debate-3",): 7,
    ("debate-1", "debate-3"): 8,
    ("zero-shot", "cocot", "self-refine", "ddcot", "debate-1", "debate-3"): 13,
}


@pytest.mark.parametrize(("strategies", "calls"), CALLS.items(), ids=["+".join(names) for names in CALLS])
def test_a_run_makes_exactly_the_calls_of_its_strategies(
    request_of: Callable[..., RunRequest], three: DatasetCollection, strategies: tuple[str, ...], calls: int
) -> None:
    with Loopback(picks_second) as server:
        request = request_of(CHOICE, three, [f"openai:test@{server.url}"], strategies=strategies)
        found = outcomes_of(request)
        assert len(server.seen) == 3 * 2 * calls
        assert all(len(seen.images) == 2 and len(set(seen.images)) == 2 for seen in server.seen)
        assert {seen.body["temperature"] for seen in server.seen} == {0.2}
        execute_run(request)
        assert len(server.seen) == 3 * 2 * calls, "nothing is asked twice"
    assert Counter(one.strategy for one in found) == dict.fromkeys(strategies, 6)
    if strategies != ("relabelled",):  # its labels come in either order
        assert {one.verdict.answer for one in found if one.verdict} == {"Second"}
    assert {one.verdict.status for one in found if one.verdict} == {AttemptStatus.ANSWERED}


def test_a_strategy_goes_on_from_what_another_run_has_asked(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    with Loopback(picks_second) as server:
        for strategy, new in (("cocot", 1), ("self-refine", 2), ("debate-1", 3), ("debate-3", 5)):
            before = len(server.seen)
            execute_run(request_of(CHOICE, three, [f"openai:test@{server.url}"], strategies=(strategy,)))
            assert len(server.seen) - before == 3 * 2 * new, strategy


def test_trials_are_asked_each_by_itself(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    with Loopback(picks_second) as server:
        execute_run(request_of(CHOICE, three, [f"openai:test@{server.url}"], trials=None))
        assert set(server.counts.values()) == {3}
        assert len(server.seen) == 3 * 2 * 3


@pytest.mark.parametrize("strategy", ["zero-shot", "relabelled"])
@pytest.mark.parametrize(
    ("readable", "ended"), [(6, AttemptStatus.ANSWERED), (7, AttemptStatus.UNPARSED)], ids=["late", "too late"]
)
def test_as_published_a_reply_without_the_marker_is_asked_again(
    request_of: Callable[..., RunRequest], three: DatasetCollection, readable: int, ended: AttemptStatus, strategy: str
) -> None:
    async def late(seen: Seen, request: web.Request) -> web.StreamResponse:
        return completion("Hm.") if seen.number < readable else await picks_second(seen, request)

    with Loopback(late) as server:
        model = f"openai:test@{server.url}"
        request = request_of(CHOICE, three, [model], protocol="paper", strategies=(strategy,))
        found = outcomes_of(request)
        assert set(server.counts.values()) == {6}
    assert {one.first_verdict.status for one in found if one.first_verdict} == {AttemptStatus.UNPARSED}
    assert {one.verdict.status for one in found if one.verdict} == {ended}


async def thinks(seen: Seen, _: web.Request) -> web.StreamResponse:
    return completion("<think>Secret. More effective: First</think>Reasons.\nMore effective: Second")


def test_thinking_is_not_passed_on(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    with Loopback(thinks) as server:
        execute_run(request_of(CHOICE, three, [f"openai:test@{server.url}"], strategies=("self-refine", "debate-3")))
        assert len(server.seen) == 3 * 2 * 10
        assert not any("Secret" in seen.text for seen in server.seen)


def test_relabelled_replies_are_read_strictly_too(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    with Loopback(picks_second) as server:
        found = outcomes_of(request_of(CHOICE, three, [f"openai:test@{server.url}"], strategies=("relabelled",)))
    assert published_of(CHOICE, found)["average_accuracy_strict"] == metrics_of(CHOICE, found)["average_accuracy"]


def first_of_two(question: Question, prompts: PromptTexts) -> RequestGenerator:
    """Asks twice, and returns what was said first."""
    (first,) = yield from _once(question, prompts)
    yield from _once(question, prompts)
    return first


def _once(question: Question, prompts: PromptTexts) -> Generator[list[Request], list[Response], list[Response]]:
    (ask,) = next(zero_shot(question, prompts))
    return (yield [ask])


def test_a_verdict_knows_the_response_that_it_was_read_from(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    """It need not be the last one."""

    async def turns(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion({1: "Hm.", 2: "More effective: First"}.get(seen.number, "More effective: Second"))

    task = replace(CHOICE, strategies={**CHOICE.strategies, "first-of-two": first_of_two})
    with Loopback(turns) as server:
        model = f"openai:test@{server.url}"
        request = request_of(task, three, [model], protocol="paper", strategies=("first-of-two",))
        found = outcomes_of(request)
        assert set(server.counts.values()) == {3}
        execute_run(request)
        assert set(server.counts.values()) == {3}
    with open_ledger(request.ledger, read_only=True) as ledger:
        answered = ledger.answered_steps([one.attempt_id for one in found])
        origins = ledger.verdict_origins(ledger.run_summaries()[0].run.id)
    assert [(one.verdict.answer, one.first_verdict.status) for one in found if one.verdict and one.first_verdict] == [
        ("First", AttemptStatus.UNPARSED)
    ] * len(found)
    assert {(one.step, one.response.text) for one in answered.values()} == {((0, 0, 1), "More effective: First")}
    assert {name: one.response_id for name, one in origins.items()} == {
        name: one.response_id for name, one in answered.items()
    }
    assert {(one.answer_format, one.parser_version) for one in origins.values()} == {(PairChoice(), PARSER_VERSION)}
    assert {one.parser_version for one in found} == {PARSER_VERSION}


def test_a_strategy_returns_what_a_model_said(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    def own_words(question: Question, prompts: PromptTexts) -> RequestGenerator:
        yield from _once(question, prompts)
        return Response("More effective: First")

    task = replace(CHOICE, strategies={**CHOICE.strategies, "own-words": own_words})
    with raises(UserError, "own-words"):
        execute_run(request_of(task, three, ["oracle"], strategies=("own-words",)))


@pytest.mark.parametrize("rounds", [0, 2000])
def test_a_strategy_without_requests_or_without_end_is_named(
    request_of: Callable[..., RunRequest], three: DatasetCollection, rounds: int
) -> None:
    def strange(question: Question, prompts: PromptTexts) -> RequestGenerator:
        usual = CHOICE.strategies["zero-shot"](question, prompts)
        requests = next(usual)
        for _ in range(rounds):
            yield requests
        return Response()

    task = replace(CHOICE, strategies={**CHOICE.strategies, "strange": strange})
    with raises(UserError, "strange"):
        execute_run(request_of(task, three, ["oracle"], strategies=("strange",)))


def test_an_estimate_counts_what_the_judge_is_asked(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    with Loopback(explains_and_judges) as server:
        model, judge = f"openai:test@{server.url}", f"openai:judge@{server.url}"
        request = request_of(RATIONALE, three, [model], judge=judge)
        answering, judging = estimate_run(request)
        assert (answering.asks, judging.attempts) == (3, 5 + 1 + 3 + 5)
        assert not server.seen
        execute_run(request)
        asked = sum(judges(seen) for seen in server.seen)
        assert asked <= judging.asks < judging.attempts, "what is equal is judged once"
        assert [one.asks for one in estimate_run(request)] == [0, 0]


def test_metrics_are_joined_by_pair(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    with Loopback(picks_second) as server:
        run, _ = execute_run(request := request_of(CHOICE, three, [f"openai:test@{server.url}", "oracle"]))
    with open_ledger(request.ledger, read_only=True) as ledger:
        by_model = {row.model.partition(":")[0]: row for row in build_rows(ledger, [run])}
    names = ("first_accuracy", "second_accuracy", "average_accuracy", "consistent_accuracy", "position_preference")
    assert [by_model["openai"].metrics[name] for name in names] == [0, 1, 0.5, 0, 0]
    assert [by_model["oracle"].metrics[name] for name in names] == [1, 1, 1, 1, 0.5]


def test_identical_pictures_are_a_row_of_their_own(request_of: Callable[..., RunRequest], tmp_path: Path) -> None:
    data = write_pairs(tmp_path / "pairs", pair("a"), pair("b", 1), pair("null", same=True))
    with Loopback(picks_second) as server:
        run, _ = execute_run(request := request_of(CHOICE, data, [f"openai:test@{server.url}"]))
        assert Counter(len(set(seen.images)) for seen in server.seen) == {2: 4, 1: 1}, "both orders are one ask there"
    with open_ledger(request.ledger, read_only=True) as ledger:
        found = {row.form: (row.items, row.n) for row in build_rows(ledger, [run])}
    assert found == {"": (2, 4), IDENTICAL_IMAGES: (1, 2)}


def judges(seen: Seen) -> bool:
    return not seen.images


SAID = ("The better version stands out.", LARGER[0])


async def explains_and_judges(seen: Seen, _: web.Request) -> web.StreamResponse:
    """Explains by size alone; as a judge it finds what is there word by word, but is in doubt about sides."""
    if not judges(seen):
        return completion(" ".join(SAID))
    if "right version" in seen.text:
        return completion("Yes and No")
    there = FEWER[0] not in seen.text and any(seen.text.count(said) > 1 for said in SAID)
    return completion("Yes" if there else "No")


def test_every_rationale_is_judged_once(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    with Loopback(explains_and_judges) as server:
        model, judge = f"openai:test@{server.url}", f"openai:judge@{server.url}"
        request = request_of(RATIONALE, three, [model], judge=judge)
        found = outcomes_of(request)
        about = [seen for seen in server.seen if judges(seen)]
        assert len(server.seen) - len(about) == 3, "one explanation for each pair"
        of_laws = sum(ALL_LAWS_ANSWER in seen.text for seen in about)
        sided = sum("right version" in seen.text for seen in about)
        assert sided == 1
        assert of_laws == 3, "one for each of three different texts"
        assert len(about) == len({seen.text for seen in about})
        execute_run(request)
        assert len(server.seen) == 3 + len(about)
        judgements = outcomes_of(request, judgements=True)
    assert len(judgements) == 5 + 1 + 3 + 5, "rationales, the one with its side, those of other pairs, those of laws"
    assert Counter(one.tags["judged"] for one in judgements) == {"rationale": 5, "written": 1, "foreign": 3, "laws": 5}
    metrics = metrics_of(RATIONALE, found)
    assert metrics["rationale_accuracy"] == pytest.approx(3 / 5)
    assert metrics["instance_accuracy"] == pytest.approx(2 / 3)
    assert metrics["ambiguous"] == 0
    compat = published_of(RATIONALE, found)
    assert compat["rationale_accuracy_published"] == pytest.approx(2 / 4), "what is ambiguous is dropped there"
    assert compat["rationale_accuracy_written"] == pytest.approx(2 / 5)


def test_the_judge_is_asked_at_temperature_0_whatever_the_model_is_asked_at(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    """Also where it judges itself, and when the run goes on."""
    with Loopback(explains_and_judges) as server:
        model = f"openai:test@{server.url}"
        request = request_of(RATIONALE, three, [model], judge=model, parameters={"temperature": 0.7})
        assert outcomes_of(request) == outcomes_of(request)
        assert {seen.body["temperature"] for seen in server.seen if judges(seen)} == {0}
        assert {seen.body["temperature"] for seen in server.seen if not judges(seen)} == {0.7}


def test_the_answer_of_all_laws_is_judged_once_for_all_models(
    request_of: Callable[..., RunRequest], three: DatasetCollection
) -> None:
    with Loopback(explains_and_judges) as server:
        models = [f"openai:{name}@{server.url}" for name in ("one", "two")]
        execute_run(request_of(RATIONALE, three, models, judge=f"openai:judge@{server.url}"))
        texts = Counter(seen.text for seen in server.seen if judges(seen) and ALL_LAWS_ANSWER in seen.text)
    assert len(texts) == 3
    assert set(texts.values()) == {1}


def test_another_judge_asks_no_model(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    """Word overlap is the offline one."""
    with Loopback(explains_and_judges) as server:
        model = f"openai:test@{server.url}"
        execute_run(request_of(RATIONALE, three, [model], judge=f"openai:judge@{server.url}"))
        before = len(server.seen)
        found = outcomes_of(request_of(RATIONALE, three, [model], judge="baseline:overlap"))
        assert len(server.seen) == before
    judged = [RationaleScores.from_detail(one.verdict.detail) for one in found if one.verdict]
    assert [len(one.rationales) for one in judged if one] == [2, 1, 2]
    assert all(check.found is not None for one in judged if one for check in one.rationales)


def test_refusals_are_not_judged(request_of: Callable[..., RunRequest], three: DatasetCollection) -> None:
    async def refuses(seen: Seen, _: web.Request) -> web.StreamResponse:
        assert not judges(seen)
        return completion("I'm sorry, I can't help with that.")

    with Loopback(refuses) as server:
        model = f"openai:test@{server.url}"
        found = outcomes_of(request_of(RATIONALE, three, [model], judge=f"openai:judge@{server.url}"))
        assert len(server.seen) == 3
    assert {one.verdict.status for one in found if one.verdict} == {AttemptStatus.REFUSED}
    assert metrics_of(RATIONALE, found)["rationale_accuracy"] == 0


def prompts_of(folder: Path, **changed: str) -> Path:
    """A folder of prompts with those of the task, of which some are changed."""
    texts = {**load_prompt_pack(RATIONALE).texts, **changed}
    own = folder / RATIONALE.name
    own.mkdir(parents=True)
    for name, text in texts.items():
        (own / f"{name}.txt").write_text(text)
    return folder


def test_a_changed_prompt_asks_only_what_it_changes(
    request_of: Callable[..., RunRequest], three: DatasetCollection, tmp_path: Path
) -> None:
    async def answers(seen: Seen, _: web.Request) -> web.StreamResponse:
        return completion(f"An explanation of {len(seen.text)} letters." if seen.images else "Yes")

    judge = load_prompt_pack(RATIONALE).texts["judge"]
    zero_shot = load_prompt_pack(RATIONALE).texts["zero-shot"]
    changes: list[dict[str, str]] = [
        {},
        {"judge": f"{judge} Be strict."},
        {"zero-shot": f"{zero_shot} Be brief.", "judge": judge},
        {"judge": f"{judge} Be strict."},
    ]
    asked: list[tuple[int, int]] = []
    with Loopback(answers) as server:
        for number, changed in enumerate(changes):
            folder = prompts_of(tmp_path / f"prompts-{number}", **changed)
            request = request_of(
                RATIONALE, three, [f"openai:m@{server.url}"], judge=f"openai:judge@{server.url}", prompts=folder
            )
            run, progress = execute_run(request)
            assert progress.complete
            new = server.seen[sum(map(sum, asked)) :]
            asked.append((sum(bool(one.images) for one in new), sum(not one.images for one in new)))
            assert execute_run(request)[0].id == run.id, "it is resumed, though others asked first what it used"
            assert sum(map(sum, asked)) == len(server.seen)
    first_judgements = asked[0][1]
    laws = first_judgements - asked[2][1]  # judged of an answer that names every law, whatever the model said
    assert first_judgements > laws > 0
    assert asked == [(3, first_judgements), (0, first_judgements), (3, first_judgements - laws), (0, 0)]
