"""Notes, reasons and other lines that people read, checked by the data in them and not by their words."""

from collections.abc import Sequence

from errors import assert_carries


def assert_notes(notes: Sequence[str], *expected: Sequence[object]) -> None:
    """There are so many notes, each one line that has its data in it."""
    assert len(notes) == len(expected), notes
    for note, data in zip(notes, expected, strict=True):
        assert_carries(note, *data)


def assert_noted(notes: Sequence[str], *data: object) -> None:
    """One of the notes has all of the data in it."""
    assert any(all(str(one) in note for one in data) for note in notes), notes
