"""Multiple-choice questions about outcomes, before they are put to anybody, and those of published sets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.box import Box
from affordance.core.picture import RED, BoxOutline
from affordance.datasets import ChoiceQuestion, Collection
from affordance.datasets.classes import group_size_class
from affordance.tasks.function.aims import UNKNOWN, image_source, publisher_tags
from affordance.tasks.function.options import OptionSpec


@dataclass(frozen=True, slots=True)
class OutcomeImage:
    """What really happened: the picture afterwards, where it changed."""

    source: str
    box: Box


@dataclass(frozen=True, slots=True)
class ChoiceSpec:
    id: str
    screen: str  # what was sampled
    source: str
    files: Mapping[str, Path]
    outlines: tuple[BoxOutline, ...]
    question: str
    options: tuple[OptionSpec, ...]  # in the order in which they are shown
    correct: tuple[str, ...]  # texts
    multiple: bool
    tags: Mapping[str, str]
    outcome_image: OutcomeImage | None = None
    published: bool = False  # whether the order of its options is part of the data


def has_published(data: Collection, level: str) -> bool:
    return next(published_choice_specs(data, level), None) is not None


def published_choice_specs(data: Collection, level: str) -> Iterator[ChoiceSpec]:
    dataset = data.part("choice")
    for item in dataset.items if dataset is not None else ():
        if not isinstance(item, ChoiceQuestion) or (item.level or level) != level:
            continue
        assert dataset is not None
        source, files = image_source(dataset, item.image)
        outlines = () if item.target is None else (BoxOutline(item.target, RED, 3),)
        options = tuple((option.text, option.origin or UNKNOWN) for option in item.options)
        yield ChoiceSpec(
            item.id,
            item.image,
            source,
            files,
            outlines,
            item.question,
            options,
            tuple(options[place][0] for place in item.answers),
            item.multiple,
            {
                **({"action": item.action} if item.action else {}),
                "group size": group_size_class(item.tags.get("group_size")),
                **publisher_tags(item.tags),
            },
            published=True,
        )
