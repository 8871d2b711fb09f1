"""Multiple-choice questions about outcomes, before they are put to anybody, and those of published sets."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from affordance.core.box import Box
from affordance.core.picture import RED, Outline
from affordance.datasets import ChoiceQuestion, Collection
from affordance.datasets.classes import group_bucket
from affordance.suites.function.aims import UNKNOWN, picture_source, shipped
from affordance.suites.function.options import Pick


@dataclass(frozen=True, slots=True)
class After:
    """What really happened: the picture afterwards, where it changed."""

    source: str
    box: Box


@dataclass(frozen=True, slots=True)
class Poser:
    id: str
    screen: str  # what was sampled
    source: str
    files: Mapping[str, Path]
    outlines: tuple[Outline, ...]
    question: str
    options: tuple[Pick, ...]  # in the order in which they are shown
    right: tuple[str, ...]  # texts
    multiple: bool
    tags: Mapping[str, str]
    after: After | None = None
    published: bool = False  # whether the order of its options is part of the data


def has_published(data: Collection, level: str) -> bool:
    return next(published_posers(data, level), None) is not None


def published_posers(data: Collection, level: str) -> Iterator[Poser]:
    dataset = data.part("choice")
    for item in dataset.items if dataset is not None else ():
        if not isinstance(item, ChoiceQuestion) or (item.level or level) != level:
            continue
        assert dataset is not None
        source, files = picture_source(dataset, item.image)
        outlines = () if item.target is None else (Outline(item.target, RED, 3),)
        options = tuple((option.text, option.origin or UNKNOWN) for option in item.options)
        yield Poser(
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
                "group size": group_bucket(item.tags.get("group_size")),
                **shipped(item.tags),
            },
            published=True,
        )
