"""How a page is rendered: size, pixel ratio, theme, locale, and the ways in which a variant differs."""

import re
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from affordance.core.errors import UserError
from affordance.core.text import parse_choice, parse_choices

SMALLEST, LARGEST = 100, 4096
FONT = '"Liberation Serif", "DejaVu Serif", Georgia, serif'


class Theme(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class Variation(StrEnum):
    """What one variant of a screen changes; everything else stays."""

    THEME = "theme"  # the other one of light and dark
    ZOOM = "zoom"  # the browser's zoom at 125%
    LOCALE = "locale"  # the language given with --other-locale
    FONT = "font"  # all text in a serif face
    MOVED = "moved"  # controls that stand side by side change places


@dataclass(frozen=True, slots=True)
class Look:
    width: int = 1280  # of the window in CSS pixels, before zooming
    height: int = 800
    ratio: float = 1.0  # device pixels per CSS pixel
    theme: Theme = Theme.LIGHT
    locale: str = "en-US"
    zoom: float = 1.0
    serif: bool = False
    moved: bool = False

    @property
    def name(self) -> str:
        """Part of the ids of screens: what tells this look from others."""
        parts = [f"{self.width}x{self.height}", f"{self.ratio:g}x", str(self.theme), self.locale]
        parts += [f"zoom{round(100 * self.zoom)}"] * (self.zoom != 1) + ["serif"] * self.serif + ["moved"] * self.moved
        return "-".join(parts)

    @property
    def pixels_per_css_pixel(self) -> float:
        return self.ratio * self.zoom

    @property
    def viewport(self) -> tuple[int, int]:
        """The size of the window as the page sees it."""
        return round(self.width / self.zoom), round(self.height / self.zoom)

    def varied(self, variation: Variation, other_locale: str) -> "Look":
        match variation:
            case Variation.THEME:
                return replace(self, theme=Theme.DARK if self.theme is Theme.LIGHT else Theme.LIGHT)
            case Variation.ZOOM:
                return replace(self, zoom=1.25)
            case Variation.LOCALE:
                return replace(self, locale=other_locale)
            case Variation.FONT:
                return replace(self, serif=True)
            case Variation.MOVED:
                return replace(self, moved=True)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> "Look":
        return cls(**{**found, "theme": Theme(found["theme"])})


def read_size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,4})x([0-9]{1,4})", text)
    if match is None or not all(SMALLEST <= int(number) <= LARGEST for number in match.groups()):
        raise UserError(f"expected a size as WIDTHxHEIGHT, each from {SMALLEST} to {LARGEST}, found {text!r}")
    return int(match[1]), int(match[2])


def read_locale(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*", text):
        raise UserError(f"expected a locale such as de-DE, found {text!r}")
    return text


def read_theme(text: str) -> Theme:
    return parse_choice(Theme, text, "theme")


def read_variations(text: str) -> list[Variation]:
    return parse_choices(Variation, text, "variation")
