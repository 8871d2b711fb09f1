"""Opening a file with ffmpeg, always with the same decoder settings."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from affordance.core.errors import MediaError
from affordance.media._kinds import MediaFormat

# For images an error is an error; video decoders flag the frame instead and are asked for the flag, since being strict
# would also make them refuse harmless oddities such as a malformed message between frames.
IMAGE_OPTIONS = {"err_detect": "crccheck+bitstream+buffer+explode"}


@contextmanager
def open_video(path: Path, media_format: MediaFormat) -> Iterator[tuple[InputContainer, VideoStream]]:
    """A file and its first video stream that is not cover art."""
    try:
        container = av.open(f"file:{path.absolute()}", "r", format=media_format.demuxer)
    except av.FFmpegError as error:
        raise MediaError(
            f"{path}: cannot be opened as {media_format.name}: {error.strerror}; it may be truncated or corrupt"
        ) from error
    with container:
        streams = [s for s in container.streams.video if not s.disposition & s.disposition.attached_pic]
        if not streams:
            raise MediaError(f"{path}: expected a video, found a file without one")
        stream = streams[0]
        if media_format.is_image:
            stream.codec_context.options = IMAGE_OPTIONS
        # One thread: more of them cost more CPU time per frame, and callers run several clips at once.
        stream.thread_count = 1
        yield container, stream
