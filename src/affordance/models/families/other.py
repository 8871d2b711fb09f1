"""Families of further vendors, and the default for names that no family matches."""

from affordance.models.family import NAME_SUFFIX, ModelFamily

STEP = ModelFamily(
    name="step",
    vendor="StepFun",
    patterns=(r"step-?3(?:[-_:@][\w.:@-]*)?", r"step-1[vo]-[\w.-]+"),
    dialect="step",
    sources=("https://huggingface.co/stepfun-ai/step3",),
)
HOLO = ModelFamily(
    name="holo",
    vendor="H Company",
    patterns=(rf"holo1(?:\.5)?-\d+b{NAME_SUFFIX}",),
    dialect="holo",
    sources=("https://huggingface.co/Hcompany/Holo1.5-7B",),
)
HOLO2 = ModelFamily(  # built on Qwen3-VL
    name="holo2",
    vendor="H Company",
    patterns=(rf"holo2-\d+b{NAME_SUFFIX}", rf"holo3(?:\.\d+)?{NAME_SUFFIX}"),
    dialect="holo2",
    sources=("https://huggingface.co/Hcompany/Holo2-8B",),
)
DEFAULT_FAMILY = ModelFamily(name="default", vendor="", patterns=(), dialect="default", sources=("convention",))

FAMILIES = (STEP, HOLO, HOLO2)
