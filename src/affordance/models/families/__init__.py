"""Model families: one module per vendor, one row per family."""

from affordance.models.families import anthropic, bytedance, google, gui_grounders, openai, other, qwen, zhipu
from affordance.models.families.other import DEFAULT_FAMILY
from affordance.models.family import ModelFamily

FAMILIES: tuple[ModelFamily, ...] = (
    *openai.FAMILIES,
    *anthropic.FAMILIES,
    *google.FAMILIES,
    *qwen.FAMILIES,
    *zhipu.FAMILIES,
    *bytedance.FAMILIES,
    *gui_grounders.FAMILIES,
    *other.FAMILIES,
)

__all__ = ["DEFAULT_FAMILY", "FAMILIES"]
