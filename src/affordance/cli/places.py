"""Where things lie on this computer."""

from affordance.core.paths import cache_dir

__all__ = ["absolute_spec", "cache_dir"]


def absolute_spec(spec: str) -> str:
    """As it is found from wherever somebody is."""
    from affordance.datasets import spec_path

    place = spec_path(spec)
    return f"{spec.removesuffix(str(place))}{place.absolute()}"
