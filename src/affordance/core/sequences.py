"""Parts of sequences: evenly spaced elements, chunks."""


def evenly_spaced(total: int, max_count: int) -> list[int]:
    """At most `most` places among `total`, evenly, with the first and the last."""
    if total <= max_count:
        return list(range(total))
    return [round(step * (total - 1) / (max_count - 1)) for step in range(max_count)] if max_count > 1 else [0]
