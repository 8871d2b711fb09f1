"""Where things lie on this computer."""

from affordance.core.places import cache_folder

__all__ = ["absolute", "cache_folder"]


def absolute(spec: str) -> str:
    """As it is found from wherever somebody is."""
    from affordance.datasets import locate

    place = locate(spec)
    return f"{spec.removesuffix(str(place))}{place.absolute()}"
