"""Alibaba: Qwen-VL."""

from affordance.models.family import NAME_SUFFIX, ModelFamily

QWEN2_VL = ModelFamily(
    name="qwen2-vl",
    vendor="Alibaba",
    patterns=(rf"qwen2-?vl{NAME_SUFFIX}",),
    dialect="qwen2-vl",
    sources=("https://huggingface.co/Qwen/Qwen2-VL-7B-Instruct",),
)
QWEN2_5_VL = ModelFamily(
    name="qwen2.5-vl",
    vendor="Alibaba",
    patterns=(rf"qwen2[._p]5-?vl{NAME_SUFFIX}",),
    dialect="qwen2.5-vl",
    sources=("https://huggingface.co/Qwen/Qwen2.5-VL-7B-Instruct", "qwen-vl-utils: smart_resize"),
)
QWEN3_VL = ModelFamily(
    name="qwen3-vl",
    vendor="Alibaba",
    patterns=(rf"qwen3-?vl{NAME_SUFFIX}",),
    dialect="qwen3-vl",
    sources=("https://github.com/QwenLM/Qwen3-VL",),
)

FAMILIES = (QWEN2_VL, QWEN2_5_VL, QWEN3_VL)
