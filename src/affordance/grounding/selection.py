"""Which dialect is spoken, what its models are sent, and in which words they are asked."""

from functools import cache
from importlib.resources import files

from affordance.core.errors import UnknownName
from affordance.core.sizes import ImageSize, fit_within
from affordance.grounding.conventions import Convention
from affordance.grounding.dialects import BUILTIN_DIALECTS, DIALECTS, Dialect

_TIGHT_BOX_INSTRUCTION = " Make sure that the box is tight and that the whole region is in it."


def dialect_of(model: str) -> tuple[Dialect, bool]:
    """The row whose patterns a model's name matches as a whole, without case and without what is before its last
    slash, ours before those of other packages; the default row and False where no row knows it."""
    name = model.rpartition("/")[2].lower()
    known = next((row.name for row in BUILTIN_DIALECTS if row.matches_model(name)), None)
    if known is None:
        known = next((added for added in DIALECTS.plugin_names if DIALECTS[added].matches_model(name)), None)
    return DIALECTS[known or "default"], known is not None


@cache
def get_dialect(name: str) -> Dialect:
    """A row by its name, or `ROW@CONVENTION`: that row, read by another convention. What is sent stays the same."""
    row, at, convention = name.partition("@")
    if row not in DIALECTS:
        raise UnknownName("dialect", row, DIALECTS)
    return DIALECTS[row].with_coordinates(Convention.parse(convention)) if at else DIALECTS[row]


def find_dialect(name: str) -> Dialect | None:
    """A row by its name, as `dialect_named`; None where its package is not installed, as for results of another day."""
    return get_dialect(name) if name.partition("@")[0] in DIALECTS else None


def max_sent_side(dialect: Dialect, size: ImageSize) -> int | None:
    """The longest side to shrink a picture of this size to, so that the dialect's limits hold; None where it is sent
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
    """Width and height of a picture of this size when it is sent."""
    return fit_within(*size, max_sent_side(dialect, size))


def dialect_prompt(dialect: Dialect, level: str) -> str:
    """The words in which a place is asked for, with placeholders; see `frame_fields`."""
    form = dialect.format_for(level)
    return form.prompt_text or _read_prompt(form.prompt)


def dialect_system_prompt(dialect: Dialect, level: str) -> str:
    """What the system message says; empty where there is none."""
    form = dialect.format_for(level)
    return form.system_prompt_text or (_read_prompt(form.system_prompt) if form.system_prompt else "")


def dialect_fields(dialect: Dialect, level: str, size: ImageSize, absent: bool) -> dict[str, str]:
    """What grounding puts into a frame: `target`, `care`, `absent`, `width` and `height`. The suite puts in
    `reference`, `label` and `expression`. The size is that of the picture the model counts in."""
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


@cache
def _read_prompt(name: str) -> str:
    return (files("affordance.grounding") / "frames" / f"{name}.txt").read_text(encoding="utf-8").strip()


def _area(size: ImageSize) -> int:
    return size[0] * size[1]
