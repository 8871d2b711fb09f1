"""Configuration of a run: everything that decides which questions it has and what is sent."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import GetPydanticSchema, PrivateAttr, ValidationError, model_validator
from pydantic_core import core_schema

from affordance.core.errors import InvalidOption, UnknownName, UserError
from affordance.core.http import public_url
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.options import OptionInfo, OptionModel, invalid_option, option, options_of
from affordance.core.prompts import PromptPack
from affordance.models.parameters import OUTPUT_LIMIT_PARAMETERS, check_parameters
from affordance.tasks.prompts import load_prompt_pack, load_prompt_packs
from affordance.tasks.question_design import DESIGN_VERSION, OptionOrder, QuestionDesign, TaskParams
from affordance.tasks.registry import TASKS
from affordance.tasks.strategies import STRATEGIES, ZERO_SHOT, add_plugin_strategies
from affordance.tasks.task import Preset, Task

PROTOCOLS = ("affordance", "paper")
DEFAULT_FPS = "10"  # in the record of every run, also of tasks without clips
JUDGE_MAX_TOKENS = 1024
JUDGE_MAX_TOKENS_KEY = "judge_max_tokens"  # in the record of a run; runs of version 1 have none
RESERVED_PARAMETERS = frozenset({"model", "messages", "stream"})
_ORDERS_OF_VERSION_1 = {OptionOrder.CAPTURED: OptionOrder.SHUFFLED}


class RunConfig(OptionModel):
    """Configuration of a run: its tasks, the options of all runs, and the options of its tasks.

    An option that is left out, or None, has the value of the protocol. Options of tasks are fields of their parameter
    classes; they are given like all others, and kept in `task_options`.

        RunConfig(tasks=(EFFECT,), limit=20, fps="2.5")
    """

    tasks: Annotated[tuple[Task, ...], GetPydanticSchema(lambda _type, _handler: core_schema.any_schema())]
    protocol: Literal["affordance", "paper"] = option(
        "affordance", "Protocol: affordance, or paper for the published settings (default: affordance).", metavar="P"
    )
    seed: int = option(0, "Seed for option order and random choices (default: 0).", metavar="N")
    limit: int | None = option(
        None, "Evaluate a fixed, spread-out subset of N items.", metavar="N", aliases=("-n",), ge=1
    )
    trials: int | None = option(
        None, "Trials per question (default: set by the protocol).", metavar="N", ge=1, le=10_000
    )
    parse_retries: int | None = option(
        None,
        "Repeated requests after an unparsed response (default: set by the protocol).",
        stored_as="reasks",
        metavar="N",
        aliases=("--reasks",),
        ge=0,
        le=10,
    )
    strategy: tuple[str, ...] = option(
        (ZERO_SHOT,),
        "Strategy: zero-shot, cocot, self-refine, ddcot, debate-1 or debate-3 (default: zero-shot); repeatable.",
        stored_as="strategies",
        metavar="S",
    )
    parameters: Mapping[str, Any] = option({}, "Request parameters for the models, such as temperature.")
    prompts: Path | None = option(None, "Folder with a prompt pack that replaces ours.", metavar="DIR")
    dialect: str | None = option(
        None,
        "Coordinate dialect of the models: a name of `affordance models`, or calibrated (default: by model family).",
        metavar="D",
    )
    judge: str | None = option(None, "Judge model that scores free text.", metavar="M")
    task_options: Mapping[str, Any] = {}
    rules: int = DESIGN_VERSION  # by which questions are made; 1 are those of version 1

    _defaults: frozenset[str] = PrivateAttr(default=frozenset())

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise invalid_option(error) from None

    @classmethod
    def from_options(
        cls, tasks: Sequence[Task], options: Mapping[str, Any], defaults: Collection[str] = ()
    ) -> "RunConfig":
        """The configuration for options as users give them.

        Args:
            tasks: the tasks of the run.
            options: values by option; None and empty lists count as not given.
            defaults: options that come from `affordance.toml`. They need not apply to one of the tasks.

        Raises:
            UnknownName: there is no option of that name.
            UserError: an option applies to none of the tasks, or its value is not valid.
        """
        known = run_options()
        names = _names_by_key(known.values())
        given = {names.get(key, key): value for key, value in options.items() if value not in (None, [], ())}
        from_file = {names.get(key, key) for key in defaults}
        for name in list(given):
            if name not in known and not any(name in task.params.model_fields for task in tasks):
                raise UnknownName("option", name, known)
            if any(_applies(name, task) for task in tasks):
                continue
            if name not in from_file:
                chosen = ", ".join(task.name for task in tasks)
                raise UserError(f"applies to none of the chosen tasks ({chosen})", option=name)
            if name == "judge":
                del given[name]
        check_parameters(given.get("parameters", {}))
        if isinstance(given.get("strategy"), str):
            given["strategy"] = (given["strategy"],)
        config = cls(tasks=tuple(tasks), **given)
        config._defaults = frozenset(from_file)
        return config

    @model_validator(mode="before")
    @classmethod
    def _sort_options(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Options that are given, without those of tasks, which go to `task_options`."""
        given = {name: value for name, value in values.items() if value is not None}
        tasks = given["tasks"] = tuple(given.get("tasks", ()))
        params = [task.params for task in tasks]
        names = _names_by_key([*run_options().values(), *options_of(*params).values()])
        given = {names.get(name, name): value for name, value in given.items()}
        chosen = dict(given.pop("task_options", {}))
        chosen |= {name: given.pop(name) for name in list(given) if name not in cls.model_fields}
        known = {**run_options(), **options_of(*params)}
        for name in chosen:
            if name not in known:
                raise UnknownName("option", name, known)
        strategies = tuple(dict.fromkeys(given.pop("strategy", ())))
        given |= {"strategy": strategies} if strategies else {}
        given["tasks"] = tuple(add_plugin_strategies(task, strategies) for task in tasks)
        given["task_options"] = {name: value for name, value in chosen.items() if value not in (None, (), [])}
        return given

    @model_validator(mode="after")
    def _check_tasks(self) -> Self:
        for task in self.tasks:
            if self.protocol not in task.protocols:
                raise UserError(f"{task.name} has no protocol {self.protocol!r}; leave --protocol out")
        for strategy in self.strategy:
            if not any(strategy in task.strategies for task in self.tasks):
                raise self._strategy_error(strategy)
        for name in self.task_options:
            self._check_task_option(name)
        return self

    def _check_task_option(self, name: str) -> None:
        """The option is valid for one task at least. Of several values, each is known to one of the tasks."""
        declaring = self._declaring(name)
        value = getattr(self._validate(self._valid_for(name), {name}), name)
        known = dict.fromkeys(one for params in declaring for one in getattr(params, f"{name}s", ()))
        for one in value if known and isinstance(value, tuple) else ():
            if one not in known:
                raise InvalidOption(name, f"expected {', '.join(known)} or all, found {one}")

    def _strategy_error(self, strategy: str) -> UserError:
        offered = {*STRATEGIES, *(name for task in self.tasks for name in task.strategies)}
        if not any(strategy in task.strategies for task in TASKS.builtin.values()):
            return UnknownName("strategy", strategy, offered)
        tasks = ", ".join(task.name for task in self.tasks)
        return UserError(
            f"{tasks} {'has' if len(self.tasks) == 1 else 'have'} {', '.join(sorted(offered))}, found {strategy!r}",
            option="strategy",
        )

    def applies(self, name: str) -> bool:
        """Whether an option means something to one of the tasks."""
        return any(_applies(name, task) for task in self.tasks)

    @property
    def given(self) -> frozenset[str]:
        """Names of the options that the user gave with the command or call."""
        return frozenset({*self.model_fields_set, *self.task_options} & run_options().keys()) - self._defaults

    def replace(self, **changes: Any) -> "RunConfig":
        """The configuration with other values of some options; None stands for an option that is not given."""
        current = {name: getattr(self, name) for name in self.model_fields_set}
        current["task_options"] = dict(self.task_options)
        for name, value in changes.items():
            if name in RunConfig.model_fields:
                current[name] = value
            else:
                current["task_options"][name] = value
        found = RunConfig(**current)
        found._defaults = self._defaults
        return found

    def preset(self, task: Task) -> Preset:
        """The part of the protocol for a task."""
        return task.protocols[self.protocol]

    def max_parse_retries(self, task: Task) -> int:
        return self.preset(task).parse_retries if self.parse_retries is None else self.parse_retries

    def task_params(self, task: Task) -> TaskParams:
        """The task's own parameters. Of a model's URL they have the public part."""
        return self._validate(task.params, self.task_options.keys() & task.params.model_fields.keys())

    def question_design(self, task: Task) -> QuestionDesign[Any]:
        """Everything that decides which questions of a task there are."""
        preset = self.preset(task)
        order = preset.option_order
        return QuestionDesign(
            params=self.task_params(task),
            trials=self.trials or preset.trials,
            option_order=order if self.rules > 1 else _ORDERS_OF_VERSION_1.get(order, order),
            seed=self.seed,
            limit=self.limit,
            prompts=load_prompt_pack(task, self.prompts).texts,
            version=self.rules,
        )

    def model_parameters(self, task: Task, model_options: Mapping[str, Json]) -> dict[str, Json]:
        """Request parameters for a model: those of the protocol, then the model's own, then those of the command."""
        return _check_model_parameters({**self.preset(task).sampling, **model_options, **self.parameters})

    def judge_parameters(self, task: Task, model_options: Mapping[str, Json]) -> dict[str, Json]:
        """Request parameters for the judge. Those of the command are not among them: all models are judged alike."""
        return _check_model_parameters(
            {**default_judge_parameters(task, model_options, self.judge_max_tokens), **model_options}
        )

    @property
    def judge_max_tokens(self) -> int | None:
        """Output limit of a judgement unless the judge's own parameters set one; None in runs of version 1."""
        is_judged = self.judge is not None and any(task.judge is not None for task in self.tasks)
        return JUDGE_MAX_TOKENS if is_judged and self.rules > 1 else None

    def check_judge(self) -> None:
        needing = next((task.name for task in self.tasks if task.judge is not None), None)
        if needing is not None and self.judge is None:
            raise UserError(f"{needing} needs a judge: give --judge M (offline: --judge baseline:overlap)")

    def load_prompts(self) -> dict[str, PromptPack]:
        return load_prompt_packs(self.tasks, self.prompts)

    def identity(self, prompts: Mapping[str, PromptPack]) -> dict[str, Json]:
        """The record of the run, under the names of version 1: it is stored, reported, and decides the run's id.

        Options of tasks, and the dialect, are in it only if they are given. So runs keep their ids when an option is
        added."""
        designs = {task.name: self.question_design(task) for task in self.tasks}
        balances_subset = self.limit is not None and self.rules > 1
        balances_subset &= any(design.option_order.is_balanced_by_truth for design in designs.values())
        return {
            "tasks": [task.name for task in self.tasks],
            "protocol": self.protocol,
            "seed": self.seed,
            "limit": self.limit,
            "trials": {name: design.trials for name, design in designs.items()},
            "order": {name: str(design.option_order) for name, design in designs.items()},
            "reasks": {task.name: self.max_parse_retries(task) for task in self.tasks},
            "fps": DEFAULT_FPS,
            "strategies": list(self.strategy),
            "judge": str(ModelName.parse(self.judge)) if self.judge is not None else None,
            "parameters": {task.name: self.model_parameters(task, {}) for task in self.tasks},
            "prompts": {name: pack.digest for name, pack in prompts.items()},
            **({"subset": self.rules} if balances_subset else {}),
            **({} if self.judge_max_tokens is None else {JUDGE_MAX_TOKENS_KEY: self.judge_max_tokens}),
            **({} if self.dialect is None else {"dialect": self.dialect}),
            **self.task_option_records(),
        }

    def task_option_records(self) -> dict[str, Json]:
        """The given options of tasks as JSON, under their stored names."""
        found: dict[str, Json] = {}
        for name in self.task_options:
            params = self._valid_for(name)
            found[options_of(params)[name].key] = self._validate(params, {name}).model_dump(mode="json")[name]
        return found

    def _declaring(self, name: str) -> list[type[TaskParams]]:
        """Parameter classes with an option: of the run's tasks, else of any. The record of a run has options of other
        tasks where `affordance.toml` sets them."""
        own = [task.params for task in self.tasks if name in task.params.model_fields]
        return own or [task.params for task in TASKS.builtin.values() if name in task.params.model_fields]

    def _valid_for(self, name: str) -> type[TaskParams]:
        """The first class that accepts the value of an option; the first that has it if none does."""
        declaring = self._declaring(name)
        return next((params for params in declaring if self._is_valid_for(params, name)), declaring[0])

    def _validate(self, params: type[TaskParams], names: Collection[str]) -> TaskParams:
        try:
            return params.model_validate({name: _without_secrets(self.task_options[name]) for name in names})
        except ValidationError as error:
            raise invalid_option(error) from None

    def _is_valid_for(self, params: type[TaskParams], name: str) -> bool:
        try:
            self._validate(params, {name})
        except UserError:
            return False
        return True


def run_options() -> dict[str, OptionInfo]:
    """All options of a run by name: those of every run, and those of the built-in tasks."""
    return options_of(RunConfig, *(task.params for task in TASKS.builtin.values()))


def _applies(name: str, task: Task) -> bool:
    if name in ("judge", "dialect"):
        return name in task.options
    return name in RunConfig.model_fields or name in task.params.model_fields


def _names_by_key(options: Collection[OptionInfo]) -> dict[str, str]:
    """Option names by their stored names, which are accepted too: `reasks`, `most_frames`."""
    return {info.stored_as: info.name for info in options if info.stored_as}


def _without_secrets(value: Any) -> Any:
    return public_url(value) if isinstance(value, str) else value


def default_judge_parameters(task: Task, model_options: Mapping[str, Json], max_tokens: int | None) -> dict[str, Json]:
    """Request parameters of a judge where its own options set no others. They may have a limit under another name."""
    usual = task.judge.sampling if task.judge is not None else {}
    has_limit = any(name in model_options or name in usual for name in OUTPUT_LIMIT_PARAMETERS)
    return dict(usual) if has_limit or max_tokens is None else {"max_tokens": max_tokens, **usual}


def _check_model_parameters(parameters: dict[str, Json]) -> dict[str, Json]:
    if taken := sorted(RESERVED_PARAMETERS & parameters.keys()):
        raise UserError(f"Parameter {taken[0]} is reserved and cannot be set.")
    check_parameters(parameters)
    return parameters
