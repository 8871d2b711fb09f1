"""OpenAI: GPT and the o-series."""

from affordance.models.family import NAME_SUFFIX, ModelFamily, ParameterRules, Price, Variant

GPT = ModelFamily(
    name="gpt",
    vendor="OpenAI",
    patterns=(r"(?:chat)?gpt-\d[\w.:@-]*", rf"o[134]{NAME_SUFFIX}"),
    dialect="gpt",
    prices={
        "gpt-4o": Price(2.5, 10.0),
        "gpt-4o-mini": Price(0.15, 0.6),
        "gpt-5": Price(1.25, 10.0),
        "gpt-5-mini": Price(0.25, 2.0),
        "o1": Price(15.0, 60.0),
        "o3": Price(2.0, 8.0),
        "o4-mini": Price(1.1, 4.4),
    },
    variants=(
        Variant(  # models that always reason
            r"(?:o\d|gpt-5)(?:-(?!chat).*)?",
            {"parameters": ParameterRules("max_completion_tokens", refused=frozenset({"temperature", "top_p"}))},
        ),
    ),
    sources=(
        "https://platform.openai.com/docs/guides/reasoning",
        "https://platform.openai.com/docs/pricing, 2025",
    ),
)

FAMILIES = (GPT,)
