"""What other packages add: names without loading, checks on loading, and one line for what is broken."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from markupsafe import escape

from affordance.core import plugin_registry
from affordance.core.errors import UserError
from affordance.core.model_name import ModelName
from affordance.core.question import FreeText
from affordance.core.requests import FinishReason, Request, Response
from affordance.datasets import Dataset, DatasetCollection, load_dataset
from affordance.datasets.published import PUBLISHED_DATASETS
from affordance.evaluation.plan import build_plan, default_run_name
from affordance.evaluation.run import RunRequest, execute_run
from affordance.evaluation.run_config import RunConfig
from affordance.grounding.dialects import DIALECTS, get_dialect
from affordance.judging.judgements import JUDGE_SPECS
from affordance.ledger import open_ledger
from affordance.models.profile import find_family
from affordance.models.registry import build_model
from affordance.report.formats.row_formats import ROW_FORMATS
from affordance.report.page.html_report import html_report
from affordance.report.rows import load_rows
from affordance.studio.studies.sources.task import Asked, task_study
from affordance.tasks.registry import TASKS, resolve_tasks
from errors import assert_carries, raises
from function_data import pixel, screen, target, unseen

Install = Callable[..., None]

MODULE = """
from dataclasses import replace
from affordance.tasks.strategies import AddedStrategy
from affordance.tasks.motion.effect import EFFECT
from affordance.grounding.dialects import BUILTIN_DIALECTS
from affordance.core.requests import Response
from affordance.models.model import LocalModel

GPT = next(row for row in BUILTIN_DIALECTS if row.name == "gpt")

def task(name, **changes):
    def questions(data, design):
        for trial in EFFECT.questions(data, design):
            yield replace(trial, question=replace(trial.question, task=name))

    prompts = {"zero-shot": "{rate} {options} {letters}"}
    return replace(EFFECT, name=name, prompts=prompts, **{"questions": questions, **changes})

fine = task("fine/one")
other = task("fine/other")
ours = task("motion/other")
untold = replace(EFFECT, name="untold/one")
unasked = task("unasked/one", strategies={})
misnamed = task("misnamed/one", questions=EFFECT.questions)
twice = AddedStrategy(lambda question, prompts, usual: usual(question, prompts), {"twice-again": "Again, {rate}."})
taken = AddedStrategy(twice.run, {"zero-shot": "Mine."})
wordless = replace(GPT, name="wordless", element=replace(GPT.element, prompt="of its own"))
unreadable = replace(GPT, name="unreadable", patterns=("(",))
said = replace(
    GPT, name="said", patterns=("said-.*",),
    element=replace(GPT.element, prompt="said", prompt_text="Where?"),
)

def broken(*_):
    raise RuntimeError("a bug of theirs")

class Model(LocalModel):
    def __init__(self, name, give):
        super().__init__(str(name))
        self._give = give

    async def send(self, ask):
        return self._give()

    def request_parameters(self, parameters):
        return 1 / 0

def leaking():
    raise RuntimeError("no entry\\nwith key-of-somebody-else")

def cut():
    raise ConnectionResetError("cut")

GIVEN = {
    "fine": lambda: Response("B"), "raising": leaking, "cut": cut, "nothing": lambda: None,
    "textless": lambda: Response(None), "unending": lambda: Response("B", finish="stop"),
}

def model(name, surroundings):
    return Model(name, GIVEN[name.model])

def seven(name, surroundings):
    return 7

def silent(name, surroundings):
    made = Model(name, None)
    made.send = None
    return made
"""


def forget() -> None:
    plugin_registry.entry_points_by_name.cache_clear()
    plugin_registry._entry_points.cache_clear()


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package on the path that has these entry points, by group: `tasks="NAME=OBJECT ..."`."""

    def one(package: str, **groups: str) -> None:
        module = package.replace("-", "_")
        folder = tmp_path / package
        about = folder / f"{module}-3.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 3\n")
        lines = []
        for group, entries in groups.items():
            lines += [f"[affordance.{group}]", *(f"{one.replace('=', f' = {module}:')}" for one in entries.split())]
        (about / "entry_points.txt").write_text("\n".join(lines))
        (folder / f"{module}.py").write_text(MODULE)
        monkeypatch.syspath_prepend(folder)
        forget()

    yield one
    monkeypatch.undo()
    forget()


def test_a_task_of_theirs_is_one_of_the_tasks(install: Install) -> None:
    before = list(TASKS)
    install("their-fine", tasks="fine/one=fine fine/other=other")
    assert list(TASKS) == [*before, "fine/one", "fine/other"]
    assert len(TASKS) == len(before) + 2
    assert [task.name for task in resolve_tasks(["fine"])] == ["fine/one", "fine/other"]
    assert TASKS["fine/one"].suite == "fine"
    assert default_run_name(resolve_tasks(["fine", "motion/effect"]), "123456") == "motion-effect+fine-123456"
    assert TASKS.get("fine/three") is None
    assert "fine/one" not in JUDGE_SPECS


def test_people_can_be_asked_a_task_of_theirs(install: Install, primitives: Dataset) -> None:
    install("their-people", tasks="fine/one=fine")
    task, data = TASKS["fine/one"], DatasetCollection.single(primitives)
    settings = RunConfig(tasks=(task,), limit=2)
    study = task_study("s", settings, 10, data, {"demo": "cache"})
    design = settings.question_design(task)
    asked = Asked(study, list(task.questions(data, design)), design.params.fps, [])
    sheet = asked.sheet(asked.slots()[0])
    assert sheet.heading == task.summary
    assert sheet.blocks


BROKEN: list[tuple[str, str, tuple[str, ...]]] = [
    ("fine/one=missing", "fine/one", ("AttributeError",)),
    ("fine/one=twice", "fine/one", ("Task", "AddedStrategy")),
    ("fine/two=fine", "fine/two", ("'fine/one'",)),
    ("motion/other=ours", "motion/other", ("'motion'",)),
    ("untold/one=untold", "untold/one", ("'zero-shot'",)),
    ("unasked/one=unasked", "unasked/one", ("'zero-shot'",)),
    ("motion/effect=fine", "motion/effect", ("motion/effect",)),
]


@pytest.mark.parametrize(("entry", "name", "data"), BROKEN, ids=[entry for entry, *_ in BROKEN])
def test_a_broken_task_is_one_line_for_whoever_wants_it(
    install: Install, entry: str, name: str, data: tuple[str, ...]
) -> None:
    install("their-broken", tasks=entry)
    with raises(UserError, "their-broken 3", *data) as raised:
        resolve_tasks([name])
    assert resolve_tasks(["motion/purpose"])
    found, wrong = TASKS.load_all()
    assert name not in found
    assert [str(error) for error in wrong] == [str(raised.value)]


def test_a_name_that_two_packages_give_is_nobodys(install: Install) -> None:
    install("their-first", tasks="fine/one=fine", formats="one=broken")
    install("their-second", tasks="fine/one=other")
    with raises(UserError, "their-first 3", "their-second 3"):
        resolve_tasks(["fine/one"])
    assert resolve_tasks(["motion/effect"])


def test_a_strategy_of_theirs_is_offered_by_every_task_and_in_the_identity_where_it_is_used(install: Install) -> None:
    plain = RunConfig(tasks=(TASKS["motion/effect"],))
    install("their-strategies", strategies="twice=twice taken=taken cocot=twice")
    assert RunConfig(tasks=(TASKS["motion/effect"],)).load_prompts() == plain.load_prompts()
    used = RunConfig(
        tasks=(TASKS["motion/effect"], TASKS["function/ground-element"]), strategies=("zero-shot", "twice")
    )
    for task in used.tasks:
        assert task.strategies.keys() >= {"zero-shot", "twice"}
        assert used.load_prompts()[task.name].texts["twice-again"] == "Again, {rate}."
    assert used.load_prompts()["motion/effect"].digest != plain.load_prompts()["motion/effect"].digest
    with raises(UserError, "'zero-shot'", "'taken'", "their-strategies 3", "motion/effect"):
        RunConfig(tasks=(TASKS["motion/effect"],), strategies=("taken",))
    with raises(UserError, "'cocot'", "their-strategies 3", "behavior/choice"):
        RunConfig(tasks=(TASKS["behavior/choice"],), strategies=("cocot",))
    with raises(UserError, "'twise'", "'twice'"):
        RunConfig(tasks=(TASKS["motion/effect"],), strategies=("twise",))


def test_a_folder_may_replace_the_words_of_a_strategy_or_leave_them(install: Install, tmp_path: Path) -> None:
    install("their-words", strategies="twice=twice")
    folder = tmp_path / "pack" / "motion" / "effect"
    folder.mkdir(parents=True)
    (folder / "zero-shot.txt").write_text("{rate} {options} {letters}")
    settings = RunConfig(tasks=(TASKS["motion/effect"],), strategies=("twice",), prompts=tmp_path / "pack")
    assert settings.load_prompts()["motion/effect"].texts["twice-again"] == "Again, {rate}."
    (folder / "twice-again.txt").write_text("Once more: {rate}")
    assert settings.load_prompts()["motion/effect"].texts["twice-again"] == "Once more: {rate}"


def test_a_dialect_of_theirs(install: Install) -> None:
    install("their-dialects", dialects="said=said wordless=wordless unreadable=unreadable gpt=said")
    assert get_dialect("said@mille/yxyx").name == "said@mille/yxyx"
    family, is_known = find_family("acme/said-7b")
    assert (family.dialect, is_known) == ("said", True)
    with raises(UserError, "their-dialects 3", "wordless"):
        get_dialect("wordless")
    with raises(UserError, "their-dialects 3", "'('"):
        get_dialect("unreadable")
    with raises(UserError, "'gpt'", "their-dialects 3"):
        DIALECTS[find_family("gpt-5")[0].dialect]
    assert find_family("gemini-2.5-pro")[0].dialect == "gemini"


def test_a_reader_of_theirs_that_fails_is_told_as_theirs(install: Install, tmp_path: Path) -> None:
    install("their-reader", formats="broken=broken none=print x=broken")
    assert {"broken", "none"} <= set(PUBLISHED_DATASETS)
    with raises(UserError, "'broken'", "their-reader 3", "RuntimeError: a bug of theirs"):
        load_dataset(f"broken:{tmp_path}")
    with raises(UserError, "nowhere"):
        load_dataset("broken:nowhere")


def test_a_model_of_theirs(install: Install) -> None:
    install("their-models", models="broken=broken openai=broken baseline=broken")
    with raises(UserError, "'broken'", "their-models 3", "broken:x", "RuntimeError: a bug of theirs"):
        build_model(ModelName.parse("broken:x"), None)  # type: ignore[arg-type]
    for name in ("openai:gpt-5", "baseline:random"):
        with raises(UserError, "their-models 3", name.partition(":")[0]):
            build_model(ModelName.parse(name), None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("seven:x", ("seven:x", "Model", "name", "str", "int")),
        ("silent:x", ("Model", "send", "NoneType")),
        ("number:x", ("dict",)),
    ],
)
def test_what_is_no_model_is_reported_before_it_is_asked(install: Install, name: str, data: tuple[str, ...]) -> None:
    install("their-makers", models="seven=seven silent=silent number=GIVEN")
    with raises(UserError, "their-makers 3", *data):
        build_model(ModelName.parse(name), None)  # type: ignore[arg-type]


FAILED: list[tuple[str, tuple[str, ...], bool]] = [
    ("raising", ("RuntimeError: no entry with [key]",), True),
    ("cut", ("ConnectionResetError: cut",), False),
    ("nothing", ("Response", "NoneType"), True),
    ("textless", ("Response", "text", "str", "NoneType"), True),
    ("unending", ("Response", "finish", "Finish", "str"), True),
]


@pytest.mark.parametrize(("name", "data", "permanent"), FAILED, ids=[name for name, *_ in FAILED])
def test_a_model_of_theirs_that_does_not_reply_has_failed(
    install: Install, monkeypatch: pytest.MonkeyPatch, name: str, data: tuple[str, ...], permanent: bool
) -> None:
    monkeypatch.setenv("OTHERS_API_KEY", "key-of-somebody-else")
    install("their-replies", models="theirs=model")
    model = build_model(ModelName("theirs", name), None)  # type: ignore[arg-type]
    reply = asyncio.run(model.send(Request("q", (), FreeText())))
    assert_carries(reply.error, "'theirs'", "their-replies 3", *data)
    assert (reply.finish, reply.permanent) == (FinishReason.ERROR, permanent)


def test_a_model_of_theirs_that_replies_is_left_alone(install: Install) -> None:
    install("their-fine-models", models="theirs=model")
    model = build_model(ModelName("theirs", "fine"), None)  # type: ignore[arg-type]
    assert (model.name, model.base_url, model.dialect, model.answers_by_question) == (
        "theirs:fine",
        "",
        "default",
        False,
    )
    assert asyncio.run(model.send(Request("q", (), FreeText()))) == Response("B")
    with raises(UserError, "their-fine-models 3", "theirs:fine", "ZeroDivisionError"):
        model.request_parameters({})


def test_a_ledger_with_a_task_that_nobody_knows_says_so(install: Install, primitives: Dataset, tmp_path: Path) -> None:
    install("their-gone", tasks="fine/one=fine")
    ledger = str(tmp_path / "ledger.db")
    settings = RunConfig(tasks=(TASKS["fine/one"],), limit=1, trials=1)
    execute_run(
        RunRequest(
            settings,
            DatasetCollection.single(primitives),
            (ModelName("baseline", "random"),),
            ledger,
            tmp_path / "pictures",
        )
    )
    sys.path.remove(str(tmp_path / "their-gone"))
    forget()
    with (
        open_ledger(ledger, read_only=True) as opened,
        raises(UserError, "fine/one"),
    ):
        load_rows(opened, [])


def test_a_ledger_with_a_dialect_that_nobody_knows_is_reported(install: Install, tmp_path: Path) -> None:
    install("their-dialect", dialects="said=said")
    data = unseen(screen("s", (100, 100), [target("t", box=pixel(10, 10, 30, 30), intent="Do it.")]))
    (tmp_path / "p.jsonl").write_text('{"item": "s/t", "box": {"space": "pixel", "xyxy": [10, 10, 30, 30]}}\n')
    where = tmp_path / "ledger.db"
    for dialect in ("said@mille/yxyx", "gemini"):
        settings = RunConfig(tasks=tuple(resolve_tasks(["function/ground-element"])), dialect=dialect)
        model = ModelName.parse(f"replay:{tmp_path / 'p.jsonl'}")
        execute_run(RunRequest(settings, data, (model,), str(where), tmp_path / "pictures"))
    with open_ledger(where, read_only=True) as ledger:
        _, before = load_rows(ledger, [])
    sys.path[:] = [one for one in sys.path if "their-dialect" not in one]
    forget()
    get_dialect.cache_clear()
    assert "said" not in DIALECTS
    with open_ledger(where, read_only=True) as ledger:
        results, after = load_rows(ledger, [])
        page = html_report(results, after)
    theirs = next(row for row in after if row.dialect == "said@mille/yxyx")
    assert_carries(theirs.warnings[-1], "'said@mille/yxyx'")
    assert escape(theirs.warnings[-1]) in page
    assert all(text(after) for text in ROW_FORMATS.values())
    assert [(row.metrics, row.intervals, row.ended) for row in after] == [
        (row.metrics, row.intervals, row.ended) for row in before
    ]
    others = [[row.warnings for row in found if row.dialect == "gemini"] for found in (before, after)]
    assert others[0] == others[1]


def test_questions_of_another_task_are_a_mistake(install: Install, primitives: Dataset) -> None:
    install("their-misnamed", tasks="misnamed/one=misnamed")
    with raises(UserError, "misnamed/one", "'motion/effect'"):
        build_plan(RunConfig(tasks=(TASKS["misnamed/one"],)), DatasetCollection.single(primitives))
