"""Who can be asked, and the variables that hold their keys."""

from affordance.cli.models import BUILT_IN
from affordance.core.plugin_registry import MODELS, entry_points_by_name
from affordance.models.providers import PROVIDERS, ImageLimits
from reference.markdown import code, plain, table


def page() -> str:
    rows = [
        (
            code(f"{name}:MODEL"),
            code(provider.base_url),
            code(provider.key_variable),
            "needed" if provider.key_required else "optional",
            _limits(provider.images),
        )
        for name, provider in sorted(PROVIDERS.items())
    ]
    heads = ("model", "where it is asked", "variable of the key", "the key is", "documented limits")
    others = [(code(name), plain(where)) for name, where in BUILT_IN]
    others += [
        (code(f"{name}:..."), plain(f"by {one.dist.name if one.dist else one.value}"))
        for name, one in sorted(entry_points_by_name(MODELS).items())
    ]
    return "\n\n".join(
        [
            "---\nhide: [toc]\n---",
            "# Providers and models",
            "A model is `PROVIDER:MODEL[@BASE_URL]`. Any server that speaks chat-completions will do: at a base URL "
            "of your own no key is needed. Keys come from the environment and go to the provider's own host only; "
            "`--key-env [MODEL=]NAME` names the variable for another. Endpoints of your own get a name in "
            "[affordance.toml](settings.md#providers).",
            table(heads, rows),
            "## Others",
            "These are asked in this process, without a key; what is added asks where it likes.",
            table(("model", "what it is"), others),
        ]
    )


def _limits(limits: ImageLimits) -> str:
    images = f"{limits.max_images} images a request" if limits.max_images is not None else ""
    return ", ".join(part for part in (images, "no video" if limits.video is False else "") if part)
