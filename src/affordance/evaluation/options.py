"""Options of a run as keyword arguments."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from affordance.core.json_text import Json


class RunOptions(TypedDict, total=False):
    """What is asked, and how, as `affordance run` has it. What is left out, or None, is as the protocol has it."""

    limit: int | None  # only so many items, from all over the dataset
    trials: int | None  # per item
    parse_retries: int | None  # how often a reply that cannot be read is asked again: 0 to 10
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
    max_frames: int | None  # of one clip
    judge: str | None  # the model that judges free answers
    reference: str | None  # what meanings are judged against: summary, individual or both
    summarizer: str | None  # the model that sums references up
    judge_orders: int | None  # in how many orders of its texts a judge is asked: 1 or 2
