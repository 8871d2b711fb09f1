"""Anthropic: Claude."""

from affordance.models.family import ModelFamily, Price

CLAUDE = ModelFamily(
    name="claude",
    vendor="Anthropic",
    patterns=(r"(?:(?:[a-z]+\.)?anthropic\.)?claude-(?:\d|v\d|opus|sonnet|haiku)[\w.:@-]*",),
    dialect="claude",
    prices={
        "claude-3-5-sonnet": Price(3.0, 15.0),
        "claude-opus-4": Price(15.0, 75.0),
        "claude-sonnet-4": Price(3.0, 15.0),
    },
    sources=(
        "https://platform.claude.com/docs/en/build-with-claude/vision",
        "https://platform.claude.com/docs/en/about-claude/pricing, 2025",
    ),
)

FAMILIES = (CLAUDE,)
