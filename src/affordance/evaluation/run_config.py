"""Configuration of a run: everything that decides which questions it has and what is sent."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from affordance.core.errors import InvalidOption, UnknownName, UserError
from affordance.core.json_text import Json
from affordance.core.model_name import ModelName
from affordance.core.prompts import PromptPack
from affordance.models.parameters import OUTPUT_LIMIT_PARAMETERS, check_parameters
from affordance.tasks.motion.cues import CueSet
from affordance.tasks.motion.meaning import summary_prompt_digest
from affordance.tasks.prompts import load_prompt_pack, load_prompt_packs
from affordance.tasks.question_design import DESIGN_VERSION, OptionOrder, QuestionDesign
from affordance.tasks.registry import TASKS
from affordance.tasks.strategies import STRATEGIES, add_plugin_strategies
from affordance.tasks.task import Preset, Task

PROTOCOLS = ("affordance", "paper")
DEFAULT_FPS = Fraction(10)
MAX_PARSE_RETRIES = 10
REFERENCE_KINDS = {"summary": ("summary",), "individual": ("individual",), "both": ("summary", "individual")}
JUDGE_MAX_TOKENS = 1024
JUDGE_MAX_TOKENS_KEY = "judge_max_tokens"  # in a run's record; runs of version 1 have none
RESERVED_PARAMETERS = frozenset({"model", "messages", "stream"})
_ORDERS_OF_VERSION_1 = {OptionOrder.CAPTURED: OptionOrder.SHUFFLED}


@dataclass(frozen=True, slots=True)
class RunConfig:
    """The settings of a run. None means: as the protocol has it. The tasks have those strategies of other packages that
    are among the `strategies`."""

    tasks: tuple[Task, ...]
    protocol: str = "affordance"
    seed: int = 0
    limit: int | None = None
    trials: int | None = None
    parse_retries: int | None = None  # how often an unreadable reply is asked again, at most
    fps: Fraction | None = None
    strategies: tuple[str, ...] = ("zero-shot",)
    judge: str | None = None  # the model that judges, by name
    expressions: tuple[str, ...] = ()  # how targets are described; none: as the dataset does first
    goal: str | None = None  # whether the goal of a page is shown or hidden; hidden as published
    cues: tuple[CueSet, ...] = ()  # what helps to understand clips; none: the context
    max_frames: int | None = None  # of one clip
    clip_format: str | None = None  # whether clips are shown as frames or as a video
    reference: str | None = None  # what meanings are judged against: summary, individual or both
    summarizer: str | None = None  # the model that sums references up, by name
    judge_orders: int | None = None  # in how many orders of its texts a judge is asked
    dialect: str | None = None  # how models speak coordinates; None: told by their names
    rules: int = DESIGN_VERSION  # by which questions are made; 1 are those of version 1
    parameters: Mapping[str, Json] = field(default_factory=dict)
    prompts: Path | None = None

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise UnknownName("protocol", self.protocol, PROTOCOLS)
        for task in self.tasks:
            if self.protocol not in task.protocols:
                raise UserError(f"{task.name} has no protocol {self.protocol!r}; leave --protocol out")
        object.__setattr__(self, "tasks", tuple(add_plugin_strategies(task, self.strategies) for task in self.tasks))
        for strategy in self.strategies:
            if not any(strategy in task.strategies for task in self.tasks):
                raise self._strategy_error(strategy)
        if self.goal not in (None, "shown", "hidden"):
            raise UserError(f"--goal: expected shown or hidden, found {self.goal}")
        if self.clip_format not in (None, "frames", "video"):
            raise UserError(f"--input: expected frames or video, found {self.clip_format}")
        if self.reference not in (None, *REFERENCE_KINDS):
            raise UserError(f"--reference: expected {', '.join(REFERENCE_KINDS)}, found {self.reference}")
        for expression in self.expressions:
            known = dict.fromkeys(name for task in self.tasks for name in getattr(task.params, "expressions", ()))
            if expression not in known:
                raise UserError(f"--expression: expected {', '.join(known)} or all, found {expression}")
        for name, value, most in (
            ("limit", self.limit, None),
            ("trials", self.trials, 10_000),
            ("fps", self.fps, 240),
            ("most_frames", self.max_frames, None),
            ("judge_orders", self.judge_orders, 2),
        ):
            if value is not None and (value <= 0 or (most is not None and value > most)):
                up_to = "" if most is None else f" and at most {most}"
                raise InvalidOption(name, f"expected a number above 0{up_to}, found {value}")
        if self.parse_retries is not None and not 0 <= self.parse_retries <= MAX_PARSE_RETRIES:
            raise InvalidOption(
                "reasks", f"expected a number from 0 to {MAX_PARSE_RETRIES}, found {self.parse_retries}"
            )

    def _strategy_error(self, strategy: str) -> UserError:
        offered = {*STRATEGIES, *(name for task in self.tasks for name in task.strategies)}
        if not any(strategy in task.strategies for task in TASKS.builtin.values()):
            return UnknownName("strategy", strategy, offered)
        tasks = ", ".join(task.name for task in self.tasks)
        return UserError(
            f"--strategy: {tasks} {'offers' if len(self.tasks) == 1 else 'offer'} {', '.join(sorted(offered))} only, "
            f"found {strategy!r}"
        )

    @property
    def public_summarizer(self) -> str | None:
        """Without the user info and query of its base URL, which may hold a key."""
        return None if self.summarizer is None else str(ModelName.parse(self.summarizer))

    def protocol_of(self, task: Task) -> Preset:
        return task.protocols[self.protocol]

    def parse_retries_of(self, task: Task) -> int:
        return self.protocol_of(task).parse_retries if self.parse_retries is None else self.parse_retries

    def task_parameters(self, task: Task) -> QuestionDesign[Any]:
        protocol = self.protocol_of(task)
        options = {
            "fps": self.fps,
            "max_frames": self.max_frames,
            "input": self.clip_format,
            "cues": self.cues or None,
            "expression": self.expressions or None,
            "goal": self.goal,
            "reference": self.reference,
            "summarizer": self.public_summarizer,
            "judge_orders": self.judge_orders,
        }
        given = {
            name: value for name, value in options.items() if value is not None and name in task.params.model_fields
        }
        order = protocol.option_order
        return QuestionDesign(
            params=task.params(**given),
            trials=self.trials or protocol.trials,
            option_order=order if self.rules > 1 else _ORDERS_OF_VERSION_1.get(order, order),
            seed=self.seed,
            limit=self.limit,
            prompts=load_prompt_pack(task, self.prompts).texts,
            version=self.rules,
        )

    def model_parameters(self, task: Task, model_options: Mapping[str, Json]) -> dict[str, Json]:
        """The parameters a model is sent: the protocol's, then the model's own, then those of the command line."""
        return _check_model_parameters({**self.protocol_of(task).sampling, **model_options, **self.parameters})

    def judge_parameters(self, task: Task, model_options: Mapping[str, Json]) -> dict[str, Json]:
        """Those of the command line are not for the judge: all models are to be judged alike."""
        return _check_model_parameters(
            {**default_judge_parameters(task, model_options, self.judge_max_tokens), **model_options}
        )

    @property
    def judge_max_tokens(self) -> int | None:
        """How long a judgement may be unless the judge's own parameters say so; None in runs of version 1."""
        is_judged = self.judge is not None and any(task.judge is not None for task in self.tasks)
        return JUDGE_MAX_TOKENS if is_judged and self.rules > 1 else None

    def check_judge(self) -> None:
        needing = next((task.name for task in self.tasks if task.judge is not None), None)
        if needing is not None and self.judge is None:
            raise UserError(f"{needing} needs a judge: give --judge M (offline: --judge baseline:overlap)")

    def summary_prompt_digest(self, task: Task) -> str:
        return summary_prompt_digest(load_prompt_pack(task, self.prompts).texts)

    def load_prompts(self) -> dict[str, PromptPack]:
        return load_prompt_packs(self.tasks, self.prompts)

    def _balances_a_subset(self) -> bool:
        """Whether options are ordered by ranks in a subset: only then a run under rules of version 1 is another."""
        limited = self.limit is not None and self.rules > 1
        return limited and any(self.task_parameters(task).option_order.is_balanced_by_truth for task in self.tasks)

    def identity(self, prompts: Mapping[str, PromptPack]) -> dict[str, Json]:
        """All of it as data: in the ledger, in the report, and under the run's identity."""
        return {
            "tasks": [task.name for task in self.tasks],
            "protocol": self.protocol,
            "seed": self.seed,
            "limit": self.limit,
            "trials": {task.name: self.task_parameters(task).trials for task in self.tasks},
            "order": {task.name: str(self.task_parameters(task).option_order) for task in self.tasks},
            "reasks": {task.name: self.parse_retries_of(task) for task in self.tasks},
            "fps": str(self.fps or DEFAULT_FPS),
            "strategies": list(self.strategies),
            "judge": str(ModelName.parse(self.judge)) if self.judge is not None else None,
            "parameters": {task.name: self.model_parameters(task, {}) for task in self.tasks},
            "prompts": {name: pack.digest for name, pack in prompts.items()},
            **({"subset": self.rules} if self._balances_a_subset() else {}),
            # What is not given is left out, so that runs from before there was such a thing keep their identity.
            **({"expressions": list(self.expressions)} if self.expressions else {}),
            **({"goal": self.goal} if self.goal is not None else {}),
            **({"cues": [list(cues) for cues in self.cues]} if self.cues else {}),
            **{
                name: value
                for name, value in (
                    ("most_frames", self.max_frames),
                    ("input", self.clip_format),
                    ("reference", self.reference),
                    ("summarizer", self.public_summarizer),
                    ("judge_orders", self.judge_orders),
                    (JUDGE_MAX_TOKENS_KEY, self.judge_max_tokens),
                    ("dialect", self.dialect),
                )
                if value is not None
            },
        }


def default_judge_parameters(task: Task, model_options: Mapping[str, Json], max_tokens: int | None) -> dict[str, Json]:
    """What a judge is sent where its own parameters do not say otherwise; they may name the limit otherwise."""
    usual = task.judge.sampling if task.judge is not None else {}
    has_limit = any(name in model_options or name in usual for name in OUTPUT_LIMIT_PARAMETERS)
    return dict(usual) if has_limit or max_tokens is None else {"max_tokens": max_tokens, **usual}


def _check_model_parameters(parameters: dict[str, Json]) -> dict[str, Json]:
    if taken := sorted(RESERVED_PARAMETERS & parameters.keys()):
        raise UserError(f"{taken[0]} is not a parameter to set: it is Affordance's to say")
    check_parameters(parameters)
    return parameters
