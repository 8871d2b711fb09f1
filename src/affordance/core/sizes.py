"""Sizes of pictures."""

ImageSize = tuple[int, int]  # width and height in pixels


def fit_within(width: int, height: int, max_side: int | None) -> ImageSize:
    """The size of a picture whose longest side is to be no longer; it is never enlarged."""
    longest = max(width, height)
    if max_side is None or longest <= max_side:
        return width, height
    if max_side < 1:
        raise ValueError(f"longest_side is at least 1, found {max_side}")
    return max(1, round(width * max_side / longest)), max(1, round(height * max_side / longest))
