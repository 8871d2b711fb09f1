"""Upper bounds of the tokens that requests are billed for going in, from what was reported before."""

from collections.abc import Callable

from affordance.core.ask import Ask
from affordance.core.errors import MediaError
from affordance.core.picture import Visual
from affordance.models.prices import input_tokens, text_tokens

Sizes = tuple[tuple[int, ...], ...]  # of the images and videos of a request
SizeOf = Callable[[Visual], tuple[int, ...]]  # width and height, and of a video the number of frames


class TokenBounds:
    """A model is billed the same for images of the same number and size. So they cost at most the smallest usage that
    was reported with such images, and at least the part of a usage that its text cannot explain."""

    def __init__(self, size_of: SizeOf | None) -> None:
        self._size_of = size_of
        self._images: dict[tuple[str, Sizes], tuple[int, int]] = {}  # at least and at most

    def of(self, model: str, ask: Ask) -> int:
        known = self._images.get((model, sizes)) if (sizes := self._sizes(ask)) else None
        return input_tokens(ask) if known is None else text_tokens(ask) + max(known)

    def learn(self, model: str, ask: Ask, reported: int) -> None:
        """Take in the usage of one request."""
        if sizes := self._sizes(ask):
            least, most = self._images.get((model, sizes), (0, reported))
            self._images[model, sizes] = max(least, reported - text_tokens(ask)), min(most, reported)

    def _sizes(self, ask: Ask) -> Sizes | None:
        """None where a file cannot be read, which the request will report."""
        try:
            return tuple(sorted(self._size_of(visual) for visual in ask.visuals)) if self._size_of else None
        except MediaError:
            return None
