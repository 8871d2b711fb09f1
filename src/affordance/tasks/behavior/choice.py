"""`behavior/choice` (WiserUI-Bench, task 1): which of two designs won its A/B test?

Every pair is asked about in both orders. As published: three runs, temperature 0.2, the prompt and then both images, an
answer after the marker `More effective:`, requested again while the marker is missing. Pairs whose two images are equal
are a null control: whatever is chosen there is position bias."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Literal

from affordance import media
from affordance.core.digest import digest, digest_file
from affordance.core.errors import InvalidOption, UserError
from affordance.core.json_text import Json
from affordance.core.media_spec import ImageSpec
from affordance.core.options import option
from affordance.core.paths import cache_dir
from affordance.core.question import AnswerFormat, PairChoice, Question
from affordance.datasets import Dataset, DatasetCollection, DesignPair
from affordance.datasets.pairs import media_errors_of
from affordance.datasets.taxonomies import element_group, property_group
from affordance.tasks.answers import FIRST, SECOND
from affordance.tasks.behavior.strategies import (
    DEBATE_ROUNDS,
    ask_with_neutral_labels,
    debate,
    self_refine,
    single_prompt,
)
from affordance.tasks.pair_answers import parse_as_published
from affordance.tasks.pair_metrics import (
    CONTROL_TAG,
    PAIR_CHANCE,
    PAIR_METRICS,
    POSITION,
    UX_LAW_TAG,
    laws_tag,
    one_result_per_law,
)
from affordance.tasks.question_design import (
    OptionOrder,
    PlannedQuestion,
    QuestionDesign,
    TaskParams,
    repeat,
    select_subset,
)
from affordance.tasks.scoring import Score, Scorer
from affordance.tasks.strategies import zero_shot
from affordance.tasks.task import Preset, Task
from affordance.tasks.views import BreakdownTag, MetricTable, RowSplit, TaskViews, tags

PairImages = list[tuple[ImageSpec, dict[str, Path]]]

BOTH_ORDERS = ((0, 1), (1, 0))
IDENTICAL_IMAGES = "identical pictures"


class ChoiceParams(TaskParams):
    goal: Literal["shown", "hidden"] = option("hidden", "Show or hide the goal of the page (default: hidden).")


def questions(data: DatasetCollection, design: QuestionDesign[ChoiceParams]) -> Iterator[PlannedQuestion]:
    show_goal = design.params.goal == "shown"
    dataset = data.of_kind("pair")
    pairs = [item for item in dataset.items if isinstance(item, DesignPair)] if dataset is not None else []
    decided = [pair for pair in pairs if pair.winner is not None]
    if dataset is None or not decided:
        raise UserError(f"behavior/choice needs pairs with a known winner; dataset {data.name!r} has none")
    if show_goal and not any(pair.goal for pair in decided):
        raise InvalidOption("goal", f"no pair of {data.name!r} has a goal; leave it out, or add goals to the pairs")
    for pair in select_subset(decided, design.limit, lambda pair: pair.id):
        pictures = [_image_with_file(dataset, path) for path in pair.images]
        pair_tags = _tags(dataset, pair)
        for order in BOTH_ORDERS:
            question = _question(pair, order, pictures, pair_tags, show_goal=show_goal)
            yield from repeat(question, design.trials)


def _image_with_file(dataset: Dataset, path: str) -> tuple[ImageSpec, dict[str, Path]]:
    file = dataset.media_path(path)
    source = digest("missing", path) if path in dataset.missing_media else digest_file(file)
    return ImageSpec(source), {source: file}


def _question(
    pair: DesignPair, order: tuple[int, int], pictures: PairImages, tags: dict[str, str], *, show_goal: bool
) -> Question:
    goal = goal_sentence(pair) if show_goal else ""
    axes: dict[str, Json] = {"order": list(order)}
    if goal:
        axes["goal"] = "shown"
    winner_first = order[0] == pair.winner
    return Question(
        task="behavior/choice",
        item=pair.id,
        axes=axes,
        media=tuple(pictures[place][0] for place in order),
        prompt_fields={"goal": goal},
        answer_format=PairChoice(),
        truth="First" if winner_first else "Second",
        source_paths={source: file for _, files in pictures for source, file in files.items()},
        tags={**tags, "winner": "first" if winner_first else "second"},
        cluster=pair.cluster or pair.id,
    )


def goal_sentence(pair: DesignPair) -> str:
    """The sentence of a prompt about the goal of a pair; empty if it has none."""
    return f" The page is to reach this goal: {pair.goal}" if pair.goal else ""


def _tags(dataset: Dataset, pair: DesignPair) -> dict[str, str]:
    known = {
        "page type": pair.page_type,
        "industry": pair.industry,
        "device": pair.device,
        "changed element": element_group(pair.changes),
        "changed property": property_group(pair.changes),
        "evidence": pair.evidence,
        "majority": _majority(pair),
    }
    found = {name: value for name, value in known.items() if value} | laws_tag(one.law for one in pair.rationales)
    if not set(pair.images) & dataset.missing_media and _has_identical_images(dataset, pair):
        found[CONTROL_TAG] = IDENTICAL_IMAGES
    return found


def _majority(pair: DesignPair) -> str | None:
    """The majority of the winner, where there are votes."""
    if pair.votes is None or pair.winner is None or not sum(pair.votes):
        return None
    share = pair.votes[pair.winner] / sum(pair.votes)
    return "small (below 60%)" if share < 0.6 else "medium (below 80%)" if share < 0.8 else "large (80% and more)"


def _has_identical_images(dataset: Dataset, pair: DesignPair) -> bool:
    one, other = (dataset.media_path(path) for path in pair.images)
    with media_errors_of(pair):
        return digest_file(one) == digest_file(other) or media.same_pixels(one, other, cache_dir())


def score_choice(question: Question, answer: str) -> Score:
    return Score(answer, float(answer == question.truth))


def published_reading(text: str, answer_format: AnswerFormat, answer: str | None) -> Mapping[str, Json]:
    """How the released evaluator reads a response, where it reads another answer."""
    assert isinstance(answer_format, PairChoice)
    words = {None: None, answer_format.first: FIRST, answer_format.second: SECOND}
    published = words[parse_as_published(text, answer_format)]
    return {} if answer is None or published == answer else {"strict": published}


def correct_answer(question: Question) -> str:
    return question.truth


CONTROL_SPLIT = RowSplit(CONTROL_TAG, control=IDENTICAL_IMAGES)

CHOICE = Task(
    name="behavior/choice",
    summary="Which of two designs won its A/B test?",
    dataset_kinds=("pair",),
    params=ChoiceParams,
    protocols={
        "affordance": Preset(trials=3, option_order=OptionOrder.BOTH_ORDERS, sampling={"temperature": 0.2}),
        "paper": Preset(
            trials=3,
            option_order=OptionOrder.BOTH_ORDERS,
            parse_retries=5,
            sampling={"temperature": 0.2, "max_tokens": 4096},
        ),
    },
    questions=questions,
    strategies={
        "zero-shot": zero_shot,
        "cocot": partial(single_prompt, "cocot"),
        "self-refine": self_refine,
        "ddcot": partial(single_prompt, "ddcot"),
        "debate-1": partial(debate, 1),
        "debate-3": partial(debate, DEBATE_ROUNDS),
        "relabelled": ask_with_neutral_labels,
    },
    scorer=Scorer(score=score_choice, correct=correct_answer, as_published=published_reading),
    metrics=PAIR_METRICS,
    trivial_baselines=(PAIR_CHANCE,),
    views=TaskViews(
        item_noun="pair",
        cluster_noun="pair",
        split=CONTROL_SPLIT,
        breakdowns=(
            *tags("winner", "page type", "industry", "device", "changed element", "changed property", "majority"),
            BreakdownTag(UX_LAW_TAG, expand=one_result_per_law),
        ),
        tables=(MetricTable("Position bias", POSITION),),
    ),
)
