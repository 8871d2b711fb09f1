"""What one needs to add a task, dialect, dataset format, strategy or model: names that stay. A package of one's own
names each addition by an entry point; docs/extending.md has a complete example."""

from affordance.core.answer_text import AnswerCandidate, Strength, Unparsed, strip_thinking
from affordance.core.ask import ErrorKind, FinishReason, Message, Request, Response, TokenUsage
from affordance.core.attempt import AttemptResult, AttemptStatus, PromptTexts, RequestGenerator, Strategy, Verdict
from affordance.core.box import Box, CoordinateSpace, Point
from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError, UserError
from affordance.core.grammar import (
    AnswerFormat,
    AnswerOption,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.names import ModelName
from affordance.core.picture import BoxOutline, ImageSpec, VideoSpec
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
from affordance.grounding.conventions import AxisOrder as Corners
from affordance.grounding.conventions import Convention
from affordance.grounding.dialects import Dialect
from affordance.grounding.forms import Form
from affordance.grounding.grids import MILLE, SENT, Grid
from affordance.grounding.location_parser import parse_location as read_place
from affordance.grounding.location_parser import write_location as write_place
from affordance.grounding.number_groups import NumberGroup
from affordance.grounding.places import ABSENT
from affordance.media import decode_image
from affordance.models.base import LocalModel, Model, ModelContext
from affordance.models.base import ModelContext as Surroundings
from affordance.tasks.choice import read_choice, write_choice
from affordance.tasks.limits import ranked_subset, some
from affordance.tasks.metrics import accuracy, choice_intervals, choice_metrics
from affordance.tasks.motion.chosen import ideal_choice, read_chosen
from affordance.tasks.orders import letters, permutations
from affordance.tasks.prompts import fill
from affordance.tasks.strategies import AddedStrategy, zero_shot
from affordance.tasks.task import Design, Judging, Order, Protocol, Task, Trial
from affordance.tasks.verdicts import NO_ANSWER, conclude

# Names of version 1.
Ask = Request
Reply = Response
Finish = FinishReason
Usage = TokenUsage
Ended = AttemptStatus
Outcome = AttemptResult
Prompts = PromptTexts
Steps = RequestGenerator
Space = CoordinateSpace
Grammar = AnswerFormat
Option = AnswerOption
Choice = SingleChoice
Several = MultipleChoice
Either = PairChoice
Locate = LocationFormat
Words = FreeText
Scale = RatingScale
Picture = ImageSpec
Footage = VideoSpec
Outline = BoxOutline

__all__ = [
    "ABSENT",
    "MILLE",
    "NO_ANSWER",
    "SENT",
    "AddedStrategy",
    "AnswerCandidate",
    "AnswerFormat",
    "AnswerOption",
    "AttemptResult",
    "AttemptStatus",
    "Box",
    "BoxOutline",
    "ChoiceQuestion",
    "Clip",
    "Collection",
    "Convention",
    "CoordinateSpace",
    "Corners",
    "DataError",
    "Dataset",
    "Design",
    "Dialect",
    "Element",
    "Entry",
    "ErrorKind",
    "FinishReason",
    "Form",
    "FreeText",
    "Grid",
    "Header",
    "ImageSpec",
    "Judging",
    "LocalModel",
    "LocationFormat",
    "Message",
    "Model",
    "ModelContext",
    "ModelName",
    "MultipleChoice",
    "NumberGroup",
    "Order",
    "Page",
    "Pair",
    "PairChoice",
    "Place",
    "Point",
    "PromptTexts",
    "Protocol",
    "Question",
    "RatingScale",
    "Reading",
    "Record",
    "Region",
    "Request",
    "RequestGenerator",
    "Response",
    "Row",
    "Screen",
    "SingleChoice",
    "Strategy",
    "Strength",
    "Surroundings",
    "Target",
    "Task",
    "TokenUsage",
    "Trial",
    "Unparsed",
    "UserError",
    "Verdict",
    "VideoSpec",
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
