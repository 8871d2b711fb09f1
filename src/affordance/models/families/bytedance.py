"""ByteDance: UI-TARS."""

from affordance.models.family import NAME_SUFFIX, ModelFamily

UI_TARS_1_5 = ModelFamily(
    name="ui-tars",
    vendor="ByteDance",
    patterns=(rf"ui-tars-1\.5{NAME_SUFFIX}",),
    dialect="ui-tars",
    sources=("https://github.com/bytedance/UI-TARS/blob/main/README_coordinates.md",),
)
UI_TARS_1_0 = ModelFamily(  # built on Qwen2-VL; the hosted release is recognized by its vendor's prefix
    name="ui-tars-1.0",
    vendor="ByteDance",
    patterns=(rf"ui-tars-(?:2b|7b|72b){NAME_SUFFIX}", r"doubao-1[.-]5-ui-tars[\w.-]*"),
    dialect="ui-tars-1.0",
    sources=("https://github.com/bytedance/UI-TARS/blob/main/README_v1.md",),
)

FAMILIES = (UI_TARS_1_5, UI_TARS_1_0)
