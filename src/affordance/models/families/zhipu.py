"""Zhipu (Z.ai): GLM-V."""

from affordance.models.family import NAME_SUFFIX, ModelFamily, Price

GLM = ModelFamily(
    name="glm",
    vendor="Zhipu",
    patterns=(rf"glm-\d+(?:\.\d+)?v{NAME_SUFFIX}",),
    dialect="glm",
    prices={"glm-4.5v": Price(0.6, 1.8)},
    sources=("https://github.com/zai-org/GLM-V", "https://docs.z.ai/guides/overview/pricing, 2025"),
)

FAMILIES = (GLM,)
