"""Few out of many, evenly."""


def spread(total: int, most: int) -> list[int]:
    """At most `most` places among `total`, evenly, with the first and the last."""
    if total <= most:
        return list(range(total))
    return [round(step * (total - 1) / (most - 1)) for step in range(most)] if most > 1 else [0]
