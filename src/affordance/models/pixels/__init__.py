"""`baseline:pixels`: names the effect of an animation by measuring the pictures, with no model behind it.

It finds what changes, follows its place, outline, colour and sharpness, and applies fixed rules. No part of it
has seen the truth, the generator of any clip or training data.
"""

from affordance.models.pixels._classify import EFFECTS, Reading, classify_effect

__all__ = ["EFFECTS", "Reading", "classify_effect"]
