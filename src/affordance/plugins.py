"""Public names for plugin authors: to add a task, dialect, dataset format, strategy or model.

A package names each addition by an entry point; docs/extending.md has a complete example."""

from affordance.core.answer_text import AnswerCandidate, Strength, Unparsed, strip_thinking
from affordance.core.attempts import AttemptResult, AttemptStatus, PromptTexts, RequestGenerator, Strategy, Verdict
from affordance.core.digest import digest, digest_file
from affordance.core.errors import DataError, UserError
from affordance.core.geometry import Box, CoordinateSpace, Point
from affordance.core.media_spec import BoxOutline, ImageSpec, VideoSpec
from affordance.core.model_name import ModelName
from affordance.core.options import option
from affordance.core.prompts import fill
from affordance.core.question import (
    AnswerFormat,
    AnswerOption,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    Question,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.requests import ErrorKind, FinishReason, Message, Request, Response, TokenUsage
from affordance.datasets import (
    CapturedPage,
    ChoiceItem,
    Clip,
    Dataset,
    DatasetCollection,
    DatasetHeader,
    DesignPair,
    Element,
    Item,
    Region,
    Screen,
    Target,
)
from affordance.datasets.dataset import FilePosition, ReadItem, ReadResult
from affordance.datasets.published import ExpectedCount, GitHubArchive, GitHubFile, HubRepo, PublishedDataset
from affordance.datasets.published.image_locator import ImageLocator
from affordance.datasets.published.rows import RawRow, read_csv, read_items, read_rows
from affordance.datasets.published.screen_builder import ChoiceRow, ScreenReader, TargetRow
from affordance.grounding import coordinate_formats as forms
from affordance.grounding import location_forms
from affordance.grounding.coordinate_formats import CoordinateFormat
from affordance.grounding.coordinates import MILLE, SENT, CoordinateSystem, Grid
from affordance.grounding.coordinates import AxisOrder as Corners
from affordance.grounding.dialects import Dialect
from affordance.grounding.location_parser import parse_location as read_place
from affordance.grounding.location_parser import write_location as write_place
from affordance.grounding.locations import ABSENT
from affordance.grounding.number_groups import NumberGroup
from affordance.media import decode_image
from affordance.models.model import LocalModel, Model, ModelContext
from affordance.models.model import ModelContext as Surroundings
from affordance.tasks.answers import parse_answer, write_answer
from affordance.tasks.choice_answers import parse_single_choice, write_single_choice
from affordance.tasks.choice_specs import CHOICE_SCORER
from affordance.tasks.metrics import ACCURACY, CHOICE_METRICS, Metric, ResultSet, TrivialBaseline, chance
from affordance.tasks.question_design import (
    OptionOrder,
    PlannedQuestion,
    QuestionDesign,
    TaskParams,
    option_letters,
    option_orders,
    ranked_subset,
    select_subset,
)
from affordance.tasks.scoring import JudgePlan, Score, Scorer
from affordance.tasks.strategies import AddedStrategy, zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import BreakdownTag, RowSplit, TaskViews, tags

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
    "ACCURACY",
    "CHOICE_METRICS",
    "CHOICE_SCORER",
    "MILLE",
    "SENT",
    "AddedStrategy",
    "AnswerCandidate",
    "AnswerFormat",
    "AnswerOption",
    "AttemptResult",
    "AttemptStatus",
    "Box",
    "BoxOutline",
    "BreakdownTag",
    "CapturedPage",
    "ChoiceItem",
    "ChoiceRow",
    "Clip",
    "CoordinateFormat",
    "CoordinateSpace",
    "CoordinateSystem",
    "Corners",
    "DataError",
    "Dataset",
    "DatasetCollection",
    "DatasetHeader",
    "DesignPair",
    "Dialect",
    "Element",
    "ErrorKind",
    "ExpectedCount",
    "FilePosition",
    "FinishReason",
    "FreeText",
    "GitHubArchive",
    "GitHubFile",
    "Grid",
    "HubRepo",
    "ImageLocator",
    "ImageSpec",
    "Item",
    "JudgePlan",
    "LocalModel",
    "LocationFormat",
    "Message",
    "Metric",
    "Model",
    "ModelContext",
    "ModelName",
    "MultipleChoice",
    "NumberGroup",
    "OptionOrder",
    "PairChoice",
    "PlannedQuestion",
    "Point",
    "Preset",
    "PromptTexts",
    "PublishedDataset",
    "Question",
    "QuestionDesign",
    "RatingScale",
    "RawRow",
    "ReadItem",
    "ReadResult",
    "Region",
    "Request",
    "RequestGenerator",
    "Response",
    "ResultSet",
    "RowSplit",
    "Score",
    "Scorer",
    "Screen",
    "ScreenReader",
    "SingleChoice",
    "Strategy",
    "Strength",
    "Surroundings",
    "Target",
    "TargetRow",
    "Task",
    "TaskParams",
    "TaskViews",
    "TokenUsage",
    "TrivialBaseline",
    "Unparsed",
    "UserError",
    "Verdict",
    "VideoSpec",
    "YesNo",
    "chance",
    "decode_image",
    "digest",
    "digest_file",
    "fill",
    "forms",
    "location_forms",
    "option",
    "option_letters",
    "option_orders",
    "parse_answer",
    "parse_single_choice",
    "ranked_subset",
    "read_csv",
    "read_items",
    "read_place",
    "read_rows",
    "select_subset",
    "strip_thinking",
    "tags",
    "write_answer",
    "write_place",
    "write_single_choice",
    "zero_shot",
]
