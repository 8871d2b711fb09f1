"""Sizes of pictures."""

Size = tuple[int, int]  # width and height in pixels


def shrunk_size(width: int, height: int, longest_side: int | None) -> Size:
    """The size of a picture whose longest side is to be no longer; it is never enlarged."""
    longest = max(width, height)
    if longest_side is None or longest <= longest_side:
        return width, height
    if longest_side < 1:
        raise ValueError(f"longest_side is at least 1, found {longest_side}")
    return max(1, round(width * longest_side / longest)), max(1, round(height * longest_side / longest))
