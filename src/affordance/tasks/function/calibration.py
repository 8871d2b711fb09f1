"""Calibration: the task that asks for the targets of generated screens. It is never part of a score."""

from dataclasses import replace
from functools import partial

from affordance.tasks.function.ground import GROUND_ELEMENT, questions

NAME = "function/probe"


CALIBRATION_TASK = replace(
    GROUND_ELEMENT,
    name=NAME,
    summary="Where is the blue rectangle?",
    questions=partial(questions, NAME, "element"),
    views=replace(GROUND_ELEMENT.views, breakdowns=()),
)
