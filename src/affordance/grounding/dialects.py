"""The dialect table: one row for each way of giving coordinates. Model families name their dialect (`models.families`).

Where the numbers come from: smart resizing with its factor and its least and most pixels is Qwen's image processor
(`smart_resize` of qwen-vl-utils and transformers); models built on Qwen2.5-VL speak pixels of the image after it.
UI-TARS's notes on coordinates, the evaluation scripts of Jedi, the examples on the cards of InfiGUI-G1 and UI-Venus
give the most pixels they were made for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from affordance.core import plugin_registry
from affordance.core.digest import digest
from affordance.core.errors import UnknownName
from affordance.core.geometry import ImageSize, fit_within
from affordance.core.plugin_registry import PluginRegistry
from affordance.core.prompts import packaged_prompts
from affordance.core.question import LocationFormat, Question
from affordance.grounding import coordinate_formats as formats
from affordance.grounding.coordinate_formats import CoordinateFormat
from affordance.grounding.coordinates import MILLE, SENT, AxisOrder, CoordinateSystem, Grid


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a family of models gives coordinates.

    An image is shrunk before it is sent so that no side is longer than `max_side` and it has at most `max_pixels`
    pixels. `name` is that of the row, or `ROW@COORDINATES` where the coordinate system is not the row's own."""

    name: str  # as of `--dialect`
    patterns: tuple[str, ...]  # of plugins: regular expressions for whole names of models that use it
    coordinates: CoordinateSystem  # from numbers to a place
    element: CoordinateFormat  # how elements are asked for
    region: CoordinateFormat  # and regions
    max_side: int | None = None  # pixels of a side that is sent, at most
    max_pixels: int | None = None  # pixels of a image that is sent, at most
    image_first: bool = False  # whether the image comes before the words

    def format_for(self, level: str) -> CoordinateFormat:
        return self.region if level == "region" else self.element

    def points_only(self, level: str) -> bool:
        """Whether it says points only, so that there is no overlap to measure."""
        return self.format_for(level).points

    def matches_model(self, name: str) -> bool:
        return any(re.fullmatch(pattern, name) for pattern in self.patterns)

    def with_coordinates(self, coordinates: CoordinateSystem) -> "Dialect":
        row = self.name.partition("@")[0]
        return replace(self, name=f"{row}@{coordinates}", coordinates=coordinates)


_QWEN2_5_PIXELS = 16384 * 28 * 28  # also the most pixels of UI-TARS-1.5
_SMART = CoordinateSystem(Grid("smart", (28, 4 * 28 * 28, _QWEN2_5_PIXELS)))
_PER_MILLE = CoordinateSystem(MILLE)


def _dialect(
    name: str,
    coordinates: CoordinateSystem,
    element: CoordinateFormat,
    region: CoordinateFormat | None = None,
    *,
    max_side: int | None = None,
    max_pixels: int | None = None,
    image_first: bool = False,
) -> Dialect:
    return Dialect(name, (), coordinates, element, region or element, max_side, max_pixels, image_first)


BUILTIN_DIALECTS = (  # ours
    _dialect("gemini", CoordinateSystem(MILLE, AxisOrder.YXYX), formats.GEMINI),
    # Models that see at most 1568 pixels a side may count in those, whatever the prompt says: calibrate them.
    _dialect(
        "claude",
        CoordinateSystem(SENT),
        formats.PIXEL_BOX,
        max_side=2560,
    ),
    _dialect("gpt", _PER_MILLE, formats.MILLE_BOX),
    _dialect("qwen2-vl", _PER_MILLE, formats.QWEN2),
    _dialect("qwen2.5-vl", _SMART, formats.QWEN2_5, max_pixels=_QWEN2_5_PIXELS),
    _dialect("qwen3-vl", _PER_MILLE, formats.QWEN3, max_side=3200),
    _dialect("glm", _PER_MILLE, formats.GLM),
    _dialect("step", _PER_MILLE, formats.MILLE_BOX),
    _dialect(
        "ui-tars",
        _SMART,
        formats.UI_TARS,
        max_pixels=_QWEN2_5_PIXELS,
        image_first=True,
    ),
    _dialect(  # built on Qwen2-VL
        "ui-tars-1.0",
        _PER_MILLE,
        formats.UI_TARS,
        max_pixels=2700 * 28 * 28,
        image_first=True,
    ),
    _dialect("os-atlas", _PER_MILLE, formats.OS_ATLAS, image_first=True),
    _dialect("uground", _PER_MILLE, formats.UGROUND, image_first=True),
    _dialect("jedi", _SMART, formats.JEDI, max_side=1080),
    _dialect(
        "holo",
        _SMART,
        formats.HOLO,
        formats.PIXEL_BOX,
        max_pixels=_QWEN2_5_PIXELS,
        image_first=True,
    ),
    _dialect(  # built on Qwen3-VL
        "holo2",
        _PER_MILLE,
        formats.HOLO2,
        formats.MILLE_BOX,
        image_first=True,
    ),
    _dialect(
        "opencua",
        _SMART,
        formats.OPENCUA,
        formats.PIXEL_BOX,
        max_pixels=_QWEN2_5_PIXELS,
        image_first=True,
    ),
    _dialect(
        "infigui",
        _SMART,
        formats.INFIGUI,
        formats.PIXEL_BOX,
        max_pixels=5600 * 28 * 28,
        image_first=True,
    ),
    _dialect(
        "gui-r1",
        _SMART,
        formats.GUI_R1,
        formats.PIXEL_BOX,
        max_pixels=_QWEN2_5_PIXELS,
        image_first=True,
    ),
    _dialect("ui-venus", _SMART, formats.UI_VENUS, max_pixels=4_800_000, image_first=True),
    _dialect("default", _PER_MILLE, formats.MILLE_BOX),
)

_PROMPT_NAMES = {
    name for row in BUILTIN_DIALECTS for form in (row.element, row.region) for name in (form.prompt, form.system_prompt)
}


def _validate_dialect(name: str, dialect: Any) -> Dialect:
    """A dialect of another package."""
    if not isinstance(dialect, Dialect):
        raise ValueError(f"expected a Dialect, found {type(dialect).__name__}")
    if dialect.name != name or "@" in name:
        raise ValueError(f"expected a name without @, the same as the entry point's; found {dialect.name!r}")
    for pattern in dialect.patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"expected patterns of names, found {pattern!r}: {error}") from None
    for form in (dialect.element, dialect.region):
        for frame, words in ((form.prompt, form.prompt_text), (form.system_prompt, form.system_prompt_text)):
            if bool(words) is (frame in _PROMPT_NAMES):
                raise ValueError(
                    f"expected prompt_text for a prompt of its own, and none for a built-in one; found {frame!r}"
                )
    return dialect


DIALECTS: PluginRegistry[Dialect] = PluginRegistry(
    plugin_registry.DIALECTS, {row.name: row for row in BUILTIN_DIALECTS}, _validate_dialect
)


def dialect_prompt_digest(dialect: Dialect, pack: str) -> str:
    """The digest of a prompt pack with the texts of a dialect. Those of built-in ones are in the pack, and are known by
    their names; what another package defines is known by what it says."""
    row = dialect.name.partition("@")[0]
    if row in DIALECTS.builtin:
        return pack
    said = [
        (form.prompt_text, form.system_prompt_text, form.answer_template) for form in (dialect.element, dialect.region)
    ]
    return digest("pack", pack, [list(one) for one in said], str(DIALECTS[row].coordinates))


_PROMPTS = "dialects"  # the folder of their prompts
_TIGHT_BOX_INSTRUCTION = " Make sure that the box is tight and that the whole region is in it."


@cache
def get_dialect(name: str) -> Dialect:
    """A row by its name, or `ROW@CONVENTION`: that row, read by another coordinate system. What is sent stays the
    same."""
    row, at, convention = name.partition("@")
    if row not in DIALECTS:
        raise UnknownName("dialect", row, DIALECTS)
    return DIALECTS[row].with_coordinates(CoordinateSystem.parse(convention)) if at else DIALECTS[row]


def find_dialect(name: str) -> Dialect | None:
    """A row by its name, as `dialect_named`; None where its package is not installed, as for results of another day."""
    return get_dialect(name) if name.partition("@")[0] in DIALECTS else None


def max_sent_side(dialect: Dialect, size: ImageSize) -> int | None:
    """The longest side to shrink a image of this size to, so that the dialect's limits hold; None where it is sent
    as it is."""
    width, height = size
    side = longest = max(size)
    if dialect.max_side is not None:
        side = min(side, dialect.max_side)
    if dialect.max_pixels is not None:
        # The short side is rounded, which may leave room for a somewhat longer one.
        room = longest // min(size) + 2
        side = max(1, min(side, int(longest * (dialect.max_pixels / (width * height)) ** 0.5) + room))
        while side > 1 and _area(fit_within(width, height, side)) > dialect.max_pixels:
            side -= 1
    return side if side < longest else None


def sent_size(dialect: Dialect, size: ImageSize) -> ImageSize:
    """Width and height of a image of this size when it is sent."""
    return fit_within(*size, max_sent_side(dialect, size))


def dialect_prompt(dialect: Dialect, level: str) -> str:
    """The prompt that asks for a location, with placeholders; see `dialect_fields`."""
    form = dialect.format_for(level)
    return form.prompt_text or packaged_prompts(_PROMPTS)[form.prompt]


def dialect_system_prompt(dialect: Dialect, level: str) -> str:
    """The system message; empty where there is none."""
    form = dialect.format_for(level)
    return form.system_prompt_text or (packaged_prompts(_PROMPTS)[form.system_prompt] if form.system_prompt else "")


@cache
def dialect_prompts(level: str) -> Mapping[str, str]:
    """The prompts of all built-in dialects, by name."""
    found: dict[str, str] = {}
    for dialect in BUILTIN_DIALECTS:
        form = dialect.format_for(level)
        found[form.prompt] = dialect_prompt(dialect, level)
        if form.system_prompt:
            found[form.system_prompt] = dialect_system_prompt(dialect, level)
    return MappingProxyType(found)


def dialect_fields(dialect: Dialect, level: str, size: ImageSize, absent: bool) -> dict[str, str]:
    """The fields of a dialect's prompt: `target`, `care`, `absent`, `width` and `height`. The task adds `reference`,
    `label` and `expression`. The size is that of the image in which the model gives coordinates."""
    row = DIALECTS[dialect.name.partition("@")[0]]  # a calibrated dialect asks in the words it was calibrated with
    form = row.format_for(level)
    width, height = row.coordinates.grid.extent(size, sent_size(row, size))
    return {
        "target": level,
        "care": _TIGHT_BOX_INSTRUCTION if level == "region" and not form.points else "",
        "absent": form.absent_instruction if absent else "",
        "width": str(round(width)),
        "height": str(round(height)),
    }


def _area(size: ImageSize) -> int:
    return size[0] * size[1]


def in_dialect(question: Question, dialect: Dialect) -> Question:
    """The question as models of a dialect are asked it. It stays the same question."""
    answer_format = question.answer_format
    assert isinstance(answer_format, LocationFormat)
    (picture,) = question.media
    return replace(
        question,
        media=(replace(picture, max_side=max_sent_side(dialect, answer_format.size)),),
        prompt_fields={
            **question.prompt_fields,
            **dialect_fields(dialect, answer_format.level, answer_format.size, answer_format.absent),
        },
        answer_format=replace(answer_format, dialect=dialect.name, sent=sent_size(dialect, answer_format.size)),
    )
