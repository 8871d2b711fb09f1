"""`baseline:pixels`: answers by measuring the pictures, with no model of interfaces behind it.

It names the effect of an animation from what changes and how. It finds what an expression speaks of, and what acting
on it does, from the layout of a screen and, where the extra `ocr` is installed, from the text on it. Nothing is
learned from data or looked up; the weights for screens were set by hand with the demo screens in view, so figures on
those are a little kind to it. Of two designs it says which looks more effective; those rules were written without a
look at any winner. What an animation is for it tells from how it moves and from words about it; those rules were
written without a look at any clip with a known purpose.
"""

from affordance.media.ocr import TextLine, ocr_available, read_text
from affordance.media.screen_layout import PartKind, ScreenLayout, ScreenPart, find_edges, find_layout, find_pixel_ratio
from affordance.models.baselines.effect_classifier import EFFECTS, EffectReading, classify_effect
from affordance.models.pixels._designs import advantages, better_design
from affordance.models.pixels._ground import find_location
from affordance.models.pixels._outcome import choose_outcome, find_red_box
from affordance.models.pixels._purpose import infer_purpose

__all__ = [
    "EFFECTS",
    "EffectReading",
    "PartKind",
    "ScreenLayout",
    "ScreenPart",
    "TextLine",
    "advantages",
    "better_design",
    "choose_outcome",
    "classify_effect",
    "find_edges",
    "find_layout",
    "find_location",
    "find_pixel_ratio",
    "find_red_box",
    "infer_purpose",
    "ocr_available",
    "read_text",
]
