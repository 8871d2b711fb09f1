"""Counts and distributions of a dataset. Items are counted; only videos are opened, without decoding them."""

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from affordance import media
from affordance.core.errors import MediaError
from affordance.core.geometry import CoordinateSpace, union_area
from affordance.core.http import url_host
from affordance.datasets import taxonomies
from affordance.datasets.check_items import PUBLISHED_CLASSES
from affordance.datasets.clips import Clip
from affordance.datasets.dataset import Dataset
from affordance.datasets.items import Item
from affordance.datasets.pairs import DesignPair, count_undecided
from affordance.datasets.screens import ActionOutcome, ChoiceItem, Screen, Target
from affordance.datasets.taxonomies import (
    GROUP_SIZE_CLASSES,
    PURPOSES,
    REGION_CATEGORIES,
    UNKNOWN,
    Action,
    group_size_class,
)

EXPRESSIONS = ("functionality", "description", "intent")

# Tags that are counted, with their names and the order of their values where there is one.
TAGS: dict[str, tuple[str, Sequence[str]]] = {
    "source": ("source", ()),
    "region type": ("region type", REGION_CATEGORIES),
    "region leaf": ("region type, leaf", ()),
    "density_shipped": ("density, as published", PUBLISHED_CLASSES["density_shipped"]),
    "area_shipped": ("area, as published", PUBLISHED_CLASSES["area_shipped"]),
    "ui_type": ("type of element", ()),
    "ui_types": ("types of elements", ()),
    "application_group": ("group of applications", ()),
    "application": ("application", ()),
}
FIELDS: dict[type[Item], Sequence[str]] = {
    Clip: ("platform", "effect", "purpose"),
    DesignPair: ("evidence", "device", "page_type", "industry"),
    ActionOutcome: ("action",),
    ChoiceItem: ("level", "action"),
}
ORDERS: dict[str, Sequence[str]] = {"action": list(Action), "purpose": PURPOSES}
WINNERS = ("the first", "the second", "tied votes", "not known")
CLIP_SECONDS = "seconds of the clip"
ANIMATION_SECONDS = "seconds of the animation"
REGION_SHARE = "regions, % of the image"
UNKNOWN_PLATFORM = "unknown"
MULTI_VALUE_TAGS = {"ui_types"}  # tags with several values, joined by commas


@dataclass(frozen=True, slots=True)
class ValueCounts:
    """How often each value occurs. Counts may add up to more than `total`, where one item has several values."""

    name: str
    of: str  # the unit counted
    counts: tuple[tuple[str, int], ...]
    total: int


@dataclass(frozen=True, slots=True)
class NumberSummary:
    """A summary of one number of many items."""

    name: str
    n: int
    mean: float
    median: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float


@dataclass(frozen=True, slots=True)
class DatasetStatistics:
    """What `affordance data stats` shows."""

    name: str
    kind: str
    counts: dict[str, int]
    distributions: tuple[ValueCounts, ...]
    summaries: tuple[NumberSummary, ...]


def describe_dataset(dataset: Dataset) -> DatasetStatistics:
    """Count what is in a dataset."""
    screens = [item for item in dataset.items if isinstance(item, Screen)]
    questions = [item for item in dataset.items if isinstance(item, ChoiceItem)]
    pairs = [item for item in dataset.items if isinstance(item, DesignPair)]
    targets = [(screen, target) for screen in screens for target in screen.targets]
    media_files = {path for item in dataset.items for path in item.media_files()}
    counts = {
        "items": len(dataset.items),
        "files": len(media_files),
        "missing files": len(dataset.missing_media),
        "targets": len(targets),
        "elements": sum(len(screen.elements) for screen in screens),
        "regions": sum(len(screen.regions) for screen in screens),
        "pairs without a winner": count_undecided(dataset.items).count,
        "rationales": sum(len(pair.rationales) for pair in pairs),
        "clusters": len({pair.cluster or pair.id for pair in pairs}),
        "companies": len({pair.company for pair in pairs} - {None}),
    }
    distributions = [
        *_field_counts(dataset.items),
        *_screen_counts(screens),
        *_target_counts(targets),
        *_question_counts(questions),
        *_pair_counts(pairs),
    ]
    return DatasetStatistics(
        name=dataset.name,
        kind=dataset.header.kind,
        counts={name: count for name, count in counts.items() if count or name == "items"},
        distributions=tuple(one for one in distributions if one.counts),
        summaries=(
            *_clip_numbers(dataset),
            *_target_numbers(targets),
            *_question_numbers(questions),
            *_pair_numbers(pairs),
        ),
    )


def _field_counts(items: Sequence[Item]) -> list[ValueCounts]:
    fields = FIELDS.get(type(items[0]), ()) if items else ()
    return [_value_counts(name, "items", [getattr(item, name) for item in items], _order(name)) for name in fields]


def _screen_counts(screens: Sequence[Screen]) -> list[ValueCounts]:
    """Counts by target, as in papers, where there are targets; otherwise by screen."""
    weights = [(screen, len(screen.targets)) for screen in screens]
    by_target = any(weight for _, weight in weights)
    of = "targets" if by_target else "screens"

    def spread(value: Callable[[Screen], str | None]) -> list[str | None]:
        return [value(screen) for screen, weight in weights for _ in range(weight if by_target else 1)]

    return [
        _value_counts("platform", of, spread(lambda screen: screen.platform)),
        _value_counts("resolution", of, spread(lambda screen: f"{screen.width}x{screen.height}")),
        _value_counts("role of element", "elements", [one.role for screen in screens for one in screen.elements]),
        _value_counts("type of region", "regions", [one.type for screen in screens for one in screen.regions]),
    ]


def _target_counts(targets: Sequence[tuple[Screen, Target]]) -> list[ValueCounts]:
    alone = [target for _, target in targets]
    expressions = [name for target in alone for name in EXPRESSIONS if getattr(target, name)]
    return [
        _value_counts("level", "targets", [target.level for target in alone]),
        _value_counts("form", "targets", [_form(target) for target in alone], ("box", "polygon", "absent")),
        _value_counts("expression", "targets", expressions, EXPRESSIONS, len(alone)),
        _value_counts("action", "targets", [target.action for target in alone], list(Action)),
        *_tag_counts("targets", [target.tags for target in alone]),
    ]


def _question_counts(questions: Sequence[ChoiceItem]) -> list[ValueCounts]:
    sizes = [(question.model_extra or {}).get("image_size") for question in questions]
    origins = [option.origin for question in questions for option in question.options]
    return [
        _value_counts("resolution", "questions", [f"{size[0]}x{size[1]}" if size else None for size in sizes]),
        _value_counts(
            "answers", "questions", ["several" if q.multiple else "one" for q in questions], ("one", "several")
        ),
        _value_counts("options", "questions", [str(len(q.options)) for q in questions]),
        _value_counts("right options", "questions", [str(len(q.answers)) for q in questions if q.multiple]),
        _value_counts("origin of options", "options", origins),
        *_tag_counts("questions", [question.tags for question in questions]),
    ]


def _pair_counts(pairs: Sequence[DesignPair]) -> list[ValueCounts]:
    rationales = [one for pair in pairs for one in pair.rationales]
    elements = [element for pair in pairs for element in pair.changes]
    properties = [one for pair in pairs for found in pair.changes.values() for one in found]
    lengths = [len(pair.rationales) for pair in pairs]
    return [
        _value_counts("host of the source", "pairs", [url_host(pair.source) for pair in pairs]),
        _value_counts("winner", "pairs", [_winner(pair) for pair in pairs], WINNERS),
        _value_counts("changed element", "elements", elements),
        _value_counts("changed property", "properties", properties),
        _value_counts(
            "group of elements", "pairs", [taxonomies.element_group(p.changes) for p in pairs], taxonomies.ELEMENT_ORDER
        ),
        _value_counts(
            "group of properties",
            "pairs",
            [taxonomies.property_group(p.changes) for p in pairs],
            taxonomies.PROPERTY_ORDER,
        ),
        _value_counts("law", "rationales", [one.law for one in rationales]),
        _value_counts("dimension", "rationales", [one.dimension for one in rationales], taxonomies.LAW_DIMENSIONS),
        _value_counts("rationales per pair", "pairs", map(str, lengths), [str(n) for n in sorted(set(lengths))]),
    ]


def _winner(pair: DesignPair) -> str:
    return WINNERS[pair.winner if pair.winner is not None else 2 if pair.tied else 3]


def _tag_counts(of: str, tags: Sequence[dict[str, str]]) -> list[ValueCounts]:
    found = []
    for tag, (name, order) in TAGS.items():
        values = [
            value
            for one in tags
            if tag in one
            for value in (one[tag].split(", ") if tag in MULTI_VALUE_TAGS else [one[tag]])
        ]
        found.append(_value_counts(name, of, values, order, len(tags)))
    sizes = [group_size_class(one.get("group_size")) for one in tags]
    return [*found, _value_counts("size of group", of, sizes if set(sizes) - {UNKNOWN} else [], GROUP_SIZE_CLASSES)]


def _clip_numbers(dataset: Dataset) -> list[NumberSummary]:
    summaries = [_summary(name, values) for name, values in _clip_measurements(dataset).items()]
    return [one for one in summaries if one is not None]


def _target_numbers(targets: Sequence[tuple[Screen, Target]]) -> list[NumberSummary]:
    words = [
        _summary(
            f"words of the {name}", [_word_count(text) for _, target in targets if (text := getattr(target, name))]
        )
        for name in EXPRESSIONS
    ]
    shares = [
        100 * box.to_space(CoordinateSpace.UNIT, screen.width, screen.height).area
        for screen, target in targets
        if (box := target.bounds) is not None
    ]
    return [one for one in (*words, _summary("area in % of the image", shares)) if one is not None]


def _question_numbers(questions: Sequence[ChoiceItem]) -> list[NumberSummary]:
    alone = [_word_count(question.question) for question in questions]
    options = [sum(_word_count(option.text) for option in question.options) for question in questions]
    both = [own + others for own, others in zip(alone, options, strict=True)]
    found = (_summary("words of the question", alone), _summary("words with all options", both))
    return [one for one in found if one is not None]


def _pair_numbers(pairs: Sequence[DesignPair]) -> list[NumberSummary]:
    counts = [len(pair.rationales) for pair in pairs if pair.rationales]
    words = [_word_count(one.reason) for pair in pairs for one in pair.rationales]
    shares = [max(pair.votes) / sum(pair.votes) for pair in pairs if pair.votes is not None and sum(pair.votes) > 0]
    found = (
        _summary("rationales of a pair", counts),
        _summary("words of a rationale", words),
        _summary("share of votes for the majority", shares),
    )
    return [one for one in found if one is not None]


def _value_counts(
    name: str, of: str, values: Iterable[str | None], order: Sequence[str] = (), total: int | None = None
) -> ValueCounts:
    """Counts of values, in `order` where there is one, otherwise by frequency."""
    known = [value for value in values if value is not None]
    counts = Counter(known)
    if not counts:
        return ValueCounts(name, of, (), 0)
    first = [(value, counts.pop(value, 0)) for value in order]
    rest = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [(value, count) for value, count in first if count or order in PUBLISHED_CLASSES.values()]
    return ValueCounts(name, of, (*shown, *rest), len(known) if total is None else total)


def _summary(name: str, values: Sequence[float]) -> NumberSummary | None:
    if not values:
        return None
    lower, middle, upper = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else 3 * [values[0]]
    return NumberSummary(name, len(values), statistics.fmean(values), middle, min(values), max(values), lower, upper)


def _order(field: str) -> Sequence[str]:
    return ORDERS.get(field, ())


def _form(target: Target) -> str:
    return "absent" if target.absent else "polygon" if target.polygon is not None else "box"


def _word_count(text: str) -> int:
    return len(text.split())


def _clip_measurements(dataset: Dataset) -> dict[str, list[float]]:
    """Measurements of clips by their names. Clips with a missing or broken video have none that need it."""
    found: dict[str, list[float]] = {CLIP_SECONDS: []}
    by_platform: dict[str, list[float]] = {}
    rest: dict[str, list[float]] = {ANIMATION_SECONDS: [], REGION_SHARE: []}
    for clip in dataset.items:
        if not isinstance(clip, Clip):
            continue
        video = _video_info(dataset, clip)
        if video is not None and not video.is_still:
            found[CLIP_SECONDS].append(float(video.duration))
            by_platform.setdefault(clip.platform or UNKNOWN_PLATFORM, []).append(float(video.duration))
            rest[ANIMATION_SECONDS] += _animation_seconds(clip, video)
        rest[REGION_SHARE] += (100 * share for share in region_share(clip, video))
    if set(by_platform) - {UNKNOWN_PLATFORM}:
        ordered = sorted(by_platform.items(), key=lambda one: (-len(one[1]), one[0]))
        found |= {f"  {platform}": values for platform, values in ordered}
    return found | rest


def _animation_seconds(clip: Clip, video: media.MediaInfo) -> Iterable[float]:
    """How long the annotated animation runs, including its last frame; nothing where it is not annotated."""
    if clip.start_frame is None or clip.end_frame is None or clip.end_frame >= len(video.pts):
        return ()
    after = clip.end_frame + 1
    end = video.frame_time(after) if after < len(video.pts) else video.duration
    return (float(end - video.frame_time(clip.start_frame)),)


def region_share(clip: Clip, video: media.MediaInfo | None) -> Iterable[float]:
    """The share of the image that the regions of a clip cover together; nothing where there are none, or where they are
    in pixels of an unknown video."""
    if not clip.regions or (video is None and any(box.space is CoordinateSpace.PIXEL for box in clip.regions)):
        return ()
    size = (video.width, video.height) if video is not None else (1, 1)
    shares = [box.to_space(CoordinateSpace.UNIT, *size).clip(1, 1) for box in clip.regions]
    return (union_area(box for box in shares if box is not None),)


def _video_info(dataset: Dataset, clip: Clip) -> media.MediaInfo | None:
    try:
        return media.probe(dataset.media_path(clip.video))
    except MediaError:
        return None  # reported by a check
