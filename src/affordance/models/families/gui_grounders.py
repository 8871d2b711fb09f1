"""Open models that are trained to point at elements of user interfaces."""

from affordance.models.family import NAME_SUFFIX, ModelFamily

OS_ATLAS = ModelFamily(
    name="os-atlas",
    vendor="OS-Copilot",
    patterns=(rf"os-atlas-(?:base|pro)-[47]b{NAME_SUFFIX}",),
    dialect="os-atlas",
    sources=("https://huggingface.co/OS-Copilot/OS-Atlas-Base-7B",),
)
UGROUND = ModelFamily(
    name="uground",
    vendor="OSU NLP",
    patterns=(rf"uground-v1-\d+b{NAME_SUFFIX}",),
    dialect="uground",
    sources=("https://huggingface.co/osunlp/UGround-V1-7B",),
)
JEDI = ModelFamily(
    name="jedi",
    vendor="XLANG Lab",
    patterns=(rf"jedi-\d+b{NAME_SUFFIX}",),
    dialect="jedi",
    sources=("https://github.com/xlang-ai/OSWorld-G, evaluation scripts",),
)
OPENCUA = ModelFamily(
    name="opencua",
    vendor="XLANG Lab",
    patterns=(rf"opencua-(?:7|32|72)b{NAME_SUFFIX}",),
    dialect="opencua",
    sources=("https://huggingface.co/xlangai/OpenCUA-7B",),
)
INFIGUI = ModelFamily(
    name="infigui",
    vendor="InfiX.ai",
    patterns=(rf"infigui-[gr]1-\d+b{NAME_SUFFIX}",),
    dialect="infigui",
    sources=("https://huggingface.co/InfiX-ai/InfiGUI-G1-7B",),
)
GUI_R1 = ModelFamily(
    name="gui-r1",
    vendor="ritzzai",
    patterns=(rf"gui-r1-\d+b{NAME_SUFFIX}",),
    dialect="gui-r1",
    sources=("https://github.com/ritzz-ai/GUI-R1",),
)
UI_VENUS = ModelFamily(
    name="ui-venus",
    vendor="inclusionAI",
    patterns=(rf"ui-venus-ground-\d+b{NAME_SUFFIX}",),
    dialect="ui-venus",
    sources=("https://huggingface.co/inclusionAI/UI-Venus-Ground-7B",),
)

FAMILIES = (OS_ATLAS, UGROUND, JEDI, OPENCUA, INFIGUI, GUI_R1, UI_VENUS)
