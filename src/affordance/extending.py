"""What one needs to add a task, dialect, dataset format, strategy or model: names that stay. A package of one's own
names each addition by an entry point; docs/extending.md has a complete example."""

from affordance.core.answer_text import AnswerCandidate, Strength, Unparsed, strip_thinking
from affordance.core.ask import Ask, ErrorKind, Finish, Message, Reply, Usage
from affordance.core.attempt import Ended, Outcome, Prompts, Steps, Strategy, Verdict
from affordance.core.box import Box, Point, Space
from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError, UserError
from affordance.core.grammar import Choice, Either, Grammar, Locate, Option, Scale, Several, Words, YesNo
from affordance.core.names import ModelName
from affordance.core.picture import Footage, Outline, Picture
from affordance.core.question import Question
from affordance.datasets import (
    ChoiceQuestion,
    Clip,
    Collection,
    Dataset,
    Element,
    Header,
    Page,
    Pair,
    Record,
    Region,
    Screen,
    Target,
)
from affordance.datasets.published.rows import Row, entries_of, read_rows
from affordance.datasets.reading import Entry, Place, Reading
from affordance.datasets.sheets import read_sheet
from affordance.grounding import forms, location_forms
from affordance.grounding.conventions import Convention
from affordance.grounding.conventions import Order as Corners
from affordance.grounding.dialects import Dialect
from affordance.grounding.forms import Form
from affordance.grounding.grids import MILLE, SENT, Grid
from affordance.grounding.location_parser import parse_location as read_place
from affordance.grounding.location_parser import write_location as write_place
from affordance.grounding.number_groups import NumberGroup
from affordance.grounding.places import ABSENT
from affordance.media import decode_image
from affordance.models.base import LocalModel, Model, Surroundings
from affordance.suites.choice import read_choice, write_choice
from affordance.suites.limits import ranked_subset, some
from affordance.suites.metrics import accuracy, choice_intervals, choice_metrics
from affordance.suites.motion.chosen import ideal_choice, read_chosen
from affordance.suites.orders import letters, permutations
from affordance.suites.prompts import fill
from affordance.suites.strategies import AddedStrategy, zero_shot
from affordance.suites.task import Design, Judging, Order, Protocol, Task, Trial
from affordance.suites.verdicts import NO_ANSWER, conclude

__all__ = [
    "ABSENT",
    "MILLE",
    "NO_ANSWER",
    "SENT",
    "AddedStrategy",
    "AnswerCandidate",
    "Ask",
    "Box",
    "Choice",
    "ChoiceQuestion",
    "Clip",
    "Collection",
    "Convention",
    "Corners",
    "DataError",
    "Dataset",
    "Design",
    "Dialect",
    "Either",
    "Element",
    "Ended",
    "Entry",
    "ErrorKind",
    "Finish",
    "Footage",
    "Form",
    "Grammar",
    "Grid",
    "Header",
    "Judging",
    "LocalModel",
    "Locate",
    "Message",
    "Model",
    "ModelName",
    "NumberGroup",
    "Option",
    "Order",
    "Outcome",
    "Outline",
    "Page",
    "Pair",
    "Picture",
    "Place",
    "Point",
    "Prompts",
    "Protocol",
    "Question",
    "Reading",
    "Record",
    "Region",
    "Reply",
    "Row",
    "Scale",
    "Screen",
    "Several",
    "Space",
    "Steps",
    "Strategy",
    "Strength",
    "Surroundings",
    "Target",
    "Task",
    "Trial",
    "Unparsed",
    "Usage",
    "UserError",
    "Verdict",
    "Words",
    "YesNo",
    "accuracy",
    "choice_intervals",
    "choice_metrics",
    "conclude",
    "decode_image",
    "digest",
    "digest_file",
    "entries_of",
    "fill",
    "forms",
    "ideal_choice",
    "letters",
    "location_forms",
    "permutations",
    "ranked_subset",
    "read_choice",
    "read_chosen",
    "read_place",
    "read_rows",
    "read_sheet",
    "some",
    "strip_thinking",
    "write_choice",
    "write_place",
    "zero_shot",
]
