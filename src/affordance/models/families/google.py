"""Google: Gemini."""

from affordance.models.family import ModelFamily, Price

GEMINI = ModelFamily(
    name="gemini",
    vendor="Google",
    patterns=(r"gemini-(?:\d|pro|flash|exp)[\w.:@-]*",),
    dialect="gemini",
    prices={"gemini-2.5-flash": Price(0.3, 2.5), "gemini-2.5-pro": Price(1.25, 10.0)},
    sources=(
        "https://ai.google.dev/gemini-api/docs/image-understanding",
        "https://ai.google.dev/gemini-api/docs/pricing, 2025",
    ),
)

FAMILIES = (GEMINI,)
