"""Upper bounds of the tokens that requests are billed for going in, from what was reported before."""

from collections.abc import Callable

from affordance.core.ask import Request
from affordance.core.errors import MediaError
from affordance.core.picture import MediaSpec
from affordance.models.prices import max_input_tokens, max_text_tokens

MediaSizes = tuple[tuple[int, ...], ...]  # of the images and videos of a request
MediaSize = Callable[[MediaSpec], tuple[int, ...]]  # width and height, and of a video the number of frames


class TokenBounds:
    """A model is billed the same for images of the same number and size. So they cost at most the smallest usage that
    was reported with such images, and at least the part of a usage that its text cannot explain."""

    def __init__(self, media_size: MediaSize | None) -> None:
        self._media_size = media_size
        self._media_tokens: dict[tuple[str, MediaSizes], tuple[int, int]] = {}  # at least and at most

    def upper_bound(self, model: str, request: Request) -> int:
        known = self._media_tokens.get((model, sizes)) if (sizes := self._sizes(request)) else None
        return max_input_tokens(request) if known is None else max_text_tokens(request) + max(known)

    def add_usage(self, model: str, request: Request, reported: int) -> None:
        """Take in the usage of one request."""
        if sizes := self._sizes(request):
            least, most = self._media_tokens.get((model, sizes), (0, reported))
            self._media_tokens[model, sizes] = max(least, reported - max_text_tokens(request)), min(most, reported)

    def _sizes(self, request: Request) -> MediaSizes | None:
        """None where a file cannot be read, which the request will report."""
        try:
            return tuple(sorted(self._media_size(visual) for visual in request.media)) if self._media_size else None
        except MediaError:
            return None
