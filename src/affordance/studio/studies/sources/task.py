"""The questions of a task, as models get them: the same pictures, the same words, the same options in the same order;
only what models are told about their part and the form of a reply is left out."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

from affordance import media
from affordance.author.project import Project
from affordance.author.study_records import Study
from affordance.core.digest import digest
from affordance.core.errors import InvalidOption, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.question import (
    AnswerFormat,
    FreeText,
    LocationFormat,
    MultipleChoice,
    PairChoice,
    Question,
    RatingScale,
    SingleChoice,
    YesNo,
)
from affordance.core.question import AnswerOption as Lettered
from affordance.datasets import DatasetCollection, load_collection
from affordance.datasets.demo import demo_data
from affordance.evaluation.run_config import DEFAULT_FPS, RunConfig
from affordance.evaluation.study_runs import study_design, with_study_design
from affordance.models.study_answers import comparable_value
from affordance.studio.studies.forms import (
    AnswerForm,
    ChoiceForm,
    EitherForm,
    Option,
    PlaceForm,
    ScaleForm,
    TextField,
    WordsForm,
    YesNoForm,
)
from affordance.studio.studies.sheets import Block, Film, Sheet, Slot, Still, Text
from affordance.studio.studies.stamps import Stamps, record_files
from affordance.studio.studies.wording import told
from affordance.tasks.motion.cues import UNKNOWN
from affordance.tasks.motion.twin import NAME as TWIN
from affordance.tasks.question_design import PlannedQuestion
from affordance.tasks.registry import TASKS
from affordance.tasks.task import Task

ANSWER = "answer"  # the field of free words
_LENGTH = 16  # of an id: enough for all slots of a study to differ
_SIZES = 4096
_CUES = {"context": "Context", "input": "Input", "caption": "How a person described what is seen"}


class Asked:
    """The questions of a study, by slot."""

    def __init__(
        self, study: Study, trials: Sequence[PlannedQuestion], rate: Fraction, watched: Sequence[Path]
    ) -> None:
        self._study = study
        self._rate = rate
        self._slots: list[Slot] = []
        self._questions: dict[str, Question] = {}
        for item, of_item in _by_item(trials).items():
            for turn, trial in enumerate(_in_turn(item, of_item)):
                slot = slot_id(trial)
                self._slots.append(Slot(slot, item, turn, trial.question.id, trial.trial))
                self._questions[slot] = trial.question
        self._stamps = Stamps(watched)

    def slots(self) -> Sequence[Slot]:
        return self._slots

    def sheet(self, slot: Slot) -> Sheet:
        question = self._questions[slot.id]
        words = told(self._study)
        return Sheet(
            slot=slot.id,
            heading=words.heading,
            instruction=words.instruction,
            blocks=tuple(_blocks(question, self._rate)),
            form=_form(question.answer_format),
            files=question.source_paths,
        )

    def question(self, slot: str) -> Question:
        """With its truth, which no page is to tell."""
        return self._questions[slot]

    def values(self, given: Mapping[str, Json], slot: Slot) -> Mapping[str, Json]:
        return comparable_value(given, self._questions[slot.id].axes)

    def stale(self) -> bool:
        return self._stamps.touched()


def source(study: Study, project: Project) -> Asked:
    task = TASKS[study.task]
    data = study_data(study.dataset, task).select(task.dataset_kinds)
    found = data.to_record()["digest"]
    if found != study.dataset["digest"]:
        raise UserError(
            f"study {study.name}: expected the dataset {study.dataset['name']!r} with digest "
            f"{study.dataset['digest']}, found {found}; put back what it was, or begin another study"
        )
    settings = settings_of(study)
    trials = list(task.questions(data, settings.question_design(task)))
    files = {path for trial in trials for path in trial.question.source_paths.values()}
    if gone := sorted(str(path) for path in files if not path.is_file()):
        raise UserError(f"study {study.name}: {len(gone)} files of the dataset are missing, the first is {gone[0]}")
    records = [] if "demo" in study.dataset else record_files(str(study.dataset["spec"]))
    fps = Fraction(str(settings.task_option_records().get("fps", DEFAULT_FPS)))
    return Asked(study, trials, fps, [*sorted(files), *records])


def task_study(
    name: str,
    settings: RunConfig,
    per_item: int,
    data: DatasetCollection,
    dataset: Mapping[str, Json],
    **how: Any,
) -> Study:
    """A study of the questions of a task. `dataset` says where the data is: `spec`, or `demo` with the folder that the
    demo data is kept in. `how` are other fields of the study. Raises a `UserError` where an item cannot be asked so
    often."""
    settings = _for_people(settings)
    (task,) = settings.tasks
    used = data.select(task.dataset_kinds)
    if not used.datasets:
        found = " and ".join(f"{part.header.kind}s" for part in data.datasets)
        raise UserError(f"{task.name} asks about {task.dataset_kinds[0]}s; dataset {data.name!r} has {found}")
    once = _by_item(list(task.questions(used, settings.replace(trials=1).question_design(task))))
    number = {len(of_item) for of_item in once.values()}
    if len(number) > 1:
        raise UserError(
            f"{task.name}: expected as many questions about each {task.views.item_noun}, found {sorted(number)}"
        )
    (each,) = number
    if per_item % each:
        raise InvalidOption(
            "per_item",
            f"expected a multiple of {each}, as {task.name} asks each {task.views.item_noun} "
            f"{_why(task, each)}, found {per_item}",
        )
    chosen = settings.replace(trials=per_item // each)
    about = used.to_record()
    return Study.model_validate(
        {
            "name": name,
            "form": "task",
            "task": task.name,
            "title": task.summary,
            "settings": study_design(chosen, task),
            "per_item": per_item,
            "seed": settings.seed,
            "dataset": {**dataset, "name": about["name"], "digest": about["digest"]},
            "synthetic": False,
            **how,
        }
    )


def settings_of(study: Study) -> RunConfig:
    """As a run has to have them to ask the same questions."""
    return _for_people(with_study_design(RunConfig(tasks=(TASKS[study.task],)), study.settings))


def _for_people(settings: RunConfig) -> RunConfig:
    """What answers are judged against is of no concern while they are given, and summaries need not be there yet."""
    judged = any("reference" in task.options for task in settings.tasks)
    return settings.replace(reference="individual") if judged else settings


def study_data(dataset: Mapping[str, Json], task: Task) -> DatasetCollection:
    if "demo" in dataset:
        return demo_data(Path(str(dataset["demo"])), task.dataset_kinds)
    cache = dataset.get("cache")
    return load_collection(str(dataset["spec"]), None if cache is None else Path(str(cache)))


def slot_id(trial: PlannedQuestion) -> str:
    """It tells nothing of the item."""
    return digest("slot", trial.question.id, trial.trial)[:_LENGTH]


def _by_item(trials: Sequence[PlannedQuestion]) -> dict[str, list[PlannedQuestion]]:
    found: dict[str, list[PlannedQuestion]] = {}
    for trial in trials:
        found.setdefault(trial.question.item, []).append(trial)
    return found


def _in_turn(item: str, trials: Sequence[PlannedQuestion]) -> list[PlannedQuestion]:
    """Trial by trial. Of several questions in a trial, which comes first differs from item to item, so that also those
    who come first see both orders equally often."""
    by_number: dict[int, list[PlannedQuestion]] = {}
    for trial in trials:
        by_number.setdefault(trial.trial, []).append(trial)
    found: list[PlannedQuestion] = []
    for number in sorted(by_number):
        of_trial = by_number[number]
        first = int(digest("first", item), 16) % len(of_trial)
        found += of_trial[first:] + of_trial[:first]
    return found


def _why(task: Task, each: int) -> str:
    return "in both orders" if each == 2 and task.name in ("behavior/choice", TWIN) else f"in {each} ways"


def _blocks(question: Question, rate: Fraction) -> Iterator[Block]:
    pictures = [one for one in question.media if isinstance(one, ImageSpec)]
    fields = question.prompt_fields
    if question.task == TWIN:
        half = int(fields["first"])
        yield Film(tuple(pictures[:half]), rate, _size(pictures[0], question), "Recording A")
        yield Film(tuple(pictures[half:]), rate, _size(pictures[half], question), "Recording B")
        asked = fields["question"]
        yield Text(f"In one of them {fields['difference']}. {asked[:1].upper()}{asked[1:]}", "Question")
    elif pictures[0].time is not None:
        yield Film(tuple(pictures), rate, _size(pictures[0], question))
    elif len(pictures) == 2:
        yield Still(pictures[0], _size(pictures[0], question), "First")
        yield Still(pictures[1], _size(pictures[1], question), "Second")
    else:
        yield Still(pictures[0], _size(pictures[0], question))
    yield from _texts(question)


def _texts(question: Question) -> Iterator[Text]:
    fields = question.prompt_fields
    for name, label in _CUES.items():
        if fields.get(name) and fields[name] != UNKNOWN:
            yield Text(fields[name], label)
    if goal := fields.get("goal", "").strip():
        yield Text(goal, "Goal")
    if "expression" in fields:
        yield Text(fields["expression"], fields["label"])
    elif "question" in fields and question.task != TWIN:
        yield Text(fields["question"], "Question")


def _size(picture: ImageSpec, question: Question) -> tuple[int, int]:
    return _size_of(picture, question.source_paths[picture.source])


@lru_cache(_SIZES)
def _size_of(picture: ImageSpec, path: Path) -> tuple[int, int]:
    return media.rendered_size(picture, media.probe(path))


def _form(grammar: AnswerFormat) -> AnswerForm:
    match grammar:
        case SingleChoice(options):
            return ChoiceForm(tuple(map(_option, options)))
        case MultipleChoice(options):
            return ChoiceForm(tuple(map(_option, options)), several=True)
        case PairChoice():
            return EitherForm()
        case LocationFormat():
            return PlaceForm(grammar.size, box=True, absent=grammar.absent)
        case FreeText():
            hint = "In one or two sentences. “I don't know” is an answer too."
            return WordsForm((TextField(ANSWER, "Your answer", hint),))
        case RatingScale(low, high):
            return ScaleForm(low, high)
        case YesNo():
            return YesNoForm()


def _option(option: Lettered) -> Option:
    """A label that begins with the name and a colon goes on with the definition."""
    name, colon, rest = option.label.partition(": ")
    if not colon or name != option.name:
        return Option(option.name, option.label)
    if rest.endswith(f" {name}"):  # which is the name in full
        return Option(name, rest[:1].upper() + rest[1:])
    return Option(name, name, rest)
