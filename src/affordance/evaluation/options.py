"""Options as users write them, and the configuration that they stand for."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypedDict

from affordance.core.errors import UnknownName, UserError
from affordance.core.expression import TargetExpression
from affordance.core.json_text import Json
from affordance.core.text import parse_choices
from affordance.evaluation.run_config import RunConfig
from affordance.models.parameters import check_parameters
from affordance.tasks.motion.cues import parse_cue_sets
from affordance.tasks.task import Task


class RunOptions(TypedDict, total=False):
    """What is asked, and how, as `affordance run` has it. What is left out, or None, is as the protocol has it."""

    limit: int | None  # only so many items, from all over the dataset
    trials: int | None  # per item
    reasks: int | None  # how often a reply that cannot be read is asked again: 0 to 10
    seed: int  # seeds the order of options, and chance
    protocol: str  # affordance (ours) or paper (as published)
    parameters: Mapping[str, Json]  # for the models: temperature, max_tokens...
    prompts: str | Path | None  # a folder with another prompt pack
    dialect: str | None  # how the models speak coordinates; `calibrated` as calibration found
    strategy: str | Sequence[str] | None  # how a question is asked; several are all tried
    cues: str | None  # what helps with clips: none, all, or some of motion,context,caption
    expression: str | None  # how a target is described: functionality, description, intent, all
    goal: str | None  # of a page: shown or hidden
    input: str | None  # how clips are shown: frames or video
    fps: str | float | None  # frames per second: 10, 2.5, 30000/1001
    most_frames: int | None  # of one clip
    judge: str | None  # the model that judges free answers
    reference: str | None  # what meanings are judged against: summary, individual or both
    summarizer: str | None  # the model that sums references up
    judge_orders: int | None  # in how many orders of its texts a judge is asked: 1 or 2


# Options that mean something to some tasks only; the others to all.
_TASK_OPTIONS = (
    *("dialect", "strategy", "cues", "expression", "goal", "input", "fps", "judge", "reference", "summarizer"),
    *("judge_orders", "trials", "most_frames"),
)


def config_from_options(tasks: Sequence[Task], options: RunOptions, defaults: Collection[str] = ()) -> RunConfig:
    """The settings that options stand for. One that applies to none of the tasks is a mistake, unless it is among the
    `usual`, which a user has once for all."""
    for key in options:
        if key not in RunOptions.__annotations__:
            raise UnknownName("option", key, RunOptions.__annotations__)
    for key in _TASK_OPTIONS:
        option = key.replace("_", "-")
        fits = any(option in task.options for task in tasks)
        if options.get(key) not in (None, []) and not fits and key not in defaults:
            chosen = ", ".join(one.name for one in tasks)
            raise UserError(f"applies to none of the chosen tasks ({chosen})", option=key)
    check_parameters(options.get("parameters", {}))
    strategy, cues, prompts = options.get("strategy"), options.get("cues"), options.get("prompts")
    strategies = [strategy] if isinstance(strategy, str) else strategy or ()
    judged = any("judge" in task.options for task in tasks)  # else a judge is a default for tasks that need one
    return RunConfig(
        tasks=tuple(tasks),
        protocol=options.get("protocol", "affordance"),
        seed=options.get("seed", 0),
        limit=options.get("limit"),
        trials=options.get("trials"),
        parse_retries=options.get("reasks"),
        fps=_parse_rate(options.get("fps")),
        strategies=tuple(dict.fromkeys(strategies)) or ("zero-shot",),
        judge=options.get("judge") if judged else None,
        expressions=parse_expressions(options.get("expression")),
        goal=options.get("goal"),
        cues=parse_cue_sets(cues) if cues is not None else (),
        max_frames=options.get("most_frames"),
        clip_format=options.get("input"),
        reference=options.get("reference"),
        summarizer=options.get("summarizer"),
        judge_orders=options.get("judge_orders"),
        dialect=options.get("dialect"),
        parameters=dict(options.get("parameters", {})),
        prompts=None if prompts is None else Path(prompts),
    )


def parse_expressions(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(parse_choices(TargetExpression, text, "expression"))


def _parse_rate(value: str | float | None) -> Fraction | None:
    try:
        return None if value is None else Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise UserError(f"--fps: expected a number such as 10 or 30000/1001, found {value!r}") from None
