"""Which dialect is spoken, what its models are sent, and in which words they are asked."""

from functools import cache
from importlib.resources import files

from affordance.core.errors import UnknownName
from affordance.core.sizes import Size, shrunk_size
from affordance.grounding.conventions import Convention
from affordance.grounding.dialects import DIALECTS, ROWS, Dialect

_CARE = " Make sure that the box is tight and that the whole region is in it."


def dialect_of(model: str) -> tuple[Dialect, bool]:
    """The row whose patterns a model's name matches as a whole, without case and without what is before its last
    slash, ours before those of other packages; the default row and False where no row knows it."""
    name = model.rpartition("/")[2].lower()
    known = next((row.name for row in ROWS if row.knows(name)), None)
    if known is None:
        known = next((added for added in DIALECTS.added if DIALECTS[added].knows(name)), None)
    return DIALECTS[known or "default"], known is not None


@cache
def dialect_named(name: str) -> Dialect:
    """A row by its name, or `ROW@CONVENTION`: that row, read by another convention. What is sent stays the same."""
    row, at, convention = name.partition("@")
    if row not in DIALECTS:
        raise UnknownName("dialect", row, DIALECTS)
    return DIALECTS[row].with_convention(Convention.parse(convention)) if at else DIALECTS[row]


def find_dialect(name: str) -> Dialect | None:
    """A row by its name, as `dialect_named`; None where its package is not installed, as for results of another day."""
    return dialect_named(name) if name.partition("@")[0] in DIALECTS else None


def longest_side(dialect: Dialect, size: Size) -> int | None:
    """The longest side to shrink a picture of this size to, so that the dialect's limits hold; None where it is sent
    as it is."""
    width, height = size
    side = longest = max(size)
    if dialect.longest is not None:
        side = min(side, dialect.longest)
    if dialect.most is not None:
        # The short side is rounded, which may leave room for a somewhat longer one.
        room = longest // min(size) + 2
        side = max(1, min(side, int(longest * (dialect.most / (width * height)) ** 0.5) + room))
        while side > 1 and _area(shrunk_size(width, height, side)) > dialect.most:
            side -= 1
    return side if side < longest else None


def sent_size(dialect: Dialect, size: Size) -> Size:
    """Width and height of a picture of this size when it is sent."""
    return shrunk_size(*size, longest_side(dialect, size))


def frame(dialect: Dialect, level: str) -> str:
    """The words in which a place is asked for, with placeholders; see `frame_fields`."""
    form = dialect.form(level)
    return form.words or _text(form.frame)


def system_text(dialect: Dialect, level: str) -> str:
    """What the system message says; empty where there is none."""
    form = dialect.form(level)
    return form.system_words or (_text(form.system) if form.system else "")


def frame_fields(dialect: Dialect, level: str, size: Size, absent: bool) -> dict[str, str]:
    """What grounding puts into a frame: `target`, `care`, `absent`, `width` and `height`. The suite puts in
    `reference`, `label` and `expression`. The size is that of the picture the model counts in."""
    row = DIALECTS[dialect.name.partition("@")[0]]  # a calibrated dialect asks in the words it was calibrated with
    form = row.form(level)
    width, height = row.convention.grid.extent(size, sent_size(row, size))
    return {
        "target": level,
        "care": _CARE if level == "region" and not form.points else "",
        "absent": form.told if absent else "",
        "width": str(round(width)),
        "height": str(round(height)),
    }


@cache
def _text(name: str) -> str:
    return (files("affordance.grounding") / "frames" / f"{name}.txt").read_text(encoding="utf-8").strip()


def _area(size: Size) -> int:
    return size[0] * size[1]
